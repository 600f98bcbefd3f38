//! A keyed hash of a few words.
//!
//! In: words, and two random keys. Out: a hash. For what an attacker cannot choose bit by bit (addresses, ids, short
//! prints of values whose equality is confirmed); whole values are hashed by std's keyed hasher. A product of twice
//! the width, folded: two multiplications a word.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

/// Two keys, drawn anew for every table; std's tables take it as their hasher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixing(u64, u64);

impl Default for Mixing {
    fn default() -> Self {
        let random = RandomState::new();
        Mixing(random.hash_one(0), random.hash_one(1) | 1)
    }
}

impl Mixing {
    /// The hash of one word.
    #[inline]
    pub(crate) fn word(self, word: u64) -> u64 {
        fold(word ^ self.0, self.1)
    }

    /// The hash of a key that is made of a few words.
    #[inline]
    pub(crate) fn hash(self, key: impl Hash) -> u64 {
        self.hash_one(key)
    }
}

/// The two halves of a product of twice the width, folded: every bit of both words reaches every bit of it.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    // The cuts keep the two halves.
    product as u64 ^ (product >> 64) as u64
}

/// The state of one hash.
#[derive(Debug)]
pub(crate) struct Mixed {
    state: u64,
    by: u64,
}

impl BuildHasher for Mixing {
    type Hasher = Mixed;

    #[inline]
    fn build_hasher(&self) -> Mixed {
        Mixed { state: self.0, by: self.1 }
    }
}

impl Hasher for Mixed {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.state = fold(self.state ^ word, self.by);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}
