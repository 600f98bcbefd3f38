//! What only draft 3 has, but for `style`: `color` (CSS 2.1, section 4.3.6) and `phone` (ITU-T E.123).
//!
//! In: a text. Out: yes or no. Cost: constant; a longer text than either can be is refused by its length or
//! where it stops to fit.

use super::scan::{AsciiSet, Cursor};

/// CSS 2.1's seventeen names; case does not matter.
const COLOR_NAMES: [&str; 17] = [
    "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "orange",
    "purple", "red", "silver", "teal", "white", "yellow",
];

/// Digits of an international number (ITU-T E.164, section 6.2.1).
const LONGEST_NUMBER: usize = 15;

/// Bytes of a phone number as written: its digits, a separator before each, and an extension.
const LONGEST_PHONE: usize = 64;

/// `red`, `#f00`, `#ff0000`, `rgb(255, 0, 0)`, `rgb(100%, 0%, 0%)`.
pub(super) fn is_color(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix('#') {
        return matches!(digits.len(), 3 | 6) && AsciiSet::HEX.covers(digits);
    }
    COLOR_NAMES.iter().any(|name| text.eq_ignore_ascii_case(name)) || is_rgb(text)
}

fn is_rgb(text: &str) -> bool {
    const FUNCTION: &str = "rgb(";
    let Some((function, arguments)) = text.split_at_checked(FUNCTION.len()) else { return false };
    let Some(arguments) = arguments.strip_suffix(')') else { return false };
    if !function.eq_ignore_ascii_case(FUNCTION) {
        return false;
    }
    // Three numbers, all of them percentages or none.
    let mut count = 0;
    let mut percentages = 0;
    for argument in arguments.split(',') {
        let argument = argument.trim_matches([' ', '\t', '\n', '\r', '\x0C']);
        let (number, is_percentage) = match argument.strip_suffix('%') {
            Some(number) => (number, true),
            None => (argument, false),
        };
        if !is_css_number(number, is_percentage) {
            return false;
        }
        count += 1;
        percentages += usize::from(is_percentage);
    }
    count == 3 && (percentages == 0 || percentages == 3)
}

/// A CSS number with an optional sign; values out of gamut are clipped, not wrong.
fn is_css_number(text: &str, may_have_fraction: bool) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.take_one_of(AsciiSet::of(b"+-"));
    let whole = cursor.take_while(AsciiSet::DIGIT);
    let fits = if may_have_fraction && cursor.take(b'.') {
        cursor.take_while(AsciiSet::DIGIT) > 0
    } else {
        whole > 0
    };
    fits && cursor.is_at_end()
}

/// `+22 607 123 4567`, `(0607) 123 4567 ext. 876`: digits in groups with one space or hyphen between them, a
/// plus sign or an area in parentheses before them.
pub(super) fn is_phone(text: &str) -> bool {
    if text.len() > LONGEST_PHONE {
        return false;
    }
    let mut cursor = Cursor::new(text);
    let mut digits = 0;
    let is_international = cursor.take(b'+');
    if !is_international && cursor.take(b'(') {
        let area = cursor.take_while(AsciiSet::DIGIT);
        if area == 0 || !cursor.take(b')') {
            return false;
        }
        digits += area;
        cursor.take(b' ');
    }
    loop {
        let group = cursor.take_while(AsciiSet::DIGIT);
        if group == 0 {
            return false;
        }
        digits += group;
        if let Some(extension) = cursor.rest().strip_prefix(" ext. ") {
            return digits <= LONGEST_NUMBER && !extension.is_empty() && AsciiSet::DIGIT.covers(extension);
        }
        if cursor.take_one_of(AsciiSet::of(b" -")).is_none() {
            return digits <= LONGEST_NUMBER && cursor.is_at_end();
        }
    }
}
