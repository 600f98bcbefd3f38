//! Tools and actions as JSON.
//!
//! In: JSON of any depth, borrowed. Out: declarations, or the first field that is unknown, missing or of the wrong
//! type. The depth is measured before anything is copied; linear in the JSON.

use serde_json::{Map, Value};

use super::action::Action;
use super::error::ConfigurationError;
use super::tool::{Form, Tool};
use crate::limits::SCHEMA_DEPTH;
use crate::report::quoted;
use crate::value::depth::exceeds;

/// Levels of a tool's JSON: its schemas lie at most four below it.
const TOOL_DEPTH: usize = SCHEMA_DEPTH + 4;

/// Fields of our own form.
mod field {
    pub(super) const NAME: &str = "name";
    pub(super) const DESCRIPTION: &str = "description";
    pub(super) const HELP: &str = "help";
    pub(super) const ACTIONS: &str = "actions";
    pub(super) const INPUT_SCHEMA: &str = "inputSchema";
    pub(super) const OUTPUT_SCHEMA: &str = "outputSchema";
}

/// The tools of a document: an array of them, or an object that has one under `tools`.
pub(super) fn tools(json: &Value) -> Result<Vec<Tool>, ConfigurationError> {
    let listed = match json {
        Value::Object(members) => members.get("tools"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Some(json),
    };
    let Some(Value::Array(listed)) = listed else {
        return Err(ConfigurationError::new(
            "tools must be an array, or an object that has one under \"tools\"",
        ));
    };
    listed.iter().enumerate().map(|(index, json)| tool(json, &format!("tools[{index}]"))).collect()
}

/// A tool in either form; `place` names it as long as its name is not known.
pub(super) fn tool(json: &Value, place: &str) -> Result<Tool, ConfigurationError> {
    let Value::Object(members) = json else {
        return Err(ConfigurationError::new(&format!("{place} must be an object")));
    };
    let Some(Value::String(name)) = members.get(field::NAME) else {
        return Err(ConfigurationError::new(&format!("{place} must have a string under \"name\"")));
    };
    let form = if exceeds(json, TOOL_DEPTH) {
        Err(ConfigurationError::new("the tool is nested deeper than the limit"))
    } else if members.contains_key(field::ACTIONS) {
        with_actions(name, members)
    } else {
        plain(name, members)
    };
    form.map_err(|error| error.of_tool(name))
}

fn with_actions(name: &str, members: &Map<String, Value>) -> Result<Tool, ConfigurationError> {
    let mut tool = Tool::new(name);
    for (field, value) in members {
        tool = match field.as_str() {
            field::NAME => tool,
            field::DESCRIPTION => tool.description(string(field, value)?),
            field::HELP => tool.help(string(field, value)?),
            field::OUTPUT_SCHEMA => tool.output_schema(value.clone()),
            field::ACTIONS => {
                for (name, json) in object(field, value)? {
                    tool = tool.action(action(name, json)?);
                }
                tool
            }
            _ => return Err(unknown(field)),
        };
    }
    Ok(tool)
}

/// MCP's form (specification 2025-06-18, Server Features, Tools).
fn plain(name: &str, members: &Map<String, Value>) -> Result<Tool, ConfigurationError> {
    let mut tool = Tool::new(name);
    if let Some(schema) = members.get(field::OUTPUT_SCHEMA) {
        tool = tool.output_schema(schema.clone());
    }
    let mut definition = members.clone();
    match definition.remove(field::INPUT_SCHEMA) {
        Some(input_schema @ Value::Object(_)) => tool.form = Form::Plain { definition, input_schema },
        Some(_) => return Err(wrong(field::INPUT_SCHEMA, "an object")),
        None => return Err(ConfigurationError::new("\"inputSchema\" or \"actions\" is missing")),
    }
    Ok(tool)
}

/// An action.
pub(super) fn action(name: &str, json: &Value) -> Result<Action, ConfigurationError> {
    let read = if exceeds(json, TOOL_DEPTH) {
        Err(ConfigurationError::new("the action is nested deeper than the limit"))
    } else {
        fields(name, json)
    };
    read.map_err(|error| error.of_action(name))
}

fn fields(name: &str, json: &Value) -> Result<Action, ConfigurationError> {
    let Value::Object(members) = json else {
        return Err(ConfigurationError::new("an action must be an object"));
    };
    let mut action = Action::new(name);
    for (field, value) in members {
        action = match field.as_str() {
            field::DESCRIPTION => action.description(string(field, value)?),
            "properties" => object(field, value)?
                .iter()
                .fold(action, |action, (name, schema)| action.property(name, schema.clone())),
            "required" => action.required(strings(field, value)?),
            "required_one_of" => {
                let groups = array(field, value, GROUPS)?;
                let groups = groups.iter().map(|group| strings(field, group));
                action.required_one_of(groups.collect::<Result<Vec<_>, _>>()?)
            }
            "defaults" => object(field, value)?
                .iter()
                .fold(action, |action, (name, value)| action.default(name, value.clone())),
            "notes" => strings(field, value)?.into_iter().fold(action, Action::note),
            "related" => strings(field, value)?.into_iter().fold(action, Action::related),
            "examples" => array(field, value, "an array")?
                .iter()
                .fold(action, |action, example| action.example(example.clone())),
            _ => return Err(unknown(field)),
        };
    }
    Ok(action)
}

const STRINGS: &str = "an array of strings";
const GROUPS: &str = "an array of arrays of strings";

fn unknown(field: &str) -> ConfigurationError {
    ConfigurationError::new(&format!("{} is an unknown field", quoted(field)))
}

fn wrong(field: &str, wanted: &str) -> ConfigurationError {
    ConfigurationError::new(&format!("{} must be {wanted}", quoted(field)))
}

fn string<'j>(field: &str, value: &'j Value) -> Result<&'j str, ConfigurationError> {
    value.as_str().ok_or_else(|| wrong(field, "a string"))
}

fn object<'j>(field: &str, value: &'j Value) -> Result<&'j Map<String, Value>, ConfigurationError> {
    value.as_object().ok_or_else(|| wrong(field, "an object"))
}

fn array<'j>(field: &str, value: &'j Value, wanted: &str) -> Result<&'j [Value], ConfigurationError> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(field, wanted))
}

fn strings<'j>(field: &str, value: &'j Value) -> Result<Vec<&'j str>, ConfigurationError> {
    let items = array(field, value, STRINGS)?;
    items.iter().map(|item| item.as_str().ok_or_else(|| wrong(field, STRINGS))).collect()
}
