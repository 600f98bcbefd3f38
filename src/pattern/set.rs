//! Sets of code points, frozen for look-up.
//!
//! In: a set in `regex-syntax`'s form, which knows Unicode's tables and the set operations. Out: a bitmap for
//! ASCII and sorted ranges for all. A set of `r` ranges takes 8·`r` bytes and is looked up in O(log `r`); the
//! parser bounds how many ranges a whole pattern may hold ([`super::ast::RANGES`]).

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use regex_syntax::utf8::Utf8Sequences;

/// A set of code points. It holds no surrogates, since no `&str` does.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Set {
    /// One bit a byte; none for the bytes of longer sequences.
    ascii: [u64; 4],
    ranges: Box<[(char, char)]>,
    /// Whether it holds all printable ASCII, DEL included.
    printable: bool,
}

impl Set {
    pub(super) fn new(class: &ClassUnicode) -> Set {
        let ranges: Box<[(char, char)]> = class.ranges().iter().map(|r| (r.start(), r.end())).collect();
        let ascii = (0..128u8).filter(|&byte| ranges_contain(&ranges, char::from(byte))).fold(
            [0; 4],
            |[low, high, ..], byte| {
                let bit = 1u64 << (byte % 64);
                if byte < 64 { [low | bit, high, 0, 0] } else { [low, high | bit, 0, 0] }
            },
        );
        let printable = (b' '..128).all(|byte| ranges_contain(&ranges, char::from(byte)));
        Set { ascii, ranges, printable }
    }

    /// The set of one code point.
    pub(super) fn of(c: char) -> Set {
        Set::new(&ClassUnicode::new([ClassUnicodeRange::new(c, c)]))
    }

    /// Bytes of memory.
    pub(super) fn size(&self) -> usize {
        size_of::<Set>() + size_of_val(&*self.ranges)
    }

    #[inline]
    pub(super) fn contains(&self, c: char) -> bool {
        let code = u32::from(c);
        match u8::try_from(code) {
            Ok(byte) if byte < 128 => self.contains_ascii(byte),
            _ => ranges_contain(&self.ranges, c),
        }
    }

    /// Whether it holds an ASCII character. Other bytes it does not hold.
    #[inline(always)]
    pub(super) fn contains_ascii(&self, byte: u8) -> bool {
        // There are as many words as a byte has quarters.
        self.ascii[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    /// Whether it holds all of ASCII from the blank on.
    #[inline(always)]
    pub(super) fn holds_printable(&self) -> bool {
        self.printable
    }

    pub(super) fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// Whether it holds ASCII alone.
    pub(super) fn is_ascii(&self) -> bool {
        self.ranges.last().is_none_or(|&(_, last)| last.is_ascii())
    }

    /// Its only member, if it has just one.
    pub(super) fn single(&self) -> Option<char> {
        match *self.ranges {
            [(first, last)] if first == last => Some(first),
            _ => None,
        }
    }

    /// Whether it shares no code point with `other`; linear in the ranges of both.
    pub(super) fn is_disjoint(&self, other: &Set) -> bool {
        let (mut mine, mut theirs) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(a), Some(b)) = (mine.peek(), theirs.peek()) {
            if a.1 < b.0 {
                mine.next();
            } else if b.1 < a.0 {
                theirs.next();
            } else {
                return false;
            }
        }
        true
    }

    /// States of a byte automaton that reads one member: one a byte of each UTF-8 sequence range. An upper
    /// bound, since an automaton shares the ends of its sequences.
    pub(super) fn utf8_states(&self) -> usize {
        self.ranges.iter().flat_map(|&(first, last)| Utf8Sequences::new(first, last)).map(|s| s.len()).sum()
    }

    /// The set in the form that has the set operations.
    pub(super) fn to_class(&self) -> ClassUnicode {
        ClassUnicode::new(self.ranges.iter().map(|&(first, last)| ClassUnicodeRange::new(first, last)))
    }
}

fn ranges_contain(ranges: &[(char, char)], c: char) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= c);
    // `after` counts the ranges that begin at or before `c`: only the last of them can hold it.
    after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|&(_, last)| c <= last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(char, char)]) -> Set {
        Set::new(&ClassUnicode::new(ranges.iter().map(|&(a, b)| ClassUnicodeRange::new(a, b))))
    }

    #[test]
    fn finds_members_on_both_sides_of_ascii() {
        let s = set(&[('a', 'f'), ('é', 'ö'), ('🐉', '🐲')]);
        for c in ['a', 'f', 'é', 'ö', '🐲'] {
            assert!(s.contains(c), "{c}");
        }
        for c in ['`', 'g', '\u{e8}', '÷', '🐳', '\0', char::MAX] {
            assert!(!s.contains(c), "{c}");
        }
        assert!(!set(&[]).contains('a'));
    }

    #[test]
    fn disjointness_looks_at_every_range() {
        assert!(set(&[('a', 'c'), ('x', 'z')]).is_disjoint(&set(&[('d', 'w'), ('é', 'é')])));
        assert!(!set(&[('a', 'c'), ('x', 'z')]).is_disjoint(&set(&[('d', 'x')])));
        assert!(set(&[]).is_disjoint(&set(&[('\0', char::MAX)])));
    }
}
