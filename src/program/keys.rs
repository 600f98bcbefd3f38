//! A table of strings that the schema names: an object's declared keys, the strings of an `enum`.
//!
//! In: names, each with what it leads to. Out: what a string of the instance leads to. Size is that of the names, and a
//! word and at most four slots of 32 bytes each (for links).
//!
//! A key is told apart by its length and its first and last eight bytes, which for keys of up to [`SHORT`] bytes is
//! all of them: a look-up of such a key is a few loads and one probe, and calls no comparison of memory, which costs
//! more than all else. A longer key is confirmed byte by byte. A slot holds what its name leads to, so that nothing lies
//! behind another look-up.
//!
//! Keys of an instance cannot make a look-up slow: the slots hold only the schema's keys, and a schema whose keys
//! crowd one slot beyond [`PROBES`] (a hostile one, since length and sixteen bytes must agree) is searched by halves.

use crate::value::ends::ends;

/// Bytes of a key that its first and last words cover.
const SHORT: usize = 16;

/// Slots that a look-up may probe. The mean is under two, and the longest run of thousands of ordinary names stays below
/// twenty.
const PROBES: usize = 32;

/// The length of a free slot: no key that is told apart by its length has it.
const FREE: u32 = u32::MAX;

/// Names up to which several ways to spread them are tried: more take one, whose mean is good enough.
const FEW: usize = 24;

/// Ways to spread few names that are tried.
const SPREADS: u64 = 16;

/// An odd number whose bits follow no pattern: the golden ratio's.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What tells a key apart without looking at all of it.
#[derive(Clone, Copy, Debug)]
struct Mark {
    first: u64,
    last: u64,
    /// The cut keeps what tells keys apart: longer keys are confirmed.
    length: u32,
}

impl Mark {
    #[inline(always)]
    fn of(bytes: &[u8]) -> Mark {
        let (first, last) = ends(bytes);
        Mark { first, last, length: bytes.len() as u32 }
    }

    /// The slot of the mark, out of two to the power of 64 less the spread's shift.
    #[inline(always)]
    fn slot(self, spread: Spread) -> usize {
        let mixed = (self.first ^ self.last.rotate_left(23)).wrapping_mul(spread.factor);
        // The high bits of a product depend on all bits below them.
        mixed.wrapping_shr(spread.shift) as usize
    }
}

/// How marks are spread over slots.
#[derive(Clone, Copy, Debug)]
struct Spread {
    factor: u64,
    shift: u32,
}

/// A name's mark, laid out to fill 32 bytes with a link.
#[derive(Clone, Copy, Debug)]
struct Slot<T> {
    first: u64,
    last: u64,
    length: u32,
    /// Where the name begins in the text of all, and [`MORE`].
    start: u32,
    leads: T,
}

/// Set in a slot's start where a name that belongs there or before has moved on behind it.
const MORE: u32 = 1 << 31;

impl<T> Slot<T> {
    #[inline(always)]
    fn has(&self, mark: Mark) -> bool {
        // One branch, since what differs in one mostly differs in all.
        (self.first ^ mark.first) | (self.last ^ mark.last) | u64::from(self.length ^ mark.length) == 0
    }

    #[inline(always)]
    fn is_last(&self) -> bool {
        self.start & MORE == 0
    }

    fn mark(&self) -> Mark {
        Mark { first: self.first, last: self.last, length: self.length }
    }
}

/// Names, sorted by length and then by bytes, and slots that lead to them.
#[derive(Debug)]
pub(crate) struct KeyTable<T> {
    /// Where the mark says or in the next free one, a power of two of them; one a name, in their order, where the keys
    /// crowd.
    slots: Box<[Slot<T>]>,
    spread: Spread,
    crowded: bool,
    /// The names, one after another, and where each ends.
    text: Box<str>,
    ends: Box<[usize]>,
}

