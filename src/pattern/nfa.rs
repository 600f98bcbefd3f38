//! Instructions on code points, for the two matchers that are our own and for the price of a linear match.
//!
//! In: a tree. Out: a [`Program`] of at most `cap` instructions. It grows with the product of nested counts
//! (`(a{9}){9}`), since repetitions are written out; every copy is charged against `cap`, an empty one too.
//!
//! The two matchers want different programs ([`For`]). The set matcher asks at which places a look-around
//! holds, so it runs a look-ahead's body from right to left, and needs no captures. The backtracker runs as
//! ECMA-262 §22.2.2 says: a look-behind's body from right to left, captures set aside at each iteration
//! (step 4 of RepeatMatcher), and no optional iteration that reads nothing (step 2.b).

use std::sync::Arc;

use super::ast::{Assertion, Look, Node};
use super::error::Reason;
use super::runs;
use super::set::Set;

/// An instruction's place.
pub(super) type At = u32;

#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Char(char, At),
    Set(Arc<Set>, At),
    /// Both, the first one first.
    Split(At, At),
    /// What the instruction `one` reads, as often as it can and then less often: for the backtracker.
    Run {
        one: At,
        next: At,
        /// What comes next, but for saving.
        follow: At,
        /// Whether nothing that `one` reads can be read there: a run then gives back nothing.
        alone: bool,
    },
    Assert(Assertion, At),
    /// A look-around, by the number of its [`Entry`].
    Look {
        entry: u32,
        negative: bool,
        next: At,
    },
    /// Notes the place in the text in a slot.
    Save(u32, At),
    /// Fails where nothing was read since the slot was saved.
    Moved(u32, At),
    /// Empties the slots from the first to before the second.
    Clear(u32, u32, At),
    /// The text between the slots `2·g` and `2·g + 1` again, or nothing if either is empty.
    Reference(u32, At),
    Match,
    /// Nowhere to go on: an empty repetition's end that nothing reaches, or a set without members.
    Fail,
}

/// Where a run begins, and in which direction it reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) start: At,
    pub(super) backward: bool,
}

/// For which matcher a program is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    Sets,
    Backtracking,
}

#[derive(Debug)]
pub(super) struct Program {
    code: Box<[Instruction]>,
    /// Look-arounds, inner ones before those around them; last the pattern itself.
    entries: Box<[Entry]>,
    slots: usize,
}

impl Program {
    /// Compiles `node`, which has `groups` capturing groups, into at most `cap` instructions.
    pub(super) fn new(node: &Node, groups: u32, purpose: For, cap: usize) -> Result<Program, Reason> {
        let mut compiler = Compiler {
            code: Vec::new(),
            entries: Vec::new(),
            purpose,
            backward: false,
            // Slots 0 and 1 would be the whole match, which nobody asks for; they keep `2·g` simple.
            slots: 2 * (groups + 1),
            left: cap,
        };
        let end = compiler.push(Instruction::Match)?;
        let start = compiler.node(node, end)?;
        compiler.entries.push(Entry { start, backward: false });
        runs::link(&mut compiler.code);
        Ok(Program {
            code: compiler.code.into(),
            entries: compiler.entries.into(),
            slots: compiler.slots as usize,
        })
    }

    /// The instruction there. A place that is none cannot be compiled; it would fail.
    #[inline]
    pub(super) fn get(&self, at: At) -> &Instruction {
        self.code.get(at as usize).unwrap_or(&Instruction::Fail)
    }

    pub(super) fn code(&self) -> &[Instruction] {
        &self.code
    }

    pub(super) fn len(&self) -> usize {
        self.code.len()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Where the pattern itself begins.
    pub(super) fn start(&self) -> At {
        self.entries.last().map_or(At::MAX, |entry| entry.start)
    }

    pub(super) fn slots(&self) -> usize {
        self.slots
    }

    /// Bytes of memory.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.code) + self.sets().map(Set::size).sum::<usize>()
    }

    /// Bytes that the `regex` crate would count for the same pattern, measured: a literal byte takes 32, a set
    /// of ASCII about 112, any other about 24 for each state of its UTF-8, a choice 40.
    pub(super) fn regex_size(&self) -> usize {
        let one = |instruction: &Instruction| match instruction {
            Instruction::Char(c, _) => 32 * c.len_utf8(),
            Instruction::Set(set, _) if set.is_ascii() => 112,
            Instruction::Set(set, _) => 112 + 24 * set.utf8_states(),
            Instruction::Split(..)
            | Instruction::Run { .. }
            | Instruction::Assert(..)
            | Instruction::Look { .. }
            | Instruction::Save(..)
            | Instruction::Moved(..)
            | Instruction::Clear(..)
            | Instruction::Reference(..)
            | Instruction::Match
            | Instruction::Fail => 40,
        };
        self.code.iter().map(one).sum()
    }

