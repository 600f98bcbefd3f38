//! Lines of an input that is not held.
//!
//! In: a reader. Out: one line after the other, without its end. At most the limit ([`LINE_BYTES`]) is held,
//! whatever comes: what is longer is read over.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read, in bytes: far above any message that a queue carries, and its value still fits a
/// small machine.
pub(crate) const LINE_BYTES: usize = 16 << 20;

/// A line as it came, without `\n`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    Whole(&'a [u8]),
    /// Longer than the limit.
    TooLong,
}

/// The lines of a reader.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    held: Vec<u8>,
    limit: usize,
    position: u64,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Lines { reader: BufReader::new(reader), held: Vec::new(), limit, position: 0 }
    }

    /// Whether the next line is not here yet, so that asking for it may wait for its sender.
    pub(crate) fn may_wait(&self) -> bool {
        !self.reader.buffer().contains(&b'\n')
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// The next line, or none at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.held.clear();
        let most = self.limit as u64 + 1;
        let read = self.reader.by_ref().take(most).read_until(b'\n', &mut self.held)?;
        self.position += read as u64;
        if read == 0 {
            return Ok(None);
        }
        if self.held.last() == Some(&b'\n') {
            self.held.pop();
        } else if read > self.limit {
            self.position += self.reader.skip_until(b'\n')? as u64;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Whole(&self.held)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_limit_is_whole_and_one_byte_more_is_too_long() {
        let text = "abc\nabcd\n\nabcdefgh\nab\nabcd";
        let mut lines = Lines::new(text.as_bytes(), 3);
        let expected = [
            Line::Whole(b"abc"),
            Line::TooLong,
            Line::Whole(b""),
            Line::TooLong,
            Line::Whole(b"ab"),
            Line::TooLong,
        ];
        for line in expected {
            assert_eq!(lines.next().unwrap(), Some(line));
            assert!(lines.held.capacity() < 64);
        }
        assert_eq!(lines.next().unwrap(), None);
        assert_eq!(lines.position(), text.len() as u64);
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let mut lines = Lines::new(&b"a\nbcd"[..], 3);
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"a")));
        assert!(lines.may_wait());
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"bcd")));
        assert_eq!(lines.next().unwrap(), None);
        assert_eq!(Lines::new(&b""[..], 3).next().unwrap(), None);
    }
}
