//! Hostile instances under schemas that find fault everywhere: the answer is bounded, ordered, and a line is a line.
//!
//! In: a byte that picks a schema, and bytes of JSON. Out: a crash where a refusal passes `Refusal::MAX_BYTES`, lists
//! paths out of order, or logs more than one line.

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/twin/order.rs"]
mod order;

use std::fmt;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use portcullis::{Refusal, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::{Value, json};

/// The longest line.
const LINE_BYTES: usize = 1_024;

/// A value, and which schema finds fault with it.
struct Refused {
    schema: usize,
    value: Value,
}

impl Case for Refused {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (first, json) = bytes.split_first()?;
        Some(Refused { schema: usize::from(*first), value: serde_json::from_slice(json).ok()? })
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (schema, _) = self.schema();
        writeln!(f, "let schema = serde_json::from_str({:?}).unwrap();", schema.to_string())?;
        writeln!(f, "let value = serde_json::from_str({:?}).unwrap();", self.value.to_string())?;
        writeln!(f, "let refusal = Validator::new(&schema).unwrap().check(&value).unwrap_err();")?;
        writeln!(f, "println!(\"{{refusal}}\\n{{}}\", serde_json::to_string(&refusal).unwrap());")
    }
}

impl Refused {
    fn schema(&self) -> &'static (Value, Validator) {
        let all = schemas();
        &all[self.schema % all.len()]
    }
}

fn schemas() -> &'static [(Value, Validator)] {
    static SCHEMAS: OnceLock<Vec<(Value, Validator)>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let below = json!({"$ref": "#"});
        let many: Vec<Value> = (0..40).map(|number| json!({"const": format!("\u{0}{number}")})).collect();
        [
            json!({"type": [], "items": below, "additionalProperties": below}),
            json!({"anyOf": many, "items": below, "additionalProperties": below}),
            json!({"propertyNames": {"maxLength": 1}, "uniqueItems": true, "maxItems": 1, "minLength": 9,
                   "pattern": "^\u{7f}$", "items": below, "additionalProperties": below}),
            json!({"not": {"type": ["integer", "string"]}, "items": below, "patternProperties": {"": below}}),
            json!({"allOf": [{"items": below}, {"unevaluatedProperties": below}], "minimum": 1e300, "required": ["\n"]}),
            json!({"contains": below, "maxProperties": 0, "dependentRequired": {"a": ["b"]}, "unevaluatedItems": false}),
        ]
        .into_iter()
        .map(|mut schema| {
            if schema["type"] == json!([]) {
                schema["type"] = json!("boolean");
            }
            let validator = Validator::new(&schema).expect("a schema of ours");
            (schema, validator)
        })
        .collect()
    })
}

/// The tokens of a pointer that was not cut.
fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

fuzz_target!(|input: Input<Refused>| {
    let Input(refused) = &input;
    let ((_, validator), value) = (refused.schema(), &refused.value);
    let Err(refusal) = validator.check(value) else {
        assert!(validator.is_valid(value));
        return;
    };
    let plain = serde_json::to_string(&refusal).expect("no key but strings");
    assert!(plain.len() <= Refusal::MAX_BYTES, "{} bytes", plain.len());
    let printable = refusal.to_printable_json();
    assert!(printable.len() <= Refusal::MAX_BYTES, "{} bytes", printable.len());
    let read: (Value, Value) =
        (serde_json::from_str(&plain).expect("JSON"), serde_json::from_str(&printable).expect("JSON"));
    assert_eq!(read.0, read.1);
    for line in [refusal.log_line(), refusal.to_string()] {
        assert!(line.len() <= LINE_BYTES && !line.chars().any(char::is_control), "{line:?}");
    }
    assert!(refusal.total() >= refusal.entries().len() && !refusal.entries().is_empty());
    let paths: Vec<_> = refusal
        .entries()
        .iter()
        .filter(|entry| !entry.pointer_is_cut())
        .map(|entry| tokens(entry.pointer()))
        .collect();
    assert!(paths.is_sorted_by(|one, other| order::paths(one, other).is_lt()), "{paths:?}");
    for entry in refusal.entries() {
        if !entry.pointer_is_cut() {
            assert!(value.pointer(entry.pointer()).is_some(), "{}", entry.pointer());
        }
        assert!(entry.problems().is_sorted_by(|one, other| one.text() < other.text()));
    }
});
