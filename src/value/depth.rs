//! Depth without recursion: how deep a value is, and how to drop one that is too deep to drop.
//!
//! In: a `serde_json::Value` of any depth, borrowed or owned. Out: whether it exceeds a number of levels; or
//! nothing, the value taken apart. Dropping a `Value` recurses, so one nested 20,000 deep overflows a 2 MiB
//! stack by itself; nothing here does.
//!
//! A value takes one level and its children the next: `1` and `[]` have one level, `[1]` has two. Time is linear in
//! the value (a value found too deep is read only so far); memory grows with the depth, on the heap, and
//! [`exceeds`] stops at the levels it was given.

use serde_json::{Value, map};

/// Whether `value` has more than `levels` levels.
pub(crate) fn exceeds(value: &Value, levels: usize) -> bool {
    match Children::of(value) {
        Some(children) => children_exceed(children, levels),
        None => levels == 0,
    }
}

fn children_exceed(root: Children<'_>, levels: usize) -> bool {
    if levels == 0 {
        return true;
    }
    // One entry for each container entered and not yet left.
    let mut open = vec![root];
    while let Some(children) = open.last_mut() {
        let Some(child) = children.next() else {
            open.pop();
            continue;
        };
        // The child's level is one below the innermost open container, whose level is `open.len()`.
        if open.len() >= levels {
            return true;
        }
        if let Some(children) = Children::of(child) {
            open.push(children);
        }
    }
    false
}

/// The children of a container that are still to be visited.
enum Children<'v> {
    Items(std::slice::Iter<'v, Value>),
    Members(map::Values<'v>),
}

impl<'v> Children<'v> {
    fn of(value: &'v Value) -> Option<Self> {
        match value {
            Value::Array(items) => Some(Children::Items(items.iter())),
            Value::Object(members) => Some(Children::Members(members.values())),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }
}

impl<'v> Iterator for Children<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Children::Items(items) => items.next(),
            Children::Members(members) => members.next(),
        }
    }
}

/// Drops `value`, whatever its depth.
pub(crate) fn dismantle(value: Value) {
    let Some(root) = OwnedChildren::of(value) else { return };
    let mut open = vec![root];
    while let Some(mut children) = open.pop() {
        while let Some(child) = children.next() {
            if let Some(grandchildren) = OwnedChildren::of(child) {
                // A container whose last child this is need not wait: a chain of any length takes one entry.
                if !children.is_empty() {
                    open.push(children);
                }
                children = grandchildren;
            }
        }
    }
}

/// The children of a container that are still to be dropped. They are shallow by the time it is empty.
enum OwnedChildren {
    Items(std::vec::IntoIter<Value>),
    Members(map::IntoIter),
}

impl OwnedChildren {
    fn of(value: Value) -> Option<Self> {
        match value {
            Value::Array(items) => Some(OwnedChildren::Items(items.into_iter())),
            Value::Object(members) => Some(OwnedChildren::Members(members.into_iter())),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            OwnedChildren::Items(items) => items.len() == 0,
            OwnedChildren::Members(members) => members.len() == 0,
        }
    }
}

impl Iterator for OwnedChildren {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            OwnedChildren::Items(items) => items.next(),
            OwnedChildren::Members(members) => members.next().map(|(_, value)| value),
        }
    }
}

/// A value that we own and have not proven shallow. It can be looked at and dropped, and nothing else: `Clone`,
/// `Debug`, `==` and serialisation recurse, so it has none of them.
pub(crate) struct Owned {
    value: Value,
}

/// The value was deeper than it may be, and is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;

impl Owned {
    pub(crate) fn new(value: Value) -> Self {
        Owned { value }
    }

    pub(crate) fn as_value(&self) -> &Value {
        &self.value
    }

    pub(crate) fn as_value_mut(&mut self) -> &mut Value {
        &mut self.value
    }

    /// Hands the value out, whatever its depth: it is its new owner's to drop.
    pub(crate) fn into_inner(mut self) -> Value {
        self.value.take()
    }

    /// Hands the value out if it has at most `levels` levels, and takes it apart if it has more.
    pub(crate) fn into_shallow(mut self, levels: usize) -> Result<Value, TooDeep> {
        if exceeds(&self.value, levels) {
            return Err(TooDeep);
        }
        Ok(self.value.take())
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        dismantle(self.value.take());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    /// The stack of a thread in most servers.
    const STACK: usize = 2 << 20;

    fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
        std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
    }

    /// A chain of `levels`, arrays and objects in turn, with shallow brothers before and behind if `bushy`.
    fn nested(levels: usize, bushy: bool) -> Value {
        let mut value = json!(1);
        for level in 1..levels {
            value = if level % 2 == 0 {
                let mut members = Map::new();
                if bushy {
                    members.insert("a".to_owned(), json!([level]));
                    members.insert("z".to_owned(), json!("last"));
                }
                members.insert("m".to_owned(), value);
                Value::Object(members)
            } else if bushy {
                Value::Array(vec![json!({"a": level}), value, json!([null])])
            } else {
                Value::Array(vec![value])
            };
        }
        value
    }

    #[test]
    fn levels_are_counted_from_one() {
        for (value, levels) in [
            (json!(1), 1),
            (json!([]), 1),
            (json!({}), 1),
            (json!([1]), 2),
            (json!([[], {"a": [1]}, 2]), 4),
            (json!({"a": {"b": {}}, "c": 1}), 3),
        ] {
            assert!(exceeds(&value, levels - 1), "{value}");
            assert!(!exceeds(&value, levels), "{value}");
        }
    }

    #[test]
    fn a_million_levels_are_measured_and_dropped() {
        on_a_small_stack(|| {
            for (depth, bushy) in [(1_000_000, false), (100_000, true)] {
                let value = nested(depth, bushy);
                // The brothers' own children reach one level below the innermost value.
                let levels = depth + usize::from(bushy);
                assert!(exceeds(&value, levels - 1));
                assert!(!exceeds(&value, levels));
                dismantle(value);
            }
        });
    }

    #[test]
    fn an_owned_value_is_dropped_at_any_depth() {
        on_a_small_stack(|| {
            let owned = Owned::new(nested(100_000, true));
            assert!(owned.as_value().is_array());
            drop(owned);
        });
    }

    #[test]
    fn an_owned_value_is_handed_out_when_shallow() {
        on_a_small_stack(|| {
            let value = json!({"a": [1]});
            assert_eq!(Owned::new(value.clone()).into_shallow(3), Ok(value.clone()));
            assert_eq!(Owned::new(value).into_shallow(2), Err(TooDeep));
            assert_eq!(Owned::new(nested(1_000_000, false)).into_shallow(256), Err(TooDeep));
        });
    }
}
