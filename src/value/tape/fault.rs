//! Why bytes are not read: what, and at which byte.
//!
//! In: what the reader met. Out: words, and the place as line and column. Constant size; line and column are counted when
//! they are asked for, in time linear in the bytes before them.

use std::fmt;

/// Why a reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// In bytes, from 0.
    pub(crate) offset: usize,
    pub(crate) what: What,
}

/// What a reading stopped on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The bytes are no JSON.
    Syntax(Syntax),
    /// They may be, but hold more than they may.
    Limit(Excess),
    /// Two members of an object have one key; the later begins at the offset.
    DuplicateKey,
    /// The number is none that `serde_json::Value` can hold.
    Unrepresentable,
}

/// What the grammar of RFC 8259 does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// The bytes end inside a value, or before one.
    End,
    Utf8,
    Value,
    Key,
    Colon,
    /// After an item.
    CommaOrBracket,
    /// After a member.
    CommaOrBrace,
    Digit,
    LeadingZero,
    Control,
    Escape,
    Surrogate,
    Trailing,
    ByteOrderMark,
}

/// Which limit was passed, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Bytes(usize),
    Depth(usize),
    Values(usize),
    Key(usize),
}

/// A reading has stopped; why, is noted where it is read. It fits a register beside a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

impl Fault {
    #[cold]
    pub(super) fn new(offset: usize, syntax: Syntax) -> Self {
        Fault { offset, what: What::Syntax(syntax) }
    }

    #[cold]
    pub(super) fn over(offset: usize, excess: Excess) -> Self {
        Fault { offset, what: What::Limit(excess) }
    }

    /// What is not `wanted` at a place: another byte, or the end.
    #[cold]
    pub(super) fn unexpected(bytes: &[u8], at: usize, wanted: Syntax) -> Self {
        Fault::new(at, if at < bytes.len() { wanted } else { Syntax::End })
    }

    /// Line and column of the place, both from 1, the column in bytes.
    pub(crate) fn line_and_column(&self, bytes: &[u8]) -> (usize, usize) {
        let before = bytes.get(..self.offset).unwrap_or(bytes);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        (line, self.offset - start + 1)
    }
}

impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Syntax::End => "it ends before the value does",
            Syntax::Utf8 => "the bytes are no UTF-8",
            Syntax::Value => "a value is expected",
            Syntax::Key => "a key in double quotes is expected",
            Syntax::Colon => "a colon is expected after the key",
            Syntax::CommaOrBracket => "a comma or ] is expected",
            Syntax::CommaOrBrace => "a comma or } is expected",
            Syntax::Digit => "a digit is expected",
            Syntax::LeadingZero => "a number must not begin with a zero",
            Syntax::Control => "a control character in a string must be escaped",
            Syntax::Escape => "no such escape is known",
            Syntax::Surrogate => "half a surrogate pair is no character",
            Syntax::Trailing => "nothing may follow the value",
            Syntax::ByteOrderMark => "a byte order mark must not open it",
        })
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excess::Bytes(most) => write!(f, "longer than {most} bytes"),
            Excess::Depth(most) => write!(f, "nested deeper than {most} levels"),
            Excess::Values(most) => write!(f, "more than {most} values and keys"),
            Excess::Key(most) => write!(f, "a key longer than {most} bytes"),
        }
    }
}
