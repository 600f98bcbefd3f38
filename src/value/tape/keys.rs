//! The keys of one object: none twice, and each to be found.
//!
//! In: an object whose members have all been read. Out: of members with one key all but the last overridden, or the fault
//! of the first that repeats another; and for an object of many members an index, sorted by hash.
//!
//! Cost: linear for objects of at most [`FEW`] members, which are compared by hash, each pair of them at worst, and for
//! those of at most [`SOME`] that no two hashes make look alike. All others
//! are sorted, so that nobody gains by keys of one hash: n·log n comparisons of keys, whatever they are. Four bytes
//! of index a member of such an object, and eight while it is sorted.

use super::fault::{Fault, What};
use super::token::{NONE, Token};
use super::{DuplicateKeys, Parts};
use crate::words::WORD;

/// Members whose hashes are compared each with each, where they look alike.
pub(super) const FEW: usize = 16;

/// Members that are looked through one by one, unless they look alike at a closer look: beyond them a search is cheaper.
pub(super) const SOME: usize = 64;

/// Words of the closer look: of so many bits, sixty-four keys leave each its own as a rule.
const WORDS: usize = 64;

/// What tells most keys apart: of equal keys equal. Not keyed, since nothing but order rests on it. Of a key's words and its
/// length.
#[inline(always)]
pub(super) fn hash((first, last): (u64, u64), length: usize) -> u32 {
    /// An odd number whose bits follow no pattern: the golden ratio's.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (first ^ last.rotate_left(23) ^ length as u64).wrapping_mul(SPREAD);
    // The high bits of a product depend on all bits below them.
    (mixed >> 32) as u32
}

/// [`hash`] of a key that is at hand.
pub(super) fn hash_of(key: &[u8]) -> u32 {
    hash(words(key), key.len())
}

/// The first eight bytes of a key and the eight behind them, or the last eight of a longer one; what is missing is zero.
#[inline(always)]
pub(super) fn words(key: &[u8]) -> (u64, u64) {
    const BITS: usize = u8::BITS as usize;
    // Where two loads overlap they hold the same bytes.
    if let (Some(first), Some(last)) = (key.first_chunk::<WORD>(), key.last_chunk::<WORD>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let second = match (2 * WORD).checked_sub(key.len()) {
            Some(WORD) => 0,
            Some(missing) => last >> (BITS * missing),
            None => last,
        };
        return (first, second);
    }
    const HALF: usize = WORD / 2;
    if let (Some(first), Some(last)) = (key.first_chunk::<HALF>(), key.last_chunk::<HALF>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return (u64::from(first) | u64::from(last) << (BITS * (key.len() - HALF)), 0);
    }
    (key.iter().rev().fold(0, |word, byte| word << BITS | u64::from(*byte)), 0)
}

/// What is known of the keys of an object while it is read: a bit for each, by its hash; all bits once two keys have the
/// same, which as few keys as are told apart so never set by themselves.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen(u64);

impl Seen {
    pub(super) const NONE: Seen = Seen(0);

    #[inline(always)]
    pub(super) fn add(&mut self, hash: u32) {
        // The highest bits depend on all of the key.
        let place = hash >> (u32::BITS - u64::BITS.ilog2());
        let again = self.0 >> place & 1;
        self.0 |= 1 << place | again.wrapping_neg();
    }

    /// Whether the bits tell all `count` keys apart. Those of an object of many members are sorted in any case.
    #[inline(always)]
    pub(super) fn are_surely_distinct(self, count: u32) -> bool {
        self.0 != u64::MAX && count as usize <= FEW
    }
}

/// Settles the keys of the object at `at`, whose `count` members end the tape: how many are left.
pub(super) fn settle(
    parts: &mut Parts<'_>,
    at: u32,
    count: u32,
    duplicates: DuplicateKeys,
) -> Result<u32, Fault> {
    match count as usize {
        0..=FEW => compare_few(parts, at, count, duplicates),
        ..=SOME if are_distinct(parts, at, count) => Ok(count),
        _ => settle_many(parts, at, count, duplicates),
    }
}

/// The closer look: [`Seen`] with more bits.
fn are_distinct(parts: &Parts<'_>, at: u32, count: u32) -> bool {
    let mut seen = [0_u64; WORDS];
    let mut next = at + 1;
    for _ in 0..count {
        let hash = parts.token(next).more;
        // The highest bits tell the word, and those below them the bit.
        if let Some(word) = seen.get_mut((hash >> (u32::BITS - WORDS.ilog2())) as usize) {
            let bit = 1 << (hash >> (u32::BITS - WORDS.ilog2() - u64::BITS.ilog2()) & (u64::BITS - 1));
            if *word & bit != 0 {
                return false;
            }
            *word |= bit;
        }
        next = parts.token(next + 1).after(next + 1);
    }
    true
}

