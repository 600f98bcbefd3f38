//! Equality and hashing of whole values.
//!
//! In: two values of any instance kinds, or one and the keys of a hash. Out: whether they are the same JSON value
//! (RFC 8259; numbers by their mathematical value, members in any order), or a hash that agrees with that.
//!
//! Both are linear in the values, charged to the meter as they go: a step for a value and the text's steps for
//! strings, keys and long numbers. Both recurse, by at most `depth` levels (a value takes one, its children the
//! next). A value too deep, a meter run out or a malformed number leave the question open, which is
//! [`Exhausted`] and neither yes nor no. Hashes are keyed, so that nobody can prepare values that collide.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::ends::ends;
use super::table::Table;
use super::{Array, Identity, Instance, Object, View};
use crate::limits::{Exhausted, Meter, search_steps};

/// The hashes of arrays, so that none is hashed twice in a check.
#[derive(Debug, Default)]
pub(crate) struct Hashes {
    known: Table<Identity, u64>,
    limit: usize,
}

impl Hashes {
    /// Forgets all; then at most `limit` are remembered, and those beyond are hashed anew.
    #[inline]
    pub(crate) fn begin(&mut self, limit: usize) {
        self.known.forget(0, |_| ());
        self.limit = limit;
    }

    fn keep(&mut self, place: Identity, hash: u64) {
        if self.known.len() < self.limit {
            self.known.insert(place, hash);
        }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.known.memory_usage()
    }
}

