//! Why a pattern is refused: a reason of our own, and where in the source it was met.
//!
//! In: a [`Reason`] from any step of the build. Out: one short sentence; it never quotes the pattern, so its
//! size does not depend on it.

use std::fmt;

/// A pattern that does not build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    reason: Reason,
    offset: Option<usize>,
}

impl PatternError {
    pub(super) fn new(reason: Reason, offset: Option<usize>) -> PatternError {
        PatternError { reason, offset }
    }

    /// Where in the source, in bytes, if the reason lies in one place.
    #[cfg(test)]
    pub(crate) fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Whether the pattern is in order and only a limit, ours or the caller's, refused it.
    pub(crate) fn is_limit(&self) -> bool {
        match self.reason {
            Reason::Long
            | Reason::Names
            | Reason::Deep
            | Reason::Large
            | Reason::Backtracking
            | Reason::NoTable => true,
            Reason::GroupOpen
            | Reason::GroupUnopened
            | Reason::GroupKind
            | Reason::ClassOpen
            | Reason::ClassOrder
            | Reason::ClassBound
            | Reason::NothingToRepeat
            | Reason::Bracket
            | Reason::RepeatOrder
            | Reason::Escape
            | Reason::EscapeEnd
            | Reason::CodePoint
            | Reason::Property
            | Reason::UnknownGroup
            | Reason::Name
            | Reason::DuplicateName => false,
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.text())?;
        match self.offset {
            Some(offset) => write!(f, " (at byte {offset})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PatternError {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Long,
    Names,
    Deep,
    Large,
    Backtracking,
    NoTable,
    GroupOpen,
    GroupUnopened,
    GroupKind,
    ClassOpen,
    ClassOrder,
    ClassBound,
    NothingToRepeat,
    Bracket,
    RepeatOrder,
    Escape,
    EscapeEnd,
    CodePoint,
    Property,
    UnknownGroup,
    Name,
    DuplicateName,
}

impl Reason {
    fn text(self) -> &'static str {
        match self {
            Reason::Long => "the pattern's text is longer than the limit",
            Reason::Names => "the pattern has more named groups, or more levels of them, than the limit",
            Reason::Deep => "groups are nested deeper than the limit",
            Reason::Large => "the compiled pattern is larger than the limit",
            Reason::Backtracking => "a back-reference needs backtracking, which the limits do not allow",
            Reason::NoTable => "the Unicode property is known, but not its code points",
            Reason::GroupOpen => "a group is not closed",
            Reason::GroupUnopened => "')' closes no group",
            Reason::GroupKind => "'(?' does not begin a group that ECMA-262 knows",
            Reason::ClassOpen => "a character class is not closed",
            Reason::ClassOrder => "a range in a character class ends before it begins",
            Reason::ClassBound => "a range in a character class is bounded by a set",
            Reason::NothingToRepeat => "a quantifier has nothing that it may repeat",
            Reason::Bracket => "'{', '}' or ']' must be escaped to stand for itself",
            Reason::RepeatOrder => "a quantifier's maximum is below its minimum",
            Reason::Escape => "ECMA-262 does not know this escape",
            Reason::EscapeEnd => "the pattern ends in a backslash",
            Reason::CodePoint => "the escape names no code point",
            Reason::Property => "ECMA-262 does not know this Unicode property",
            Reason::UnknownGroup => "a back-reference names no group",
            Reason::Name => "a group's name is no identifier in '<' and '>'",
            Reason::DuplicateName => "two groups have the same name",
        }
    }
}
