//! The assertions on numbers, strings and any value.
//!
//! In: what a keyword asks. Out: its instruction's operand. Linear in the schema's own values; a pattern is built
//! once a validator, whatever the number of places that name it, against the limits on patterns.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::{Compiler, Here, too_large};
use crate::bound;
use crate::pattern::Pattern;
use crate::program::{Choices, Instruction, PatternId, TooLarge};
use crate::schema::error::BuildError;
use crate::value::number::ExactNumber;

/// The instruction of an `enum`.
pub(super) fn choices(values: &[Value]) -> Instruction {
    let mut strings: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    let listed = strings.clone();
    strings.sort_unstable();
    strings.dedup();
    if strings.len() == values.len() {
        let choices = Choices::of_strings(listed);
        // What crowds has lost its order.
        if !choices.strings.is_crowded() {
            return Instruction::Enum(Box::new(choices));
        }
    }
    // The reader has refused what is no number.
    let mut numbers: Vec<ExactNumber> =
        values.iter().filter_map(Value::as_number).filter_map(ExactNumber::from_json).collect();
    let order = |one: &ExactNumber, other: &ExactNumber| {
        one.as_number().compare(other.as_number()).unwrap_or(Ordering::Equal)
    };
    numbers.sort_unstable_by(order);
    numbers.dedup_by(|one, other| order(one, other).is_eq());
    Instruction::Enum(Box::new(Choices::of_values(values, strings, numbers)))
}

/// A number of the schema, exactly. The reader has refused what is no number.
pub(super) fn exact(number: &Number) -> Result<Box<ExactNumber>, BuildError> {
    ExactNumber::from_json(number).map(Box::new).ok_or_else(too_large)
}

impl<'s> Compiler<'_, 's> {
    /// The pattern with this source.
    pub(super) fn pattern(
        &mut self,
        here: Here,
        keyword: &str,
        source: &'s str,
    ) -> Result<PatternId, BuildError> {
        if let Some(id) = self.patterns.get(source) {
            return Ok(*id);
        }
        let pattern = Pattern::new(source, self.settings.limits).map_err(|reason| {
            let message = format!("\"{}\" is not a usable pattern: {reason}", bound::echo_str(source));
            self.registry.error(here.place, keyword, message)
        })?;
        self.pattern_bytes_left = self.pattern_bytes_left.checked_sub(pattern.size()).ok_or_else(|| {
            self.registry.error(here.place, keyword, "the patterns of the schema are larger than the limit")
        })?;
        let id = self.builder.add_pattern(pattern).map_err(|TooLarge| too_large())?;
        self.patterns.insert(source, id);
        Ok(id)
    }
}
