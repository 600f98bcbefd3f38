//! The chain that a call's data passes: object, required, required groups, unknown keys, values, defaults.
//!
//! In: data of any depth, owned, or bytes that spell it. Out: the data as it was read, or the refusal of the first gate that
//! it fails. The depth is proven before anything else looks at the data, and data that is refused is taken apart without
//! recursion, or was never built.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::keys::Keys;
use crate::engine::pool::with_scratch;
use crate::engine::scratch::Scratch;
use crate::engine::sink::Token;
use crate::limits::Limits;
use crate::pattern::Caches;
use crate::report::keyword::shown_location;
use crate::report::{self, Entry, InputSchema, Problem, Refusal, RefusalKind, call};
use crate::slice::SliceError;
use crate::validator::Validator;
use crate::value::depth::{Owned, exceeds};
use crate::value::tape::DuplicateKeys;
use crate::value::{Instance, Object, View};

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
        self.pass(data).map_err(|refusal| self.shown(refusal))
    }

    /// [`Root::call`] of data that comes as bytes: nothing is built of what is refused.
    pub(super) fn call_slice(&self, bytes: &[u8]) -> Result<Value, SliceError> {
        let duplicates = self.validator.duplicate_keys().unwrap_or(DuplicateKeys::Refuse);
        with_scratch(|scratch| {
            let Scratch { state, tape } = scratch;
            let document = self.validator.read_document(tape, bytes, duplicates)?;
            let data = document.root();
            match data.view() {
                View::Null => self.pass(Owned::new(Value::Null)).map_err(SliceError::from),
                View::Boolean(_) | View::Number(_) | View::String(_) | View::Array(_) | View::Object(_) => {
                    self.before_values(data, &mut state.caches)?;
                    self.validator.checked_value(state, &document, bytes).map(|read| self.with_defaults(read))
                }
            }
        })
        .map_err(|error| error.map_refusal(|refusal| self.shown(refusal)))
    }

    fn shown(&self, refusal: Refusal) -> Refusal {
        refusal.with_input_schema(self.input_schema.clone())
    }

    fn pass(&self, mut data: Owned) -> Result<Value, Refusal> {
        if exceeds(data.as_value(), self.limits.get_depth()) {
            return Err(report::unchecked(self.validator.program()));
        }
        if data.as_value().is_null() {
            data = Owned::new(Value::Object(Map::new()));
        }
        with_scratch(|scratch| self.before_values(data.as_value(), &mut scratch.state.caches))?;
        self.validator.read(data.into_inner()).map(|read| self.with_defaults(read))
    }

    /// The gates that come before the values: an object, what is required, unknown keys.
    fn before_values<'v, I: Instance<'v>>(&self, data: I, caches: &mut Caches) -> Result<(), Refusal> {
        let view = data.view();
        let View::Object(members) = view else { return Err(not_an_object(view)) };
        self.has_required::<I>(members)?;
        self.has_required_one_of::<I>(members)?;
        self.keys.check(data, self.validator.program(), &self.limits, caches)
    }

    /// Data that has passed, with what it leaves out.
    fn with_defaults(&self, mut read: Value) -> Value {
        if let Value::Object(members) = &mut read {
            for (name, value) in &self.defaults {
                if !members.contains_key(name) {
                    members.insert(name.clone(), value.clone());
                }
            }
        }
        read
    }

    fn has_required<'v, I: Instance<'v>>(&self, members: I::Object) -> Result<(), Refusal> {
        let absent = || self.required.iter().filter(|name| members.get(name).is_none());
        let total = absent().count();
        if total == 0 {
            return Ok(());
        }
        let program = self.validator.program();
        let location = shown_location(program, program.location_of(program.root()), "required");
        let entries = absent().take(crate::bound::LISTED).map(|name| missing(name, &location));
        Err(Refusal::new(RefusalKind::MissingRequired, None, entries.collect(), total))
    }

    fn has_required_one_of<'v, I: Instance<'v>>(&self, members: I::Object) -> Result<(), Refusal> {
        let is_present = |group: &Vec<String>| group.iter().all(|name| members.get(name).is_some());
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

fn not_an_object<'v, I: Instance<'v>>(data: View<'v, I>) -> Refusal {
    let problem = Problem::new(&call::not_of_type("object", data), "type", "");
    Refusal::new(RefusalKind::InvalidData, None, vec![Entry::new(&[], [problem])], 1)
}
