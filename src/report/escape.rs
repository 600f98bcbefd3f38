//! JSON that is safe on a terminal and in a log.
//!
//! In: anything that serialises. Out: compact JSON where every code point that [`scrub`](crate::bound::scrub) would
//! replace is written as `\uXXXX`. Nothing is lost, and a byte still becomes at most six.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::bound::is_scrubbed;

/// Writes what JSON's own escaping leaves: it covers only C0, `"` and `\`.
struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_scrubbed(*character)) {
            let (clean, from) = rest.split_at(at);
            writer.write_all(clean.as_bytes())?;
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.get(character.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}

/// `value` as compact JSON that is safe on a terminal and in a log: JSON's own escaping covers only C0, and this
/// writes DEL, C1, U+2028, U+2029 and the bidirectional controls as `\uXXXX` too. It parses to the same value.
///
/// # Errors
///
/// As [`serde_json::to_string`]: what cannot be JSON, such as a map whose keys are no strings.
///
/// # Cost
///
/// Time and space are linear in the value; each of its bytes becomes at most six. The value is walked on the call
/// stack: one whose depth the sender picks is checked first.
///
/// ```
/// use portcullis::to_printable_json;
/// use serde_json::json;
/// assert_eq!(to_printable_json(&json!(["a\u{202e}b\n"]))?, r#"["a\u202eb\n"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn to_printable_json<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut bytes, Printable))?;
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_a_terminal_could_obey_is_escaped_and_nothing_is_lost() {
        let hostile = "a\u{1b}[2J\u{7f}\u{85}\u{2028}x\u{2029}\u{202e}\u{2066}\u{61c}\u{200f}é😀\"\\\n";
        let value = json!({ hostile: [hostile, 1.5, null] });
        let text = to_printable_json(&value).unwrap();
        assert!(!text.chars().any(is_scrubbed), "{text}");
        assert!(text.contains(r"\u001b[2J\u007f\u0085\u2028x\u2029\u202e\u2066\u061c\u200fé😀"), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
