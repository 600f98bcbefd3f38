//! The naive twin: an obvious, slow evaluator of JSON Schema that judges the engine.
//!
//! In: a schema document of any dialect with its resources, and an instance. Out: every problem as (path,
//! keyword), and the answer a refusal must give: all failing paths counted, the first ten in token order listed.
//! Nothing is compiled, shared or remembered: its time can be exponential in the schema, so it counts steps and
//! gives up, with a reason, past [`STEPS`] and wherever a schema needs what it does not know. What a format or a
//! media type is, it asks the engine, of that one keyword alone, and says so ([`Twin::has_borrowed`]).

// Each test crate that includes this module uses its own part of it.
#![allow(dead_code)]

pub(crate) mod agree;
mod assertions;
#[path = "../bytes/mod.rs"]
pub(crate) mod bytes;
mod decimal;
mod documents;
mod evaluate;
pub(crate) mod metaschemas;
pub(crate) mod order;
mod uri;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

pub(crate) use documents::Draft;
use documents::{Documents, Place};

/// Entries that an answer lists: what the engine's refusal lists.
pub(crate) const LISTED: usize = 10;

/// Schemas applied to values before the twin gives up: a second of its time.
const STEPS: usize = 200_000;

/// Items that `uniqueItems` compares each with each.
const ITEMS: usize = 2_000;

/// Bytes of a text that a pattern may backtrack on. With groups the time can double with each, and attacks are longer;
/// without groups it is a power of the length.
const TEXT: usize = 48;
const TEXT_WITHOUT_GROUPS: usize = 1_000;

/// What a schema `false` is called as a keyword: it reports itself.
pub(crate) const FALSE_SCHEMA: &str = "false";

/// One reason why one place of the instance fails.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    pub(crate) path: Vec<String>,
    pub(crate) keyword: String,
}

/// One failing place, with all the keywords that fail there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) pointer: String,
    pub(crate) keywords: BTreeSet<String>,
}

/// What the engine has to answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// How many places fail.
    pub(crate) total: usize,
    /// The failing places in token order, all of them; a refusal lists the first [`LISTED`].
    pub(crate) entries: Vec<Entry>,
}

impl Answer {
    pub(crate) fn is_valid(&self) -> bool {
        self.total == 0
    }

    pub(crate) fn listed(&self) -> &[Entry] {
        &self.entries[..self.entries.len().min(LISTED)]
    }
}

/// What tells whether a pattern occurs.
enum Matcher {
    Linear(regex::Regex),
    Backtracking(regress::Regex),
    /// It is no pattern.
    None,
}

/// A schema with its resources.
pub(crate) struct Twin<'s> {
    documents: Documents<'s>,
    root: Place<'s>,
    assert_format: bool,
    assert_content: bool,
    patterns: RefCell<HashMap<String, Matcher>>,
    borrowed: Cell<bool>,
    steps: Cell<usize>,
    gave_up: RefCell<Option<String>>,
}

impl<'s> Twin<'s> {
    /// Reads `schema` in its `$schema`, or else in `draft`; `resources` are the documents that it may refer to.
    pub(crate) fn new(draft: Draft, schema: &'s Value, resources: &'s [(String, Value)]) -> Self {
        let (documents, root) = Documents::new(draft, schema, resources);
        Twin {
            documents,
            root,
            assert_format: false,
            assert_content: false,
            patterns: RefCell::default(),
            borrowed: Cell::new(false),
            steps: Cell::new(0),
            gave_up: RefCell::default(),
        }
    }

    /// Whether `format` asserts.
    pub(crate) fn assert_format(mut self, assert: bool) -> Self {
        self.assert_format = assert;
        self
    }

    /// Whether `contentEncoding` and `contentMediaType` assert.
    pub(crate) fn assert_content(mut self, assert: bool) -> Self {
        self.assert_content = assert;
        self
    }

    /// Whether the last answer rests on the engine's own judge of a format or a media type.
    pub(crate) fn has_borrowed(&self) -> bool {
        self.borrowed.get()
    }

    /// The answer for `instance`, or why the twin has none.
    pub(crate) fn answer(&self, instance: &Value) -> Result<Answer, String> {
        self.steps.set(0);
        self.borrowed.set(false);
        let outcome = self.judge(&evaluate::At::root(self.root.clone(), instance));
        if let Some(reason) = self.gave_up.take() {
            return Err(reason);
        }
        let mut places: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
        for problem in outcome.problems {
            places.entry(problem.path).or_default().insert(problem.keyword);
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by(|one, other| order::paths(&one.0, &other.0));
        let entries: Vec<Entry> = places
            .into_iter()
            .map(|(path, keywords)| Entry { pointer: order::pointer(&path), keywords })
            .collect();
        Ok(Answer { total: entries.len(), entries })
    }

    /// Notes why no answer can be given; the first reason counts.
    fn give_up(&self, reason: impl Into<String>) {
        self.gave_up.borrow_mut().get_or_insert_with(|| reason.into());
    }

    fn has_given_up(&self) -> bool {
        self.gave_up.borrow().is_some()
    }
}

/// Whether two values are equal as JSON: numbers by value, objects in any order.
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
    assertions::equal(one, other)
}

/// Whether `number` is exactly what `literal` says: JSON's reader may have rounded it.
pub(crate) fn spells(literal: &str, number: &serde_json::Number) -> bool {
    decimal::Decimal::parse(literal) == decimal::Decimal::new(number)
}
