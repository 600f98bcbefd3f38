//! The calls of the corpus against its tools.
//!
//! In: `corpus/calls/*.json`, each `{"tool", "action", "data"?}` or as MCP sends it `{"name", "arguments"?}`, and
//! `corpus/call-answers.json`: under each file's name either `{"data"}`, what the gate hands on, or `{"error",
//! "total", "invalid": {path: [texts]}, "suggestions"?: {path: name}}`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calling;

use std::collections::BTreeMap;

use portcullis::Refusal;
use portcullis::gate::Gate;
use serde_json::{Value, json};

use calling::{bytes, corpus, read};

fn answer(gate: &Gate, call: &Value) -> Result<Value, Refusal> {
    match call["name"].as_str() {
        Some(name) => {
            gate.call_tool(name, call.get("arguments").map(|sent| sent.as_object().unwrap().clone()))
        }
        None => gate.call(
            call["tool"].as_str().unwrap(),
            call["action"].as_str().unwrap(),
            call.get("data").cloned().unwrap_or_default(),
        ),
    }
}

/// A refusal as the answers write it.
fn written(refusal: &Refusal) -> Value {
    let json = serde_json::to_value(refusal).unwrap();
    let mut invalid = BTreeMap::new();
    let mut suggestions = BTreeMap::new();
    for entry in json["invalid"].as_array().unwrap() {
        let path = entry["path"].as_str().unwrap();
        invalid.insert(path, &entry["problems"]);
        if let Some(suggestion) = entry.get("suggestion") {
            suggestions.insert(path, suggestion);
        }
    }
    let mut written = json!({"error": json["error"], "total": json["total"], "invalid": invalid});
    if !suggestions.is_empty() {
        written["suggestions"] = json!(suggestions);
    }
    written
}

#[test]
fn every_call_of_the_corpus_is_answered_as_expected() {
    let gate = Gate::from_tools(&read(&corpus("tools/tasks.json"))).unwrap();
    let mut answers = read(&corpus("call-answers.json"));
    let mut files: Vec<_> =
        std::fs::read_dir(corpus("calls")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in &files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let expected =
            answers.as_object_mut().unwrap().remove(name).unwrap_or_else(|| panic!("no answer: {name}"));
        let call = read(file);
        let got = match answer(&gate, &call) {
            Ok(data) => {
                // Numbers are compared as they are spelled: 2 is not 2.0 here.
                json!({"data": data})
            }
            Err(refusal) => {
                assert_refusal_is_whole(name, &call, &refusal);
                written(&refusal)
            }
        };
        assert_eq!(got.to_string(), expected_order(&got, expected).to_string(), "{name}");
    }
    assert_eq!(answers, json!({}), "answers without a call");
}

/// The expected answer with members in the order of the one got, so that texts can be compared in any feature set.
fn expected_order(got: &Value, expected: Value) -> Value {
    match (got, expected) {
        (Value::Object(got), Value::Object(mut expected)) => {
            let mut ordered = serde_json::Map::new();
            for (key, value) in got {
                if let Some(other) = expected.remove(key) {
                    ordered.insert(key.clone(), expected_order(value, other));
                }
            }
            ordered.extend(expected);
            Value::Object(ordered)
        }
        (Value::Array(got), Value::Array(expected)) if got.len() == expected.len() => {
            got.iter().zip(expected).map(|(got, expected)| expected_order(got, expected)).collect()
        }
        (_, expected) => expected,
    }
}

/// What every refusal of a gate carries.
fn assert_refusal_is_whole(name: &str, call: &Value, refusal: &Refusal) {
    let tool = call.get("name").or(call.get("tool")).and_then(Value::as_str);
    assert_eq!(refusal.tool(), tool, "{name}");
    if let Some(action) = call["action"].as_str().or(call["arguments"]["action"].as_str())
        && name != "mcp-flat"
    {
        assert_eq!(refusal.action(), Some(action), "{name}");
    }
    let unknown = ["unknown_tool", "unknown_action"].contains(&refusal.kind().as_str());
    assert!(unknown || refusal.input_schema().is_some(), "{name}");
    assert!(refusal.kind().as_str() == "unknown_tool" || refusal.help().is_some(), "{name}");
    assert!(bytes(refusal) <= Refusal::MAX_BYTES, "{name}");
    assert!(refusal.is_complete(), "{name}");
}
