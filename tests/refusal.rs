//! What a refusal says, by the validator's public door: which ten, in which order, in whose words.

#![allow(clippy::unwrap_used, reason = "what does not build fails the test")]

use allocation_counter::measure;
use portcullis::{Limits, Refusal, Scratch, Validator};
use serde_json::{Value, json};

/// The stack of a thread in most servers.
const STACK: usize = 2 << 20;

fn refuse(schema: &Value, value: &Value) -> Refusal {
    Validator::new(schema).unwrap().check(value).unwrap_err()
}

fn paths(refusal: &Refusal) -> Vec<&str> {
    refusal.entries().iter().map(|entry| entry.path()).collect()
}

fn texts(refusal: &Refusal) -> Vec<&str> {
    let problems = refusal.entries().iter().flat_map(|entry| entry.problems());
    problems.map(|problem| problem.text()).collect()
}

#[test]
fn of_twelve_failing_places_the_first_ten_are_listed_and_all_are_counted() {
    let schema = json!({"properties": {"items": {"items": {"type": "integer"}}}});
    let refusal = refuse(&schema, &json!({"items": vec!["x"; 12]}));
    assert_eq!(refusal.total(), 12);
    let expected: Vec<_> = (0..10).map(|index| format!("items[{index}]")).collect();
    assert_eq!(paths(&refusal), expected);
}

#[test]
fn digits_are_ordered_as_numbers_of_any_length_and_spelled_as_keys_under_an_object() {
    let long = "9".repeat(60);
    let longer = format!("1{}", "0".repeat(60));
    let value: Value = ["10", "2", "01", "1", "", "b", &longer, &long]
        .into_iter()
        .map(|key| (key.to_owned(), json!("x")))
        .collect();
    let refusal = refuse(&json!({"additionalProperties": {"type": "integer"}}), &value);
    let expected = [
        "[\"1\"]".to_owned(),
        "[\"01\"]".to_owned(),
        "[\"2\"]".to_owned(),
        "[\"10\"]".to_owned(),
        format!("[\"{long}\"]"),
        format!("[\"{longer}\"]"),
        "[\"\"]".to_owned(),
        "b".to_owned(),
    ];
    assert_eq!(paths(&refusal), expected);
}

#[test]
fn fifty_branches_that_fail_at_one_place_are_one_entry_of_ten_problems_and_forty_more() {
    let branches: Vec<_> = (0..50).map(|branch| json!({"required": [format!("k{branch:02}")]})).collect();
    let refusal = refuse(&json!({"anyOf": branches}), &json!({}));
    assert_eq!((refusal.total(), refusal.entries().len()), (1, 1));
    let entry = &refusal.entries()[0];
    assert_eq!((entry.path(), entry.problems().len(), entry.more()), ("(root)", 10, 40));
    assert_eq!(entry.problems()[9].text(), "property \"k09\" is required");
    assert!(refusal.message().contains("and 40 more"), "{}", refusal.message());
}

#[test]
fn texts_name_the_schemas_side_alone_also_inside_a_union() {
    let secret = "secret-".repeat(200_000);
    let object = json!({ secret.clone(): 1 });
    for (schema, value, text) in [
        (json!({"minimum": 1}), json!(-987_654), "value is lower than minimum 1"),
        (json!({"maximum": 100}), json!(987_654), "value is higher than maximum 100"),
        (json!({"exclusiveMinimum": 0}), json!(-987_654), "value is not higher than exclusive minimum 0"),
        (json!({"exclusiveMaximum": 9}), json!(987_654), "value is not lower than exclusive maximum 9"),
        (json!({"multipleOf": 5}), json!(987_654), "value is not a multiple of 5"),
        (json!({"uniqueItems": true}), json!([secret, secret]), "value must contain unique items"),
        (
            json!({"format": "uri-template"}),
            json!(format!("{{{secret}")),
            "value does not respect the 'uri-template' format",
        ),
    ] {
        for schema in [schema.clone(), json!({"anyOf": [schema, false]})] {
            let refusal = refuse(&schema, &value);
            assert!(texts(&refusal).contains(&text), "{:?}", texts(&refusal));
            assert!(!refusal.message().contains("secret") && !refusal.message().contains("987"));
        }
    }
    for (keyword, schema) in [
        ("additionalProperties", json!({"additionalProperties": false})),
        ("propertyNames", json!({"propertyNames": {"maxLength": 3}})),
        ("patternProperties", json!({"patternProperties": {"^s": false}})),
        ("unevaluatedProperties", json!({"unevaluatedProperties": false})),
    ] {
        for schema in [schema.clone(), json!({"anyOf": [{"type": "array"}, schema]})] {
            let refusal = refuse(&schema, &object);
            assert_eq!(paths(&refusal), ["(root)"]);
            assert!(texts(&refusal).iter().any(|text| text.contains(keyword)), "{:?}", texts(&refusal));
            assert!(texts(&refusal).iter().all(|text| !text.contains("secret")));
        }
    }
}

