//! `call`: one call through the gate.
//!
//! In: tools and a call, each as a document. Out: the data as the gate read it, or the refusal; of the size of the
//! data, or bounded as a refusal is. In both forms of output the data is printed with every control character
//! escaped.

use portcullis::bound;
use portcullis::gate::Gate;
use serde_json::{Map, Value};

use super::args::CallArguments;
use super::input::{Source, read_once};
use super::listing;
use super::outcome::{Outcome, Stop};
use super::output::Output;
use super::settings::Settings;

pub(crate) fn run(arguments: CallArguments) -> Result<Outcome, Stop> {
    let CallArguments { tools, call, settings, form } = arguments;
    read_once(settings.sources().chain([&tools, &call]))?;
    let gate = gate(&tools, &settings)?;
    let call = Call::read(call.read()?).map_err(|what| Stop::at(&call.printable_name(), what))?;
    let answer = match call {
        Call::Action { tool, action, data } => gate.call(&tool, &action, data),
        Call::Tool { tool, arguments } => gate.call_tool(&tool, arguments),
    };
    let mut output = Output::new(form.json);
    match answer {
        Ok(data) => {
            output.json(&data)?;
            output.end(Outcome::Passed)
        }
        Err(refusal) => {
            if output.is_json() {
                output.json(&refusal)?;
            } else {
                let names: Vec<&str> = [refusal.tool(), refusal.action()].into_iter().flatten().collect();
                let subject = format!("{}: ", bound::scrub(&names.join(" ")));
                listing::print(&mut output, &subject, &refusal)?;
            }
            output.end(Outcome::Refused)
        }
    }
}

fn gate(source: &Source, settings: &Settings) -> Result<Gate, Stop> {
    let options = settings.options()?;
    let tools = match source.read()? {
        Value::Object(tool) if !tool.contains_key("tools") => Value::Array(vec![Value::Object(tool)]),
        tools => tools,
    };
    let gate = Gate::builder().options(options).tools(&tools).build();
    gate.map_err(|error| Stop::at(&source.printable_name(), error))
}

/// A call, in the one form or the other.
#[derive(Debug, PartialEq)]
enum Call {
    Action { tool: String, action: String, data: Value },
    Tool { tool: String, arguments: Option<Map<String, Value>> },
}

/// Members of a call, and all that may stand beside them. What is misspelt would else be data that is absent.
mod member {
    pub(super) const TOOL: &str = "tool";
    pub(super) const ACTION: &str = "action";
    pub(super) const DATA: &str = "data";
    pub(super) const CALL: &[&str] = &[TOOL, ACTION, DATA];

    pub(super) const NAME: &str = "name";
    pub(super) const ARGUMENTS: &str = "arguments";
    /// MCP 2025-11-25, `CallToolRequestParams`.
    pub(super) const PARAMETERS: &[&str] = &[NAME, ARGUMENTS, "_meta", "task"];

    pub(super) const METHOD: &str = "method";
    pub(super) const PARAMS: &str = "params";
    /// JSON-RPC 2.0 §4.
    pub(super) const REQUEST: &[&str] = &["jsonrpc", "id", METHOD, PARAMS];
}

/// The method of MCP that calls a tool.
const TOOLS_CALL: &str = "tools/call";

impl Call {
    /// Reads `{"tool", "action", "data"}`, MCP's `{"name", "arguments"}`, or the request that has these as its
    /// `params`. Without an action the data is the arguments of the tool.
    fn read(call: Value) -> Result<Self, String> {
        let mut members = object(call, "the call")?;
        if members.contains_key(member::METHOD) {
            only(&members, member::REQUEST)?;
            if members.get(member::METHOD).and_then(Value::as_str) != Some(TOOLS_CALL) {
                return Err(format!("the method of the call is not \"{TOOLS_CALL}\""));
            }
            members = object(members.remove(member::PARAMS).unwrap_or_default(), "\"params\"")?;
        } else if members.contains_key(member::TOOL) {
            only(&members, member::CALL)?;
            let tool = name(&mut members, member::TOOL)?;
            let data = members.remove(member::DATA).unwrap_or_default();
            if !members.contains_key(member::ACTION) {
                return Ok(Call::Tool {
                    tool,
                    arguments: arguments(data, "\"data\" without an \"action\"")?,
                });
            }
            return Ok(Call::Action { tool, action: name(&mut members, member::ACTION)?, data });
        }
        if !members.contains_key(member::NAME) {
            return Err(
                "the call names no tool: neither \"tool\" nor, as in MCP, \"name\" is there".to_owned()
            );
        }
        only(&members, member::PARAMETERS)?;
        let tool = name(&mut members, member::NAME)?;
        let given = members.remove(member::ARGUMENTS).unwrap_or_default();
        Ok(Call::Tool { tool, arguments: arguments(given, "\"arguments\"")? })
    }
}

fn object(value: Value, what: &str) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(members) => Ok(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(format!("{what} must be an object"))
        }
    }
}

/// Null is absent.
fn arguments(value: Value, what: &str) -> Result<Option<Map<String, Value>>, String> {
    if value.is_null() { Ok(None) } else { object(value, what).map(Some) }
}

fn name(members: &mut Map<String, Value>, member: &str) -> Result<String, String> {
    match members.remove(member) {
        Some(Value::String(name)) => Ok(name),
        _ => Err(format!("\"{member}\" of the call must be a string")),
    }
}

fn only(members: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    match members.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(format!(
            "the call has \"{}\", which is none of its members: {}",
            bound::render_str(key),
            known.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_read_in_three_forms() {
        let tool = |arguments: Value| {
            Ok(Call::Tool { tool: "t".to_owned(), arguments: arguments.as_object().cloned() })
        };
        let action = Call::Action { tool: "t".to_owned(), action: "a".to_owned(), data: json!([1]) };
        assert_eq!(Call::read(json!({"tool": "t", "action": "a", "data": [1]})), Ok(action));
        assert_eq!(Call::read(json!({"tool": "t", "data": {"x": 1}})), tool(json!({"x": 1})));
        assert_eq!(Call::read(json!({"tool": "t"})), tool(json!(null)));
        assert_eq!(Call::read(json!({"name": "t", "arguments": {}, "_meta": {}})), tool(json!({})));
        assert_eq!(Call::read(json!({"name": "t", "arguments": null})), tool(json!(null)));
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}});
        assert_eq!(Call::read(request), tool(json!(null)));
    }
}
