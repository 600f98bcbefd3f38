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
//! Nothing here grows with the data, but for the count of failing places ([`kept`]). What grows with the schema are the
//! problems of the ten, and a hash of each text of one entry ([`texts`]), while they are counted; the texts are charged
//! as the walk is.

pub(crate) mod call;
pub(crate) mod cut;
mod entry;
mod escape;
mod joined;
pub(crate) mod json;
pub(crate) mod kept;
pub(crate) mod keyword;
mod kind;
mod list;
mod message;
pub(crate) mod order;
pub(crate) mod path;
mod places;
mod refusal;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod texts;
mod trail;
pub(crate) mod visit;

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

use self::texts::Texts;
use self::trail::Trail;
use crate::bound::LISTED;
use crate::engine::sink::{self, Token};
use crate::limits::{Exhausted, Meter};
use crate::program::Program;
use crate::value::{Instance, View};

/// The refusal of what a walk collected. Only the kept paths are walked and only their problems get texts, which are
/// charged to what the walk has left of its steps. With `complete` false, or where the steps run out, or where nothing
/// was collected after all, the refusal says that it is not complete, and still has an entry.
pub(crate) fn refusal<'v, I: Instance<'v>>(
    program: &Program,
    root: I,
    collector: &Collector<'v>,
    mut complete: bool,
    meter: &mut Meter,
) -> Refusal {
    let mut trail = Trail::new(root);
    let mut entries: Vec<Entry> = Vec::with_capacity(collector.kept().len());
    // Of one entry alone nothing is asked again.
    let mut told = Vec::with_capacity(if collector.kept().len() > 1 { LISTED } else { 0 });
    let mut path = Vec::new();
    for kept in collector.kept() {
        path.clear();
        path.extend(kept.tokens());
        let before = Before { entry: entries.last(), told: &mut told };
        let (entry, whole) = entry(program, before, &path, trail.value(&path), &kept.problems(), meter);
        entries.push(entry);
        complete &= whole;
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

/// Texts of one place that are made even where the steps have run out, if they are cheap: there are ten of them for
/// each of ten places, so that they are bounded whatever the schema.
const UNPAID: usize = LISTED;

/// What a cheap text takes, in steps.
const CHEAP: u64 = 2 * text::STEPS;

/// The entry of one place: all its texts, of which the first ten find their keyword and schema location; and whether
/// no problem is left out. It has one text at least.
fn entry<'v, I: Instance<'v>>(
    program: &Program,
    mut before: Before<'_>,
    path: &[Token<'_>],
    value: View<'v, I>,
    problems: &[sink::Problem],
    meter: &mut Meter,
) -> (Entry, bool) {
    if let [problem] = *problems {
        // The first is made even where nothing is left to pay it with.
        let _ = meter.charge(text::steps(program, problem, value));
        let text = text::text(program, problem, value);
        return (Entry::sorted(path, vec![before.listed(program, 0, text, problem)], 0), true);
    }
    let mut texts = Texts::new(program, problems.len());
    let mut whole = true;
    for (index, problem) in problems.iter().copied().enumerate() {
        match texts.add_like(problem, meter) {
            Ok(false) => {}
            Ok(true) => continue,
            Err(Exhausted) => {
                whole = false;
                if index >= UNPAID {
                    break;
                }
                continue;
            }
        }
        let steps = text::steps(program, problem, value);
        let is_unpaid = index == 0 || (index < UNPAID && steps <= CHEAP);
        let is_made = meter.charge(steps).is_ok() || is_unpaid;
        if !is_made || texts.add(text::text(program, problem, value), problem, meter).is_err() {
            whole = false;
            // A cheap one may still come, but not past those that are unpaid.
            if index >= UNPAID {
                break;
            }
        }
    }
    let (first, more) = texts.finish();
    let listed =
        first.into_iter().enumerate().map(|(at, (text, problem))| before.listed(program, at, text, problem));
    (Entry::sorted(path, listed.collect(), more), whole)
}

/// The entry before, and which problems it told: the next often tells the same, of which keyword and location are there.
struct Before<'e> {
    entry: Option<&'e Entry>,
    told: &'e mut Vec<sink::Problem>,
}

impl Before<'_> {
    /// A problem as the one at place `at` of its entry.
    fn listed(&mut self, program: &Program, at: usize, text: String, problem: sink::Problem) -> Problem {
        let same = match self.told.get_mut(at) {
            Some(told) => std::mem::replace(told, problem) == problem,
            None => {
                if self.told.len() < self.told.capacity() {
                    self.told.push(problem);
                }
                false
            }
        };
        if same && let Some(like) = self.entry.and_then(|entry| entry.problems().get(at)) {
            return like.with_text(text);
        }
        let keyword = keyword::kept_keyword(program, problem);
        Problem::bounded(text, keyword, keyword::schema_location(program, problem))
    }
}
