//! Keywords of the caller's own, through every door.
//!
//! In: schemas with keywords that the test registers. Out: a failure where a keyword is asked of another value than it
//! should be, says more than the bound, or leaves a validator unusable.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use portcullis::bound::BOUND;
use portcullis::limits::DEPTH;
use portcullis::{Dialect, KeywordCheck, Options, Scratch, Validator};
use serde_json::{Value, json};

/// `divides: n`: the integers that divide `n`.
fn divides(value: &Value, _: &str) -> Result<KeywordCheck, String> {
    let Some(whole) = value.as_u64().filter(|whole| *whole > 0) else {
        return Err("\"divides\" must be a positive integer".to_owned());
    };
    let accepts = move |value: &Value| value.as_u64().is_none_or(|part| part > 0 && whole % part == 0);
    Ok(KeywordCheck::new(accepts).text(format!("value does not divide {whole}")))
}

fn options() -> Options {
    Validator::options().keyword("divides", divides)
}

#[test]
fn a_keyword_asserts_wherever_it_stands() {
    let schema = json!({
        "items": {"divides": 12},
        "contains": {"divides": 5, "type": "integer"},
        "not": {"minItems": 4, "divides": 1}
    });
    let validator = options().build(&schema).unwrap();
    assert!(validator.is_valid(&json!([1, 2, 3])) && validator.is_valid(&json!([1, "x"])));
    assert!(!validator.is_valid(&json!([2, 3])), "none divides 5");
    assert!(!validator.is_valid(&json!([1, 1, 1, 1])), "divides says yes to what is no number");
    let refusal = validator.check(&json!([1, 5, 8])).unwrap_err();
    let found: Vec<_> = refusal
        .entries()
        .iter()
        .map(|entry| (entry.pointer(), entry.problems()[0].text(), entry.problems()[0].schema_location()))
        .collect();
    let text = "value does not divide 12";
    assert_eq!(found, [("/1", text, "#/items/divides"), ("/2", text, "#/items/divides")]);
    assert_eq!(refusal.entries()[0].problems()[0].keyword(), "divides");
    assert!(validator.explain().to_string().contains("divides (the caller's own)"));
}

