//! Real tools register, real calls pass, and each call spoilt in turn is refused where it was spoilt.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calling;

use std::collections::HashMap;

use portcullis::Refusal;
use portcullis::gate::Gate;
use serde_json::{Value, json};

use calling::{bytes, shared_lines};

#[test]
fn every_real_tool_registers_as_given_and_closed() {
    let Some(lines) = shared_lines("tools/mcp-tools.jsonl") else { return };
    assert!(lines.len() >= 382, "{}", lines.len());
    let tools: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            let mut tool = json!({"name": format!("{}/{index}", line["tool"].as_str().unwrap())});
            for field in ["inputSchema", "outputSchema"] {
                if let Some(schema) = line.get(field) {
                    tool[field] = schema.clone();
                }
            }
            tool
        })
        .collect();
    let gate = Gate::from_tools(&Value::Array(tools.clone())).unwrap();
    assert_eq!(gate.tools()["tools"], Value::Array(tools.clone()), "published as given");
    Gate::from_tools(&gate.tools()).unwrap();
    let closed = Gate::builder().tools(&Value::Array(tools)).close(true).build().unwrap();
    assert_ne!(closed.tools(), gate.tools());
}

/// A call: a gate with its tool alone, as given and closed, and its arguments.
struct Call<'c> {
    open: &'c Gate,
    closed: &'c Gate,
    schema: &'c Value,
    arguments: &'c Value,
}

const TOOL: &str = "tool";

fn each_call(mut check: impl FnMut(&Call<'_>)) -> usize {
    let Some(lines) = shared_lines("tools/calls.jsonl") else { return 0 };
    assert!(lines.len() >= 1_164, "{}", lines.len());
    let mut gates: HashMap<String, (Gate, Gate)> = HashMap::new();
    for line in &lines {
        let schema = &line["inputSchema"];
        let (open, closed) = gates.entry(schema.to_string()).or_insert_with(|| {
            let tools = json!([{"name": TOOL, "inputSchema": schema}]);
            let closed = Gate::builder().tools(&tools).close(true).build().unwrap();
            (Gate::from_tools(&tools).unwrap(), closed)
        });
        check(&Call { open, closed, schema, arguments: &line["arguments"] });
    }
    lines.len()
}

fn pass(gate: &Gate, arguments: Value) -> Result<Value, Refusal> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    gate.call_tool(TOOL, Some(arguments))
}

/// A place of the arguments that the schema describes by `properties` and `items` alone.
struct Place<'s> {
    pointer: String,
    schema: &'s Value,
}