impl<T: Copy> KeyTable<T> {
    /// The table of `names`, which are all different.
    pub(crate) fn new<S: AsRef<str>>(mut names: Vec<(S, T)>) -> Self {
        names.sort_unstable_by(|(a, _), (b, _)| order(a.as_ref(), b.as_ref()));
        let mut text = String::with_capacity(names.iter().map(|(name, _)| name.as_ref().len()).sum());
        let mut entries: Vec<Slot<T>> = Vec::with_capacity(names.len());
        let mut ends = Vec::with_capacity(names.len());
        for (name, leads) in &names {
            // What is cut where names take more than can be numbered is searched.
            let start = u32::try_from(text.len()).ok().filter(|start| start & MORE == 0).unwrap_or(FREE);
            text.push_str(name.as_ref());
            ends.push(text.len());
            let Mark { first, last, length } = Mark::of(name.as_ref().as_bytes());
            entries.push(Slot { first, last, length, start, leads: *leads });
        }
        let spread = Spread { factor: SPREAD, shift: 0 };
        let (slots, spread, crowded) = match spread_out(&entries) {
            Some((slots, spread)) => (slots, spread, false),
            None => {
                let crowded = !entries.is_empty();
                (entries, spread, crowded)
            }
        };
        KeyTable { slots: slots.into(), spread, crowded, text: text.into(), ends: ends.into() }
    }

    /// What the name `key` leads to.
    #[inline(always)]
    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        if self.crowded { self.find(key) } else { self.probe(key.as_bytes()) }
    }

    /// What the name whose bytes are `key` leads to, if the table is not crowded.
    #[inline(always)]
    pub(crate) fn probe(&self, key: &[u8]) -> Option<&T> {
        self.probe_slot(key).map(|(_, slot)| &slot.leads)
    }

    #[inline(always)]
    fn probe_slot(&self, key: &[u8]) -> Option<(usize, &Slot<T>)> {
        let mark = Mark::of(key);
        let at = mark.slot(self.spread);
        // There are no slots where there are no names.
        let slot = self.slots.get(at)?;
        if slot.has(mark) && self.confirms(slot, key) {
            Some((at, slot))
        } else if slot.is_last() {
            None
        } else {
            self.probe_on(at, key)
        }
    }

    /// Looks on behind a slot that has another name.
    #[inline(never)]
    fn probe_on(&self, mut at: usize, key: &[u8]) -> Option<(usize, &Slot<T>)> {
        let mark = Mark::of(key);
        loop {
            // A run of taken slots is shorter than `PROBES`, or the keys would crowd.
            at = (at + 1) & (self.slots.len() - 1);
            let slot = self.slots.get(at)?;
            if slot.has(mark) && self.confirms(slot, key) {
                return Some((at, slot));
            }
            if slot.is_last() {
                return None;
            }
        }
    }

    /// Whether the name of a slot, whose mark is that of `key`, is `key`.
    #[inline(always)]
    fn confirms(&self, slot: &Slot<T>, key: &[u8]) -> bool {
        if key.len() <= SHORT {
            return true;
        }
        let start = (slot.start & !MORE) as usize;
        let name = self.text.as_bytes().get(start..).and_then(|rest| rest.get(..key.len()));
        name.is_some_and(|name| is_same_between(name, key))
    }

    #[inline]
    fn name(&self, index: usize) -> Option<&str> {
        let start = match index.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.text.get(start..*self.ends.get(index)?)
    }

    #[cold]
    fn find(&self, key: &str) -> Option<&T> {
        // Of as many slots as names each lies where its name does.
        self.slots.get(self.search(key)?).map(|slot| &slot.leads)
    }

    fn search(&self, key: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match order(self.name(middle)?, key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// What the name `key` leads to, to change it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let at = if self.crowded { self.search(key)? } else { self.probe_slot(key.as_bytes())?.0 };
        self.slots.get_mut(at).map(|slot| &mut slot.leads)
    }

    /// All that the names lead to, to change it.
    pub(crate) fn leads_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let crowded = self.crowded;
        let taken = self.slots.iter_mut().filter(move |slot| crowded || slot.length != FREE);
        taken.map(|slot| &mut slot.leads)
    }

    /// Whether the names crowd one slot, so that they are searched.
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// How many names.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All names with what they lead to.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, T)> {
        (0..self.len()).filter_map(|index| {
            let name = self.name(index)?;
            Some((name, *self.get(name)?))
        })
    }
}

/// Whether two texts of one length, whose first and last eight bytes agree, agree between them. By words: to call a
/// comparison of memory takes longer than to compare what few bytes there are.
#[inline(always)]
fn is_same_between(name: &[u8], key: &[u8]) -> bool {
    let inner = |text: &[u8]| -> Option<(u64, u64)> {
        let second = text.get(8..)?.first_chunk::<8>()?;
        let last_but_one = text.get(..text.len().checked_sub(8)?)?.last_chunk::<8>()?;
        Some((u64::from_le_bytes(*second), u64::from_le_bytes(*last_but_one)))
    };
    match (inner(name), inner(key)) {
        (Some(inner), Some(inner_of_key)) => inner == inner_of_key && (key.len() <= 2 * SHORT || name == key),
        (None, _) | (_, None) => false,
    }
}

