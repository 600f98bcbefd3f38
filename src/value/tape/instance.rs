//! The tape as an instance of the engine.
//!
//! In: a document. Out: views of its values, found by their tokens' places. Constant time but for members by name: those
//! of a small object are looked through ([`keys::SOME`]), those of a large one searched by halves; and for items by
//! index, where a few arrays and objects have to be stepped over ([`lex::FEW`]).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::Value;

use super::build::to_value;
use super::token::{NONE, Token};
use super::{Document, keys, lex};
use crate::value::{Array, Identity, Instance, Kind, Number, Object, View};

/// A value of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeValue<'v> {
    document: &'v Document<'v>,
    at: u32,
}

/// An array of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeItems<'v>(TapeValue<'v>);

/// An object of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeMembers<'v>(TapeValue<'v>);

impl<'v> TapeValue<'v> {
    pub(super) fn new(document: &'v Document<'v>, at: u32) -> Self {
        TapeValue { document, at }
    }

    #[inline(always)]
    pub(super) fn token(self) -> Token {
        self.document.token(self.at)
    }

    #[inline(always)]
    fn sibling(self, at: u32) -> Self {
        TapeValue { document: self.document, at }
    }

    /// The text of a number that is held so.
    pub(super) fn number_text(self) -> &'v str {
        self.document.number(self.token())
    }
}

impl<'v> Instance<'v> for TapeValue<'v> {
    type Array = TapeItems<'v>;
    type Object = TapeMembers<'v>;

    #[inline(always)]
    fn view(self) -> View<'v, Self> {
        let token = self.token();
        match token.kind {
            Kind::Null => View::Null,
            Kind::Boolean => View::Boolean(token.is_true()),
            Kind::Integer => View::Number(integer(token)),
            // The reader has proven it a number.
            Kind::Float | Kind::Text => View::Number(Number::Text(self.document.number(token))),
            Kind::String => View::String(self.document.text(token)),
            Kind::Array => View::Array(TapeItems(self)),
            Kind::Object => View::Object(TapeMembers(self)),
        }
    }

    #[inline(always)]
    fn kind(self) -> Kind {
        self.token().kind
    }

    #[inline]
    fn held_integer(self) -> Option<i64> {
        let token = self.token();
        if token.kind != Kind::Integer {
            return None;
        }
        match integer(token) {
            Number::Unsigned(unsigned) => i64::try_from(unsigned).ok(),
            Number::Negative(negative) => Some(negative),
            Number::Float(_) | Number::Text(_) | Number::Foreign(_) | Number::Malformed => None,
        }
    }

    #[inline(always)]
    fn identity(self) -> Identity {
        Identity(self.at as usize)
    }

    fn to_value(self) -> Option<Cow<'v, Value>> {
        to_value(self, &HashSet::new()).ok().map(Cow::Owned)
    }
}

#[inline(always)]
fn integer<'v>(token: Token) -> Number<'v> {
    let magnitude = token.magnitude();
    if token.is_negative() {
        // The reader has held as integers those alone that fit.
        Number::Negative(0_i64.wrapping_sub_unsigned(magnitude))
    } else {
        Number::Unsigned(magnitude)
    }
}

impl<'v> Array<'v> for TapeItems<'v> {
    type Item = TapeValue<'v>;

    #[inline(always)]
    fn len(self) -> usize {
        self.0.token().length as usize
    }

    fn get(self, index: usize) -> Option<TapeValue<'v>> {
        let token = self.0.token();
        if index >= token.length as usize {
            return None;
        }
        // The cut is none: it is below the length.
        let wanted = index as u32;
        let first = self.0.at + 1;
        let at = if token.place - first == token.length {
            first + wanted
        } else if token.more != NONE {
            *self.0.document.index.get(token.more as usize + index)?
        } else {
            debug_assert!(token.length <= lex::FEW, "a long array has an index");
            (0..wanted).fold(first, |at, _| self.0.document.token(at).after(at))
        };
        Some(self.0.sibling(at))
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = TapeValue<'v>> {
        Items { next: self.0.sibling(self.0.at + 1), left: self.0.token().length }
    }
}

/// The items that are still to be visited.
struct Items<'v> {
    next: TapeValue<'v>,
    left: u32,
}

impl<'v> Iterator for Items<'v> {
    type Item = TapeValue<'v>;

    #[inline(always)]
    fn next(&mut self) -> Option<TapeValue<'v>> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = item.sibling(item.token().after(item.at));
        Some(item)
    }
}

impl<'v> Object<'v> for TapeMembers<'v> {
    type Value = TapeValue<'v>;

    #[inline(always)]
    fn len(self) -> usize {
        self.0.token().length as usize
    }

    #[inline]
    fn get(self, key: &str) -> Option<TapeValue<'v>> {
        self.find(key).map(|at| self.0.sibling(at + 1))
    }

    fn get_entry(self, key: &str) -> Option<(&'v str, TapeValue<'v>)> {
        let document = self.0.document;
        self.find(key).map(|at| (document.text(document.token(at)), self.0.sibling(at + 1)))
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = (&'v str, TapeValue<'v>)> {
        let document = self.0.document;
        self.keys().map(move |at| (document.text(document.token(at)), self.0.sibling(at + 1)))
    }

    #[inline(always)]
    fn iter_bytes(self) -> impl Iterator<Item = (&'v [u8], TapeValue<'v>)> {
        let document = self.0.document;
        self.keys().map(move |at| (document.bytes(document.token(at)), self.0.sibling(at + 1)))
    }
}

impl<'v> TapeMembers<'v> {
    /// The places of the keys that no later member has too.
    #[inline(always)]
    fn keys(self) -> Keys<'v> {
        Keys { document: self.0.document, next: self.0.at + 1, left: self.0.token().length }
    }

    /// The place of a key.
    fn find(self, key: &str) -> Option<u32> {
        let document = self.0.document;
        let token = self.0.token();
        let hash = keys::hash_of(key.as_bytes());
        if token.more == NONE {
            let is_it = |name: Token| name.more == hash && document.bytes(name) == key.as_bytes();
            return self.keys().find(|at| is_it(document.token(*at)));
        }
        let begin = token.more as usize;
        let places = document.index.get(begin..begin + token.length as usize)?;
        let order = |at: &u32| -> Ordering {
            let name = document.token(*at);
            name.more.cmp(&hash).then_with(|| document.bytes(name).cmp(key.as_bytes()))
        };
        places.binary_search_by(order).ok().and_then(|found| places.get(found)).copied()
    }
}

/// The members that are still to be visited.
struct Keys<'v> {
    document: &'v Document<'v>,
    next: u32,
    left: u32,
}

impl Iterator for Keys<'_> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let at = self.next;
            self.next = self.document.token(at + 1).after(at + 1);
            // The last of equal keys is not overridden, so as many follow as are left.
            if !self.document.token(at).is_overridden() {
                return Some(at);
            }
        }
    }
}
