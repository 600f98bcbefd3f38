//! What the gate's tests share: real tools and calls, small stacks, values nested too deep to be dropped.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write as _;
use std::path::{Path, PathBuf};

use portcullis::Refusal;
use serde_json::{Map, Value};

/// A file of the repository.
pub(crate) fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(path)
}

pub(crate) fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a file of the data that lies beside this crate (`PORTCULLIS_SHARED`, or `../shared`). Without it
/// the test says that it skipped; with `CI=true` that fails.
pub(crate) fn shared_lines(path: &str) -> Option<Vec<Value>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let file = std::env::var_os("PORTCULLIS_SHARED").map_or_else(beside, PathBuf::from).join(path);
    if file.is_file() {
        let text = std::fs::read_to_string(&file).unwrap();
        return Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
    }
    let message = format!("there is no {}", file.display());
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{message}");
    writeln!(std::io::stderr(), "skipped: {message}").unwrap();
    None
}

/// Runs on the stack of a thread in most servers.
pub(crate) fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// So many levels, arrays and objects by turns.
pub(crate) fn nested(levels: usize) -> Value {
    (1..levels).fold(Value::Bool(true), |inner, level| {
        if level % 2 == 0 { Value::Array(vec![inner]) } else { object("a", inner) }
    })
}

pub(crate) fn object(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value)]))
}

/// Takes a deep value apart, which dropping it would do on the call stack.
pub(crate) fn dismantle(value: Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.into_iter().map(|(_, member)| member)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The paths of a refusal.
pub(crate) fn paths(refusal: &Refusal) -> Vec<&str> {
    refusal.entries().iter().map(|entry| entry.path()).collect()
}

/// The kind and the paths of a refusal.
pub(crate) fn kind_and_paths(refusal: &Refusal) -> (&str, Vec<&str>) {
    (refusal.kind().as_str(), paths(refusal))
}

/// The bytes of the refusal's JSON without the server's own schema.
pub(crate) fn bytes(refusal: &Refusal) -> usize {
    let schema = refusal.input_schema().map_or(0, |schema| schema.to_string().len());
    serde_json::to_string(refusal).unwrap().len() - schema
}
