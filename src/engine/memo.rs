//! What a walk remembers, so that no value meets one node twice.
//!
//! In: verdicts and marks, each for a node on a value. Out: the same, while they can be asked for again. A walk that
//! leaves a value which nothing else leads to forgets what it remembered inside: memory then depends on the depth of
//! an instance and not on its width.
//!
//! Size: an entry takes about 80 bytes at most while its table grows, and [`crate::limits::MEMO_ENTRIES`] bounds how
//! many there are at a time.

use super::verdict::Verdict;
use crate::limits::Exhausted;
use crate::program::NodeId;
use crate::value::Identity;
use crate::value::table::Table;

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// What a node says of a value.
    Verdict,
    /// What an explaining walk said when it was there.
    Visit,
    /// What all items of an array said to a node while a report was made.
    Items,
}

/// What a node evaluates of a container: a run of marks, one bit a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Where the run begins in [`Memo::marks`].
    pub(crate) start: usize,
    /// Every child is evaluated.
    pub(crate) all: bool,
}

/// How much was remembered at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    verdicts: usize,
    runs: usize,
}

/// The tables of one check.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    verdicts: Table<(Identity, NodeId, Kind), Verdict>,
    runs: Table<(Identity, NodeId), Run>,
    limit: usize,
    /// Bits of what is evaluated, one run after another.
    pub(crate) marks: Vec<u64>,
}

impl Memo {
    /// Empty, with room for `entries`. Takes time in proportion to what was remembered.
    #[inline]
    pub(crate) fn begin(&mut self, entries: usize) {
        self.forget(Remembered { verdicts: 0, runs: 0 });
        self.marks.clear();
        self.limit = entries;
    }

    /// Makes ready for another walk over the same value: verdicts stay true.
    pub(crate) fn begin_second(&mut self) {
        self.forget(Remembered { verdicts: self.verdicts.len(), runs: 0 });
        self.marks.clear();
    }

    /// How much has been remembered so far: what [`Memo::forget`] goes back to.
    #[inline]
    pub(crate) fn remembered(&self) -> Remembered {
        Remembered { verdicts: self.verdicts.len(), runs: self.runs.len() }
    }

    /// Forgets everything that came later.
    #[inline]
    pub(crate) fn forget(&mut self, earlier: Remembered) {
        self.verdicts.forget(earlier.verdicts, |_| ());
        // Later runs lie behind it and are forgotten already.
        self.runs.forget(earlier.runs, |run| self.marks.truncate(run.start));
    }

    /// What is known of `node` on the value at `place`.
    pub(crate) fn recall(&self, kind: Kind, node: NodeId, place: Identity) -> Option<Verdict> {
        self.verdicts.get((place, node, kind))
    }

    /// Remembers a verdict.
    pub(crate) fn remember(
        &mut self,
        kind: Kind,
        node: NodeId,
        place: Identity,
        verdict: Verdict,
    ) -> Result<(), Exhausted> {
        self.has_room()?;
        self.verdicts.insert((place, node, kind), verdict);
        Ok(())
    }

    /// What `node` is known to evaluate of the container at `place`.
    pub(crate) fn gathered(&self, node: NodeId, place: Identity) -> Option<Run> {
        self.runs.get((place, node))
    }

    /// Remembers what `node` evaluates of the container at `place`. The run begins behind all those that are
    /// remembered.
    pub(crate) fn keep_gathered(&mut self, node: NodeId, place: Identity, run: Run) -> Result<(), Exhausted> {
        self.has_room()?;
        self.runs.insert((place, node), run);
        Ok(())
    }

    fn has_room(&self) -> Result<(), Exhausted> {
        if self.verdicts.len() + self.runs.len() < self.limit { Ok(()) } else { Err(Exhausted) }
    }

    /// Bytes kept for the next check, as an estimate from the tables' capacities.
    pub(crate) fn memory_usage(&self) -> usize {
        self.verdicts.memory_usage() + self.runs.memory_usage() + self.marks.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(index: usize) -> NodeId {
        NodeId::new(index).unwrap()
    }

    #[test]
    fn what_came_later_is_forgotten_and_nothing_else() {
        let mut memo = Memo::default();
        memo.begin(3);
        memo.remember(Kind::Verdict, node(1), Identity(1), Verdict::Yes).unwrap();
        let earlier = memo.remembered();
        memo.remember(Kind::Visit, node(1), Identity(1), Verdict::No).unwrap();
        memo.marks.push(7);
        memo.keep_gathered(node(1), Identity(1), Run { start: 0, all: false }).unwrap();
        let full = memo.remember(Kind::Verdict, node(2), Identity(1), Verdict::Yes);
        assert_eq!(full, Err(Exhausted));
        assert_eq!(memo.recall(Kind::Visit, node(1), Identity(1)), Some(Verdict::No));
        memo.forget(earlier);
        assert_eq!(memo.recall(Kind::Verdict, node(1), Identity(1)), Some(Verdict::Yes));
        assert_eq!(memo.recall(Kind::Visit, node(1), Identity(1)), None);
        assert!(memo.gathered(node(1), Identity(1)).is_none() && memo.marks.is_empty());
        // The room is there again.
        assert_eq!(memo.remember(Kind::Verdict, node(2), Identity(1), Verdict::No), Ok(()));
        assert_eq!(memo.remember(Kind::Verdict, node(3), Identity(1), Verdict::No), Ok(()));
    }
}
