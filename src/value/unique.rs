//! Whether the items of an array are all different.
//!
//! In: an array, a reusable [`UniqueSet`], limits. Out: yes or no, or [`Exhausted`] where it could not be decided.
//! Linear in the array, whatever the items are: a few are compared pair by pair, more go through a hash set whose
//! hits are confirmed by comparing: first by a few bits of each item, and where too many of those look alike, by hashes
//! of whole items. The set takes about sixteen bytes an item, keeps its memory for the
//! next array, and so allocates nothing once it has seen one as long.
//!
//! Where arrays that must be unique can lie in items of such arrays, each would be hashed once for every array above
//! it. There the hash of an array is remembered for the rest of the check, some 60 bytes an array.

use std::hash::RandomState;

use super::equality::Hashes;
use super::mixing::Mixing;
use super::{Array, equality};
use crate::limits::{Exhausted, Meter};

/// Items up to which every pair is compared; a longer array goes through the set.
///
/// Measured on numbers, short strings and small objects: the two take the same time at about ten items, and eight
/// take 160 ns by pairs against 214 ns by the set (integers), 483 ns against 1,060 ns (objects). Items that differ
/// late are read seven times at most.
const PAIRWISE: usize = 8;

/// For so many items, one pair may look alike and be different: what such pairs cost is then a share of what hashing
/// costs.
const SHARE_ALIKE: usize = 8;

/// Pairs that may look alike and be different in an array that may lie in an item of another: there each level would
/// read once more what lies below it.
const FEW_ALIKE: usize = 2;

/// A slot in which there is no item.
const EMPTY: u32 = u32::MAX;

/// A hash set of items by index, open addressed: keyed hashes need no chains, since nobody can steer them.
#[derive(Debug, Default)]
pub(crate) struct UniqueSet {
    keys: RandomState,
    prints: Mixing,
    /// The hash of each item seen, by index.
    hashes: Vec<u64>,
    /// Indices into the array, where the hash says or in the next free place; a power of two of them.
    slots: Vec<u32>,
    /// The hashes of arrays inside items.
    inner: Hashes,
    limit: usize,
}

/// What an item costs in the set beside reading it, in steps: with its hash 30 ns where the set fits the processor's
/// caches, and up to 190 ns where it does not (measured on 200,000 integers).
const STEPS_AN_ITEM: u64 = 4;

/// Slots that are made ready in the time of a step.
const SLOTS_PER_STEP: usize = 32;

impl UniqueSet {
    /// Bytes kept for the next array.
    pub(crate) fn memory_usage(&self) -> usize {
        self.hashes.capacity() * size_of::<u64>()
            + self.slots.capacity() * size_of::<u32>()
            + self.inner.memory_usage()
    }

    /// Makes ready for a check in which no array may have more than `limit` items, and no more arrays are
    /// remembered.
    #[inline]
    pub(crate) fn begin(&mut self, limit: usize) {
        self.limit = limit;
        self.inner.begin(limit);
    }

    /// Makes room for `items`, at most three quarters full, and forgets the last array.
    fn reset(&mut self, items: usize) {
        self.hashes.clear();
        self.slots.clear();
        self.hashes.reserve(items);
        self.slots.resize((items + items / 3 + 1).next_power_of_two(), EMPTY);
    }

    /// Takes the next item in by its hash, unless an earlier one has the same hash and `is_equal` says, given its
    /// index, that it is the same item.
    fn insert(
        &mut self,
        hash: u64,
        mut is_equal: impl FnMut(usize) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        let mask = self.slots.len().saturating_sub(1);
        // The cut keeps the low bits, all that the mask looks at.
        let mut place = hash as usize & mask;
        // A slot is free, since there are more than items; a set that was not reset holds nothing.
        while let Some(slot) = self.slots.get_mut(place) {
            if *slot == EMPTY {
                *slot = self.hashes.len() as u32;
                break;
            }
            let seen = *slot as usize;
            if self.hashes.get(seen) == Some(&hash) && is_equal(seen)? {
                return Ok(true);
            }
            place = (place + 1) & mask;
        }
        self.hashes.push(hash);
        Ok(false)
    }
}

