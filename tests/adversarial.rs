//! No input makes a check slow or big: every case of `corpus/adversarial/` is held to its line by counters.
//!
//! In: the corpus. Out: a failure wherever doubling a case's size more than 2.2-folds the steps of an accept or of
//! a check, wherever steps, peak memory, allocations or the answer's size pass what the case states, or verdict
//! and total are not the case's. Time is no judge here, but work that steps do not count would show as time per
//! step: the slowest are printed.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "adversarial/case.rs"]
mod case;
#[path = "adversarial/template.rs"]
mod template;

use std::time::{Duration, Instant};

use allocation_counter::measure;
use portcullis::limits::BACKTRACK_STEPS;
use portcullis::{Limits, Refusal, Scratch, Validator};
use serde_json::{Value, json};

use case::Case;

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

/// What any refusal may hold at its peak: ten paths and their problems.
const FLAT: u64 = 64 << 10;

/// Steps that any check may take, besides those for each unit.
const CONSTANT_STEPS: u64 = 1_000;

/// Explodes on [`bomb`], which no regular pattern tells from a match.
const BOMB: &str = r"^(a+)+b\1c$";

/// What the group read comes again, but for a letter too many.
fn bomb(letters: usize) -> String {
    format!("{}b{}c", "a".repeat(letters), "a".repeat(letters + 1))
}

/// What one size of a case cost.
struct Cost {
    accept: u64,
    check: u64,
    time: Duration,
}

/// Takes a value apart, however deep.
fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, member)| member)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// Runs a case at one size; what is wrong goes into `faults`.
fn run(case: &Case, size: u64, faults: &mut Vec<String>) -> Cost {
    let mut expect = |holds: bool, what: String| {
        if !holds {
            faults.push(format!("{} at {size}: {what}", case.name));
        }
    };
    let validator = case.validator(size);
    let instance = case.instance(size);
    if let Some(accepted) = case.accepted(size).filter(|accepted| !accepted.is_null()) {
        expect(validator.is_valid(&accepted), "what is said to be accepted is not".to_owned());
    }
    let mut scratch = Scratch::new();
    let valid = validator.is_valid_with(&mut scratch, &instance);
    expect(valid == case.valid(), format!("valid is {valid}"));
    let accept = scratch.steps();

    // The scratch is new and the pattern's caches are warm.
    let mut scratch = Scratch::new();
    let mut refusal = None;
    let mut time = Duration::ZERO;
    let memory = measure(|| {
        let start = Instant::now();
        refusal = validator.check_with(&mut scratch, &instance).err();
        time = start.elapsed();
    });
    let check = scratch.steps();
    expect(refusal.is_none() == case.valid(), "check and is_valid differ".to_owned());
    let total = refusal.as_ref().map_or(0, Refusal::total);
    if let Some(refusal) = &refusal {
        let json = serde_json::to_string(refusal).unwrap();
        expect(json.len() <= Refusal::MAX_BYTES, format!("{} bytes of answer", json.len()));
        expect(refusal.is_complete() == case.complete(), format!("complete is {}", refusal.is_complete()));
        if case.complete() {
            expect(total == case.total(size), format!("{total} failing places"));
        }
    }
    let most = case.steps(size) + CONSTANT_STEPS;
    expect(check <= most, format!("{check} steps ({accept} to accept), of {most}"));
    let most =
        FLAT + case.bytes_of_schema() + case.bytes_a_place() * total as u64 + case.bytes_a_unit() * size;
    expect(memory.bytes_max <= most, format!("{} bytes at the peak, of {most}", memory.bytes_max));
    let most = case.allocations();
    expect(memory.count_total <= most, format!("{} allocations, of {most}", memory.count_total));
    let warm = measure(|| {
        let _ = validator.is_valid_with(&mut scratch, &instance);
    });
    expect(
        warm.count_total <= case.warm_allocations(),
        format!("{} allocations in a warm accept", warm.count_total),
    );
    dismantle(instance);
    Cost { accept, check, time }
}

