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

mod cut;
mod entry;
mod escape;
pub(crate) mod json;
pub(crate) mod kept;
mod keyword;
mod kind;
mod list;
mod message;
pub(crate) mod order;
pub(crate) mod path;
mod refusal;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub(crate) mod visit;

use std::collections::BTreeMap;

pub use entry::{Entry, Problem};
pub use escape::to_printable_json;
pub use kind::RefusalKind;
pub use refusal::Refusal;
pub use visit::Found;

pub(crate) use kept::{Collector, FirstTen};
pub(crate) use refusal::InputSchema;
pub(crate) use visit::Visitor;

use crate::bound::LISTED;
use crate::engine::sink::{self, Token};
use crate::program::Program;
use crate::value::{Array, Instance, Object, View};

/// The refusal of what a walk collected. Only the kept paths are walked and only their problems get texts. With
/// `complete` false, or where nothing was collected after all, the refusal says that it is not complete, and still
/// has an entry.
pub(crate) fn refusal<'v, I: Instance<'v>>(
    program: &Program,
    root: I,
    collector: &Collector<'v>,
    complete: bool,
) -> Refusal {
    let entries: Vec<Entry> = collector
        .kept()
        .iter()
        .map(|kept| entry(program, root, &kept.path(), kept.problems().iter().copied()))
        .collect();
    if entries.is_empty() {
        return unchecked();
    }
    let total = collector.total();
    if complete {
        Refusal::new(RefusalKind::InvalidValues, None, entries, total)
    } else {
        Refusal::incomplete(RefusalKind::InvalidValues, entries, total)
    }
}

/// The refusal of data of which nothing is known but that it could not be checked.
pub(crate) fn unchecked() -> Refusal {
    let entry = Entry::new(&[], [Problem::new(text::UNCHECKED, "", "")]);
    Refusal::incomplete(RefusalKind::InvalidValues, vec![entry], 1)
}

/// The entry of one place: all its texts, of which the first ten find their keyword and schema location.
fn entry<'v, I: Instance<'v>>(
    program: &Program,
    root: I,
    path: &[Token<'_>],
    problems: impl Iterator<Item = sink::Problem>,
) -> Entry {
    let value = value_at(root, path);
    let mut by_text: BTreeMap<String, Vec<sink::Problem>> = BTreeMap::new();
    for problem in problems {
        by_text.entry(text::text(program, problem, value)).or_default().push(problem);
    }
    let more = by_text.len().saturating_sub(LISTED);
    let listed = by_text.into_iter().take(LISTED).filter_map(|(text, problems)| {
        let places = problems
            .into_iter()
            .map(|problem| (keyword::schema_location(program, problem), keyword::keyword(program, problem)));
        places.min().map(|(location, keyword)| Problem::new(&text, keyword, &location))
    });
    Entry::sorted(path, listed.collect(), more)
}

/// Goes down from the root by the tokens of a path that a walk of the same instance has gone.
fn value_at<'v, I: Instance<'v>>(root: I, path: &[Token<'_>]) -> View<'v, I> {
    let mut value = root.view();
    for token in path {
        let child = match (*token, value) {
            (Token::Key(key), View::Object(members)) => members.get(key),
            (Token::Index(index), View::Array(items)) => items.get(index),
            (
                Token::Key(_) | Token::Index(_),
                View::Null
                | View::Boolean(_)
                | View::Number(_)
                | View::String(_)
                | View::Array(_)
                | View::Object(_),
            ) => None,
        };
        // A path of this instance leads somewhere; were it not one, its texts would speak of null.
        value = child.map_or(View::Null, Instance::view);
    }
    value
}
