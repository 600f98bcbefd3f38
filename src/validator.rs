//! The validator: a compiled schema, ready to judge.
//!
//! In: a program and limits. Out: verdicts, refusals, and values as they were read. A validator is one pointer;
//! cloning it shares the program.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::engine;
use crate::engine::cast::Casts;
use crate::engine::pool::{with_counters, with_scratch};
use crate::engine::scratch::{Scratch, State};
use crate::engine::verdict::Verdict;
use crate::limits::Limits;
use crate::options::Options;
use crate::program::Program;
use crate::program::cost::Cost;
use crate::program::print::Printed;
use crate::report::{self, Collector, Found, Refusal, Visitor};
use crate::schema::error::BuildError;
use crate::value::cast::apply;
use crate::value::depth::{Owned, exceeds};
use crate::value::json::Root;
use crate::value::tape::DuplicateKeys;
use crate::value::{Identity, Instance};

/// A compiled schema. `Send`, `Sync`, and cheap to clone.
///
/// ```
/// use portcullis::Validator;
/// use serde_json::json;
///
/// let validator = Validator::new(&json!({"properties": {"age": {"type": "integer", "minimum": 0}}}))?;
/// assert!(validator.is_valid(&json!({"age": 3})));
///
/// let refusal = validator.check(&json!({"age": -3})).unwrap_err();
/// assert_eq!(refusal.total(), 1);
/// assert_eq!(refusal.entries()[0].path(), "age");
/// assert_eq!(refusal.entries()[0].problems()[0].text(), "value is lower than minimum 0");
/// # Ok::<(), portcullis::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    program: Program,
    limits: Limits,
    cost: Cost,
    /// Nothing where the caller has not chosen.
    duplicate_keys: Option<DuplicateKeys>,
}

impl Validator {
    /// Builds a validator with the default options; see [`Options::build`].
    ///
    /// # Errors
    ///
    /// A [`BuildError`] names the first place of the schema that cannot be built.
    pub fn new(schema: &Value) -> Result<Validator, BuildError> {
        Options::default().build(schema)
    }

    /// The options of a build.
    pub fn options() -> Options {
        Options::default()
    }

    pub(crate) fn from_program(
        program: Program,
        limits: Limits,
        duplicate_keys: Option<DuplicateKeys>,
    ) -> Self {
        let cost = Cost::new(&program);
        Validator(Arc::new(Inner { program, limits, cost, duplicate_keys }))
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// What was chosen of keys that stand twice in an object.
    pub(crate) fn duplicate_keys(&self) -> Option<DuplicateKeys> {
        self.0.duplicate_keys
    }

    /// Whether `value` passes. Stops at the first failure.
    ///
    /// A value that could not be checked within the limits does not pass.
    ///
    /// # Cost
    ///
    /// O(|P|·n) for a program of |P| instructions and an instance of n values and bytes, and never more than
    /// [`Limits::steps`]. Allocates nothing once a thread has checked the like, but for values so large that what their check
    /// remembers is not kept (4 MiB); bring a [`Scratch`] for those.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        if !self.program().uses_memory()
            && let Some(verdict) = with_counters(|scratch| self.accept(&mut scratch.state, value))
        {
            return verdict.is_yes();
        }
        self.is_valid_with_memory(value)
    }

    #[inline(never)]
    fn is_valid_with_memory(&self, value: &Value) -> bool {
        with_scratch(|scratch| self.accept(&mut scratch.state, value).is_yes())
    }

    /// [`Validator::is_valid`] with the caller's own scratch.
    #[must_use]
    pub fn is_valid_with(&self, scratch: &mut Scratch, value: &Value) -> bool {
        self.accept(&mut scratch.state, value).is_yes()
    }

    /// [`Validator::is_valid`] by the program as it was compiled, without the rewrites that make it fast: for tests that
    /// hold the two to each other.
    #[doc(hidden)]
    #[must_use]
    pub fn is_valid_unfused(&self, value: &Value) -> bool {
        let Inner { program, limits, .. } = &*self.0;
        with_scratch(|scratch| engine::accept_plain(program, limits, &mut scratch.state, value).is_yes())
    }

    /// [`Validator::is_valid`] of an object that the caller holds as a map; nothing is cloned.
    #[must_use]
    pub fn is_valid_object(&self, object: &Map<String, Value>) -> bool {
        with_scratch(|scratch| self.accept(&mut scratch.state, Root::Map(object)).is_yes())
    }

    /// Whether `value` passes, and if not, why.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]: the first ten failing paths and the count of all.
    ///
    /// # Cost
    ///
    /// That of [`Validator::is_valid`], and where it says no, a second walk with as many steps of its own. Memory:
    /// ten paths and their problems, and at most 32 bytes for each failing place.
    pub fn check(&self, value: &Value) -> Result<(), Refusal> {
        with_scratch(|scratch| self.judge(&mut scratch.state, value))
    }

