//! A key as an instance: what `propertyNames` judges.
//!
//! In: a key's text. Out: an instance that is always a string, so that the engine needs no second string walk.

use std::borrow::Cow;

use serde_json::Value;

use crate::value::{Array, Identity, Instance, Kind, Object, View};

/// A key under judgement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'v> {
    pub(crate) text: &'v str,
    pub(crate) identity: Identity,
}

/// The container that a key never is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NoContainer {}

impl<'v> Instance<'v> for Key<'v> {
    type Array = NoContainer;
    type Object = NoContainer;

    #[inline]
    fn view(self) -> View<'v, Self> {
        View::String(self.text)
    }

    #[inline]
    fn kind(self) -> Kind {
        Kind::String
    }

    #[inline]
    fn held_integer(self) -> Option<i64> {
        None
    }

    #[inline]
    fn identity(self) -> Identity {
        self.identity
    }

    fn to_value(self) -> Option<Cow<'v, Value>> {
        Some(Cow::Owned(Value::String(self.text.to_owned())))
    }
}

impl<'v> Array<'v> for NoContainer {
    type Item = Key<'v>;

    fn len(self) -> usize {
        match self {}
    }
    fn get(self, _: usize) -> Option<Key<'v>> {
        match self {}
    }
    fn iter(self) -> impl Iterator<Item = Key<'v>> {
        std::iter::empty()
    }
}

impl<'v> Object<'v> for NoContainer {
    type Value = Key<'v>;

    fn len(self) -> usize {
        match self {}
    }
    fn get(self, _: &str) -> Option<Key<'v>> {
        match self {}
    }
    fn get_entry(self, _: &str) -> Option<(&'v str, Key<'v>)> {
        match self {}
    }
    fn iter(self) -> impl Iterator<Item = (&'v str, Key<'v>)> {
        std::iter::empty()
    }
    fn last_in_order(self) -> Option<&'v str> {
        match self {}
    }
}
