//! What a check needs besides its program and its instance, kept between checks.
//!
//! In: limits, at the start of each walk. Out: a meter, a depth counter, memo tables, the set behind
//! `uniqueItems`, and marks of what is evaluated. Memory grows only with shared nodes, `uniqueItems` and
//! `unevaluated*`, up to [`crate::limits::MEMO_ENTRIES`] and [`crate::limits::UNIQUE_ITEMS`]; what has grown is
//! kept for the next check, so that a warm scratch allocates nothing.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::RandomState;

use super::verdict::Verdict;
use crate::limits::{Exhausted, Limits, Meter};
use crate::program::NodeId;
use crate::value::Identity;
use crate::value::unique::UniqueSet;

/// Reusable memory for checks. One per thread; a check leaves nothing in it that a later check could read.
///
/// A scratch stays usable after a panic in a caller's own format: each check begins by clearing it.
///
/// ```
/// use portcullis::{Scratch, Validator};
/// use serde_json::json;
///
/// let validator = Validator::new(&json!({"uniqueItems": true}))?;
/// let mut scratch = Scratch::new();
/// assert!(validator.is_valid_with(&mut scratch, &json!([1, 2, 3])));
/// assert!(scratch.steps() > 0);
/// # Ok::<(), portcullis::BuildError>(())
/// ```
#[derive(Default)]
pub struct Scratch {
    pub(crate) state: State,
}

impl Scratch {
    /// An empty scratch. Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Scratch::default()
    }

    /// Steps that the last check took, its report included: what a gateway meters its tenants by. A step is
    /// defined at [`crate::limits::STEPS`].
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps_before.saturating_add(self.state.meter.used())
    }

    /// Bytes of memory kept for the next check, as an estimate from the tables' capacities.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let State { memo, visited, gathered, marks, .. } = &self.state;
        memo.capacity() * size_of::<((NodeId, Identity), Verdict)>()
            + visited.capacity() * size_of::<((NodeId, Identity), Verdict)>()
            + gathered.capacity() * size_of::<(NodeId, usize)>()
            + marks.capacity() * size_of::<u64>()
            + self.state.unique.memory_usage()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

/// The state of one walk.
pub(crate) struct State {
    pub(crate) meter: Meter,
    steps_before: u64,
    /// Nodes that may still be entered below this one.
    pub(crate) depth_left: usize,
    /// Whether verdicts of nodes that decide a report are remembered: while a report is made.
    pub(crate) remembers_decisions: bool,
    /// Whether the sink has asked to end the walk.
    pub(crate) stopped: bool,
    memo: HashMap<(NodeId, Identity), Verdict, RandomState>,
    visited: HashMap<(NodeId, Identity), Verdict, RandomState>,
    entries_left: usize,
    keys: usize,
    gatherings: usize,
    pub(crate) unique: UniqueSet,
    /// Bits of what is evaluated, one run per container that is being gathered for.
    pub(crate) marks: Vec<u64>,
    /// Shared nodes that a gathering has been through, by the gathering's number.
    pub(crate) gathered: HashSet<(NodeId, usize), RandomState>,
}

impl Default for State {
    fn default() -> Self {
        State {
            meter: Meter::new(0),
            steps_before: 0,
            depth_left: 0,
            remembers_decisions: false,
            stopped: false,
            memo: HashMap::default(),
            visited: HashMap::default(),
            entries_left: 0,
            keys: 0,
            gatherings: 0,
            unique: UniqueSet::default(),
            marks: Vec::new(),
            gathered: HashSet::default(),
        }
    }
}

impl State {
    /// Makes ready for a check: nothing of an earlier one remains, even if that one panicked.
    pub(crate) fn begin(&mut self, limits: &Limits) {
        self.steps_before = 0;
        self.memo.clear();
        self.entries_left = limits.get_memo_entries();
        self.keys = 0;
        self.begin_walk(limits);
        self.remembers_decisions = false;
    }

    /// Makes ready for a second walk over the same value, which may use the verdicts of the first.
    pub(crate) fn begin_second(&mut self, limits: &Limits) {
        self.steps_before = self.steps_before.saturating_add(self.meter.used());
        self.begin_walk(limits);
        self.remembers_decisions = true;
    }

    fn begin_walk(&mut self, limits: &Limits) {
        self.meter = Meter::new(limits.get_steps());
        self.depth_left = limits.get_depth();
        self.stopped = false;
        self.visited.clear();
        self.marks.clear();
        self.gathered.clear();
    }

    /// What is known of `node` on the value at `place`.
    pub(crate) fn recall(&self, node: NodeId, place: Identity) -> Option<Verdict> {
        self.memo.get(&(node, place)).copied()
    }

    /// Remembers a verdict. One that was lost to the meter is not kept: the next walk has a meter of its own.
    pub(crate) fn remember(
        &mut self,
        node: NodeId,
        place: Identity,
        verdict: Verdict,
    ) -> Result<(), Exhausted> {
        if verdict == Verdict::Unknown && self.meter.is_exhausted() {
            return Ok(());
        }
        self.entries_left = self.entries_left.checked_sub(1).ok_or(Exhausted)?;
        self.memo.insert((node, place), verdict);
        Ok(())
    }

    /// What an explaining walk said of `node` on the value at `place`, if it has been there.
    pub(crate) fn revisit(&self, node: NodeId, place: Identity) -> Option<Verdict> {
        self.visited.get(&(node, place)).copied()
    }

    /// Remembers that an explaining walk has been there.
    pub(crate) fn visit(&mut self, node: NodeId, place: Identity, verdict: Verdict) -> Result<(), Exhausted> {
        self.entries_left = self.entries_left.checked_sub(1).ok_or(Exhausted)?;
        self.visited.insert((node, place), verdict);
        Ok(())
    }

    /// A number for a gathering that no other gathering of this check has had.
    pub(crate) fn gathering(&mut self) -> usize {
        self.gatherings += 1;
        self.gatherings
    }

    /// An identity for a key under `propertyNames`. A key has no place of its own in the instance, so each time
    /// one is judged it counts down from the top, where no address and no index lies.
    pub(crate) fn key_identity(&mut self) -> Identity {
        self.keys += 1;
        Identity(usize::MAX - self.keys)
    }
}
