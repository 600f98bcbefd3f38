//! Makes the fuzzers' first inputs from the corpus: `cargo run --manifest-path fuzz/Cargo.toml --example seeds`.
//!
//! In: `corpus/`. Out: `fuzz/corpus/<target>/`, a file a seed, named by its content's count; written anew each time.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Dialects that the twin knows.
const DIALECTS: usize = 7;

/// Bytes of an edit of the twin's recipe, and how many edits, less one, a seed may have; of so many seeds one has any,
/// since each costs as much as a seed.
const EDIT: usize = 8;
const EDITS: usize = 17;
const SPARE: usize = 8;

struct Seeds {
    folder: PathBuf,
    count: usize,
}

impl Seeds {
    fn of(target: &str) -> Seeds {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder).expect("a folder that can be made");
        Seeds { folder, count: 0 }
    }

    fn add(&mut self, bytes: impl AsRef<[u8]>) {
        fs::write(self.folder.join(format!("seed-{:04}", self.count)), bytes)
            .expect("a file that can be written");
        self.count += 1;
    }
}

fn documents(folder: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(folder);
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")).collect()
}

/// Every member of this name, wherever it stands.
fn members(value: &Value, name: &str, found: &mut Vec<Value>) {
    match value {
        Value::Object(all) => {
            found.extend(all.get(name).cloned());
            all.values().for_each(|member| members(member, name, found));
        }
        Value::Array(items) => items.iter().for_each(|item| members(item, name, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn main() {
    let (mut schemas, mut instances) = (Vec::new(), Vec::new());
    for document in documents("keywords") {
        members(&document, "schema", &mut schemas);
        members(&document, "instance", &mut instances);
    }
    let mut seeds = Seeds::of("schema_bytes");
    schemas.iter().for_each(|schema| seeds.add(schema.to_string()));
    let (mut refusals, mut bounds, mut twins) = (Seeds::of("refusal"), Seeds::of("bound"), Seeds::of("twin"));
    for (index, instance) in instances.iter().enumerate() {
        let json = instance.to_string();
        refusals.add([&[index as u8], json.as_bytes()].concat());
        bounds.add(&json);
    }
    // The dialect, and the source: a case of the corpus, or a seed for the generator. Then edits, any bytes: libFuzzer
    // tries nothing longer than the longest seed for a long while.
    for index in 0..schemas.len() {
        let [low, high, ..] = index.to_le_bytes();
        let count = if index % SPARE == 0 { index / SPARE % EDITS } else { 0 };
        let edits = (0..count * EDIT).map(|at| (index * 31 + 7).wrapping_mul(at * at + 13).to_le_bytes()[1]);
        let source = [(index % DIALECTS) as u8, u8::from(index % 4 != 0), low, high];
        twins.add(source.into_iter().chain(edits).collect::<Vec<u8>>());
    }
    let mut gates = Seeds::of("gate");
    let calls: String = documents("calls").iter().map(Value::to_string).collect();
    for tools in documents("tools") {
        gates.add(format!("{tools}{calls}"));
    }
    for (schema, instance) in schemas.iter().zip(&instances) {
        let tools = serde_json::json!([{"name": "t", "inputSchema": schema}]);
        let call = serde_json::json!({"name": "t", "arguments": {"a": instance}});
        gates.add(format!("{tools}{call}"));
    }
    let (mut slices, mut texts) = (Seeds::of("slice"), Seeds::of("json_text"));
    for (schema, instance) in schemas.iter().zip(&instances) {
        slices.add(format!("{schema}{instance:#}"));
        texts.add(instance.to_string());
        texts.add(format!("{instance:#}"));
    }
    for text in [
        r#"{"a":"\ud83d\ude00","\u0061":[1e400,-0.0E-7,01]}"#,
        "\u{feff}[true,fals]",
        r#"[[[{"":{"":[]}}]]]"#,
    ] {
        texts.add(text);
    }
    let mut patterns = Seeds::of("pattern");
    for document in documents("patterns") {
        for case in document.as_array().into_iter().flatten() {
            let Some(pattern) = case["pattern"].as_str() else { continue };
            let texts = ["matches", "rejects"]
                .into_iter()
                .flat_map(|name| case[name].as_array().into_iter().flatten());
            texts.filter_map(Value::as_str).for_each(|text| patterns.add(format!("{pattern}\0{text}")));
        }
    }
}
