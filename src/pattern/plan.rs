//! How a pattern is run: which matcher, or which matchers together.
//!
//! In: the parser's tree. Out: a [`Plan`], a formula over matchers. It takes what is cheapest: a plain test; a
//! linear match; a conjunction of such, for the look-aheads at `^` and the look-behinds at `$` (the shape of
//! password rules: what they look at does not depend on where the rest matches); places for other look-arounds;
//! backtracking for back-references alone, and there only where what a regular pattern can ask ([`super::relax`]) is
//! fulfilled. A plan has at most one matcher for each look-around and branch of
//! the tree, and each is built within the limits.

use super::ast::{Assertion, Ast, Look, Node};
use super::backtrack::Backtrack;
use super::caches::Caches;
use super::error::Reason;
use super::linear::Linear;
use super::nfa::{For, Program, always_reads};
use super::places::Places;
use super::plain::Plain;
use super::price::Price;
use super::relax::relax;
use super::simplify::{concat, simplify};
use crate::limits::{Exhausted, Limits, Meter};

/// Bytes of the compiled limit that an instruction of ours stands for: what the `regex` crate takes at least.
/// It stops a program that cannot fit before it is written out.
const INSTRUCTION_BYTES: usize = 32;

/// What an automaton takes beside its states, in bytes: its engines, and the same read from right to left (measured on
/// twenty thousand small ones, 6.1 KB each in all).
pub(super) const AUTOMATON_BYTES: usize = 5 << 10;

#[derive(Debug)]
pub(super) enum Plan {
    Plain(Plain),
    Linear(Linear),
    Places(Places),
    Backtrack(Backtrack),
    All(Vec<Plan>),
    Any(Vec<Plan>),
    Not(Box<Plan>),
}

/// A plan, and what it weighs.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) plan: Plan,
    /// Bytes, counted as the `regex` crate does, and [`AUTOMATON_BYTES`].
    pub(super) size: usize,
    pub(super) states: usize,
}

impl Planned {
    pub(super) fn new(ast: Ast, limits: &Limits) -> Result<Planned, Reason> {
        let mut planner = Planner { limits, size: 0, beside: 0, states: 0 };
        let plan = if ast.refers {
            if !limits.get_backtracking() {
                return Err(Reason::Backtracking);
            }
            let program = Program::new(&ast.root, ast.groups, For::Backtracking, planner.cap())?;
            planner.weigh(program.size(), program.len())?;
            let backtrack = Plan::Backtrack(Backtrack::new(program));
            match planner.necessary(&ast.root) {
                Some(necessary) => Plan::All(vec![necessary, backtrack]),
                None => backtrack,
            }
        } else {
            planner.plan(simplify(ast.root))?
        };
        Ok(Planned { plan, size: planner.size + planner.beside, states: planner.states })
    }
}

struct Planner<'l> {
    limits: &'l Limits,
    /// What the limit of one pattern holds.
    size: usize,
    /// What only the limit of all patterns together holds.
    beside: usize,
    states: usize,
}

