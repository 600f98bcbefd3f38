//! What a refusal costs beside an accept of a value of the same size and shape, in one run.
//!
//! In: the pairs of [`values`], of data sets and of attacks. Out: a table of ratios, in time (least of some rounds,
//! in turns) and in counted steps, and the pairs whose ratio is over [`MOST`].
//!
//! What is compared:
//!
//! - A refused value differs from an accepted one in its scalars alone. Where that makes the accept stop at its first item,
//!   the case itself names a value whose deciding place comes last (`accepted` in `corpus/adversarial`).
//! - A refusal spells out up to ten places, which takes a few microseconds whatever the value. A value that is accepted in
//!   less would be compared with those words, so it stands in the table twice: by itself, marked *alone* and summed up in a
//!   line of its own, and in an array of as many as take [`MANY`] steps to accept, which is what the ratio is judged by. Of
//!   such an array either the last value fails, or each. What such a refusal alone takes beyond [`MOST`] accepts are its
//!   words, whose number is bounded: the most of them is printed.
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
use values::{Pair, has_pairs, pairs_of_attack, pairs_of_set, sets};

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

/// What a refusal may cost, in accepts.
const MOST: f64 = 4.0;

/// A value that is accepted in fewer steps is put into an array: in as many items that their kind tells, a refusal could
/// not spell out ten places.
const FEW: u64 = 20_000;

/// The steps that such an array takes to accept, or more: a tenth of a millisecond where a step is an item that its kind
/// tells.
const MANY: u64 = 100_000;

/// Rounds of each, in turns; fewer where they take longer than [`PATIENCE`] together.
const ROUNDS: u32 = 15;
const PATIENCE: Duration = Duration::from_millis(400);

/// What one round takes at least, so that the clock can tell.
const ROUND: Duration = Duration::from_micros(50);

/// The pairs shown, and those over [`MOST`].
#[derive(Default)]
struct Shown {
    count: usize,
    over: Vec<String>,
    /// The most that one refusal took beyond [`MOST`] accepts, and whose.
    beyond: Option<(Duration, String)>,
}

impl Shown {
    fn show(&mut self, pair: &Pair, name: &str) -> Costs {
        let costs = measure(pair);
        let (time, steps) = (costs.time(), costs.steps());
        println!("| {name} | {:.1?} | {:.1?} | {time:.2} | {steps:.2} |", costs.accept, costs.refuse);
        self.count += 1;
        let values = u32::try_from(pair.good.len()).unwrap().max(1);
        let beyond = costs.refuse.saturating_sub(costs.accept.mul_f64(MOST)) / values;
        if self.beyond.as_ref().is_none_or(|(most, _)| beyond > *most) {
            self.beyond = Some((beyond, name.to_owned()));
        }
        if time > MOST || steps > MOST {
            self.over.push(format!("{name}: {time:.2} in time, {steps:.2} in steps"));
        }
        costs
    }
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let only = arguments.first().map(String::as_str).unwrap_or_default();
    println!("| pair | accept | refuse | ratio of time | ratio of steps |");
    println!("|---|---|---|---|---|");
    let (mut judged, mut alone) = (Shown::default(), Shown::default());
    let mut show = |pair: Pair| {
        let steps = accept_steps(&pair) / pair.good.len() as u64;
        if steps >= FEW {
            judged.show(&pair, &pair.name);
            return;
        }
        alone.show(&pair, &format!("{}, alone", pair.name));
        judged.show(&pair.together(MANY.div_ceil(steps.max(1))), &pair.name);
    };
    let sets = sets();
    sets.iter().filter(|set| set.name.contains(only)).flat_map(pairs_of_set).for_each(&mut show);
    let attacks = Case::all();
    // Values nested very deep could not be dropped.
    let attacks = attacks.iter().filter(|case| case.runs_here() && !case.name.starts_with("deep-"));
    for case in attacks.filter(|case| case.name.contains(only)) {
        if has_pairs(case) {
            pairs_of_attack(case).into_iter().for_each(&mut show);
        } else {
            println!("| {}: no value like it passes | | | | |", case.name);
        }
    }
    println!("\n{} of {} pairs over {MOST}", judged.over.len(), judged.count);
    judged.over.iter().for_each(|line| println!("{line}"));
    let (over, count) = (alone.over.len(), alone.count);
    println!("\nAlone, and smaller than the words of a refusal: {over} of {count} over {MOST}");
    if let Some((beyond, name)) = alone.beyond {
        println!("No refusal of those took more than {MOST} accepts and {beyond:.1?} for its words ({name})");
    }
}

fn accept_steps(pair: &Pair) -> u64 {
    let mut scratch = Scratch::new();
    let steps = pair.good.iter().map(|value| {
        assert!(pair.validator.is_valid_with(&mut scratch, value), "{}", pair.name);
        scratch.steps()
    });
    steps.sum()
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
