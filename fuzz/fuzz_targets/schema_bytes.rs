//! Hostile schema bytes: a build ends, and what it says is bounded; what it makes checks, prints and weighs.
//!
//! In: bytes of a JSON document. Out: a crash where a build or a check panics, where an error is longer than its
//! bound, or where accept and report disagree.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::{Limits, Refusal, Scratch, UnknownFormats, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::{Value, json};

/// Steps of a check: enough for small instances, few enough for a fuzzer's pace.
const STEPS: u64 = 100_000;

/// What patterns may compile to, one and all: as few.
const PATTERN_BYTES: usize = 1 << 16;
const PATTERNS_BYTES: usize = 1 << 18;

/// The longest error: a location, a keyword, a quoted text and a sentence, with room.
const ERROR_BYTES: usize = 4_096;

/// A schema that may be anything.
struct Built(Value);

impl Case for Built {
    fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().map(Built)
    }
}

impl fmt::Debug for Built {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let schema: Value = serde_json::from_str({:?}).unwrap();", self.0.to_string())?;
        writeln!(f, "let limits = Limits::default().steps({STEPS});")?;
        writeln!(f, "let limits = limits.pattern_bytes({PATTERN_BYTES}).patterns_bytes({PATTERNS_BYTES});")?;
        writeln!(f, "let options = Validator::options().unknown_formats(UnknownFormats::Annotate);")?;
        writeln!(f, "let validator = options.limits(limits).build(&schema).unwrap();")?;
        writeln!(f, "println!(\"{{}}\\n{{}}\", validator.cost(), validator.explain());")?;
        let instances = instances(self.0.clone()).map(|instance| instance.to_string());
        writeln!(f, "for instance in {instances:?} {{")?;
        writeln!(f, "    let instance: Value = serde_json::from_str(instance).unwrap();")?;
        writeln!(
            f,
            "    assert_eq!(validator.is_valid(&instance), validator.check(&instance).is_ok(), \"{{instance}}\");"
        )?;
        writeln!(f, "}}")
    }
}

/// What every schema is tried on; the schema itself is an instance that has the names it speaks of.
fn instances(schema: Value) -> [Value; 6] {
    [schema, json!(null), json!(-1.5), json!("aA1-"), json!([[], {}, "a", 1, 1]), json!({"a": {"a": 1}})]
}

fuzz_target!(|input: Input<Built>| {
    let Input(Built(schema)) = input;
    let limits = Limits::default().steps(STEPS).pattern_bytes(PATTERN_BYTES).patterns_bytes(PATTERNS_BYTES);
    let options = Validator::options().limits(limits).unknown_formats(UnknownFormats::Annotate);
    let validator = match options.build(&schema) {
        Ok(validator) => validator,
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() <= ERROR_BYTES, "{} bytes of error", text.len());
            return;
        }
    };
    assert!(!validator.cost().to_string().is_empty());
    assert!(!validator.explain().to_string().is_empty());
    let mut scratch = Scratch::new();
    for instance in &instances(schema) {
        let valid = validator.is_valid_with(&mut scratch, instance);
        assert!(scratch.steps() <= STEPS);
        let checked = validator.check_with(&mut scratch, instance);
        assert!(scratch.steps() <= 2 * STEPS);
        assert_eq!(valid, checked.is_ok(), "{instance}");
        if let Err(refusal) = checked {
            assert!(serde_json::to_string(&refusal).expect("no key but strings").len() <= Refusal::MAX_BYTES);
            assert!(refusal.total() >= 1 && !refusal.entries().is_empty());
        }
    }
});
