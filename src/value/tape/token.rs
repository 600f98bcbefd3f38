//! One token of the tape: a value, or the key of a member.
//!
//! In: what the reader found. Out: sixteen bytes, and what they stand for. Size is constant; positions are 32 bits
//! wide, which [`crate::limits::INSTANCE_BYTES_CEILING`] makes enough.

use crate::value::Kind;

/// Stands for no token and no place.
pub(super) const NONE: u32 = u32::MAX;

/// A token. A container's children follow it, a member's key right before its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What the value is; of a key, a string.
    pub(super) kind: Kind,
    flags: u8,
    /// Nothing: so that all of a token is written at once.
    _spare: u16,
    /// Where it begins: in the input, or among the decoded texts. Of a container: the token after its last child, and
    /// while it is being read, the container around it. Of a boolean: whether it is true.
    pub(super) place: u32,
    /// Length of a text, or number of a container's children.
    pub(super) length: u32,
    /// Hash of a key; where a container's index begins; high half of an integer, whose low half is `length`.
    pub(super) more: u32,
}

const _: () = assert!(size_of::<Token>() == 16, "a token is sixteen bytes");

/// The text has escapes and stands decoded among the decoded texts.
const DECODED: u8 = 1;
/// A later member has the same key.
const OVERRIDDEN: u8 = 2;
/// The integer is below zero.
const NEGATIVE: u8 = 4;

impl Token {
    /// A value without text.
    pub(super) const NULL: Token =
        Token { kind: Kind::Null, flags: 0, _spare: 0, place: 0, length: 0, more: NONE };

    pub(super) fn boolean(is_true: bool) -> Self {
        Token { kind: Kind::Boolean, place: u32::from(is_true), ..Token::NULL }
    }

    /// An integer that fits 64 bits: `magnitude`, below zero if `negative`.
    #[inline(always)]
    pub(super) fn integer(place: u32, negative: bool, magnitude: u64) -> Self {
        // The cuts keep the two halves.
        let (length, more) = (magnitude as u32, (magnitude >> 32) as u32);
        Token {
            kind: Kind::Integer,
            flags: if negative { NEGATIVE } else { 0 },
            _spare: 0,
            place,
            length,
            more,
        }
    }

    /// Any other number, held as its text. It is known to be one, so it is of the kind of numbers that may be whole.
    #[inline(always)]
    pub(super) fn number(place: u32, length: u32) -> Self {
        Token { kind: Kind::Float, place, length, ..Token::NULL }
    }

    #[inline(always)]
    pub(super) fn string(place: u32, length: u32) -> Self {
        Token { kind: Kind::String, place, length, ..Token::NULL }
    }

    #[inline(always)]
    pub(super) fn key(place: u32, length: u32, hash: u32) -> Self {
        Token { kind: Kind::String, place, length, more: hash, ..Token::NULL }
    }

    /// The same text or key, among the decoded texts.
    pub(super) fn decoded(mut self) -> Self {
        self.flags |= DECODED;
        self
    }

    /// A container within `around`, still to be filled; or one that is empty, before the token that its place names.
    #[inline(always)]
    pub(super) fn container(kind: Kind, place: u32) -> Self {
        Token { kind, place, ..Token::NULL }
    }

    #[inline(always)]
    pub(super) fn is_true(self) -> bool {
        self.place != 0
    }

    #[inline(always)]
    pub(super) fn is_decoded(self) -> bool {
        self.flags & DECODED != 0
    }

    #[inline(always)]
    pub(super) fn is_overridden(self) -> bool {
        self.flags & OVERRIDDEN != 0
    }

    pub(super) fn override_it(&mut self) {
        self.flags |= OVERRIDDEN;
    }

    #[inline(always)]
    pub(super) fn is_negative(self) -> bool {
        self.flags & NEGATIVE != 0
    }

    /// The magnitude of an integer.
    #[inline(always)]
    pub(super) fn magnitude(self) -> u64 {
        u64::from(self.more) << 32 | u64::from(self.length)
    }

    /// The token after this one and all that is in it, where this one is at `at`.
    #[inline(always)]
    pub(super) fn after(self, at: u32) -> u32 {
        match self.kind {
            Kind::Array | Kind::Object => self.place,
            Kind::Null | Kind::Boolean | Kind::Float | Kind::String | Kind::Integer | Kind::Text => at + 1,
        }
    }
}
