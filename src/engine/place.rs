//! The places of a report: which value the walk is at, whether its problems can still be kept, and how it is counted.
//!
//! In: the walk as it goes from a value to its children and back, and the problems that it finds. Out: problems and counts
//! for the sink. Memory is a few words a level, on the call stack.
//!
//! A report has to count every failing place and can keep only ten. So most of what fails in a large value is only
//! counted, which takes a few nanoseconds:
//!
//! - a value that enters one node as a child and nothing else ([`Node::once`](crate::program::Node)) is left before any
//!   other is entered on its level, so a flag tells whether it was counted; no set has to be asked;
//! - the sink says from where on nothing is kept any more ([`Reach`]), so that behind it no path is spelled;
//! - a value without children is first asked as an accept asks: what passes has no problem, and what fails behind the
//!   kept is counted once, whatever its problems are;
//! - what the branches of a union refuse behind the kept is counted for all of them together ([`common`](super::common)).

use std::ops::ControlFlow;

use super::sink::{Fault, Mode, Path, Place, Problem, Reach, Sink, Token};
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::problem_steps;
use crate::program::{InstructionId, Link, NodeId};
use crate::value::{Identity, Instance, Kind, Kinds};

/// What is known of the value that the walk is at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Whether nothing else leads to this place: then `counted` knows whether it was counted.
    once: bool,
    counted: bool,
    /// Whether nothing at this place or below it is kept.
    pub(super) past: bool,
    /// What the sink said of the places below.
    reach: Reach,
    /// The sink's state of which it said so.
    asked: u32,
}

/// Children that were told by their kind to fail.
#[derive(Debug, Default)]
pub(super) struct Counted {
    failing: usize,
    /// Those of them that nothing else leads to, which are not told one by one.
    new: usize,
    /// What it cost to tell the others.
    steps: u64,
}

