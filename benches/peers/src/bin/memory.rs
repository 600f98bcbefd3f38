//! What a compiled schema holds in memory, beside the schema's document and beside `jsonschema`, on the real data sets.
//!
//! In: `../shared` beside the repository. Out: a table in Markdown: the bytes of each document, the bytes of heap that a validator
//! keeps once it is built (its first check may add the caches of patterns, which the scratch holds), and their
//! ratio; `jsonschema`'s beside it.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin memory`

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use portcullis::Validator;
use serde_json::Value;

#[path = "../allocator.rs"]
mod allocator;

#[global_allocator]
static COUNTING: allocator::Counting = allocator::Counting;

fn main() -> Result<(), Box<dyn Error>> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    let mut sets: Vec<PathBuf> =
        fs::read_dir(shared)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    sets.sort();
    let (mut own_ratios, mut other_ratios) = (Vec::new(), Vec::new());
    println!("| set | document | portcullis | ratio | jsonschema | ratio |\n|---|---|---|---|---|---|");
    for set in &sets {
        let text = fs::read_to_string(set.join("schema.json"))?;
        let schema: Value = serde_json::from_str(&text)?;
        let ours = || Validator::options().assert_format(false).build(&schema).map_err(|e| e.to_string());
        let theirs =
            || jsonschema::options().should_validate_formats(false).build(&schema).map_err(|e| e.to_string());
        let (own, other) = (kept(ours)?, kept(theirs)?);
        let ratio = |bytes: usize| bytes as f64 / text.len() as f64;
        let name = set.file_name().unwrap_or_default().to_string_lossy();
        let (own_ratio, other_ratio) = (ratio(own), ratio(other));
        println!("| {name} | {} | {own} | {own_ratio:.2} | {other} | {other_ratio:.2} |", text.len());
        own_ratios.push(own_ratio);
        other_ratios.push(other_ratio);
    }
    println!("| geometric mean | | | {:.2} | | {:.2} |", mean(&own_ratios), mean(&other_ratios));
    Ok(())
}

/// Bytes that what `build` makes keeps. Built twice before, so that what a process makes once is there.
fn kept<T>(build: impl Fn() -> Result<T, String>) -> Result<usize, String> {
    drop((build()?, build()?));
    let before = allocator::live();
    let built = black_box(build()?);
    let after = allocator::live();
    drop(built);
    Ok(after.saturating_sub(before))
}

fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}
