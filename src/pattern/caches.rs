//! Caches of matches, kept from one match to the next, so that a warm match allocates nothing.
//!
//! In: a pattern's automaton that is about to run. Out: its cache, new if none waits, and after the match what was
//! written into it ([`Written`]). A lazy DFA writes its states into its cache as a text leads it to them, so that a schema's
//! patterns and a caller's text together choose its size: all caches of one scratch are held under
//! [`PATTERN_CACHES`], and all dropped where a match has taken them past it. What is written is
//! work that was done, so it is charged: patterns that drive each other out pay each time they come back, and the first
//! match of a new scratch pays too.
//!
//! The two matchers of our own keep nothing of a pattern, so one cache each serves them all.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use regex_automata::meta::Cache;

use super::{backtrack, places};
use crate::limits::PATTERN_CACHES;

/// Which automaton a cache belongs to: one that is run with another's would answer wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AutomatonId(u64);

impl AutomatonId {
    /// One that no other automaton of this process has.
    pub(super) fn fresh() -> AutomatonId {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        AutomatonId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What matches keep. A scratch has one; it serves the patterns of any validator.
#[derive(Default)]
pub(crate) struct Caches {
    automata: HashMap<AutomatonId, Held, BuildHasherDefault<IdHasher>>,
    /// Bytes of all `automata`.
    held: usize,
    pub(super) places: places::Cache,
    pub(super) backtrack: backtrack::Cache,
}

struct Held {
    cache: Box<Cache>,
    /// What the cache told when it was new.
    initial: usize,
    bytes: usize,
}

/// What a match has written into its cache, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// A new cache, if one was made.
    created: usize,
    /// States.
    grown: usize,
}

impl Written {
    /// Steps for making a cache, whatever its size: some 26 allocations in 3 to 5 µs.
    const CREATION: u64 = 400;

    /// Bytes of a new cache that are cleared for the price of one step.
    const CREATED_PER_STEP: usize = 128;

    /// Bytes of states for the price of one step: a state of 160 bytes takes about 400 ns to build.
    const GROWN_PER_STEP: usize = 4;

    /// What making the cache cost, if it was made.
    pub(super) fn creation_steps(self) -> u64 {
        match self.created {
            0 => 0,
            bytes => Written::CREATION + (bytes / Written::CREATED_PER_STEP) as u64,
        }
    }

    /// What building states cost.
    pub(super) fn growth_steps(self) -> u64 {
        (self.grown / Written::GROWN_PER_STEP) as u64
    }
}

impl Caches {
    /// Makes ready for a walk: what it may spend on backtracking is whole again.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.backtrack.begin();
    }

    /// Runs a match with the cache of automaton `id`, which `create` makes if it is not there.
    pub(super) fn run<T>(
        &mut self,
        id: AutomatonId,
        create: impl FnOnce() -> Cache,
        run: impl FnOnce(&mut Cache) -> T,
    ) -> (T, Written) {
        let mut written = Written::default();
        let held = self.automata.entry(id).or_insert_with(|| {
            let cache = Box::new(create());
            let initial = cache.memory_usage();
            written.created = size_of::<Cache>() + initial;
            self.held = self.held.saturating_add(written.created);
            Held { cache, initial, bytes: written.created }
        });
        let answer = run(&mut held.cache);
        // It tells its tables' lengths, exact for a new one; once they have grown, they and the table of its states
        // take up to two and a half times that.
        let grown = held.cache.memory_usage().saturating_sub(held.initial);
        let bytes = size_of::<Cache>() + held.initial + grown * 5 / 2;
        // A lazy DFA that runs full empties its cache, and so may end with less.
        written.grown = bytes.saturating_sub(held.bytes);
        self.held = self.held.saturating_sub(held.bytes).saturating_add(bytes);
        held.bytes = bytes;
        if self.held > PATTERN_CACHES {
            self.automata.clear();
            self.held = 0;
        }
        (answer, written)
    }

    /// Bytes of memory, estimated from capacities.
    pub(crate) fn memory_usage(&self) -> usize {
        let table = self.automata.capacity() * (size_of::<(AutomatonId, Held)>() + 1);
        table + self.held + self.places.memory_usage() + self.backtrack.memory_usage()
    }
}

/// Spreads numbers that nobody chooses: they count up.
#[derive(Default)]
struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The golden ratio in 64 bits: the table reads the highest bits and the lowest.
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
    }
}
