//! Runs of bytes that a reader skips: whitespace, and what a string holds.
//!
//! In: bytes and a place. Out: the first place past the run. Eight bytes at a time, since most of a document is
//! text: measured over the real data sets, a reader that looks at each byte by itself takes half as much again.

use crate::words::{HIGHEST, all};

/// The high bit of each byte that ends or interrupts a string: a quote, a backslash, a control character. Bits
/// above the lowest say nothing.
#[inline(always)]
const fn special(word: u64) -> u64 {
    // With this bit turned, the quote comes right behind the control characters, and all others behind it.
    let controls_and_quotes = (word ^ all(2)).wrapping_sub(all(b' ' + 1));
    let backslashes = (word ^ all(b'\\')).wrapping_sub(all(1));
    // What is below borrows; a byte past ASCII is none of them.
    (controls_and_quotes | backslashes) & !word & HIGHEST
}

/// The lowest byte that a mask of high bits names.
#[inline(always)]
const fn first(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The first quote, backslash or control character at `at` or after it; the end if there is none.
#[inline(always)]
pub(super) fn text_end(bytes: &[u8], mut at: usize) -> usize {
    // Two words for each look at the length: most strings are no longer.
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<16>) {
        let both = u128::from_le_bytes(*chunk);
        // The cuts keep the two halves.
        let (low, high) = (special(both as u64), special((both >> 64) as u64));
        if low != 0 {
            return at + first(low);
        }
        if high != 0 {
            return at + 8 + first(high);
        }
        at += 16;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let ends = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
    rest.iter().position(ends).map_or(bytes.len(), |found| at + found)
}

/// Stands for the byte after the last: one that JSON has only escaped.
pub(super) const END: u8 = 0;

/// The byte at a place, or [`END`].
#[inline(always)]
pub(super) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(END)
}

/// The first byte at `at` or after it that is no whitespace (RFC 8259 §2), and its place.
#[inline(always)]
pub(super) fn past_whitespace(bytes: &[u8], at: usize) -> (u8, usize) {
    let found = byte(bytes, at);
    if found > b' ' {
        return (found, at);
    }
    // A single space is the most common.
    let next = byte(bytes, at + 1);
    if found == b' ' && next > b' ' { (next, at + 1) } else { past_run(bytes, at) }
}

/// Spaces come in runs, after a line's end; the others by themselves.
#[inline(never)]
fn past_run(bytes: &[u8], mut at: usize) -> (u8, usize) {
    loop {
        match byte(bytes, at) {
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            found => return (found, at),
        }
        while let Some(word) = word(bytes, at) {
            let others = word ^ all(b' ');
            if others != 0 {
                at += first(others);
                break;
            }
            at += 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_of_a_word() {
        for byte in 0..=u8::MAX {
            let ends = byte < b' ' || byte == b'"' || byte == b'\\';
            let blank = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            for before in 0..20 {
                for after in [0, 1, 7, 8, 20] {
                    let mut text = vec![b'\xbf'; before];
                    text.push(byte);
                    text.resize(before + 1 + after, b'!');
                    let expected = if ends { before } else { text.len() };
                    assert_eq!(text_end(&text, 0), expected, "{byte} after {before}");
                    // A true end right behind must not be hidden by what comes before it.
                    text.push(b'"');
                    assert_eq!(text_end(&text, 0), expected.min(text.len() - 1), "{byte} after {before}");

                    let mut text = vec![b' '; before];
                    text.push(byte);
                    text.resize(before + 1 + after, b'\n');
                    let expected = if blank { (END, text.len()) } else { (byte, before) };
                    assert_eq!(past_whitespace(&text, 0), expected, "{byte} after {before}");
                }
            }
        }
    }
}