    /// Its sets, each once for every group of neighbours that share it.
    fn sets(&self) -> impl Iterator<Item = &Set> {
        let mut last: Option<&Arc<Set>> = None;
        self.code.iter().filter_map(move |instruction| {
            let Instruction::Set(set, _) = instruction else { return None };
            let known = last.is_some_and(|last| Arc::ptr_eq(last, set));
            last = Some(set);
            (!known).then_some(&**set)
        })
    }
}

struct Compiler {
    code: Vec<Instruction>,
    entries: Vec<Entry>,
    purpose: For,
    /// Whether what is compiled now will be read from right to left.
    backward: bool,
    slots: u32,
    /// Instructions and copies that may still come.
    left: usize,
}

impl Compiler {
    fn charge(&mut self) -> Result<(), Reason> {
        self.left = self.left.checked_sub(1).ok_or(Reason::Large)?;
        Ok(())
    }

    fn push(&mut self, instruction: Instruction) -> Result<At, Reason> {
        self.charge()?;
        let at = At::try_from(self.code.len()).map_err(|_| Reason::Large)?;
        self.code.push(instruction);
        Ok(at)
    }

    fn set(&mut self, at: At, instruction: Instruction) {
        if let Some(place) = self.code.get_mut(at as usize) {
            *place = instruction;
        }
    }

    /// Compiles `node` so that it goes on at `next`; the answer is where it begins. The depth is the tree's.
    fn node(&mut self, node: &Node, next: At) -> Result<At, Reason> {
        match node {
            Node::Empty => Ok(next),
            Node::Char(c) => self.push(Instruction::Char(*c, next)),
            Node::Set(set) if set.ranges().is_empty() => self.push(Instruction::Fail),
            Node::Set(set) => self.push(Instruction::Set(Arc::clone(set), next)),
            Node::Assert(assertion) => self.push(Instruction::Assert(*assertion, next)),
            Node::Concat(nodes) if self.backward => nodes.iter().try_fold(next, |next, n| self.node(n, next)),
            Node::Concat(nodes) => nodes.iter().rev().try_fold(next, |next, n| self.node(n, next)),
            Node::Alternate(nodes) => {
                let mut branches = nodes.iter().rev();
                let last = branches.next().map_or(Ok(next), |n| self.node(n, next))?;
                branches.try_fold(last, |rest, n| {
                    let branch = self.node(n, next)?;
                    self.push(Instruction::Split(branch, rest))
                })
            }
            Node::Repeat { node, min, max, lazy } => self.repeat(node, *min, *max, *lazy, next),
            Node::Capture(group, node) => self.capture(*group, node, next),
            Node::Look(look, node) => self.look(*look, node, next),
            Node::Reference(group) => self.push(Instruction::Reference(*group, next)),
        }
    }

    fn capture(&mut self, group: u32, node: &Node, next: At) -> Result<At, Reason> {
        match self.purpose {
            For::Sets => self.node(node, next),
            For::Backtracking => {
                let (start, end) = (2 * group, 2 * group + 1);
                let (first, last) = if self.backward { (end, start) } else { (start, end) };
                let next = self.push(Instruction::Save(last, next))?;
                let next = self.node(node, next)?;
                self.push(Instruction::Save(first, next))
            }
        }
    }

    fn look(&mut self, look: Look, node: &Node, next: At) -> Result<At, Reason> {
        let outer = self.backward;
        self.backward = match self.purpose {
            For::Sets => !look.behind,
            For::Backtracking => look.behind,
        };
        let end = self.push(Instruction::Match)?;
        let start = self.node(node, end)?;
        let entry = u32::try_from(self.entries.len()).map_err(|_| Reason::Large)?;
        self.entries.push(Entry { start, backward: self.backward });
        self.backward = outer;
        self.push(Instruction::Look { entry, negative: look.negative, next })
    }

