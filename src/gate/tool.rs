//! A tool, as its author declares it or as MCP describes it.
//!
//! In: names, actions, an output schema. Out: a declaration whose every value is proven shallow (see
//! [`super::action`]).

use serde_json::{Map, Value};

use super::action::Action;
use super::error::ConfigurationError;
use crate::limits::SCHEMA_DEPTH;
use crate::value::depth::{Owned, TooDeep};

/// A tool: a name, and what it can do.
///
/// ```
/// use portcullis::gate::{Action, Gate, Tool};
/// use serde_json::json;
///
/// let tasks = Tool::new("tasks")
///     .description("The team's tasks")
///     .action(Action::new("list").description("List all tasks"))
///     .action(Action::new("close").property("id", json!({"type": "integer"})).required(["id"]));
/// let gate = Gate::builder().tool(tasks).build()?;
/// assert_eq!(gate.call("tasks", "close", json!({"id": 7}))?, json!({"id": 7}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Tool {
    pub(super) name: String,
    pub(super) form: Form,
    pub(super) help: Option<String>,
    pub(super) output_schema: Option<Value>,
    /// The first thing that went wrong as it arrived.
    pub(super) fault: Option<ConfigurationError>,
}

/// How a tool takes its data.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// By action.
    Actions { description: Option<String>, actions: Vec<Action> },
    /// As its whole arguments, by the schema that it came with.
    Plain {
        /// All that was given but `inputSchema`, to be published as it is.
        definition: Map<String, Value>,
        input_schema: Value,
    },
}

impl Tool {
    /// A tool without actions yet.
    pub fn new(name: impl Into<String>) -> Self {
        Tool {
            name: name.into(),
            form: Form::Actions { description: None, actions: Vec::new() },
            help: None,
            output_schema: None,
            fault: None,
        }
    }

    /// Reads a tool from JSON, in one of two forms.
    ///
    /// - With `actions`: `{"name": …, "description": …, "help": …, "outputSchema": …, "actions": {name: action}}`,
    ///   each action as [`Action::from_json`] reads it. An unknown field is an error.
    /// - As MCP describes a tool: `{"name": …, "inputSchema": …, "outputSchema": …}`. Other fields are published as
    ///   they are.
    ///
    /// # Errors
    ///
    /// A [`ConfigurationError`] where a field is missing, unknown or of the wrong type, or the JSON is nested deeper
    /// than a schema may be. What the fields say is judged when the tool is registered.
    pub fn from_json(json: &Value) -> Result<Self, ConfigurationError> {
        super::json::tool(json, "the tool")
    }

    /// What it is, in one line.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        match &mut self.form {
            Form::Actions { description, .. } => *description = Some(text.into()),
            Form::Plain { definition, .. } => {
                definition.insert("description".to_owned(), Value::String(text.into()));
            }
        }
        self
    }

    /// Where a caller finds help; stands in every refusal, cut at [`BOUND`](crate::bound::BOUND). Unless it is
    /// given here, a refusal points to the tool's description in `tools/list`.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds an action. A tool that was read from MCP's form has a schema for its whole arguments, and adding an
    /// action to it fails the build.
    pub fn action(mut self, action: Action) -> Self {
        match &mut self.form {
            Form::Actions { actions, .. } => actions.push(action),
            Form::Plain { .. } => {
                self.fail("a tool with an \"inputSchema\" has no actions");
            }
        }
        self
    }

    /// The schema of what the tool answers, for [`Gate::check_output`](super::Gate::check_output). Its `format`s are
    /// annotations.
    pub fn output_schema(mut self, schema: Value) -> Self {
        match Owned::new(schema).into_shallow(SCHEMA_DEPTH) {
            Ok(schema) => self.output_schema = Some(schema),
            Err(TooDeep) => self.fail("the output schema is nested deeper than the limit"),
        }
        self
    }

    fn fail(&mut self, message: &str) {
        self.fault.get_or_insert_with(|| ConfigurationError::new(message));
    }
}
