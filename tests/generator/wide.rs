//! Unions of many branches that ask little: types, strings, required names, members, items, one in another.
//!
//! In: nothing. Out: schemas of one union whose branches mostly ask what a report can count together, and instances of the
//! same few names and strings.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &["a", "b", "kind"];
const KINDS: &[&str] = &["string", "integer", "number", "boolean", "null", "array", "object"];
const STRINGS: &[&str] = &["", "a", "x", "y"];

/// A union, and instances to try on it, each an array of some values.
pub(crate) fn case() -> impl Strategy<Value = (Value, Vec<Value>)> {
    let union = (select(&["anyOf", "oneOf"][..]), vec(schema(), 4..8));
    let union = union.prop_map(|(keyword, branches)| {
        let definitions: Map<_, _> =
            branches.into_iter().enumerate().map(|(at, branch)| (at.to_string(), branch)).collect();
        let reference = |at: &String| json!({"$ref": format!("#/$defs/{at}")});
        let branches: Vec<Value> = definitions.keys().map(reference).collect();
        json!({"items": {keyword: branches}, "$defs": definitions})
    });
    let values = vec(instance(), 12..30).prop_map(Value::Array);
    (union, vec(values, 2))
}

fn schema() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            4 => (members(inner.clone()), any::<bool>(), subsequence(NAMES, 0..2), any::<bool>()).prop_map(
                |(properties, is_typed, required, is_closed)| {
                    let mut schema = json!({"properties": properties});
                    if is_typed {
                        schema["type"] = json!("object");
                    }
                    if !required.is_empty() {
                        schema["required"] = json!(required);
                    }
                    if is_closed && is_typed {
                        schema["additionalProperties"] = json!(false);
                    }
                    schema
                }
            ),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => inner.clone().prop_map(|items| json!({"prefixItems": [items], "items": items})),
            1 => inner.clone().prop_map(|items| json!({"properties": {"a": {"$ref": "#/$defs/0"}, "b": items}})),
            1 => vec(inner, 4..6).prop_map(|branches| json!({"anyOf": branches})),
        ]
    })
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => select(STRINGS).prop_map(|text| json!({"const": text})),
        3 => subsequence(STRINGS, 1..4).prop_map(|texts| json!({"type": "string", "enum": texts})),
        2 => select(KINDS).prop_map(|kind| json!({"type": kind})),
        1 => Just(json!({"enum": ["a", 1, null]})),
        1 => Just(json!({"maxLength": 0, "maximum": 0})),
        1 => Just(json!(false)),
        1 => Just(json!({})),
    ]
}

fn members(child: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((select(NAMES), child), 0..4).prop_map(|members| {
        members.into_iter().map(|(name, child)| (name.to_owned(), child)).collect::<Map<_, _>>().into()
    })
}

fn instance() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        4 => select(STRINGS).prop_map(|text| json!(text)),
        1 => select(&[0.0, 1.0, 1.5][..]).prop_map(|number| json!(number)),
        1 => Just(json!(1)),
        1 => Just(json!(true)),
        1 => Just(json!(null)),
    ];
    scalar.prop_recursive(
        3,
        16,
        3,
        |inner| prop_oneof![3 => members(inner.clone()), 2 => vec(inner, 0..4).prop_map(Value::Array)],
    )
}
