//! The bound: every value that is quoted to somebody is cut to a size that its sender cannot pick.
//!
//! In: a string, bytes, a JSON value, or anything that formats itself. Out: a short string (or a short JSON
//! value), at most [`BOUND`] in the value's own unit, whatever came in. Nothing can grow here: strings and bytes
//! are read up to the bound and no further, a JSON container is walked until its text reaches the bound, and a
//! consumer's own formatting writes into a buffer that refuses what passes the bound.
//!
//! There are three forms, for three readers:
//!
//! | form | for | what it does |
//! |---|---|---|
//! | [`render`] | a message | always a string of one line; a string reads as itself, not as its `Debug` |
//! | [`line`](fn@line) | a field of a log line | as `render`, but null, booleans and numbers within the bound stay what they are |
//! | [`echo`](fn@echo) | a value quoted back to its sender inside JSON | marks its cut with `…`, and leaves control characters as they were sent |
//!
//! # The unit
//!
//! A string, bytes and a rendering count bytes; an integer counts digits, without its sign. An integer past the
//! bound reads `#Integer<over 256 digits>`, inside containers too. So a rendering has at most [`BOUND`] bytes,
//! the sign of an integer not counted.
//!
//! # The cut
//!
//! It is made by bytes and never by grapheme: a letter under a megabyte of combining marks costs as much as any
//! other string. Its ends are repaired: a code point that the cut split goes, and so do the continuation bytes
//! that bytes cut elsewhere may open with. Bytes that are no UTF-8 read `\xHH`; so do all of them when the repair
//! would leave nothing. The empty string is itself.
//!
//! # The scrub
//!
//! `render` and `line` then replace each byte of every C0 and C1 control, DEL, U+2028, U+2029 and bidirectional
//! control by `?`, so that no sender can forge, break or hide a line of a log or a terminal.
//!
//! # Cost
//!
//! Every function here returns on every input. For strings, bytes, numbers and JSON values its time and space
//! are bounded by [`BOUND`] alone (entering a map costs the logarithm of its size). Two stated exceptions: a
//! consumer's `Debug` or `Display` takes the time it takes, and [`first`](fn@first) reads every element.
//!
//! ```
//! use portcullis::bound::{BOUND, echo, line, render};
//! use serde_json::json;
//!
//! let hostile = json!("x".repeat(1_000_000) + "\n");
//! assert_eq!(render(&hostile).len(), BOUND);
//! assert_eq!(render(&json!("a\r\nb")), "a??b");
//! assert_eq!(line(&json!(7)), json!(7));
//! assert_eq!(echo(&hostile), json!("x".repeat(BOUND) + "…"));
//! ```

mod cut;
mod echo;
mod first;
mod json;
mod line;
mod numeral;
mod render;
mod scrub;
#[cfg(test)]
mod tests;
mod work;
mod writer;

pub use echo::{echo, echo_bytes, echo_str};
pub use first::{First, first};
pub use line::line;
pub(crate) use numeral::push_number;
pub use render::{render, render_bytes, render_debug, render_display, render_str};
pub(crate) use scrub::is_scrubbed;
pub use scrub::scrub;

/// The bound, in the value's own unit: bytes of a string or of a rendering, digits of an integer.
///
/// Enough to recognise a value by, and short enough that a handful of them fit one line of a log.
pub const BOUND: usize = 256;

/// How many entries a list names before it only counts; what [`first`](fn@first) keeps.
///
/// As many as a reader, person or model, acts on in one go.
pub const LISTED: usize = 10;

/// Marks a cut where the form marks it. It comes on top of the bound.
pub(crate) const MARK: &str = "…";
