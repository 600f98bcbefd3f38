//! The scrub: what could forge, break or hide a line becomes `?`.
//!
//! In: text that is cut already. Out: the same text, the same number of bytes, on one line. Linear in the text;
//! a copy only if something is scrubbed.

use std::borrow::Cow;

use super::work;

/// Stands for each byte of a scrubbed code point, so that a text within the bound stays within it.
const REPLACEMENT: char = '?';

/// Whether `character` is scrubbed: C0, DEL, C1, the line and paragraph separators, and the bidirectional
/// controls (Unicode Standard Annex #9, `Bidi_Control`).
pub(crate) fn is_scrubbed(character: char) -> bool {
    matches!(
        character,
        '\u{0}'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200E}'..='\u{200F}'
            | '\u{2028}'..='\u{2029}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// `text` on one line: each byte of every C0 and C1 control, DEL, U+2028, U+2029 and bidirectional control becomes
/// `?`. For a text that is bounded already and goes to a terminal or a log, such as the path of an
/// [`Entry`](crate::Entry); [`render_str`](super::render_str) cuts as well.
///
/// # Cost
///
/// Linear in the text; a copy only if something is scrubbed.
///
/// ```
/// use portcullis::bound::scrub;
/// assert_eq!(scrub("items[\"a\\r\\n\u{1b}[2J\"]"), "items[\"a\\r\\n?[2J\"]");
/// assert_eq!(scrub("two\r\nlines"), "two??lines");
/// ```
#[must_use]
pub fn scrub(text: &str) -> Cow<'_, str> {
    work::count(text.len());
    // Most texts are plain ASCII, which is told faster: many bytes at a time, since none ends the search.
    let is_plain = text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    if is_plain || !text.contains(is_scrubbed) {
        return Cow::Borrowed(text);
    }
    let mut scrubbed = String::with_capacity(text.len());
    for character in text.chars() {
        if is_scrubbed(character) {
            scrubbed.extend(std::iter::repeat_n(REPLACEMENT, character.len_utf8()));
        } else {
            scrubbed.push(character);
        }
    }
    Cow::Owned(scrubbed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Unicode and the terminals name, written out apart from the ranges above.
    const CONTROLS: [u32; 14] = [
        0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067,
        0x2068, 0x2069,
    ];

    #[test]
    fn exactly_the_named_code_points_are_scrubbed() {
        for character in '\0'..=char::MAX {
            let named = character.is_control() || CONTROLS.contains(&u32::from(character));
            assert_eq!(is_scrubbed(character), named, "{:04X}", u32::from(character));
        }
    }

    #[test]
    fn each_byte_is_replaced_and_the_length_stays() {
        assert_eq!(scrub("a\r\nb\u{1b}[2J"), "a??b?[2J");
        assert_eq!(scrub("\u{85}|\u{2028}|\u{202e}|\u{61c}"), "??|???|???|??");
    }

    #[test]
    fn a_clean_text_is_not_copied() {
        assert!(matches!(scrub("clean, ü and \u{200d} too"), Cow::Borrowed(_)));
    }
}
