//! `uri-template`: RFC 6570, section 2.
//!
//! In: a text. Out: yes or no. Cost: one pass.
//!
//! Templates of all four levels. The operators that section 2.2 reserves for extensions (`= , ! @ |`) belong
//! to no level and are refused; an apostrophe is a literal (erratum 6937).

use super::scan::{AsciiSet, Cursor};
use super::uri;

/// Literals of section 2.1: printable ASCII but for these.
const LITERAL: AsciiSet = AsciiSet::range(b'!', b'~').without(AsciiSet::of(b"\"%<>\\^`{|}"));
const OPERATOR: AsciiSet = AsciiSet::of(b"+#./;?&");
const VARIABLE: AsciiSet = AsciiSet::LETTER_OR_DIGIT.and(AsciiSet::of(b"_"));
/// Digits of the largest prefix, 9999.
const PREFIX_DIGITS: usize = 4;

pub(super) fn is_uri_template(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    loop {
        cursor.take_while(LITERAL);
        if cursor.is_at_end() {
            return true;
        }
        let fits = if cursor.take(b'{') {
            take_expression(&mut cursor)
        } else if cursor.take(b'%') {
            take_hex_pair(&mut cursor)
        } else {
            cursor.take_character(|other| uri::is_unicode(other) || uri::is_private(other))
        };
        if !fits {
            return false;
        }
    }
}

/// What follows `{`, and the `}`.
fn take_expression(cursor: &mut Cursor<'_>) -> bool {
    cursor.take_one_of(OPERATOR);
    loop {
        if !take_variable(cursor) {
            return false;
        }
        if !cursor.take(b',') {
            return cursor.take(b'}');
        }
    }
}

/// A name and its modifier.
fn take_variable(cursor: &mut Cursor<'_>) -> bool {
    loop {
        if !take_name(cursor) {
            return false;
        }
        if !cursor.take(b'.') {
            break;
        }
    }
    if cursor.take(b':') {
        let digits =
            cursor.take_one_of(AsciiSet::range(b'1', b'9')).map(|_| 1 + cursor.take_while(AsciiSet::DIGIT));
        return digits.is_some_and(|digits| digits <= PREFIX_DIGITS);
    }
    cursor.take(b'*');
    true
}

/// What stands between the dots of a name.
fn take_name(cursor: &mut Cursor<'_>) -> bool {
    let mut length = 0;
    loop {
        length += cursor.take_while(VARIABLE);
        if !cursor.take(b'%') {
            return length > 0;
        }
        if !take_hex_pair(cursor) {
            return false;
        }
        length += 1;
    }
}

fn take_hex_pair(cursor: &mut Cursor<'_>) -> bool {
    cursor.take_one_of(AsciiSet::HEX).is_some() && cursor.take_one_of(AsciiSet::HEX).is_some()
}
