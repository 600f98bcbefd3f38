//! A set of places, to count those that may be met twice.
//!
//! In: places in any order, some of them again. Out: how many there are, exactly.
//!
//! **Memory**: neighbouring places (items of one array, members of one node of a map) share a word: sixteen of them, a bit
//! each, under what their identities have in common. At worst each place has a word of its own, in a table of a power of two
//! of buckets, eight bytes and one control byte each, filled to seven eighths, which doubles while the old table still
//! lives: 9 + 18 bytes for each old bucket, at 7/8 of a place a bucket, is 30.9 bytes for each place at the peak, under the
//! [`BYTES_PER_PLACE`] that we promise.
//!
//! **Time**: a few instructions for a place beside the last one; else two look-ups in the table.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use crate::value::Identity;
use crate::value::mixing::Mixing;

/// The most bytes that counting one failing place may take, growth included (a small constant aside).
#[cfg_attr(not(test), expect(dead_code, reason = "a promise that the tests hold"))]
pub(crate) const BYTES_PER_PLACE: usize = 32;

/// What two look-ups cost, in steps: a hundred nanoseconds where the table is larger than the caches.
const LOOK_UPS: u64 = 8;

/// Places of a block, as a power of two.
const PLACES: u32 = 4;

/// Bits of a word that tell the places of a block.
const BITS: u32 = 1 << PLACES;

/// Some neighbouring places: which block, and below it a bit for each that is in the set. Blocks are the same where the
/// first half is.
#[derive(Clone, Copy, Debug, Default)]
struct Block(u64);

impl Block {
    fn which(self) -> u64 {
        self.0 >> BITS
    }

    fn places(self) -> u32 {
        (self.0 << (u64::BITS - BITS)).count_ones()
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        self.which() == other.which()
    }
}

impl Eq for Block {}

impl Hash for Block {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.which());
    }
}

/// The set.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The block of the last place; what is in the set of it is newer.
    current: Block,
    /// How many places of it were there when it was turned to.
    known: u32,
    blocks: HashSet<Block, Mixing>,
    /// Places whose identity does not fit beside the bits: none on the machines of today.
    beyond: HashSet<usize, Mixing>,
    /// All but those that are new in the current block.
    count: usize,
}

impl Places {
    /// Adds a place; what it cost, in steps.
    #[inline]
    pub(super) fn add(&mut self, place: Identity) -> u64 {
        let which = place.0 as u64 >> PLACES;
        if which << BITS >> BITS != which {
            self.count += usize::from(self.beyond.insert(place.0));
            return LOOK_UPS;
        }
        let steps = if which == self.current.which() { 0 } else { self.turn_to(which) };
        self.current.0 |= 1 << (place.0 as u64 & u64::from(BITS - 1));
        steps
    }

    #[inline(never)]
    fn turn_to(&mut self, which: u64) -> u64 {
        if self.current.places() > 0 {
            self.count = self.len();
            self.blocks.replace(self.current);
        }
        let new = Block(which << BITS);
        self.current = self.blocks.get(&new).copied().unwrap_or(new);
        self.known = self.current.places();
        LOOK_UPS
    }

    /// How many different places were added.
    pub(super) fn len(&self) -> usize {
        self.count + (self.current.places() - self.known) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counting_stays_under_its_bytes_for_each_place_while_it_grows() {
        // What a table of this capacity takes: hashbrown's own arithmetic (see the module's docs).
        let bytes = |capacity: usize| (capacity * 8 / 7).next_power_of_two() * 9;
        let small_constant = 64;
        let mut places = Places::default();
        let mut capacity = 0;
        for place in 1..100_000 {
            // No two share a block.
            places.add(Identity(place << PLACES));
            let grown = places.blocks.capacity();
            if grown != capacity {
                let peak = if capacity == 0 { 0 } else { bytes(capacity) } + bytes(grown);
                assert!(peak <= BYTES_PER_PLACE * place + small_constant, "{peak} bytes at {place} places");
                capacity = grown;
            }
        }
        assert_eq!(places.len(), 99_999);
    }

    #[test]
    fn neighbours_share_a_word() {
        let mut places = Places::default();
        (0..16_000).for_each(|place| {
            places.add(Identity(place));
        });
        assert_eq!((places.len(), places.blocks.len()), (16_000, 999));
    }

    proptest! {
        #[test]
        fn each_place_counts_once(drawn in prop::collection::vec((0_usize..3, 0_usize..40), 0..200)) {
            let mut places = Places::default();
            let mut all = BTreeSet::new();
            for (far, near) in drawn {
                // The last does not fit beside the bits.
                let place = [0, 1 << 40, usize::MAX - 100][far] + near;
                places.add(Identity(place));
                all.insert(place);
                prop_assert_eq!(places.len(), all.len());
            }
        }
    }
}
