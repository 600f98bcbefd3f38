//! The sink that keeps the first ten paths while problems stream by, and counts all places that fail.
//!
//! In: problems in any order, each with its path and the place's identity. Out: the at most [`LISTED`] paths
//! that come first, each with the set of its problems, and the exact number of distinct places.
//!
//! **Exact**: a path is dropped only when ten that come before it are kept, and the tenth only ever moves down,
//! so a dropped path could never come back and a kept one has lost no problem.
//!
//! **Memory**: ten paths of at most the depth limit's tokens (keys are borrowed), ten sets of at most the
//! program's instructions: constant in the instance. Besides them one hash set of addresses. Its table has a
//! power of two of buckets, eight bytes and one control byte each, filled to seven eighths, and doubles while the
//! old table still lives: 9 + 18 bytes for each old bucket, at 7/8 of a place a bucket, is 30.9 bytes for each
//! failing place at the peak, under the [`BYTES_PER_PLACE`] that we promise.
//!
//! **Time** per problem: one look-up, the path's tokens compared by address, and, where the path is dropped,
//! one decision against the tenth. Keys are the caller's and may be long and alike, so none is read more often than
//! the walk enters its member: [`FirstTen::current`] ranks a key once as the walk comes to it, and each kept path
//! remembers against which key it was decided last.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use super::order::{Ranked, is_same};
use crate::bound::LISTED;
use crate::engine::sink::{Mode, Problem, Sink, Token};
use crate::value::Identity;
use crate::value::mixing::Mixing;

/// The most bytes that counting one failing place may take, growth included (a small constant aside).
#[cfg_attr(not(test), expect(dead_code, reason = "a promise that the tests hold"))]
pub(crate) const BYTES_PER_PLACE: usize = 32;

/// One kept path and what was found there.
#[derive(Debug)]
pub(crate) struct Kept<'v, P> {
    path: Vec<Ranked<'v>>,
    problems: BTreeSet<P>,
    /// At which token the last comparison was decided, by which token of the other path, and how.
    decided: Option<(usize, Token<'v>, Ordering)>,
}

impl<'v, P> Kept<'v, P> {
    /// The tokens, outermost first.
    pub(crate) fn path(&self) -> Vec<Token<'v>> {
        self.path.iter().map(|ranked| ranked.token).collect()
    }

    /// What was found there, each once, in the order of `P`.
    pub(crate) fn problems(&self) -> &BTreeSet<P> {
        &self.problems
    }

    /// How `path` is ordered relative to this one.
    fn compare(&mut self, path: &[Ranked<'v>]) -> Ordering {
        for (level, (other, own)) in path.iter().zip(&self.path).enumerate() {
            if is_same(other.token, own.token) {
                continue;
            }
            if let Some((at, token, ordering)) = self.decided
                && at == level
                && is_same(token, other.token)
            {
                return ordering;
            }
            let ordering = other.compare(*own);
            if ordering.is_ne() {
                self.decided = Some((level, other.token, ordering));
                return ordering;
            }
        }
        path.len().cmp(&self.path.len())
    }
}

/// The first ten paths, and a count of all.
#[derive(Debug)]
pub(crate) struct FirstTen<'v, P: Ord> {
    /// Sorted by path.
    kept: Vec<Kept<'v, P>>,
    /// Where the walk is: the path of the last problem, ranked. What it shares with the next is not read again.
    current: Vec<Ranked<'v>>,
    places: HashSet<usize, Mixing>,
    last_place: Option<Identity>,
}

impl<P: Ord> Default for FirstTen<'_, P> {
    fn default() -> Self {
        FirstTen { kept: Vec::new(), current: Vec::new(), places: HashSet::default(), last_place: None }
    }
}

