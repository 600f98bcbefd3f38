//! Back-references: ECMA-262's own backtracking, counted move by move.
//!
//! In: a program for [`super::nfa::For::Backtracking`]. Out: a verdict, or [`Exhausted`]. With back-references
//! no linear matcher is known, so this one may take exponentially many moves: each is paid for, what tries take
//! beyond [`free_moves`] has a limit for all of a walk (`Limits::backtrack_steps`), what waits to be tried fits
//! [`BACKTRACK_FRAMES`], and a string longer than `Limits::backtrack_bytes` is not tried. Nothing is approximated:
//! captures, their reset at each iteration, references to groups that took no part, look-behind from right to left
//! are all ECMA-262 §22.2.2's. Runs of one character or set are taken in one move ([`super::runs`]).

use super::ast::Assertion;
use super::caches::Caches;
use super::nfa::{At, Instruction, Program};
use super::runs::{Extents, Then, last_place, look_up_moves};
use super::set::Set;
use crate::limits::{BACKTRACK_FRAMES, Exhausted, Limits, Meter};

/// Moves for the price of one step: at two to three nanoseconds each, a step's ten nanoseconds.
const MOVES_PER_STEP: u64 = 3;

/// Moves of one try that do not count as backtracking: what a pattern needs that reads a text of `bytes` once. So a
/// million ordinary strings are judged, whatever the limit of those that explode.
fn free_moves(bytes: usize) -> u64 {
    64 + 8 * bytes as u64
}

#[derive(Debug)]
pub(super) struct Backtrack {
    program: Program,
    /// Whether a match begins at the start of the text, if anywhere.
    anchored: bool,
}

/// What a try of any program needs.
#[derive(Debug, Default)]
pub(super) struct Cache {
    stack: Vec<Frame>,
    /// Places in the text, or [`NOWHERE`].
    slots: Vec<u32>,
    /// Moves that tries have taken in this walk, beyond what each has free.
    spent: u64,
}

/// A slot without a place.
const NOWHERE: u32 = u32::MAX;

/// What is undone or tried next when a way fails.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// Go on there, at that place of the text.
    Branch(At, u32),
    /// Give a slot its former place.
    Restore(u32, u32),
    /// Let the run there end earlier, from the furthest of these places to the nearest.
    Run { at: At, nearest: u32, furthest: u32 },
    /// A look-around's body begins: where to go on, from which place, and the barrier outside.
    Barrier { next: At, place: u32, negative: bool, backward: bool, outer: u32 },
}

/// What `BACKTRACK_FRAMES` counts on.
const _: () = assert!(size_of::<Frame>() == 16);

impl Cache {
    /// Makes ready for a walk.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.spent = 0;
    }

    /// Bytes of memory, by capacity.
    pub(super) fn memory_usage(&self) -> usize {
        self.stack.capacity() * size_of::<Frame>() + self.slots.capacity() * size_of::<u32>()
    }
}

/// No look-around is being run.
const NO_BARRIER: u32 = u32::MAX;

impl Backtrack {
    pub(super) fn new(program: Program) -> Backtrack {
        let mut first = program.start();
        while let Instruction::Save(_, next) = program.get(first) {
            first = *next;
        }
        let anchored = matches!(program.get(first), Instruction::Assert(Assertion::Start, _));
        Backtrack { program, anchored }
    }

    pub(super) fn is_match(
        &self,
        text: &str,
        meter: &mut Meter,
        caches: &mut Caches,
        limits: &Limits,
    ) -> Result<bool, Exhausted> {
        // Places are kept as `u32`, with one to spare as a mark.
        if text.len() > limits.get_backtrack_bytes() || text.len() >= NOWHERE as usize {
            return Err(Exhausted);
        }
        let cache = &mut caches.backtrack;
        let most = limits.get_backtrack_steps().saturating_mul(MOVES_PER_STEP);
        let left = most.saturating_sub(cache.spent);
        if left == 0 {
            return Err(Exhausted);
        }
        let free = free_moves(text.len());
        let fuel = meter.left().saturating_mul(MOVES_PER_STEP).min(left.saturating_add(free));
        let extents = Extents::default();
        let mut run = Run { program: &self.program, text, fuel, cache, extents };
        let verdict = run.search(self.anchored);
        let used = fuel - run.fuel;
        cache.spent = cache.spent.saturating_add(used.saturating_sub(free));
        // What the run took was there: the fuel was no more than what is left.
        meter.charge(used.div_ceil(MOVES_PER_STEP))?;
        verdict
    }
}

struct Run<'r> {
    program: &'r Program,
    text: &'r str,
    fuel: u64,
    cache: &'r mut Cache,
    extents: Extents,
}

