//! A number by its text, read no further than the bound.
//!
//! In: anything whose `Display` is a numeral; a `serde_json::Number` above all, which may carry text of any
//! length and is read this way because its other accessors depend on a feature that a dependent may turn on
//! without us. Out: the text within the bound, or the little that stands for it. The text is never copied past
//! the bound, nor parsed past it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Number;

use super::cut::{self, Cut};
use super::writer::Writer;
use super::{BOUND, work};

/// What an integer of more than [`BOUND`] digits reads as.
pub(super) const LONG_INTEGER: &str = "#Integer<over 256 digits>";

/// The bytes of a numeral that decide it: a sign, and the first digit past the bound.
const DECISIVE: usize = 1 + BOUND + 1;

/// Appends the digits of a number, without the machinery of formats.
pub(crate) fn push_number(text: &mut String, number: u64) {
    if number < 10 {
        return text.push(char::from(b'0' + number as u8));
    }
    for place in (0..=number.ilog10()).rev() {
        // A digit is below ten.
        text.push(char::from(b'0' + (number / 10_u64.pow(place) % 10) as u8));
    }
}

/// A number, as far as it may be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// A JSON number within the bound: an integer of at most [`BOUND`] digits, anything else of at most
    /// [`BOUND`] bytes.
    Within(String),
    /// More than [`BOUND`] digits before any fraction or exponent. What may follow them is past the bound and
    /// not looked at.
    LongInteger,
    /// The start of any other numeral past the bound, or of text that is no JSON number and must not pass as one.
    Text(Cut<'static>),
}

impl Numeral {
    /// Reads a numeral from its `Display`, which is stopped after [`DECISIVE`] bytes.
    pub(super) fn read(number: &(impl fmt::Display + ?Sized)) -> Self {
        let mut writer = Writer::new(DECISIVE);
        let written = write!(writer, "{number}");
        let text = writer.text();
        work::count(text.len());
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
        if digits > BOUND {
            return Numeral::LongInteger;
        }
        let is_integer = digits == unsigned.len();
        if written.is_ok() && (is_integer || text.len() <= BOUND) && text.parse::<Number>().is_ok() {
            return Numeral::Within(writer.into_text());
        }
        let kept = cut::prefix(text, BOUND);
        Numeral::Text(Cut { is_cut: kept.len() < text.len(), text: Cow::Owned(kept.to_owned()) })
    }

    /// The number as text.
    pub(super) fn into_cut(self) -> Cut<'static> {
        match self {
            Numeral::Within(text) => Cut { text: Cow::Owned(text), is_cut: false },
            Numeral::LongInteger => Cut { text: Cow::Borrowed(LONG_INTEGER), is_cut: false },
            Numeral::Text(cut) => cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within the bound where serde_json keeps such a number at all; it is only ever handed what it keeps.
    fn is_within(text: &str) -> bool {
        Numeral::read(text) == Numeral::Within(text.to_owned())
    }

    #[test]
    fn the_placeholder_names_the_bound() {
        assert_eq!(LONG_INTEGER, format!("#Integer<over {BOUND} digits>"));
    }

    #[test]
    fn digits_are_counted_without_the_sign() {
        for sign in ["", "-"] {
            assert!(is_within(&format!("{sign}{}", "7".repeat(BOUND))));
            assert_eq!(Numeral::read(&format!("{sign}{}", "7".repeat(BOUND + 1))), Numeral::LongInteger);
            assert_eq!(Numeral::read(&format!("{sign}{}", "7".repeat(100_000))), Numeral::LongInteger);
        }
    }

    #[test]
    fn a_fraction_is_counted_by_bytes() {
        assert!(is_within(&format!("0.{}", "3".repeat(BOUND - 2))));
        for over in [1, 2, 3, 100_000] {
            let text = format!("0.{}", "3".repeat(BOUND - 2 + over));
            let start = Cut { text: Cow::Owned(text[..BOUND].to_owned()), is_cut: true };
            assert_eq!(Numeral::read(&text), Numeral::Text(start));
        }
    }

    #[test]
    fn a_numeral_is_told_to_stop_once_it_is_decided() {
        use std::cell::Cell;
        struct Endless(Cell<usize>);
        impl fmt::Display for Endless {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                (0..100_000).try_for_each(|_| {
                    self.0.set(self.0.get() + 1);
                    formatter.write_str("1")
                })
            }
        }
        let endless = Endless(Cell::new(0));
        assert_eq!(Numeral::read(&endless), Numeral::LongInteger);
        assert_eq!(endless.0.get(), DECISIVE + 1);
    }

    #[test]
    fn text_that_is_no_number_does_not_pass_as_one() {
        for text in ["", "-", "+1", "01", "1\n", " 1", "1,2", "NaN", "0x10", "1e", ".5", "null"] {
            let whole = Cut { text: Cow::Owned(text.to_owned()), is_cut: false };
            assert_eq!(Numeral::read(text), Numeral::Text(whole), "{text:?}");
        }
        for text in ["0", "-0", "1.5", "1e3", "-1.25E-7"] {
            assert!(is_within(text), "{text}");
        }
    }
}
