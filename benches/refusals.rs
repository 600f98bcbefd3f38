//! What a refusal costs beside an accept of a value of the same size and shape, in one run.
//!
//! In: the pairs of [`values`], of data sets and of attacks. Out: a table of ratios, in time (least of some rounds,
//! in turns) and in counted steps, and the pairs whose ratio is over [`MOST`].
//!
//! `cargo bench --bench refusals [part of the name of a set or an attack]`

// A bench may panic: data that cannot be read ends it; and it prints.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, dead_code)]

#[path = "../tests/adversarial/case.rs"]
mod case;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/adversarial/template.rs"]
mod template;
mod values;

use std::hint::black_box;
use std::time::{Duration, Instant};

use portcullis::Scratch;

use case::Case;
use values::{Pair, pairs_of_attack, pairs_of_set, sets};

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

/// What a refusal may cost, in accepts.
const MOST: f64 = 4.0;

/// Rounds of each, in turns; fewer where they take longer than [`PATIENCE`] together.
const ROUNDS: u32 = 15;
const PATIENCE: Duration = Duration::from_millis(400);

/// What one round takes at least, so that the clock can tell.
const ROUND: Duration = Duration::from_micros(50);

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let only = arguments.first().map(String::as_str).unwrap_or_default();
    println!("| pair | accept | refuse | ratio of time | ratio of steps |");
    println!("|---|---|---|---|---|");
    let (mut count, mut over) = (0, Vec::new());
    let mut show = |pair: Pair| {
        let costs = measure(&pair);
        let (time, steps) = (costs.time(), costs.steps());
        println!("| {} | {:.1?} | {:.1?} | {time:.2} | {steps:.2} |", pair.name, costs.accept, costs.refuse);
        count += 1;
        if time > MOST || steps > MOST {
            over.push(format!("{}: {time:.2} in time, {steps:.2} in steps", pair.name));
        }
    };
    let sets = sets();
    sets.iter().filter(|set| set.name.contains(only)).flat_map(pairs_of_set).for_each(&mut show);
    let attacks = Case::all();
    // Values nested very deep could not be dropped.
    let attacks = attacks.iter().filter(|case| case.runs_here() && !case.name.starts_with("deep-"));
    attacks.filter(|case| case.name.contains(only)).flat_map(pairs_of_attack).for_each(&mut show);
    println!("\n{} of {count} pairs over {MOST}", over.len());
    over.iter().for_each(|line| println!("{line}"));
}

struct Costs {
    accept: Duration,
    refuse: Duration,
    accept_steps: u64,
    refuse_steps: u64,
}

impl Costs {
    fn time(&self) -> f64 {
        self.refuse.as_secs_f64() / self.accept.as_secs_f64()
    }

    fn steps(&self) -> f64 {
        self.refuse_steps as f64 / self.accept_steps.max(1) as f64
    }
}

fn measure(pair: &Pair) -> Costs {
    let Pair { validator, good, bad, .. } = pair;
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    let (mut accept_steps, mut refuse_steps) = (0, 0);
    for value in good {
        assert!(validator.is_valid_with(&mut scratch, value), "{}", pair.name);
        accept_steps += scratch.steps();
    }
    for value in bad {
        assert!(validator.check_with(&mut other, value).is_err(), "{}", pair.name);
        refuse_steps += other.steps();
    }
    let mut accept = || {
        black_box(good.iter().filter(|value| validator.is_valid_with(&mut scratch, value)).count());
    };
    let mut refuse = || {
        black_box(bad.iter().filter(|value| validator.check_with(&mut other, value).is_err()).count());
    };
    let (accepts, refuses) = (repeats(&mut accept), repeats(&mut refuse));
    let mut least = (Duration::MAX, Duration::MAX);
    let start = Instant::now();
    for _ in 0..ROUNDS {
        least.0 = least.0.min(round(accepts, &mut accept));
        least.1 = least.1.min(round(refuses, &mut refuse));
        if start.elapsed() > PATIENCE {
            break;
        }
    }
    Costs { accept: least.0, refuse: least.1, accept_steps, refuse_steps }
}

/// How often to run something in a round.
fn repeats(run: &mut impl FnMut()) -> u32 {
    let once = round(1, run).max(Duration::from_nanos(1));
    u32::try_from(ROUND.as_nanos() / once.as_nanos()).unwrap_or(u32::MAX).max(1)
}

/// The time of one run, from as many.
fn round(repeats: u32, run: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..repeats).for_each(|_| run());
    start.elapsed() / repeats
}
