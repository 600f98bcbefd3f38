//! The sink that keeps the first ten paths while problems stream by, and counts all places that fail.
//!
//! In: problems in any order, each with its path and the place's identity. Out: the at most [`LISTED`] paths
//! that come first, each with the set of its problems, and the exact number of distinct places.
//!
//! **Exact**: a path is dropped only when ten that come before it are kept, and the tenth only ever moves down,
//! so a dropped path could never come back and a kept one has lost no problem.
//!
//! **Memory**: ten paths of at most the depth limit's tokens (keys are borrowed), ten sets of at most the
//! program's instructions: constant in the instance. Besides them the [`places`](super::places) that the walk cannot tell
//! to be new ([`Place`]).
//!
//! **Time** per problem: one look-up, the path's tokens compared by address, and, where the path is dropped,
//! one decision against the tenth. Keys are the caller's and may be long and alike, so none is read more often than
//! the walk enters its member: [`FirstTen::current`] ranks a key once as the walk comes to it, and each kept path
//! remembers against which key it was decided last.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::order::{Ranked, is_same};
use super::places::Places;
use crate::bound::LISTED;
use crate::engine::sink::{Mode, Place, Problem, Reach, Sink, Token};
use crate::value::Identity;

/// One kept path and what was found there.
#[derive(Debug)]
pub(crate) struct Kept<'v, P> {
    path: Vec<Ranked<'v>>,
    problems: Problems<P>,
    /// At which token the last comparison was decided, by which token of the other path, and how.
    decided: Option<(usize, Token<'v>, Ordering)>,
}

impl<'v, P> Kept<'v, P> {
    /// The tokens, outermost first.
    pub(crate) fn path(&self) -> Vec<Token<'v>> {
        self.tokens().collect()
    }

    /// The same, one by one.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Token<'v>> {
        self.path.iter().map(|ranked| ranked.token)
    }

    /// What was found there, each once, in the order of `P`.
    pub(crate) fn problems(&self) -> Cow<'_, [P]>
    where
        P: Ord + Copy,
    {
        self.problems.sorted()
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

/// What was found at one place, some of it twice. What is found is told in order, as a rule, and seldom twice.
#[derive(Debug)]
struct Problems<P> {
    /// The only one, while there is one.
    one: Option<P>,
    more: Vec<P>,
}

impl<P: Ord> Problems<P> {
    /// Adds one. What is there twice is taken out before the vector grows, so that it holds at most twice what it must.
    fn add(&mut self, problem: P) {
        if let Some(one) = self.one.take_if(|one| *one != problem) {
            self.more.push(one);
        }
        if self.one.is_some() || self.more.last() == Some(&problem) {
            return;
        }
        if self.more.len() == self.more.capacity() {
            self.more.sort_unstable();
            self.more.dedup();
            if self.more.len() > self.more.capacity() / 2 {
                self.more.reserve(self.more.len());
            }
        }
        self.more.push(problem);
    }

    fn sorted(&self) -> Cow<'_, [P]>
    where
        P: Copy,
    {
        if let Some(one) = &self.one {
            return Cow::Borrowed(std::slice::from_ref(one));
        }
        if self.more.is_sorted_by(|one, next| one < next) {
            return Cow::Borrowed(&self.more);
        }
        let mut sorted = self.more.clone();
        sorted.sort_unstable();
        sorted.dedup();
        Cow::Owned(sorted)
    }
}

/// The first ten paths, and a count of all.
#[derive(Debug)]
pub(crate) struct FirstTen<'v, P: Ord> {
    /// Sorted by path.
    kept: Vec<Kept<'v, P>>,
    /// Where the walk is: the path of the last problem, ranked. What it shares with the next is not read again.
    current: Vec<Ranked<'v>>,
    /// Places that the walk knew to be new.
    first: usize,
    /// The others; none while there are none.
    places: Option<Places>,
    /// How often what is kept has changed since there were ten.
    changes: u32,
}

impl<P: Ord> Default for FirstTen<'_, P> {
    fn default() -> Self {
        FirstTen { kept: Vec::new(), current: Vec::new(), first: 0, places: None, changes: 0 }
    }
}

