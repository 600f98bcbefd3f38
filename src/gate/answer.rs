//! A refusal, or why bytes have none, as an answer of MCP.
//!
//! In: a refusal or an error, and the request's id. Out: JSON of the refusal's size: at most twice [`Refusal::MAX_BYTES`] and
//! the schema for a tool result, once for an error. The id alone is returned as it was sent.

use serde_json::{Map, Value};

use crate::report::Refusal;
use crate::slice::{SliceError, SliceErrorKind};

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
        tool_result(text, self.to_value())
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
        json_rpc(id, INVALID_PARAMS, self.message().to_owned(), self.to_value())
    }

    /// Nothing in a refusal can fail to serialise: its keys are strings and its numbers are finite.
    fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

/// JSON-RPC 2.0 §5.1: the text is no JSON.
const PARSE_ERROR: i64 = -32_700;

impl SliceError {
    /// The error as the result of MCP's `tools/call`: [`Refusal::to_tool_result`], or in that form what stands in the way
    /// of a check, `{"error": kind, "message": …, "line": …, "column": …, "offset": …}`.
    ///
    /// ```
    /// use portcullis::Validator;
    /// use serde_json::json;
    ///
    /// let error = Validator::new(&json!(true))?.check_slice(b"[1,]").unwrap_err();
    /// let result = error.to_tool_result();
    /// assert_eq!(result["structuredContent"]["error"], json!("not_json"));
    /// assert_eq!(result["structuredContent"]["column"], json!(4));
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    #[must_use]
    pub fn to_tool_result(&self) -> Value {
        match self.refusal() {
            Some(refusal) => refusal.to_tool_result(),
            None => tool_result(self.to_string(), self.to_value()),
        }
    }

    /// The error as a JSON-RPC error: [`Refusal::to_json_rpc`], or code −32700 (parse error) where the bytes are no JSON,
    /// and −32602 where they hold more than they may. `id` is the request's, returned as it was sent.
    #[must_use]
    pub fn to_json_rpc(&self, id: Value) -> Value {
        if let Some(refusal) = self.refusal() {
            return refusal.to_json_rpc(id);
        }
        let code = match self.kind() {
            SliceErrorKind::NotJson => PARSE_ERROR,
            SliceErrorKind::Limit
            | SliceErrorKind::DuplicateKey
            | SliceErrorKind::Unrepresentable
            | SliceErrorKind::Refused => INVALID_PARAMS,
        };
        json_rpc(id, code, self.to_string(), self.to_value())
    }

    fn to_value(&self) -> Value {
        object([
            ("error", self.kind().as_str().into()),
            ("message", self.to_string().into()),
            ("line", self.line().into()),
            ("column", self.column().into()),
            ("offset", self.offset().into()),
        ])
    }
}

fn tool_result(text: String, structured: Value) -> Value {
    let content = object([("type", "text".into()), ("text", text.into())]);
    object([
        ("content", Value::Array(vec![content])),
        ("structuredContent", structured),
        ("isError", Value::Bool(true)),
    ])
}

fn json_rpc(id: Value, code: i64, message: String, data: Value) -> Value {
    let error = object([("code", code.into()), ("message", message.into()), ("data", data)]);
    // The id is moved and never looked at: it may be nested to any depth, and is its sender's.
    object([("jsonrpc", "2.0".into()), ("id", id), ("error", error)])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}
