//! Bytes are judged as the values that they spell: real documents and calls, every attack of the corpus, and bytes that are
//! an attack by themselves.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code)]

mod bytes;
#[path = "adversarial/case.rs"]
mod case;
mod common;
#[path = "adversarial/template.rs"]
mod template;

use std::fs;

use allocation_counter::measure;
use portcullis::gate::{Action, Gate, Tool};
use portcullis::{
    DuplicateKeys, KeywordCheck, Limits, Options, Scratch, SliceError, SliceErrorKind, UnknownFormats,
    Validator,
};
use serde_json::{Value, json};

use case::Case;

/// Where the cases lie, from this package.
const CASES: &str = "corpus/adversarial";

#[test]
fn real_documents_are_judged_as_their_values_and_allocate_nothing() {
    let Some(shared) = common::shared() else { return };
    let mut documents = 0;
    for folder in common::folders(&shared.join("datasets")) {
        let schema = common::json(&folder.join("schema.json"));
        let validator = Validator::options().assert_format(false).build(&schema).unwrap();
        let text = fs::read_to_string(folder.join("instances.jsonl")).unwrap();
        let mut scratch = Scratch::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            assert_eq!(
                validator.read_slice_with(&mut scratch, line.as_bytes()),
                validator.read(value).map_err(SliceError::from)
            );
            documents += 1;
        }
        let valid =
            |line: &str, scratch: &mut Scratch| validator.is_valid_slice_with(scratch, line.as_bytes());
        assert!(text.lines().all(|line| valid(line, &mut scratch) == Ok(true)));
        let warm = measure(|| {
            assert!(text.lines().all(|line| valid(line, &mut scratch) == Ok(true)));
        });
        assert_eq!(warm.count_total, 0, "{}", folder.display());
    }
    assert!(documents > 19_000, "{documents}");
}

#[test]
fn real_calls_pass_as_their_values_do_and_spoilt_ones_do_not() {
    let Some(shared) = common::shared() else { return };
    let mut spoilt = 0;
    for call in common::json_lines(&shared.join("tools/calls.jsonl")) {
        let gate = json!([{"name": "tool", "inputSchema": call["inputSchema"]}]);
        let open = Gate::from_tools(&gate).unwrap();
        let closed = Gate::builder().tools(&gate).close(true).build().unwrap();
        let arguments = &call["arguments"];
        let mut tried = vec![arguments.clone(), json!(null), json!([]), json!({})];
        for key in arguments.as_object().unwrap().keys() {
            for wrong in [json!(null), json!([1]), json!("wrong"), json!(-7.5)] {
                let mut other = arguments.clone();
                other[key] = wrong;
                tried.push(other);
            }
            let mut other = arguments.clone();
            let member = other.as_object_mut().unwrap().remove(key).unwrap();
            tried.push(other.clone());
            other[format!("{key}x")] = member;
            tried.push(other);
        }
        for arguments in tried {
            let text = arguments.to_string();
            for gate in [&open, &closed] {
                let by_value = gate.call("tool", "tool", arguments.clone());
                spoilt += usize::from(by_value.is_err());
                assert_eq!(
                    gate.call_slice("tool", "tool", text.as_bytes()),
                    by_value.map_err(SliceError::from),
                    "{text}"
                );
            }
        }
        let validator = Validator::options()
            .unknown_formats(UnknownFormats::Annotate)
            .build(&call["inputSchema"])
            .unwrap();
        assert_eq!(bytes::differences(&validator, arguments), Vec::<String>::new());
    }
    assert!(spoilt > 10_000, "{spoilt}");
}

