//! A refusal as an answer of MCP.
//!
//! In: a refusal, and the request's id. Out: JSON of the refusal's size: at most twice [`Refusal::MAX_BYTES`] and
//! the schema for a tool result, once for an error. The id alone is returned as it was sent.

use serde_json::{Map, Value};

use crate::report::Refusal;

/// JSON-RPC 2.0 §5.1: invalid method parameters.
const INVALID_PARAMS: i64 = -32_602;

impl Refusal {
    /// The refusal as the result of MCP's `tools/call`, with `isError` (SEP-1303: the model sees it and can correct
    /// itself): its JSON as text, and the same as `structuredContent`.
    ///
    /// ```
    /// use portcullis::Validator;
    /// use serde_json::json;
    ///
    /// let refusal = Validator::new(&json!({"type": "string"}))?.check(&json!(1)).unwrap_err();
    /// let result = refusal.to_tool_result();
    /// assert_eq!(result["isError"], json!(true));
    /// assert_eq!(result["structuredContent"]["total"], json!(1));
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    #[must_use]
    pub fn to_tool_result(&self) -> Value {
        let text = serde_json::to_string(self).unwrap_or_else(|_| self.message().to_owned());
        let content = object([("type", "text".into()), ("text", text.into())]);
        object([
            ("content", Value::Array(vec![content])),
            ("structuredContent", self.to_value()),
            ("isError", Value::Bool(true)),
        ])
    }

    /// The refusal as a JSON-RPC error, code −32602 (invalid parameters), with its JSON as `data`. `id` is the
    /// request's, returned as it was sent.
    ///
    /// ```
    /// use portcullis::Validator;
    /// use serde_json::json;
    ///
    /// let refusal = Validator::new(&json!({"type": "string"}))?.check(&json!(1)).unwrap_err();
    /// let answer = refusal.to_json_rpc(json!("call-7"));
    /// assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("call-7"), &json!(-32602)));
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    #[must_use]
    pub fn to_json_rpc(&self, id: Value) -> Value {
        let error = object([
            ("code", INVALID_PARAMS.into()),
            ("message", self.message().into()),
            ("data", self.to_value()),
        ]);
        // The id is moved and never looked at: it may be nested to any depth, and is its sender's.
        object([("jsonrpc", "2.0".into()), ("id", id), ("error", error)])
    }

    /// Nothing in a refusal can fail to serialise: its keys are strings and its numbers are finite.
    fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}