impl Frame {
    /// Of the root, to which nothing else leads.
    pub(super) const ROOT: Frame =
        Frame { once: true, counted: false, past: false, reach: Reach::Within, asked: 0 };
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// A child meets its node while a report is made.
    pub(super) fn reported_child<I: Instance<'v>>(
        &mut self,
        link: Link,
        token: Token<'v>,
        value: I,
    ) -> Verdict {
        if self.frame.reach == Reach::Past && link.fails.has(value.kind()) && !value.kind().has_children() {
            self.count_child(self.program.node(link.node).once, value);
            return Verdict::No;
        }
        let remembered = self.state.memo.remembered();
        let verdict = self.counted_child(link, token, value);
        if link.forgets() && self.state.memo.remembered() != remembered {
            self.leave(remembered);
        }
        verdict
    }

    fn counted_child<I: Instance<'v>>(&mut self, link: Link, token: Token<'v>, value: I) -> Verdict {
        let once = self.program.node(link.node).once;
        let past = if value.kind().has_children() {
            self.is_past_at_once(token)
        } else {
            if self.state.stopped {
                return Verdict::Yes;
            }
            let fails = link.fails.has(value.kind());
            let verdict = if fails { Verdict::No } else { self.decide(link, value) };
            if verdict == Verdict::Yes {
                return verdict;
            }
            let past = self.is_past(token);
            if past && verdict == Verdict::No {
                self.count_child(once, value);
                return verdict;
            }
            past
        };
        self.below(token, once, past, |walk| walk.node(link.node, value))
    }

    /// Items of which nothing is kept, to the end of their array: those that fail are counted. There are `left` of them,
    /// and most are told by their kind.
    pub(super) fn counted_items<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        link: Link,
        array: I,
        left: usize,
        items: impl Iterator<Item = I>,
    ) -> Verdict {
        if self.state.meter.charge(left as u64).is_err() {
            return self.unchecked(id, array.identity());
        }
        let outer = self.turn_past();
        let mut counted = Counted::default();
        let mut verdict = Verdict::Yes;
        for item in items {
            if let Some(told) = self.counted(link, item, &mut counted) {
                verdict = verdict.and(told);
                if self.ends(verdict) {
                    break;
                }
            }
        }
        let failing = counted.failing;
        self.turn_back(outer, counted);
        if failing > 0 { Verdict::No } else { verdict }
    }

    /// From here on nothing is kept of the place's children; what was known of them before.
    pub(super) fn turn_past(&mut self) -> Reach {
        std::mem::replace(&mut self.frame.reach, Reach::Past)
    }

    /// Undoes [`Walk::turn_past`], and tells what was counted since.
    pub(super) fn turn_back(&mut self, before: Reach, counted: Counted) {
        self.frame.reach = before;
        self.sink.count_new(counted.new);
        let _ = self.state.meter.charge(counted.steps);
    }

    /// A child of which nothing is kept meets its node. What its kind tells is only counted; else its verdict.
    #[inline(always)]
    pub(super) fn counted<I: Instance<'v>>(
        &mut self,
        link: Link,
        value: I,
        counted: &mut Counted,
    ) -> Option<Verdict> {
        let kind = value.kind();
        if link.fails.without(Kinds::CONTAINERS).has(kind) {
            counted.failing += 1;
            if self.program.node(link.node).once {
                counted.new += 1;
            } else {
                counted.steps += self.sink.count(Place::Unsure(value.identity()));
            }
            return None;
        }
        // No path is spelled any more: the index is nobody's.
        if link.passes.has(kind) { None } else { Some(self.reported_child(link, Token::Index(0), value)) }
    }

    /// Does something at a child of the place.
    pub(super) fn below<T>(
        &mut self,
        token: Token<'v>,
        once: bool,
        past: bool,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let reach = if past { Reach::Past } else { Reach::Within };
        // What the sink says is asked of it anew.
        let asked = self.sink.changes().wrapping_sub(1);
        let outer = std::mem::replace(&mut self.frame, Frame { once, counted: false, past, reach, asked });
        if !past {
            self.path.push(token);
        }
        let answer = run(self);
        if !past {
            self.path.pop();
        }
        self.frame = outer;
        answer
    }

    /// Whether nothing at the child that the token leads to, or below it, is kept.
    #[inline]
    pub(super) fn is_past(&mut self, token: Token<'v>) -> bool {
        match self.reach() {
            Reach::Past => true,
            Reach::Within => false,
            Reach::Open => self.sink.is_past(self.path.tokens().len(), token),
        }
    }

    /// The same where it takes no reading of a key; else no.
    #[inline]
    fn is_past_at_once(&mut self, token: Token<'v>) -> bool {
        match (self.reach(), token) {
            (Reach::Past, _) => true,
            (Reach::Within, _) | (Reach::Open, Token::Key(_)) => false,
            (Reach::Open, Token::Index(_)) => self.sink.is_past(self.path.tokens().len(), token),
        }
    }

    #[inline]
    fn reach(&mut self) -> Reach {
        if self.frame.reach != Reach::Past {
            let changes = self.sink.changes();
            if self.frame.asked != changes {
                self.frame.asked = changes;
                self.frame.reach = self.sink.reach(self.path.tokens());
            }
        }
        self.frame.reach
    }

    /// Counts a child of which nothing is kept.
    #[inline]
    fn count_child<I: Instance<'v>>(&mut self, once: bool, value: I) {
        self.count(if once { Place::First } else { Place::Unsure(value.identity()) });
    }

    #[inline]
    fn count(&mut self, place: Place) {
        // Found out by whoever asks next.
        let steps = self.sink.count(place);
        if steps > 0 {
            let _ = self.state.meter.charge(steps);
        }
    }

    /// Whether all that a node which refuses the value says of it is at this place, of which nothing is kept: then it is
    /// counted, and need not be met.
    #[inline]
    pub(super) fn only_counts(&self, node: NodeId, kind: Kind) -> bool {
        self.frame.past && self.program.node(node).quiet.has(kind)
    }

    /// Counts the place where the walk is, if it is not counted yet.
    #[inline]
    pub(super) fn count_here(&mut self, place: Identity) {
        let place = match self.frame {
            Frame { counted: true, .. } => return,
            Frame { once: true, .. } => Place::First,
            Frame { once: false, .. } => Place::Unsure(place),
        };
        self.frame.counted = true;
        self.count(place);
    }

    /// Tells of a problem at the place where the walk is.
    pub(super) fn emit(&mut self, instruction: InstructionId, place: Identity, fault: Fault) {
        if S::MODE != Mode::Report {
            return;
        }
        self.state.unsure |= fault == Fault::Unchecked;
        self.count_here(place);
        if self.frame.past {
            return;
        }
        // Found out by whoever asks next: the problem is told in any case.
        let _ = self.state.meter.charge(problem_steps(self.path.tokens().len()));
        if self.sink.problem(self.path.tokens(), Problem { instruction, fault }) == ControlFlow::Break(()) {
            self.state.stopped = true;
        }
    }
}
