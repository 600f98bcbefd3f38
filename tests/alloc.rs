//! What a check allocates, counted: nothing for an accept with a warm scratch, and for a refusal a bound that the
//! instance does not move, besides 32 bytes for each failing place. Each row of the table in the crate's docs is held here.

mod common;

use std::ops::ControlFlow;

use allocation_counter::measure;
use portcullis::gate::Gate;
use portcullis::limits::SYNTAX_BYTES;
use portcullis::{Refusal, Scratch, UnknownFormats, Validator, bound};
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
    let value = Value::Array(vec![json!("x"); ITEMS]);
    // Of the second no place is known to be new when it is met.
    for (schema, least) in [
        (json!({"items": {"type": "integer"}}), 1_000),
        (json!({"allOf": [{"items": {"type": "integer"}}, {"items": {"type": "number"}}]}), ITEMS as u64 / 2),
    ] {
        let validator = Validator::new(&schema).unwrap();
        let mut scratch = Scratch::new();
        let mut refusal = None;
        let cost = measure(|| refusal = validator.check_with(&mut scratch, &value).err());
        let refusal = refusal.unwrap();
        assert_eq!((refusal.total(), refusal.entries().len()), (ITEMS, 10));
        assert!(cost.bytes_max > least, "the counter counts: {}", cost.bytes_max);
        assert!(cost.bytes_max <= LIVE + A_PLACE * ITEMS as u64, "{} bytes at the peak", cost.bytes_max);
        let json = serde_json::to_string(&refusal).unwrap();
        assert!(json.len() <= Refusal::MAX_BYTES, "{}", json.len());
    }
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

/// A call of the table in the crate's docs, and how many bytes it may take at a time.
fn takes(name: &str, most: u64, call: impl FnOnce()) {
    let cost = measure(call);
    assert!(cost.bytes_max <= most, "{name}: {} bytes at the peak, of {most}", cost.bytes_max);
    assert!(most > 0 || cost.count_total == 0, "{name}: {} allocations", cost.count_total);
}

/// Arrays inside one another, and a whole-number float in each.
fn nested(levels: usize) -> Value {
    (1..levels).fold(json!(1.0), |inner, _| json!([inner, 2.0]))
}

const LEVELS: usize = 100;

fn nested_schema(kind: &str) -> Value {
    json!({"anyOf": [{"type": kind}, {"type": "array", "items": {"$ref": "#"}}]})
}

/// Runs a call of the table, or measures it.
type Take<'t> = dyn Fn(&str, u64, &mut dyn FnMut()) + 't;

#[test]
fn every_call_of_a_validator_takes_what_the_docs_say() {
    let value = nested(LEVELS);
    let object = json!({"a": value});
    let members = object.as_object().unwrap();
    let validator = Validator::new(&nested_schema("integer")).unwrap();
    let of_object = Validator::new(&json!({"properties": {"a": nested_schema("integer")}})).unwrap();
    let strict = Validator::new(&nested_schema("string")).unwrap();
    let mut scratch = Scratch::new();
    let mut round = |take: &Take<'_>| {
        take("is_valid_with", 0, &mut || assert!(validator.is_valid_with(&mut scratch, &value)));
        take("is_valid", 0, &mut || assert!(validator.is_valid(&value)));
        take("is_valid_object", 0, &mut || assert!(of_object.is_valid_object(members)));
        take("is_valid of what does not pass", 0, &mut || assert!(!strict.is_valid(&value)));
        take("check_with", 0, &mut || assert!(validator.check_with(&mut scratch, &value).is_ok()));
        take("check", 0, &mut || assert!(validator.check(&value).is_ok()));
        take("check_object", 0, &mut || assert!(of_object.check_object(members).is_ok()));
        take("check of what does not pass", LIVE, &mut || assert!(strict.check(&value).is_err()));
        take("visit of what passes", 0, &mut || {
            assert!(validator.visit(&value, |_| ControlFlow::Continue(())))
        });
        take("visit", 48 * LEVELS as u64, &mut || {
            assert!(strict.visit(&value, |_| ControlFlow::Continue(())));
        });
    };
    round(&|_, _, call| call());
    round(&|name, most, call| takes(name, most, call));

    let read = |value: Value| {
        let _ = std::hint::black_box(validator.read(value).unwrap());
    };
    read(value.clone());
    takes("read", (256 + 24) * LEVELS as u64, || read(value));
}

#[test]
fn every_call_of_a_gate_takes_what_the_docs_say() {
    let tool = json!([{"name": "t", "inputSchema": {
        "properties": {"a": nested_schema("integer"), "b": {"type": "string"}}, "additionalProperties": false
    }}]);
    let gate = Gate::from_tools(&tool).unwrap();
    let arguments = |value: Value| if let Value::Object(members) = value { Some(members) } else { None };
    let level = (256 + 24) * LEVELS as u64;
    for (name, most, passes, sent) in [
        ("what passes", level, true, json!({"a": nested(LEVELS)})),
        ("what does not", level + LIVE, false, json!({"a": nested(LEVELS), "b": 1})),
        ("an unknown key", level + LIVE, false, json!({"a": nested(LEVELS), "c": 1})),
    ] {
        for warm in [false, true] {
            let sent = arguments(sent.clone());
            let call = || assert_eq!(gate.call_tool("t", sent).is_ok(), passes);
            if warm { takes(name, most, call) } else { call() }
        }
    }
}

