//! What a linear match costs, found out when the pattern is built.
//!
//! In: a program without look-arounds or back-references. Out: a [`Price`] in steps by the length of the text.
//! The `regex` crate runs a lazy DFA where it can: 2 to 7 ns a byte while the DFA's states fit its cache. Where
//! they do not, a byte costs about 10 ns for each place in the program that is held at a time (measured:
//! `^[01]*1[01]{n}$` on random digits takes 2-7 ns a byte up to n = 13, then 200, and 14,700 at n = 2,000). So
//! the DFA is built here in miniature, on code points and within [`work`]: if it ends, the number of its states
//! tells whether it fits, and its largest state how many places are held at most. If it does not end, every
//! instruction counts at every byte.

use std::collections::{BTreeMap, HashSet};

use regex_syntax::utf8::Utf8Sequences;

use super::ast::{Assertion, is_word};
use super::nfa::{At, Instruction, Program};
use super::places::Threads;
use super::set::Set;

/// Bytes that one lazy DFA may take while it runs, on each thread that runs it.
///
/// An eighth of what the `regex` crate would take: a schema may bring thousands of patterns, and each keeps its
/// cache. Real patterns need a tenth of this.
pub(super) const LAZY_DFA: usize = 1 << 18;

/// Bytes that are read for one step by a DFA that fits: at 2 to 7 ns a byte, twice the step's 10 ns.
const DFA_BYTES_PER_STEP: u64 = 8;

/// Steps for one byte where the DFA does not fit, beside those for each place held: its state is built anew.
const NEW_STATE: u64 = 16;

/// Sets that are told apart; a program with more is not explored.
const SETS: usize = 128;

/// Boundaries of sets that are looked at; a program with more is not explored.
const BOUNDARIES: usize = 1 << 12;

/// Instructions met while exploring a program of `len`. Linear in it, so that the patterns of one schema, whose
/// size is limited together, take a bounded time too: seconds at worst. Real patterns need a few hundred for
/// each of their instructions.
fn work(len: usize) -> usize {
    1_024 * len
}

/// Steps for one match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Price {
    /// A DFA that fits.
    Quick,
    /// So many steps a byte.
    Slow(u64),
}

impl Price {
    pub(super) fn steps(self, bytes: usize) -> u64 {
        let bytes = bytes as u64;
        1 + match self {
            Price::Quick => bytes / DFA_BYTES_PER_STEP,
            Price::Slow(steps) => bytes.saturating_mul(steps),
        }
    }

    pub(super) fn of(program: &Program) -> Price {
        match Explored::new(program) {
            Some(explored) if explored.bytes <= LAZY_DFA => Price::Quick,
            Some(explored) => Price::Slow(NEW_STATE + explored.held as u64),
            None => Price::Slow(NEW_STATE + program.len() as u64),
        }
    }
}

struct Explored {
    /// The most instructions that are held at a time.
    held: usize,
    /// What the DFA on bytes would take.
    bytes: usize,
}

/// What goes before: nothing, or a character that is or is no word character.
type Before = Option<bool>;

impl Explored {
    fn new(program: &Program) -> Option<Explored> {
        let alphabet = Alphabet::new(program)?;
        let mut left = work(program.len());
        let mut held = 1;
        let mut threads = Threads::default();
        threads.reset(program);
        let mut known: HashSet<(Box<[At]>, Before)> = HashSet::new();
        let mut fresh: Vec<(Box<[At]>, Before)> = vec![(Box::default(), None)];
        let mut states = 0usize;
        while let Some((places, before)) = fresh.pop() {
            let before = before.map(|word| if word { 'a' } else { ' ' });
            let mut settled = None;
            for &(c, word) in &alphabet.letters {
                // Only a word boundary looks at what comes next.
                let matched = match settled {
                    Some(matched) if !alphabet.words => matched,
                    Some(_) | None => {
                        threads.set_pending(&places);
                        threads.enter(program.start());
                        let matched = threads.settle(program, before, Some(c), |_| false);
                        held = held.max(threads.met());
                        left = left.checked_sub(threads.met())?;
                        // Beyond ASCII a state has more of them inside, one a byte of a sequence.
                        let wide = |at: &At| reads_beyond_ascii(program.get(*at));
                        let inner = if threads.reading().iter().any(wide) { alphabet.utf8 } else { 1 };
                        if settled.is_none() {
                            states = states.saturating_add(inner);
                        }
                        settled = Some(matched);
                        matched
                    }
                };
                // A search ends at its first match.
                if matched {
                    continue;
                }
                threads.set_pending(&[]);
                threads.read(program, c);
                left = left.checked_sub(1 + threads.reading().len())?;
                let state = (threads.pending().into(), Some(alphabet.words && word));
                if !known.contains(&state) {
                    known.insert(state.clone());
                    fresh.push(state);
                }
            }
        }
        // A state's transitions, what it holds, and its entry in the table of states.
        let state_bytes = 4 * (alphabet.byte_classes + 1).next_power_of_two() + 4 * held + 64;
        Some(Explored { held, bytes: states.saturating_mul(state_bytes) })
    }
}

