//! Other validators beside ours, on the same attacks and data sets, in one run: time, allocations, peak, answer.
//!
//! In: `corpus/adversarial/`, and the data sets in `../shared` (or `PORTCULLIS_SHARED`) where they are. Out: a table in
//! Markdown. Each engine runs each case in a process of its own, which is ended when it takes longer than
//! [`LIMIT`]: so the table ends, and an engine that aborts loses its own row only.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [part of a case's name]`

#[path = "../../../tests/adversarial/case.rs"]
#[allow(dead_code)]
mod case;
mod engine;
#[path = "../../../tests/adversarial/template.rs"]
mod template;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use case::Case;
use engine::Engine;

/// Where the cases lie, from this package.
const CASES: &str = "../../corpus/adversarial";

/// What one engine may take for one case: building, checking, and answering.
const LIMIT: Duration = Duration::from_secs(5);

/// How often a child is looked after.
const LOOK: Duration = Duration::from_millis(5);

/// The stack of a child's thread: what a server's main thread has.
const STACK: usize = 8 << 20;

/// Instances of a data set.
const INSTANCES: usize = 200;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [engine, kind, name] = arguments.as_slice()
        && let Some(engine) = Engine::named(engine)
    {
        return child(engine, kind, name);
    }
    let only = arguments.first().map(String::as_str).unwrap_or_default();
    println!("| case | engine | time | allocations | peak bytes | answer bytes |");
    println!("|---|---|---|---|---|---|");
    for case in Case::all().iter().filter(|case| case.runs_here() && case.name.contains(only)) {
        rows("case", &case.name);
    }
    for set in sets().iter().filter(|set| set.to_string_lossy().contains(only)) {
        rows("set", &set.to_string_lossy());
    }
    ExitCode::SUCCESS
}

fn rows(kind: &str, name: &str) {
    for engine in Engine::ALL {
        let shown = name.rsplit('/').next().unwrap_or(name);
        println!("| {shown} | {} | {} |", engine.name(), parent(engine, kind, name));
    }
}

/// Runs a child within the limit; what it measured, or how it ended.
fn parent(engine: Engine, kind: &str, name: &str) -> String {
    let program = std::env::current_exe().expect("a program that runs");
    let mut command = Command::new(program);
    command.args([engine.name(), kind, name]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("a child");
    let start = Instant::now();
    loop {
        match child.try_wait().expect("a child of ours") {
            Some(status) => {
                let mut text = String::new();
                if let Some(mut out) = child.stdout.take() {
                    let _ = out.read_to_string(&mut text);
                }
                let text = text.trim();
                return if status.success() && !text.is_empty() {
                    text.to_owned()
                } else {
                    "aborts | | | ".to_owned()
                };
            }
            None if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return format!("over {LIMIT:?} | | | ");
            }
            None => std::thread::sleep(LOOK),
        }
    }
}

/// One engine on one case; prints the last columns of its row.
fn child(engine: Engine, kind: &str, name: &str) -> ExitCode {
    let (kind, name) = (kind.to_owned(), name.to_owned());
    let work = move || {
        let (schema, values, limits, formats) = if kind == "case" {
            let case = Case::all().into_iter().find(|case| case.name == name).expect("a case of this name");
            let [_, size] = case.sizes();
            (case.schema(size), vec![case.instance(size)], case.limits(), true)
        } else {
            let folder = Path::new(&name);
            let schema = read(&folder.join("schema.json"));
            let text = std::fs::read_to_string(folder.join("instances.jsonl")).expect("instances");
            let values =
                text.lines().take(INSTANCES).map(|line| serde_json::from_str(line).expect("JSON")).collect();
            (schema, values, portcullis::Limits::default(), false)
        };
        let mut built = match engine.build(&schema, limits, formats) {
            Ok(built) => built,
            Err(_) => {
                println!("does not build | | | ");
                return;
            }
        };
        // The first time warms caches, where there is time for two.
        let start = Instant::now();
        run(&mut built, &values);
        let first = start.elapsed();
        let mut measured = (first, 0);
        let memory = allocation_counter::measure(|| {
            let start = Instant::now();
            measured.1 = run(&mut built, &values);
            measured.0 = start.elapsed().min(first);
        });
        let (time, answer) = measured;
        println!("{time:.1?} | {} | {} | {answer}", memory.count_total, memory.bytes_max);
        // A deep value would overflow the stack where it is dropped.
        std::mem::forget(values);
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    if thread.join().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(built: &mut engine::Built, values: &[Value]) -> usize {
    values.iter().map(|value| built.answer(value).unwrap_or(0)).sum()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON")
}

/// The folders of the data sets, where they are.
fn sets() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("PORTCULLIS_SHARED").map_or(default, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(shared.join("datasets")) else { return Vec::new() };
    let mut sets: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    sets.sort();
    sets
}
