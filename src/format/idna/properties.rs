//! Properties of code points: binary searches in the tables.
//!
//! In: a code point. Out: its property; for one that may stand in no label, the default. Cost: logarithmic in
//! a table's constant length.

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

/// What Normalization Form D writes the code point as: a first part, which may have parts itself, and a
/// second.
pub(super) fn parts(whole: char) -> Option<(char, char)> {
    let place = tables::DECOMPOSITIONS.binary_search_by_key(&u32::from(whole), |&(whole, ..)| whole).ok()?;
    let &(_, first, second) = tables::DECOMPOSITIONS.get(place)?;
    Some((char::from_u32(first)?, char::from_u32(second)?))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges that a binary search can find: each after the one before it.
    fn are_sorted(ranges: impl Iterator<Item = (u32, u32)>) -> bool {
        let mut next = 0;
        for (first, last) in ranges {
            if first < next || last < first {
                return false;
            }
            next = last + 1;
        }
        true
    }

    #[test]
    fn tables_are_sorted() {
        assert!(are_sorted(tables::VALID.iter().copied()));
        assert!(are_sorted(tables::MARKS.iter().copied()));
        assert!(are_sorted(tables::COMBINING.iter().map(|&(first, last, _)| (first, last))));
        assert!(are_sorted(tables::BIDI.iter().map(|&(first, last, _)| (first, last))));
        assert!(are_sorted(tables::JOINING.iter().map(|&(first, last, _)| (first, last))));
        assert!(are_sorted(tables::SCRIPTS.iter().map(|&(first, last, _)| (first, last))));
        assert!(are_sorted(tables::DECOMPOSITIONS.iter().map(|&(whole, ..)| (whole, whole))));
        assert!(tables::COMPOSITIONS.is_sorted_by(|one, other| one < other));
    }

    /// The regex crate carries tables of its own; where both know a property they must agree.
    #[test]
    fn tables_agree_with_those_of_regex() {
        let set = |class: &str| regex::Regex::new(&format!("^{class}$")).unwrap();
        // Cherokee's capitals are what its small letters fold to; the last four are exceptions.
        let letter_digit = set(concat!(
            r"[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\-\u{13A0}-\u{13F5}",
            r"\u{6FD}\u{6FE}\u{F0B}\u{3007}]"
        ));
        let mark = set(r"\p{M}");
        let scripts = [
            (set(r"\p{Greek}"), Script::Greek),
            (set(r"\p{Hebrew}"), Script::Hebrew),
            (set(r"[\p{Hiragana}\p{Katakana}\p{Han}]"), Script::Japanese),
        ];
        let mut buffer = [0; 4];
        let mut valid = 0;
        for point in (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|&point| is_valid(point)) {
            valid += 1;
            let text = &*point.encode_utf8(&mut buffer);
            assert!(letter_digit.is_match(text), "{point:?}");
            assert_eq!(is_mark(point), mark.is_match(text), "{point:?}");
            for (set, wanted) in &scripts {
                assert_eq!(script(point) == *wanted, set.is_match(text), "{point:?}");
            }
        }
        assert!(valid > 100_000, "only {valid}");
    }
}