#[test]
fn every_attack_is_judged_as_its_value() {
    let mut faults = Vec::new();
    // Values nested very deep cannot be spelled by recursion, and are refused while they are read.
    let cases = Case::all().into_iter().filter(|case| case.runs_here() && !case.name.starts_with("deep-"));
    let mut ran = 0;
    for case in cases {
        let size = case.sizes()[0];
        let (validator, instance) = (case.validator(size), case.instance(size));
        let differences = bytes::differences(&validator, &instance);
        faults.extend(differences.into_iter().map(|difference| format!("{}: {difference:.300}", case.name)));
        ran += 1;

        let text = instance.to_string();
        let mut scratch = Scratch::new();
        let _ = validator.check_slice_with(&mut scratch, text.as_bytes());
        let (by_bytes, tape) = (scratch.steps(), scratch.memory_usage());
        let mut scratch = Scratch::new();
        let _ = validator.check_with(&mut scratch, &instance);
        // Reading takes a step for each value and key, and for eight bytes; a value takes two bytes with its comma.
        let most = scratch.steps() + text.len() as u64 / 2 + text.len() as u64 / 8 + 3;
        if by_bytes > most {
            faults.push(format!("{}: {by_bytes} steps, of {most}", case.name));
        }
        let most = scratch.memory_usage() + 20 * text.len() + 1_024;
        if tape > most {
            faults.push(format!("{}: {tape} bytes, of {most}", case.name));
        }
    }
    assert!(ran >= 60, "{ran}");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What a check of bytes says, and the most bytes that it holds at once.
fn judged(validator: &Validator, bytes: &[u8]) -> (Result<(), SliceError>, u64) {
    let mut answer = Ok(());
    let memory = measure(|| answer = validator.check_slice_with(&mut Scratch::new(), bytes));
    (answer, memory.bytes_max)
}

#[test]
fn hostile_bytes_are_refused_at_their_byte_in_bounded_memory() {
    let validator = Validator::new(&json!(true)).unwrap();
    let mega = 1 << 20;
    for (text, kind, offset) in [
        ("[".repeat(mega), SliceErrorKind::Limit, 255),
        ("{\"\":".repeat(mega), SliceErrorKind::Limit, 255 * 4),
        (format!("[{}", "\"\",".repeat(5 * mega)), SliceErrorKind::Limit, 1 + 3 * 3_999_999),
        (format!("{{\"{}\":1}}", "k".repeat(mega + 1)), SliceErrorKind::Limit, 1),
        (format!("\"{}", "\\n".repeat(mega)), SliceErrorKind::NotJson, 1 + 2 * mega),
        (format!("\"{}\\ud800\"", "\\u0041".repeat(mega)), SliceErrorKind::NotJson, 1 + 6 * mega),
        (format!("[{}", " ".repeat(mega)), SliceErrorKind::NotJson, 1 + mega),
        ("1".repeat(65 << 20), SliceErrorKind::Limit, 64 << 20),
        (format!("{}e", "1".repeat(mega)), SliceErrorKind::NotJson, mega + 1),
        ("[\"\u{0}\"]".to_owned(), SliceErrorKind::NotJson, 2),
    ] {
        let (answer, memory) = judged(&validator, text.as_bytes());
        let error = answer.unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, Some(offset)), "{text:.20}");
        assert!(error.to_string().len() < 512 && error.refusal().is_none());
        // The tape of four million empty strings is the largest: 64 MB, and half of that while it grows.
        assert!(memory <= 100 << 20, "{memory} bytes for {text:.20}");
    }
    for (bytes, offset) in
        [(&b"{\"\xff\": 1}"[..], 2), (b"{\"\xed\xa0\x80\": 1}", 2), (b"\"\xf0\x9f\x98\"", 1)]
    {
        let error = validator.check_slice(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (SliceErrorKind::NotJson, Some(offset)));
    }
    for (text, line, column) in [("\"\\udc00\"", 1, 2), ("{\n\"\\ud83d\\u0041\": 1}", 2, 2)] {
        let error = validator.check_slice(text.as_bytes()).unwrap_err();
        assert_eq!((error.line(), error.column()), (Some(line), Some(column)));
    }
}

#[test]
fn what_is_long_but_json_passes_in_memory_of_its_size() {
    let anything = Validator::new(&json!(true)).unwrap();
    for text in [
        format!("[{}\"\"]", "\"\",".repeat(1_000_000)),
        format!("\"{}\"", "\\u00e9".repeat(1_000_000)),
        "7".repeat(1_000_000),
        format!("{}1{}", " ".repeat(1_000_000), "\n".repeat(1_000_000)),
        format!("[{}[1]]", "[1],".repeat(300_000)),
    ] {
        let (answer, memory) = judged(&anything, text.as_bytes());
        assert_eq!(answer, Ok(()), "{text:.20}");
        assert!(memory <= 27 * text.len() as u64 + 4_096, "{memory} bytes for {} of {text:.20}", text.len());
    }
    // A number of a million digits is a number, exactly.
    let even = Validator::new(&json!({"multipleOf": 2})).unwrap();
    assert_eq!(even.is_valid_slice(format!("{}8", "7".repeat(1_000_000)).as_bytes()), Ok(true));
    assert_eq!(even.is_valid_slice("7".repeat(1_000_000).as_bytes()), Ok(false));
}

