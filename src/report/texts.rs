//! The texts of one place, as they are made: the first ten in order, and a count of the rest.
//!
//! In: texts in any order, each with its problem. Out: at most [`LISTED`] of them, sorted, each with the problem whose
//! schema location comes first by bytes; and the exact number of distinct texts.
//!
//! **Exact**: a text is dropped only when ten that come before it are kept, and the tenth only ever moves down, so a
//! dropped text never comes back. It is remembered by two keyed hashes of 64 bits, so that it counts once: a schema's
//! author knows neither key, and would meet a collision once in 2^128 pairs.
//!
//! **Memory**: ten texts, and at most 40 bytes for each further one, as the table of hashes grows.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::keyword::Spelling;
use crate::bound::LISTED;
use crate::engine::sink::Problem;
use crate::limits::{Exhausted, Meter};
use crate::program::Program;

pub(super) struct Texts<'p> {
    program: &'p Program,
    first: BTreeMap<String, Problem>,
    dropped: HashSet<(u64, u64)>,
    keys: (RandomState, RandomState),
    spelling: Spelling<'p>,
}

impl<'p> Texts<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let keys = (RandomState::new(), RandomState::new());
        Texts {
            program,
            first: BTreeMap::new(),
            dropped: HashSet::new(),
            keys,
            spelling: Spelling::default(),
        }
    }

    /// Adds a problem's text. Where the same text is kept already, telling which location comes first is charged.
    pub(super) fn add(&mut self, text: String, problem: Problem, meter: &mut Meter) -> Result<(), Exhausted> {
        if let Some(kept) = self.first.get_mut(&text) {
            *kept = self.spelling.first(self.program, *kept, problem, meter)?;
            return Ok(());
        }
        if self.first.len() < LISTED {
            self.first.insert(text, problem);
            return Ok(());
        }
        let (after, before) = match self.first.last_key_value() {
            Some((last, _)) if text < *last => {
                (self.first.pop_last().map(|(last, _)| last), Some((text, problem)))
            }
            Some(_) | None => (Some(text), None),
        };
        if let Some(after) = after {
            self.dropped.insert((self.keys.0.hash_one(&after), self.keys.1.hash_one(&after)));
        }
        self.first.extend(before);
        Ok(())
    }

    /// The first ten texts in order, and how many more there are.
    pub(super) fn finish(self) -> (BTreeMap<String, Problem>, usize) {
        (self.first, self.dropped.len())
    }
}
