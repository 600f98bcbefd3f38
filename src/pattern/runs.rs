//! Runs: a character or a set repeated without end, as one instruction of the backtracker.
//!
//! In: a program, and a text. Out: how far a run reaches, and from which of its places it is worth going on. A run
//! waits in one frame, whatever its length; places where what follows cannot begin are passed over in a scan, and a run
//! whose members cannot begin what follows gives none of them back. So `(\w+) \1`, which looks from every place to the end
//! of a word, costs a few moves for each place.
//!
//! What is scanned is paid for, and remembered ([`Extents`]): a run that begins inside another of the same instruction
//! ends where that ends.

use super::nfa::{At, Instruction};
use super::set::Set;

/// Moves for a scan, however short: what is looked for is looked up first.
const SCAN: u64 = 2;

/// Bytes that a scan passes in the time of one move.
const SCANNED_PER_MOVE: u64 = 4;

/// Runs of different instructions whose reach is remembered at a time; real patterns have fewer.
const REMEMBERED: usize = 8;

/// What one character is read by.
#[derive(Clone, Copy)]
enum Members<'p> {
    Char(char),
    Set(&'p Set),
}

impl<'p> Members<'p> {
    fn of(instruction: &'p Instruction) -> Option<Members<'p>> {
        match instruction {
            Instruction::Char(c, _) => Some(Members::Char(*c)),
            Instruction::Set(set, _) => Some(Members::Set(set)),
            Instruction::Run { .. }
            | Instruction::Split(..)
            | Instruction::Assert(..)
            | Instruction::Look { .. }
            | Instruction::Save(..)
            | Instruction::Moved(..)
            | Instruction::Clear(..)
            | Instruction::Reference(..)
            | Instruction::Match
            | Instruction::Fail => None,
        }
    }

    #[inline]
    fn contain(self, c: char) -> bool {
        match self {
            Members::Char(member) => member == c,
            Members::Set(set) => set.contains(c),
        }
    }

    fn are_apart_from(self, others: Members<'_>) -> bool {
        match (self, others) {
            (Members::Set(these), Members::Set(those)) => these.is_disjoint(those),
            (these, Members::Char(c)) | (Members::Char(c), these) => !these.contain(c),
        }
    }

    /// Moves for looking up a character beyond ASCII.
    fn look_up(self) -> u64 {
        match self {
            Members::Char(_) => 0,
            Members::Set(set) => look_up_moves(set),
        }
    }
}

/// Moves for looking up a character beyond ASCII in `set`, by halves: two comparisons take a move's time.
#[inline]
pub(super) fn look_up_moves(set: &Set) -> u64 {
    u64::from(usize::BITS - set.ranges().len().leading_zeros()) / 2
}

/// Tells each run what comes after it, once the program is whole.
pub(super) fn link(code: &mut [Instruction]) {
    for at in 0..code.len() {
        let Some(Instruction::Run { one, next, .. }) = code.get(at) else { continue };
        let (one, next) = (*one, *next);
        let then = follower(code, next);
        let members = |at: At| code.get(at as usize).and_then(Members::of);
        let apart = members(one).zip(members(then)).is_some_and(|(these, those)| these.are_apart_from(those));
        if let Some(Instruction::Run { follow, alone, .. }) = code.get_mut(at) {
            (*follow, *alone) = (then, apart);
        }
    }
}

/// What comes next at `next`, but for saving, which reads nothing. As many saves stand in a row as groups are nested.
fn follower(code: &[Instruction], next: At) -> At {
    let mut then = next;
    while let Some(Instruction::Save(_, after)) = code.get(then as usize) {
        then = *after;
    }
    let Some(Instruction::Reference(group, _)) = code.get(then as usize) else { return then };
    // What it reads is known before those saves, unless they are its own group's.
    let mut at = next;
    while let Some(Instruction::Save(slot, after)) = code.get(at as usize) {
        if slot / 2 == *group {
            return next;
        }
        at = *after;
    }
    then
}

/// What is known of the text where a run may end, if what follows is to begin there.
#[derive(Clone, Copy)]
pub(super) enum Then<'p> {
    Anything,
    /// The text ends.
    End,
    Char(char),
    In(&'p Set),
}

/// The last place from `nearest` to `furthest` where `then` holds, and the moves that the scan took.
pub(super) fn last_place(text: &str, nearest: u32, furthest: u32, then: Then<'_>) -> (Option<u32>, u64) {
    let bytes = text.as_bytes();
    let (from, to) = (nearest as usize, furthest as usize);
    let places = bytes.get(from..bytes.len().min(to + 1)).unwrap_or_default();
    let mut looked_up = 0;
    let found = match then {
        Then::Anything => return (Some(furthest), 0),
        Then::End => return ((to == bytes.len()).then_some(furthest), 0),
        Then::Char(c) => {
            last_char(bytes.get(from..bytes.len().min(to + c.len_utf8())).unwrap_or_default(), c)
        }
        Then::In(set) => places.iter().enumerate().rposition(|(at, &byte)| {
            if byte.is_ascii() {
                return set.contains_ascii(byte);
            }
            // Inside a character there is no place.
            let Some(c) = text.get(from + at..).and_then(|rest| rest.chars().next()) else { return false };
            looked_up += look_up_moves(set);
            set.contains(c)
        }),
    };
    let scanned = places.len() - found.unwrap_or(0);
    (found.map(|at| nearest + at as u32), SCAN + scanned as u64 / SCANNED_PER_MOVE + looked_up)
}

/// Where the last `c` in `bytes` begins.
fn last_char(bytes: &[u8], c: char) -> Option<usize> {
    if c.is_ascii() {
        return bytes.iter().rposition(|&byte| char::from(byte) == c);
    }
    let mut buffer = [0; 4];
    let character = c.encode_utf8(&mut buffer).as_bytes();
    let (last, before) = character.split_last()?;
    // Neighbours in an alphabet differ in the last byte.
    let mut ends = bytes.iter().enumerate().rev().filter(|(_, byte)| *byte == last);
    ends.find_map(|(end, _)| {
        let start = end.checked_sub(before.len())?;
        bytes.get(start..end).is_some_and(|bytes| bytes == before).then_some(start)
    })
}

/// How far runs reached in one text.
#[derive(Clone, Copy, Default)]
pub(super) struct Extents([Extent; REMEMBERED]);

#[derive(Clone, Copy, Default)]
struct Extent {
    /// The run; none where it reaches from nowhere to nowhere.
    run: At,
    from: u32,
    to: u32,
}

impl Extents {
    /// How far a run of `one`, the instruction at `at`, reaches from `place`; and the moves that the scan took.
    pub(super) fn reach(
        &mut self,
        text: &str,
        (at, one): (At, &Instruction),
        place: u32,
        backward: bool,
    ) -> (u32, u64) {
        let Some(members) = Members::of(one) else { return (place, 0) };
        // The remainder is a place of the array.
        let Some(known) = self.0.get_mut(at as usize % REMEMBERED) else { return (place, 0) };
        let (low, high) = if backward { (known.to, known.from) } else { (known.from, known.to) };
        // Where a run ends is no place of its, unless another begins there: it is empty.
        if known.run == at && (low..=high).contains(&place) && low != high {
            return (known.to, 0);
        }
        // A run that begins before it reaches as far, if it reaches it.
        let ahead = if backward { place > known.from } else { place < known.from };
        let joins = known.run == at && low != high && ahead;
        let end = if backward { 0 } else { text.len() as u32 };
        let until = if joins { known.from } else { end };
        let (to, moves) = scan(text, members, place, until);
        let to = if joins && to == until { known.to } else { to };
        *known = Extent { run: at, from: place, to };
        (to, moves)
    }
}

/// Where a run from `place` towards `until` ends, and the moves that the scan took.
fn scan(text: &str, members: Members<'_>, place: u32, until: u32) -> (u32, u64) {
    let mut looked_up = 0;
    let mut reads = |c: char| {
        if !c.is_ascii() {
            looked_up += members.look_up();
        }
        members.contain(c)
    };
    let (at, end) = (place as usize, until as usize);
    let to = if end < at {
        end + text.get(end..at).unwrap_or_default().trim_end_matches(&mut reads).len()
    } else {
        end - text.get(at..end).unwrap_or_default().trim_start_matches(&mut reads).len()
    } as u32;
    (to, SCAN + u64::from(to.abs_diff(place)) / SCANNED_PER_MOVE + looked_up)
}
