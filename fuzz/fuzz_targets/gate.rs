//! Hostile tools and calls: registration ends with a bounded error, a call with data or a bounded refusal.
//!
//! In: JSON documents one after another: the tools, then calls as MCP sends them (`{"name", "arguments"}`) or
//! `{"tool", "action", "data"}`. Out: a crash where any of it panics or an answer passes its bound.

#![no_main]

use std::fmt;

use libfuzzer_sys::fuzz_target;
use portcullis::gate::Gate;
use portcullis::{Limits, Options, Refusal, SliceError, Validator};
use portcullis_fuzz::{Case, Input};
use serde_json::{Deserializer, Value};

/// Steps of a call.
const STEPS: u64 = 100_000;

/// What patterns may compile to, one and all.
const PATTERN_BYTES: usize = 1 << 16;
const PATTERNS_BYTES: usize = 1 << 18;

/// The most of a server's own schema that a refusal carries.
const SCHEMA_BYTES: usize = 16 << 10;

/// The longest error of a registration.
const ERROR_BYTES: usize = 8_192;

/// Calls of an input.
const CALLS: usize = 8;

/// Tools, and what is called.
struct Called {
    tools: Value,
    close: bool,
    calls: Vec<Value>,
}

impl Case for Called {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut documents = Deserializer::from_slice(bytes).into_iter::<Value>();
        let tools = documents.next()?.ok()?;
        let calls = documents.map_while(Result::ok).take(CALLS).collect();
        Some(Called { tools, close: bytes.len().is_multiple_of(2), calls })
    }
}

impl fmt::Debug for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "let tools: Value = serde_json::from_str({:?}).unwrap();", self.tools.to_string())?;
        writeln!(f, "let limits = Limits::default().steps({STEPS});")?;
        writeln!(f, "let limits = limits.pattern_bytes({PATTERN_BYTES}).patterns_bytes({PATTERNS_BYTES});")?;
        writeln!(f, "let builder = Gate::builder().tools(&tools).close({});", self.close)?;
        writeln!(f, "let gate = builder.options(Validator::options().limits(limits)).build().unwrap();")?;
        for call in &self.calls {
            let (tool, action) = names(call);
            writeln!(f, "let call: Value = serde_json::from_str({:?}).unwrap();", call.to_string())?;
            writeln!(f, "println!(\"{{:?}}\", gate.call({tool:?}, {action:?}, call[\"data\"].clone()));")?;
            writeln!(
                f,
                "println!(\"{{:?}}\", gate.call_tool({tool:?}, call[\"arguments\"].as_object().cloned()));"
            )?;
            writeln!(f, "println!(\"{{:?}}\", gate.check_output({tool:?}, &call[\"data\"]));")?;
        }
        Ok(())
    }
}

/// The tool and the action of a call, as either form of it names them.
fn names(call: &Value) -> (&str, &str) {
    let name = call["name"].as_str().or_else(|| call["tool"].as_str());
    (name.unwrap_or_default(), call["action"].as_str().unwrap_or_default())
}

fn answer(answer: Result<Value, Refusal>) {
    let Err(refusal) = answer else { return };
    let bytes = serde_json::to_string(&refusal).expect("no key but strings").len();
    assert!(bytes <= Refusal::MAX_BYTES + SCHEMA_BYTES, "{bytes} bytes");
    assert!(!refusal.log_line().chars().any(char::is_control));
    let _ = (refusal.to_tool_result(), refusal.to_json_rpc(Value::from(1)));
}

fn options() -> Options {
    let limits = Limits::default().steps(STEPS);
    Validator::options().limits(limits.pattern_bytes(PATTERN_BYTES).patterns_bytes(PATTERNS_BYTES))
}

fuzz_target!(|input: Input<Called>| {
    let Input(Called { tools, close, calls }) = &input;
    let gate = match Gate::builder().tools(tools).close(*close).options(options()).build() {
        Ok(gate) => gate,
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() <= ERROR_BYTES, "{} bytes of error", text.len());
            return;
        }
    };
    let _ = gate.tools();
    // How a float was spelled is lost in a value, and these dialects ask for it.
    let by_spelling = ["draft-03", "draft-04"].iter().any(|name| tools.to_string().contains(name));
    for call in calls {
        let (name, action) = names(call);
        let by_value = gate.call(name, action, call["data"].clone());
        let by_bytes = gate.call_slice(name, action, call["data"].to_string().as_bytes());
        assert!(by_spelling || by_bytes == by_value.clone().map_err(SliceError::from), "{by_bytes:?}");
        answer(by_value);
        answer(gate.call_tool(name, call["arguments"].as_object().cloned()));
        answer(gate.check_output(name, &call["data"]).map(|()| Value::Null));
    }
});