    /// [`Validator::check`] with the caller's own scratch.
    ///
    /// # Errors
    ///
    /// As [`Validator::check`].
    pub fn check_with(&self, scratch: &mut Scratch, value: &Value) -> Result<(), Refusal> {
        self.judge(&mut scratch.state, value)
    }

    /// [`Validator::check`] of an object that the caller holds as a map; nothing is cloned.
    ///
    /// # Errors
    ///
    /// As [`Validator::check`].
    pub fn check_object(&self, object: &Map<String, Value>) -> Result<(), Refusal> {
        with_scratch(|scratch| self.judge(&mut scratch.state, Root::Map(object)))
    }

    /// Checks `value` and hands it on as it was read: a whole-number float where the schema says `integer` and not
    /// `number` becomes an integer (2.0 becomes 2), at any depth, if it fits i64 or u64. Of `anyOf` and `oneOf` the
    /// first passing branch decides; `not`, `if`, `contains` and `propertyNames` cast nothing.
    ///
    /// # Errors
    ///
    /// As [`Validator::check`]. A value nested deeper than [`Limits::depth`] is refused even where the schema asks
    /// nothing of its depths, since its next reader may well recurse. What is refused is dropped, however deep.
    pub fn read(&self, value: Value) -> Result<Value, Refusal> {
        let mut value = Owned::new(value);
        if exceeds(value.as_value(), self.0.limits.get_depth()) {
            return Err(report::unchecked(self.program()));
        }
        with_scratch(|scratch| self.read_with(scratch, &mut value))?;
        Ok(value.into_inner())
    }

    fn read_with(&self, scratch: &mut Scratch, value: &mut Owned) -> Result<(), Refusal> {
        self.judge(&mut scratch.state, value.as_value())?;
        let casts = self.casts(&mut scratch.state, value.as_value())?;
        apply(value.as_value_mut(), &casts, self.0.limits.get_depth());
        Ok(())
    }

    /// The places of a value that has passed whose numbers are handed on as integers.
    pub(crate) fn casts<'v, I: Instance<'v>>(
        &self,
        state: &mut State,
        value: I,
    ) -> Result<HashSet<Identity>, Refusal> {
        let Inner { program, limits, .. } = &*self.0;
        let mut casts = Casts::default();
        if program.casts() && !engine::cast(program, limits, state, value, &mut casts).is_yes() {
            return Err(report::unchecked(program));
        }
        Ok(casts.0)
    }

    /// Calls `visit` with every problem of `value`, in the order in which the walk meets them, for those who want
    /// more than the first ten. One place may be met more than once with the same problem. `Break` ends the walk.
    ///
    /// Returns whether every problem was visited: false if `visit` ended the walk, or if something could not be checked
    /// within the limits.
    ///
    /// # Cost
    ///
    /// As [`Validator::check`], without memory for the failing places; each text is made only when asked for.
    pub fn visit(&self, value: &Value, visit: impl FnMut(&Found<'_>) -> ControlFlow<()>) -> bool {
        let Inner { program, limits, .. } = &*self.0;
        with_scratch(|scratch| {
            let verdict = self.accept(&mut scratch.state, value);
            if verdict.is_yes() {
                return true;
            }
            let mut visitor = Visitor::new(program, value, visit);
            let completed = engine::report(program, limits, &mut scratch.state, value, &mut visitor);
            completed.0 && !scratch.state.stopped
        })
    }

    /// What a check can cost, whatever the instance.
    #[must_use]
    pub fn cost(&self) -> &Cost {
        &self.0.cost
    }

    /// The instruction tree in words, a line each, with its places in the schema; linear in the program. The text
    /// is for people and may change.
    pub fn explain(&self) -> impl fmt::Display + '_ {
        Printed(&self.0.program)
    }

    #[inline(always)]
    pub(crate) fn accept<'v, I: Instance<'v>>(&self, state: &mut State, value: I) -> Verdict {
        engine::accept(&self.0.program, &self.0.limits, state, value)
    }

    /// What [`Validator::check`] says of any instance.
    pub(crate) fn judge<'v, I: Instance<'v>>(&self, state: &mut State, value: I) -> Result<(), Refusal> {
        if self.accept(state, value).is_yes() {
            return Ok(());
        }
        let Inner { program, limits, .. } = &*self.0;
        let mut collector = Collector::default();
        let completed = engine::report(program, limits, state, value, &mut collector);
        Err(report::refusal(program, value, &collector, completed.0, &mut state.meter))
    }
}
