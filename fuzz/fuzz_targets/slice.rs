//! Bytes beside values: one schema, one text, and both doors say the same, refusal and all.
//!
//! In: a schema, and behind it the text of an instance. Out: a crash where the verdicts or the refusals differ though
//! `serde_json` has rounded no number, or where bytes take more steps than their value and their reading.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::{Limits, Scratch, SliceErrorKind, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::{Deserializer, Value};

/// Steps of a check.
const STEPS: u64 = 100_000;

/// What patterns may compile to, one and all.
const PATTERN_BYTES: usize = 1 << 16;
const PATTERNS_BYTES: usize = 1 << 18;

/// Digits that a float holds, whatever they are.
const DIGITS: usize = 15;

struct Checked {
    schema: Value,
    text: Vec<u8>,
}

impl Case for Checked {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut documents = Deserializer::from_slice(bytes).into_iter::<Value>();
        let schema = documents.next()?.ok()?;
        let text = bytes.get(documents.byte_offset()..)?.to_vec();
        Some(Checked { schema, text })
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let schema: Value = serde_json::from_str({:?}).unwrap();", self.schema.to_string())?;
        writeln!(f, "let text = b\"{}\";", self.text.escape_ascii())?;
        writeln!(f, "let limits = Limits::default().steps({STEPS});")?;
        writeln!(f, "let limits = limits.pattern_bytes({PATTERN_BYTES}).patterns_bytes({PATTERNS_BYTES});")?;
        writeln!(f, "let validator = Validator::options().limits(limits).build(&schema).unwrap();")?;
        writeln!(f, "let value: Value = serde_json::from_slice(text).unwrap();")?;
        writeln!(
            f,
            "let by_bytes = validator.check_slice(text).map_err(|error| error.into_refusal().unwrap());"
        )?;
        writeln!(f, "assert_eq!(by_bytes, validator.check(&value));")
    }
}

impl Checked {
    /// Whether `serde_json` may have rounded a number of the text, or lost how it was spelled where a dialect asks.
    fn may_differ(&self) -> bool {
        let schema = self.schema.to_string();
        let by_spelling = ["draft-03", "draft-04"].iter().any(|name| schema.contains(name));
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        self.text.split(|byte| !is_part(byte)).any(|number| {
            let exponent = number.iter().position(|byte| matches!(byte, b'e' | b'E'));
            let is_far = exponent.is_some_and(|at| number.len() - at > 4);
            number.len() > DIGITS
                || is_far
                || (by_spelling && (exponent.is_some() || number.starts_with(b"-0")))
        })
    }
}

fuzz_target!(|input: Input<Checked>| {
    let Input(checked) = input;
    let limits = Limits::default().steps(STEPS).pattern_bytes(PATTERN_BYTES).patterns_bytes(PATTERNS_BYTES);
    let Ok(validator) = Validator::options().limits(limits).build(&checked.schema) else { return };
    let mut scratch = Scratch::new();
    let by_bytes = validator.check_slice_with(&mut scratch, &checked.text);
    let steps = scratch.steps();
    let valid = validator.is_valid_slice_with(&mut scratch, &checked.text);
    assert_eq!(valid.is_ok_and(|valid| valid), by_bytes.is_ok());
    let Ok(value) = serde_json::from_slice::<Value>(&checked.text) else {
        // Only their number range and their depth are less than ours.
        return;
    };
    if checked.may_differ() {
        return;
    }
    let by_value = validator.check_with(&mut scratch, &value);
    match (by_bytes, by_value) {
        (Ok(()), Ok(())) => {}
        (Err(error), Err(refusal)) => {
            assert_eq!(error.kind(), SliceErrorKind::Refused);
            assert_eq!(error.refusal(), Some(&refusal));
        }
        (by_bytes, by_value) => panic!("{by_bytes:?} by bytes, {by_value:?} by value"),
    }
    let reading = 2 + checked.text.len() as u64;
    assert!(steps <= 2 * scratch.steps() + reading, "{steps} steps, {} by value", scratch.steps());
});
