//! Where a walk's findings go. The sink decides what a walk does: stop at the first failure, go on, or cast.
//!
//! In: problems, each keyed by the tokens of its place. Out: whatever the sink keeps. The walk itself keeps
//! nothing, so the sink is the bound on memory.

use std::ops::ControlFlow;

use crate::program::InstructionId;
use crate::value::Identity;

/// One token of a path: a step from a container to a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'v> {
    /// A member's key, as the instance spells it.
    Key(&'v str),
    /// An item's index.
    Index(usize),
}

/// In what way an instruction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Fault {
    /// It says no.
    Failed,
    /// A limit ran out before it could say yes or no.
    Unchecked,
    /// `contains`: fewer items match than must.
    TooFew,
    /// `contains`: more items match than may. `oneOf`: more than one branch passes.
    TooMany,
    /// `anyOf`, `oneOf`: the tag names no branch. Reported at the tag.
    Tag,
    /// `patternProperties`: a name matches a pattern whose schema is `false`.
    Pattern,
}

/// One reason why one place of the instance fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Problem {
    pub(crate) instruction: InstructionId,
    pub(crate) fault: Fault,
}

/// What a walk is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Only the verdict: stop at the first failure.
    Accept,
    /// Every problem: go on after a failure.
    Report,
    /// The places whose numbers are cast, in a value that has passed.
    Cast,
}

/// Receives what a walk finds.
pub(crate) trait Sink<'v> {
    /// What the walk is for; a constant, so that each walk is compiled for its own sink.
    const MODE: Mode;
    /// Whether the compiler's rewrites are made use of.
    const FUSED: bool = true;

    /// A problem at the place with these tokens, outermost first. `Break` ends the walk.
    fn problem(&mut self, path: &[Token<'v>], place: Identity, problem: Problem) -> ControlFlow<()>;

    /// A number that is handed on as an integer.
    fn cast(&mut self, place: Identity);
}

/// Keeps nothing, and walks the program as it was compiled: what the rewrites are held to.
#[derive(Debug)]
pub(crate) struct PlainSink;

impl Sink<'_> for PlainSink {
    const MODE: Mode = Mode::Accept;
    const FUSED: bool = false;

    fn problem(&mut self, _: &[Token<'_>], _: Identity, _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn cast(&mut self, _: Identity) {}
}

/// Keeps nothing.
#[derive(Debug)]
pub(crate) struct NoSink;

impl Sink<'_> for NoSink {
    const MODE: Mode = Mode::Accept;

    #[inline]
    fn problem(&mut self, _: &[Token<'_>], _: Identity, _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn cast(&mut self, _: Identity) {}
}
