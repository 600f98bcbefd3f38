//! Properties of code points: binary searches in the tables.
//!
//! In: a code point. Out: its property; for one that may stand in no label, the default. Cost: logarithmic in a
//! table's constant length.

use super::tables;

/// The bidirectional class, as RFC 5893 tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bidi {
    LeftToRight,
    RightToLeft,
    ArabicLetter,
    ArabicNumber,
    EuropeanNumber,
    EuropeanSeparator,
    OtherNeutral,
    BoundaryNeutral,
    NonspacingMark,
}

/// The joining type, as far as RFC 5892, appendix A.1 asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joining {
    Left,
    Right,
    Dual,
    Transparent,
    None,
}

/// The script, as far as RFC 5892, appendix A asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Greek,
    Hebrew,
    /// Hiragana, Katakana or Han.
    Japanese,
    Other,
}

/// The combining class of a virama.
pub(super) const VIRAMA: u8 = 9;

/// Whether RFC 5892 derives PVALID.
pub(super) fn is_valid(point: char) -> bool {
    contains(tables::VALID, point)
}

/// Whether the general category is Mark.
pub(super) fn is_mark(point: char) -> bool {
    contains(tables::MARKS, point)
}

pub(super) fn combining_class(point: char) -> u8 {
    find(tables::COMBINING, point).unwrap_or(0)
}

pub(super) fn bidi(point: char) -> Bidi {
    find(tables::BIDI, point).unwrap_or(Bidi::LeftToRight)
}

pub(super) fn joining(point: char) -> Joining {
    find(tables::JOINING, point).unwrap_or(Joining::None)
}

pub(super) fn script(point: char) -> Script {
    find(tables::SCRIPTS, point).unwrap_or(Script::Other)
}

/// Whether Normalization Form C writes the two as one.
pub(super) fn compose(first: char, second: char) -> bool {
    tables::COMPOSITIONS.binary_search(&(u32::from(first), u32::from(second))).is_ok()
}

fn contains(table: &[(u32, u32)], point: char) -> bool {
    let point = u32::from(point);
    let above = table.partition_point(|&(first, _)| first <= point);
    above.checked_sub(1).and_then(|place| table.get(place)).is_some_and(|&(_, last)| point <= last)
}

fn find<T: Copy>(table: &[(u32, u32, T)], point: char) -> Option<T> {
    let point = u32::from(point);
    let above = table.partition_point(|&(first, ..)| first <= point);
    let &(_, last, value) = above.checked_sub(1).and_then(|place| table.get(place))?;
    (point <= last).then_some(value)
}
