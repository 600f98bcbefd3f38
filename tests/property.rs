//! Random schemas and instances hold the engine to the naive twin.
//!
//! In: schemas over few names and small values, so that keywords meet what they ask about; each with some
//! instances. Out: a failure, shrunk, wherever a door of the engine answers otherwise than the twin: verdict,
//! places, their order, their keywords, the total. The seed is fixed; `PROPTEST_RNG_SEED` and `PROPTEST_CASES`
//! choose others.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod generator;
mod twin;

use std::cell::Cell;
use std::io::Write as _;

use portcullis::{Rewrite, Validator};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use twin::{Draft, Twin, agree};

/// Schemas tried for a dialect: some seconds for all of them.
const SCHEMAS: u32 = 2_500;

/// Of so many schemas or instances, one may be skipped: what the build refuses, or the twin gives up.
const ONE_SKIPPED_OF: usize = 50;

fn hold(draft: Draft) {
    let given = |name: &str| std::env::var_os(name).is_some();
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if !given("PROPTEST_CASES") {
        config.cases = SCHEMAS;
    }
    if !given("PROPTEST_RNG_SEED") {
        config.rng_seed = RngSeed::Fixed(0x70_6f_72_74);
    }
    let (tried, valid, skipped) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<usize>| counter.set(counter.get() + 1);
    let result = TestRunner::new(config).run(&generator::case(draft), |(schema, instances)| {
        let Ok(validator) = Validator::options().dialect(draft.dialect()).build(&schema) else {
            count(&skipped);
            return Ok(());
        };
        let without: Vec<(Rewrite, Validator)> = Rewrite::ALL
            .into_iter()
            .map(|rewrite| {
                let options = Validator::options().dialect(draft.dialect()).without_rewrite(rewrite);
                (rewrite, options.build(&schema).expect("rewrites decide nothing"))
            })
            .collect();
        let twin = Twin::new(draft, &schema, &[]);
        for instance in &instances {
            count(&tried);
            let Ok(answer) = twin.answer(instance) else {
                count(&skipped);
                continue;
            };
            if answer.is_valid() {
                count(&valid);
            }
            let mut differences = agree::differences(&validator, instance, &answer);
            for (rewrite, validator) in &without {
                if validator.is_valid(instance) != answer.is_valid() {
                    differences.push(format!("is_valid, without {rewrite:?}: {}", !answer.is_valid()));
                }
            }
            if !differences.is_empty() {
                let differences = differences.join("\n  ");
                return Err(TestCaseError::fail(format!("\n{schema}\n{instance}\n  {differences}")));
            }
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (tried, valid, skipped) = (tried.get(), valid.get(), skipped.get());
    say(&format!(
        "{draft:?}: {tried} instances as the twin says, {valid} of them valid; {skipped} skipped\n"
    ));
    assert!(skipped * ONE_SKIPPED_OF <= tried, "{skipped} skipped of {tried}");
    // A generator whose instances all pass, or all fail, would prove little.
    assert!(valid * 10 > tried && valid * 10 < tried * 9, "{valid} valid of {tried}");
}

/// Writes past the test harness, which swallows what a passing test prints.
fn say(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

#[test]
fn draft_3_is_as_the_twin_says() {
    hold(Draft::Draft3);
}

#[test]
fn draft_4_is_as_the_twin_says() {
    hold(Draft::Draft4);
}

#[test]
fn draft_6_is_as_the_twin_says() {
    hold(Draft::Draft6);
}

#[test]
fn draft_7_is_as_the_twin_says() {
    hold(Draft::Draft7);
}

#[test]
fn draft_2019_09_is_as_the_twin_says() {
    hold(Draft::Draft201909);
}

#[test]
fn draft_2020_12_is_as_the_twin_says() {
    hold(Draft::Draft202012);
}

#[test]
fn v1_is_as_the_twin_says() {
    hold(Draft::V1);
}