impl<'v, P: Ord> FirstTen<'v, P> {
    /// Counts the place, and keeps the problem if its path is among the first ten so far.
    pub(crate) fn add(&mut self, path: &[Token<'v>], place: Identity, problem: P) {
        if self.last_place != Some(place) {
            self.last_place = Some(place);
            self.places.insert(place.0);
        }
        self.follow(path);
        let full = self.kept.len() >= LISTED;
        let mut position = self.kept.len();
        // From the last kept path upward: most paths are decided by the tenth alone.
        for kept in self.kept.iter_mut().rev() {
            match kept.compare(&self.current) {
                Ordering::Greater => break,
                Ordering::Equal => {
                    kept.problems.insert(problem);
                    return;
                }
                Ordering::Less => position -= 1,
            }
        }
        if position >= LISTED {
            return;
        }
        let evicted = if full { self.kept.pop() } else { None };
        let (mut path, mut problems) = match evicted {
            Some(evicted) => (evicted.path, evicted.problems),
            None => (Vec::new(), BTreeSet::new()),
        };
        path.clear();
        path.extend_from_slice(&self.current);
        problems.clear();
        problems.insert(problem);
        // `position` counts down from the length, and what was popped came after it.
        self.kept.insert(position, Kept { path, problems, decided: None });
    }

    /// Makes `path` the current one.
    fn follow(&mut self, path: &[Token<'v>]) {
        let shared = self
            .current
            .iter()
            .zip(path)
            .take_while(|(ranked, token)| is_same(ranked.token, **token))
            .count();
        self.current.truncate(shared);
        self.current.extend(path.iter().skip(shared).map(|token| Ranked::new(*token)));
    }

    /// How many distinct places had a problem.
    pub(crate) fn total(&self) -> usize {
        self.places.len()
    }

    /// The kept paths, in path order.
    pub(crate) fn kept(&self) -> &[Kept<'v, P>] {
        &self.kept
    }
}

/// The sink of `report`: the first ten paths with their problems.
#[derive(Debug, Default)]
pub(crate) struct Collector<'v> {
    found: FirstTen<'v, Problem>,
}

impl<'v> Collector<'v> {
    /// How many distinct places had a problem.
    pub(crate) fn total(&self) -> usize {
        self.found.total()
    }

    /// The kept paths, in path order.
    pub(crate) fn kept(&self) -> &[Kept<'v, Problem>] {
        self.found.kept()
    }
}

impl<'v> Sink<'v> for Collector<'v> {
    const MODE: Mode = Mode::Report;

    #[inline]
    fn problem(&mut self, path: &[Token<'v>], place: Identity, problem: Problem) -> ControlFlow<()> {
        self.found.add(path, place, problem);
        ControlFlow::Continue(())
    }

    #[inline]
    fn cast(&mut self, _: Identity) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::report::order;

    fn listed<'v>(found: &FirstTen<'v, u8>) -> Vec<(Vec<Token<'v>>, Vec<u8>)> {
        found.kept().iter().map(|kept| (kept.path(), kept.problems().iter().copied().collect())).collect()
    }

    #[test]
    fn of_twelve_failing_places_ten_are_kept_and_all_are_counted() {
        let mut found = FirstTen::default();
        for index in (0..12).rev() {
            found.add(&[Token::Key("items"), Token::Index(index)], Identity(index), 1);
            found.add(&[Token::Key("items"), Token::Index(index)], Identity(index), 0);
            found.add(&[Token::Key("items"), Token::Index(index)], Identity(index), 1);
        }
        assert_eq!(found.total(), 12);
        let expected: Vec<_> =
            (0..10).map(|index| (vec![Token::Key("items"), Token::Index(index)], vec![0, 1])).collect();
        assert_eq!(listed(&found), expected);
        // The root comes before all of them.
        found.add(&[], Identity(99), 7);
        assert_eq!((found.total(), found.kept().len()), (13, 10));
        assert_eq!(listed(&found)[0], (vec![], vec![7]));
    }