/// Whether `a` and `b` are the same JSON value, each of at most `depth` levels.
pub(crate) fn equal<'a, 'b, A: Instance<'a>, B: Instance<'b>>(
    a: A,
    b: B,
    depth: usize,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    let below = depth.checked_sub(1).ok_or(Exhausted)?;
    meter.charge(1)?;
    let b = b.view();
    match a.view() {
        View::Null => Ok(matches!(b, View::Null)),
        View::Boolean(a) => Ok(matches!(b, View::Boolean(b) if a == b)),
        View::Number(a) => {
            let View::Number(b) = b else { return Ok(false) };
            meter.charge_text(a.text_len())?;
            meter.charge_text(b.text_len())?;
            a.compare(b).map(|order| order.is_eq()).ok_or(Exhausted)
        }
        View::String(a) => {
            let View::String(b) = b else { return Ok(false) };
            if a.len() != b.len() {
                return Ok(false);
            }
            meter.charge_text(a.len())?;
            Ok(a == b)
        }
        View::Array(a) => {
            let View::Array(b) = b else { return Ok(false) };
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(b.iter()) {
                if !equal(a, b, below, meter)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        View::Object(a) => {
            let View::Object(b) = b else { return Ok(false) };
            if a.len() != b.len() {
                return Ok(false);
            }
            let members = b.len();
            // Keys are unique and as many on both sides: if each of `a` is in `b`, each of `b` is in `a`.
            for (key, a) in a.iter() {
                meter.charge_text(key.len())?;
                meter.charge(search_steps(members, key.len()))?;
                let Some(b) = b.get(key) else { return Ok(false) };
                if !equal(a, b, below, meter)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// A hash of `value`, of at most `depth` levels, that is the same for all values [`equal`] to it. Hashes that are
/// compared have to be made all with `inner` or all without.
pub(crate) fn hash<'v, I: Instance<'v>>(
    value: I,
    keys: &RandomState,
    inner: Option<&mut Hashes>,
    depth: usize,
    meter: &mut Meter,
) -> Result<u64, Exhausted> {
    let mut state = keys.build_hasher();
    Hashing { keys, inner, meter }.hash_into(value, &mut state, depth)?;
    Ok(state.finish())
}

/// Members of an object that its print looks at.
const PRINTED: usize = 8;

/// A few bits of a value that are the same for all values [`equal`] to it, from no more than its first members: to tell
/// values apart that differ there. Constant time, but for numbers held as text, which are charged.
pub(crate) fn print<'v, I: Instance<'v>>(value: I, meter: &mut Meter) -> Result<u64, Exhausted> {
    Ok(match value.view() {
        View::Array(items) => {
            let first = items.get(0).map_or(Ok(0), |first| shallow(first, meter))?;
            mix(first ^ 5, items.len() as u64)
        }
        View::Object(members) => {
            let count = members.len();
            let mut sum = mix(6, count as u64);
            if count <= PRINTED {
                // Equal objects may hold their members in another order.
                for (key, member) in members.iter() {
                    sum = sum.wrapping_add(mix(print_of(key), shallow(member, meter)?));
                }
            }
            sum
        }
        View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => shallow(value, meter)?,
    })
}

fn shallow<'v, I: Instance<'v>>(value: I, meter: &mut Meter) -> Result<u64, Exhausted> {
    Ok(match value.view() {
        View::Null => 1,
        View::Boolean(boolean) => 2 + u64::from(boolean),
        View::Number(number) => {
            meter.charge_text(number.text_len())?;
            number.print()
        }
        View::String(text) => mix(4, print_of(text)),
        View::Array(items) => mix(5, items.len() as u64),
        View::Object(members) => mix(6, members.len() as u64),
    })
}

/// The length of a text and its first and last bytes.
fn print_of(text: &str) -> u64 {
    let (first, last) = ends(text.as_bytes());
    mix(first ^ text.len() as u64, last)
}

fn mix(one: u64, other: u64) -> u64 {
    /// An odd number whose bits follow no pattern.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    (one ^ other.rotate_left(32)).wrapping_mul(SPREAD) ^ other.wrapping_mul(SPREAD).rotate_left(29)
}

struct Hashing<'h> {
    keys: &'h RandomState,
    inner: Option<&'h mut Hashes>,
    meter: &'h mut Meter,
}

impl Hashing<'_> {
    /// Each kind feeds a tag of its own, and what it holds with its length: no two values feed alike.
    fn hash_into<'v, I: Instance<'v>>(
        &mut self,
        value: I,
        state: &mut impl Hasher,
        depth: usize,
    ) -> Result<(), Exhausted> {
        let below = depth.checked_sub(1).ok_or(Exhausted)?;
        self.meter.charge(1)?;
        match value.view() {
            View::Null => state.write_u8(0),
            View::Boolean(boolean) => state.write_u8(1 + u8::from(boolean)),
            View::Number(number) => {
                if number.is_malformed() {
                    return Err(Exhausted);
                }
                self.meter.charge_text(number.text_len())?;
                state.write_u8(3);
                number.hash_into(state);
            }
            View::String(string) => {
                state.write_u8(4);
                hash_text(string, state, self.meter)?;
            }
            View::Array(items) => {
                state.write_u8(5);
                if self.inner.is_some() {
                    state.write_u64(self.hash_array(value.identity(), items, below)?);
                } else {
                    self.feed_items(items, state, below)?;
                }
            }
            View::Object(members) => {
                // A sum does not depend on the order of its terms, and what is keyed cannot be made to cancel out.
                let mut sum = 0_u64;
                for (key, value) in members.iter() {
                    let mut state = self.keys.build_hasher();
                    hash_text(key, &mut state, self.meter)?;
                    self.hash_into(value, &mut state, below)?;
                    sum = sum.wrapping_add(state.finish());
                }
                state.write_u8(6);
                state.write_usize(members.len());
                state.write_u64(sum);
            }
        }
        Ok(())
    }

    fn hash_array<'v, A: Array<'v>>(
        &mut self,
        place: Identity,
        items: A,
        below: usize,
    ) -> Result<u64, Exhausted> {
        if let Some(known) = self.inner.as_ref().and_then(|inner| inner.known.get(place)) {
            return Ok(known);
        }
        let mut state = self.keys.build_hasher();
        self.feed_items(items, &mut state, below)?;
        let hash = state.finish();
        if let Some(inner) = &mut self.inner {
            inner.keep(place, hash);
        }
        Ok(hash)
    }

    fn feed_items<'v, A: Array<'v>>(
        &mut self,
        items: A,
        state: &mut impl Hasher,
        below: usize,
    ) -> Result<(), Exhausted> {
        state.write_usize(items.len());
        for item in items.iter() {
            self.hash_into(item, state, below)?;
        }
        Ok(())
    }
}

fn hash_text(text: &str, state: &mut impl Hasher, meter: &mut Meter) -> Result<(), Exhausted> {
    meter.charge_text(text.len())?;
    state.write_usize(text.len());
    state.write(text.as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::json::Root;
    use super::*;
    use crate::limits::{DEPTH, DEPTH_CEILING};

    fn same(a: &Value, b: &Value) -> bool {
        equal(a, b, DEPTH, &mut Meter::new(1_000_000)).unwrap()
    }

    fn hashes_alike(a: &Value, b: &Value) -> bool {
        let keys = RandomState::new();
        let hash = |value| hash(value, &keys, None, DEPTH, &mut Meter::new(1_000_000)).unwrap();
        hash(a) == hash(b)
    }

    fn nested(levels: usize) -> Value {
        (1..levels).fold(json!(1), |value, _| json!([value]))
    }

    #[test]
    fn what_is_equal_hashes_alike() {
        let pairs = [
            (json!(1), json!(1.0)),
            (json!(0), json!(-0.0)),
            (json!(1e3), json!(1000)),
            (json!({"a": [1], "b": {"c": null}}), json!({"b": {"c": null}, "a": [1.0]})),
            (json!([]), json!([])),
            (json!({}), json!({})),
        ];
        for (a, b) in pairs {
            assert!(same(&a, &b) && same(&b, &a) && hashes_alike(&a, &b), "{a} {b}");
        }
    }

    #[test]
    fn what_differs_hashes_apart() {
        let all = [
            json!(null),
            json!(false),
            json!(true),
            json!(0),
            json!(1),
            json!(-1),
            json!(1.5),
            json!(""),
            json!("0"),
            json!("a"),
            json!([]),
            json!([0]),
            json!([[]]),
            json!([[], []]),
            json!([[0], 1]),
            json!([[0, 1]]),
            json!([0, 1]),
            json!([1, 0]),
            json!({}),
            json!({"a": 0}),
            json!({"a": 1}),
            json!({"b": 0}),
            json!({"": ""}),
            json!({"a": 0, "b": 1}),
            json!({"a": 1, "b": 0}),
            json!({"ab": 0}),
            json!([["a", 0]]),
            json!([{}]),
        ];
        for (index, a) in all.iter().enumerate() {
            for (other, b) in all.iter().enumerate() {
                assert_eq!(same(a, b), index == other, "{a} {b}");
                assert_eq!(hashes_alike(a, b), index == other, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_bare_map_equals_the_object_it_is() {
        let value = json!({"a": [1, {"b": null}]});
        let root = Root::Map(value.as_object().unwrap());
        let keys = RandomState::new();
        let meter = &mut Meter::new(100);
        assert_eq!(equal(root, &value, DEPTH, meter), Ok(true));
        assert_eq!(equal(&value, root, DEPTH, meter), Ok(true));
        assert_eq!(hash(root, &keys, None, DEPTH, meter), hash(&value, &keys, None, DEPTH, meter));
    }

    #[test]
    fn depth_is_bounded() {
        let keys = RandomState::new();
        let (fits, deep) = (nested(DEPTH_CEILING), nested(DEPTH_CEILING + 1));
        let meter = &mut Meter::new(10_000);
        assert_eq!(equal(&fits, &fits, DEPTH_CEILING, meter), Ok(true));
        assert_eq!(equal(&deep, &deep, DEPTH_CEILING, meter), Err(Exhausted));
        assert!(hash(&fits, &keys, None, DEPTH_CEILING, meter).is_ok());
        assert_eq!(hash(&deep, &keys, None, DEPTH_CEILING, meter), Err(Exhausted));
    }

    #[test]
    fn every_value_and_text_is_charged() {
        let value = json!({"key": ["x".repeat(6_400), 1, null]});
        let mut meter = Meter::new(1_000);
        assert_eq!(equal(&value, &value, DEPTH, &mut meter), Ok(true));
        assert_eq!(meter.used(), 5 + 100);
        let mut meter = Meter::new(1_000);
        hash(&value, &RandomState::new(), None, DEPTH, &mut meter).unwrap();
        assert_eq!(meter.used(), 5 + 100);
        assert_eq!(equal(&value, &value, DEPTH, &mut Meter::new(104)), Err(Exhausted));
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-3_i64..3).prop_map(Value::from),
            (-3_i32..3).prop_map(|half| Value::from(f64::from(half) / 2.0)),
            prop_oneof![Just(""), Just("a"), Just("b")].prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                proptest::collection::vec((prop_oneof![Just("a"), Just("b"), Just("c")], inner), 0..3)
                    .prop_map(|members| members
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value))
                        .collect()),
            ]
        })
    }

    /// One canonical text for each JSON value: obvious, and slow.
    fn canonical(value: &Value) -> String {
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => value.to_string(),
            Value::Number(number) => format!("{:?}", number.as_f64().map(|float| float + 0.0)),
            Value::Array(items) => format!("{:?}", items.iter().map(canonical).collect::<Vec<_>>()),
            Value::Object(members) => {
                let mut all: Vec<_> = members.iter().map(|(key, value)| (key, canonical(value))).collect();
                all.sort();
                format!("object{all:?}")
            }
        }
    }

    /// The same value, members the other way round and whole numbers as floats.
    fn respelled(value: &Value) -> Value {
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
            Value::Number(number) => Value::from(number.as_f64().unwrap()),
            Value::Array(items) => items.iter().map(respelled).collect(),
            Value::Object(members) => {
                let all: Vec<_> = members.iter().collect();
                all.into_iter()
                    .rev()
                    .map(|(key, value)| (key.clone(), respelled(value)))
                    .collect::<Map<_, _>>()
                    .into()
            }
        }
    }

    proptest! {
        #[test]
        fn equality_is_that_of_canonical_texts_and_hashes_agree(a in values(), b in values()) {
            let expected = canonical(&a) == canonical(&b);
            prop_assert_eq!(same(&a, &b), expected);
            prop_assert_eq!(hashes_alike(&a, &b), expected);
            let respelled = respelled(&a);
            prop_assert!(same(&a, &respelled) && hashes_alike(&a, &respelled));
        }
    }
}
