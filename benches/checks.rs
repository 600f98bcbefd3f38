//! Times: accept, refuse, compile, and the attacks of `corpus/adversarial/`.
//!
//! In: real data sets and tool calls from `../shared` (or `PORTCULLIS_SHARED`) where they are, else the corpus. Out:
//! criterion's report. `refuse` first prints, for each set, what a refusal costs beside an accept of a value of the
//! same size and shape, and the largest such ratio. Quick by default; `cargo bench -- --measurement-time 5` and the
//! like choose otherwise.

// A bench may panic: data that cannot be read ends it; and it prints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, dead_code)]
#![allow(missing_docs, reason = "criterion's macros write functions without")]

#[path = "../tests/adversarial/case.rs"]
mod case;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/adversarial/template.rs"]
mod template;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis::{Scratch, UnknownFormats, Validator};
use serde_json::{Value, json};

use case::Case;

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

/// Instances of a data set that a round runs through.
const INSTANCES: usize = 200;

/// A schema with values that pass.
struct Set {
    name: String,
    schema: Value,
    instances: Vec<Value>,
}

impl Set {
    fn validator(&self) -> Validator {
        let options = Validator::options().assert_format(false).unknown_formats(UnknownFormats::Annotate);
        options.build(&self.schema).unwrap()
    }
}

fn sets() -> Vec<Set> {
    let Some(shared) = common::shared() else {
        return corpus_sets();
    };
    let mut sets: Vec<Set> = common::folders(&shared.join("datasets"))
        .into_iter()
        .map(|folder| {
            let mut instances = common::json_lines(&folder.join("instances.jsonl"));
            instances.truncate(INSTANCES);
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            Set { name, schema: common::json(&folder.join("schema.json")), instances }
        })
        .collect();
    let calls = common::json_lines(&shared.join("tools/calls.jsonl"));
    let longest = calls.iter().max_by_key(|call| call["arguments"].to_string().len()).unwrap();
    sets.push(Set {
        name: "the longest tool call".to_owned(),
        schema: longest["inputSchema"].clone(),
        instances: vec![longest["arguments"].clone()],
    });
    sets
}

/// The cases of the corpus whose instances pass, a set a keyword.
fn corpus_sets() -> Vec<Set> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/cli");
    vec![Set {
        name: "a person".to_owned(),
        schema: common::json(&folder.join("person.json")),
        instances: vec![common::json(&folder.join("good.json"))],
    }]
}

fn quick() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .nresamples(1_000)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
        .configure_from_args()
}

fn accept(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("accept");
    for set in sets() {
        let validator = set.validator();
        let mut scratch = Scratch::new();
        group.bench_function(&set.name, |bencher| {
            bencher.iter(|| {
                set.instances.iter().filter(|value| validator.is_valid_with(&mut scratch, value)).count()
            });
        });
    }
    group.finish();
}

/// The same value with its last scalar made something that few schemas allow.
fn spoiled(value: &Value) -> Value {
    fn last(value: &mut Value) -> &mut Value {
        let inner = match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        };
        if !inner {
            return value;
        }
        match value {
            Value::Array(items) => last(items.last_mut().unwrap()),
            Value::Object(members) => last(members.values_mut().last().unwrap()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                unreachable!("no container")
            }
        }
    }
    let mut value = value.clone();
    *last(&mut value) = json!([[{"": -0.5}]]);
    value
}

/// Values that pass, and values of the same size and shape that do not.
fn pairs() -> Vec<(Set, Vec<Value>)> {
    let mut pairs = Vec::new();
    for mut set in sets() {
        let validator = set.validator();
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for value in &set.instances {
            let spoiled = spoiled(value);
            if !validator.is_valid(&spoiled) {
                good.push(value.clone());
                bad.push(spoiled);
            }
        }
        if !bad.is_empty() {
            set.instances = good;
            pairs.push((set, bad));
        }
    }
    const WIDE: usize = 10_000;
    let many = |item: Value| Value::Array(vec![item; WIDE]);
    for (name, schema, good, bad) in [
        ("10,000 items", json!({"items": {"type": "integer"}}), json!(1), json!("x")),
        (
            "10,000 items of a union",
            json!({"items": {"anyOf": [{"type": "integer"}, {"maxLength": 1}]}}),
            json!("x"),
            json!("xx"),
        ),
        (
            "10,000 objects",
            json!({"items": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}),
            json!({"a": 1}),
            json!({"a": "x"}),
        ),
    ] {
        let set = Set { name: name.to_owned(), schema, instances: vec![many(good)] };
        pairs.push((set, vec![many(bad)]));
    }
    pairs
}

/// The least time of a few rounds.
fn least(mut round: impl FnMut()) -> Duration {
    (0..10)
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed()
        })
        .min()
        .unwrap()
}

fn refuse(criterion: &mut Criterion) {
    let pairs = pairs();
    println!("a refusal's time as a multiple of an accept's, least of ten rounds:");
    let mut largest: f64 = 0.0;
    for (set, bad) in &pairs {
        let validator = set.validator();
        let mut scratch = Scratch::new();
        let accept = least(|| {
            black_box(set.instances.iter().all(|value| validator.is_valid_with(&mut scratch, value)));
        });
        let refuse = least(|| {
            black_box(bad.iter().all(|value| validator.check_with(&mut scratch, value).is_err()));
        });
        let ratio = refuse.as_secs_f64() / accept.as_secs_f64();
        largest = largest.max(ratio);
        println!("{ratio:>8.2} {} ({} values, accepted in {accept:?})", set.name, bad.len());
    }
    println!("{largest:>8.2} at most");
    let mut group = criterion.benchmark_group("refuse");
    for (set, bad) in &pairs {
        let validator = set.validator();
        let mut scratch = Scratch::new();
        group.bench_function(&set.name, |bencher| {
            bencher.iter(|| {
                bad.iter().filter(|value| validator.check_with(&mut scratch, value).is_err()).count()
            });
        });
    }
    group.finish();
}

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    for set in sets() {
        group.bench_function(&set.name, |bencher| bencher.iter(|| set.validator()));
    }
    group.finish();
}

fn adversarial(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("adversarial");
    // Values nested very deep could not be dropped.
    for case in Case::all().iter().filter(|case| case.runs_here() && !case.name.starts_with("deep-")) {
        let [size, _] = case.sizes();
        let (validator, instance) = (case.validator(size), case.instance(size));
        let mut scratch = Scratch::new();
        group.bench_function(&case.name, |bencher| {
            bencher.iter(|| validator.check_with(&mut scratch, &instance).is_ok());
        });
    }
    group.finish();
}

criterion_group! { name = checks; config = quick(); targets = accept, refuse, compile, adversarial }
criterion_main!(checks);
