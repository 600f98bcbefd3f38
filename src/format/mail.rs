//! `email` (RFC 5321, section 4.1.2, `Mailbox`) and `idn-email` (RFC 6531, section 3.3).
//!
//! In: a text. Out: yes or no. Cost: constant; a text longer than [`LONGEST_PATH`] is refused unread.
//!
//! - The lengths of RFC 5321, section 4.5.3.1, hold, in bytes of UTF-8.
//! - A domain is a host name by its letters, digits and hyphens; whether an A-label of it decodes is the
//!   business of `hostname`. The sub-domains of an `idn-email` may be U-labels, in any normalization form:
//!   normalising is the look-up's part (RFC 5891, section 5.2).
//! - Any code point beyond ASCII may stand in an internationalized local part (RFC 6532, section 3.1).

use super::scan::{AsciiSet, Cursor};
use super::{address, host};

/// Bytes of a local part (section 4.5.3.1.1).
const LONGEST_LOCAL_PART: usize = 64;
/// Bytes of a mailbox: a path is 256 with its angle brackets (section 4.5.3.1.3).
const LONGEST_PATH: usize = 254;

const ATOM: AsciiSet = AsciiSet::LETTER_OR_DIGIT.and(AsciiSet::of(b"!#$%&'*+-/=?^_`{|}~"));
const PRINTABLE: AsciiSet = AsciiSet::range(b' ', b'~');
const QUOTED: AsciiSet = PRINTABLE.without(AsciiSet::of(b"\"\\"));

pub(super) fn is_email(text: &str) -> bool {
    is_mailbox(text, host::is_mail_domain) && text.is_ascii()
}

pub(super) fn is_idn_email(text: &str) -> bool {
    is_mailbox(text, host::is_idn_mail_domain)
}

fn is_mailbox(text: &str, is_domain: fn(&str) -> bool) -> bool {
    if text.len() > LONGEST_PATH {
        return false;
    }
    let mut cursor = Cursor::new(text);
    if !take_local_part(&mut cursor) || text.len() - cursor.rest().len() > LONGEST_LOCAL_PART {
        return false;
    }
    if !cursor.take(b'@') {
        return false;
    }
    let domain = cursor.rest();
    match domain.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(address::is_mail_literal),
        None => is_domain(domain),
    }
}

/// Atoms with dots between them, or a quoted string; beyond ASCII, all fits.
fn take_local_part(cursor: &mut Cursor<'_>) -> bool {
    if cursor.take(b'"') {
        return take_quoted(cursor);
    }
    loop {
        if cursor.take_while_or_beyond(ATOM) == 0 {
            return false;
        }
        if !cursor.take(b'.') {
            return true;
        }
    }
}

/// What follows the opening quotation mark, and the closing one.
fn take_quoted(cursor: &mut Cursor<'_>) -> bool {
    loop {
        cursor.take_while_or_beyond(QUOTED);
        if cursor.take(b'"') {
            return true;
        }
        if !cursor.take(b'\\') || cursor.take_one_of(PRINTABLE).is_none() {
            return false;
        }
    }
}
