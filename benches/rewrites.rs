//! What each rewrite of a program brings: `cargo bench --bench rewrites`.
//!
//! In: the real configuration schemas and their instances beside the repository. Out: a table; for each rewrite, how
//! many times longer verdicts take without it, in the geometric mean over the sets and in the set that needs it most.
//! All are timed in turns in one run, the least of many rounds each; without the sets it says so and ends.

// A bench may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, hint};

use portcullis::{Rewrite, Scratch, Validator};
use serde_json::Value;

/// Turns of which the fastest counts.
const ROUNDS: usize = 60;

fn main() {
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/datasets");
    let Ok(found) = fs::read_dir(&sets) else {
        println!("skipped: there are no data sets beside the repository");
        return;
    };
    // `cargo test --benches` only wants to see it run.
    let rounds = if env::args().any(|argument| argument == "--bench") { ROUNDS } else { 1 };
    let mut sets: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    sets.sort();

    let mut slower = vec![Vec::new(); Rewrite::ALL.len() + 1];
    for set in &sets {
        let schema: Value =
            serde_json::from_str(&fs::read_to_string(set.join("schema.json")).unwrap()).unwrap();
        let lines = fs::read_to_string(set.join("instances.jsonl")).unwrap();
        let instances: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let build = |without: &[Rewrite]| {
            let options = Validator::options().assert_format(false);
            let options = without.iter().fold(options, |options, rewrite| options.without_rewrite(*rewrite));
            options.build(&schema).unwrap()
        };
        let mut ways = vec![build(&[])];
        ways.extend(Rewrite::ALL.map(|rewrite| build(&[rewrite])));
        ways.push(build(&Rewrite::ALL));
        let times = least(&ways, &instances, rounds);
        let name = set.file_name().unwrap().to_string_lossy().into_owned();
        for (column, time) in slower.iter_mut().zip(&times[1..]) {
            column.push((time / times[0], name.clone()));
        }
    }

    println!("| without | verdicts take | at most |\n|---|---|---|");
    let names = Rewrite::ALL.iter().map(|rewrite| format!("{rewrite:?}")).chain(["all of them".to_owned()]);
    for (name, column) in names.zip(&slower) {
        let mean = column.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / column.len() as f64;
        let (most, set) = column.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("| {name} | {:.2} times as long | {most:.2} ({set}) |", mean.exp());
    }
}

/// The least time of each validator over all instances, in turns.
fn least(ways: &[Validator], instances: &[Value], rounds: usize) -> Vec<f64> {
    let mut least = vec![f64::MAX; ways.len()];
    let mut scratch = Scratch::new();
    for _ in 0..rounds {
        for (validator, least) in ways.iter().zip(&mut least) {
            let start = Instant::now();
            for instance in instances {
                assert!(hint::black_box(validator.is_valid_with(&mut scratch, instance)));
            }
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least
}
