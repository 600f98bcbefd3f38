//! The gate: a tool's call goes in, its data or a bounded refusal comes out.
//!
//! In: tools, declared in code ([`Tool`], [`Action`]) or as MCP describes them ([`Gate::from_tools`]), once; then
//! calls. Out: the data as the gate read it, defaults filled in, or a [`Refusal`] that names the tool and the action
//! and shows the schema.
//!
//! ```text
//! json ──▶ action, tool ──register──▶ root: close, compile, prove defaults and examples
//!                                       │
//! call ──▶ tool and action ──▶ chain: object ──▶ required ──▶ required_one_of ──▶ keys ──▶ values ──▶ defaults
//! ```
//!
//! The first gate of the chain that data fails answers, and lists the first ten of what it found. So a model that
//! forgot a property hears of that first, and not of what its absence broke.
//!
//! # Cost
//!
//! All is compiled at registration. A call takes one walk over the data to prove its depth, one over its keys as far
//! as closed objects lie, and those of [`Validator::read`](crate::Validator::read); every one of them is linear in
//! the data and stops at [`Limits::steps`](crate::Limits::steps). Nothing that a call sends is cloned, compared or
//! dropped before its depth is proven, and no refusal is larger than [`Refusal::MAX_BYTES`] besides the schema.
//!
//! ```
//! use portcullis::gate::{Action, Gate, Tool};
//! use serde_json::json;
//!
//! let create = Action::new("create")
//!     .description("Create a task")
//!     .property("name", json!({"type": "string", "maxLength": 80}))
//!     .property("due", json!({"type": "string", "format": "date"}))
//!     .required(["name"])
//!     .default("due", json!("2030-01-01"));
//! let gate = Gate::builder().tool(Tool::new("tasks").action(create)).build()?;
//!
//! let data = gate.call("tasks", "create", json!({"name": "Water the plants"}))?;
//! assert_eq!(data, json!({"name": "Water the plants", "due": "2030-01-01"}));
//!
//! let refusal = gate.call("tasks", "create", json!({"name": "Sow", "dew": "2030-02-30"})).unwrap_err();
//! assert_eq!(refusal.kind().as_str(), "unknown_keys");
//! let refusal = gate.call("tasks", "create", json!({"name": "Sow", "due": "2030-02-30"})).unwrap_err();
//! assert_eq!(refusal.message(), "1 invalid value: due: value does not respect the 'date' format");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod answer;
mod arguments;
mod builder;
mod chain;
mod close;
mod error;
mod json;
mod keys;
mod nearest;
mod publish;
mod register;
mod tool;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use action::Action;
pub use builder::GateBuilder;
pub use error::ConfigurationError;
pub use tool::Tool;

use self::chain::Root;
use self::nearest::nearest;
use crate::engine::sink::Token;
use crate::report::{Entry, InputSchema, Problem, Refusal, RefusalKind, call};
use crate::slice::SliceError;
use crate::validator::Validator;
use crate::value::depth::Owned;

/// Tools that are ready to be called. `Send`, `Sync`, and cheap to clone: one pointer.
///
/// A call names a tool and an action. A tool without actions, as MCP's are, is one action, of the tool's own name.
#[derive(Clone)]
pub struct Gate(Arc<Inner>);

struct Inner {
    /// In the order of registration.
    tools: Vec<Registered>,
    by_name: BTreeMap<String, usize>,
}

/// A tool, ready to be called.
struct Registered {
    name: String,
    help: String,
    form: RegisteredForm,
    output: Option<Validator>,
    /// What `tools/list` says of it, but for its `inputSchema`.
    definition: Map<String, Value>,
}

enum RegisteredForm {
    /// One action, whose data is the arguments.
    Plain(Box<Root>),
    Actions {
        by_name: BTreeMap<String, RegisteredAction>,
        /// The schema of `{"action": …, "data": …}`.
        envelope: Arc<Value>,
        shown: InputSchema,
    },
}

struct RegisteredAction {
    help: String,
    root: Root,
}

impl Gate {
    /// A builder without tools.
    pub fn builder() -> GateBuilder {
        GateBuilder::default()
    }

