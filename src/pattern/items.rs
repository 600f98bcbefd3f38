//! Items of a plain test: a text, or a run of characters of a set, one after another.
//!
//! In: items and a text. Out: how far they take it. Each takes all that it can, so that nothing is read twice. Linear in
//! the bytes taken; nothing is allocated.

use std::sync::Arc;

use super::set::Set;
use crate::words::{HIGHEST, WORD, all};

#[derive(Debug)]
pub(super) enum Item {
    Text(Box<str>),
    Run { set: Arc<Set>, min: u32, max: Option<u32> },
}

/// Bytes that are compared one by one.
const FEW_BYTES: usize = 8;

/// Takes one item after another; the answer is how many bytes they take, or nothing if one does not fit.
#[inline(always)]
pub(super) fn take_all(items: &[Item], text: &str) -> Option<usize> {
    let mut at = 0;
    for item in items {
        at = item.take(text, at)?;
    }
    Some(at)
}

impl Item {
    /// Reads on from `at`, where a character begins; the answer is where it ends, or nothing if it does not fit.
    #[inline(always)]
    fn take(&self, text: &str, at: usize) -> Option<usize> {
        match self {
            Item::Text(part) => {
                let end = at + part.len();
                let (read, part) = (text.as_bytes().get(at..end)?, part.as_bytes());
                // By bytes where they are few: to call a comparison of memory takes longer.
                let same = if part.len() > FEW_BYTES { read == part } else { read.iter().eq(part) };
                same.then_some(end)
            }
            Item::Run { set, min, max } => {
                let rest = text.as_bytes().get(at..)?;
                if let (1, Some(1), Some(byte)) = (*min, *max, rest.first())
                    && byte.is_ascii()
                {
                    return set.contains_ascii(*byte).then_some(at + 1);
                }
                take_run(set, *min, max.map_or(usize::MAX, |max| max as usize), text, at)
            }
        }
    }

    /// Whether a text that it takes a part of may begin with this ASCII character.
    pub(super) fn may_begin(&self, byte: u8) -> bool {
        match self {
            Item::Text(text) => text.as_bytes().first() == Some(&byte),
            Item::Run { set, .. } => set.contains_ascii(byte),
        }
    }

    /// Bytes it reads at most, if they are bounded.
    pub(super) fn reach(&self) -> Option<usize> {
        match self {
            Item::Text(text) => Some(text.len()),
            Item::Run { max, .. } => max.and_then(|max| (max as usize).checked_mul(4)),
        }
    }

    /// Bytes it reads at least.
    pub(super) fn least(&self) -> usize {
        match self {
            Item::Text(text) => text.len(),
            Item::Run { min, .. } => *min as usize,
        }
    }

    pub(super) fn size(&self) -> usize {
        size_of::<Item>()
            + match self {
                Item::Text(text) => text.len(),
                Item::Run { set, .. } => set.size(),
            }
    }

    /// The set whose one character it is, if it is one.
    pub(super) fn single(&self) -> Option<Arc<Set>> {
        match self {
            Item::Text(text) => {
                let mut letters = text.chars();
                let (first, None) = (letters.next()?, letters.next()) else { return None };
                Some(Arc::new(Set::of(first)))
            }
            Item::Run { set, min: 1, max: Some(1) } => Some(Arc::clone(set)),
            Item::Run { .. } => None,
        }
    }

    pub(super) fn is_optional(&self) -> bool {
        matches!(self, Item::Run { min: 0, .. })
    }

    /// Whether `set` holds nothing that it could begin with.
    pub(super) fn avoids(&self, set: &Set) -> bool {
        match self {
            Item::Text(text) => !text.chars().next().is_some_and(|c| set.contains(c)),
            Item::Run { set: own, .. } => own.is_disjoint(set),
        }
    }
}

/// Reads up to `most` characters of `set` from `at`, `min` at least; where they end.
#[inline(always)]
pub(super) fn take_run(set: &Set, min: u32, most: usize, text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?;
    let rest = rest.get(..most).unwrap_or(rest);
    // ASCII, which nearly all of it is, needs no decoding.
    let begin = if set.holds_printable() { printable(rest) } else { 0 };
    let mut count = begin;
    for byte in rest.get(begin..)? {
        if !set.contains_ascii(*byte) {
            if !byte.is_ascii() {
                return take_decoded(set, min, most, text, at);
            }
            break;
        }
        count += 1;
    }
    (count >= min as usize).then_some(at + count)
}

/// How many bytes at the beginning are printable ASCII, as far as whole words tell: that is how many characters, too.
#[inline(always)]
fn printable(bytes: &[u8]) -> usize {
    let mut count = 0;
    for word in bytes.as_chunks::<WORD>().0 {
        let word = u64::from_ne_bytes(*word);
        // A byte is not printable where its highest bit is set, or where taking a blank off borrows.
        if (word | word.wrapping_sub(all(b' '))) & HIGHEST != 0 {
            break;
        }
        count += WORD;
    }
    count
}

/// Reads up to `most` characters of `set` from `at`, `min` at least.
#[cold]
fn take_decoded(set: &Set, min: u32, most: usize, text: &str, at: usize) -> Option<usize> {
    let (mut count, mut end) = (0, at);
    for c in text.get(at..)?.chars().take(most) {
        if !set.contains(c) {
            break;
        }
        count += 1;
        end += c.len_utf8();
    }
    (count >= min as usize).then_some(end)
}
