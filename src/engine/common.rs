//! What the branches of a union refuse, counted in one walk.
//!
//! In: a value that no branch passes and of which nothing is kept, so that only its places are asked for. Out: the same
//! places, for the sink, that a walk through each branch would tell of. Cost: a step a value, member and item, whatever
//! the number of branches that could be merged ([`Common`](crate::program::Common)); the others are walked one by one.

use super::object;
use super::sink::{Sink, Token};
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::{Meter, search_steps};
use crate::program::{Below, Common, InstructionId};
use crate::value::{Array, Instance, Kind, Object, View};

impl Common {
    /// Whether a string is none of those that all admit.
    fn refuses<'v, I: Instance<'v>>(&self, view: View<'v, I>, meter: &mut Meter) -> bool {
        let (View::String(text), Some(texts)) = (view, &self.texts) else { return false };
        meter.charge(search_steps(texts.len(), text.len())).is_ok() && texts.get(text).is_none()
    }
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    /// Counts what the branches of a union refuse, where nothing of it is kept; whether it did.
    pub(super) fn count_common<I: Instance<'v>>(&mut self, union: InstructionId, value: I) -> bool {
        let fused = self.program.fused();
        let common =
            if self.frame.past { fused.common_of(union).and_then(|index| fused.common(index)) } else { None };
        if let Some(common) = common {
            self.common(common, value);
        }
        common.is_some()
    }

    fn common<I: Instance<'v>>(&mut self, common: &Common, value: I) {
        let fused = self.program.fused();
        let kind = value.kind();
        // What has to be read, and what may not be entered, tells of itself that it was not checked.
        if kind == Kind::Text || self.state.depth_left == 0 {
            return self.each_link(fused.links(common.all), value);
        }
        // Found out by whoever asks next.
        let _ = self.state.meter.charge(1);
        self.state.depth_left -= 1;
        let (view, meter) = (value.view(), &mut self.state.meter);
        let is_refused = common.fails.has(kind)
            || common.refuses(view, meter)
            || object::required(view, &common.required, meter) == Verdict::No;
        if is_refused {
            self.count_here(value.identity());
        }
        match view {
            View::Object(members) if common.members.len() > 0 => {
                for (key, child) in members.iter() {
                    if self.state.meter.charge(1).is_err() {
                        break;
                    }
                    if let Some(below) = common.members.get(key) {
                        self.common_below(*below, Token::Key(key), child);
                    }
                }
            }
            View::Array(items) => {
                if let Some(below) = common.items {
                    for (index, item) in items.iter().enumerate() {
                        if self.state.meter.charge(1).is_err() {
                            break;
                        }
                        self.common_below(below, Token::Index(index), item);
                    }
                }
            }
            View::Object(_) | View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => {}
        }
        self.each_link(fused.links(common.rest), value);
        self.state.depth_left += 1;
    }

    fn common_below<I: Instance<'v>>(&mut self, below: Below, token: Token<'v>, child: I) {
        let fused = self.program.fused();
        match below {
            Below::One(link) => {
                self.child(link, token, child);
            }
            Below::Common(index) => {
                if let Some(common) = fused.common(index) {
                    self.below(token, false, true, |walk| walk.common(common, child));
                }
            }
            Below::Each(few) => {
                for link in fused.links(few) {
                    self.child(*link, token, child);
                }
            }
        }
    }
}
