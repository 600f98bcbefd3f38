//! The tests that make code points a U-label: RFC 5891, sections 4.2 and 5.4.
//!
//! In: a label's code points. Out: its direction of writing, or `None` if it is no U-label. Cost: a
//! contextual rule may look at the whole label for one code point: quadratic in a label, which is short.

use super::Form;
use super::normal;
use super::properties::{
    Bidi, Joining, Script, VIRAMA, bidi, combining_class, is_mark, is_valid, joining, script,
};

/// Judges a label that is to have a code point beyond ASCII.
pub(super) fn judge(label: &[char], form: Form) -> Option<Direction> {
    let is_label = label.iter().any(|point| !point.is_ascii())
        && has_hyphens_inside(label)
        && !label.first().is_some_and(|&point| is_mark(point))
        && (0..label.len()).all(|place| is_allowed(label, place))
        && match form {
            Form::Composed => normal::is_composed(label),
            Form::Any => true,
        };
    let direction = Direction::of(label.iter().copied());
    (is_label && direction.is_valid()).then_some(direction)
}

/// RFC 5891, section 4.2.3.1.
fn has_hyphens_inside(label: &[char]) -> bool {
    label.first() != Some(&'-') && label.last() != Some(&'-') && label.get(2..4) != Some(&['-', '-'])
}

/// RFC 5892: PVALID, or the rule of its appendix A holds.
fn is_allowed(label: &[char], place: usize) -> bool {
    let Some((before, [point, after @ ..])) = label.split_at_checked(place) else { return false };
    match point {
        // A.1, zero width non-joiner; A.2, zero width joiner.
        '\u{200C}' => follows_virama(before) || breaks_join(before, after),
        '\u{200D}' => follows_virama(before),
        // A.3, middle dot: between two l.
        '\u{B7}' => before.last() == Some(&'l') && after.first() == Some(&'l'),
        // A.4, Greek keraia.
        '\u{375}' => after.first().is_some_and(|&next| script(next) == Script::Greek),
        // A.5 and A.6, Hebrew geresh and gershayim.
        '\u{5F3}' | '\u{5F4}' => before.last().is_some_and(|&last| script(last) == Script::Hebrew),
        // A.7, Katakana middle dot.
        '\u{30FB}' => label.iter().any(|&other| script(other) == Script::Japanese),
        // A.8 and A.9, Arabic-Indic digits and extended ones: never both.
        '\u{660}'..='\u{669}' => !label.iter().any(|other| matches!(other, '\u{6F0}'..='\u{6F9}')),
        '\u{6F0}'..='\u{6F9}' => !label.iter().any(|other| matches!(other, '\u{660}'..='\u{669}')),
        _ => is_valid(*point),
    }
}

fn follows_virama(before: &[char]) -> bool {
    before.last().is_some_and(|&last| combining_class(last) == VIRAMA)
}

/// Whether letters on both sides would join, transparent marks aside.
fn breaks_join(before: &[char], after: &[char]) -> bool {
    let opaque = |joining: &Joining| *joining != Joining::Transparent;
    let last = before.iter().rev().map(|&point| joining(point)).find(opaque);
    let next = after.iter().map(|&point| joining(point)).find(opaque);
    matches!(last, Some(Joining::Left | Joining::Dual))
        && matches!(next, Some(Joining::Right | Joining::Dual))
}

/// What RFC 5893, section 2, asks of a label, or of a whole name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// Whether a code point is written from right to left: then the rule is in force for all labels of the
    /// name.
    is_bidirectional: bool,
    /// Whether the rule would hold.
    holds: bool,
}

impl Default for Direction {
    /// A name without labels.
    fn default() -> Self {
        Direction { is_bidirectional: false, holds: true }
    }
}

impl Direction {
    /// One label's.
    pub(super) fn of(label: impl Iterator<Item = char> + Clone) -> Direction {
        let classes = label.map(bidi);
        let is_bidirectional = classes
            .clone()
            .any(|class| matches!(class, Bidi::RightToLeft | Bidi::ArabicLetter | Bidi::ArabicNumber));
        Direction { is_bidirectional, holds: holds(classes) }
    }

    pub(super) fn and(self, other: Direction) -> Direction {
        Direction {
            is_bidirectional: self.is_bidirectional || other.is_bidirectional,
            holds: self.holds && other.holds,
        }
    }

    pub(super) fn is_valid(self) -> bool {
        self.holds || !self.is_bidirectional
    }
}

/// The six conditions.
fn holds(classes: impl Iterator<Item = Bidi> + Clone) -> bool {
    let has = |wanted: Bidi| classes.clone().any(|class| class == wanted);
    // What the label ends with, trailing marks aside.
    let last = classes.clone().filter(|class| *class != Bidi::NonspacingMark).last();
    match classes.clone().next() {
        Some(Bidi::RightToLeft | Bidi::ArabicLetter) => {
            let mixes_numbers = has(Bidi::EuropeanNumber) && has(Bidi::ArabicNumber);
            !has(Bidi::LeftToRight)
                && !mixes_numbers
                && matches!(
                    last,
                    Some(Bidi::RightToLeft | Bidi::ArabicLetter | Bidi::EuropeanNumber | Bidi::ArabicNumber)
                )
        }
        Some(Bidi::LeftToRight) => {
            !has(Bidi::RightToLeft)
                && !has(Bidi::ArabicLetter)
                && !has(Bidi::ArabicNumber)
                && matches!(last, Some(Bidi::LeftToRight | Bidi::EuropeanNumber))
        }
        Some(_) | None => false,
    }
}
