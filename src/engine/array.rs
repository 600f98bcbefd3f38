//! The array keywords (JSON Schema core §10.3.1, validation §6.4).
//!
//! In: a view and the schema's side. Out: a verdict; what is no array passes. One walk over the items, a step
//! each; `uniqueItems` is linear in the items' values.

use super::memo::Kind;
use super::sink::{Fault, Mode, Sink, Token};
use super::verdict::{Tally, Verdict};
use super::walk::Walk;
use crate::limits::Exhausted;
use crate::program::{Contains, InstructionId, Items};
use crate::value::unique::all_unique;
use crate::value::{Array, Instance, View};

/// Items from which on a report remembers that it has visited all of an array; a few are told faster one by one.
const WIDE: usize = 16;

pub(super) fn min_items<'v, I: Instance<'v>>(view: View<'v, I>, minimum: u64) -> Verdict {
    let View::Array(items) = view else { return Verdict::Yes };
    (items.len() as u64 >= minimum).into()
}

pub(super) fn max_items<'v, I: Instance<'v>>(view: View<'v, I>, maximum: u64) -> Verdict {
    let View::Array(items) = view else { return Verdict::Yes };
    (items.len() as u64 <= maximum).into()
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    pub(super) fn items<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        items: &Items,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Array(array) = view else { return Verdict::Yes };
        if S::MODE == Mode::Report
            && array.len() >= WIDE
            && items.prefix().is_empty()
            && let Some(link) = items.rest()
            && self.program.node(link.node).shared
        {
            // Two arms over one array: the second would find every item visited.
            let place = value.identity();
            if let Some(verdict) = self.state.memo.recall(Kind::Items, link.node, place) {
                return verdict;
            }
            let verdict = self.each_item(id, items, value, array);
            return match self.state.remember(Kind::Items, link.node, place, verdict) {
                Ok(()) => verdict,
                Err(Exhausted) => {
                    self.state.exhaust();
                    verdict.and(self.unchecked(id, place))
                }
            };
        }
        self.each_item(id, items, value, array)
    }

    #[inline]
    fn each_item<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        items: &Items,
        value: I,
        array: I::Array,
    ) -> Verdict {
        let mut verdict = Verdict::Yes;
        for (index, item) in array.iter().enumerate() {
            let Some(node) = items.prefix().get(index).copied().or(items.rest()) else { break };
            if S::MODE == Mode::Report
                && verdict == Verdict::No
                && index >= items.prefix().len()
                && self.is_past(Token::Index(index))
            {
                let left = array.len() - index;
                return verdict.and(self.counted_items(id, node, value, left, array.iter().skip(index)));
            }
            if self.state.meter.charge(1).is_err() {
                return verdict.and(self.unchecked(id, value.identity()));
            }
            verdict = verdict.and(self.child(node, Token::Index(index), item));
            if self.ends(verdict) {
                break;
            }
        }
        verdict
    }

    pub(super) fn contains<I: Instance<'v>>(
        &mut self,
        id: InstructionId,
        contains: &Contains,
        value: I,
        view: View<'v, I>,
    ) -> Verdict {
        let View::Array(items) = view else { return Verdict::Yes };
        let mut tally = Tally::default();
        let node = self.program.node(contains.node.node);
        let forgets = node.alone && !node.shared;
        for item in items.iter() {
            // Enough is known as soon as no later item can change the answer.
            let decided = match contains.maximum {
                None => tally.yes >= contains.minimum,
                Some(maximum) => tally.yes > maximum,
            };
            if decided || self.state.meter.charge(1).is_err() {
                break;
            }
            let remembered = self.state.memo.remembered();
            tally.add(self.decide(contains.node, item));
            if forgets {
                self.leave(remembered);
            }
        }
        if self.state.meter.is_exhausted() {
            return self.unchecked(id, value.identity());
        }
        let enough = tally.at_least(contains.minimum);
        let not_too_many = contains.maximum.map_or(Verdict::Yes, |maximum| tally.at_most(maximum));
        match (enough, not_too_many) {
            (_, Verdict::No) => self.failed(id, value.identity(), Fault::TooMany),
            (Verdict::No, _) => self.failed(id, value.identity(), Fault::TooFew),
            (Verdict::Yes, Verdict::Yes) => Verdict::Yes,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => self.unchecked(id, value.identity()),
        }
    }

    pub(super) fn unique_items<I: Instance<'v>>(&mut self, view: View<'v, I>) -> Verdict {
        let View::Array(items) = view else { return Verdict::Yes };
        let state = &mut *self.state;
        let nested = self.program.hashes_nest();
        all_unique(items, &mut state.unique, nested, state.depth_left, &mut state.meter).into()
    }
}
