//! The chain that a call's data passes: object, required, required groups, unknown keys, values, defaults.
//!
//! In: data of any depth, owned. Out: the data as it was read, or the refusal of the first gate that it fails. The
//! depth is proven before anything else looks at the data, and data that is refused is taken apart without
//! recursion.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::keys::Keys;
use crate::engine::pool::with_scratch;
use crate::engine::sink::Token;
use crate::limits::Limits;
use crate::report::keyword::shown_location;
use crate::report::{self, Entry, InputSchema, Problem, Refusal, RefusalKind, call};
use crate::validator::Validator;
use crate::value::depth::{Owned, exceeds};

/// An action, ready to be called.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) validator: Validator,
    pub(super) limits: Limits,
    /// The schema as callers read it, `required` included.
    pub(super) published: Arc<Value>,
    /// What a refusal shows of it.
    pub(super) input_schema: InputSchema,
    /// In path order.
    pub(super) required: Vec<String>,
    pub(super) required_one_of: Vec<Vec<String>>,
    pub(super) keys: Keys,
    /// Proven and cast.
    pub(super) defaults: Map<String, Value>,
}

impl Root {
    /// Passes data through the chain.
    pub(super) fn call(&self, data: Owned) -> Result<Value, Refusal> {
        self.pass(data).map_err(|refusal| refusal.with_input_schema(self.input_schema.clone()))
    }

    fn pass(&self, mut data: Owned) -> Result<Value, Refusal> {
        let program = self.validator.program();
        if exceeds(data.as_value(), self.limits.get_depth()) {
            return Err(report::unchecked(program));
        }
        if data.as_value().is_null() {
            data = Owned::new(Value::Object(Map::new()));
        }
        let Value::Object(members) = data.as_value() else { return Err(not_an_object(data.as_value())) };
        self.has_required(members)?;
        self.has_required_one_of(members)?;
        with_scratch(|scratch| {
            self.keys.check(data.as_value(), program, &self.limits, &mut scratch.state.caches)
        })?;
        let mut read = self.validator.read(data.into_inner())?;
        if let Value::Object(members) = &mut read {
            for (name, value) in &self.defaults {
                if !members.contains_key(name) {
                    members.insert(name.clone(), value.clone());
                }
            }
        }
        Ok(read)
    }

    fn has_required(&self, members: &Map<String, Value>) -> Result<(), Refusal> {
        let absent = || self.required.iter().filter(|name| !members.contains_key(*name));
        let total = absent().count();
        if total == 0 {
            return Ok(());
        }
        let program = self.validator.program();
        let location = shown_location(program, program.location_of(program.root()), "required");
        let entries = absent().take(crate::bound::LISTED).map(|name| missing(name, &location));
        Err(Refusal::new(RefusalKind::MissingRequired, None, entries.collect(), total))
    }

    fn has_required_one_of(&self, members: &Map<String, Value>) -> Result<(), Refusal> {
        let is_present = |group: &Vec<String>| group.iter().all(|name| members.contains_key(name));
        if self.required_one_of.is_empty() || self.required_one_of.iter().any(is_present) {
            return Ok(());
        }
        let problem = Problem::new(&call::required_one_of(&self.required_one_of), "required_one_of", "");
        Err(Refusal::new(RefusalKind::MissingRequiredOneOf, None, vec![Entry::new(&[], [problem])], 1))
    }
}

/// The entry of a required key that is absent.
pub(super) fn missing(name: &str, location: &str) -> Entry {
    Entry::new(&[Token::Key(name)], [Problem::new(&call::required(name), "required", location)])
}

fn not_an_object(data: &Value) -> Refusal {
    let problem = Problem::new(&call::not_of_type("object", data), "type", "");
    Refusal::new(RefusalKind::InvalidData, None, vec![Entry::new(&[], [problem])], 1)
}
