//! Hostile tools and calls: registration ends with a bounded error, a call with data or a bounded refusal.
//!
//! In: JSON documents one after another: the tools, then calls as MCP sends them (`{"name", "arguments"}`) or
//! `{"tool", "action", "data"}`. Out: a crash where any of it panics or an answer passes its bound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis::gate::Gate;
use portcullis::{Limits, Options, Refusal, Validator};
use serde_json::{Deserializer, Value};

/// Steps of a call.
const STEPS: u64 = 100_000;

/// The most of a server's own schema that a refusal carries.
const SCHEMA_BYTES: usize = 16 << 10;

/// The longest error of a registration.
const ERROR_BYTES: usize = 8_192;

fn answer(answer: Result<Value, Refusal>) {
    let Err(refusal) = answer else { return };
    let bytes = serde_json::to_string(&refusal).expect("no key but strings").len();
    assert!(bytes <= Refusal::MAX_BYTES + SCHEMA_BYTES, "{bytes} bytes");
    assert!(!refusal.log_line().chars().any(char::is_control));
    let _ = (refusal.to_tool_result(), refusal.to_json_rpc(Value::from(1)));
}

fn options() -> Options {
    Validator::options().limits(Limits::default().steps(STEPS).pattern_bytes(1 << 16).patterns_bytes(1 << 18))
}

fuzz_target!(|bytes: &[u8]| {
    let mut documents = Deserializer::from_slice(bytes).into_iter::<Value>();
    let Some(Ok(tools)) = documents.next() else { return };
    let close = bytes.len() % 2 == 0;
    let gate = match Gate::builder().tools(&tools).close(close).options(options()).build() {
        Ok(gate) => gate,
        Err(error) => {
            let text = error.to_string();
            assert!(text.len() <= ERROR_BYTES, "{} bytes of error", text.len());
            return;
        }
    };
    let _ = gate.tools();
    for call in documents.map_while(Result::ok).take(8) {
        let name = call["name"].as_str().or_else(|| call["tool"].as_str()).unwrap_or_default();
        let action = call["action"].as_str().unwrap_or_default();
        answer(gate.call(name, action, call["data"].clone()));
        answer(gate.call_tool(name, call["arguments"].as_object().cloned()));
        answer(gate.check_output(name, &call["data"]).map(|()| Value::Null));
    }
});
