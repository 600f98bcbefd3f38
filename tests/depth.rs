//! Nothing overflows a 2 MiB thread, in a debug build too: values nested a million deep, at the ceiling of the
//! depth limit, through every keyword that nests.

#![allow(clippy::unwrap_used, reason = "a panic in the thread is the test's")]

use portcullis::{Limits, Validator};
use serde_json::{Value, json};

/// The stack of a thread in most servers.
const STACK: usize = 2 << 20;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// `levels` containers around a number, arrays and objects as `wrap` makes them.
fn nested(levels: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(json!(1), |inner, _| wrap(inner))
}

fn array(inner: Value) -> Value {
    Value::Array(vec![inner])
}

fn object(inner: Value) -> Value {
    Value::Object([("a".to_owned(), inner)].into_iter().collect())
}

/// Takes a deep value apart, which dropping it would do on the call stack.
fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, member)| member)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// A keyword, a schema, and how a value that it leads into is nested.
type Nesting = (&'static str, Value, fn(Value) -> Value);

/// Schemas that lead a value's whole depth through one keyword each.
fn recursive_schemas() -> Vec<Nesting> {
    let below = json!({"$ref": "#"});
    vec![
        ("items", json!({"items": below}), array),
        ("prefixItems", json!({"prefixItems": [below]}), array),
        ("contains", json!({"type": ["array", "number"], "contains": below}), array),
        ("unevaluatedItems", json!({"unevaluatedItems": below}), array),
        ("properties", json!({"properties": {"a": below}}), object),
        ("patternProperties", json!({"patternProperties": {"^a": below}}), object),
        ("additionalProperties", json!({"additionalProperties": below}), object),
        ("unevaluatedProperties", json!({"unevaluatedProperties": below}), object),
        ("allOf", json!({"allOf": [{"items": below}, {"items": below}]}), array),
        ("anyOf", json!({"anyOf": [{"type": "integer"}, {"items": below, "type": "array"}]}), array),
        ("oneOf", json!({"oneOf": [{"type": "integer"}, {"items": below, "type": "array"}]}), array),
        ("not", json!({"not": {"items": below, "type": "array", "maxItems": 0}}), array),
        ("if", json!({"if": {"type": "array"}, "then": {"items": below}, "else": true}), array),
        ("dependentSchemas", json!({"dependentSchemas": {"a": {"properties": {"a": below}}}}), object),
        (
            "unevaluatedProperties beside branches",
            json!({"anyOf": [{"properties": {"a": below}}, {"type": "integer"}], "unevaluatedProperties": false}),
            object,
        ),
    ]
}

#[test]
fn every_nesting_keyword_stops_at_the_depth_ceiling() {
    on_a_small_stack(|| {
        let limits = Limits::default().depth(usize::MAX);
        for (name, schema, wrap) in recursive_schemas() {
            let validator = Validator::options().limits(limits.clone()).build(&schema).unwrap();
            let deep = nested(1_000_000, wrap);
            let valid = validator.is_valid(&deep);
            let checked = validator.check(&deep);
            assert_eq!(valid, checked.is_ok(), "{name}");
            assert!(!valid || name == "not", "{name}");
            dismantle(deep);
            let shallow = nested(40, wrap);
            assert!(validator.is_valid(&shallow) || name == "not", "{name}");
        }
    });
}