    /// A gate of these tools: an array, or an object that has one under `tools`. Each is a tool as MCP describes it
    /// (`name`, `inputSchema`, `outputSchema`; other fields are published as they are), or one in the form with
    /// `actions` that [`Tool::from_json`] reads.
    ///
    /// An `inputSchema` is taken as given: nothing in it is closed, and a `format` that is not known is an
    /// annotation. Its top-level `required` is answered by the required gate, and where it says
    /// `additionalProperties: false` the unknown-key gate answers. To close the schemas, or for other options, build
    /// by [`GateBuilder::tools`].
    ///
    /// # Errors
    ///
    /// A [`ConfigurationError`] names the first tool that cannot be registered.
    ///
    /// # Cost
    ///
    /// That of building each schema; see [`Options::build`](crate::Options::build).
    ///
    /// ```
    /// use portcullis::gate::Gate;
    /// use serde_json::json;
    ///
    /// let gate = Gate::from_tools(&json!({"tools": [{
    ///     "name": "weather",
    ///     "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    /// }]}))?;
    /// let arguments = json!({"city": "Ulm"}).as_object().cloned();
    /// assert!(gate.call_tool("weather", arguments).is_ok());
    /// let refusal = gate.call_tool("weather", None).unwrap_err();
    /// assert_eq!(refusal.message(), "1 missing property: city: property \"city\" is required");
    /// # Ok::<(), portcullis::gate::ConfigurationError>(())
    /// ```
    pub fn from_tools(tools: &Value) -> Result<Gate, ConfigurationError> {
        Gate::builder().tools(tools).build()
    }

    /// Passes the data of a call through the chain, and hands it on as it was read: whole-number floats cast where
    /// the schema says `integer` ([`Validator::read`]), defaults in the place of absent top-level properties. Null
    /// is data that is absent: `{}`.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] with the tool, the action, the schema and a pointer to help. Paths in it begin at the data. The
    /// data is dropped, however deep it is nested.
    ///
    /// # Cost
    ///
    /// Linear in the data, within the limits; see the [module's docs](self).
    pub fn call(&self, tool: &str, action: &str, data: Value) -> Result<Value, Refusal> {
        let data = Owned::new(data);
        let (root, help) = self.root(tool, action)?;
        root.call(data).map_err(|refusal| refusal.with_help(help).with_tool(tool).with_action(action))
    }