impl Planner<'_> {
    /// Instructions that a program may have.
    fn cap(&self) -> usize {
        self.limits.get_pattern_bytes().saturating_sub(self.size) / INSTRUCTION_BYTES
    }

    /// Adds a matcher to what the pattern weighs.
    fn weigh(&mut self, size: usize, states: usize) -> Result<(), Reason> {
        self.size = self.size.saturating_add(size);
        self.states = self.states.saturating_add(states);
        if self.size > self.limits.get_pattern_bytes() { Err(Reason::Large) } else { Ok(()) }
    }

    /// What must match wherever `root` does, if a cheap matcher tells it: it runs on every string, tried or not.
    fn necessary(&mut self, root: &Node) -> Option<Plan> {
        let before = (self.size, self.beside, self.states);
        let plan = self.regular(&simplify(relax(root))).ok().filter(Plan::is_quick);
        if plan.is_none() {
            (self.size, self.beside, self.states) = before;
        }
        plan
    }

    /// The depth is the tree's.
    fn plan(&mut self, node: Node) -> Result<Plan, Reason> {
        if !looks(&node) {
            return self.regular(&node);
        }
        match node {
            Node::Alternate(branches) => {
                let (looking, regular): (Vec<Node>, Vec<Node>) = branches.into_iter().partition(looks);
                let mut plans = Vec::new();
                if !regular.is_empty() {
                    plans.push(self.regular(&Node::Alternate(regular))?);
                }
                for branch in looking {
                    plans.push(self.plan(branch)?);
                }
                Ok(Plan::Any(plans))
            }
            Node::Concat(nodes) => self.conjunction(nodes),
            Node::Empty
            | Node::Char(_)
            | Node::Set(_)
            | Node::Assert(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => self.places(&node),
        }
    }

    /// Splits off the look-aheads at the start and the look-behinds at the end.
    fn conjunction(&mut self, nodes: Vec<Node>) -> Result<Plan, Reason> {
        let (start, end) = (Node::Assert(Assertion::Start), Node::Assert(Assertion::End));
        let starts = matches!(nodes.first(), Some(Node::Assert(Assertion::Start)));
        let ends = matches!(nodes.last(), Some(Node::Assert(Assertion::End)));
        let ahead = |node: &&Node| matches!(node, Node::Look(Look { behind: false, .. }, _));
        let behind = |node: &&Node| matches!(node, Node::Look(Look { behind: true, .. }, _));
        let leading = if starts { nodes.iter().skip(1).take_while(ahead).count() } else { 0 };
        let trailing = if ends { nodes.iter().rev().skip(1).take_while(behind).count() } else { 0 };
        if leading + trailing == 0 {
            return self.places(&Node::Concat(nodes));
        }
        let (first_kept, kept_end) = (1 + leading, nodes.len() - 1 - trailing);
        let (mut rest, mut split) = (Vec::new(), Vec::new());
        for (index, node) in nodes.into_iter().enumerate() {
            match node {
                Node::Look(look, body) if starts && (1..first_kept).contains(&index) => {
                    split.push((look, concat([start.clone(), *body])));
                }
                Node::Look(look, body) if ends && index >= kept_end => {
                    split.push((look, concat([*body, end.clone()])));
                }
                Node::Empty
                | Node::Char(_)
                | Node::Set(_)
                | Node::Assert(_)
                | Node::Concat(_)
                | Node::Alternate(_)
                | Node::Repeat { .. }
                | Node::Capture(..)
                | Node::Look(..)
                | Node::Reference(_) => rest.push(node),
            }
        }
        let mut plans = Vec::new();
        for (look, body) in split {
            let plan = self.plan(body)?;
            plans.push(if look.negative { Plan::Not(Box::new(plan)) } else { plan });
        }
        plans.push(self.plan(concat(rest))?);
        Ok(Plan::All(plans))
    }

    fn regular(&mut self, node: &Node) -> Result<Plan, Reason> {
        if let Some(plain) = Plain::new(node) {
            self.weigh(plain.size(), 1)?;
            return Ok(Plan::Plain(plain));
        }
        if splits_characters(node) {
            return self.places(node);
        }
        let program = Program::new(node, 0, For::Sets, self.cap())?;
        let left = self.limits.get_pattern_bytes().saturating_sub(self.size);
        let linear = Linear::new(node, &program, left)?;
        // What is compiled is within the limit, so an estimate above it is only an estimate.
        self.weigh(program.regex_size().min(left), program.len())?;
        self.beside += AUTOMATON_BYTES;
        Ok(Plan::Linear(linear))
    }

    fn places(&mut self, node: &Node) -> Result<Plan, Reason> {
        let program = Program::new(node, 0, For::Sets, self.cap())?;
        self.weigh(program.size(), program.len())?;
        Ok(Plan::Places(Places::new(program)))
    }
}

/// Whether the `regex` crate could find `\B` between the bytes of one character, where ECMA-262 has no place.
///
/// It throws such matches away, but only empty ones can begin there, and after that `is_match` forgets what it
/// was following: `(?:\D|\B){2}` does not match `"a\u{2028}a"` with version 1.13.2, though `find` finds it.
fn splits_characters(node: &Node) -> bool {
    fn negates_boundary(node: &Node) -> bool {
        match node {
            Node::Assert(assertion) => *assertion == Assertion::NotWordBoundary,
            Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().any(negates_boundary),
            Node::Repeat { node, .. } | Node::Capture(_, node) | Node::Look(_, node) => {
                negates_boundary(node)
            }
            Node::Empty | Node::Char(_) | Node::Set(_) | Node::Reference(_) => false,
        }
    }
    negates_boundary(node) && !always_reads(node)
}

/// Whether any look-around is in `node`.
fn looks(node: &Node) -> bool {
    match node {
        Node::Look(..) => true,
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().any(looks),
        Node::Repeat { node, .. } | Node::Capture(_, node) => looks(node),
        Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) | Node::Reference(_) => false,
    }
}

impl Plan {
    /// The depth is that of look-arounds in the pattern.
    pub(super) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
        limits: &Limits,
    ) -> Result<bool, Exhausted> {
        match self {
            Plan::Plain(plain) => plain.is_match(text, meter),
            Plan::Linear(linear) => linear.is_match(text, meter, caches),
            Plan::Places(places) => places.is_match(text, meter, caches),
            Plan::Backtrack(backtrack) => backtrack.is_match(text, meter, caches, limits),
            Plan::Not(plan) => plan.is_match(text, meter, caches, limits).map(|found| !found),
            Plan::All(plans) => {
                for plan in plans {
                    if !plan.is_match(text, meter, caches, limits)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Plan::Any(plans) => {
                for plan in plans {
                    if plan.is_match(text, meter, caches, limits)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Whether its price has no factor for its states.
    fn is_quick(&self) -> bool {
        match self {
            Plan::Plain(_) => true,
            Plan::Linear(linear) => linear.price() == Price::Quick,
            Plan::Places(_) | Plan::Backtrack(_) | Plan::All(_) | Plan::Any(_) | Plan::Not(_) => false,
        }
    }

    pub(super) fn backtracks(&self) -> bool {
        match self {
            Plan::Backtrack(_) => true,
            Plan::Plain(_) | Plan::Linear(_) | Plan::Places(_) => false,
            Plan::Not(plan) => plan.backtracks(),
            Plan::All(plans) | Plan::Any(plans) => plans.iter().any(Plan::backtracks),
        }
    }
}
