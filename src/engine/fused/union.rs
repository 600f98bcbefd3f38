//! Unions in a walk that only wants a verdict.
//!
//! In: the links of a union, as far as a value's kind leaves them. Out: a verdict. A switch looks at one member and
//! leaves fewer. Cost: a step a union, and one for every few links that their kinds tell apart.

use super::super::sink::Sink;
use super::super::verdict::{Tally, Verdict};
use super::super::walk::Walk;
use crate::program::{Few, Link, Switch};
use crate::value::{Instance, Object, View};

/// Links that are told apart by kind alone in the time of a step.
const LINKS_PER_STEP: usize = 8;

impl Switch {
    /// The branches that a member's value leaves.
    fn left_by<'v, I: Instance<'v>>(&self, member: I) -> Few {
        match member.view() {
            View::String(text) => self.texts.get(text).copied().unwrap_or(self.other),
            View::Number(_) => match member.held_integer() {
                Some(integer) => {
                    let found = self.integers.binary_search_by_key(&integer, |(listed, _)| *listed).ok();
                    found.and_then(|found| self.integers.get(found)).map_or(self.other, |(_, few)| *few)
                }
                None => self.any,
            },
            View::Null | View::Boolean(_) | View::Array(_) | View::Object(_) => self.other,
        }
    }
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// The branches that a member's text leaves.
    #[inline(always)]
    pub(in crate::engine) fn switched<I: Instance<'v>>(
        &mut self,
        index: u32,
        value: I,
        decide: impl FnOnce(&mut Self, &[Link], I) -> Verdict,
    ) -> Verdict {
        let program = self.program;
        let (View::Object(object), Some(switch)) = (value.view(), program.fused().switch(index)) else {
            return Verdict::Unknown;
        };
        let few = match object.get(&switch.name) {
            None => switch.absent,
            Some(member) => switch.left_by(member),
        };
        decide(self, program.fused().links(few), value)
    }

    pub(in crate::engine) fn any_link<I: Instance<'v>>(&mut self, links: &[Link], value: I) -> Verdict {
        let mut verdict = Verdict::No;
        if let [only] = links {
            return self.link(*only, value);
        }
        if self.state.meter.charge(1 + (links.len() / LINKS_PER_STEP) as u64).is_err() {
            return Verdict::Unknown;
        }
        for link in links {
            verdict = verdict.or(self.link(*link, value));
            if verdict == Verdict::Yes || self.state.meter.is_exhausted() {
                break;
            }
        }
        verdict
    }

    pub(in crate::engine) fn one_link<I: Instance<'v>>(&mut self, links: &[Link], value: I) -> Verdict {
        let mut tally = Tally::default();
        if let [only] = links {
            return self.link(*only, value);
        }
        if self.state.meter.charge(1 + (links.len() / LINKS_PER_STEP) as u64).is_err() {
            return Verdict::Unknown;
        }
        for link in links {
            tally.add(self.link(*link, value));
            if tally.yes > 1 {
                return Verdict::No;
            }
            if self.state.meter.is_exhausted() {
                return Verdict::Unknown;
            }
        }
        tally.at_least(1).and(tally.at_most(1))
    }
}
