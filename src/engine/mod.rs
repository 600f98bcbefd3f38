//! The engine: one program meets one value.
//!
//! In: a frozen program and an instance. Out: [`accept`] a verdict, [`report`] every problem into a sink, [`cast`]
//! the places whose numbers are handed on as integers. The three are one walk ([`walk`]) with three sinks, so
//! that each keyword's meaning stands once and the three cannot disagree. Where only the verdict is wanted, a node is run
//! by the operations that the compiler prepared for it ([`fused`]); what they leave to a keyword is that keyword's own
//! code, and [`accept_plain`] is what they are held to.
//!
//! Cost is bounded by the meter, by the memo's entries and by the depth counter of [`scratch`], all from
//! [`crate::limits`]; running out is a third [`verdict`].

mod array;
pub(crate) mod cast;
mod common;
mod custom;
mod fused;
mod key;
mod logic;
mod memo;
mod number;
mod object;
mod place;
pub(crate) mod pool;
pub(crate) mod scratch;
pub(crate) mod sink;
mod string;
mod unevaluated;
pub(crate) mod verdict;
mod walk;

use scratch::State;
use sink::{NoSink, PlainSink, Sink};
use verdict::Verdict;
use walk::Walk;

use crate::limits::Limits;
use crate::program::Program;
use crate::value::{Instance, View};

/// The verdict alone. Stops at the first failure; allocates nothing with a warm state. Inlined, since a small value takes
/// little more time than a call.
#[inline(always)]
pub(crate) fn accept<'v, I: Instance<'v>>(
    program: &Program,
    limits: &Limits,
    state: &mut State,
    value: I,
) -> Verdict {
    if let (Some(members), View::Object(object)) = (program.root_members(), value.view()) {
        state.begin_counted(limits);
        return Walk::new(program, limits, state, &mut NoSink).root_members::<I>(members, object);
    }
    decide(program, limits, state, value, &mut NoSink)
}

/// What [`accept`] says, from the program as it was compiled, without rewrites.
pub(crate) fn accept_plain<'v, I: Instance<'v>>(
    program: &Program,
    limits: &Limits,
    state: &mut State,
    value: I,
) -> Verdict {
    decide(program, limits, state, value, &mut PlainSink)
}

#[inline(always)]
fn decide<'v, I: Instance<'v>, S: Sink<'v>>(
    program: &Program,
    limits: &Limits,
    state: &mut State,
    value: I,
    sink: &mut S,
) -> Verdict {
    state.begin(limits, !program.uses_memory());
    if program.has_custom_keywords() {
        state.shallow = custom::is_within(value, limits.get_depth(), &mut state.meter) == Ok(true);
    }
    Walk::new(program, limits, state, sink).link(program.root_link(), value)
}

/// Whether a walk has seen all: its steps did not run out, and nothing was left unchecked by another limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) struct Completed(pub(crate) bool);

/// Every problem of a value that [`accept`] has just said no to, with steps and a memo of its own.
pub(crate) fn report<'v, I: Instance<'v>, S: Sink<'v>>(
    program: &Program,
    limits: &Limits,
    state: &mut State,
    value: I,
    sink: &mut S,
) -> Completed {
    state.begin_second(limits);
    Walk::new(program, limits, state, sink).node(program.root(), value);
    Completed(!state.meter.is_exhausted() && !state.unsure)
}

/// The places of a value that [`accept`] has just said yes to whose numbers are cast. The verdict is not yes
/// where the steps ran out, and the cast is then not known in full.
pub(crate) fn cast<'v, I: Instance<'v>, S: Sink<'v>>(
    program: &Program,
    limits: &Limits,
    state: &mut State,
    value: I,
    sink: &mut S,
) -> Verdict {
    state.begin_second(limits);
    let verdict = Walk::new(program, limits, state, sink).node(program.root(), value);
    if state.meter.is_exhausted() { Verdict::Unknown } else { verdict }
}
