//! Look-arounds in linear time: the set of all places in the program, moved through the text.
//!
//! In: a program without back-references. Out: whether it matches anywhere. A look-around is a condition on a
//! place in the text, so those places are found first, inner look-arounds before outer ones: a run of the
//! body over the whole text, from left to right for a look-behind (where does it end?) and from right to left
//! for a look-ahead (where does it begin?), fills a bit table. Then a look-around is a look-up, and nothing
//! ever backtracks: `^(?:(?=.*z|x).)*$` is linear here, where a backtracking engine takes the square of the
//! text.
//!
//! Time is O(instructions · text), memory one word an instruction and one bit a byte of text and look-around,
//! kept in the scratch and used again. There are fewer look-arounds than instructions, so the steps that are charged
//! bound the bits: two for each.

use super::caches::Caches;
use super::nfa::{At, Entry, Instruction, Program};
use crate::limits::{Exhausted, Meter};

/// Instructions that are met at some place for the price of one step: at up to five nanoseconds each, a step's
/// ten nanoseconds.
const INSTRUCTIONS_PER_STEP: u64 = 2;

#[derive(Debug)]
pub(super) struct Places {
    program: Program,
}

/// What a run of any program needs.
#[derive(Debug, Default)]
pub(super) struct Cache {
    threads: Threads,
    /// By entry: the places where it holds, a bit a byte of text.
    tables: Vec<Vec<u64>>,
}

impl Places {
    pub(super) fn new(program: Program) -> Places {
        Places { program }
    }

    /// Charged before it runs: every instruction at every byte.
    pub(super) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
    ) -> Result<bool, Exhausted> {
        let met = (text.len() as u64 + 1).saturating_mul(self.program.len() as u64);
        meter.charge(1 + met / INSTRUCTIONS_PER_STEP)?;
        Ok(caches.places.search(&self.program, text))
    }
}

impl Cache {
    /// Bytes of memory, by capacity.
    pub(super) fn memory_usage(&self) -> usize {
        let words: usize = self.tables.iter().map(Vec::capacity).sum();
        let tables = self.tables.capacity() * size_of::<Vec<u64>>();
        words * size_of::<u64>() + tables + self.threads.memory_usage()
    }

    fn search(&mut self, program: &Program, text: &str) -> bool {
        if self.tables.len() < program.entries().len() {
            self.tables.resize_with(program.entries().len(), Vec::new);
        }
        let Some((main, looks)) = program.entries().split_last() else { return false };
        for (index, entry) in looks.iter().enumerate() {
            // Taken out while it is filled: the look-arounds inside have lower numbers.
            let mut table = self.tables.get_mut(index).map(std::mem::take).unwrap_or_default();
            table.clear();
            table.resize(text.len() / 64 + 1, 0);
            self.run(program, *entry, text, |place| {
                if let Some(word) = table.get_mut(place / 64) {
                    *word |= 1 << (place % 64);
                }
                false
            });
            if let Some(place) = self.tables.get_mut(index) {
                *place = table;
            }
        }
        self.run(program, *main, text, |_| true)
    }

    /// Runs from every place of the text at once; `found` hears each place where a match ends, and says
    /// whether that is enough.
    fn run(
        &mut self,
        program: &Program,
        entry: Entry,
        text: &str,
        mut found: impl FnMut(usize) -> bool,
    ) -> bool {
        let Cache { threads, tables } = self;
        threads.reset(program);
        let mut chars = text.chars();
        let mut behind: Option<char> = None;
        loop {
            let rest = chars.as_str().len();
            let (next, place) =
                if entry.backward { (chars.next_back(), rest) } else { (chars.next(), text.len() - rest) };
            let (before, after) = if entry.backward { (next, behind) } else { (behind, next) };
            threads.enter(entry.start);
            let holds = |look: u32| {
                let word = tables.get(look as usize).and_then(|table| table.get(place / 64));
                word.is_some_and(|word| word >> (place % 64) & 1 == 1)
            };
            if threads.settle(program, before, after, holds) && found(place) {
                return true;
            }
            let Some(c) = next else { return false };
            threads.read(program, c);
            behind = Some(c);
        }
    }
}

