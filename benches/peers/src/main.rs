//! Other validators beside ours, on the same attacks and data sets, in one run: time, allocations, peak, answer.
//!
//! In: the [`subject`]s. Out: a table in Markdown. Each engine runs each subject in a process of its own, which ends at
//! [`LIMIT`] of time or at [`allocator::LIMIT`] of memory: so the table ends, and an engine that aborts loses its own row
//! only.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml [part of a name]`

mod allocator;
#[path = "../../../tests/adversarial/case.rs"]
#[allow(dead_code)]
mod case;
mod engine;
mod subject;
#[path = "../../../tests/adversarial/template.rs"]
#[allow(dead_code)]
mod template;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use engine::{Built, Engine};
use serde_json::Value;
use subject::Subject;

/// Where the cases lie, from this package.
const CASES: &str = "../../corpus/adversarial";

/// What one engine may take for one subject: building, checking, and answering.
const LIMIT: Duration = Duration::from_secs(5);

/// A check is run once more, warm, where the first took less: there is time for it.
const SHORT: Duration = Duration::from_secs(1);

/// How often a child is looked after.
const LOOK: Duration = Duration::from_millis(5);

/// The stack of a child's thread: what a server's main thread has.
const STACK: usize = 8 << 20;

/// What a child says of a schema that its engine refuses.
const DOES_NOT_BUILD: &str = "does not build";

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [engine, name] = arguments.as_slice()
        && let Some(engine) = Engine::named(engine)
    {
        return child(engine, name);
    }
    let only = arguments.first().map(String::as_str).unwrap_or_default();
    println!("| input | engine | time | allocations | peak bytes | answer bytes |");
    println!("|---|---|---|---|---|---|");
    let mut endings: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for name in Subject::names().iter().filter(|name| name.contains(only)) {
        for engine in Engine::ALL {
            let (columns, ending) = match parent(engine, name) {
                Ok(columns) => (columns, "answered".to_owned()),
                Err(ending) => (format!("{ending} | | |"), ending),
            };
            println!("| {name} | {} | {columns} |", engine.name());
            *endings.entry((engine.name(), ending)).or_default() += 1;
        }
    }
    println!("\n| engine | ending | inputs |");
    println!("|---|---|---|");
    for ((engine, ending), count) in endings {
        println!("| {engine} | {ending} | {count} |");
    }
    ExitCode::SUCCESS
}

/// Runs a child within the limits; the columns that it measured, or how else it ended.
fn parent(engine: Engine, name: &str) -> Result<String, String> {
    let program = std::env::current_exe().expect("a program that runs");
    let mut command = Command::new(program);
    command.args([engine.name(), name]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a child");
    let start = Instant::now();
    loop {
        match child.try_wait().expect("a child of ours") {
            Some(status) => return columns(&mut child, status),
            None if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("over {LIMIT:?}"));
            }
            None => std::thread::sleep(LOOK),
        }
    }
}

/// What a child that has ended leaves: its columns, or why there are none.
fn columns(child: &mut Child, status: ExitStatus) -> Result<String, String> {
    let (mut said, mut complaint) = (String::new(), String::new());
    if let Some(out) = &mut child.stdout {
        let _ = out.read_to_string(&mut said);
    }
    if let Some(out) = &mut child.stderr {
        let _ = out.read_to_string(&mut complaint);
    }
    Err(match said.trim() {
        DOES_NOT_BUILD => DOES_NOT_BUILD.to_owned(),
        columns if status.success() && !columns.is_empty() => return Ok(columns.to_owned()),
        _ if complaint.contains("overflowed its stack") => "aborts: stack overflow".to_owned(),
        _ if complaint.contains("memory allocation of") => {
            format!("aborts: over {} GB", allocator::LIMIT >> 30)
        }
        _ if complaint.contains("panicked at") => "panics".to_owned(),
        _ => "aborts".to_owned(),
    })
}

/// One engine on one subject; prints the last columns of its row.
fn child(engine: Engine, name: &str) -> ExitCode {
    let Some(subject) = Subject::named(name) else { return ExitCode::FAILURE };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || measure(engine, subject));
    if thread.expect("a thread").join().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(engine: Engine, subject: Subject) {
    let Subject { schema, values, limits, formats } = subject;
    let Ok(mut built) = engine.build(&schema, limits, formats) else {
        println!("{DOES_NOT_BUILD}");
        return std::mem::forget(values);
    };
    let first = run(&mut built, &values);
    let warm = if first.0 < SHORT { run(&mut built, &values) } else { first };
    let (time, ((count, peak), answer)) = (warm.0.min(first.0), (warm.1, warm.2));
    println!("{time:.1?} | {count} | {peak} | {answer}");
    // A deep value would overflow the stack where it is dropped.
    std::mem::forget(values);
}

/// Checks all values once: the time, what was allocated, and the bytes of all answers.
fn run(built: &mut Built, values: &[Value]) -> (Duration, (usize, usize), usize) {
    allocator::start();
    let start = Instant::now();
    let answer = values.iter().map(|value| built.answer(value).unwrap_or(0)).sum();
    (start.elapsed(), allocator::counted(), answer)
}