#[test]
fn a_keyword_is_told_its_value_and_its_place_once_a_build() {
    let seen: Arc<Mutex<BTreeMap<String, Value>>> = Arc::default();
    let calls = Arc::new(AtomicUsize::new(0));
    let options = {
        let (seen, calls) = (seen.clone(), calls.clone());
        Validator::options().keyword("mine", move |value: &Value, location: &str| {
            calls.fetch_add(1, Ordering::Relaxed);
            seen.lock().unwrap().insert(location.to_owned(), value.clone());
            Ok(KeywordCheck::new(|_| true))
        })
    };
    let shared = json!({"$ref": "#/$defs/a"});
    options
        .build(&json!({
            "$id": "https://ex.test/s", "mine": 1, "properties": {"p": shared, "q": shared},
            "$defs": {"a": {"mine": {"b": []}}, "unused": {"mine": 3}}, "const": {"mine": 4}
        }))
        .unwrap();
    let expected = BTreeMap::from([
        ("https://ex.test/s#".to_owned(), json!(1)),
        ("https://ex.test/s#/$defs/a".to_owned(), json!({"b": []})),
    ]);
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[test]
fn a_value_that_makes_no_check_refuses_the_schema() {
    let error = options().build(&json!({"items": {"divides": "x"}})).unwrap_err();
    assert_eq!(error.to_string(), "#/items/divides: \"divides\" must be a positive integer");
    let long = Validator::options().keyword("k", |_: &Value, _: &str| Err("é".repeat(10_000)));
    let error = long.build(&json!({"k": 1})).unwrap_err();
    assert!(error.message().len() <= BOUND + "…".len(), "{} bytes", error.message().len());
}

#[test]
fn a_dialects_own_keyword_is_not_to_be_had() {
    let minimum =
        Validator::options().keyword("minimum", |_: &Value, _: &str| Ok(KeywordCheck::new(|_| false)));
    let error = minimum.build(&json!({"properties": {"a": {"minimum": 1}}})).unwrap_err();
    assert_eq!(error.to_string(), "#/properties/a/minimum: \"minimum\" is a keyword of the dialect's own");
    // A dialect that has no such keyword leaves its name free; and an annotation may be made to assert.
    let divisible =
        Validator::options().keyword("divisibleBy", |_: &Value, _: &str| Ok(KeywordCheck::new(|_| false)));
    assert!(!divisible.build(&json!({"divisibleBy": 1})).unwrap().is_valid(&json!(1)));
    assert!(divisible.dialect(Dialect::Draft3).build(&json!({"divisibleBy": 1})).is_err());
    let deprecated =
        Validator::options().keyword("deprecated", |_: &Value, _: &str| Ok(KeywordCheck::new(|_| false)));
    let validator = deprecated.build(&json!({"properties": {"a": {"deprecated": true}}})).unwrap();
    assert!(validator.is_valid(&json!({})) && !validator.is_valid(&json!({"a": 1})));
}

#[test]
fn an_own_keyword_is_no_unknown_one() {
    let strict = options().unknown_keywords(false);
    assert!(strict.build(&json!({"divides": 3})).is_ok());
    assert!(strict.build(&json!({"divide": 3})).is_err());
}

#[test]
fn a_keyword_stands_behind_dialects_that_hide_it() {
    // Beside `$ref` nothing is a keyword until draft 7.
    let schema = json!({"$ref": "#/definitions/a", "divides": 2, "definitions": {"a": {}}});
    assert!(options().dialect(Dialect::Draft7).build(&schema).unwrap().is_valid(&json!(3)));
    assert!(!options().dialect(Dialect::Draft201909).build(&schema).unwrap().is_valid(&json!(3)));
}

#[test]
fn every_door_and_every_type_reaches_a_keyword() {
    let kinds = Validator::options().keyword("kind", |value: &Value, _: &str| {
        let wanted = value.clone();
        Ok(KeywordCheck::new(move |value| match value {
            Value::Object(members) => members.len() as u64 == wanted["members"],
            Value::String(text) => text.len() as u64 == wanted["bytes"],
            _ => true,
        }))
    });
    let validator =
        kinds.build(&json!({"kind": {"members": 2}, "propertyNames": {"kind": {"bytes": 1}}})).unwrap();
    for (object, passes) in
        [(json!({"a": 1, "b": 2}), true), (json!({"a": 1}), false), (json!({"aa": 1, "b": 1}), false)]
    {
        let members = object.as_object().unwrap();
        assert_eq!(validator.is_valid(&object), passes, "{object}");
        assert_eq!(validator.is_valid_object(members), passes, "{object}");
        assert_eq!(validator.check(&object).is_ok(), passes, "{object}");
        assert_eq!(validator.check_object(members).is_ok(), passes, "{object}");
        assert_eq!(validator.read(object.clone()).is_ok(), passes, "{object}");
    }
    let refusal = validator.check(&json!({"a": 1})).unwrap_err();
    assert_eq!(refusal.entries()[0].problems()[0].text(), "value does not respect the keyword 'kind'");
}

#[test]
fn its_texts_obey_the_bound() {
    let name = "k".repeat(1_000);
    let loud = Validator::options()
        .keyword("loud", |_: &Value, _: &str| Ok(KeywordCheck::new(|_| false).text("x".repeat(100_000))))
        .keyword(name.clone(), |_: &Value, _: &str| Ok(KeywordCheck::new(|_| false)));
    let refusal = loud.build(&json!({"loud": 1, name: 2})).unwrap().check(&json!(1)).unwrap_err();
    for problem in refusal.entries()[0].problems() {
        let bound = BOUND + "…".len();
        assert!(problem.text().len() <= bound && problem.keyword().len() <= bound, "{problem:?}");
    }
}

#[test]
fn a_deeper_instance_is_refused_before_a_keyword_sees_it() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let validator = Validator::options()
        .keyword("mine", move |_: &Value, _: &str| {
            let calls = counted.clone();
            Ok(KeywordCheck::new(move |value| {
                calls.fetch_add(1, Ordering::Relaxed);
                // What recurses on the caller's side is safe.
                value.clone() == *value
            }))
        })
        .build(&json!({"mine": true}))
        .unwrap();
    let nested = |levels: usize| (1..levels).fold(json!([]), |inner, _| json!([inner]));
    assert!(validator.is_valid(&nested(DEPTH)));
    assert_eq!(calls.swap(0, Ordering::Relaxed), 1);
    let refusal = validator.check(&nested(DEPTH + 1)).unwrap_err();
    assert_eq!(refusal.entries()[0].problems()[0].text(), "value could not be checked within the limit");
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

#[test]
fn a_panic_leaves_scratch_and_pool_usable() {
    let validator = Validator::options()
        .keyword("fussy", |_: &Value, _: &str| {
            Ok(KeywordCheck::new(|value| if value == 13 { panic!("fussy") } else { value != 12 }))
        })
        .build(&json!({"items": {"anyOf": [{"fussy": 1}, {"fussy": 2}]}, "uniqueItems": true}))
        .unwrap();
    let mut scratch = Scratch::new();
    std::panic::set_hook(Box::new(|_| {}));
    for _ in 0..3 {
        let bad = json!([1, 12, 13]);
        assert!(catch_unwind(AssertUnwindSafe(|| validator.is_valid(&json!([1, 13])))).is_err());
        assert!(
            catch_unwind(AssertUnwindSafe(|| validator.check_with(&mut scratch, &json!([1, 13])))).is_err()
        );
        assert!(validator.is_valid(&json!([1, 2])) && validator.is_valid_with(&mut scratch, &json!([1, 2])));
        assert!(
            !validator.is_valid(&json!([1, 1])) && !validator.is_valid_with(&mut scratch, &json!([1, 12]))
        );
        // The first failure ends an accept, and what the report then meets is the caller's own again.
        assert!(!validator.is_valid(&bad));
    }
}