/// Whether no two of `items` are equal. More of them than the set's limit, an item of more than `depth` levels or a
/// meter that runs out are [`Exhausted`], unless a pair was found before. `nested` says that such an array may lie
/// in an item of another.
pub(crate) fn all_unique<'v, A: Array<'v>>(
    items: A,
    set: &mut UniqueSet,
    nested: bool,
    depth: usize,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    if items.len() > set.limit.min(EMPTY as usize) {
        return Err(Exhausted);
    }
    if items.len() <= 1 {
        return Ok(true);
    }
    if items.len() <= PAIRWISE && !nested {
        return pairwise(items, depth, meter);
    }
    let most = if nested { FEW_ALIKE } else { items.len() / SHARE_ALIKE };
    if let Some(unique) = by_print(items, set, most, depth, meter)? {
        return Ok(unique);
    }
    meter.charge((items.len() / SLOTS_PER_STEP) as u64)?;
    set.reset(items.len());
    for item in items.iter() {
        meter.charge(STEPS_AN_ITEM)?;
        let inner = nested.then_some(&mut set.inner);
        let hash = equality::hash(item, &set.keys, inner, depth, meter)?;
        let seen = set.insert(hash, |index| match items.get(index) {
            Some(other) => equality::equal(item, other, depth, meter),
            None => Ok(false),
        })?;
        if seen {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells items apart by a few bits of each; nothing where more than `most` pairs look alike and are not, since somebody
/// may have prepared them so. Items differ early as a rule, and to hash all of them takes far longer.
fn by_print<'v, A: Array<'v>>(
    items: A,
    set: &mut UniqueSet,
    most: usize,
    depth: usize,
    meter: &mut Meter,
) -> Result<Option<bool>, Exhausted> {
    meter.charge((items.len() / SLOTS_PER_STEP) as u64)?;
    set.reset(items.len());
    let prints = set.prints;
    let mut alike = 0;
    for item in items.iter() {
        meter.charge(1 + STEPS_AN_ITEM)?;
        let seen =
            set.insert(prints.word(equality::print(item, meter)?), |index| match items.get(index) {
                Some(other) => {
                    alike += 1;
                    // Those too many are not compared; nothing is decided by them.
                    Ok(alike <= most && equality::equal(item, other, depth, meter)?)
                }
                None => Ok(false),
            })?;
        if seen {
            return Ok(Some(false));
        }
        if alike > most {
            return Ok(None);
        }
    }
    Ok(Some(true))
}

fn pairwise<'v, A: Array<'v>>(items: A, depth: usize, meter: &mut Meter) -> Result<bool, Exhausted> {
    for (index, item) in items.iter().enumerate() {
        for other in items.iter().take(index) {
            if equality::equal(item, other, depth, meter)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::limits::{DEPTH, UNIQUE_ITEMS};

    fn unique(items: &Value, set: &mut UniqueSet, meter: &mut Meter) -> Result<bool, Exhausted> {
        set.begin(UNIQUE_ITEMS);
        all_unique(items.as_array().unwrap().as_slice(), set, false, DEPTH, meter)
    }

    #[test]
    fn arrays_inside_items_are_hashed_once_where_that_is_remembered() {
        // Ten levels of ten items, each asked whether it is unique.
        let levels: Vec<Value> = (0..10)
            .scan(json!([]), |inner, _| {
                // Alike at the first look, so that whole items are hashed.
                let others = (1..10).map(|last| json!([0, last]));
                *inner = std::iter::once(json!([0, inner])).chain(others).collect();
                Some(inner.clone())
            })
            .collect();
        let outermost = &levels[9];
        let steps = |nested: bool| {
            let mut set = UniqueSet::default();
            set.begin(UNIQUE_ITEMS);
            let mut meter = Meter::new(u64::MAX);
            let mut next = Some(outermost);
            while let Some(Value::Array(items)) = next {
                let unique = all_unique(items.as_slice(), &mut set, nested, DEPTH, &mut meter);
                assert_eq!(unique, Ok(true));
                next = items.first().and_then(|first| first.get(1));
            }
            meter.used()
        };
        assert!(steps(true) < 1_200 && steps(false) > 2_000, "{} {}", steps(true), steps(false));
    }

    /// `count` different items, of which `twice` is a copy of the first if it is given.
    fn items(count: usize, twice: Option<usize>, item: impl Fn(usize) -> Value) -> Value {
        (0..count).map(|index| item(if Some(index) == twice { 0 } else { index })).collect()
    }

    #[test]
    fn finds_a_pair_wherever_it_is() {
        let mut set = UniqueSet::default();
        for count in 0..3 * PAIRWISE {
            let distinct = items(count, None, |index| json!({"a": index, "b": [index % 2]}));
            assert_eq!(unique(&distinct, &mut set, &mut Meter::new(10_000)), Ok(true), "{count}");
            for twice in 1..count {
                let pair = items(count, Some(twice), |index| json!({"a": index, "b": [index % 2]}));
                assert_eq!(unique(&pair, &mut set, &mut Meter::new(10_000)), Ok(false), "{twice} of {count}");
            }
        }
    }

    #[test]
    fn a_pair_is_one_value_in_two_spellings() {
        let mut set = UniqueSet::default();
        for filler in [0, 2 * PAIRWISE] {
            let with = |mut tail: Vec<Value>| {
                tail.extend((0..filler).map(|index| json!(["filler", index])));
                Value::Array(tail)
            };
            for pair in [
                [json!(1), json!(1.0)],
                [json!([0.0]), json!([-0.0])],
                [json!({"a": 1, "b": 2}), json!({"b": 2.0, "a": 1})],
            ] {
                assert_eq!(unique(&with(pair.to_vec()), &mut set, &mut Meter::new(10_000)), Ok(false));
            }
            let different = [
                json!(1),
                json!(true),
                json!("1"),
                json!([1]),
                json!({"1": 1}),
                json!(null),
                json!(0),
                json!(false),
            ];
            assert_eq!(unique(&with(different.to_vec()), &mut set, &mut Meter::new(10_000)), Ok(true));
        }
    }

    #[test]
    fn items_past_the_limit_are_not_decided() {
        let mut set = UniqueSet::default();
        let all = items(20, None, |index| json!(index));
        let mut decide = |limit| {
            set.begin(limit);
            let items = all.as_array().unwrap().as_slice();
            all_unique(items, &mut set, false, DEPTH, &mut Meter::new(1_000))
        };
        assert_eq!(decide(19), Err(Exhausted));
        assert_eq!(decide(20), Ok(true));
    }

    #[test]
    fn an_item_past_the_depth_is_not_decided() {
        let mut set = UniqueSet::default();
        for count in [2, 3 * PAIRWISE] {
            let all = items(count, None, |index| json!([[index]]));
            let mut decide = |depth| {
                set.begin(UNIQUE_ITEMS);
                let items = all.as_array().unwrap().as_slice();
                all_unique(items, &mut set, false, depth, &mut Meter::new(1_000))
            };
            assert_eq!(decide(2), Err(Exhausted));
            assert_eq!(decide(3), Ok(true));
        }
    }

    #[test]
    fn steps_are_linear_for_rows_that_differ_late() {
        let steps = |rows: usize| {
            let row = |index: usize| {
                let mut row = vec![json!("same"); 50];
                row.push(json!(index));
                Value::Array(row)
            };
            let mut meter = Meter::new(u64::MAX);
            assert_eq!(unique(&items(rows, None, row), &mut UniqueSet::default(), &mut meter), Ok(true));
            meter.used()
        };
        assert!(steps(2_000) <= 2 * steps(1_000) + 1);
        assert!(steps(PAIRWISE) <= (PAIRWISE * PAIRWISE * 52) as u64);
    }

    #[test]
    fn prepared_keys_do_not_collide() {
        let mut set = UniqueSet::default();
        let count = 200_000;
        let all = items(count, None, |index| json!((index as u64) << 32));
        let mut meter = Meter::new(u64::MAX);
        assert_eq!(unique(&all, &mut set, &mut meter), Ok(true));
        // No comparison at all: the hashes themselves are different.
        assert_eq!(meter.used(), (count + count / SLOTS_PER_STEP) as u64 + count as u64 * STEPS_AN_ITEM);
        let longest = set.slots.split(|slot| *slot == EMPTY).map(<[u32]>::len).max();
        assert!(longest < Some(1_000), "{longest:?}");
    }

    #[test]
    fn equal_hashes_of_different_items_are_told_apart() {
        let mut set = UniqueSet::default();
        set.reset(3);
        let mut insert = |hash, same: Option<usize>| set.insert(hash, |index| Ok(Some(index) == same));
        // The last slot, so that the probe goes round.
        assert_eq!(insert(u64::MAX, None), Ok(false));
        assert_eq!(insert(u64::MAX, None), Ok(false));
        assert_eq!(insert(0, Some(1)), Ok(false));
        assert_eq!(insert(u64::MAX, Some(1)), Ok(true));
        assert_eq!(insert(0, Some(2)), Ok(true));
    }

    #[test]
    fn a_warm_set_keeps_its_memory() {
        let mut set = UniqueSet::default();
        let all = items(1_000, None, |index| json!(index));
        unique(&all, &mut set, &mut Meter::new(10_000)).unwrap();
        let warm = (set.hashes.as_ptr(), set.slots.as_ptr());
        unique(&items(500, None, |index| json!([index])), &mut set, &mut Meter::new(10_000)).unwrap();
        unique(&all, &mut set, &mut Meter::new(10_000)).unwrap();
        assert_eq!((set.hashes.as_ptr(), set.slots.as_ptr()), warm);
    }
}
