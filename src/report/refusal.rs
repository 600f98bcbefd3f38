//! The refusal: the whole answer, bounded.
//!
//! In: entries, and from a gate the call's tool and action and its schema. Out: [`Refusal`], one pointer wide.
//! Every string that it holds was cut when it was put in, so its size depends on the consts that
//! [`Refusal::MAX_BYTES`] is made of and on nothing that came with the data.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::entry::Entry;
use super::escape;
use super::json;
use super::kind::RefusalKind;
use super::message;
use crate::bound::{LISTED, echo_str};

/// Why data may not pass: the first ten failing places, and how many there are.
///
/// # Size
///
/// At most [`LISTED`] entries of at most [`LISTED`] problems; every string is cut at a const. Serialised as JSON it
/// has at most [`Refusal::MAX_BYTES`], besides the server's own `input_schema`.
///
/// # JSON
///
/// ```json
/// {
///   "error": "invalid_values",
///   "message": "2 invalid values: due: value does not respect the 'date' format; …",
///   "tool": "tasks", "action": "create",
///   "invalid": [
///     {"path": "due", "pointer": "/due", "problems": ["value does not respect the 'date' format"], "more": 0}
///   ],
///   "total": 2,
///   "input_schema": {}, "help": "…"
/// }
/// ```
///
/// - `error`, `message`, `invalid` and `total` are always there. `tool`, `action`, `input_schema` and `help` come
///   from a gate, and stand only where it knows them. A schema too large to be sent is left out and
///   `input_schema_omitted` says why.
/// - `complete`, `false`, stands only where the report ran out of its own steps: `total` is then a lower bound.
/// - Of an entry, `path`, `pointer`, `problems` and `more` are always there; `pointer_is_cut`, `true`, only where it
///   is, and `suggestion` only where there is one.
/// - Keys of the data are as they were sent (cut, not scrubbed): a JSON string can carry them. `message` is one
///   line and scrubbed. For a terminal take [`to_printable_json`](Self::to_printable_json).
///
/// `Display` is the message.
///
/// ```
/// use portcullis::{RefusalKind, Validator};
/// use serde_json::json;
///
/// let validator = Validator::new(&json!({"items": {"maxLength": 3}}))?;
/// let refusal = validator.check(&json!(vec!["abcd"; 12])).unwrap_err();
/// assert_eq!(refusal.kind(), RefusalKind::InvalidValues);
/// assert_eq!((refusal.total(), refusal.entries().len()), (12, 10));
/// let first = &refusal.entries()[0];
/// assert_eq!((first.path(), first.pointer()), ("[0]", "/0"));
/// assert_eq!(first.problems()[0].text(), "value length must be at most 3 but is 4");
/// assert_eq!(first.problems()[0].schema_location(), "#/items/maxLength");
/// # Ok::<(), portcullis::BuildError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Refusal(Box<Inner>);

const _: () = assert!(size_of::<Refusal>() == size_of::<usize>(), "a refusal is one pointer wide");

#[derive(Clone, PartialEq)]
struct Inner {
    kind: RefusalKind,
    message: String,
    tool: Option<String>,
    action: Option<String>,
    entries: Vec<Entry>,
    total: usize,
    is_complete: bool,
    input_schema: InputSchema,
    help: Option<String>,
}

/// What a refusal says about the schema of the data.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InputSchema {
    /// Nothing.
    Absent,
    /// The schema, as it is published: the gate has seen that it is small, and shares it between refusals.
    Shown(Arc<Value>),
    /// That it is too large to be sent.
    TooLarge,
}

impl Refusal {
    /// The most bytes that a refusal can have as compact JSON, after escaping, without the server's own
    /// `input_schema`. Derived from the bounds of its parts.
    pub const MAX_BYTES: usize = json::MAX_BYTES;

    /// A refusal of these entries, which are sorted by path and of which the first [`LISTED`] are kept; `total` is
    /// how many there would have been. `lead` opens the message where the kind and the total would not say enough.
    pub(crate) fn new(kind: RefusalKind, lead: Option<&str>, mut entries: Vec<Entry>, total: usize) -> Self {
        entries.truncate(LISTED);
        let total = total.max(entries.len());
        Refusal(Box::new(Inner {
            kind,
            message: message::message(kind, lead, &entries, total, true),
            tool: None,
            action: None,
            entries,
            total,
            is_complete: true,
            input_schema: InputSchema::Absent,
            help: None,
        }))
    }

