//! A `fmt::Write` that keeps a bound.
//!
//! In: whatever a formatter writes, in pieces of any size. Out: its first bytes, cut at a code point, and whether
//! there was more. Memory is bounded by the limit; the error that it returns at the limit tells the formatter to
//! stop, and a formatter that goes on all the same is told so again, in constant time.

use std::fmt;

use super::{cut, work};

/// Keeps the first bytes of what is written.
#[derive(Debug)]
pub(super) struct Writer {
    text: String,
    limit: usize,
    is_cut: bool,
}

impl Writer {
    /// A writer that keeps `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Writer { text: String::new(), limit, is_cut: false }
    }

    /// Writes `piece` whole or not at all: half an escape would read as something else.
    pub(super) fn write_whole(&mut self, piece: &str) -> fmt::Result {
        if piece.len() > self.room() {
            self.is_cut = true;
            return Err(fmt::Error);
        }
        fmt::Write::write_str(self, piece)
    }

    /// What was kept.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether something was refused, which an error alone does not tell: a formatter may have one of its own.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What was kept, for good.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// How many bytes may follow. None once something was refused, so that no hole comes to lie in the text.
    fn room(&self) -> usize {
        if self.is_cut { 0 } else { self.limit.saturating_sub(self.text.len()) }
    }
}

impl fmt::Write for Writer {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let kept = cut::prefix(piece, self.room());
        work::count(1 + kept.len());
        self.text.push_str(kept);
        if kept.len() < piece.len() {
            self.is_cut = true;
            return Err(fmt::Error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn the_limit_itself_fits_and_one_byte_more_does_not() {
        let mut writer = Writer::new(4);
        assert!(
            writer.write_str("ab").is_ok() && writer.write_str("cd").is_ok() && writer.write_str("").is_ok()
        );
        assert!(!writer.is_cut());
        assert!(writer.write_str("e").is_err());
        assert!(writer.is_cut());
        assert_eq!(writer.text(), "abcd");
    }

    #[test]
    fn nothing_is_taken_after_a_refusal_even_if_it_would_fit() {
        let mut writer = Writer::new(3);
        assert!(writer.write_str("ab€").is_err());
        assert!(writer.write_str("c").is_err());
        assert!(writer.write_whole("c").is_err());
        assert_eq!(writer.into_text(), "ab");
    }

    #[test]
    fn a_whole_piece_is_not_split() {
        let mut writer = Writer::new(5);
        assert!(writer.write_whole(r"\x80").is_ok());
        assert!(writer.write_whole(r"\x80").is_err());
        assert!(writer.is_cut());
        assert_eq!(writer.text(), r"\x80");
    }
}