impl<'v, P: Ord> FirstTen<'v, P> {
    /// Counts the place, and keeps the problem if its path is among the first ten so far.
    pub(crate) fn add(&mut self, path: &[Token<'v>], place: Identity, problem: P) {
        self.count(Place::Unsure(place));
        self.keep(path, problem);
    }

    /// Keeps the problem of a place that was counted, if its path is among the first ten so far.
    fn keep(&mut self, path: &[Token<'v>], problem: P) {
        self.follow(path);
        let full = self.kept.len() >= LISTED;
        let mut position = self.kept.len();
        // From the last kept path upward: most paths are decided by the tenth alone.
        for kept in self.kept.iter_mut().rev() {
            match kept.compare(&self.current) {
                Ordering::Greater => break,
                Ordering::Equal => {
                    kept.problems.add(problem);
                    return;
                }
                Ordering::Less => position -= 1,
            }
        }
        if position >= LISTED {
            return;
        }
        let evicted = if full { self.kept.pop() } else { None };
        self.kept.reserve(LISTED - self.kept.len());
        let (mut path, mut more) = match evicted {
            Some(evicted) => (evicted.path, evicted.problems.more),
            None => (Vec::new(), Vec::new()),
        };
        path.clear();
        path.extend_from_slice(&self.current);
        more.clear();
        let problems = Problems { one: Some(problem), more };
        self.changes = self.changes.wrapping_add(1);
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
        self.first + self.places.as_ref().map_or(0, Places::len)
    }

    /// Counts a place; what that cost, in steps.
    #[inline]
    pub(crate) fn count(&mut self, place: Place) -> u64 {
        match place {
            Place::First => self.first += 1,
            Place::Unsure(place) => return self.places.get_or_insert_default().add(place),
        }
        0
    }

    /// What may still be kept of the places below `path`.
    fn reach(&mut self, path: &[Token<'v>]) -> Reach {
        let Some(tenth) = self.kept.get(LISTED - 1) else { return Reach::Within };
        let shared =
            tenth.path.iter().zip(path).take_while(|(own, token)| is_same(own.token, **token)).count();
        if shared == path.len() {
            return if shared == tenth.path.len() { Reach::Past } else { Reach::Open };
        }
        self.follow(path);
        let Some(tenth) = self.kept.get_mut(LISTED - 1) else { return Reach::Within };
        match tenth.compare(&self.current) {
            Ordering::Greater => Reach::Past,
            Ordering::Less => Reach::Within,
            // The same keys at another address.
            Ordering::Equal => Reach::Past,
        }
    }

    /// Whether the place that `token` leads to from the first `level` tokens of the tenth path comes after that path.
    #[inline]
    fn is_past(&mut self, level: usize, token: Token<'v>) -> bool {
        let Some(own) = self.kept.get(LISTED - 1).and_then(|tenth| tenth.path.get(level)) else {
            return false;
        };
        match (token, own.token) {
            (Token::Index(index), Token::Index(own)) => index > own,
            (token, same) if is_same(token, same) => false,
            (Token::Key(key), _) => own.is_before(key),
            (Token::Index(_), Token::Key(_)) => Ranked::new(token).compare(*own).is_gt(),
        }
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
    type Path = Vec<Token<'v>>;
    const MODE: Mode = Mode::Report;

    #[inline]
    fn problem(&mut self, path: &[Token<'v>], problem: Problem) -> ControlFlow<()> {
        self.found.keep(path, problem);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn count(&mut self, place: Place) -> u64 {
        self.found.count(place)
    }

    #[inline]
    fn count_new(&mut self, places: usize) {
        self.found.first += places;
    }

    #[inline]
    fn reach(&mut self, path: &[Token<'v>]) -> Reach {
        self.found.reach(path)
    }

    #[inline]
    fn changes(&self) -> u32 {
        self.found.changes
    }

    #[inline]
    fn is_past(&mut self, level: usize, token: Token<'v>) -> bool {
        self.found.is_past(level, token)
    }

    #[inline]
    fn cast(&mut self, _: Identity) {}
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::report::order;

    fn listed<'v>(found: &FirstTen<'v, u8>) -> Vec<(Vec<Token<'v>>, Vec<u8>)> {
        found.kept().iter().map(|kept| (kept.path(), kept.problems().into_owned())).collect()
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