impl Run<'_> {
    /// Tries every place as a start, the first one first; only that one if the pattern is `anchored`.
    fn search(&mut self, anchored: bool) -> Result<bool, Exhausted> {
        self.cache.stack.clear();
        self.cache.slots.clear();
        self.cache.slots.resize(self.program.slots(), NOWHERE);
        self.spend(self.program.slots() as u64 / 8)?;
        let text = self.text;
        let ends = std::iter::once(text.len());
        let starts = text.char_indices().map(|(at, _)| at).chain(ends);
        for start in starts.take(if anchored { 1 } else { usize::MAX }) {
            // A try that failed has restored all slots.
            if self.from(start as u32)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[inline]
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

    #[inline]
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
                Instruction::Char(wanted, next) => match self.step(place, backward) {
                    Some((c, behind)) if c == *wanted => {
                        place = behind;
                        Some(*next)
                    }
                    Some(_) | None => None,
                },
                Instruction::Set(set, next) => self.read_set(set, &mut place, backward)?.then_some(*next),
                Instruction::Run { one, .. } => {
                    let one = program.get(*one);
                    let (furthest, moves) = self.extents.reach(self.text, (at, one), place, backward);
                    self.spend(moves)?;
                    self.end_run(at, &mut place, furthest, backward)?
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
                    self.store(*slot, place)?;
                    Some(*next)
                }
                Instruction::Moved(slot, next) => (self.slot(*slot) != place).then_some(*next),
                Instruction::Clear(from, to, next) => {
                    for slot in *from..*to {
                        if self.slot(slot) != NOWHERE {
                            self.store(slot, NOWHERE)?;
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
                        Frame::Branch(..) | Frame::Restore(..) | Frame::Run { .. } => return Err(Exhausted),
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
                    Some(Frame::Restore(slot, former)) => self.put(slot, former),
                    Some(Frame::Run { at: run, nearest, furthest }) => {
                        // What a frame waits for lies in the direction of now: barriers above it are gone.
                        place = nearest;
                        if let Some(next) = self.end_run(run, &mut place, furthest, backward)? {
                            at = next;
                            break;
                        }
                    }
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

    /// Ends the run at `at`, whose places are from `place` to `furthest`, at the furthest place where what follows can
    /// begin, and keeps the places before it for later.
    fn end_run(
        &mut self,
        at: At,
        place: &mut u32,
        furthest: u32,
        backward: bool,
    ) -> Result<Option<At>, Exhausted> {
        let Instruction::Run { next, follow, alone, .. } = self.program.get(at) else { return Ok(None) };
        let nearest = if *alone { furthest } else { *place };
        let end = if backward {
            Some(furthest)
        } else {
            let then = self.then(*follow);
            let (end, moves) = last_place(self.text, nearest, furthest, then);
            self.spend(moves)?;
            end
        };
        let Some(end) = end else { return Ok(None) };
        // One character less, if there is one between the nearest place and this one.
        if end != nearest
            && let Some((_, furthest)) = self.step(end, !backward)
        {
            self.push(Frame::Run { at, nearest, furthest })?;
        }
        *place = end;
        Ok(Some(*next))
    }

    /// What is known of the place where the instruction `follow` begins, if it is to go on.
    fn then(&self, follow: At) -> Then<'_> {
        match self.program.get(follow) {
            Instruction::Char(c, _) => Then::Char(*c),
            Instruction::Set(set, _) => Then::In(set),
            Instruction::Assert(Assertion::End, _) => Then::End,
            Instruction::Reference(group, _) => {
                let captured = self.captured(*group).and_then(|captured| captured.chars().next());
                captured.map_or(Then::Anything, Then::Char)
            }
            Instruction::Assert(..)
            | Instruction::Run { .. }
            | Instruction::Split(..)
            | Instruction::Look { .. }
            | Instruction::Save(..)
            | Instruction::Moved(..)
            | Instruction::Clear(..)
            | Instruction::Match
            | Instruction::Fail => Then::Anything,
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

    /// The next character, and the place behind it.
    #[inline]
    fn step(&self, place: u32, backward: bool) -> Option<(char, u32)> {
        let c = if backward { self.before(place)? } else { self.after(place)? };
        // The character lies there, so its length fits on that side.
        let length = c.len_utf8() as u32;
        Some((c, if backward { place - length } else { place + length }))
    }

    #[inline]
    fn read_set(&mut self, set: &Set, place: &mut u32, backward: bool) -> Result<bool, Exhausted> {
        let Some((c, next)) = self.step(*place, backward) else { return Ok(false) };
        if !c.is_ascii() {
            self.spend(look_up_moves(set))?;
        }
        let read = set.contains(c);
        if read {
            *place = next;
        }
        Ok(read)
    }

    fn holds(&self, assertion: Assertion, place: u32) -> bool {
        assertion.holds(self.before(place), self.after(place))
    }

    /// A group's text; nothing of a group that took no part.
    fn captured(&self, group: u32) -> Option<&str> {
        // A slot without a place is no place of the text.
        self.text.get(self.slot(2 * group) as usize..self.slot(2 * group + 1) as usize)
    }

    /// Reads a group's text again. A group that took no part reads nothing.
    fn refer(&mut self, group: u32, place: &mut u32, backward: bool) -> Result<bool, Exhausted> {
        let Some(captured) = self.captured(group) else { return Ok(true) };
        let length = captured.len() as u32;
        let from = if backward { place.checked_sub(length) } else { Some(*place) };
        let Some(from) = from else { return Ok(false) };
        let rest = self.text.as_bytes().get(from as usize..).unwrap_or_default();
        let captured = captured.as_bytes();
        // Most differ at once.
        if rest.len() < captured.len() || captured.first().is_some_and(|byte| rest.first() != Some(byte)) {
            return Ok(false);
        }
        let same = rest.starts_with(captured);
        self.spend(u64::from(length) / 8)?;
        if same {
            *place = if backward { from } else { from + length };
        }
        Ok(same)
    }

    #[inline]
    fn slot(&self, slot: u32) -> u32 {
        self.cache.slots.get(slot as usize).copied().unwrap_or(NOWHERE)
    }

    #[inline]
    fn put(&mut self, slot: u32, place: u32) {
        if let Some(kept) = self.cache.slots.get_mut(slot as usize) {
            *kept = place;
        }
    }

    #[inline]
    fn store(&mut self, slot: u32, place: u32) -> Result<(), Exhausted> {
        let former = self.slot(slot);
        self.push(Frame::Restore(slot, former))?;
        self.put(slot, place);
        Ok(())
    }
}