#[test]
fn numbers_are_exact_whatever_serde_json_would_hold() {
    let exact = Validator::new(&json!({"maximum": 9007199254740993_u64, "multipleOf": 0.01})).unwrap();
    for (text, valid) in [
        ("9007199254740993", true),
        ("9007199254740993.00", true),
        ("9007199254740993.01", false),
        ("9007199254740992.123", false),
        ("0.0000000000000000000000000000000000001", false),
        ("1e400", false),
        ("-1e400", true),
        ("1e-400", false),
        ("0e400", true),
    ] {
        assert_eq!(exact.is_valid_slice(text.as_bytes()), Ok(valid), "{text}");
    }
    let integer = Validator::new(&json!({"type": "integer"})).unwrap();
    for (text, valid) in
        [("1e400", true), ("1e-400", false), ("1.0", true), ("18446744073709551616.5", false)]
    {
        assert_eq!(integer.is_valid_slice(text.as_bytes()), Ok(valid), "{text}");
    }
    assert_eq!(integer.read_slice(b"[1]").unwrap_err().kind(), SliceErrorKind::Refused);
    assert_eq!(integer.read_slice(b" 2.0e0 ").unwrap(), json!(2));
}

#[test]
fn a_number_that_no_value_holds_is_named() {
    let anything = Validator::new(&json!(true)).unwrap();
    let Err(error) = anything.read_slice(b"{\"a\":\n1e400}") else { return };
    assert_eq!(
        (error.kind(), error.line(), error.column()),
        (SliceErrorKind::Unrepresentable, Some(2), Some(1))
    );
    assert_eq!(error.to_string(), "a number is too large to be handed on, at line 2 column 1");
}

#[test]
fn a_key_that_stands_twice_is_the_callers_choice() {
    let schema = json!({"properties": {"a": {"type": "integer"}}});
    let text = br#"{"a": "x", "b": {"c": 1, "c": 2}, "a": 3}"#;
    let last = Validator::new(&schema).unwrap();
    assert_eq!(last.read_slice(text).unwrap(), json!({"a": 3, "b": {"c": 2}}));
    let refuse = Validator::options().duplicate_keys(DuplicateKeys::Refuse).build(&schema).unwrap();
    let error = refuse.check_slice(text).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (SliceErrorKind::DuplicateKey, Some(25)));
    assert_eq!(error.to_string(), "the key \"c\" stands twice in its object, at line 1 column 26");
    // What it names is cut and scrubbed.
    let long = format!("\\u001b\u{202e}{}", "k".repeat(1_000));
    let error = refuse.check_slice(format!("{{\"{long}\":1,\"{long}\":1}}").as_bytes()).unwrap_err();
    let message = error.to_string();
    assert!(message.len() < 400 && !message.contains('\u{202e}'), "{message}");

    let tool = |options: Options| {
        let action = Action::new("act").property("a", json!({"type": "integer"}));
        Gate::builder().options(options).tool(Tool::new("tool").action(action)).build().unwrap()
    };
    let text = br#"{"a": 1, "a": 2}"#;
    let error = tool(Options::default()).call_slice("tool", "act", text).unwrap_err();
    assert_eq!(error.kind(), SliceErrorKind::DuplicateKey);
    assert_eq!(error.to_json_rpc(json!(1))["error"]["code"], json!(-32602));
    let chosen = tool(Options::default().duplicate_keys(DuplicateKeys::LastWins));
    assert_eq!(chosen.call_slice("tool", "act", text), Ok(json!({"a": 2})));
}

