//! The rendering: one short line of text from anything.
//!
//! In: a string, bytes, a JSON value, or what formats itself. Out: a `String` of one line, within the bound and
//! scrubbed. A consumer's own formatting runs against a writer that stops it; its memory is its own, ours is
//! bounded.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::cut::Cut;
use super::writer::Writer;
use super::{BOUND, json};

/// What a value reads as whose own formatting fails.
const FORMATTING_FAILED: &str = "#Error<formatting failed>";

/// One line for a message from a JSON value: a string as itself, without quotes; anything else as compact JSON.
///
/// At most [`BOUND`] bytes (an integer: [`BOUND`] digits and its sign), no control character, no bidirectional
/// control. A longer value loses its end without a mark; a longer integer reads `#Integer<over 256 digits>`.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`], whatever the value's size, depth and numbers.
///
/// ```
/// use portcullis::bound::render;
/// use serde_json::json;
/// assert_eq!(render(&json!("plain")), "plain");
/// assert_eq!(render(&json!({"a": [1, "b"]})), r#"{"a":[1,"b"]}"#);
/// assert_eq!(render(&json!("\u{1b}[2Jgone")), "?[2Jgone");
/// ```
#[must_use]
pub fn render(value: &Value) -> String {
    json::cut(value).scrubbed()
}

/// As [`render`], from a string.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`], whatever the length.
///
/// ```
/// assert_eq!(portcullis::bound::render_str("two\nlines"), "two?lines");
/// ```
#[must_use]
pub fn render_str(text: &str) -> String {
    Cut::of_str(text).scrubbed()
}

/// As [`render`], from bytes that are meant to be UTF-8. The ends are repaired; bytes that are no UTF-8 read
/// `\xHH`. It is for reading: text that spells such an escape itself looks the same.
///
/// # Cost
///
/// Time and space are bounded by [`BOUND`], whatever the length.
///
/// ```
/// assert_eq!(portcullis::bound::render_bytes(b"caf\xE9 au lait"), r"caf\xE9 au lait");
/// ```
#[must_use]
pub fn render_bytes(bytes: &[u8]) -> String {
    Cut::of_bytes(bytes).scrubbed()
}

/// As [`render`], from what a value's own `Debug` writes.
///
/// At [`BOUND`] bytes the formatter gets an error, which a well-behaved `Debug` passes on and so stops. A `Debug`
/// that returns an error of its own, or panics, reads `#Error<formatting failed>`.
///
/// A panic is caught where panics unwind: the panic hook has run by then, and the payload is forgotten (leaked),
/// because dropping it could panic again. Under `panic = "abort"` the process ends, as with any panic.
///
/// # Cost
///
/// Space here is bounded by [`BOUND`]; time, and what the formatting allocates or leaks, are the value's own.
///
/// ```
/// use portcullis::bound::{BOUND, render_debug};
/// assert_eq!(render_debug(&Some(1)), "Some(1)");
/// assert_eq!(render_debug(&vec![0; 1_000_000]).len(), BOUND);
/// ```
#[must_use]
pub fn render_debug<T: fmt::Debug + ?Sized>(value: &T) -> String {
    formatted(format_args!("{value:?}"))
}

/// As [`render_debug`], from what a value's own `Display` writes.
///
/// # Cost
///
/// As [`render_debug`].
///
/// ```
/// let error = "x".parse::<u8>().unwrap_err();
/// assert_eq!(portcullis::bound::render_display(&error), "invalid digit found in string");
/// ```
#[must_use]
pub fn render_display<T: fmt::Display + ?Sized>(value: &T) -> String {
    formatted(format_args!("{value}"))
}

/// Runs a consumer's formatting against the bound.
fn formatted(arguments: fmt::Arguments<'_>) -> String {
    // Unwind safe: after a panic the writer is gone and nothing of ours is left half done.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::new(BOUND);
        let written = fmt::Write::write_fmt(&mut writer, arguments);
        // Past the bound the error is ours; before it, the consumer's.
        (written.is_ok() || writer.is_cut()).then_some(writer)
    }));
    match outcome {
        Ok(Some(writer)) => Cut::from(writer).scrubbed(),
        Ok(None) => FORMATTING_FAILED.to_owned(),
        Err(payload) => {
            std::mem::forget(payload);
            FORMATTING_FAILED.to_owned()
        }
    }
}
