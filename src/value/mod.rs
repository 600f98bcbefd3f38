//! The instance: the JSON value under test, behind one trait.
//!
//! In: a `serde_json::Value`, a map, or a tape built straight from bytes. Out: a [`View`] of one value
//! at a time, its children, and an [`Identity`] that tells two places of one instance apart.
//!
//! The engine is generic over [`Instance`] and compiled once per input, never written twice. Nothing here
//! allocates or recurses; what walks a whole value ([`equality`], [`depth`]) bounds its own depth.

use std::borrow::Cow;

use serde_json::Value;

pub(crate) mod cast;
mod decimal;
pub(crate) mod depth;
mod digits;
mod division;
pub(crate) mod ends;
pub(crate) mod equality;
pub(crate) mod json;
pub(crate) mod mixing;
pub(crate) mod number;
mod short;
pub(crate) mod table;
pub(crate) mod tape;
pub(crate) mod types;
pub(crate) mod unique;

pub(crate) use number::Number;
pub(crate) use types::{Kind, Kinds, Type, Types};

/// Where one value of an instance lies: distinct places have distinct identities for as long as the instance
/// is borrowed. An address, in the size of a value, for `serde_json::Value`, an index for the tape; never a key's address.
/// Neighbours have neighbouring identities, as a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Identity(pub(crate) usize);

/// One value of an instance, opened one level deep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'v, I: Instance<'v>> {
    Null,
    Boolean(bool),
    Number(Number<'v>),
    String(&'v str),
    Array(I::Array),
    Object(I::Object),
}

/// One value of an instance: a cheap, copyable handle.
pub(crate) trait Instance<'v>: Copy {
    /// The handle of an array.
    type Array: Array<'v, Item = Self>;
    /// The handle of an object.
    type Object: Object<'v, Value = Self>;

    /// Opens the value one level deep. Constant time.
    fn view(self) -> View<'v, Self>;

    /// What a glance tells of the value. Constant time.
    fn kind(self) -> Kind;

    /// The same at less cost: any number may be taken for a float.
    #[inline]
    fn glance(self) -> Kind {
        self.kind()
    }

    /// The integer that a value is held as; nothing where it is held as anything else. Constant time.
    fn held_integer(self) -> Option<i64>;

    /// Tells this place from every other place of the instance.
    fn identity(self) -> Identity;

    /// The value as a caller's own keyword is handed it. Linear in the value where the instance holds it otherwise
    /// and has to copy it, which recurses: ask only of what is proven shallow. Nothing where a number is none that
    /// `serde_json` can hold.
    fn to_value(self) -> Option<Cow<'v, Value>>;
}

/// An array of an instance.
pub(crate) trait Array<'v>: Copy {
    /// The handle of an item.
    type Item: Instance<'v>;

    /// How many items.
    fn len(self) -> usize;
    /// The item at `index`.
    fn get(self, index: usize) -> Option<Self::Item>;
    /// All items in order.
    fn iter(self) -> impl Iterator<Item = Self::Item>;
}

/// An object of an instance. Keys are unique.
pub(crate) trait Object<'v>: Copy {
    /// The handle of a member's value.
    type Value: Instance<'v>;

    /// How many members.
    fn len(self) -> usize;
    /// The value of the member named `key`.
    fn get(self, key: &str) -> Option<Self::Value>;
    /// The member named `key`, its key as the input holds it.
    fn get_entry(self, key: &str) -> Option<(&'v str, Self::Value)>;
    /// All members, in the order that the input keeps.
    fn iter(self) -> impl Iterator<Item = (&'v str, Self::Value)>;

    /// The last key where the members come in the order of their keys' bytes; nothing where they need not, or there are
    /// none.
    fn last_in_order(self) -> Option<&'v str>;

    /// The same, a key as its bytes: for a look-up, which asks for no text.
    #[inline(always)]
    fn iter_bytes(self) -> impl Iterator<Item = (&'v [u8], Self::Value)> {
        self.iter().map(|(key, value)| (key.as_bytes(), value))
    }
}
