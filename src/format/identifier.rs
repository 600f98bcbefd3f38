//! `uuid`: RFC 9562, section 4 (RFC 4122, section 3).
//!
//! In: a text. Out: yes or no. Cost: constant; a text of another length is refused unread.
//!
//! Hexadecimal digits of either case, grouped 8-4-4-4-12. Every version and variant passes, and no
//! `urn:uuid:`.

/// Where the hyphens stand.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];
const LENGTH: usize = 36;

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == LENGTH
        && text.bytes().enumerate().all(|(place, byte)| {
            if HYPHENS.contains(&place) { byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}
