//! A JSON Schema gate for untrusted JSON: worst-case time, allocation and answer size that the caller cannot pick.
//!
//! A server gets a call that a language model, or an attacker, wrote. Each schema was compiled once into an
//! instruction tree. The call's data runs through it: it passes, or it gets one bounded [`Refusal`] that is exact
//! and short enough for the caller to correct itself from.
//!
//! ```
//! use portcullis::Validator;
//! use serde_json::json;
//!
//! let validator = Validator::new(&json!({
//!     "type": "object",
//!     "properties": {
//!         "name": {"type": "string", "maxLength": 80},
//!         "due": {"type": "string", "format": "date"}
//!     },
//!     "required": ["name"],
//!     "additionalProperties": false
//! }))?;
//!
//! assert!(validator.is_valid(&json!({"name": "Water the plants", "due": "2030-01-01"})));
//!
//! let refusal = validator.check(&json!({"name": 7, "due": "tomorrow"})).unwrap_err();
//! assert_eq!(refusal.total(), 2);
//! let lines: Vec<_> = refusal
//!     .entries()
//!     .iter()
//!     .map(|entry| format!("{}: {}", entry.path(), entry.problems()[0].text()))
//!     .collect();
//! assert_eq!(
//!     lines,
//!     ["due: value does not respect the 'date' format", "name: value is not of type string (got number)"]
//! );
//! # Ok::<(), portcullis::BuildError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | check values against a schema | [`Validator`]: [`is_valid`](Validator::is_valid), [`check`](Validator::check), [`read`](Validator::read) |
//! | check a body as it came, and parse no more than passes | [`is_valid_slice`](Validator::is_valid_slice), [`check_slice`](Validator::check_slice), [`read_slice`](Validator::read_slice), [`Gate::call_slice`](gate::Gate::call_slice) |
//! | choose a dialect, formats, resources, limits | [`Options`] from [`Validator::options`] |
//! | serve tool calls: actions, required keys, unknown keys, defaults | [`gate::Gate`] |
//! | quote a value in a log or a message without letting it choose the size | [`bound`] |
//! | know what a check can cost | [`Validator::cost`], [`Validator::explain`] |
//!
//! # Untrusted input
//!
//! This chapter is the promise; `SECURITY.md` calls whatever breaks it a vulnerability. Below, |P| is the number of
//! instructions of the compiled schema and n the number of values and bytes of the instance.
//!
//! **Panics.** No public function panics on any schema or instance, parsed or built in code. A caller's own format
//! may panic: the panic passes through, and [`Scratch`] and validator stay usable.
//!
//! **Time.** A check takes O(|P|·n) steps, counted as they are taken, and never more than [`Limits::steps`]. Where one
//! value can meet one schema by several routes, the verdict is remembered. Patterns are charged by what their
//! automaton can cost; those that only backtracking can run are tried on short strings and pay for every move. A
//! check that runs out is refused, never passed, and says so: "value could not be checked within the limit".
//!
//! **Memory.** What a check needs it keeps in a [`Scratch`], and nowhere else. What grows inside a check is named by
//! [`Validator::cost`] and bounded by [`Limits::memo_entries`] and [`Limits::unique_items`]; the automata of all patterns
//! by [`limits::PATTERN_CACHES`], what waits in a backtracking try by [`limits::BACKTRACK_FRAMES`], and the tables of
//! look-around by two bits for each step. With a warm scratch, which each thread
//! keeps for calls that bring none, calls allocate:
//!
//! | call | at most, at a time |
//! |---|---|
//! | [`is_valid_with`](Validator::is_valid_with), [`is_valid`](Validator::is_valid), [`is_valid_object`](Validator::is_valid_object) | nothing |
//! | [`check_with`](Validator::check_with), [`check`](Validator::check), [`check_object`](Validator::check_object) of what passes | nothing |
//! | the same of what does not | 64 KiB for ten paths and their problems; 32 bytes for each failing place; 120 for each problem of one of the ten |
//! | [`is_valid_slice_with`](Validator::is_valid_slice_with), [`check_slice_with`](Validator::check_slice_with) and their forms without a scratch, of what passes | nothing |
//! | the same with a scratch that is new | 27 bytes for each byte of the body, and 4 KiB (real documents: three) |
//! | [`check_slice`](Validator::check_slice) of what does not pass, or is no JSON | as `check`; 1 KiB |
//! | [`read_slice`](Validator::read_slice) of what passes | the value, and 64 bytes for each number that is cast |
//! | [`visit`](Validator::visit) | 48 bytes for each level of the value, and what the closure asks for |
//! | [`read`](Validator::read) of what passes | 256 bytes for each level of the value, and 24 for each number that is cast |
//! | [`Gate::call`](gate::Gate::call), [`call_tool`](gate::Gate::call_tool) of what passes | as `read`, and the defaults that are filled in |
//! | the same of what does not | as `check`, as `read`, and at most ten suggestions |
//! | [`Validator::new`], [`Options::build`] | 64 MiB, and 100 bytes for each byte of the schema |
//! | [`echo`](bound::echo()), [`line`](bound::line()), [`render`](bound::render()) and their forms; [`first`](bound::first()) | 4 KiB; ten elements |
//!
//! A call that passes also allocates in these cases: a text of the format `regex` with named groups or more than 64
//! levels ([`limits::SYNTAX_BYTES`]); a pattern whose automaton does not fit its share, or that others have driven out of
//! the budget; the caller's own formats and keywords; and without a scratch of one's own, a check that has needed more
//! than 4 MiB, which the thread does not keep.
//!
//! **Stack.** A value nested a million deep overflows nothing, a 2 MiB thread and a debug build included: depth is one
//! counter ([`Limits::depth`]), and what we own of such a value is taken apart without recursion.
//!
//! **Answer.** A serialised refusal is at most [`Refusal::MAX_BYTES`], besides the server's own schema, whatever was
//! sent. No text quotes what was sent; keys in paths are cut at [`bound::BOUND`] bytes.
//!
//! **Hostile schemas.** Depth, size in bytes, number of subschemas, patterns and dynamic copies are limited
//! ([`limits`]), nothing is ever fetched, and a schema that its dialect's metaschema refuses does not build.
//!
//! **Not bounded**: the time of a caller's own format or keyword, and of a consumer's `Debug` or `Display` given to
//! [`bound`]; the memory of a `serde_json::Value` that is checked, which exists before we see it. A body that is checked as
//! bytes is bounded before it is anything: [`Limits::instance_bytes`], [`instance_values`](Limits::instance_values),
//! [`key_bytes`](Limits::key_bytes) and [`depth`](Limits::depth).
//!
//! # Features
//!
//! Off by default: `arbitrary_precision` (exact numbers beyond u64 and f64 on `serde_json::Value`; turns serde_json's
//! feature of that name on) and `cli` (the command line). The crate is right under every feature of serde_json that
//! a dependent may turn on.

pub mod bound;
mod compile;
mod engine;
mod format;
pub mod gate;
mod keyword;
pub mod limits;
mod metaschema;
mod options;
mod pattern;
mod program;
mod report;
mod schema;
mod slice;
mod validator;
mod value;
mod words;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[doc(hidden)]
pub use compile::Rewrite;
pub use compile::UnknownFormats;
pub use engine::scratch::Scratch;
pub use keyword::KeywordCheck;
pub use limits::Limits;
pub use options::Options;
pub use program::cost::Cost;
pub use report::{Entry, Found, Problem, Refusal, RefusalKind, to_printable_json};
pub use schema::dialect::Dialect;
pub use schema::documents::Retrieve;
pub use schema::error::BuildError;
pub use slice::{SliceError, SliceErrorKind};
pub use validator::Validator;
pub use value::tape::DuplicateKeys;
