//! Times: accept, refuse, compile, and the attacks of `corpus/adversarial/`.
//!
//! In: the sets of [`values`], and the attacks at the smaller of their sizes. Out: criterion's report, in a few
//! minutes; `cargo bench --bench checks -- --measurement-time 5` and the like choose otherwise. What a refusal costs
//! beside an accept is the bench `refusals`.

// A bench may panic: data that cannot be read ends it; and it prints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]
#![allow(missing_docs, reason = "criterion's macros write functions without")]

#[path = "../tests/adversarial/case.rs"]
mod case;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/adversarial/template.rs"]
mod template;
mod values;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis::Scratch;

use case::Case;
use values::{Pair, pairs_of_set, sets};

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

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

fn refuse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refuse");
    for Pair { name, validator, bad, .. } in sets().iter().flat_map(pairs_of_set) {
        let mut scratch = Scratch::new();
        group.bench_function(&name, |bencher| {
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
