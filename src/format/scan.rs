//! What the grammars share: a cursor over bytes, and sets of ASCII bytes.
//!
//! In: a text. Out: its pieces. A cursor only moves forward, so a grammar that is written with it reads its
//! text once; nothing allocates.

/// What is left of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Cursor { rest: text }
    }

    pub(super) fn rest(&self) -> &'t str {
        self.rest
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes `byte` (ASCII) if it comes next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        self.take_one_of(AsciiSet::of(&[byte])).is_some()
    }

    /// Takes the next byte if the set has it.
    pub(super) fn take_one_of(&mut self, set: AsciiSet) -> Option<u8> {
        let byte = *self.rest.as_bytes().first()?;
        if !set.contains(byte) {
            return None;
        }
        self.rest = self.rest.get(1..)?;
        Some(byte)
    }

    /// Takes all bytes up to the first that the set has not; how many.
    pub(super) fn take_while(&mut self, set: AsciiSet) -> usize {
        self.take_bytes(|byte| set.contains(byte))
    }

    /// Takes all bytes up to the first of ASCII that the set has not; how many.
    pub(super) fn take_while_or_beyond(&mut self, set: AsciiSet) -> usize {
        self.take_bytes(|byte| set.contains(byte) || !byte.is_ascii())
    }

    /// Takes bytes while `fits`, which must not end within a code point.
    fn take_bytes(&mut self, fits: impl Fn(u8) -> bool) -> usize {
        let length = self.rest.bytes().take_while(|&byte| fits(byte)).count();
        self.rest = self.rest.get(length..).unwrap_or_default();
        length
    }

    /// Takes the next code point if it `fits`.
    pub(super) fn take_character(&mut self, fits: impl Fn(char) -> bool) -> bool {
        match self.rest.strip_prefix(fits) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Takes exactly `length` digits (nine at most, so that it fits) and gives their number.
    pub(super) fn take_number(&mut self, length: usize) -> Option<u32> {
        debug_assert!(length <= 9);
        let (digits, rest) = self.rest.split_at_checked(length)?;
        let mut number = 0;
        for digit in digits.chars() {
            number = number * 10 + digit.to_digit(10)?;
        }
        self.rest = rest;
        Some(number)
    }
}

/// A set of ASCII bytes: one bit each, so that a look-up is a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AsciiSet(u128);

impl AsciiSet {
    pub(super) const DIGIT: AsciiSet = AsciiSet::of(b"0123456789");
    pub(super) const HEX: AsciiSet = AsciiSet::DIGIT.and(AsciiSet::of(b"abcdefABCDEF"));
    pub(super) const LETTER: AsciiSet =
        AsciiSet::of(b"abcdefghijklmnopqrstuvwxyz").and(AsciiSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    pub(super) const LETTER_OR_DIGIT: AsciiSet = AsciiSet::LETTER.and(AsciiSet::DIGIT);

    /// The set of these bytes; one that is not ASCII is left out.
    pub(super) const fn of(bytes: &[u8]) -> AsciiSet {
        let mut bits = 0;
        let mut rest = bytes;
        while let [byte, tail @ ..] = rest {
            if byte.is_ascii() {
                bits |= 1 << *byte;
            }
            rest = tail;
        }
        AsciiSet(bits)
    }

    /// All bytes from `first` to `last`.
    pub(super) const fn range(first: u8, last: u8) -> AsciiSet {
        let mut bits = 0;
        let mut byte = first;
        while byte <= last && byte.is_ascii() {
            bits |= 1 << byte;
            byte += 1;
        }
        AsciiSet(bits)
    }

    /// This set and another one.
    pub(super) const fn and(self, other: AsciiSet) -> AsciiSet {
        AsciiSet(self.0 | other.0)
    }

    /// This set but for another one.
    pub(super) const fn without(self, other: AsciiSet) -> AsciiSet {
        AsciiSet(self.0 & !other.0)
    }

    pub(super) const fn contains(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }

    /// Whether every byte of `text` is in the set.
    pub(super) fn covers(self, text: &str) -> bool {
        text.bytes().all(|byte| self.contains(byte))
    }
}
