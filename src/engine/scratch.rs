//! What a check needs besides its program and its instance, kept between checks.
//!
//! In: limits, at the start of each walk. Out: a meter, a depth counter, the memo, and the set behind
//! `uniqueItems`, the caches of patterns; and the tape of a value that comes as bytes. Memory grows only with shared nodes, `uniqueItems`, `unevaluated*` and
//! patterns, up to [`crate::limits::MEMO_ENTRIES`], [`crate::limits::UNIQUE_ITEMS`] and what [`crate::pattern::Caches`]
//! names; what has grown is kept for the next check, so that a warm scratch allocates nothing.

use std::fmt;

use super::memo::{Kind, Memo};
use super::verdict::Verdict;
use crate::limits::{Exhausted, Limits, Meter};
use crate::pattern::Caches;
use crate::program::NodeId;
use crate::value::Identity;
use crate::value::tape::Tape;
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
    pub(crate) tape: Tape,
}

impl Scratch {
    /// An empty scratch. Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Scratch::default()
    }

    /// Steps that the last check took, its report included, and the reading of a body that came as bytes: what a gateway
    /// meters its tenants by. A step is defined at [`crate::limits::STEPS`]. A pattern that a scratch meets for the first time costs some hundred more.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps_before.saturating_add(self.state.meter.used())
    }

    /// Bytes of memory kept for the next check, as an estimate from the tables' capacities.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let State { memo, unique, caches, .. } = &self.state;
        memo.memory_usage() + unique.memory_usage() + caches.memory_usage() + self.tape.memory_usage()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

/// The state of one walk.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) meter: Meter,
    /// Of an earlier walk over the same value, and of its reading.
    steps_before: u64,
    /// Whether the first walk used no memory, and left what an earlier check kept in it.
    counted: bool,
    /// Nodes that may still be entered below this one.
    pub(crate) depth_left: usize,
    /// Whether this is the second walk: verdicts of nodes that decide a report are then remembered.
    pub(crate) remembers_decisions: bool,
    /// Whether the instance may be handed to the caller's own keywords, where the program has any.
    pub(crate) shallow: bool,
    /// Whether something was reported as not checked: what lies behind it is then not known.
    pub(crate) unsure: bool,
    /// Whether the sink has asked to end the walk.
    pub(crate) stopped: bool,
    pub(crate) memo: Memo,
    pub(crate) unique: UniqueSet,
    pub(crate) caches: Caches,
    keys: usize,
}

impl State {
    /// Makes ready for a check: nothing of an earlier one remains, even if that one panicked. What is only `counted` uses
    /// no memory, and leaves what there is to the next that does.
    #[inline]
    pub(crate) fn begin(&mut self, limits: &Limits, counted: bool) {
        self.begin_counted(limits);
        if !counted {
            self.counted = false;
            self.begin_memory(limits);
        }
    }

    /// [`State::begin`] of a check that uses no memory.
    #[inline(always)]
    pub(crate) fn begin_counted(&mut self, limits: &Limits) {
        self.steps_before = 0;
        self.remembers_decisions = false;
        self.counted = true;
        self.begin_counters(limits);
    }

    /// Counts what it took to read the value that was checked. Not taken from its meter: a body's size bounds it.
    pub(crate) fn count_reading(&mut self, steps: u64) {
        self.steps_before = self.steps_before.saturating_add(steps);
    }

    /// Makes ready for a second walk over the same value.
    pub(crate) fn begin_second(&mut self, limits: &Limits) {
        self.steps_before = self.steps_before.saturating_add(self.meter.used());
        self.begin_counters(limits);
        if self.counted {
            // What is remembered is of an earlier check.
            self.begin_memory(limits);
        } else {
            self.memo.begin_second();
            self.unique.begin(limits.get_unique_items());
            self.caches.begin();
        }
        self.remembers_decisions = true;
    }

    #[inline]
    fn begin_counters(&mut self, limits: &Limits) {
        self.meter = Meter::new(limits.get_steps());
        self.depth_left = limits.get_depth();
        self.stopped = false;
        self.unsure = false;
        self.keys = 0;
    }

    #[inline(never)]
    fn begin_memory(&mut self, limits: &Limits) {
        self.memo.begin(limits.get_memo_entries());
        self.unique.begin(limits.get_unique_items());
        self.caches.begin();
    }

    /// Remembers a verdict. One that was lost to the meter is not kept: what is unknown is never remembered as no.
    pub(crate) fn remember(
        &mut self,
        kind: Kind,
        node: NodeId,
        place: Identity,
        verdict: Verdict,
    ) -> Result<(), Exhausted> {
        if verdict == Verdict::Unknown && self.meter.is_exhausted() {
            return Ok(());
        }
        self.memo.remember(kind, node, place, verdict)
    }

    /// Takes all steps that are left: a memo that is full must not let the next visits double.
    pub(crate) fn exhaust(&mut self) {
        let all = self.meter.left().saturating_add(1);
        let _ = self.meter.charge(all);
    }

    /// An identity for a key under `propertyNames`. A key has no place of its own in the instance, so each time
    /// one is judged it counts down from the top, where no address and no index lies.
    pub(crate) fn key_identity(&mut self) -> Identity {
        self.keys += 1;
        Identity(usize::MAX - self.keys)
    }
}
