//! Back-references: ECMA-262's own backtracking, counted move by move.
//!
//! In: a program for [`super::nfa::For::Backtracking`]. Out: a verdict, or [`Exhausted`]. With back-references
//! no linear matcher is known, so this one may take exponentially many moves: each is paid for,
//! one try takes at most [`TRY_MOVES`], what waits to be tried fits [`BACKTRACK_FRAMES`], and a string longer than
//! `Limits::backtrack_bytes` is not tried. Nothing is approximated: captures, their reset at each iteration,
//! references to groups that took no part, look-behind from right to left are all ECMA-262 §22.2.2's.

use super::ast::Assertion;
use super::caches::Caches;
use super::nfa::{At, Instruction, Program};
use crate::limits::{BACKTRACK_BYTES, BACKTRACK_FRAMES, Exhausted, Limits, Meter};

/// Instructions run, or taken back, in one try: about a fifth of a second.
///
/// Four times the square of the longest string that is tried by default, since an honest pattern can need that:
/// `(\w+) \1` looks from every place to the end of a word. What needs more has exploded, and would eat what the
/// rest of the check needs.
pub(super) const TRY_MOVES: u64 = 4 * (BACKTRACK_BYTES * BACKTRACK_BYTES) as u64;

/// Moves for the price of one step: at two to three nanoseconds each, a step's ten nanoseconds.
const MOVES_PER_STEP: u64 = 3;

#[derive(Debug)]
pub(super) struct Backtrack {
    program: Program,
}

/// What a try of any program needs.
#[derive(Debug, Default)]
pub(super) struct Cache {
    stack: Vec<Frame>,
    slots: Vec<Option<u32>>,
    /// Steps that tries have taken in this walk.
    spent: u64,
}

/// What is undone or tried next when a way fails.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// Go on there, at that place of the text.
    Branch(At, u32),
    /// Give a slot its former value.
    Restore(u32, Option<u32>),
    /// A look-around's body begins: where to go on, from which place, and the barrier outside.
    Barrier { next: At, place: u32, negative: bool, backward: bool, outer: u32 },
}

impl Cache {
    /// Makes ready for a walk.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.spent = 0;
    }

    /// Bytes of memory, by capacity.
    pub(super) fn memory_usage(&self) -> usize {
        self.stack.capacity() * size_of::<Frame>() + self.slots.capacity() * size_of::<Option<u32>>()
    }
}

/// No look-around is being run.
const NO_BARRIER: u32 = u32::MAX;

impl Backtrack {
    pub(super) fn new(program: Program) -> Backtrack {
        Backtrack { program }
    }

    pub(super) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
        limits: &Limits,
    ) -> Result<bool, Exhausted> {
        // Places are kept as `u32`, with one to spare as a mark.
        if text.len() > limits.get_backtrack_bytes() || text.len() >= u32::MAX as usize {
            return Err(Exhausted);
        }
        let left = limits.get_backtrack_steps().saturating_sub(caches.backtrack.spent);
        let fuel = meter.left().min(left).saturating_mul(MOVES_PER_STEP).min(TRY_MOVES);
        let mut run = Run { program: &self.program, text, fuel, cache: &mut caches.backtrack };
        let verdict = run.search();
        let used = fuel - run.fuel;
        // What the run took was there: the fuel was no more than what is left.
        let steps = used.div_ceil(MOVES_PER_STEP);
        caches.backtrack.spent = caches.backtrack.spent.saturating_add(steps);
        meter.charge(steps)?;
        verdict
    }
}

struct Run<'r> {
    program: &'r Program,
    text: &'r str,
    fuel: u64,
    cache: &'r mut Cache,
}

