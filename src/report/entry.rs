//! One failing place of a refusal.
//!
//! In: its tokens and its problems. Out: strings that are bounded once and for all when the entry is made:
//! [`PATH_BYTES`](super::path::PATH_BYTES) for the path and the pointer, [`BOUND`] for a text and a suggestion,
//! [`LISTED`] problems.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map;

use super::cut;
use super::keyword::LOCATION_BYTES;
use super::path::{Spelled, spell};
#[cfg(doc)]
use crate::bound::BOUND;
use crate::bound::{LISTED, echo_str};
use crate::engine::sink::Token;

/// One reason why one place of the data fails.
///
/// The text is for people and models and may change between versions; the keyword and the schema location are
/// for programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    text: String,
    keyword: Cow<'static, str>,
    schema_location: String,
}

impl Problem {
    pub(crate) fn new(text: &str, keyword: &str, schema_location: &str) -> Self {
        Problem {
            text: echo_str(text),
            keyword: Cow::Owned(keyword.to_owned()),
            schema_location: cut::middle(schema_location, LOCATION_BYTES),
        }
    }

    /// Of strings that are bounded already.
    pub(super) fn bounded(text: String, keyword: Cow<'static, str>, schema_location: String) -> Self {
        Problem { text, keyword, schema_location }
    }

    /// The same place of the schema, of another value.
    pub(super) fn with_text(&self, text: String) -> Self {
        Problem { text, keyword: self.keyword.clone(), schema_location: self.schema_location.clone() }
    }

    /// One sentence, at most [`BOUND`] bytes and a mark `…` where it was cut. It never quotes the data; what it
    /// quotes from the schema is not scrubbed of control characters.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The schema's keyword that was not met; `false` for the schema of that name, empty where a limit ended the
    /// whole check before any keyword could say no.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// Where that keyword stands: the schema's absolute URI, `#`, and a JSON Pointer; at most 1,024 bytes and a
    /// mark `…` where its middle was cut out, keys at most [`BOUND`] and a mark. Empty where the problem is of no schema document.
    pub fn schema_location(&self) -> &str {
        &self.schema_location
    }
}

/// One failing place of the data, with what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    place: Spelled,
    problems: Vec<Problem>,
    more: usize,
    suggestion: Option<String>,
}

impl Entry {
    /// An entry of these problems: those of one text are one, with the first schema location by bytes; sorted by
    /// text; at most [`LISTED`] are kept. Takes time and memory in proportion to the problems.
    pub(crate) fn new(path: &[Token<'_>], problems: impl IntoIterator<Item = Problem>) -> Self {
        let mut distinct: BTreeMap<String, Problem> = BTreeMap::new();
        for problem in problems {
            match distinct.entry(problem.text.clone()) {
                btree_map::Entry::Vacant(vacant) => {
                    vacant.insert(problem);
                }
                btree_map::Entry::Occupied(mut first) => {
                    if by_location(&problem) < by_location(first.get()) {
                        first.insert(problem);
                    }
                }
            }
        }
        let more = distinct.len().saturating_sub(LISTED);
        Entry::sorted(path, distinct.into_values().take(LISTED).collect(), more)
    }

    /// An entry of problems that are distinct, sorted and at most [`LISTED`] already.
    pub(super) fn sorted(path: &[Token<'_>], mut problems: Vec<Problem>, more: usize) -> Self {
        problems.truncate(LISTED);
        Entry { place: spell(path), problems, more, suggestion: None }
    }

    /// Adds what the sender may have meant, a declared name.
    pub(crate) fn with_suggestion(mut self, name: &str) -> Self {
        self.suggestion = Some(echo_str(name));
        self
    }

    /// Where in the data, for reading: `items[3].name`, `["weird key"].x`, `(root)`.
    ///
    /// At most 1,024 bytes and a mark `…` where the middle was cut out; each key at most [`BOUND`] and a mark. Keys
    /// are as they were sent, control characters included: for JSON, not for a terminal
    /// ([`Refusal`](super::Refusal)'s `Display` and `log_line` scrub them).
    pub fn path(&self) -> &str {
        &self.place.path
    }

    /// Where in the data, as a JSON Pointer (RFC 6901); the root is empty. Bounded as the path is, and not to be
    /// resolved where [`pointer_is_cut`](Self::pointer_is_cut).
    pub fn pointer(&self) -> &str {
        &self.place.pointer
    }

    /// Whether the pointer was cut, in one of its keys or in its middle, and leads nowhere.
    pub fn pointer_is_cut(&self) -> bool {
        self.place.pointer_is_cut
    }

    /// What is wrong there: the first [`LISTED`] in the order of their texts, no text twice.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// How many more distinct texts there are.
    pub fn more(&self) -> usize {
        self.more
    }

    /// A declared name that is close to the unknown one at this path, at most [`BOUND`] bytes and a mark.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

fn by_location(problem: &Problem) -> (&str, &str) {
    (&problem.schema_location, &problem.keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(entry: &Entry) -> Vec<&str> {
        entry.problems().iter().map(Problem::text).collect()
    }

    #[test]
    fn problems_are_sorted_and_one_text_is_one_problem() {
        let entry = Entry::new(
            &[],
            [
                Problem::new("b", "type", "#/b/type"),
                Problem::new("a", "enum", "#/z/enum"),
                Problem::new("a", "const", "#/a/const"),
                Problem::new("a", "enum", "#/b/enum"),
            ],
        );
        assert_eq!((texts(&entry), entry.more()), (vec!["a", "b"], 0));
        assert_eq!(entry.problems()[0].schema_location(), "#/a/const");
        assert_eq!(entry.problems()[0].keyword(), "const");
    }

    #[test]
    fn ten_problems_are_listed_and_the_rest_is_counted() {
        let problems =
            |count: usize| (0..count).map(|number| Problem::new(&format!("{number:02}"), "type", "#"));
        let entry = Entry::new(&[], problems(LISTED));
        assert_eq!((entry.problems().len(), entry.more()), (LISTED, 0));
        let entry = Entry::new(&[], problems(LISTED + 2));
        assert_eq!((entry.problems().len(), entry.more()), (LISTED, 2));
        assert_eq!(texts(&entry)[9], "09");
    }
}
