//! A field of a log line.
//!
//! In: a JSON value. Out: a JSON value of one line at most, so that a log keeps the types of short scalars. Bounded
//! as a rendering is.

use serde_json::Value;

use super::json::{Short, shorten};

/// What a log line's field may hold of a value: null, a boolean and a number within the bound as themselves,
/// anything else as the string that [`render`](super::render) makes of it.
///
/// An integer is within the bound up to [`BOUND`](super::BOUND) digits, its sign not counted; any other number up
/// to as many bytes of text.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`](super::BOUND), whatever the value's size, depth and numbers.
///
/// ```
/// use portcullis::bound::line;
/// use serde_json::json;
/// assert_eq!(line(&json!(1.5)), json!(1.5));
/// assert_eq!(line(&json!("user\nroot logged in")), json!("user?root logged in"));
/// assert_eq!(line(&json!([1, 2])), json!("[1,2]"));
/// ```
#[must_use]
pub fn line(value: &Value) -> Value {
    match shorten(value) {
        Short::Itself(short) => short.clone(),
        Short::Text(cut) => Value::String(cut.scrubbed()),
    }
}
