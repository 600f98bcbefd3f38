//! `serde_json` as an instance.
//!
//! In: a borrowed `Value` or `Map`. Out: views of it; nothing is copied and nothing allocates.
//!
//! A map is a root of its own ([`Root`]), because a caller that holds a `Map` (rmcp hands one over) must not
//! have to clone it into a `Value`. The engine is compiled for both, so the plain `Value` pays nothing for it.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::{Array, Identity, Instance, Kind, Number, Object, View};

impl<'v> Instance<'v> for &'v Value {
    type Array = &'v [Value];
    type Object = &'v Map<String, Value>;

    #[inline]
    fn view(self) -> View<'v, Self> {
        match self {
            Value::Null => View::Null,
            Value::Bool(boolean) => View::Boolean(*boolean),
            Value::Number(number) => View::Number(Number::from_json(number)),
            Value::String(string) => View::String(string),
            Value::Array(items) => View::Array(items.as_slice()),
            Value::Object(members) => View::Object(members),
        }
    }

    #[inline]
    fn kind(self) -> Kind {
        match self {
            Value::Number(number) => Number::kind_of(number),
            _ => self.glance(),
        }
    }

    #[inline(always)]
    fn glance(self) -> Kind {
        match self {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(_) => Kind::Float,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    #[inline]
    fn held_integer(self) -> Option<i64> {
        match self {
            Value::Number(number) if self.kind() == Kind::Integer => number.as_i64(),
            _ => None,
        }
    }

    #[inline]
    fn identity(self) -> Identity {
        /// Values lie so far apart, as a power of two: what neighbours have in common is left out.
        const APART: u32 = size_of::<Value>().ilog2();
        Identity(std::ptr::from_ref(self).addr() >> APART)
    }

    #[inline]
    fn to_value(self) -> Option<Cow<'v, Value>> {
        Some(Cow::Borrowed(self))
    }
}

impl<'v> Array<'v> for &'v [Value] {
    type Item = &'v Value;

    #[inline]
    fn len(self) -> usize {
        <[Value]>::len(self)
    }
    #[inline]
    fn get(self, index: usize) -> Option<&'v Value> {
        <[Value]>::get(self, index)
    }
    #[inline]
    fn iter(self) -> impl Iterator<Item = &'v Value> {
        <[Value]>::iter(self)
    }
}

impl<'v> Object<'v> for &'v Map<String, Value> {
    type Value = &'v Value;

    #[inline]
    fn len(self) -> usize {
        Map::len(self)
    }
    #[inline]
    fn get(self, key: &str) -> Option<&'v Value> {
        Map::get(self, key)
    }
    #[inline]
    fn get_entry(self, key: &str) -> Option<(&'v str, &'v Value)> {
        Map::get_key_value(self, key).map(|(key, value)| (key.as_str(), value))
    }
    #[inline]
    fn iter(self) -> impl Iterator<Item = (&'v str, &'v Value)> {
        Map::iter(self).map(|(key, value)| (key.as_str(), value))
    }
    #[inline]
    fn last_in_order(self) -> Option<&'v str> {
        if *KEEPS_ORDER { self.keys().next_back().map(String::as_str) } else { None }
    }
}

/// Whether a map's members come in the order of their keys, which a feature of `serde_json` decides that any crate of a
/// program may turn on.
static KEEPS_ORDER: LazyLock<bool> = LazyLock::new(|| {
    let map: Map<String, Value> = ["b", "a"].map(|key| (key.to_owned(), Value::Null)).into_iter().collect();
    map.keys().is_sorted()
});

/// An instance whose root may be a bare map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Root<'v> {
    /// The root itself, when a caller handed over a map.
    Map(&'v Map<String, Value>),
    /// Everything below it.
    Value(&'v Value),
}

impl<'v> Instance<'v> for Root<'v> {
    type Array = RootItems<'v>;
    type Object = RootMembers<'v>;

    #[inline]
    fn view(self) -> View<'v, Self> {
        let value = match self {
            Root::Map(members) => return View::Object(RootMembers(members)),
            Root::Value(value) => value,
        };
        match value.view() {
            View::Null => View::Null,
            View::Boolean(boolean) => View::Boolean(boolean),
            View::Number(number) => View::Number(number),
            View::String(string) => View::String(string),
            View::Array(items) => View::Array(RootItems(items)),
            View::Object(members) => View::Object(RootMembers(members)),
        }
    }

    #[inline]
    fn kind(self) -> Kind {
        match self {
            Root::Map(_) => Kind::Object,
            Root::Value(value) => value.kind(),
        }
    }

    #[inline]
    fn glance(self) -> Kind {
        match self {
            Root::Map(_) => Kind::Object,
            Root::Value(value) => value.glance(),
        }
    }

    #[inline]
    fn held_integer(self) -> Option<i64> {
        match self {
            Root::Map(_) => None,
            Root::Value(value) => value.held_integer(),
        }
    }

    #[inline]
    fn identity(self) -> Identity {
        match self {
            // It is no value itself, and none lies there.
            Root::Map(_) => Identity(0),
            Root::Value(value) => value.identity(),
        }
    }

    fn to_value(self) -> Option<Cow<'v, Value>> {
        Some(match self {
            Root::Map(members) => Cow::Owned(Value::Object(members.clone())),
            Root::Value(value) => Cow::Borrowed(value),
        })
    }
}

/// The items of an array below a [`Root`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootItems<'v>(&'v [Value]);

impl<'v> Array<'v> for RootItems<'v> {
    type Item = Root<'v>;

    #[inline]
    fn len(self) -> usize {
        self.0.len()
    }
    #[inline]
    fn get(self, index: usize) -> Option<Root<'v>> {
        self.0.get(index).map(Root::Value)
    }
    #[inline]
    fn iter(self) -> impl Iterator<Item = Root<'v>> {
        self.0.iter().map(Root::Value)
    }
}

/// The members of an object at or below a [`Root`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootMembers<'v>(&'v Map<String, Value>);

impl<'v> Object<'v> for RootMembers<'v> {
    type Value = Root<'v>;

    #[inline]
    fn len(self) -> usize {
        self.0.len()
    }
    #[inline]
    fn get(self, key: &str) -> Option<Root<'v>> {
        self.0.get(key).map(Root::Value)
    }
    #[inline]
    fn get_entry(self, key: &str) -> Option<(&'v str, Root<'v>)> {
        Object::get_entry(self.0, key).map(|(key, value)| (key, Root::Value(value)))
    }
    #[inline]
    fn iter(self) -> impl Iterator<Item = (&'v str, Root<'v>)> {
        Object::iter(self.0).map(|(key, value)| (key, Root::Value(value)))
    }
    #[inline]
    fn last_in_order(self) -> Option<&'v str> {
        self.0.last_in_order()
    }
}