    /// The same, of a report that could not go through all of the data.
    pub(crate) fn incomplete(kind: RefusalKind, entries: Vec<Entry>, total: usize) -> Self {
        let mut refusal = Refusal::new(kind, None, entries, total);
        let inner = &mut *refusal.0;
        inner.is_complete = false;
        inner.message = message::message(kind, None, &inner.entries, inner.total, false);
        refusal
    }

    /// Adds the tool that the call named.
    pub(crate) fn with_tool(mut self, tool: &str) -> Self {
        self.0.tool = Some(echo_str(tool));
        self
    }

    /// Adds the action that the call named.
    pub(crate) fn with_action(mut self, action: &str) -> Self {
        self.0.action = Some(echo_str(action));
        self
    }

    /// Adds the schema of the data, or that it is too large.
    pub(crate) fn with_input_schema(mut self, input_schema: InputSchema) -> Self {
        self.0.input_schema = input_schema;
        self
    }

    /// Adds where help is.
    pub(crate) fn with_help(mut self, help: &str) -> Self {
        self.0.help = Some(echo_str(help));
        self
    }

    /// What it is about.
    pub fn kind(&self) -> RefusalKind {
        self.0.kind
    }

    /// How many distinct places of the data fail; exact where [`is_complete`](Self::is_complete), else a lower
    /// bound.
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// The first failing places, at most [`LISTED`], in path order: by tokens, outermost first, a place before what
    /// lies in it; indices, and keys that look like one, by number and before names; names by bytes.
    pub fn entries(&self) -> &[Entry] {
        &self.0.entries
    }

    /// Whether the report went through all of the data. If not, its steps ran out or another limit left something
    /// unchecked: [`total`](Self::total) is a lower bound and places that come earlier may be missing.
    pub fn is_complete(&self) -> bool {
        self.0.is_complete
    }

    /// The refusal in one line, essentials first, for a calling model or a person: at most 1,024 bytes, with what
    /// could break a line or a terminal replaced by `?`.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// One line for logs and telemetry: kind, total, tool and action, message. At most 1,024 bytes; scrubbed as the
    /// message is.
    pub fn log_line(&self) -> String {
        message::log_line(
            self.kind(),
            self.total(),
            self.is_complete(),
            self.tool(),
            self.action(),
            self.message(),
        )
    }

    /// The tool that the call named, as it named it, at most [`BOUND`](crate::bound::BOUND) bytes and a mark.
    pub fn tool(&self) -> Option<&str> {
        self.0.tool.as_deref()
    }

    /// The action that the call named; as [`tool`](Self::tool).
    pub fn action(&self) -> Option<&str> {
        self.0.action.as_deref()
    }

    /// The schema that the data has to match, as it is published. Absent where no gate knows one, and where it is
    /// too large to be sent.
    pub fn input_schema(&self) -> Option<&Value> {
        match &self.0.input_schema {
            InputSchema::Shown(schema) => Some(schema),
            InputSchema::Absent | InputSchema::TooLarge => None,
        }
    }

    /// Whether the schema was left out because it is too large.
    pub(super) fn input_schema_is_too_large(&self) -> bool {
        self.0.input_schema == InputSchema::TooLarge
    }

    /// Where help is; the server's own words, at most [`BOUND`](crate::bound::BOUND) bytes and a mark.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The same JSON as `Serialize` gives, safe on a terminal too: JSON escapes only C0, and this escapes DEL, C1,
    /// U+2028, U+2029 and the bidirectional controls as `\uXXXX` as well. No more than
    /// [`MAX_BYTES`](Self::MAX_BYTES) (the schema not counted).
    pub fn to_printable_json(&self) -> String {
        // Nothing in a refusal can fail to serialise: its keys are strings and its numbers are finite.
        escape::to_printable_json(self).unwrap_or_else(|_| format!("{{\"error\":\"{}\"}}", self.kind()))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// The essentials, on one line if so formatted: what is inside the entries and the schema is too much for a log.
impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal")
            .field("kind", &self.kind())
            .field("tool", &self.tool())
            .field("action", &self.action())
            .field("total", &self.total())
            .field("is_complete", &self.is_complete())
            .field("message", &self.message())
            .finish_non_exhaustive()
    }
}

impl Error for Refusal {}