/// The letters that a program tells apart.
struct Alphabet {
    /// One code point of each kind, and whether it is a word character.
    letters: Vec<(char, bool)>,
    /// Whether the program asks for word boundaries.
    words: bool,
    /// Bytes that a byte automaton tells apart.
    byte_classes: usize,
    /// States of a byte automaton inside one that reads more than ASCII.
    utf8: usize,
}

impl Alphabet {
    fn new(program: &Program) -> Option<Alphabet> {
        let (sets, chars, words) = members(program)?;
        let mut boundaries = vec!['\0'];
        let ranges = sets.iter().flat_map(|set| set.ranges().iter().copied());
        let ranges = ranges.chain(chars.iter().map(|&c| (c, c)));
        let word_ranges = [('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
        let ranges = ranges.chain(word_ranges.into_iter().filter(|_| words));
        let (mut utf8, mut byte_starts) = (1, [false; 257]);
        let mut last_lead = Vec::new();
        for (first, last) in ranges {
            boundaries.push(first);
            boundaries.extend(after(last));
            if boundaries.len() > BOUNDARIES {
                return None;
            }
            for sequence in Utf8Sequences::new(first, last) {
                let ranges = sequence.as_slice();
                let (_, lead) = ranges.split_last()?;
                // Sequences come in order, and share the states of what they begin with alike.
                let shared = lead.iter().zip(&last_lead).take_while(|(a, b)| a == b).count();
                utf8 += lead.len() - shared;
                last_lead.clear();
                last_lead.extend_from_slice(lead);
                for range in ranges {
                    // 257 places, so the one after the last byte is there too.
                    byte_starts[usize::from(range.start)] = true;
                    byte_starts[usize::from(range.end) + 1] = true;
                }
            }
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        // Code points between two boundaries are in the same sets; kinds are told apart by those sets.
        let mut letters = BTreeMap::new();
        for &c in &boundaries {
            let in_sets = sets.iter().enumerate().filter(|(_, set)| set.contains(c));
            let kind = in_sets.fold(0u128, |bits, (index, _)| bits | 1 << index);
            let own = chars.contains(&c).then_some(c);
            let word = is_word(c);
            letters.entry((kind, own, words && word)).or_insert((c, word));
        }
        Some(Alphabet {
            letters: letters.into_values().collect(),
            words,
            byte_classes: byte_starts.iter().filter(|&&start| start).count(),
            utf8,
        })
    }
}

/// The sets and characters of a program, each once, and whether it asks for word boundaries.
fn members(program: &Program) -> Option<(Vec<&Set>, HashSet<char>, bool)> {
    let (mut sets, mut met, mut chars, mut words) = (Vec::new(), HashSet::new(), HashSet::new(), false);
    for instruction in program.code() {
        match instruction {
            Instruction::Char(c, _) => {
                chars.insert(*c);
            }
            Instruction::Set(set, _) => {
                if met.insert(set.ranges()) {
                    sets.push(&**set);
                }
            }
            Instruction::Assert(Assertion::WordBoundary | Assertion::NotWordBoundary, _) => words = true,
            Instruction::Assert(Assertion::Start | Assertion::End, _)
            | Instruction::Split(..)
            | Instruction::Match
            | Instruction::Fail => {}
            // A linear pattern has none of these.
            Instruction::Look { .. }
            | Instruction::Run { .. }
            | Instruction::Save(..)
            | Instruction::Moved(..)
            | Instruction::Clear(..)
            | Instruction::Reference(..) => return None,
        }
    }
    (sets.len() <= SETS).then_some((sets, chars, words))
}

fn reads_beyond_ascii(instruction: &Instruction) -> bool {
    let set = matches!(instruction, Instruction::Set(set, _) if !set.is_ascii());
    set || matches!(instruction, Instruction::Char(c, _) if !c.is_ascii())
}

/// The code point after `c`, past the surrogates.
fn after(c: char) -> Option<char> {
    match c {
        '\u{d7ff}' => Some('\u{e000}'),
        _ => char::from_u32(u32::from(c) + 1),
    }
}
