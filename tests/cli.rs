//! The binary as its users run it: what it prints, where, and its exit code.
//!
//! Cases with fixed files and answers are data: `corpus/cli/cases.json`. Here is what has to be generated, and what
//! holds of every answer.

// A test fails by panicking; clippy.toml spares only the functions that are marked as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use portcullis::Dialect;
use serde_json::{Map, Value, json};

/// What acts on a terminal, of each family that is scrubbed.
const HOSTILE: &str = "a\r\nb\u{1b}[2J\u{7f}\u{9b}1m\u{2028}\u{2029}\u{202e}\u{2066}\u{61c}\u{200f}c";

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/cli")
}

/// Runs the binary in the corpus, and holds it to what is promised of every run.
fn run(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(arguments).current_dir(corpus());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let stdin = stdin.as_ref().to_owned();
    // The binary may end before it has read all.
    let writer = std::thread::spawn(move || input.write_all(&stdin).is_ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let ran = Ran {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert_clean(&ran.stdout);
    assert_clean(&ran.stderr);
    match ran.code {
        0 | 1 => assert_eq!(ran.stderr, "", "{arguments:?}"),
        2 => {
            assert_eq!(ran.stdout, "", "{arguments:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
            assert!(ran.stderr.starts_with("portcullis: ") && ran.stderr.ends_with('\n'), "{}", ran.stderr);
        }
        other => panic!("{arguments:?} ended with {other}: {}", ran.stderr),
    }
    ran
}

/// No code point that could forge, break or hide a line; `\n` ends lines.
fn assert_clean(text: &str) {
    let acts = |character: char| {
        (character.is_control() && character != '\n')
            || matches!(u32::from(character), 0x61C | 0x200E..=0x200F | 0x2028..=0x202E | 0x2066..=0x2069)
    };
    assert!(!text.contains(acts), "{text:?}");
}

/// A file of the test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// A line of output: JSON by its value, since the order of an object's members is serde_json's to choose.
#[derive(Debug, PartialEq)]
enum Line {
    Json(Value),
    Text(String),
}

impl Line {
    fn of(line: &str) -> Self {
        serde_json::from_str(line).map_or_else(|_| Line::Text(line.to_owned()), Line::Json)
    }
}

#[test]
fn every_case_of_the_corpus_is_answered_as_it_says() {
    let cases = parsed(&fs::read_to_string(corpus().join("cases.json")).unwrap());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for case in cases.as_array().unwrap() {
        let why = text(&case["why"]);
        let arguments: Vec<String> = case["arguments"].as_array().unwrap().iter().map(text).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = run(&arguments, case["stdin"].as_str().unwrap_or_default());
        let stdout = case["stdout"].as_array().map(|lines| lines.iter().map(text).collect::<Vec<_>>());
        let expected_stderr = case["stderr"].as_str().map(|line| format!("{line}\n"));
        let expected: Vec<Line> = stdout.iter().flatten().map(|line| Line::of(line)).collect();
        let lines: Vec<Line> = ran.stdout.lines().map(Line::of).collect();
        assert_eq!(lines, expected, "{why}: {}", ran.stderr);
        assert_eq!(ran.stderr, expected_stderr.unwrap_or_default(), "{why}");
        assert_eq!(ran.code, i32::try_from(case["code"].as_i64().unwrap()).unwrap(), "{why}");
        if arguments.contains(&"--json") {
            ran.stdout.lines().for_each(|line| assert!(parsed(line).is_object()));
        }
    }
}

#[test]
fn hostile_keys_reach_people_scrubbed_and_machines_whole() {
    let schema = file("hostile-schema.json", r#"{"additionalProperties": {"type": "integer"}}"#);
    let data = file("hostile-data.json", json!({ HOSTILE: "x" }).to_string());
    let lines = file("hostile-data.jsonl", format!("{}\n", json!({ HOSTILE: "x" })));
    for arguments in [
        vec!["check", &schema, &data],
        vec!["check", "--all", &schema, &data],
        vec!["check", "--lines", &schema, &lines],
    ] {
        // That it is clean is seen to by `run`.
        let people = run(&arguments, "");
        assert_eq!(people.code, 1);
        assert!(people.stdout.contains("[2J"), "{}", people.stdout);

        let machines = run(&[&arguments[..], &["--json"]].concat(), "");
        let record = parsed(machines.stdout.lines().next().unwrap());
        let place = record.get("refusal").map_or(&record, |refusal| &refusal["invalid"][0]);
        assert_eq!(place["pointer"], json!(format!("/{HOSTILE}")));
    }
}

#[test]
fn hostile_calls_and_tools_reach_people_scrubbed_and_machines_whole() {
    for (call, pointer) in [
        (json!({"tool": HOSTILE}), None),
        (json!({"tool": "tasks", "action": HOSTILE}), None),
        (json!({"tool": "tasks", "action": "list", "data": {HOSTILE: 1}}), Some(format!("/{HOSTILE}"))),
        (json!({"name": "tasks", "arguments": {"action": HOSTILE}}), Some("/action".to_owned())),
        (json!({"name": "weather", "arguments": {"city": "Ulm", HOSTILE: 1}}), Some(format!("/{HOSTILE}"))),
    ] {
        assert_eq!(run(&["call", "tools.json", "-"], call.to_string()).code, 1, "{call}");
        let machines = run(&["call", "--json", "tools.json", "-"], call.to_string());
        let refusal = parsed(&machines.stdout);
        assert_eq!(refusal["invalid"][0]["pointer"], json!(pointer.unwrap_or_default()), "{call}");
    }
    for call in [json!({"tool": "tasks", HOSTILE: 1}), json!({HOSTILE: 1}), json!({"method": HOSTILE})] {
        assert_eq!(run(&["call", "tools.json", "-"], call.to_string()).code, 2, "{call}");
    }
    // What passes is the data itself: escaped, and the same.
    let data = json!({"name": HOSTILE});
    let ran = run(
        &["call", "tools.json", "-"],
        json!({"tool": "tasks", "action": "create", "data": data}).to_string(),
    );
    assert_eq!((ran.code, &parsed(&ran.stdout)["name"]), (0, &json!(HOSTILE)));

    let mcp = |name: &str, schema: Value| json!([{"name": name, "inputSchema": schema}]).to_string();
    for (tools, code) in [
        (mcp(HOSTILE, json!({})), 2),
        (mcp("t", json!({"properties": {HOSTILE: {"type": HOSTILE}}})), 2),
        (mcp("t", json!({"required": [HOSTILE]})), 1),
        (mcp("t", json!({"additionalProperties": false, "properties": {HOSTILE: {}}})), 1),
        (json!([{"name": "t", "actions": {HOSTILE: {}}}]).to_string(), 2),
        (json!([{"name": "t", "actions": {"a": {HOSTILE: 1}}}]).to_string(), 2),
        (json!([{"name": "t", HOSTILE: 1, "actions": {}}]).to_string(), 2),
        (json!([{"name": "t", "help": HOSTILE, "actions": {"a": {"required": ["x"], "properties": {"x": {}}}}}]).to_string(), 1),
    ] {
        let path = file("hostile-tools.json", &tools);
        for form in [&["call", &path, "-"][..], &["call", "--json", &path, "-"]] {
            let ran = run(form, r#"{"tool": "t", "data": {"abc": 1}}"#);
            assert_eq!(ran.code, code, "{tools}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

#[test]
fn hostile_schemas_reach_people_scrubbed() {
    let schema = |name: &str, schema: Value| file(name, schema.to_string());
    let builds = schema(
        "hostile-builds.json",
        json!({
            "required": [HOSTILE],
            "properties": {
                HOSTILE: {"const": HOSTILE, "pattern": format!("^{HOSTILE}]$"), "enum": [HOSTILE, {HOSTILE: 1}]}
            },
            "dependentRequired": {HOSTILE: [HOSTILE]},
            "uniqueItems": true,
            "$defs": {HOSTILE: {"minimum": 3, "pattern": format!("(x)\\1{HOSTILE}]")}},
            "allOf": [{"$ref": format!("#/$defs/{}", url_escaped(HOSTILE))}]
        }),
    );
    let explained = run(&["explain", &builds], "");
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    assert_eq!(run(&["explain", "--json", &builds], "").code, 0);
    for data in ["{}", "1", &json!({ HOSTILE: 1 }).to_string(), &json!({ HOSTILE: "x" }).to_string()] {
        for form in [
            &["check", &builds, "-"][..],
            &["check", "--all", &builds, "-"],
            &["check", "--json", &builds, "-"],
        ] {
            assert_eq!(run(form, data).code, 1, "{data}");
        }
    }
    for unbuildable in [
        json!({"properties": {HOSTILE: {"minLength": -1}}}),
        json!({"$ref": HOSTILE}),
        json!({"$ref": format!("https://example.org/{HOSTILE}")}),
        json!({"$schema": HOSTILE}),
        json!({"$id": HOSTILE}),
        json!({"format": HOSTILE}),
        json!({"type": HOSTILE}),
        json!({"pattern": format!("[{HOSTILE}")}),
        json!({"patternProperties": {format!("({HOSTILE}"): true}}),
        json!({"required": [HOSTILE, HOSTILE]}),
    ] {
        let path = schema("hostile-unbuildable.json", unbuildable.clone());
        assert_eq!(run(&["check", &path], "").code, 2, "{unbuildable}");
    }
}

/// The fragment of a reference: everything but ASCII letters and digits escaped.
fn url_escaped(text: &str) -> String {
    let escaped = |byte: u8| {
        if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(escaped).collect()
}

#[test]
fn hostile_arguments_reach_people_scrubbed() {
    for arguments in [
        vec!["check", HOSTILE],
        vec![HOSTILE],
        vec!["check", "person.json", "--dialect", HOSTILE],
        vec!["check", "person.json", "--resource", HOSTILE],
        vec!["check", "person.json", &format!("--{HOSTILE}")],
        vec!["check", "person.json", "--resource", &format!("{HOSTILE}=missing.json")],
        vec!["check", "person.json", "--resource", &format!("{HOSTILE}=good.json")],
    ] {
        assert_eq!(run(&arguments, "").code, 2, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_hostile_name_of_a_file_is_scrubbed_for_people_and_whole_for_machines() {
    let path = file(&format!("{HOSTILE}.json"), r#"{"name": 7}"#);
    let ran = run(&["check", "person.json", &path], "");
    assert_eq!(ran.code, 1);
    let head = ran.stdout.lines().next().unwrap();
    assert!(head.ends_with("c.json: refused: invalid_values (1 place)"), "{head}");
    let ran = run(&["check", "--json", "person.json", &path], "");
    assert_eq!(parsed(&ran.stdout)["file"], json!(path));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let name = OsStr::from_bytes(b"missing-\xFF.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    let output = command.arg("check").arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "portcullis: missing-\\xFF.json: no such file\n");
}

#[test]
fn a_line_past_the_limit_is_refused_and_one_of_the_limit_is_read() {
    const LIMIT: usize = 16 << 20;
    let line = |bytes: usize| format!("\"{}\"\n", "x".repeat(bytes - 2));
    let input = line(LIMIT) + &line(LIMIT + 1) + "1\n";
    let ran = run(&["check", "--lines", "numbers.json", "-"], &input);
    assert_eq!(ran.code, 1);
    let expected = "-:2:1: refused: longer than 16 MiB\n3 lines: 2 passed, 1 refused\n";
    assert_eq!(ran.stdout, expected);
}

#[test]
fn a_hundred_thousand_problems_stream_by() {
    let items: Vec<Value> = (0..100_000).map(|_| json!("x")).collect();
    let data = file("many.json", json!({ "items": items }).to_string());
    let ran = run(&["check", "--all", "numbers.json", &data], "");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stdout.lines().count(), 100_002);
    let ran = run(&["check", "numbers.json", &data], "");
    assert!(
        ran.stdout.starts_with(&format!("{data}: refused: invalid_values (100000 places)\n")),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.lines().count(), 13);
}

#[test]
fn numbers_are_exact() {
    let schema = file("exact.json", r#"{"maximum": 123456789012345678901234567890, "multipleOf": 0.1}"#);
    for (number, code) in [
        ("123456789012345678901234567890", 0),
        ("123456789012345678901234567890.1", 1),
        ("0.30000000000000000000000000000000001", 1),
        ("1e400", 1),
    ] {
        assert_eq!(run(&["check", &schema, "-"], number).code, code, "{number}");
    }
}

#[test]
fn help_has_an_example_for_each_command() {
    for command in ["call", "check", "explain"] {
        let ran = run(&[command, "--help"], "");
        assert_eq!(ran.code, 0);
        assert_eq!(
            ran.stdout.matches(&format!("Example: portcullis {command} ")).count(),
            1,
            "{}",
            ran.stdout
        );
    }
    let ran = run(&["--help"], "");
    assert!(ran.stdout.contains("Exit code: 0 passed; 1 refused"), "{}", ran.stdout);
}

#[test]
fn every_dialect_has_its_name() {
    // A schema that means the same in all of them.
    let schema = file("object.json", "{\"type\": \"object\"}");
    for dialect in Dialect::ALL {
        assert_eq!(run(&["check", &schema, "--dialect", dialect.name()], "").code, 0, "{dialect}");
    }
    let ran = run(&["check", "person.json", "--dialect", "draft99"], "");
    let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let expected = format!(
        "portcullis: invalid value 'draft99' for '--dialect <NAME>' [possible values: {}] (see portcullis --help)\n",
        names.join(", ")
    );
    assert_eq!(ran.stderr, expected);
    assert!(run(&["check", "--help"], "").stdout.contains(&names.join(", ")));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let record = format!("{{\"name\": {}}}\n", json!("x".repeat(100)));
    let lines = file("leaving.jsonl", record.repeat(20_000));
    for arguments in [
        &["check", "--lines", "--json", "person.json", &lines][..],
        &["check", "--all", "--lines", "person.json", &lines],
        &["call", "tools.json", "call.json"],
        &["explain", "person.json"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command.args(arguments).current_dir(corpus()).stdin(Stdio::null()).stdout(writer);
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(["check", "person.json", "good.json"]).current_dir(corpus());
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("portcullis: standard output: ") && stderr.lines().count() == 1, "{stderr}");
}

/// A line is answered when it comes, not when the next one does.
#[test]
fn lines_are_answered_while_the_sender_is_silent() {
    use std::io::{BufRead as _, BufReader};

    let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
    command.args(["check", "--lines", "--json", "person.json", "-"]).current_dir(corpus());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for number in 1..=3 {
        // The next line has begun already.
        input.write_all(b"{\"name\": \"Ada\"}\n{\"na").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(parsed(&answer)["line"], json!(2 * number - 1));
        input.write_all(b"me\": \"Joe\"}\n").unwrap();
        answer.clear();
        output.read_line(&mut answer).unwrap();
        assert_eq!(parsed(&answer)["line"], json!(2 * number));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_document_that_imitates_serde_jsons_own_number_is_answered() {
    let mut imitation = Map::new();
    for value in [json!("x"), json!("1"), json!(HOSTILE), json!({ HOSTILE: 1 }), json!(null)] {
        imitation.insert("$serde_json::private::Number".to_owned(), value);
        let text = Value::Object(imitation.clone()).to_string();
        let ran = run(&["check", "numbers.json", "-"], &text);
        assert!([0, 2].contains(&ran.code), "{text}: {}", ran.stderr);
    }
}