#[test]
fn every_form_of_the_bound_takes_what_the_docs_say() {
    const FORM: u64 = 4 << 10;
    let wide: Value = (0..100_000).collect();
    let members: Value = (0..100_000).map(|key| (key.to_string(), json!(key))).collect();
    for value in [json!("x".repeat(1 << 20)), json!("\u{7f}".repeat(1 << 20)), wide, members, json!(1)] {
        takes("echo", FORM, || drop(bound::echo(&value)));
        takes("line", FORM, || drop(bound::line(&value)));
        takes("render", FORM, || drop(bound::render(&value)));
        takes("render_display", FORM, || drop(bound::render_display(&value)));
        takes("render_debug", FORM, || drop(bound::render_debug(&value)));
        if let Value::String(text) = &value {
            takes("echo_str", FORM, || drop(bound::echo_str(text)));
            takes("echo_bytes", FORM, || drop(bound::echo_bytes(text.as_bytes())));
            takes("render_str", FORM, || drop(bound::render_str(text)));
            takes("render_bytes", FORM, || drop(bound::render_bytes(text.as_bytes())));
        }
    }
    let many = (0..100_000_u64).map(|index| index * 7_919 % 100_003);
    takes("first", 20 * size_of::<u64>() as u64, || drop(bound::first(many)));
}

#[test]
fn a_text_that_is_a_pattern_takes_nothing_unless_it_names_groups_or_nests() {
    let validator = Validator::new(&json!({"format": "regex"})).unwrap();
    let mut scratch = Scratch::new();
    let named: String = (0..1_000).map(|index| format!("(?<g{index}>a)")).collect();
    for (text, most) in [
        (r"^(\d{4}-[a-z]+|\p{L}*)$".repeat(1_000), 0),
        ("(".repeat(64) + &")".repeat(64), 0),
        ("(".repeat(10_000) + &")".repeat(10_000), 2 * SYNTAX_BYTES as u64),
        (named, 2 * SYNTAX_BYTES as u64),
    ] {
        let text = json!(text);
        assert!(validator.is_valid_with(&mut scratch, &text));
        takes("format regex", most, || assert!(validator.is_valid_with(&mut scratch, &text)));
    }
}

#[test]
fn bytes_are_judged_in_memory_of_their_size_and_then_in_none() {
    let validator = Validator::new(&json!({"items": {"type": ["integer", "array", "string"]}})).unwrap();
    for (text, valid) in [
        (format!("[{}1]", "1,".repeat(50_000)), true),
        (format!("[{}[1]]", "[1],".repeat(50_000)), true),
        (format!("[{}\"\"]", "\"\\u00e9\",".repeat(50_000)), true),
        (format!("[{}null]", "1,".repeat(50_000)), false),
        (format!("[{}", "1,".repeat(50_000)), false),
    ] {
        let mut scratch = Scratch::new();
        let bytes = text.as_bytes();
        let new = measure(|| assert_eq!(validator.check_slice_with(&mut scratch, bytes).is_ok(), valid));
        let most = LIVE + 4_096 + 27 * bytes.len() as u64;
        assert!(new.bytes_max <= most, "{} bytes at the peak, of {most}: {text:.20}", new.bytes_max);
        let warm = measure(|| assert_eq!(validator.check_slice_with(&mut scratch, bytes).is_ok(), valid));
        assert!(warm.bytes_max <= if valid { 0 } else { LIVE }, "{} bytes: {text:.20}", warm.bytes_max);
        let verdict = measure(|| {
            assert_eq!(
                validator.is_valid_slice_with(&mut scratch, bytes).ok(),
                Some(valid).filter(|_| text.ends_with(']'))
            )
        });
        assert!(verdict.bytes_max <= 1_024, "{} bytes: {text:.20}", verdict.bytes_max);
    }
    // What is no JSON takes its error alone.
    let error = measure(|| assert!(validator.check_slice(b"[1,").is_err()));
    assert!(error.bytes_max <= 1_024, "{}", error.bytes_max);
}

#[test]
fn what_is_read_from_bytes_takes_its_value_and_the_casts() {
    let validator = Validator::new(&json!({"items": {"type": "integer"}})).unwrap();
    const ITEMS: u64 = 20_000;
    for item in ["1,", "1.0,"] {
        let text = format!("[{}2]", item.repeat(ITEMS as usize));
        let mut scratch = Scratch::new();
        assert!(validator.is_valid_slice_with(&mut scratch, text.as_bytes()).unwrap());
        let value = measure(|| drop(serde_json::from_str::<Value>(&text).unwrap()));
        let read = measure(|| drop(validator.read_slice_with(&mut scratch, text.as_bytes()).unwrap()));
        let most = value.bytes_max + if item == "1," { 1_024 } else { 64 * ITEMS };
        assert!(read.bytes_max <= most, "{} bytes, of {most}", read.bytes_max);
    }
}
