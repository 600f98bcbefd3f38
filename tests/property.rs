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
#[path = "generator/wide.rs"]
mod wide;

use std::cell::Cell;
use std::io::Write as _;

use portcullis::{Rewrite, Validator};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use serde_json::{Map, Value, json};

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
            none(&differences, &schema, instance)?;
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

/// Many values in one, of which more fail than are listed: their places have to be counted, and those listed are to be
/// the first, whatever the walk leaves out behind them.
fn hold_many(draft: Draft) {
    const ONE: &str = "urn:portcullis:one";
    const SCHEMAS: u32 = 600;
    const VALUES: usize = 40;
    let mut config = Config { failure_persistence: None, cases: SCHEMAS, ..Config::default() };
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x6d_61_6e_79);
    }
    let (tried, long) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new(config).run(&generator::case(draft), |(schema, instances)| {
        let around = json!({"items": {"$ref": ONE}, "additionalProperties": {"$ref": ONE}});
        let options = Validator::options().dialect(draft.dialect()).resource(ONE, schema.clone());
        let Ok(validator) = options.build(&around) else { return Ok(()) };
        let resources = [(ONE.to_owned(), schema)];
        let twin = Twin::new(draft, &around, &resources);
        let values = || instances.iter().cycle().take(VALUES).cloned();
        // Numbers, names, and numbers with zeros before them, in another order than that of paths.
        let keys = (0..VALUES).map(|index| match index % 3 {
            0 => format!("{}", index * 7 % 50),
            1 => format!("k{}", index * 11 % 50),
            _ => format!("{:03}", index * 13 % 50),
        });
        let array: Value = values().collect();
        let object: Value = keys.zip(values()).collect::<Map<_, _>>().into();
        for instance in [json!([array, object]), array, object] {
            let Ok(answer) = twin.answer(&instance) else { continue };
            tried.set(tried.get() + 1);
            long.set(long.get() + usize::from(answer.total > answer.listed().len()));
            let differences = agree::differences(&validator, &instance, &answer);
            if !differences.is_empty() {
                let (schema, differences) = (&resources[0].1, differences.join("\n  "));
                return Err(TestCaseError::fail(format!("\n{schema}\n{instance}\n  {differences}")));
            }
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (tried, long) = (tried.get(), long.get());
    say(&format!("{draft:?}: {tried} large instances, {long} of them with more places than are listed\n"));
    assert!(tried > 600 && long * 4 > tried, "{long} of {tried}");
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

/// Fails where there are differences, and names the case.
fn none(differences: &[String], schema: &Value, instance: &Value) -> Result<(), TestCaseError> {
    if differences.is_empty() {
        return Ok(());
    }
    let differences = differences.join("\n  ");
    Err(TestCaseError::fail(format!("\n{schema}\n{instance}\n  {differences}")))
}

#[test]
fn draft_2020_12_is_as_the_twin_says() {
    hold(Draft::Draft202012);
}

#[test]
fn many_values_are_as_the_twin_says() {
    hold_many(Draft::Draft4);
    hold_many(Draft::Draft202012);
}

/// What many branches refuse is counted together behind the ten places that are listed.
#[test]
fn wide_unions_are_as_the_twin_says() {
    const SCHEMAS: u32 = 2_000;
    let rng_seed = RngSeed::Fixed(0x77_69_64_65);
    let config = Config { failure_persistence: None, cases: SCHEMAS, rng_seed, ..Config::default() };
    let long = Cell::new(0);
    let result = TestRunner::new(config).run(&wide::case(), |(schema, instances)| {
        // A branch may lead to itself in place.
        let Ok(validator) = Validator::new(&schema) else { return Ok(()) };
        let twin = Twin::new(Draft::Draft202012, &schema, &[]);
        for instance in &instances {
            let Ok(answer) = twin.answer(instance) else { continue };
            long.set(long.get() + u32::from(answer.total > answer.listed().len()));
            let differences = agree::differences(&validator, instance, &answer);
            none(&differences, &schema, instance)?;
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(long.get() > SCHEMAS / 2, "{} with more places than are listed", long.get());
}

#[test]
fn v1_is_as_the_twin_says() {
    hold(Draft::V1);
}