#[test]
fn a_gates_answer_to_bytes_tells_what_stands_in_the_way() {
    let action =
        Action::new("act").property("a", json!({"type": "integer"})).required(["a"]).default("b", json!(1));
    let action = action.property("b", json!(true));
    let gate = Gate::builder().tool(Tool::new("tool").action(action)).build().unwrap();
    let call = |action: &str, text: &str| gate.call_slice("tool", action, text.as_bytes());
    assert_eq!(call("act", "{\"a\": 2.0}"), Ok(json!({"a": 2, "b": 1})));
    for (name, text, message) in [
        ("act", "null", "1 missing property: a: property \"a\" is required"),
        ("act", "{}", "1 missing property: a: property \"a\" is required"),
        ("act", "[1]", "1 problem with the data: (root): value is not of type object (got array)"),
        ("act", "{\"a\":1,\"c\":2}", "1 unknown key: c: property is not known here"),
        ("act", "{\"a\":\"1\"}", "1 invalid value: a: value is not of type integer (got string)"),
    ] {
        let error = call(name, text).unwrap_err();
        let refusal = error.refusal().unwrap();
        assert_eq!(
            (refusal.message(), refusal.tool(), refusal.action()),
            (message, Some("tool"), Some("act"))
        );
        assert!(refusal.input_schema().is_some() && refusal.help().is_some());
        assert_eq!(error.to_tool_result(), refusal.to_tool_result());
    }
    assert_eq!(call("axt", "{").unwrap_err().refusal().unwrap().kind().as_str(), "unknown_action");
    let error = call("act", "{\"a\": 1").unwrap_err();
    assert_eq!(error.to_json_rpc(json!("id"))["error"]["code"], json!(-32700));
    let result = error.to_tool_result();
    assert_eq!(result["isError"], json!(true));
    assert_eq!(
        result["structuredContent"],
        json!({
            "error": "not_json",
            "message": "not JSON: it ends before the value does, at line 1 column 8",
            "line": 1, "column": 8, "offset": 7
        })
    );
}

#[test]
fn keywords_of_the_callers_own_are_handed_values() {
    let options = Validator::options().keyword("x-even", |_: &Value, _: &str| {
        Ok(KeywordCheck::new(|value| value.as_i64().is_none_or(|number| number % 2 == 0)))
    });
    let validator = options.build(&json!({"items": {"x-even": true, "type": "integer"}})).unwrap();
    for value in [json!([2, 4]), json!([2, 3]), json!(["2"]), json!([2.0])] {
        assert_eq!(bytes::differences(&validator, &value), Vec::<String>::new());
    }
}

#[test]
fn a_scratch_serves_values_and_bytes_in_turn() {
    let validator = Validator::new(&json!({"uniqueItems": true})).unwrap();
    let mut scratch = Scratch::new();
    for _ in 0..3 {
        assert_eq!(validator.is_valid_slice_with(&mut scratch, b"[1, 2, 1.0]"), Ok(false));
        let by_bytes = scratch.steps();
        assert!(!validator.is_valid_with(&mut scratch, &json!([1, 2, 1.0])));
        assert_eq!(by_bytes, scratch.steps() + 5, "four tokens and eleven bytes more");
        assert!(validator.is_valid_slice_with(&mut scratch, b"[1, 2").is_err());
        assert_eq!(validator.is_valid_slice_with(&mut scratch, b"[\"a\", \"\\u0061b\", \"b\"]"), Ok(true));
    }
    let small =
        Validator::options().limits(Limits::default().instance_values(3)).build(&json!(true)).unwrap();
    assert!(small.is_valid_slice_with(&mut scratch, b"[1, 2, 3]").is_err());
}

/// A value's members come in order of their bytes and those of bytes as they are written, so that a report leaves the
/// first unread behind the tenth, and reads the others.
#[test]
fn members_in_any_order_are_reported_in_one() {
    let all = ["", "-1", "/", "0", "00", "1", "10", "2", "9", "a", "b", "zz", "\u{1}", "é", "~"];
    for schema in [
        json!({"additionalProperties": {"type": "integer"}}),
        json!({"properties": {"a": true, "b": false}, "additionalProperties": {"type": "integer"}}),
        json!({"properties": {"a": {"type": "array", "items": {"minimum": 3}}}, "additionalProperties": false}),
    ] {
        let validator = Validator::new(&schema).unwrap();
        for skipped in 0..all.len() {
            for doubled in ["", "a", "\u{1}", "7"] {
                let keys =
                    all.iter().skip(skipped).flat_map(|key| [key.to_string(), format!("{doubled}{key}")]);
                let members = keys.map(|key| (key, json!(["x", 1]))).collect();
                let instance = serde_json::Value::Object(members);
                assert_eq!(
                    bytes::differences(&validator, &instance),
                    Vec::<String>::new(),
                    "{schema} {instance}"
                );
            }
        }
    }
}