/// A schema's check of a value, with limits: its refusal, and its steps.
fn refuse(schema: &Value, value: &Value, limits: Limits) -> (Refusal, u64) {
    let validator = Validator::options().limits(limits).build(schema).unwrap();
    let mut scratch = Scratch::new();
    assert!(!validator.is_valid_with(&mut scratch, value), "{schema}");
    let refusal = validator.check_with(&mut scratch, value).unwrap_err();
    (refusal, scratch.steps())
}

fn nested(depth: usize, inner: Value) -> Value {
    (0..depth).fold(inner, |inner, _| json!([inner]))
}

#[test]
fn a_hundred_levels_of_what_others_double_at_end_in_few_steps() {
    const DEPTH: usize = 100;
    /// Under a millisecond of work.
    const STEPS: u64 = 10_000;
    let rung = |keyword: &str, level: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        json!({keyword: [next, next]})
    };
    let ladder = |keyword: &str| {
        let mut rungs: serde_json::Map<String, Value> =
            (0..DEPTH).map(|level| (level.to_string(), rung(keyword, level))).collect();
        rungs.insert(DEPTH.to_string(), json!({"type": "integer"}));
        json!({"$defs": rungs, "$ref": "#/$defs/0"})
    };
    let below = json!({"$ref": "#"});
    let recursive = json!({"oneOf": [{"type": "integer"}, {"type": "array", "items": below}]});
    let arms = json!({"anyOf": [{"type": "integer"}, {"type": "array", "items": below},
        {"type": "array", "items": below, "maxItems": 1}]});
    for (schema, value) in [
        (recursive, nested(DEPTH, json!("x"))),
        (arms.clone(), nested(DEPTH, json!("x"))),
        (json!({"oneOf": arms["anyOf"]}), nested(DEPTH, json!("x"))),
        (ladder("anyOf"), json!("x")),
        (ladder("allOf"), json!("x")),
        (ladder("oneOf"), json!("x")),
    ] {
        let limits = Limits::default().depth(512);
        let validator = Validator::options().limits(limits.clone()).build(&schema).unwrap();
        let memory = measure(|| drop(validator.check(&value)));
        assert!(memory.bytes_max <= FLAT, "{schema}: {} bytes", memory.bytes_max);
        let (refusal, steps) = refuse(&schema, &value, limits);
        assert!(refusal.is_complete() && steps <= STEPS, "{schema}: {steps} steps");
    }
}

#[test]
fn ten_thousand_strings_against_a_bomb_are_refused_for_the_price_of_a_few() {
    let schema = json!({"items": {"pattern": BOMB}});
    let value = Value::Array(vec![json!(bomb(40)); 10_000]);
    let (refusal, steps) = refuse(&schema, &value, Limits::default().steps(300_000));
    assert!(!refusal.is_complete() && refusal.total() >= 1);
    assert_eq!(refusal.entries()[0].problems()[0].text(), "value could not be checked against pattern");
    assert!(steps <= 600_000, "{steps}");
    // Of the steps that a check may take, all such strings together get a share.
    let (refusal, steps) = refuse(&schema, &value, Limits::default());
    assert!(!refusal.is_complete() && refusal.total() == 10_000);
    assert!(steps <= 2 * (BACKTRACK_STEPS + 1_000_000), "{steps}");
    // What lacks a letter that the pattern asks for is told at once, and completely.
    let schema = json!({"items": {"pattern": r"^(a*)*\1b$"}});
    let value = Value::Array(vec![json!("a".repeat(40)); 10_000]);
    let (refusal, steps) = refuse(&schema, &value, Limits::default());
    assert!(refusal.is_complete() && refusal.total() == 10_000);
    assert!(steps <= BACKTRACK_STEPS, "{steps}");
    // The near miss: one string takes what it takes, and passes with it.
    let schema = json!({"not": {"pattern": BOMB}});
    let value = json!(bomb(12));
    let passes = |steps| {
        let limits = Limits::default().backtrack_steps(steps);
        let mut scratch = Scratch::new();
        let validator = Validator::options().limits(limits).build(&schema).unwrap();
        (validator.is_valid_with(&mut scratch, &value), scratch.steps())
    };
    let (passed, steps) = passes(BACKTRACK_STEPS);
    assert!(passed && passes(steps).0 && !passes(steps / 2).0, "{steps}");
}

