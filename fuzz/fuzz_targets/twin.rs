//! Schemas and instances by the property tests' own strategies, chosen by the fuzzer: the engine answers as the naive
//! twin does, in a number of steps that program and instance bound.
//!
//! In: bytes that stand for the random choices of `tests/generator`. Out: a crash that prints schema and instance.

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/generator/mod.rs"]
mod generator;
#[path = "../../tests/twin/mod.rs"]
mod twin;

use libfuzzer_sys::fuzz_target;
use portcullis::{Dialect, Scratch, Validator};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;
use twin::{Draft, Twin, agree};

/// Steps for an instruction on a value, in both walks of a check together: the instruction, the node, what it
/// reports, and one more of each where a verdict is asked for twice.
const STEPS: u64 = 32;

fn size(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(|member| 1 + size(member)).sum::<u64>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, choices)) = bytes.split_first() else { return };
    let (dialect, draft) = match first % 4 {
        0 => (Dialect::Draft7, Draft::Draft7),
        _ => (Dialect::Draft202012, Draft::Draft202012),
    };
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, choices);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let Ok(tree) = generator::case(draft).new_tree(&mut runner) else { return };
    let (schema, instances) = tree.current();
    let Ok(validator) = Validator::options().dialect(dialect).build(&schema) else { return };
    let twin = Twin::new(draft, &schema, &[]);
    let cost = validator.cost();
    let program = (cost.instructions() + cost.nodes() + cost.pattern_states()) as u64;
    let mut scratch = Scratch::new();
    for instance in &instances {
        let _ = validator.check_with(&mut scratch, instance);
        let most = STEPS * program * size(instance);
        assert!(scratch.steps() <= most, "{} steps of {most}\n{schema}\n{instance}", scratch.steps());
        let Ok(answer) = twin.answer(instance) else { continue };
        let differences = agree::differences(&validator, instance, &answer);
        assert!(differences.is_empty(), "\n{schema}\n{instance}\n{}", differences.join("\n"));
    }
});
