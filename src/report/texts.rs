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

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use super::keyword::first_in_schema;
use super::text;
use crate::bound::LISTED;
use crate::engine::sink::Problem;
use crate::limits::{Exhausted, Meter};
use crate::program::Program;

pub(super) struct Texts<'p> {
    program: &'p Program,
    /// Sorted by text.
    first: Vec<(String, Problem)>,
    /// None while nothing is dropped.
    dropped: Option<Dropped>,
}

#[derive(Default)]
struct Dropped {
    hashes: HashSet<(u64, u64)>,
    keys: (RandomState, RandomState),
}

impl<'p> Texts<'p> {
    /// For so many problems.
    pub(super) fn new(program: &'p Program, problems: usize) -> Self {
        Texts { program, first: Vec::with_capacity(problems.min(LISTED)), dropped: None }
    }

    /// Adds a problem whose text is known to be one that is kept: nothing is made. Whether it was.
    pub(super) fn add_like(&mut self, problem: Problem, meter: &mut Meter) -> Result<bool, Exhausted> {
        let like = |(_, kept): &&mut (String, Problem)| text::is_same(self.program, *kept, problem);
        let Some((_, kept)) = self.first.iter_mut().find(like) else { return Ok(false) };
        *kept = first_in_schema(self.program, *kept, problem, meter)?;
        Ok(true)
    }

    /// Adds a problem's text. Where the same text is kept already, telling which location comes first is charged.
    pub(super) fn add(&mut self, text: String, problem: Problem, meter: &mut Meter) -> Result<(), Exhausted> {
        let place = match self.first.binary_search_by(|(kept, _)| kept.cmp(&text)) {
            Ok(found) => {
                if let Some((_, kept)) = self.first.get_mut(found) {
                    *kept = first_in_schema(self.program, *kept, problem, meter)?;
                }
                return Ok(());
            }
            Err(place) => place,
        };
        if place >= LISTED {
            self.drop(&text);
            return Ok(());
        }
        if self.first.len() >= LISTED
            && let Some((last, _)) = self.first.pop()
        {
            self.drop(&last);
        }
        // One was taken out only where this one comes before it.
        self.first.insert(place, (text, problem));
        Ok(())
    }

    fn drop(&mut self, text: &str) {
        let Dropped { hashes, keys } = self.dropped.get_or_insert_default();
        hashes.insert((keys.0.hash_one(text), keys.1.hash_one(text)));
    }

    /// The first ten texts in order, and how many more there are.
    pub(super) fn finish(self) -> (Vec<(String, Problem)>, usize) {
        (self.first, self.dropped.map_or(0, |dropped| dropped.hashes.len()))
    }
}