#[test]
fn any_limit_on_steps_is_kept_and_told() {
    for case in Case::all().iter().filter(|case| case.runs_here()) {
        let [size, _] = case.sizes();
        let (schema, instance) = (case.schema(size), case.instance(size));
        for limit in [0, 1, 7, 50, 1_000] {
            let limits = Limits::default().depth(512).steps(limit);
            let validator = Validator::options().limits(limits).build(&schema).unwrap();
            let mut scratch = Scratch::new();
            let start = Instant::now();
            let checked = validator.check_with(&mut scratch, &instance);
            assert!(scratch.steps() <= 2 * limit, "{}: {} steps of {limit}", case.name, scratch.steps());
            match checked {
                Ok(()) => assert!(case.valid(), "{}: passed within {limit}", case.name),
                // What is refused within the limit is refused without one; what is not known is refused too.
                Err(refusal) => {
                    let (total, complete) = (refusal.total(), refusal.is_complete());
                    assert!(total >= 1 && (complete || !refusal.entries().is_empty()), "{}", case.name);
                    assert!(!complete || !case.valid(), "{}: within {limit} {refusal}", case.name);
                    // What is told to be complete is what the case tells.
                    assert!(!complete || total == case.total(size), "{}: {total} within {limit}", case.name);
                }
            }
            // A thousand steps are some microseconds; a scan of the whole instance would be many milliseconds.
            assert!(start.elapsed() < Duration::from_millis(500), "{}: {:?}", case.name, start.elapsed());
        }
        dismantle(instance);
    }
}

#[test]
fn what_hangs_on_an_unknown_is_refused_and_nothing_else_is() {
    // A string too long to be tried: whether it matches is not known.
    let unknown = json!({"pattern": BOMB});
    let long = json!(bomb(2_500));
    let matching = "abac";
    let in_object = json!({"properties": {"a": unknown}, "required": ["a"]});
    let object = json!({"a": long});
    for (schema, value, valid) in [
        (unknown.clone(), long.clone(), false),
        (json!({"not": unknown}), long.clone(), false),
        (json!({"not": {"not": unknown}}), long.clone(), false),
        (json!({"anyOf": [unknown, {"type": "string"}]}), long.clone(), true),
        (json!({"anyOf": [unknown, {"type": "integer"}]}), long.clone(), false),
        (json!({"oneOf": [unknown, {"type": "string"}]}), long.clone(), false),
        (json!({"oneOf": [unknown, {"type": "integer"}]}), long.clone(), false),
        (json!({"allOf": [unknown, {"type": "string"}]}), long.clone(), false),
        (json!({"if": unknown, "then": true, "else": true}), long.clone(), true),
        (json!({"if": unknown, "then": {"type": "string"}, "else": {"minLength": 1}}), long.clone(), true),
        (json!({"if": unknown, "then": true, "else": false}), long.clone(), false),
        (json!({"if": unknown, "then": false}), long.clone(), false),
        (json!({"contains": unknown}), json!([long]), false),
        (json!({"contains": unknown}), json!([long, "ab"]), false),
        (json!({"contains": unknown}), json!([long, matching]), true),
        (json!({"contains": unknown, "minContains": 0}), json!([long]), true),
        (json!({"contains": unknown, "maxContains": 1}), json!([long, matching]), false),
        (json!({"contains": unknown, "maxContains": 2}), json!([long, matching]), true),
        (json!({"dependentSchemas": {"a": in_object}}), object.clone(), false),
        (json!({"dependentSchemas": {"b": in_object}}), object.clone(), true),
        (json!({"propertyNames": unknown}), json!({bomb(2_500): 1}), false),
        (json!({"patternProperties": {BOMB: true}}), json!({bomb(2_500): 1}), false),
        (
            json!({"anyOf": [in_object, {"required": ["b"]}], "unevaluatedProperties": false}),
            object.clone(),
            false,
        ),
        (
            json!({"anyOf": [in_object, {"properties": {"a": true}}], "unevaluatedProperties": false}),
            object,
            true,
        ),
    ] {
        let validator = Validator::new(&schema).unwrap();
        assert_eq!(validator.is_valid(&value), valid, "{schema}");
        assert_eq!(validator.check(&value).is_ok(), valid, "{schema}");
        if let Err(refusal) = validator.check(&value) {
            let texts = refusal.entries().iter().flat_map(|entry| entry.problems());
            assert!(
                texts.into_iter().any(|problem| problem.text().contains("could not be checked")),
                "{schema}"
            );
        }
    }
}

