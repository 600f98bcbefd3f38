//! Runs of bytes that a reader skips: whitespace, and what a string holds.
//!
//! In: bytes and a place. Out: the first place past the run. Eight or sixteen bytes at a time, since most of a document is
//! text: measured over the real data sets, a reader that looks at each byte by itself takes half as much again.

use wide::u8x16;

use super::keys::words;
use crate::words::{WORD, all};

/// Bytes that are compared at once.
const CHUNK: usize = 16;

/// The lowest byte that a mask of high bits names.
#[inline(always)]
const fn first(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

/// The eight bytes at a place, the first lowest; [`END`] for each past the end.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> u64 {
    whole_word(bytes, at).unwrap_or_else(|| last_word(bytes, at))
}

#[inline(always)]
fn whole_word(bytes: &[u8], at: usize) -> Option<u64> {
    // The cut cuts nothing, since positions fit 32 bits; but it says that the sum does not overflow.
    let at = at as u32 as usize;
    let chunk = bytes.get(at..at + WORD)?.first_chunk()?;
    Some(u64::from_le_bytes(*chunk))
}

#[inline(never)]
fn last_word(bytes: &[u8], at: usize) -> u64 {
    let left = bytes.len().saturating_sub(at);
    match bytes.last_chunk::<WORD>() {
        // Fewer than a word are left.
        Some(chunk) if left > 0 => u64::from_le_bytes(*chunk) >> (u8::BITS as usize * (WORD - left)),
        Some(_) => u64::from(END),
        None => {
            let rest = bytes.get(at..).unwrap_or_default();
            rest.iter().rev().fold(u64::from(END), |word, byte| word << u8::BITS | u64::from(*byte))
        }
    }
}

/// A bit for each of sixteen bytes, the first lowest, that ends or interrupts a string: a quote, a backslash, a control
/// character.
#[inline(always)]
fn special_of(chunk: [u8; CHUNK]) -> u32 {
    let bytes = u8x16::new(chunk);
    let quotes = bytes.cmp_eq(u8x16::new([b'"'; CHUNK]));
    let backslashes = bytes.cmp_eq(u8x16::new([b'\\'; CHUNK]));
    let controls = bytes.cmp_eq(bytes.min(u8x16::new([b' ' - 1; CHUNK])));
    // The cast keeps the bits, of which there are sixteen.
    (quotes | backslashes | controls).move_mask() as u32
}

/// The sixteen bytes at a place, if so many are left.
#[inline(always)]
fn chunk(bytes: &[u8], at: usize) -> Option<&[u8; CHUNK]> {
    // As in `whole_word`.
    let at = at as u32 as usize;
    bytes.get(at..at + CHUNK)?.first_chunk()
}

/// The sixteen bytes at a place near the end; [`END`] for each past it.
fn last_chunk(bytes: &[u8], at: usize) -> [u8; CHUNK] {
    let left = bytes.len().saturating_sub(at);
    match bytes.last_chunk::<CHUNK>() {
        // Fewer than a chunk are left.
        Some(chunk) if left > 0 => {
            (u128::from_le_bytes(*chunk) >> (u8::BITS as usize * (CHUNK - left))).to_le_bytes()
        }
        Some(_) => [END; CHUNK],
        None => {
            let rest = bytes.get(at..).unwrap_or_default();
            let word = |word, byte: &u8| word << u8::BITS | u128::from(*byte);
            rest.iter().rev().fold(u128::from(END), word).to_le_bytes()
        }
    }
}

/// The first quote, backslash or control character at `at` or after it; the end if there is none.
#[inline(always)]
pub(super) fn text_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = chunk(bytes, at) {
        let found = special_of(*chunk);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += CHUNK;
    }
    last_text_end(bytes, at)
}

/// [`text_end`] among the last bytes.
#[inline(never)]
fn last_text_end(bytes: &[u8], at: usize) -> usize {
    // The end is a control character, so there is one.
    at + special_of(last_chunk(bytes, at)).trailing_zeros() as usize
}

/// [`text_end`] of a key that begins at `start`, and its words, as [`words`] has them. Of most keys these are the words
/// that their end is looked for in.
#[inline(always)]
pub(super) fn key_end(bytes: &[u8], start: usize) -> (usize, (u64, u64)) {
    let Some(chunk) = chunk(bytes, start) else { return long_key_end(bytes, start) };
    let found = special_of(*chunk);
    if found == 0 {
        return long_key_end(bytes, start);
    }
    let length = found.trailing_zeros() as usize;
    let both = u128::from_le_bytes(*chunk);
    let (first, second) = BEFORE[length % CHUNK];
    // The cuts keep the two halves.
    (start + length, (both as u64 & first, (both >> 64) as u64 & second))
}

/// [`key_end`] of a key that is longer than a chunk, or among the last bytes.
#[inline(never)]
fn long_key_end(bytes: &[u8], start: usize) -> (usize, (u64, u64)) {
    let end = text_end(bytes, start);
    (end, words(bytes.get(start..end).unwrap_or_default()))
}

/// So many bytes of two words, the first ones.
const BEFORE: [(u64, u64); CHUNK] = {
    let mut before = [(0, 0); CHUNK];
    let mut length = 1;
    while length < CHUNK {
        let bytes = u128::MAX >> (128 - 8 * length);
        before[length] = (bytes as u64, (bytes >> 64) as u64);
        length += 1;
    }
    before
};

/// Stands for the byte after the last: one that JSON has only escaped.
pub(super) const END: u8 = 0;

/// The byte at a place, or [`END`].
#[inline(always)]
pub(super) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(END)
}

/// The place of the first byte at `at` or after it that is no whitespace (RFC 8259 §2). Spaces come in runs, after a line's
/// end; the others by themselves.
pub(super) fn past_run(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match byte(bytes, at) {
            b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            _ => return at,
        }
        while let Some(word) = whole_word(bytes, at) {
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
                    let expected = if blank { text.len() } else { before };
                    assert_eq!(past_run(&text, 0), expected, "{byte} after {before}");
                }
            }
        }
    }
}