/// The places in a program that a run is at, all at once.
#[derive(Debug, Default)]
pub(super) struct Threads {
    /// By instruction: the round that last met it.
    seen: Vec<u32>,
    round: u32,
    /// Where to go on, before what reads nothing was followed.
    pending: Vec<At>,
    /// Instructions that read.
    reading: Vec<At>,
    stack: Vec<At>,
    /// Instructions that the last round met.
    met: usize,
}

impl Threads {
    fn memory_usage(&self) -> usize {
        let places = [&self.seen, &self.pending, &self.reading, &self.stack];
        places.into_iter().map(Vec::capacity).sum::<usize>() * size_of::<At>()
    }

    /// Ready for a run of `program`.
    pub(super) fn reset(&mut self, program: &Program) {
        self.seen.clear();
        self.seen.resize(program.len(), 0);
        self.round = 0;
        self.pending.clear();
    }

    pub(super) fn enter(&mut self, at: At) {
        self.pending.push(at);
    }

    /// Follows everything that reads nothing; the answer is whether a match ends here. `holds` says whether a
    /// look-around's body matches here.
    pub(super) fn settle(
        &mut self,
        program: &Program,
        before: Option<char>,
        after: Option<char>,
        holds: impl Fn(u32) -> bool,
    ) -> bool {
        self.next_round();
        self.reading.clear();
        self.met = 0;
        let mut matched = false;
        while let Some(first) = self.pending.pop() {
            self.stack.push(first);
            while let Some(at) = self.stack.pop() {
                match self.seen.get_mut(at as usize) {
                    Some(seen) if *seen != self.round => *seen = self.round,
                    Some(_) | None => continue,
                }
                self.met += 1;
                match program.get(at) {
                    Instruction::Char(..) | Instruction::Set(..) => self.reading.push(at),
                    Instruction::Split(one, other) => self.stack.extend([*other, *one]),
                    Instruction::Assert(assertion, next) => {
                        if assertion.holds(before, after) {
                            self.stack.push(*next);
                        }
                    }
                    Instruction::Look { entry, negative, next } => {
                        if holds(*entry) != *negative {
                            self.stack.push(*next);
                        }
                    }
                    Instruction::Match => matched = true,
                    Instruction::Fail => {}
                    // Only the backtracker's programs have these. A reference would need its text, a run its length; the rest
                    // changes nothing that a set of places knows.
                    Instruction::Reference(..) | Instruction::Run { .. } => {}
                    Instruction::Save(_, next)
                    | Instruction::Moved(_, next)
                    | Instruction::Clear(_, _, next) => {
                        self.stack.push(*next);
                    }
                }
            }
        }
        matched
    }

    /// Reads `c`.
    pub(super) fn read(&mut self, program: &Program, c: char) {
        for &at in &self.reading {
            match program.get(at) {
                Instruction::Char(wanted, next) if *wanted == c => self.pending.push(*next),
                Instruction::Set(set, next) if set.contains(c) => self.pending.push(*next),
                Instruction::Char(..)
                | Instruction::Set(..)
                | Instruction::Split(..)
                | Instruction::Run { .. }
                | Instruction::Assert(..)
                | Instruction::Look { .. }
                | Instruction::Save(..)
                | Instruction::Moved(..)
                | Instruction::Clear(..)
                | Instruction::Reference(..)
                | Instruction::Match
                | Instruction::Fail => {}
            }
        }
    }

    /// Where the run goes on, before anything was followed; sorted, each place once.
    pub(super) fn pending(&mut self) -> &[At] {
        self.pending.sort_unstable();
        self.pending.dedup();
        &self.pending
    }

    /// How many instructions the last round met.
    pub(super) fn met(&self) -> usize {
        self.met
    }

    /// Those of them that read.
    pub(super) fn reading(&self) -> &[At] {
        &self.reading
    }

    pub(super) fn set_pending(&mut self, places: &[At]) {
        self.pending.clear();
        self.pending.extend_from_slice(places);
    }

    fn next_round(&mut self) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.seen.fill(0);
            1
        });
    }
}
