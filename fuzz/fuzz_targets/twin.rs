//! Schemas of every dialect and instances, chosen by the fuzzer: the engine answers as the naive twin does, in a
//! number of steps that program and instance bound.
//!
//! In: bytes that choose among the property tests' and the corpus' cases and graft them on one another ([`recipe`]).
//! Out: a crash that prints schema and instance. The address sanitizer remembers every stack that allocates, and the
//! generator's are many: it takes 50 KB more for each input. Long runs want `cargo fuzz run -s none`.

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/generator/mod.rs"]
mod generator;
mod recipe;
#[path = "../../tests/twin/mod.rs"]
mod twin;

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::{Scratch, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::Value;
use twin::{Draft, Twin, agree};

/// Steps for an instruction on a value, in both walks of a check together: the instruction, the node, what it
/// reports, and one more of each where a verdict is asked for twice.
const STEPS: u64 = 32;

/// Steps for an instruction in a whole check, whatever the instance: its texts at ten places, and an automaton that is
/// made.
const ONCE: u64 = 2_000;

/// A schema with what is tried on it.
struct Tried {
    draft: Draft,
    schema: Value,
    instances: Vec<Value>,
}

impl Case for Tried {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (draft, schema, instances) = recipe::make(bytes)?;
        Some(Tried { draft, schema, instances })
    }
}

impl fmt::Debug for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let schema = serde_json::from_str({:?}).unwrap();", self.schema.to_string())?;
        writeln!(
            f,
            "let options = Validator::options().dialect(Draft::{:?}.dialect()).assert_format(false);",
            self.draft
        )?;
        writeln!(f, "let validator = options.build(&schema).unwrap();")?;
        writeln!(f, "let twin = Twin::new(Draft::{:?}, &schema, &[]);", self.draft)?;
        let instances: Vec<String> = self.instances.iter().map(Value::to_string).collect();
        writeln!(f, "for instance in {instances:?} {{")?;
        writeln!(f, "    let instance = serde_json::from_str(instance).unwrap();")?;
        writeln!(f, "    let answer = twin.answer(&instance).unwrap();")?;
        writeln!(
            f,
            "    assert_eq!(agree::differences(&validator, &instance, &answer), Vec::<String>::new());"
        )?;
        writeln!(f, "}}")
    }
}

/// Values and bytes.
fn size(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => {
            1 + members.iter().map(|(name, member)| 1 + name.len() as u64 + size(member)).sum::<u64>()
        }
        Value::String(text) => 1 + text.len() as u64,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

fuzz_target!(|input: Input<Tried>| {
    let Input(Tried { draft, schema, instances }) = input;
    let options = Validator::options().dialect(draft.dialect()).assert_format(false);
    let Ok(validator) = options.build(&schema) else { return };
    let twin = Twin::new(draft, &schema, &[]);
    let cost = validator.cost();
    let program = (cost.instructions() + cost.nodes() + cost.pattern_states()) as u64;
    let mut scratch = Scratch::new();
    for instance in &instances {
        let _ = validator.check_with(&mut scratch, instance);
        let most = program * (ONCE + STEPS * size(instance));
        assert!(scratch.steps() <= most, "{} steps of {most}\n{schema}\n{instance}", scratch.steps());
        let Ok(answer) = twin.answer(instance) else { continue };
        let differences = agree::differences(&validator, instance, &answer);
        assert!(differences.is_empty(), "\n{draft:?}\n{schema}\n{instance}\n{}", differences.join("\n"));
    }
});