#[test]
fn values_and_resources_a_million_deep_are_refused_and_dropped() {
    let work = || {
        let deep = || (0..1_000_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
        let validator = Validator::new(&json!({"items": {"$ref": "#"}})).unwrap();
        let value = deep();
        let refusal = validator.check(&value).unwrap_err();
        assert_eq!(texts(&refusal), ["value could not be checked within the limit"]);
        assert!(!validator.is_valid(&value));
        let visited = validator.visit(&value, |_| std::ops::ControlFlow::Continue(()));
        assert!(!visited && !refusal.is_complete(), "what lies deeper is not known");
        assert!(Validator::new(&value).is_err(), "as a schema");
        // Reading owns the value, even where the schema asks nothing of its depths.
        for schema in [json!({"items": {"$ref": "#"}}), json!({})] {
            let refusal = Validator::new(&schema).unwrap().read(deep()).unwrap_err();
            assert_eq!(texts(&refusal), ["value could not be checked within the limit"]);
        }
        let options = Validator::options().resource("https://example.org/deep.json", deep());
        let error = options.build(&json!({"$ref": "https://example.org/deep.json"})).unwrap_err();
        assert!(error.to_string().contains("nested deeper than the limit"), "{error}");
        drop(options);
        std::mem::forget(value);
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// As many problems at one place as `count`, each with a text of its own.
fn many_problems(count: usize) -> Value {
    json!({"allOf": (0..count).map(|index| json!({"const": format!("c{index:06}")})).collect::<Vec<_>>()})
}

#[test]
fn the_texts_of_one_place_are_paid_for_and_what_is_not_paid_is_told() {
    const COUNT: usize = 20_000;
    /// What the walks need, and what the texts need besides.
    const WALKS: u64 = 10 * COUNT as u64;
    const TEXTS: u64 = 80 * COUNT as u64;
    let refuse = |schema: &Value, value: &Value, steps: u64| {
        let limits = Limits::default().steps(steps);
        let validator = Validator::options().limits(limits).build(schema).unwrap();
        let mut scratch = Scratch::new();
        let mut refusal = None;
        let memory = measure(|| refusal = validator.check_with(&mut scratch, value).err());
        assert!(scratch.steps() <= 2 * steps);
        (refusal.unwrap(), memory)
    };
    let schema = many_problems(COUNT);
    let (refusal, memory) = refuse(&schema, &json!(1), WALKS + TEXTS);
    assert!(refusal.is_complete());
    let entry = &refusal.entries()[0];
    assert_eq!((entry.problems().len(), entry.more()), (10, COUNT - 10));
    assert_eq!(texts(&refusal)[9], "value must be \"c000009\"");
    // Each problem is kept once, and each text past the ten is a hash.
    assert!(memory.bytes_max <= 120 * COUNT as u64, "{} bytes at the peak", memory.bytes_max);

    let (refusal, _) = refuse(&schema, &json!(1), WALKS);
    assert!(!refusal.is_complete());
    let entry = &refusal.entries()[0];
    assert_eq!(entry.problems().len(), 10);
    assert!((1..COUNT - 10).contains(&entry.more()), "{}", entry.more());

    // A text that tells a length reads the value, each anew: what it reads is paid.
    let lengths: Vec<Value> = (0..200).map(|index| json!({"maxLength": index})).collect();
    let (schema, long) = (json!({"allOf": lengths}), json!("x".repeat(1 << 20)));
    assert!(refuse(&schema, &long, 10_000_000).0.is_complete());
    assert!(!refuse(&schema, &long, 1_000_000).0.is_complete());
}