fn compare_few(parts: &mut Parts<'_>, at: u32, count: u32, duplicates: DuplicateKeys) -> Result<u32, Fault> {
    // Each key's hash and place.
    let mut keys = [(0, NONE); FEW];
    let mut left = count;
    let mut next = at + 1;
    for index in 0..count as usize {
        let hash = parts.token(next).more;
        for (_, earlier) in keys.iter().take(index).filter(|(other, _)| *other == hash) {
            let (one, other) = (parts.token(*earlier), parts.token(next));
            if !one.is_overridden() && parts.text(one) == parts.text(other) {
                parts.override_key(*earlier, next, duplicates)?;
                left -= 1;
            }
        }
        if let Some(key) = keys.get_mut(index) {
            *key = (hash, next);
        }
        next = parts.token(next + 1).after(next + 1);
    }
    Ok(left)
}

fn settle_many(parts: &mut Parts<'_>, at: u32, count: u32, duplicates: DuplicateKeys) -> Result<u32, Fault> {
    let mut sorting = std::mem::take(&mut parts.aside.sorting);
    sorting.clear();
    let mut next = at + 1;
    for _ in 0..count {
        sorting.push(u64::from(parts.token(next).more) << 32 | u64::from(next));
        next = parts.token(next + 1).after(next + 1);
    }
    sorting.sort_unstable();
    let settled = override_equal(parts, &mut sorting, duplicates);
    let begin = parts.aside.index.len();
    for entry in &sorting {
        if !parts.token(place(*entry)).is_overridden() {
            parts.aside.index.push(place(*entry));
        }
    }
    let left = parts.aside.index.len() - begin;
    parts.set_index(at, begin as u32);
    parts.aside.sorting = sorting;
    settled?;
    Ok(left as u32)
}

/// The token's place in an entry: its low half.
fn place(entry: u64) -> u32 {
    entry as u32
}

/// Sorts runs of one hash by key and by place, and overrides all but the last of equal keys.
fn override_equal(parts: &mut Parts<'_>, sorted: &mut [u64], duplicates: DuplicateKeys) -> Result<(), Fault> {
    let mut repeated: Option<(u32, u32)> = None;
    for run in sorted.chunk_by_mut(|one, other| one >> 32 == other >> 32) {
        if run.len() == 1 {
            continue;
        }
        run.sort_unstable_by(|one, other| {
            let key = |entry: u64| parts.text(parts.token(place(entry)));
            key(*one).cmp(key(*other)).then(one.cmp(other))
        });
        for pair in run.windows(2) {
            let [one, other] = pair else { continue };
            let (one, other) = (place(*one), place(*other));
            if parts.text(parts.token(one)) != parts.text(parts.token(other)) {
                continue;
            }
            // The first repetition in the input is the one to name, whatever order the hashes are in.
            if repeated.is_none_or(|(_, first)| other < first) {
                repeated = Some((one, other));
            }
            if duplicates == DuplicateKeys::LastWins {
                parts.override_key(one, other, duplicates)?;
            }
        }
    }
    match (repeated, duplicates) {
        (Some((one, other)), DuplicateKeys::Refuse) => parts.override_key(one, other, duplicates),
        (_, DuplicateKeys::Refuse | DuplicateKeys::LastWins) => Ok(()),
    }
}

impl Parts<'_> {
    /// One member's key is another's too, further on.
    fn override_key(&mut self, earlier: u32, later: u32, duplicates: DuplicateKeys) -> Result<(), Fault> {
        match duplicates {
            DuplicateKeys::LastWins => {
                if let Some(token) = self.tokens.get_mut(earlier as usize) {
                    token.override_it();
                }
                Ok(())
            }
            DuplicateKeys::Refuse => {
                Err(Fault { offset: self.key_offset(self.token(later)), what: What::DuplicateKey })
            }
        }
    }

    pub(super) fn set_index(&mut self, at: u32, begin: u32) {
        if let Some(token) = self.tokens.get_mut(at as usize) {
            token.more = begin;
        }
    }

    /// The token at a place; null past the end, where the tape never looks.
    #[inline(always)]
    pub(super) fn token(&self, at: u32) -> Token {
        self.tokens.get(at as usize).copied().unwrap_or(Token::NULL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_its_words() {
        let key: Vec<u8> = (1..=40).collect();
        for length in 0..=key.len() {
            let key = &key[..length];
            let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            let (first, rest) = key.split_at(length.min(WORD));
            assert_eq!(words(key), (word(first), word(&rest[rest.len().saturating_sub(WORD)..])), "{length}");
        }
    }
}