    /// [`Gate::call`] of data that comes as bytes of JSON: nothing is built of it before it has passed, and a number is exact
    /// whatever its size. `null` is data that is absent.
    ///
    /// An object that has one key twice is refused, since whoever keeps the other of its values would see one that was
    /// never checked; [`Options::duplicate_keys`](crate::Options::duplicate_keys) chooses otherwise.
    ///
    /// # Errors
    ///
    /// A [`SliceError`] that is the [`Refusal`] of [`Gate::call`], or says at which byte the data is no JSON, over a limit,
    /// or has a key twice.
    ///
    /// # Cost
    ///
    /// That of [`Validator::read_slice`], besides what [`Gate::call`] adds.
    ///
    /// ```
    /// use portcullis::gate::{Action, Gate, Tool};
    /// use serde_json::json;
    ///
    /// let sow = Action::new("sow").property("seeds", json!({"type": "integer", "maximum": 100}));
    /// let gate = Gate::builder().tool(Tool::new("garden").action(sow)).build()?;
    /// assert_eq!(gate.call_slice("garden", "sow", br#"{"seeds": 2e1}"#)?, json!({"seeds": 20}));
    ///
    /// let error = gate.call_slice("garden", "sow", br#"{"seeds": 1, "seeds": 1000}"#).unwrap_err();
    /// assert_eq!(error.to_string(), r#"the key "seeds" stands twice in its object, at line 1 column 14"#);
    /// let error = gate.call_slice("garden", "sow", br#"{"seeds": 1e999}"#).unwrap_err();
    /// assert_eq!(error.to_string(), "1 invalid value: seeds: value is higher than maximum 100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_slice(&self, tool: &str, action: &str, data: &[u8]) -> Result<Value, SliceError> {
        let (root, help) = self.root(tool, action)?;
        root.call_slice(data).map_err(|error| {
            error.map_refusal(|refusal| refusal.with_help(help).with_tool(tool).with_action(action))
        })
    }

    /// Passes the arguments of an MCP `tools/call` through the chain. A plain tool's arguments are its data; those
    /// of a tool with actions are `{"action": …, "data": {…}}`, of which only the data is handed on.
    ///
    /// # Errors
    ///
    /// As [`Gate::call`], save that a refusal of a plain tool names no action. Where the arguments of a tool with
    /// actions are no such object, the refusal is of them, with their schema and paths that begin at them.
    pub fn call_tool(&self, tool: &str, arguments: Option<Map<String, Value>>) -> Result<Value, Refusal> {
        let arguments = Owned::new(arguments.map_or(Value::Null, Value::Object));
        let found = self.find(tool)?;
        match &found.form {
            RegisteredForm::Plain(root) => {
                root.call(arguments).map_err(|refusal| refusal.with_help(&found.help))
            }
            RegisteredForm::Actions { by_name, shown, .. } => found.open(by_name, shown, arguments),
        }
        .map_err(|refusal| refusal.with_tool(tool))
    }

    /// Checks what a tool answers against its `outputSchema`, in which `format` is an annotation. A tool without one
    /// may answer anything.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] that names the tool.
    ///
    /// # Cost
    ///
    /// That of [`Validator::check`].
    pub fn check_output(&self, tool: &str, value: &Value) -> Result<(), Refusal> {
        let found = self.find(tool)?;
        let checked = found.output.as_ref().map_or(Ok(()), |output| output.check(value));
        checked.map_err(|refusal| refusal.with_tool(tool).with_help(&found.help))
    }

    /// The schema that the data of an action has to match, as it is published; of a tool without actions, that of
    /// the action with the tool's own name. Nothing where there is no such action.
    #[must_use]
    pub fn published_schema(&self, tool: &str, action: &str) -> Option<&Value> {
        let found = self.0.tools.get(*self.0.by_name.get(tool)?)?;
        match &found.form {
            RegisteredForm::Plain(root) => (action == found.name).then_some(&*root.published),
            RegisteredForm::Actions { by_name, .. } => {
                by_name.get(action).map(|action| &*action.root.published)
            }
        }
    }

    /// What MCP's `tools/list` answers: `{"tools": […]}`, in the order of registration. A plain tool stands there as
    /// it was given, its `inputSchema` closed where that was asked for; a tool with actions with the schema of
    /// `{"action": …, "data": …}`.
    ///
    /// Linear in the tools; keep the answer if it is asked for often.
    #[must_use]
    pub fn tools(&self) -> Value {
        let tools = self.0.tools.iter().map(Registered::publish).collect();
        Value::Object(Map::from_iter([("tools".to_owned(), Value::Array(tools))]))
    }

    /// An action, and where its help is.
    fn root(&self, tool: &str, action: &str) -> Result<(&Root, &str), Refusal> {
        let found = self.find(tool).map_err(|refusal| refusal.with_action(action))?;
        match &found.form {
            RegisteredForm::Plain(root) if action == found.name => Ok((&**root, &*found.help)),
            RegisteredForm::Plain(_) => {
                Err(unknown_action(action, &[], std::iter::once(&*found.name)).with_help(&found.help))
            }
            RegisteredForm::Actions { by_name, .. } => found.action(by_name, action, &[]),
        }
        .map_err(|refusal| refusal.with_tool(tool).with_action(action))
    }

    fn find(&self, tool: &str) -> Result<&Registered, Refusal> {
        let found = self.0.by_name.get(tool).and_then(|at| self.0.tools.get(*at));
        found.ok_or_else(|| {
            let names = self.0.by_name.keys().map(String::as_str);
            unknown(RefusalKind::UnknownTool, ("tool", "tools"), tool, &[], names).with_tool(tool)
        })
    }
}

impl Registered {
    /// An action, and where its help is; `place` is where its name stands in what was sent.
    fn action<'r>(
        &'r self,
        by_name: &'r BTreeMap<String, RegisteredAction>,
        action: &str,
        place: &[Token<'_>],
    ) -> Result<(&'r Root, &'r str), Refusal> {
        match by_name.get(action) {
            Some(found) => Ok((&found.root, &found.help)),
            None => {
                let names = by_name.keys().map(String::as_str);
                Err(unknown_action(action, place, names).with_help(&self.help))
            }
        }
    }
}

fn unknown_action<'n>(
    action: &str,
    place: &[Token<'_>],
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> Refusal {
    unknown(RefusalKind::UnknownAction, ("action", "actions"), action, place, names)
}

/// The refusal of a name that is not among `names`, which are in the order of their bytes.
fn unknown<'n>(
    kind: RefusalKind,
    (singular, plural): (&str, &str),
    name: &str,
    place: &[Token<'_>],
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> Refusal {
    let entry = Entry::new(place, [Problem::new(&call::known(plural, names.clone()), "", "")]);
    let entry = match nearest(name, names) {
        Some(near) => entry.with_suggestion(near),
        None => entry,
    };
    Refusal::new(kind, Some(&call::unknown(singular, name)), vec![entry], 1)
}

/// The names alone: schemas are large.
impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.tools.iter().map(|tool| crate::bound::render_str(&tool.name));
        f.debug_tuple("Gate").field(&names.collect::<Vec<_>>()).finish()
    }
}