#[test]
fn every_case_stays_on_its_line() {
    let mut faults = Vec::new();
    let mut pace = Vec::new();
    let only = std::env::var("CASE").unwrap_or_default();
    let cases = Case::all();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    for case in cases.iter().filter(|case| case.runs_here() && case.name.contains(&only)) {
        let [once, twice] = case.sizes().map(|size| run(case, size, &mut faults));
        for (door, one, two) in [("accept", once.accept, twice.accept), ("check", once.check, twice.check)] {
            if two * 10 > one * 22 + 10 * CONSTANT_STEPS {
                faults.push(format!("{}: {door} takes {one} steps, and {two} for the double", case.name));
            }
        }
        pace.push((twice.time.as_nanos() as u64 / twice.check.max(1), &case.name, twice));
    }
    print_slowest(pace);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Time a step is a matter of the machine; one case that stands out from the others does work that nobody counts.
fn print_slowest(mut pace: Vec<(u64, &String, Cost)>) {
    /// In less time, what is done once a check prevails.
    const SHORT: Duration = Duration::from_micros(300);
    pace.retain(|(_, _, cost)| cost.time >= SHORT);
    pace.sort_by_key(|(nanoseconds, _, _)| *nanoseconds);
    let median = pace.get(pace.len() / 2).map_or(0, |(nanoseconds, _, _)| *nanoseconds);
    println!("nanoseconds a step: {median} in the middle, and at most");
    for (nanoseconds, name, cost) in pace.iter().rev().take(40) {
        println!("{nanoseconds:>6} {name}: {} steps in {:?}", cost.check, cost.time);
    }
}

#[test]
fn each_operator_of_a_template_builds_what_its_row_says() {
    for (template, expected) in [
        (json!({"=number": "n*2+1"}), json!(7)),
        (json!({"=literal": {"=join": ["1", {"=number": "n"}]}}), json!(13)),
        (json!({"=pad": ["n", 4]}), json!("0003")),
        (json!({"=text": ["ab", "n-1"]}), json!("abab")),
        (json!({"=array": ["n", {"=number": "i"}]}), json!([0, 1, 2])),
        (json!({"=arrays": [[1], {"=array": [2, "x"]}]}), json!([1, "x", "x"])),
        (json!({"=object": [2, {"=join": ["k", {"=number": "i"}]}, null]}), json!({"k0": null, "k1": null})),
        (json!({"=objects": [{"a": 1}, {"b": 2}]}), json!({"a": 1, "b": 2})),
        (json!({"=nest": ["n", [{"=hole": 0}], "x"]}), json!([[["x"]]])),
        (json!({"=array": [2, {"=array": [1, {"=number": "j*10+i"}]}]}), json!([[0], [10]])),
        (json!({"two": 1, "=number": 2}), json!({"two": 1, "=number": 2})),
    ] {
        assert_eq!(template::build(&template, 3), expected, "{template}");
    }
}
