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

/// How a failing place is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// For the first time, and nothing else leads to it.
    First,
    /// It may have been counted before.
    Unsure(Identity),
}

/// What a sink still keeps of the places below a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Any of them may be kept.
    Within,
    /// The next token decides.
    Open,
    /// None is, whatever comes.
    Past,
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

/// Where a walk is, as far as its sink wants to know.
pub(crate) trait Path<'v>: Default {
    /// Goes to a child.
    fn push(&mut self, token: Token<'v>);
    /// Goes back.
    fn pop(&mut self);
    /// The tokens, outermost first.
    fn tokens(&self) -> &[Token<'v>];
}

impl<'v> Path<'v> for Vec<Token<'v>> {
    #[inline]
    fn push(&mut self, token: Token<'v>) {
        Vec::push(self, token);
    }

    #[inline]
    fn pop(&mut self) {
        Vec::pop(self);
    }

    #[inline]
    fn tokens(&self) -> &[Token<'v>] {
        self
    }
}

/// For a walk that tells of no place: a check of a small value takes little more time than to make a vector.
impl<'v> Path<'v> for () {
    #[inline]
    fn push(&mut self, _: Token<'v>) {}

    #[inline]
    fn pop(&mut self) {}

    #[inline]
    fn tokens(&self) -> &[Token<'v>] {
        &[]
    }
}

/// Receives what a walk finds.
pub(crate) trait Sink<'v> {
    /// Whether it wants to know where the walk is.
    type Path: Path<'v>;
    /// What the walk is for; a constant, so that each walk is compiled for its own sink.
    const MODE: Mode;
    /// Whether the compiler's rewrites are made use of.
    const FUSED: bool = true;

    /// A problem at the counted place with these tokens, outermost first. `Break` ends the walk.
    fn problem(&mut self, path: &[Token<'v>], problem: Problem) -> ControlFlow<()>;

    /// A place that has a problem, told before the problem is. What counting it cost beyond a step, in steps.
    #[inline]
    fn count(&mut self, _: Place) -> u64 {
        0
    }

    /// Problems at so many places of which nothing is kept, none of them counted before.
    #[inline]
    fn count_new(&mut self, _: usize) {}

    /// What is still kept of the places below a path; asked anew when [`Sink::changes`] has changed.
    #[inline]
    fn reach(&mut self, _: &[Token<'v>]) -> Reach {
        Reach::Within
    }

    /// Counts what may change [`Sink::reach`].
    #[inline]
    fn changes(&self) -> u32 {
        0
    }

    /// Whether nothing is kept of the place that `token` leads to from a path of so many tokens, where it decides, or of
    /// those below it.
    #[inline]
    fn is_past(&mut self, _: usize, _: Token<'v>) -> bool {
        false
    }

    /// A number that is handed on as an integer.
    fn cast(&mut self, place: Identity);
}

/// Keeps nothing, and walks the program as it was compiled: what the rewrites are held to.
#[derive(Debug)]
pub(crate) struct PlainSink;

impl Sink<'_> for PlainSink {
    type Path = ();
    const MODE: Mode = Mode::Accept;
    const FUSED: bool = false;

    fn problem(&mut self, _: &[Token<'_>], _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn cast(&mut self, _: Identity) {}
}

/// Keeps nothing.
#[derive(Debug)]
pub(crate) struct NoSink;

impl Sink<'_> for NoSink {
    type Path = ();
    const MODE: Mode = Mode::Accept;

    #[inline]
    fn problem(&mut self, _: &[Token<'_>], _: Problem) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn cast(&mut self, _: Identity) {}
}