    fn repeat(
        &mut self,
        node: &Node,
        min: u32,
        max: Option<u32>,
        lazy: bool,
        next: At,
    ) -> Result<At, Reason> {
        let (mut at, copies) = match max {
            Some(max) => {
                let mut at = next;
                let moved = if min < max { self.slot(node) } else { None };
                for _ in min..max {
                    self.charge()?;
                    let once = self.iteration(node, moved, at)?;
                    at = self.split(once, next, lazy)?;
                }
                (at, min)
            }
            None if !lazy && self.purpose == For::Backtracking && reads_one(node) => {
                // The run decides where to go on, not the instruction that reads.
                let one = self.node(node, next)?;
                let run = Instruction::Run { one, next, follow: next, alone: false };
                (self.push(run)?, min)
            }
            None if min == 0 => {
                let again = self.push(Instruction::Fail)?;
                let moved = self.slot(node);
                let once = self.iteration(node, moved, again)?;
                self.set(again, Self::split_of(once, next, lazy));
                (again, 0)
            }
            None => {
                // At least once, without a second copy of the body (nested, copies would double at each
                // level): the body, then the choice. The first time round the slot is empty and so lets pass.
                let again = self.push(Instruction::Fail)?;
                let moved = self.slot(node);
                let body = match moved {
                    Some(slot) => {
                        let check = self.push(Instruction::Moved(slot, again))?;
                        self.body(node, check)?
                    }
                    None => self.body(node, again)?,
                };
                let once = match moved {
                    Some(slot) => self.push(Instruction::Save(slot, body))?,
                    None => body,
                };
                self.set(again, Self::split_of(once, next, lazy));
                let first = match moved {
                    Some(slot) => self.push(Instruction::Clear(slot, slot + 1, body))?,
                    None => body,
                };
                (first, min - 1)
            }
        };
        for _ in 0..copies {
            self.charge()?;
            at = self.body(node, at)?;
        }
        Ok(at)
    }

    /// A new slot to see whether an optional iteration of `node` read anything, if that is in doubt. Sets of
    /// places need none: there an iteration that reads nothing leads where its absence leads.
    fn slot(&mut self, node: &Node) -> Option<u32> {
        match self.purpose {
            For::Sets => None,
            For::Backtracking if always_reads(node) => None,
            For::Backtracking => {
                self.slots += 1;
                Some(self.slots - 1)
            }
        }
    }

    /// An optional iteration.
    fn iteration(&mut self, node: &Node, moved: Option<u32>, next: At) -> Result<At, Reason> {
        let Some(slot) = moved else { return self.body(node, next) };
        let check = self.push(Instruction::Moved(slot, next))?;
        let body = self.body(node, check)?;
        self.push(Instruction::Save(slot, body))
    }

    /// An iteration: what it captured before is forgotten.
    fn body(&mut self, node: &Node, next: At) -> Result<At, Reason> {
        let body = self.node(node, next)?;
        match (self.purpose, captures(node)) {
            (For::Backtracking, Some((first, last))) => {
                self.push(Instruction::Clear(2 * first, 2 * last + 2, body))
            }
            (For::Backtracking, None) | (For::Sets, _) => Ok(body),
        }
    }

    fn split(&mut self, once: At, next: At, lazy: bool) -> Result<At, Reason> {
        self.push(Self::split_of(once, next, lazy))
    }

    fn split_of(once: At, next: At, lazy: bool) -> Instruction {
        if lazy { Instruction::Split(next, once) } else { Instruction::Split(once, next) }
    }
}

/// The first and the last group inside `node`; they are numbered from left to right, without a gap.
fn captures(node: &Node) -> Option<(u32, u32)> {
    let join = |a: Option<(u32, u32)>, b: Option<(u32, u32)>| match (a, b) {
        (Some((first, _)), Some((_, last))) => Some((first, last)),
        (one, None) | (None, one) => one,
    };
    match node {
        Node::Capture(group, node) => join(Some((*group, *group)), captures(node)),
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().map(captures).fold(None, join),
        Node::Repeat { node, .. } | Node::Look(_, node) => captures(node),
        Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) | Node::Reference(_) => None,
    }
}

/// Whether `node` reads one character, by one instruction.
fn reads_one(node: &Node) -> bool {
    match node {
        Node::Char(_) => true,
        Node::Set(set) => !set.ranges().is_empty(),
        Node::Empty
        | Node::Assert(_)
        | Node::Concat(_)
        | Node::Alternate(_)
        | Node::Repeat { .. }
        | Node::Capture(..)
        | Node::Look(..)
        | Node::Reference(_) => false,
    }
}

/// Whether `node` cannot match without reading a code point.
pub(super) fn always_reads(node: &Node) -> bool {
    match node {
        Node::Char(_) | Node::Set(_) => true,
        Node::Concat(nodes) => nodes.iter().any(always_reads),
        Node::Alternate(nodes) => nodes.iter().all(always_reads),
        Node::Repeat { node, min, .. } => *min > 0 && always_reads(node),
        Node::Capture(_, node) => always_reads(node),
        Node::Empty | Node::Assert(_) | Node::Look(..) | Node::Reference(_) => false,
    }
}
