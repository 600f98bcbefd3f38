//! The validator: a compiled schema, ready to judge.
//!
//! In: a program and limits. Out: verdicts, refusals, and values as they were read. A validator is one pointer;
//! cloning it shares the program.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::engine;
use crate::engine::cast::Casts;
use crate::engine::pool::{with_counters, with_scratch};
use crate::engine::scratch::Scratch;
use crate::engine::verdict::Verdict;
use crate::limits::Limits;
use crate::options::Options;
use crate::program::Program;
use crate::program::cost::Cost;
use crate::program::print::Printed;
use crate::report::{self, Collector, Found, Refusal, Visitor};
use crate::schema::error::BuildError;
use crate::value::Instance;
use crate::value::cast::apply;
use crate::value::depth::{Owned, exceeds};
use crate::value::json::Root;

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

    pub(crate) fn from_program(program: Program, limits: Limits) -> Self {
        let cost = Cost::new(&program);
        Validator(Arc::new(Inner { program, limits, cost }))
    }

    pub(crate) fn program(&self) -> &Program {
        &self.0.program
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
        let check = |scratch: &mut Scratch| self.accept(scratch, value).is_yes();
        if self.program().uses_memory() { with_scratch(check) } else { with_counters(check) }
    }

    /// [`Validator::is_valid`] with the caller's own scratch.
    #[must_use]
    pub fn is_valid_with(&self, scratch: &mut Scratch, value: &Value) -> bool {
        self.accept(scratch, value).is_yes()
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
        with_scratch(|scratch| self.accept(scratch, Root::Map(object)).is_yes())
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
        with_scratch(|scratch| self.judge(scratch, value))
    }

    /// [`Validator::check`] with the caller's own scratch.
    ///
    /// # Errors
    ///
    /// As [`Validator::check`].
    pub fn check_with(&self, scratch: &mut Scratch, value: &Value) -> Result<(), Refusal> {
        self.judge(scratch, value)
    }

    /// [`Validator::check`] of an object that the caller holds as a map; nothing is cloned.
    ///
    /// # Errors
    ///
    /// As [`Validator::check`].
    pub fn check_object(&self, object: &Map<String, Value>) -> Result<(), Refusal> {
        with_scratch(|scratch| self.judge(scratch, Root::Map(object)))
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
        let Inner { program, limits, .. } = &*self.0;
        self.judge(scratch, value.as_value())?;
        if !program.casts() {
            return Ok(());
        }
        let mut casts = Casts::default();
        let verdict = engine::cast(program, limits, &mut scratch.state, value.as_value(), &mut casts);
        if !verdict.is_yes() {
            return Err(report::unchecked(program));
        }
        apply(value.as_value_mut(), &casts.0, limits.get_depth());
        Ok(())
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
            let verdict = self.accept(scratch, value);
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
    fn accept<'v, I: Instance<'v>>(&self, scratch: &mut Scratch, value: I) -> Verdict {
        engine::accept(&self.0.program, &self.0.limits, &mut scratch.state, value)
    }

    fn judge<'v, I: Instance<'v>>(&self, scratch: &mut Scratch, value: I) -> Result<(), Refusal> {
        if self.accept(scratch, value).is_yes() {
            return Ok(());
        }
        let Inner { program, limits, .. } = &*self.0;
        let mut collector = Collector::default();
        let completed = engine::report(program, limits, &mut scratch.state, value, &mut collector);
        Err(report::refusal(program, value, &collector, completed.0, &mut scratch.state.meter))
    }
}
