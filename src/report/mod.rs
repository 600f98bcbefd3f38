//! The report: what a walk found, as one bounded answer.
//!
//! In: problems that the engine emits, keyed by tokens. Out: a [`Refusal`] of the first ten paths, or each problem
//! in turn ([`visit`]). The stages, each in a file of its own:
//!
//! ```text
//! engine ──problems──▶ kept (the first ten by order, and a count) ──▶ text, keyword, path of the ten
//!                                                                        │
//!                      json, message, log line ◀── refusal ◀── entry ◀───┘
//! ```
//!
//! Nothing here grows with the data, but for the count of failing places ([`kept`]). What grows with the schema is
//! one entry's set of texts, which lives until its first ten are known.

pub(crate) mod call;
pub(crate) mod cut;
mod entry;
mod escape;
pub(crate) mod json;
pub(crate) mod kept;
pub(crate) mod keyword;
mod kind;
mod list;
mod message;
pub(crate) mod order;
pub(crate) mod path;
mod refusal;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod trail;
pub(crate) mod visit;

use std::collections::BTreeMap;

pub use entry::{Entry, Problem};
pub use escape::to_printable_json;
pub use kind::RefusalKind;
pub use refusal::Refusal;
pub use visit::Found;

pub(crate) use json::INPUT_SCHEMA_BYTES;
pub(crate) use kept::{Collector, FirstTen};
pub(crate) use list::quoted;
pub(crate) use refusal::InputSchema;
pub(crate) use visit::Visitor;

use self::trail::Trail;
use crate::bound::LISTED;
use crate::engine::sink::{self, Token};
use crate::program::Program;
use crate::value::{Instance, View};

/// The refusal of what a walk collected. Only the kept paths are walked and only their problems get texts. With
/// `complete` false, or where nothing was collected after all, the refusal says that it is not complete, and still
/// has an entry.
pub(crate) fn refusal<'v, I: Instance<'v>>(
    program: &Program,
    root: I,
    collector: &Collector<'v>,
    complete: bool,
) -> Refusal {
    let mut trail = Trail::new(root);
    let mut entries = Vec::new();
    for kept in collector.kept() {
        let path = kept.path();
        entries.push(entry(program, &path, trail.value(&path), kept.problems().iter().copied()));
    }
    if entries.is_empty() {
        return unchecked(program);
    }
    let total = collector.total();
    if complete {
        Refusal::new(RefusalKind::InvalidValues, None, entries, total)
    } else {
        Refusal::incomplete(RefusalKind::InvalidValues, entries, total)
    }
}

/// The refusal of data of which nothing is known but that it could not be checked, by the schema as a whole.
pub(crate) fn unchecked(program: &Program) -> Refusal {
    let location = keyword::shown_location(program, program.location_of(program.root()), "");
    let entry = Entry::new(&[], [Problem::new(text::UNCHECKED, "", &location)]);
    Refusal::incomplete(RefusalKind::InvalidValues, vec![entry], 1)
}

/// The entry of one place: all its texts, of which the first ten find their keyword and schema location.
fn entry<'v, I: Instance<'v>>(
    program: &Program,
    path: &[Token<'_>],
    value: View<'v, I>,
    problems: impl Iterator<Item = sink::Problem>,
) -> Entry {
    let mut by_text: BTreeMap<String, Vec<sink::Problem>> = BTreeMap::new();
    for problem in problems {
        by_text.entry(text::text(program, problem, value)).or_default().push(problem);
    }
    let more = by_text.len().saturating_sub(LISTED);
    let listed = by_text.into_iter().take(LISTED).filter_map(|(text, problems)| {
        let first = keyword::first(program, &problems)?;
        let location = keyword::schema_location(program, first);
        Some(Problem::new(&text, keyword::keyword(program, first), &location))
    });
    Entry::sorted(path, listed.collect(), more)
}
