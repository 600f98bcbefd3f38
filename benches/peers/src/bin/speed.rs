//! How fast verdicts and builds are beside `jsonschema` and `boon`, on the real data sets and tools, in one run.
//!
//! In: `../shared` beside the repository. Out: a table in Markdown of ratios (over one: we take less time), their
//! geometric mean, the median over the tools' calls; with a path, also a chart of the table.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin speed [chart.svg]`
//!
//! With `--features generated` also beside the validators that `jsonschema` generates at compile time, for some sets.
//!
//! Documents are parsed before; `format` is an annotation in the data sets, and asserted in the calls. Each time is the
//! least of many turns, which ours and theirs take by turns.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use portcullis::{Scratch, UnknownFormats, Validator};
use serde_json::Value;

/// What is measured for one verdict or build at least, and turns of it.
const TURN: Duration = Duration::from_millis(2);
const TURNS: usize = 15;

#[cfg(feature = "generated")]
#[path = "../generated.rs"]
mod generated;

/// One set's ratios.
struct Row {
    name: String,
    verdict: f64,
    /// Nothing where it refuses the schema or a document.
    boon: Option<f64>,
    /// Nothing where none was generated.
    generated: Option<f64>,
    build: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut sets: Vec<PathBuf> = fs::read_dir(shared.join("datasets"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    sets.sort();
    let rows = sets.iter().map(|set| row(set)).collect::<Result<Vec<Row>, _>>()?;
    println!("| set | verdict: jsonschema | boon | jsonschema, generated | build: jsonschema |");
    println!("|---|---|---|---|---|");
    for Row { name, verdict, boon, generated, build } in &rows {
        println!("| {name} | {verdict:.2} | {} | {} | {build:.2} |", shown(*boon), shown(*generated));
    }
    let verdict = mean(rows.iter().map(|row| row.verdict));
    let build = mean(rows.iter().map(|row| row.build));
    let boon = mean_of_some(rows.iter().map(|row| row.boon));
    let generated = mean_of_some(rows.iter().map(|row| row.generated));
    println!("| geometric mean | {verdict:.2} | {} | {} | {build:.2} |", shown(boon), shown(generated));
    let (own, kept) = calls(&shared.join("tools/calls.jsonl"))?;
    println!("\nmedian over the calls of tools: {own:.2} with a scratch, {kept:.2} without");
    if let Some(path) = std::env::args().nth(1) {
        fs::write(path, chart(&rows, verdict)?)?;
    }
    Ok(())
}

fn mean_of_some(ratios: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let some: Vec<f64> = ratios.flatten().collect();
    (!some.is_empty()).then(|| mean(some.into_iter()))
}

fn shown(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "".to_owned(), |ratio| format!("{ratio:.2}"))
}

fn row(set: &Path) -> Result<Row, Box<dyn Error>> {
    let schema: Value = serde_json::from_str(&fs::read_to_string(set.join("schema.json"))?)?;
    let lines = fs::read_to_string(set.join("instances.jsonl"))?;
    let instances: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let name = set.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ours = || Validator::options().assert_format(false).build(&schema);
    let theirs = || jsonschema::options().should_validate_formats(false).build(&schema);
    let (own, other) = (ours()?, theirs().map_err(|error| error.to_string())?);
    let boon = boon(&schema);
    let mut scratch = Scratch::new();
    let mut all = || instances.iter().all(|instance| own.is_valid_with(&mut scratch, instance));
    let verdict = ratio(&mut all, || instances.iter().all(|instance| other.is_valid(instance)));
    let boon = boon.and_then(|(boon, root)| {
        let passes = || instances.iter().all(|instance| boon.validate(instance, root).is_ok());
        // It asserts formats in drafts before 2019-09.
        passes().then(|| ratio(&mut all, passes))
    });
    let generated = generated_for(&name).map(|is_valid| ratio(&mut all, || instances.iter().all(is_valid)));
    let build = ratio(|| ours().is_ok(), || theirs().is_ok());
    Ok(Row { name, verdict, boon, generated, build })
}

fn boon(schema: &Value) -> Option<(boon::Schemas, boon::SchemaIndex)> {
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    let place = "https://example.org/schema.json";
    compiler.add_resource(place, schema.clone()).ok()?;
    let root = compiler.compile(place, &mut schemas).ok()?;
    Some((schemas, root))
}

#[cfg(feature = "generated")]
fn generated_for(set: &str) -> Option<fn(&Value) -> bool> {
    generated::is_valid(set)
}

#[cfg(not(feature = "generated"))]
fn generated_for(_: &str) -> Option<fn(&Value) -> bool> {
    None
}

/// The medians over all calls, with a scratch and without.
fn calls(path: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for line in fs::read_to_string(path)?.lines() {
        let call: Value = serde_json::from_str(line)?;
        let (schema, arguments) = (&call["inputSchema"], &call["arguments"]);
        let own = Validator::options().unknown_formats(UnknownFormats::Annotate).build(schema)?;
        let other =
            jsonschema::options().should_validate_formats(true).build(schema).map_err(|e| e.to_string())?;
        let mut scratch = Scratch::new();
        let theirs = || other.is_valid(black_box(arguments));
        with.push(ratio_of(TURN / 40, || own.is_valid_with(&mut scratch, black_box(arguments)), theirs));
        without.push(ratio_of(TURN / 40, || own.is_valid(black_box(arguments)), theirs));
    }
    Ok((median(with), median(without)))
}

fn ratio(ours: impl FnMut() -> bool, theirs: impl FnMut() -> bool) -> f64 {
    ratio_of(TURN, ours, theirs)
}

/// Their least time divided by ours.
fn ratio_of(turn: Duration, mut ours: impl FnMut() -> bool, mut theirs: impl FnMut() -> bool) -> f64 {
    let (mut own, mut other) = (f64::MAX, f64::MAX);
    for _ in 0..TURNS {
        own = own.min(once(turn, &mut ours));
        other = other.min(once(turn, &mut theirs));
    }
    other / own
}

/// Seconds of one run, of as many as fill a turn: the clock is not read between them, since to read it takes as long as
/// a small check.
fn once(turn: Duration, run: &mut impl FnMut() -> bool) -> f64 {
    let mut runs = 1_u32;
    loop {
        let start = Instant::now();
        let passed = (0..runs).filter(|_| run()).count();
        let taken = start.elapsed();
        assert!(passed == runs as usize, "what is real passes");
        if taken >= turn {
            return taken.as_secs_f64() / f64::from(runs);
        }
        runs = runs.saturating_mul(2);
    }
}

fn mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len() as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Bars, one a set, longest first, and a line at one.
fn chart(rows: &[Row], mean: f64) -> Result<String, std::fmt::Error> {
    const NAMES: f64 = 180.0;
    const UNIT: f64 = 200.0;
    const BAR: f64 = 20.0;
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| b.verdict.total_cmp(&a.verdict));
    let height = BAR * (sorted.len() + 3) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"10\" y=\"16\">time of jsonschema / time of portcullis, a verdict on parsed documents</text>\n"
    );
    let bars = sorted.iter().map(|row| (row.name.as_str(), row.verdict)).chain([("geometric mean", mean)]);
    for (index, (name, ratio)) in bars.enumerate() {
        let top = BAR * (index as f64 + 1.5);
        let fill = if name == "geometric mean" { "#b35900" } else { "#2b6cb0" };
        writeln!(svg, "<text x=\"10\" y=\"{}\">{name}</text>", top + 12.0)?;
        writeln!(
            svg,
            "<rect x=\"{NAMES}\" y=\"{top}\" width=\"{:.1}\" height=\"14\" fill=\"{fill}\"/>",
            ratio * UNIT
        )?;
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\">{ratio:.2}</text>",
            NAMES + ratio * UNIT + 4.0,
            top + 12.0
        )?;
    }
    let one = NAMES + UNIT;
    writeln!(svg, "<line x1=\"{one}\" y1=\"24\" x2=\"{one}\" y2=\"{height}\" stroke=\"#444444\"/>\n</svg>")?;
    Ok(svg)
}
