//! A JSON value as text, or as itself where it is short.
//!
//! In: a `serde_json::Value` of any size, nesting and numbers. Out: its compact JSON text, cut at the bound. Every
//! node that is entered writes at least one byte before the next, and the walk stops with the writer: so nodes
//! visited, characters read and containers open at once are all bounded by the bound. Nothing recurses.

use std::fmt::{self, Write as _};
use std::slice;

use serde_json::{Map, Value, map};

use super::cut::Cut;
use super::numeral::Numeral;
use super::writer::Writer;
use super::{BOUND, work};

/// A value as far as it may be quoted where JSON values can stand.
pub(super) enum Short<'v> {
    /// Null, a boolean or a number within the bound.
    Itself(&'v Value),
    /// Anything else.
    Text(Cut<'v>),
}

/// What is short stays what it is; the rest becomes text.
pub(super) fn shorten(value: &Value) -> Short<'_> {
    match value {
        Value::Null | Value::Bool(_) => Short::Itself(value),
        Value::Number(number) => match Numeral::read(number) {
            Numeral::Within(_) => Short::Itself(value),
            long @ (Numeral::LongInteger | Numeral::Text(_)) => Short::Text(long.into_cut()),
        },
        Value::String(_) | Value::Array(_) | Value::Object(_) => Short::Text(cut(value)),
    }
}

/// The value as text: a string as itself, a number as its numeral, anything else as compact JSON.
pub(super) fn cut(value: &Value) -> Cut<'_> {
    match value {
        Value::String(text) => Cut::of_str(text),
        Value::Number(number) => Numeral::read(number).into_cut(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            let mut writer = Writer::new(BOUND);
            // An error is the bound, which the writer remembers.
            let _ = write_value(value, &mut writer);
            Cut::from(writer)
        }
    }
}

/// A container whose end is not written yet.
enum Open<'v> {
    Array(slice::Iter<'v, Value>),
    Object(map::Iter<'v>),
}

/// Writes compact JSON (RFC 8259) up to the bound of `writer`.
fn write_value<'v>(value: &'v Value, writer: &mut Writer) -> fmt::Result {
    let mut open: Vec<Open<'v>> = Vec::new();
    open.extend(write_start(value, writer)?);
    // Whether the container on top has a child already.
    let mut follows = false;
    while let Some(container) = open.last_mut() {
        let child = match container {
            Open::Array(items) => items.next().map(|item| (None, item)),
            Open::Object(members) => members.next().map(|(key, member)| (Some(key), member)),
        };
        let Some((key, child)) = child else {
            writer.write_char(match container {
                Open::Array(_) => ']',
                Open::Object(_) => '}',
            })?;
            open.pop();
            follows = true;
            continue;
        };
        if follows {
            writer.write_char(',')?;
        }
        if let Some(key) = key {
            write_string(key, writer)?;
            writer.write_char(':')?;
        }
        let entered = write_start(child, writer)?;
        follows = entered.is_none();
        open.extend(entered);
    }
    Ok(())
}

/// Writes a scalar whole, or the start of a container, which is handed back to be walked.
fn write_start<'v>(value: &'v Value, writer: &mut Writer) -> Result<Option<Open<'v>>, fmt::Error> {
    work::count(1);
    match value {
        Value::Null => writer.write_str("null")?,
        Value::Bool(true) => writer.write_str("true")?,
        Value::Bool(false) => writer.write_str("false")?,
        // A numeral that was cut is as long as the bound, so that it is cut here too, past its container's start.
        Value::Number(number) => writer.write_str(&Numeral::read(number).into_cut().text)?,
        Value::String(text) => write_string(text, writer)?,
        Value::Array(items) => {
            writer.write_char('[')?;
            return Ok(Some(Open::Array(items.iter())));
        }
        Value::Object(members) => {
            writer.write_char('{')?;
            return Ok(Some(Open::Object(Map::iter(members))));
        }
    }
    Ok(None)
}

/// Writes a JSON string, character by character: what lies past the bound is not read.
fn write_string(text: &str, writer: &mut Writer) -> fmt::Result {
    writer.write_char('"')?;
    for character in text.chars() {
        work::count(character.len_utf8());
        match character {
            '"' => writer.write_whole("\\\"")?,
            '\\' => writer.write_whole("\\\\")?,
            '\u{8}' => writer.write_whole("\\b")?,
            '\u{C}' => writer.write_whole("\\f")?,
            '\n' => writer.write_whole("\\n")?,
            '\r' => writer.write_whole("\\r")?,
            '\t' => writer.write_whole("\\t")?,
            '\u{0}'..='\u{1F}' => writer.write_whole(&format!("\\u{:04x}", u32::from(character)))?,
            _ => writer.write_char(character)?,
        }
    }
    writer.write_char('"')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_is_what_serde_json_writes() {
        for value in [
            json!(null),
            json!([]),
            json!({}),
            json!([[], {}, [[]], {"a": {}}, 1, -2.5, true, false, null]),
            json!({"a": [1, {"b": [2, 3]}, 4], "c": "d", "": [[], 0]}),
            json!(["\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}ü\u{2028}"]),
        ] {
            assert_eq!(cut(&value), Cut { text: value.to_string().into(), is_cut: false });
        }
    }

    #[test]
    fn the_bound_itself_is_not_cut() {
        let exact = json!(["x".repeat(BOUND - 4)]);
        assert_eq!(cut(&exact), Cut { text: exact.to_string().into(), is_cut: false });
        let long = json!(["x".repeat(BOUND - 3)]);
        assert_eq!(cut(&long), Cut { text: long.to_string()[..BOUND].into(), is_cut: true });
    }

    #[test]
    fn an_escape_is_not_split() {
        let value = json!(["x".repeat(BOUND - 5) + "\u{1}"]);
        let Cut { text, is_cut } = cut(&value);
        assert!(is_cut && text.ends_with('x'));
    }
}
