//! The echo: what a refusal quotes from the request, for the one who sent it.
//!
//! In: a JSON value, a string or bytes that came with a request. Out: the same, cut at the bound and the cut
//! marked. It is *not* scrubbed: it goes into a JSON string, and its sender could not find a key that we rewrote.
//! A log or a terminal wants [`line`](super::line()) or [`render`](super::render()).

use serde_json::Value;

use super::cut::Cut;
use super::json::{Short, shorten};

/// A value as its refusal quotes it: null, a boolean and a number within the bound as themselves, a string cut at
/// [`BOUND`](super::BOUND) bytes, anything else as compact JSON in a string, cut there too.
///
/// A cut is marked by `…`, three bytes on top of the bound; an integer past the bound reads
/// `#Integer<over 256 digits>`. Control characters stay as they were sent, so the answer belongs inside JSON and
/// not on a terminal.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`](super::BOUND), whatever the value's size, depth and numbers.
///
/// ```
/// use portcullis::bound::echo;
/// use serde_json::json;
/// assert_eq!(echo(&json!(7)), json!(7));
/// assert_eq!(echo(&json!("tab\there")), json!("tab\there"));
/// assert_eq!(echo(&json!({"a": null})), json!(r#"{"a":null}"#));
/// ```
#[must_use]
pub fn echo(value: &Value) -> Value {
    match shorten(value) {
        Short::Itself(short) => short.clone(),
        Short::Text(cut) => Value::String(cut.marked()),
    }
}

/// A string as its refusal quotes it; see [`echo`].
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`](super::BOUND), whatever the length.
///
/// ```
/// use portcullis::bound::{BOUND, echo_str};
/// assert_eq!(echo_str("key"), "key");
/// assert_eq!(echo_str(&"k".repeat(1_000_000)), "k".repeat(BOUND) + "…");
/// ```
#[must_use]
pub fn echo_str(text: &str) -> String {
    Cut::of_str(text).marked()
}

/// Bytes as their refusal quotes them: cut, repaired and escaped as [`render_bytes`](super::render_bytes) does,
/// marked and not scrubbed as [`echo`] does.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`](super::BOUND), whatever the length.
///
/// ```
/// assert_eq!(portcullis::bound::echo_bytes(b"k\xFFy"), r"k\xFFy");
/// ```
#[must_use]
pub fn echo_bytes(bytes: &[u8]) -> String {
    Cut::of_bytes(bytes).marked()
}
