//! The sink of a cast: keeps the places of numbers that are handed on as integers.
//!
//! In: places from a walk over a value that has passed. Out: a set, one entry a number.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::sink::{Mode, Problem, Sink, Token};
use crate::value::Identity;

/// The places of numbers that are cast.
#[derive(Debug, Default)]
pub(crate) struct Casts(pub(crate) HashSet<Identity>);

impl Sink<'_> for Casts {
    type Path = ();
    const MODE: Mode = Mode::Cast;

    fn problem(&mut self, _: &[Token<'_>], _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn cast(&mut self, place: Identity) {
        self.0.insert(place);
    }
}
