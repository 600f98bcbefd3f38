//! A text of pieces, made in one go: the machinery of formats takes longer than all else in a short sentence.
//!
//! In: texts and numbers that are bounded already. Out: one string, as long as they are together.

use crate::bound::push_number;

/// A piece of a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    Number(u64),
}

impl<'t> From<&'t str> for Piece<'t> {
    fn from(text: &'t str) -> Self {
        Piece::Text(text)
    }
}

impl From<u64> for Piece<'_> {
    fn from(number: u64) -> Self {
        Piece::Number(number)
    }
}

impl From<usize> for Piece<'_> {
    fn from(number: usize) -> Self {
        Piece::Number(number as u64)
    }
}

/// Appends the pieces.
pub(super) fn push<const N: usize>(text: &mut String, pieces: [Piece<'_>; N]) {
    for piece in pieces {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Number(number) => push_number(text, number),
        }
    }
}

/// The pieces as one text.
pub(super) fn joined<const N: usize>(pieces: [Piece<'_>; N]) -> String {
    /// The digits of most numbers.
    const DIGITS: usize = 8;
    let length = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => text.len(),
        Piece::Number(_) => DIGITS,
    };
    let mut text = String::with_capacity(pieces.iter().map(length).sum());
    push(&mut text, pieces);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_one_another_as_they_would_be_formatted() {
        for number in [0, 1, 9, 10, 99, 100, 1_000_000, u64::MAX - 1, u64::MAX] {
            assert_eq!(joined(["a ".into(), number.into(), " b".into()]), format!("a {number} b"));
        }
        assert_eq!(joined([]), "");
    }
}
