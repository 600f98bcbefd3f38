//! Every problem, streamed, for those who want more than ten.
//!
//! In: problems from the engine. Out: each handed to a closure as a [`Found`], which renders only what it is asked
//! for. Nothing is kept but the way to the last place, so nothing grows; a problem may come more than once where a value is reached by several
//! routes.

use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;

use super::keyword::{keyword, schema_location};
use super::path::spell;
use super::text::text;
use super::trail::Trail;
use crate::engine::sink::{Mode, Problem, Sink, Token};
use crate::program::Program;
use crate::value::{Identity, Instance};

/// One problem of one place, as a visit comes upon it. Every accessor renders anew, in time bounded by what it
/// keeps (and, for a text, by the value's length where it tells one).
pub struct Found<'a> {
    program: &'a Program,
    path: &'a [Token<'a>],
    problem: Problem,
    texts: &'a dyn Texts,
}

impl Found<'_> {
    /// Where in the data; spelled and bounded as [`Entry::path`](super::Entry::path).
    pub fn path(&self) -> String {
        super::path::path(self.path)
    }

    /// Where in the data, as a JSON Pointer; bounded as [`Entry::pointer`](super::Entry::pointer).
    pub fn pointer(&self) -> String {
        spell(self.path).pointer
    }

    /// Whether the pointer was cut and leads nowhere.
    pub fn pointer_is_cut(&self) -> bool {
        spell(self.path).pointer_is_cut
    }

    /// What is wrong; as [`Problem::text`](super::Problem::text).
    pub fn text(&self) -> String {
        self.texts.text(self.program, self.problem)
    }

    /// The schema's keyword that was not met; as [`Problem::keyword`](super::Problem::keyword).
    pub fn keyword(&self) -> &str {
        keyword(self.program, self.problem)
    }

    /// Where that keyword stands; as [`Problem::schema_location`](super::Problem::schema_location).
    pub fn schema_location(&self) -> String {
        schema_location(self.program, self.problem)
    }
}

impl fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("path", &self.path())
            .field("keyword", &self.keyword())
            .field("text", &self.text())
            .finish_non_exhaustive()
    }
}

/// Makes texts for an instance of any kind, so that [`Found`] need not name the kind.
trait Texts {
    fn text(&self, program: &Program, problem: Problem) -> String;
}

/// The place that the walk has come upon.
struct Here<'h, 'v, I> {
    path: &'h [Token<'v>],
    trail: &'h RefCell<Trail<'v, I>>,
}

impl<'v, I: Instance<'v>> Texts for Here<'_, 'v, I> {
    fn text(&self, program: &Program, problem: Problem) -> String {
        // Borrowed for this one step, in which nothing of the visitor's own runs.
        let value = self.trail.borrow_mut().value(self.path);
        text(program, problem, value)
    }
}

/// Hands each problem to a closure, until it breaks off.
pub(crate) struct Visitor<'p, 'v, I, F> {
    program: &'p Program,
    trail: RefCell<Trail<'v, I>>,
    visit: F,
}

impl<'p, 'v, I, F> Visitor<'p, 'v, I, F>
where
    I: Instance<'v>,
    F: FnMut(&Found<'_>) -> ControlFlow<()>,
{
    /// A visitor of the problems that `program` has with `root`.
    pub(crate) fn new(program: &'p Program, root: I, visit: F) -> Self {
        Visitor { program, trail: RefCell::new(Trail::new(root)), visit }
    }
}

impl<'v, I, F> Sink<'v> for Visitor<'_, 'v, I, F>
where
    I: Instance<'v>,
    F: FnMut(&Found<'_>) -> ControlFlow<()>,
{
    type Path = Vec<Token<'v>>;
    const MODE: Mode = Mode::Report;

    fn problem(&mut self, path: &[Token<'v>], problem: Problem) -> ControlFlow<()> {
        let here = Here { path, trail: &self.trail };
        (self.visit)(&Found { program: self.program, path, problem, texts: &here })
    }

    fn cast(&mut self, _: Identity) {}
}
