//! The builder of a gate.
//!
//! In: tools and choices. Out: a gate, or the first fault. Linear in the tools, besides the build of their schemas.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::action::Action;
use super::chain::Root;
use super::close::close_properties;
use super::error::ConfigurationError;
use super::tool::{Form, Tool};
use super::{Gate, Inner, Registered, RegisteredAction, RegisteredForm, json, publish, register};
use crate::options::{Options, Purpose};

/// Collects tools, and builds a [`Gate`] of them.
///
/// ```
/// use portcullis::gate::Gate;
/// use portcullis::{Limits, Options};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
/// let gate = Gate::builder()
///     .options(Options::default().limits(Limits::default().steps(1_000_000)))
///     .tools(&json!([{"name": "weather", "inputSchema": schema}]))
///     .close(true)
///     .build()?;
/// let refusal = gate.call("weather", "weather", json!({"cty": "Ulm"})).unwrap_err();
/// assert_eq!(refusal.entries()[0].suggestion(), Some("city"));
/// # Ok::<(), portcullis::gate::ConfigurationError>(())
/// ```
#[derive(Default)]
#[must_use]
pub struct GateBuilder {
    tools: Vec<Tool>,
    options: Options,
    close: bool,
    /// The first tool that could not be read.
    fault: Option<ConfigurationError>,
}

impl GateBuilder {
    /// Adds a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds tools as [`Gate::from_tools`] reads them.
    pub fn tools(mut self, tools: &Value) -> Self {
        match json::tools(tools) {
            Ok(tools) => self.tools.extend(tools),
            Err(error) => {
                self.fault.get_or_insert(error);
            }
        }
        self
    }

    /// Whether every `inputSchema` of a tool without actions is closed, as
    /// [`Action::published_schema`] describes; the default is that it is taken as given. The data of declared
    /// actions is always closed.
    pub fn close(mut self, close: bool) -> Self {
        self.close = close;
        self
    }

    /// How schemas are built: dialect, formats, resources, limits. Where the options do not choose what an unknown
    /// format does, it refuses a declared action and is an annotation in an `inputSchema`; in an `outputSchema`
    /// every `format` is an annotation.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Builds the gate.
    ///
    /// # Errors
    ///
    /// A [`ConfigurationError`] names the tool, the action and what the build stopped on: a name that is empty, has
    /// a line break or stands twice; a declared description with a line break; required or grouped names that are no
    /// properties; an empty group, or one that holds all of another; a default for a required property, for none, or
    /// one that its schema refuses or that could not be checked within the limits; an example that does not pass; a
    /// schema that does not build; anything that is nested deeper than the limit.
    pub fn build(self) -> Result<Gate, ConfigurationError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let mut tools = Vec::new();
        let mut by_name = BTreeMap::new();
        for tool in self.tools {
            let name = tool.name.clone();
            if by_name.insert(name.clone(), tools.len()).is_some() {
                return Err(ConfigurationError::new("the tool stands twice").of_tool(&name));
            }
            let registered = register_tool(tool, &self.options, self.close);
            tools.push(registered.map_err(|error| error.of_tool(&name))?);
        }
        Ok(Gate(Arc::new(Inner { tools, by_name })))
    }
}

fn register_tool(tool: Tool, options: &Options, close: bool) -> Result<Registered, ConfigurationError> {
    if let Some(fault) = tool.fault {
        return Err(fault);
    }
    register::name("the tool", &tool.name)?;
    let output = match &tool.output_schema {
        Some(schema) => Some(options.build_for(schema, Purpose::Output)?),
        None => None,
    };
    let (form, definition) = match tool.form {
        Form::Plain { definition, mut input_schema } => {
            if close {
                close_properties(&mut input_schema);
            }
            let root = register::root(input_schema, Purpose::ThirdParty, options)?;
            (RegisteredForm::Plain(Box::new(root)), definition)
        }
        Form::Actions { description, actions } => {
            let form = register_actions(&tool.name, tool.help.as_deref(), actions, options)?;
            let mut definition = Map::new();
            definition.insert("name".to_owned(), tool.name.clone().into());
            if let Some(description) = description {
                register::one_line("the description", &description)?;
                definition.insert("description".to_owned(), description.into());
            }
            if let Some(schema) = tool.output_schema {
                definition.insert("outputSchema".to_owned(), schema);
            }
            (form, definition)
        }
    };
    let help = tool.help.unwrap_or_else(|| register::help(Some(&tool.name), None));
    Ok(Registered { name: tool.name, help, form, output, definition })
}

fn register_actions(
    tool: &str,
    help: Option<&str>,
    actions: Vec<Action>,
    options: &Options,
) -> Result<RegisteredForm, ConfigurationError> {
    if actions.is_empty() {
        return Err(ConfigurationError::new("the tool has no actions"));
    }
    let mut seen = HashSet::new();
    let mut roots: Vec<(Action, Root)> = Vec::new();
    for action in actions {
        if !seen.insert(action.name.clone()) {
            return Err(ConfigurationError::new("the action stands twice").of_action(&action.name));
        }
        let root = register::action(&action, options)?;
        roots.push((action, root));
    }
    let envelope = Arc::new(publish::envelope(&roots));
    let by_name = roots
        .into_iter()
        .map(|(action, root)| {
            let help = help.map_or_else(|| register::help(Some(tool), Some(&action)), str::to_owned);
            (action.name, RegisteredAction { help, root })
        })
        .collect();
    Ok(RegisteredForm::Actions { by_name, shown: register::shown(&envelope), envelope })
}

/// The names alone: schemas are large.
impl fmt::Debug for GateBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.tools.iter().map(|tool| crate::bound::render_str(&tool.name)).collect();
        f.debug_struct("GateBuilder")
            .field("tools", &names)
            .field("options", &self.options)
            .field("close", &self.close)
            .finish_non_exhaustive()
    }
}