impl Run<'_> {
    /// Tries every place as a start, the first one first.
    fn search(&mut self) -> Result<bool, Exhausted> {
        let text = self.text;
        let ends = std::iter::once(text.len());
        for start in text.char_indices().map(|(at, _)| at).chain(ends) {
            self.cache.stack.clear();
            self.cache.slots.clear();
            self.cache.slots.resize(self.program.slots(), None);
            self.spend(self.program.slots() as u64 / 8)?;
            if self.from(start as u32)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn spend(&mut self, moves: u64) -> Result<(), Exhausted> {
        match self.fuel.checked_sub(moves) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => {
                self.fuel = 0;
                Err(Exhausted)
            }
        }
    }

    fn push(&mut self, frame: Frame) -> Result<(), Exhausted> {
        if self.cache.stack.len() >= BACKTRACK_FRAMES {
            return Err(Exhausted);
        }
        self.cache.stack.push(frame);
        Ok(())
    }

    fn before(&self, place: u32) -> Option<char> {
        self.text.get(..place as usize).and_then(|text| text.chars().next_back())
    }

    fn after(&self, place: u32) -> Option<char> {
        self.text.get(place as usize..).and_then(|text| text.chars().next())
    }

    /// Whether a match begins at `place`.
    fn from(&mut self, mut place: u32) -> Result<bool, Exhausted> {
        let program = self.program;
        let mut at = program.start();
        let mut backward = false;
        let mut barrier = NO_BARRIER;
        loop {
            self.spend(1)?;
            let next = match program.get(at) {
                Instruction::Char(wanted, next) => {
                    self.read(&mut place, backward, |c| c == *wanted).then_some(*next)
                }
                Instruction::Set(set, next) => {
                    self.read(&mut place, backward, |c| set.contains(c)).then_some(*next)
                }
                Instruction::Split(one, other) => {
                    self.push(Frame::Branch(*other, place))?;
                    Some(*one)
                }
                Instruction::Assert(assertion, next) => self.holds(*assertion, place).then_some(*next),
                Instruction::Look { entry, negative, next } => {
                    let Some(body) = program.entries().get(*entry as usize) else { return Err(Exhausted) };
                    let frame =
                        Frame::Barrier { next: *next, place, negative: *negative, backward, outer: barrier };
                    // The stack is no longer than `BACKTRACK_FRAMES`.
                    barrier = self.cache.stack.len() as u32;
                    self.push(frame)?;
                    backward = body.backward;
                    Some(body.start)
                }
                Instruction::Save(slot, next) => {
                    self.store(*slot, Some(place))?;
                    Some(*next)
                }
                Instruction::Moved(slot, next) => (self.slot(*slot) != Some(place)).then_some(*next),
                Instruction::Clear(from, to, next) => {
                    for slot in *from..*to {
                        if self.slot(slot).is_some() {
                            self.store(slot, None)?;
                        }
                    }
                    self.spend(u64::from(to - from) / 8)?;
                    Some(*next)
                }
                Instruction::Reference(group, next) => {
                    self.refer(*group, &mut place, backward)?.then_some(*next)
                }
                Instruction::Match => {
                    if barrier == NO_BARRIER {
                        return Ok(true);
                    }
                    match self.looked(barrier)? {
                        Frame::Barrier { next, place: from, negative, backward: direction, outer } => {
                            (place, backward, barrier) = (from, direction, outer);
                            (!negative).then_some(next)
                        }
                        // A barrier's place holds a barrier.
                        Frame::Branch(..) | Frame::Restore(..) => return Err(Exhausted),
                    }
                }
                Instruction::Fail => None,
            };
            if let Some(next) = next {
                at = next;
                continue;
            }
            loop {
                self.spend(1)?;
                match self.cache.stack.pop() {
                    None => return Ok(false),
                    Some(Frame::Branch(next, from)) => {
                        (at, place) = (next, from);
                        break;
                    }
                    Some(Frame::Restore(slot, value)) => self.put(slot, value),
                    Some(Frame::Barrier { next, place: from, negative, backward: direction, outer }) => {
                        (backward, barrier) = (direction, outer);
                        if negative {
                            (at, place) = (next, from);
                            break;
                        }
                    }
                }
            }
        }
    }

    /// A look-around's body matched: drops what it left to try, and gives back its barrier. A positive one
    /// keeps its captures, and so what would restore them; a negative one restores them now.
    fn looked(&mut self, barrier: u32) -> Result<Frame, Exhausted> {
        let at = barrier as usize;
        self.spend((self.cache.stack.len() - at) as u64)?;
        let Some(&frame) = self.cache.stack.get(at) else { return Err(Exhausted) };
        let negative = matches!(frame, Frame::Barrier { negative: true, .. });
        if negative {
            while self.cache.stack.len() > at {
                if let Some(Frame::Restore(slot, value)) = self.cache.stack.pop() {
                    self.put(slot, value);
                }
            }
        } else {
            let mut kept = at;
            for index in at..self.cache.stack.len() {
                if let Some(&frame @ Frame::Restore(..)) = self.cache.stack.get(index) {
                    if let Some(place) = self.cache.stack.get_mut(kept) {
                        *place = frame;
                    }
                    kept += 1;
                }
            }
            self.cache.stack.truncate(kept);
        }
        Ok(frame)
    }

    fn read(&self, place: &mut u32, backward: bool, wanted: impl Fn(char) -> bool) -> bool {
        let c = if backward { self.before(*place) } else { self.after(*place) };
        let Some(c) = c.filter(|&c| wanted(c)) else { return false };
        // The character lies there, so its length fits on that side.
        let length = c.len_utf8() as u32;
        *place = if backward { *place - length } else { *place + length };
        true
    }

    fn holds(&self, assertion: Assertion, place: u32) -> bool {
        assertion.holds(self.before(place), self.after(place))
    }

    /// Reads a group's text again. A group that took no part reads nothing.
    fn refer(&mut self, group: u32, place: &mut u32, backward: bool) -> Result<bool, Exhausted> {
        let (Some(start), Some(end)) = (self.slot(2 * group), self.slot(2 * group + 1)) else {
            return Ok(true);
        };
        let Some(captured) = self.text.get(start as usize..end as usize) else { return Ok(true) };
        self.spend(captured.len() as u64 / 8)?;
        let length = captured.len() as u32;
        let from = if backward { place.checked_sub(length) } else { Some(*place) };
        let Some(from) = from else { return Ok(false) };
        let rest = self.text.as_bytes().get(from as usize..).unwrap_or_default();
        let same = rest.starts_with(captured.as_bytes());
        if same {
            *place = if backward { from } else { from + length };
        }
        Ok(same)
    }

    fn slot(&self, slot: u32) -> Option<u32> {
        self.cache.slots.get(slot as usize).copied().flatten()
    }

    fn put(&mut self, slot: u32, value: Option<u32>) {
        if let Some(place) = self.cache.slots.get_mut(slot as usize) {
            *place = value;
        }
    }

    fn store(&mut self, slot: u32, value: Option<u32>) -> Result<(), Exhausted> {
        let former = self.slot(slot);
        self.push(Frame::Restore(slot, former))?;
        self.put(slot, value);
        Ok(())
    }
}
