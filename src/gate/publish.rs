//! What is published of a tool: its entry in MCP's `tools/list`.
//!
//! In: a registered tool. Out: JSON, linear in its declaration. A tool with actions takes `{"action": …, "data":
//! …}`: an `enum` of names and, under `data`, one alternative for each action, since models and their hosts want an
//! object without alternatives at the top.

use serde_json::{Map, Value, json};

use super::action::Action;
use super::arguments::{ACTION, DATA};
use super::chain::Root;
use super::{Registered, RegisteredForm, register};

impl Registered {
    /// The tool as `tools/list` has it.
    pub(super) fn publish(&self) -> Value {
        let mut definition = self.definition.clone();
        let schema = match &self.form {
            RegisteredForm::Plain(root) => &root.published,
            RegisteredForm::Actions { envelope, .. } => envelope,
        };
        definition.insert("inputSchema".to_owned(), (**schema).clone());
        Value::Object(definition)
    }
}

/// The schema of the arguments of a tool with actions.
pub(super) fn envelope(actions: &[(Action, Root)]) -> Value {
    let names: Vec<Value> = actions.iter().map(|(action, _)| action.name.clone().into()).collect();
    let mut alternatives: Vec<Value> = actions.iter().map(|(action, root)| data(action, root)).collect();
    let data = match alternatives.pop() {
        Some(only) if alternatives.is_empty() => only,
        last => {
            alternatives.extend(last);
            Value::Object(Map::from_iter([("anyOf".to_owned(), Value::Array(alternatives))]))
        }
    };
    let mut properties = Map::new();
    properties.insert(ACTION.to_owned(), json!({"type": "string", "enum": names}));
    properties.insert(DATA.to_owned(), data);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!([ACTION]));
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(schema)
}

/// The schema of one action's data, with what its author says about it.
fn data(action: &Action, root: &Root) -> Value {
    let mut schema = register::input_schema(root);
    if let Value::Object(members) = &mut schema {
        if refers(&root.published) {
            // A schema of its own, so that references in it mean what they meant before it was put here.
            members.insert("$id".to_owned(), identity(&action.name).into());
        }
        members.insert("title".to_owned(), action.name.clone().into());
        if let Some(description) = description(action) {
            members.insert("description".to_owned(), description.into());
        }
        if !action.examples.is_empty() {
            members.insert("examples".to_owned(), action.examples.clone().into());
        }
    }
    schema
}

/// Description, notes and related actions, a line each.
fn description(action: &Action) -> Option<String> {
    let mut lines: Vec<String> = action.description.iter().chain(&action.notes).cloned().collect();
    if !action.related.is_empty() {
        lines.push(format!("See also: {}.", action.related.join(", ")));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether a reference stands anywhere in the schema. Recursion is bounded by its proven depth.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            members.contains_key("$ref")
                || members.contains_key("$dynamicRef")
                || members.values().any(refers)
        }
        Value::Array(items) => items.iter().any(refers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// A URI reference made of a name: what RFC 3986 does not leave unreserved is percent-encoded.
fn identity(name: &str) -> String {
    let mut text = String::from("actions/");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
