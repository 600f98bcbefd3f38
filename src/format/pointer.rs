//! JSON pointers: RFC 6901, section 3; relative ones: draft-handrews-relative-json-pointer-01, section 3, and
//! for 2020-12 draft-bhutton-relative-json-pointer-00, section 3.
//!
//! In: a text. Out: yes or no. Cost: one pass.
//!
//! The string form, not the URI fragment. Any code point may stand in a token; only `~` needs what follows
//! it.

use super::scan::{AsciiSet, Cursor};

/// `/a/b~1c`, or nothing at all.
pub(super) fn is_json_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && has_whole_escapes(text)
}

/// `1/a`, `0#`.
pub(super) fn is_relative_json_pointer(text: &str) -> bool {
    relative(text, false)
}

/// `1/a`, `0#`, and `0-1/a`, which goes along the array first.
pub(super) fn is_adjustable_json_pointer(text: &str) -> bool {
    relative(text, true)
}

fn relative(text: &str, may_adjust: bool) -> bool {
    let mut cursor = Cursor::new(text);
    if !take_integer(&mut cursor) {
        return false;
    }
    if cursor.take(b'#') {
        return cursor.is_at_end();
    }
    if may_adjust && cursor.take_one_of(AsciiSet::of(b"+-")).is_some() && !take_integer(&mut cursor) {
        return false;
    }
    is_json_pointer(cursor.rest())
}

/// Takes a number that is written without needless zeros.
fn take_integer(cursor: &mut Cursor<'_>) -> bool {
    cursor.take(b'0') || (cursor.take_while(AsciiSet::DIGIT) > 0)
}

/// Whether 0 or 1 follows each `~`.
fn has_whole_escapes(text: &str) -> bool {
    let mut bytes = text.bytes();
    while bytes.by_ref().any(|byte| byte == b'~') {
        if !matches!(bytes.next(), Some(b'0' | b'1')) {
            return false;
        }
    }
    true
}
