//! A refusal for people: what it is about, then a line for each problem.
//!
//! In: a refusal. Out: at most a hundred lines and a few, each scrubbed: a key of the data must not act on a terminal.

use portcullis::Refusal;
use portcullis::bound::scrub;

use super::outcome::Stop;
use super::output::{Output, Tone};

/// Prints a refusal; `subject` is printable already, and empty or ended by what separates it.
pub(crate) fn print(output: &mut Output, subject: &str, refusal: &Refusal) -> Result<(), Stop> {
    let verdict = output.paint(Tone::Refused, "refused");
    let total = refusal.total();
    let places = if total == 1 { "place" } else { "places" };
    let at_least = if refusal.is_complete() { "" } else { "at least " };
    output.line(format_args!("{subject}{verdict}: {} ({at_least}{total} {places})", refusal.kind()))?;
    for entry in refusal.entries() {
        let path = scrub(entry.path());
        for problem in entry.problems() {
            let place = output.paint(Tone::Place, &path);
            let suggestion = match entry.suggestion() {
                Some(name) => format!(" (did you mean \"{}\"?)", scrub(name)),
                None => String::new(),
            };
            output.line(format_args!("  {place}: {}{suggestion}", scrub(problem.text())))?;
        }
        if entry.more() > 0 {
            let place = output.paint(Tone::Place, &path);
            output.line(format_args!("  {place}: and {} more problems", entry.more()))?;
        }
    }
    let more = total.saturating_sub(refusal.entries().len());
    if more > 0 {
        output.line(format_args!(
            "  and {at_least}{more} more {}",
            if more == 1 { "place" } else { "places" }
        ))?;
    }
    if let Some(help) = refusal.help() {
        output.line(format_args!("help: {}", scrub(help)))?;
    }
    Ok(())
}
