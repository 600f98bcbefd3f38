//! Strings made to explode a pattern with a back-reference: ten thousand of them here, one of them elsewhere, in one run.
//!
//! In: nothing. Out: a line for each bomb: what our check of all its strings takes, report included, what one match by
//! the crate `jsonschema` takes, and the first by the second. Each is the least of some runs by turns, in one process.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin bombs [part of a pattern]`

use std::time::{Duration, Instant};

use portcullis::{Scratch, Validator};
use serde_json::{Value, json};

/// Strings that our check meets at once.
const STRINGS: usize = 10_000;

/// Runs of each by turns; the least counts.
const RUNS: usize = 5;

/// Patterns and strings: what a search for letters tells at once, what it does not tell, and what no regular expression
/// tells; then letters that are dear to read.
fn bombs() -> Vec<(&'static str, String)> {
    let a = |count| "a".repeat(count);
    vec![
        (r"^(a*)*\1b$", a(25)),
        (r"^(a*)*\1b$", a(40)),
        (r"^(a*)*\1b$", a(25) + "bc"),
        (r"^(a*)*\1[bc]$", a(25) + "d"),
        (r"^(a+)+b\1c$", format!("{}b{}c", a(25), a(26))),
        (r"^(a|a)*b\1c$", format!("{}bbc", a(40))),
        (r"^(a|aa)+b\1c$", format!("{}baaac", a(60))),
        (r"^((?:a|b|ab)*)*c\1d$", format!("{}caad", "ab".repeat(20))),
        (r"^(\w+\s?)*!\1\.$", format!("{}!{}.", "word ".repeat(8), a(9))),
        (r"^(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5!$", a(120) + "!"),
        (r"^(\p{L}+)+-\1!$", format!("{}-{}!", "я".repeat(25), "я".repeat(26))),
        (r"^(?:(?=(a+))a|a)*b\1c$", format!("{}b{}c", a(30), a(31))),
    ]
}

/// The least time of some runs.
fn least(times: &[Duration]) -> Duration {
    times.iter().copied().min().unwrap_or_default()
}

fn main() {
    println!("| pattern | bytes | {STRINGS} strings here | one elsewhere | ratio | answered |");
    println!("|---|---|---|---|---|---|");
    let only = std::env::args().nth(1).unwrap_or_default();
    for (pattern, text) in bombs().into_iter().filter(|(pattern, _)| pattern.contains(&only)) {
        let items = json!({"items": {"pattern": pattern}});
        let ours = Validator::new(&items).expect("a pattern");
        let theirs = jsonschema::options().build(&json!({"pattern": pattern})).expect("a pattern");
        let (many, one) = (Value::Array(vec![json!(text); STRINGS]), json!(text));
        let mut scratch = Scratch::new();
        let (mut here, mut elsewhere, mut complete) = (Vec::new(), Vec::new(), true);
        for _ in 0..RUNS {
            let start = Instant::now();
            let checked = ours.check_with(&mut scratch, &many);
            here.push(start.elapsed());
            complete = checked.err().is_none_or(|refusal| refusal.is_complete());
            let start = Instant::now();
            let passed = theirs.is_valid(&one);
            elsewhere.push(start.elapsed());
            assert!(!passed, "{pattern} is a bomb");
        }
        let (here, elsewhere) = (least(&here), least(&elsewhere));
        let ratio = here.as_secs_f64() / elsewhere.as_secs_f64();
        println!(
            "| `{}` | {} | {here:.1?} | {elsewhere:.1?} | {ratio:.2} | {} |",
            pattern.replace('|', "\\|"),
            text.len(),
            if complete { "yes" } else { "no" },
        );
    }
}