    #[test]
    fn counting_stays_under_its_bytes_for_each_place_while_it_grows() {
        // What a table of this capacity takes: hashbrown's own arithmetic (see the module's docs).
        let bytes = |capacity: usize| (capacity * 8 / 7).next_power_of_two() * 9;
        let small_constant = 64;
        let mut found = FirstTen::default();
        let mut capacity = 0;
        for place in 1..100_000 {
            found.add(&[Token::Index(place)], Identity(place), 0_u8);
            let grown = found.places.capacity();
            if grown != capacity {
                let peak = if capacity == 0 { 0 } else { bytes(capacity) } + bytes(grown);
                assert!(peak <= BYTES_PER_PLACE * place + small_constant, "{peak} bytes at {place} places");
                capacity = grown;
            }
        }
    }

    /// Long keys that differ in their last byte only, or that are numbers after a long run of zeros: each is read
    /// a few times for each entry of the walk, and not once for every problem below it.
    #[test]
    fn long_and_like_keys_are_not_read_for_every_problem() {
        const LONG: usize = 1 << 16;
        const MANY: usize = 10_000;
        for filler in ["a", "0"] {
            let long = [1, 2, 3].map(|end| format!("{}{end}", filler.repeat(LONG)));
            let keys: Vec<String> = (0..MANY).map(|number| format!("{number:06}")).collect();
            let mut found = FirstTen::default();
            order::readings::take();
            for index in 0..5 {
                found.add(&[Token::Key(&long[0]), Token::Index(index)], Identity(index), 0_u8);
            }
            // Each of these comes before all that are kept below its parent, and is compared with the parent's sibling.
            for key in keys.iter().rev() {
                found.add(&[Token::Key(&long[1]), Token::Key(key)], Identity(5), 0);
            }
            // Each of these comes after the tenth.
            for index in 0..MANY {
                found.add(&[Token::Key(&long[2]), Token::Index(index)], Identity(6), 0);
            }
            assert_eq!(found.kept().len(), LISTED);
            let read = order::readings::take();
            assert!(read < 40 * LONG + 100 * MANY, "{read} bytes");
        }
    }

    fn path() -> impl Strategy<Value = Vec<(bool, usize)>> {
        prop::collection::vec((any::<bool>(), 0_usize..4), 0..4)
    }

    proptest! {
        #[test]
        fn what_is_kept_is_what_sorting_everything_would_keep(
            problems in prop::collection::vec((path(), 0_u8..4), 0..120),
        ) {
            let names = ["", "a", "10", "b"];
            let spelled: Vec<(Vec<Token<'_>>, u8)> = problems
                .iter()
                .map(|(path, problem)| {
                    // By level either keys or indices, as in an instance.
                    let tokens = path.iter().enumerate().map(|(level, (_, number))| {
                        if level % 2 == 0 { Token::Key(names[*number]) } else { Token::Index(*number) }
                    });
                    (tokens.collect(), *problem)
                })
                .collect();

            let mut all: BTreeMap<String, (Vec<Token<'_>>, BTreeSet<u8>)> = BTreeMap::new();
            for (path, problem) in &spelled {
                let place = all.entry(format!("{path:?}")).or_insert_with(|| (path.clone(), BTreeSet::new()));
                place.1.insert(*problem);
            }
            let places: Vec<String> = all.keys().cloned().collect();
            let mut sorted: Vec<_> =
                all.into_values().map(|(path, set)| (path, set.into_iter().collect::<Vec<_>>())).collect();
            sorted.sort_by(|a, b| order::paths(&a.0, &b.0));

            let mut found = FirstTen::default();
            for (path, problem) in &spelled {
                let place = places.iter().position(|place| *place == format!("{path:?}")).unwrap();
                found.add(path, Identity(place), *problem);
            }
            prop_assert_eq!(found.total(), sorted.len());
            sorted.truncate(LISTED);
            prop_assert_eq!(listed(&found), sorted);
        }
    }
}
