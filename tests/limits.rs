//! Every limit that a caller may choose, at its edge: what needs one more than there is refused by name, and what needs
//! just as much passes.
//!
//! In: for each limit, a schema, a value, and how to set the limit. Out: a failure where no number decides between
//! refused and passed, or where it decides with other words. Sizes are found by halving, so that no test restates how
//! the engine counts.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::panic)]

use portcullis::{Limits, Validator};
use serde_json::{Value, json};

/// The least number under `most` with which `passes`; it passes with no less and with all more.
fn edge(most: usize, passes: impl Fn(usize) -> bool) -> usize {
    assert!(passes(most) && !passes(0));
    let (mut refused, mut passed) = (0, most);
    while passed - refused > 1 {
        let middle = refused + (passed - refused) / 2;
        if passes(middle) { passed = middle } else { refused = middle }
    }
    passed
}

/// What a check with these limits says, if it refuses, and whether that is all; a check and a verdict agree.
fn said(limits: Limits, schema: &Value, value: &Value) -> Option<(Vec<String>, bool)> {
    let validator = Validator::options().limits(limits).build(schema).unwrap();
    let refusal = validator.check(value).err();
    assert_eq!(validator.is_valid(value), refusal.is_none());
    let refusal = refusal?;
    let problems = refusal.entries().iter().flat_map(|entry| entry.problems());
    Some((problems.map(|problem| problem.text().to_owned()).collect(), refusal.is_complete()))
}

const UNCHECKED: &str = "value could not be checked within the limit";
const UNCHECKED_PATTERN: &str = "value could not be checked against pattern";

#[test]
fn each_limit_of_a_check_refuses_one_less_and_passes_at_its_edge() {
    type Set = fn(usize) -> Limits;
    let deep = (0..4).fold(json!(1), |inner, _| json!([inner, 2]));
    let recursive = json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"$ref": "#"}, "maxItems": 2}]});
    let cases: [(&str, Set, Value, Value, &str); 5] = [
        ("depth", |n| Limits::default().depth(n), json!({"items": {"$ref": "#"}}), deep.clone(), UNCHECKED),
        ("steps", |n| Limits::default().steps(n as u64), recursive.clone(), deep.clone(), UNCHECKED),
        ("memo_entries", |n| Limits::default().memo_entries(n), recursive, deep, UNCHECKED),
        (
            "unique_items",
            |n| Limits::default().unique_items(n),
            json!({"uniqueItems": true}),
            (0..100).collect(),
            UNCHECKED,
        ),
        (
            "backtrack_bytes",
            |n| Limits::default().backtrack_bytes(n),
            json!({"pattern": r"(a|b)\1$"}),
            json!("ab".repeat(40) + "aa"),
            UNCHECKED_PATTERN,
        ),
    ];
    for (name, set, schema, value, words) in cases {
        let needed = edge(500, |n| said(set(n), &schema, &value).is_none());
        let (texts, is_complete) = said(set(needed - 1), &schema, &value).unwrap();
        assert!(!is_complete && texts.iter().any(|text| text == words), "{name}: {texts:?}");
        assert_eq!(said(set(needed), &schema, &value), None, "{name}");
    }
}

#[test]
fn each_limit_of_a_build_refuses_one_less_and_passes_at_its_edge() {
    type Set = fn(usize) -> Limits;
    let patterns: Vec<Value> = (0..5).map(|index| json!({"pattern": format!("^(a|bc)+{index}")})).collect();
    let dynamic: Vec<Value> = (0..4).map(|at| json!({"$id": format!("r{at}"), "$defs": {"own": {"$dynamicAnchor": format!("a{at}")}},
        "additionalProperties": {"anyOf": (0..4).map(|to| json!({"$ref": format!("r{to}")})).collect::<Vec<_>>()},
        "properties": {"x": {"$dynamicRef": format!("#a{at}")}}})).collect();
    let cases: [(&str, Set, Value, &str); 7] = [
        (
            "schema_depth",
            |n| Limits::default().schema_depth(n),
            json!({"not": {"not": {"not": {"enum": [[[1]]]}}}}),
            "nested deeper than the limit",
        ),
        (
            "schema_bytes",
            |n| Limits::default().schema_bytes(n),
            json!({"description": "x".repeat(1_000), "enum": ["a", 1]}),
            "documents are larger than the limit",
        ),
        (
            "subschemas",
            |n| Limits::default().subschemas(n),
            json!({"allOf": vec![json!({"minimum": 1}); 30]}),
            "more subschemas than the limit",
        ),
        (
            "pattern_source",
            |n| Limits::default().pattern_source(n),
            json!({"pattern": "^(a|bc)+$"}),
            "the pattern's text is longer than the limit",
        ),
        (
            "pattern_bytes",
            |n| Limits::default().pattern_bytes(n),
            json!({"pattern": "^(a|bc){20}$"}),
            "the compiled pattern is larger than the limit",
        ),
        (
            "patterns_bytes",
            |n| Limits::default().patterns_bytes(n),
            json!({"allOf": patterns}),
            "the patterns of the schema are larger than the limit",
        ),
        (
            "dynamic_copies",
            |n| Limits::default().dynamic_copies(n),
            json!({"$id": "https://ex.test/", "$defs": {"all": {"allOf": dynamic}}, "$ref": "r0"}),
            "dynamic references would copy more schemas than the limit",
        ),
    ];
    for (name, set, schema, words) in cases {
        let build = |n: usize| Validator::options().limits(set(n)).build(&schema);
        let needed = edge(100_000, |n| build(n).is_ok());
        let message = build(needed - 1).unwrap_err().message().to_owned();
        assert!(message.contains(words), "{name}: {message}");
        assert!(build(needed).is_ok(), "{name}");
    }
}
