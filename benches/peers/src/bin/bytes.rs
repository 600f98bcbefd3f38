//! From bytes to a verdict: ours beside `serde_json` with `jsonschema`, and beside a bare scan, on the real data sets, in
//! one run.
//!
//! In: `../shared` beside the repository. Out: a table in Markdown. *scan* is a UTF-8 check and `serde_json` into
//! `IgnoredAny`: what it takes to know that bytes are JSON, and nothing of it. *peers* is `serde_json::from_slice` into a `Value`, and
//! `jsonschema`'s `is_valid` at run time on it.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin bytes [part of a set's name]`
//!
//! Each time is the least of many turns, which all take by turns. Memory is the most bytes that live at once over a set's
//! documents, one by one: ours with a new scratch, which is kept between them; the peers' `Value` dropped after each.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portcullis::{Scratch, Validator};
use serde::de::IgnoredAny;
use serde_json::Value;

#[path = "../allocator.rs"]
mod allocator;

#[global_allocator]
static COUNTING: allocator::Counting = allocator::Counting;

/// What is measured of one at least, and turns of it.
const TURN: Duration = Duration::from_millis(4);
const TURNS: usize = 15;

/// One set: seconds, and bytes.
struct Row {
    name: String,
    bytes: usize,
    ours: f64,
    /// Ours where the schema asks nothing: the reading.
    reading: f64,
    scan: f64,
    peers: f64,
    warm_allocations: usize,
    our_peak: usize,
    peers_allocations: usize,
    peers_peak: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let only = std::env::args().nth(1).unwrap_or_default();
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut sets: Vec<PathBuf> = fs::read_dir(shared.join("datasets"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    sets.retain(|set| set.to_string_lossy().contains(&only));
    sets.sort();
    println!(
        "| set | bytes | time / scan | reading / scan | peers / ours | allocations, warm | peak | peers' allocations | peers' peak |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let rows = sets.iter().map(|set| row(set)).collect::<Result<Vec<Row>, _>>()?;
    for row in &rows {
        println!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |",
            row.name,
            row.bytes,
            row.ours / row.scan,
            row.reading / row.scan,
            row.peers / row.ours,
            row.warm_allocations,
            row.our_peak,
            row.peers_allocations,
            row.peers_peak
        );
    }
    println!(
        "| geometric mean | | {:.2} | {:.2} | {:.2} | | | | |",
        mean(rows.iter().map(|row| row.ours / row.scan)),
        mean(rows.iter().map(|row| row.reading / row.scan)),
        mean(rows.iter().map(|row| row.peers / row.ours)),
    );
    let peaks = mean(rows.iter().map(|row| row.our_peak as f64 / row.peers_peak as f64));
    println!("\npeak memory: {peaks:.2} of the peers', geometric mean");
    Ok(())
}

fn row(set: &Path) -> Result<Row, Box<dyn Error>> {
    let schema: Value = serde_json::from_str(&fs::read_to_string(set.join("schema.json"))?)?;
    let text = fs::read_to_string(set.join("instances.jsonl"))?;
    let documents: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let own = Validator::options().assert_format(false).build(&schema)?;
    let anything = Validator::new(&Value::Bool(true))?;
    let theirs = jsonschema::options().should_validate_formats(false).build(&schema);
    let theirs = theirs.map_err(|error| error.to_string())?;
    let by_peers =
        |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).is_ok_and(|value| theirs.is_valid(&value));

    allocator::start();
    assert!(documents.iter().all(|bytes| by_peers(bytes)));
    let (peers_allocations, peers_peak) = allocator::counted();
    allocator::start();
    let mut scratch = Scratch::new();
    let mut by_us = |bytes: &[u8]| own.is_valid_slice_with(&mut scratch, bytes).unwrap_or(false);
    assert!(documents.iter().all(|bytes| by_us(bytes)));
    let (_, our_peak) = allocator::counted();
    allocator::start();
    assert!(documents.iter().all(|bytes| by_us(bytes)));
    let (warm_allocations, _) = allocator::counted();

    let mut other = Scratch::new();
    let mut ours = || documents.iter().all(|bytes| by_us(bytes));
    let mut reading =
        || documents.iter().all(|bytes| anything.is_valid_slice_with(&mut other, bytes).unwrap_or(false));
    let mut scan = || {
        documents.iter().all(|bytes| {
            black_box(std::str::from_utf8(bytes)).is_ok()
                && black_box(serde_json::from_slice::<IgnoredAny>(bytes)).is_ok()
        })
    };
    let mut peers = || documents.iter().all(|bytes| by_peers(bytes));
    let mut least = [f64::MAX; 4];
    for _ in 0..TURNS {
        let runs: [&mut dyn FnMut() -> bool; 4] = [&mut ours, &mut reading, &mut scan, &mut peers];
        for (least, run) in least.iter_mut().zip(runs) {
            *least = least.min(once(run));
        }
    }
    let [ours, reading, scan, peers] = least;
    Ok(Row {
        name: set.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: text.len(),
        ours,
        reading,
        scan,
        peers,
        warm_allocations,
        our_peak,
        peers_allocations,
        peers_peak,
    })
}

/// Seconds of one run, of as many as fill a turn.
fn once(run: &mut dyn FnMut() -> bool) -> f64 {
    let start = Instant::now();
    let mut runs = 0;
    while runs == 0 || start.elapsed() < TURN {
        assert!(black_box(run()), "what is real passes");
        runs += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(runs)
}

fn mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}
