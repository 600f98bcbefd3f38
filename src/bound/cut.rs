//! The cut: the first bytes of a string or of bytes, with repaired ends.
//!
//! In: a string or bytes of any length. Out: a [`Cut`], at most [`BOUND`] bytes of valid UTF-8, and whether there
//! was more. Past the bound nothing is read but the length; only bytes that are no UTF-8 cost a copy, since each
//! becomes four characters of the same bounded output.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::writer::Writer;
use super::{BOUND, MARK, scrub, work};

/// The longest start of a code point that lacks its end, in bytes: one less than the longest code point.
const LONGEST_SPLIT: usize = 3;

/// What is kept of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut<'a> {
    /// At most [`BOUND`] bytes; an integer's sign not counted.
    pub(super) text: Cow<'a, str>,
    /// Whether the value went on.
    pub(super) is_cut: bool,
}

impl<'a> Cut<'a> {
    /// The start of a string.
    pub(super) fn of_str(text: &'a str) -> Self {
        let kept = prefix(text, BOUND);
        work::count(kept.len());
        Cut { text: Cow::Borrowed(kept), is_cut: kept.len() < text.len() }
    }

    /// The start of bytes that are meant to be UTF-8.
    pub(super) fn of_bytes(bytes: &'a [u8]) -> Self {
        let first = bytes.get(..BOUND).unwrap_or(bytes);
        work::count(first.len());
        let is_cut = first.len() < bytes.len();
        let repaired = without_split_end(without_stray_start(first));
        let kept = if repaired.is_empty() { first } else { repaired };
        match std::str::from_utf8(kept) {
            Ok(text) => Cut { text: Cow::Borrowed(text), is_cut },
            Err(_) => {
                let mut writer = Writer::new(BOUND);
                // An error is the bound, which the writer remembers.
                let _ = write_escaped(kept, &mut writer);
                let escaped = Cut::from(writer);
                Cut { is_cut: is_cut || escaped.is_cut, ..escaped }
            }
        }
    }

    /// For one line of a message or a log: scrubbed, the cut not marked.
    pub(super) fn scrubbed(self) -> String {
        match scrub(&self.text) {
            Cow::Owned(scrubbed) => scrubbed,
            Cow::Borrowed(_) => self.text.into_owned(),
        }
    }

    /// For a JSON string: as sent, and the cut marked.
    pub(super) fn marked(self) -> String {
        let mut text = self.text.into_owned();
        if self.is_cut {
            text.push_str(MARK);
        }
        text
    }
}

impl From<Writer> for Cut<'_> {
    fn from(writer: Writer) -> Self {
        Cut { is_cut: writer.is_cut(), text: Cow::Owned(writer.into_text()) }
    }
}

/// The longest start of `text` that has at most `limit` bytes and ends between two code points. Constant time.
pub(super) fn prefix(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    // One of these ends lies between two code points, since the longest has one byte more than the longest split.
    let mut ends = (limit.saturating_sub(LONGEST_SPLIT)..=limit).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// `bytes` without the continuation bytes that it opens with: the rest of a code point split before it.
fn without_stray_start(bytes: &[u8]) -> &[u8] {
    let is_continuation = |byte: &u8| (0x80..0xC0).contains(byte);
    let start = bytes.iter().position(|byte| !is_continuation(byte)).unwrap_or(bytes.len());
    bytes.get(start..).unwrap_or_default()
}

/// `bytes` without the start of a code point that it breaks off in.
fn without_split_end(bytes: &[u8]) -> &[u8] {
    let is_split = |end: &[u8]| {
        std::str::from_utf8(end).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=LONGEST_SPLIT)
        .filter_map(|length| bytes.split_at_checked(bytes.len().checked_sub(length)?))
        .find_map(|(rest, end)| is_split(end).then_some(rest))
        .unwrap_or(bytes)
}

/// Writes text as itself and every byte that is no UTF-8 as `\xHH`, up to the bound of `writer`.
fn write_escaped(bytes: &[u8], writer: &mut Writer) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        writer.write_str(chunk.valid())?;
        for byte in chunk.invalid() {
            writer.write_whole(&format!("\\x{byte:02X}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(bytes: &[u8]) -> (String, bool) {
        let Cut { text, is_cut } = Cut::of_bytes(bytes);
        (text.into_owned(), is_cut)
    }

    #[test]
    fn the_bound_itself_is_not_cut() {
        assert!(!Cut::of_str(&"x".repeat(BOUND)).is_cut);
        let long = "x".repeat(BOUND + 1);
        assert_eq!(Cut::of_str(&long), Cut { text: Cow::Borrowed(&long[..BOUND]), is_cut: true });
        assert_eq!(bytes(long.as_bytes()), ("x".repeat(BOUND), true));
    }

    #[test]
    fn a_code_point_across_the_bound_goes_whole() {
        for split in ["ü", "€", "😀"] {
            for over in 1..split.len() {
                let lead = "x".repeat(BOUND - split.len() + over);
                let text = format!("{lead}{split}tail");
                assert_eq!(Cut::of_str(&text).text, lead);
                assert_eq!(bytes(text.as_bytes()), (lead, true));
            }
            let whole = "x".repeat(BOUND - split.len()) + split;
            assert_eq!(Cut::of_str(&format!("{whole}tail")).text, whole);
        }
    }

    #[test]
    fn bytes_that_open_or_end_inside_a_code_point_lose_that_code_point() {
        assert_eq!(bytes(b"\x82\xACabc"), ("abc".to_owned(), false));
        assert_eq!(bytes(b"abc\xE2\x82"), ("abc".to_owned(), false));
        assert_eq!(bytes(b"abc\xF0\x9F\x98"), ("abc".to_owned(), false));
        assert_eq!(bytes(b"\x9F\xF0\x9F\x98\x80\xF0"), ("😀".to_owned(), false));
    }

    #[test]
    fn bytes_that_no_repair_explains_are_escaped_in_place() {
        assert_eq!(bytes(b"caf\xE9 au lait"), (r"caf\xE9 au lait".to_owned(), false));
        assert_eq!(bytes(b"abc\xFF"), (r"abc\xFF".to_owned(), false));
        assert_eq!(bytes(b"\xC0\xAF"), (r"\xC0\xAF".to_owned(), false));
        // A surrogate, which UTF-8 does not encode, is three bad bytes.
        assert_eq!(bytes(b"<\xED\xA0\x80>"), (r"<\xED\xA0\x80>".to_owned(), false));
    }

    #[test]
    fn a_repair_that_leaves_nothing_shows_the_bytes() {
        assert_eq!(bytes(b"\x80"), (r"\x80".to_owned(), false));
        assert_eq!(bytes(b"\x80\xE2\x82"), (r"\x80\xE2\x82".to_owned(), false));
        assert_eq!(bytes(b""), (String::new(), false));
    }

    #[test]
    fn escapes_keep_the_bound_and_are_not_split() {
        let (text, is_cut) = bytes(&[0xFF; BOUND / 4]);
        assert_eq!((text.len(), is_cut), (BOUND, false));
        let (text, is_cut) = bytes(&[b"x".as_slice(), &[0xFF; BOUND / 4]].concat());
        assert!(is_cut && text.len() == BOUND - 3 && text.ends_with(r"\xFF"));
    }
}