fn places<'s>(schema: &'s Value, value: &Value) -> Vec<Place<'s>> {
    fn walk<'s>(schema: &'s Value, value: &Value, pointer: &str, found: &mut Vec<Place<'s>>) {
        found.push(Place { pointer: pointer.to_owned(), schema });
        match value {
            Value::Object(members) => {
                for (key, child) in members {
                    if let Some(schema) = schema["properties"].get(key) {
                        let token = key.replace('~', "~0").replace('/', "~1");
                        walk(schema, child, &format!("{pointer}/{token}"), found);
                    }
                }
            }
            Value::Array(items) if schema["items"].is_object() => {
                for (index, item) in items.iter().enumerate() {
                    walk(&schema["items"], item, &format!("{pointer}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(schema, value, "", &mut found);
    found
}

#[track_caller]
fn assert_refused(call: &Call<'_>, gate: &Gate, spoilt: Value, kind: &str, pointer: &str) -> Refusal {
    let refusal = pass(gate, spoilt.clone())
        .expect_err(&format!("{pointer} is spoilt, and passes: {spoilt} by {}", call.schema));
    assert_eq!(
        (refusal.kind().as_str(), refusal.entries()[0].pointer(), refusal.total()),
        (kind, pointer, 1),
        "{spoilt} by {}: {refusal}",
        call.schema
    );
    assert!(bytes(&refusal) <= Refusal::MAX_BYTES);
    refusal
}

#[test]
fn every_real_call_passes_unchanged() {
    let mut closed = 0;
    let calls = each_call(|call| {
        assert_eq!(pass(call.open, call.arguments.clone()).unwrap(), *call.arguments);
        // A few send keys that their schema does not declare, and does not forbid until it is closed.
        match pass(call.closed, call.arguments.clone()) {
            Ok(data) => {
                assert_eq!(data, *call.arguments);
                closed += 1;
            }
            Err(refusal) => assert_eq!(refusal.kind().as_str(), "unknown_keys"),
        }
    });
    assert!(calls == 0 || closed > 1_000, "{closed}");
}

#[test]
fn a_call_without_a_required_key_is_refused_at_the_key() {
    let mut spoilt = (0, 0);
    let calls = each_call(|call| {
        for place in places(call.schema, call.arguments) {
            for name in place.schema["required"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap();
                let mut arguments = call.arguments.clone();
                arguments.pointer_mut(&place.pointer).unwrap().as_object_mut().unwrap().remove(name).unwrap();
                if place.pointer.is_empty() {
                    let at = format!("/{name}");
                    assert_refused(call, call.open, arguments, "missing_required", &at);
                    spoilt.0 += 1;
                } else {
                    // Inside, it is a value of its container: the whole call is refused there.
                    assert_refused(call, call.open, arguments, "invalid_values", &place.pointer);
                    spoilt.1 += 1;
                }
            }
        }
    });
    assert!(calls == 0 || (spoilt.0 > 1_000 && spoilt.1 > 10), "{spoilt:?}");
}

#[test]
fn a_call_with_a_misspelt_key_is_refused_at_the_key_where_closed() {
    let mut spoilt = (0, 0);
    let calls = each_call(|call| {
        if pass(call.closed, call.arguments.clone()).is_err() {
            return;
        }
        for place in places(call.schema, call.arguments) {
            let required = place.schema["required"].as_array().cloned().unwrap_or_default();
            let Some(properties) = place.schema["properties"].as_object() else { continue };
            let Some(members) = call.arguments.pointer(&place.pointer).and_then(Value::as_object) else {
                continue;
            };
            for key in members.keys().filter(|key| properties.contains_key(*key)) {
                let misspelt = format!("{key}x");
                let mut arguments = call.arguments.clone();
                let spoil = arguments.pointer_mut(&place.pointer).unwrap().as_object_mut().unwrap();
                let value = spoil.remove(key).unwrap();
                spoil.insert(misspelt.clone(), value);
                if place.pointer.is_empty() && required.contains(&json!(key)) {
                    assert_refused(call, call.closed, arguments, "missing_required", &format!("/{key}"));
                    spoilt.0 += 1;
                } else {
                    let at = format!("{}/{misspelt}", place.pointer);
                    let refusal = assert_refused(call, call.closed, arguments, "unknown_keys", &at);
                    let suggestion = refusal.entries()[0].suggestion().unwrap();
                    assert!(properties.contains_key(suggestion), "{misspelt}: {suggestion}");
                    spoilt.1 += 1;
                }
            }
        }
    });
    assert!(calls == 0 || (spoilt.0 > 1_000 && spoilt.1 > 50), "{spoilt:?}");
}

/// Spoils every value whose schema `picks`; counts them.
fn spoil_values(mut picks: impl FnMut(&Value, &Value) -> Option<Value>) -> Option<usize> {
    let mut spoilt = 0;
    let calls = each_call(|call| {
        for place in places(call.schema, call.arguments) {
            let value = call.arguments.pointer(&place.pointer).unwrap();
            if let Some(bad) = picks(place.schema, value) {
                let mut arguments = call.arguments.clone();
                *arguments.pointer_mut(&place.pointer).unwrap() = bad;
                assert_refused(call, call.open, arguments, "invalid_values", &place.pointer);
                spoilt += 1;
            }
        }
    });
    (calls > 0).then_some(spoilt)
}

fn is_numeric(schema: &Value) -> bool {
    schema["type"] == "integer" || schema["type"] == "number"
}

#[test]
fn a_string_where_a_number_belongs_is_refused_there() {
    let spoilt = spoil_values(|schema, _| is_numeric(schema).then(|| json!("many")));
    assert!(spoilt.is_none_or(|spoilt| spoilt > 100), "{spoilt:?}");
}

#[test]
fn a_number_in_quotes_is_no_number() {
    let spoilt = spoil_values(|schema, value| is_numeric(schema).then(|| json!(value.to_string())));
    assert!(spoilt.is_none_or(|spoilt| spoilt > 100), "{spoilt:?}");
}

#[test]
fn an_enum_value_off_by_a_letter_is_refused_there() {
    let spoilt = spoil_values(|schema, value| {
        let choices = schema["enum"].as_array()?;
        let off = json!(format!("{}x", value.as_str()?));
        (!choices.contains(&off)).then_some(off)
    });
    assert!(spoilt.is_none_or(|spoilt| spoilt > 50), "{spoilt:?}");
}
