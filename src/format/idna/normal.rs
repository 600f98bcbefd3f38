//! Normalization Form C, for code points that may stand in a label.
//!
//! In: a label of such code points. Out: whether the form would leave it as it is. Cost: one pass with a few
//! look-ups a code point; a code point has at most three marks inside.
//!
//! The form takes a text apart, sorts the marks behind each letter, and puts together what composes. RFC 5892
//! admits no code point that comes back as another one, so only two things can be amiss: marks out of order,
//! and something that composes with the letter before it, or with what is left of that letter once its own
//! marks of a higher class have made way.

use super::properties::{combining_class, compose, parts};

pub(super) fn is_composed(label: &[char]) -> bool {
    let mut starter = None;
    let mut last_class = 0;
    for &point in label {
        let class = combining_class(point);
        if class != 0 && class < last_class {
            return false;
        }
        // A mark stands in the way of its own class, a starter in the way of all.
        let is_reached = last_class == 0 || last_class < class;
        // What the point begins with when taken apart meets the letter first.
        let mut beginnings =
            std::iter::successors(Some(point), |&whole| parts(whole).map(|(first, _)| first));
        if is_reached
            && starter.is_some_and(|letter| beginnings.any(|first| composes_within(letter, first, class)))
        {
            return false;
        }
        if class == 0 {
            starter = Some(point);
        }
        last_class = class;
    }
    true
}

/// Whether a mark composes with a letter, or with that letter less some of its own marks.
fn composes_within(letter: char, mark: char, class: u8) -> bool {
    let mut letter = letter;
    loop {
        if compose(letter, mark) {
            return true;
        }
        match parts(letter) {
            Some((first, second)) if combining_class(second) > class => letter = first,
            Some(_) | None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_form_leaves_alone() {
        for (text, expected) in [
            ("é", true),
            ("e\u{301}", false),
            // Below (220) goes before above (230).
            ("x\u{323}\u{301}", true),
            ("x\u{301}\u{323}", false),
            // A mark of the same class stands in the way, one of a lower class does not.
            ("x\u{300}\u{301}", true),
            ("e\u{316}\u{301}", false),
            // The dot below takes the letter from its tilde.
            ("ñ\u{323}", false),
            ("ṇ\u{303}", true),
            ("ñ\u{316}", true),
            // Two levels deep: e, circumflex, acute.
            ("ế\u{323}", false),
            // Letters that compose with letters.
            ("\u{16D67}\u{16D67}", false),
            ("\u{16D67}\u{16D68}", false),
            ("\u{16D68}\u{16D67}", true),
            ("", true),
        ] {
            let label: Vec<char> = text.chars().collect();
            assert_eq!(is_composed(&label), expected, "{text:?}");
        }
    }
}
