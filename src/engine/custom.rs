//! The caller's own keywords: what they are handed.
//!
//! In: a keyword and a value. Out: a verdict. A value goes to the caller's code only where the whole instance is
//! proven to be no deeper than the limit, since that code may well recurse: one pass over the instance before the
//! walk, a step a value, for programs that have such keywords. A map at the root is copied for each that it meets.

use super::sink::Sink;
use super::verdict::Verdict;
use super::walk::Walk;
use crate::limits::{Exhausted, Meter};
use crate::program::CustomKeywordId;
use crate::value::{Array, Instance, Object, View};

/// Whether `value` has at most `levels` levels. Recurses as deep as that, which the ceiling of the limit bounds.
pub(super) fn is_within<'v, I: Instance<'v>>(
    value: I,
    levels: usize,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    let Some(below) = levels.checked_sub(1) else { return Ok(false) };
    meter.charge(1)?;
    match value.view() {
        View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => Ok(true),
        View::Array(items) => all_within(items.iter(), below, meter),
        View::Object(members) => all_within(members.iter().map(|(_, member)| member), below, meter),
    }
}

fn all_within<'v, I: Instance<'v>>(
    values: impl Iterator<Item = I>,
    levels: usize,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    for value in values {
        if !is_within(value, levels, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl<'v, S: Sink<'v>> Walk<'_, '_, 'v, S> {
    pub(super) fn custom_keyword<I: Instance<'v>>(&mut self, id: CustomKeywordId, value: I) -> Verdict {
        if !self.state.shallow {
            return Verdict::Unknown;
        }
        let Some(value) = value.to_value() else { return Verdict::Unknown };
        (self.program.custom_keyword(id).accepts)(&value).into()
    }
}
