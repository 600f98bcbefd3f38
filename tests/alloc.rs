//! What a check allocates, counted: nothing for an accept with a warm scratch, and for a refusal a bound that the
//! instance does not move, besides 32 bytes for each failing place.

mod common;

use allocation_counter::measure;
use portcullis::{Refusal, Scratch, UnknownFormats, Validator};
use serde_json::{Value, json};

/// What a refusal may hold at its peak, besides what each failing place takes.
const LIVE: u64 = 64 << 10;

/// What each failing place may take at the peak of its counting.
const A_PLACE: u64 = 32;

#[test]
fn a_warm_accept_allocates_nothing_on_real_documents() {
    let Some(shared) = common::shared() else { return };
    let mut documents = 0;
    for folder in common::folders(&shared.join("datasets")) {
        let schema = common::json(&folder.join("schema.json"));
        let validator = Validator::options().assert_format(false).build(&schema).unwrap();
        let instances = common::json_lines(&folder.join("instances.jsonl"));
        documents += instances.len();
        accept_twice(&folder.display().to_string(), &validator, &instances);
    }
    for call in common::json_lines(&shared.join("tools/calls.jsonl")) {
        let validator = Validator::options()
            .unknown_formats(UnknownFormats::Annotate)
            .build(&call["inputSchema"])
            .unwrap();
        accept_twice(&call["tool"].to_string(), &validator, &[call["arguments"].clone()]);
        documents += 1;
    }
    assert!(documents > 20_000, "{documents}");
}

fn accept_twice(name: &str, validator: &Validator, instances: &[Value]) {
    let mut scratch = Scratch::new();
    // The first round warms the scratch and the caches of the patterns.
    assert!(instances.iter().all(|instance| validator.is_valid_with(&mut scratch, instance)), "{name}");
    let warm = measure(|| {
        assert!(instances.iter().all(|instance| validator.is_valid_with(&mut scratch, instance)));
    });
    assert_eq!(warm.count_total, 0, "{name}: {} bytes", warm.bytes_total);
}

#[test]
fn a_warm_accept_allocates_nothing_where_memory_is_needed() {
    for (schema, value) in [
        (json!({"uniqueItems": true}), json!((0..1_000).collect::<Vec<_>>())),
        (json!({"anyOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}), json!({"a": 1})),
        (
            json!({"items": {"anyOf": [{"$ref": "#"}, {"type": "integer"}, {"$ref": "#"}]}}),
            json!([[[1], 2], 3]),
        ),
        (json!({"pattern": "^(?=.*[a-z])(?=.*[0-9]).{4,}$"}), json!("abc123")),
        (json!({"pattern": r"^(?:(0|1)\1?)*$"}), json!("01".repeat(2_000))),
        (json!({"pattern": "^(?:(?=.*z|x).)*$"}), json!("x".repeat(100_000))),
        (
            json!({"patternProperties": {"^(a|b)+c?$": true}, "additionalProperties": false}),
            json!({"abac": 1}),
        ),
    ] {
        let validator = Validator::new(&schema).unwrap();
        accept_twice(&schema.to_string(), &validator, &[value]);
    }
}

#[test]
fn a_refusal_of_100_000_wrong_items_is_small() {
    const ITEMS: usize = 100_000;
    let validator = Validator::new(&json!({"items": {"type": "integer"}})).unwrap();
    let value = Value::Array(vec![json!("x"); ITEMS]);
    let mut scratch = Scratch::new();
    let mut refusal = None;
    let cost = measure(|| refusal = validator.check_with(&mut scratch, &value).err());
    let refusal = refusal.unwrap();
    assert_eq!((refusal.total(), refusal.entries().len()), (ITEMS, 10));
    assert!(cost.bytes_max > 8 * ITEMS as u64, "the counter counts: {}", cost.bytes_max);
    assert!(cost.bytes_max <= LIVE + A_PLACE * ITEMS as u64, "{} bytes at the peak", cost.bytes_max);
    let json = serde_json::to_string(&refusal).unwrap();
    assert!(json.len() <= Refusal::MAX_BYTES, "{}", json.len());
}

#[test]
fn a_refusal_of_one_place_is_small_whatever_stands_there() {
    let long = "x".repeat(1 << 20);
    for (schema, value) in [
        (json!({"enum": ["a", "b"]}), json!(long)),
        (json!({"maxLength": 10}), json!(long)),
        (json!({"format": "uri-template"}), json!(format!("{{{long}"))),
        (json!({"additionalProperties": false}), json!({ long.clone(): 1 })),
        (json!({"additionalProperties": {"type": "integer"}}), json!({ long.clone(): "1" })),
        (
            json!({"additionalProperties": false}),
            (0..100_000).map(|key| (key.to_string(), json!(1))).collect(),
        ),
        (json!({"type": "object"}), Value::Array(vec![json!(1); 100_000])),
    ] {
        let validator = Validator::new(&schema).unwrap();
        let mut scratch = Scratch::new();
        let mut total = 0;
        let cost = measure(|| total = validator.check_with(&mut scratch, &value).unwrap_err().total());
        assert_eq!(total, 1, "{schema}");
        assert!(cost.bytes_max <= LIVE, "{schema}: {} bytes at the peak", cost.bytes_max);
    }
}
