//! How large a document is, before anything reads it.
//!
//! In: a document no deeper than a schema may be. Out: the bytes of its text, about. Linear in the document.

use serde_json::Value;

use crate::value::{Instance, View};

/// What a number, `true`, `false` or `null` counts as where it is not held as text.
const SHORT: usize = 4;

/// Bytes of `document` as JSON without spaces, but for escapes and digits. Recurses as deep as the document is.
pub(super) fn json_bytes(document: &Value) -> usize {
    match document {
        Value::Null | Value::Bool(_) => SHORT,
        Value::Number(_) => match document.view() {
            View::Number(number) => number.text_len().max(SHORT),
            View::Null | View::Boolean(_) | View::String(_) | View::Array(_) | View::Object(_) => SHORT,
        },
        Value::String(text) => text.len() + 2,
        Value::Array(items) => 2 + items.iter().map(|item| 1 + json_bytes(item)).sum::<usize>(),
        Value::Object(members) => {
            2 + members.iter().map(|(key, member)| 4 + key.len() + json_bytes(member)).sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_counts_as_its_text_about() {
        for document in
            [json!({"enum": ["abc", "de"], "minLength": 4}), json!("x".repeat(1_000)), json!([null, [true]])]
        {
            let (counted, written) = (json_bytes(&document), document.to_string().len());
            assert!(counted.abs_diff(written) <= 4 + written / 10, "{counted} {written}");
        }
    }
}