/// The order in which names are kept, searched and shown.
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    (a.len(), a).cmp(&(b.len(), b))
}

/// The entries in slots, and how they are spread; nothing where there are none, or where they crowd.
fn spread_out<T: Copy>(entries: &[Slot<T>]) -> Option<(Vec<Slot<T>>, Spread)> {
    let first = entries.first()?;
    let count = (entries.len() * 2).next_power_of_two();
    let shift = u64::BITS - count.trailing_zeros();
    // What a free slot leads to is never asked for.
    let free = Slot { first: 0, last: 0, length: FREE, start: 0, leads: first.leads };
    if entries.iter().any(|entry| entry.start == FREE) {
        return None;
    }
    let tries = if entries.len() <= FEW { SPREADS } else { 1 };
    let mut best: Option<(Spread, usize)> = None;
    let mut places = Vec::new();
    for attempt in 0..tries {
        let spread = Spread { factor: SPREAD.wrapping_mul(2 * attempt + 1), shift };
        let Some(moved) = place(entries, spread, count, &mut places) else { continue };
        if best.is_none_or(|(_, least)| moved < least) {
            best = Some((spread, moved));
        }
        if moved == 0 {
            break;
        }
    }
    let (spread, _) = best?;
    place(entries, spread, count, &mut places)?;
    let slots = places.iter().map(|index| match index {
        Some(index) => entries.get(*index).copied().unwrap_or(free),
        None => free,
    });
    let mut slots: Vec<Slot<T>> = slots.collect();
    for (at, index) in places.iter().enumerate() {
        let Some(entry) = index.and_then(|index| entries.get(index)) else { continue };
        let mut passed = entry.mark().slot(spread);
        // At most as many as may be probed.
        while passed != at {
            slots.get_mut(passed)?.start |= MORE;
            passed = (passed + 1) & (count - 1);
        }
    }
    Some((slots, spread))
}

/// Finds each entry's slot; hands on how many slots they are moved by in all. Nothing where they crowd.
fn place<T>(
    entries: &[Slot<T>],
    spread: Spread,
    count: usize,
    places: &mut Vec<Option<usize>>,
) -> Option<usize> {
    places.clear();
    places.resize(count, None);
    let mut moved = 0;
    for (index, entry) in entries.iter().enumerate() {
        let mut at = entry.mark().slot(spread);
        let mut probes = 1;
        while places.get(at)?.is_some() {
            at = (at + 1) & (count - 1);
            probes += 1;
            if probes > PROBES {
                return None;
            }
        }
        *places.get_mut(at)? = Some(index);
        moved += probes - 1;
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[String]) -> KeyTable<usize> {
        KeyTable::new(names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect())
    }

    fn holds(names: &[String]) -> KeyTable<usize> {
        let table = table(names);
        for (index, name) in names.iter().enumerate() {
            assert_eq!(table.get(name), Some(&index), "{name}");
            for other in [format!("{name}x"), format!("x{name}"), name.replace('a', "b"), name.to_uppercase()]
            {
                let found = names.iter().position(|name| *name == other);
                assert_eq!(table.get(&other), found.as_ref(), "{other}");
            }
        }
        table
    }

    #[test]
    fn every_key_is_found_and_no_other() {
        let lengths: Vec<String> = (0..40).map(|length| "a".repeat(length)).collect();
        let numbered: Vec<String> = (0..2_000).map(|number| format!("key-{number}")).collect();
        let odd: Vec<String> = ["", "\0", "\0\0", "é", "日本語日本語", "01", "1"].map(str::to_owned).to_vec();
        for names in [vec![], lengths, numbered, odd] {
            let table = holds(&names);
            assert!(!table.is_crowded(), "real names do not crowd");
        }
    }

    #[test]
    fn names_that_crowd_one_slot_are_searched() {
        // Length, first and last eight bytes agree; only the middle tells them apart.
        let names: Vec<String> = (0..500).map(|number| format!("abcdefgh{number:04}abcdefgh")).collect();
        assert!(holds(&names).is_crowded());
        let few: Vec<String> = names.into_iter().take(PROBES).collect();
        assert!(!holds(&few).is_crowded());
    }
}
