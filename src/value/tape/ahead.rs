//! The next bytes of a text, read at once.
//!
//! In: bytes and a place. Out: the byte there, and those behind it as they are passed. What lies between two values (a
//! comma or a colon, a space, the first byte of the next) is looked at in one word instead of byte by byte. A byte beyond
//! those that were read is zero, as is one past the text's end: neither is any that JSON may have there, so that a reader
//! that meets it looks anew.
//! Constant time and size but for runs of whitespace.

use super::scan::{past_run, word};
use crate::words::WORD;

/// A place, and the bytes from there on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ahead {
    /// The byte at the place is the lowest; [`END`](super::scan::END) past the end of the text, or of what was read.
    word: u64,
    pub(super) at: usize,
}

impl Ahead {
    #[inline(always)]
    pub(super) fn new(bytes: &[u8], at: usize) -> Self {
        Ahead { word: word(bytes, at), at }
    }

    /// The byte at the place.
    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        // The cut keeps the lowest byte.
        self.word as u8
    }

    /// Whether `name`, of at most five bytes, is next.
    #[inline(always)]
    pub(super) fn begins_with(self, name: &[u8]) -> bool {
        let spelled = name.iter().rev().fold(0, |word, byte| word << u8::BITS | u64::from(*byte));
        (self.word ^ spelled) << (u8::BITS * (WORD - name.len()) as u32) == 0
    }

    /// Past the byte at the place.
    #[inline(always)]
    pub(super) fn past_one(self) -> Self {
        Ahead { word: self.word >> u8::BITS, at: self.at + 1 }
    }

    /// At the first byte that is no whitespace (RFC 8259 §2). Passes one byte, or looks anew.
    #[inline(always)]
    pub(super) fn past_whitespace(self, bytes: &[u8]) -> Self {
        if self.byte() > b' ' {
            return self;
        }
        // A single space is the most common: asked of both bytes at once. The cut keeps them.
        let both = (self.word as u16).swap_bytes();
        let least = u16::from_be_bytes([b' ', b' ' + 1]);
        let most = u16::from_be_bytes([b' ', u8::MAX]);
        if (least..=most).contains(&both) { self.past_one() } else { Ahead::after_run(bytes, self.at) }
    }

    #[inline(never)]
    fn after_run(bytes: &[u8], at: usize) -> Self {
        Ahead::new(bytes, past_run(bytes, at))
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::END;
    use super::*;

    #[test]
    fn the_byte_at_every_place_of_texts_of_every_length() {
        for length in 0..20_u8 {
            let bytes: Vec<u8> = (1..=length).collect();
            for at in 0..bytes.len() + 3 {
                let mut ahead = Ahead::new(&bytes, at);
                for passed in 0..WORD {
                    let expected = bytes.get(at + passed).copied().unwrap_or(END);
                    assert_eq!((ahead.byte(), ahead.at), (expected, at + passed), "{at} of {length}");
                    ahead = ahead.past_one();
                }
            }
        }
    }

    #[test]
    fn whitespace_of_every_length_is_passed() {
        for before in 0..20 {
            for blank in [" ", "\n", "\t", "\r", " \n"] {
                let text = blank.repeat(before) + "x";
                let ahead = Ahead::new(text.as_bytes(), 0).past_whitespace(text.as_bytes());
                assert_eq!((ahead.byte(), ahead.at), (b'x', text.len() - 1));
                let ahead = Ahead::new(text.as_bytes(), text.len()).past_whitespace(text.as_bytes());
                assert_eq!((ahead.byte(), ahead.at), (END, text.len()));
            }
        }
    }
}
