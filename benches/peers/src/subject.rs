//! What the engines are asked: a schema and values, by name.
//!
//! In: `attacks.json`, `corpus/adversarial/`, and the data sets in `../shared` (or `PORTCULLIS_SHARED`) where they are.
//! Out: names, and the [`Subject`] of a name. An attack has the size that its file says; a case the larger of its two.

use std::path::{Path, PathBuf};

use portcullis::Limits;
use serde_json::Value;

use crate::case::Case;
use crate::template;

/// Instances of a data set.
const INSTANCES: usize = 200;

/// A schema, and what is checked.
pub(crate) struct Subject {
    pub(crate) schema: Value,
    pub(crate) values: Vec<Value>,
    /// For the engine that has limits.
    pub(crate) limits: Limits,
    /// Whether `format` asserts.
    pub(crate) formats: bool,
}

impl Subject {
    /// Every name, in the order of the table.
    pub(crate) fn names() -> Vec<String> {
        let attacks = attacks().into_iter().map(|attack| format!("attack {}", text(&attack["name"])));
        let cases = Case::all().into_iter().filter(Case::runs_here).map(|case| format!("case {}", case.name));
        let sets = sets().into_iter().filter_map(|set| Some(format!("data {}", set.file_name()?.to_str()?)));
        attacks.chain(cases).chain(sets).collect()
    }

    pub(crate) fn named(name: &str) -> Option<Subject> {
        let (kind, name) = name.split_once(' ')?;
        match kind {
            "attack" => attacks().iter().find(|attack| text(&attack["name"]) == name).map(Subject::of_attack),
            "case" => Case::all().iter().find(|case| case.name == name).map(Subject::of_case),
            _ => sets().iter().find(|set| set.ends_with(name)).map(|set| Subject::of_set(set)),
        }
    }

    fn of_attack(attack: &Value) -> Subject {
        let size = attack["size"].as_u64().expect("a size");
        let build = |member: &str| template::build(&attack[member], size);
        let (schema, values) = (build("schema"), vec![build("instance")]);
        Subject { schema, values, limits: Limits::default(), formats: true }
    }

    fn of_case(case: &Case) -> Subject {
        let [_, size] = case.sizes();
        let (schema, values) = (case.schema(size), vec![case.instance(size)]);
        Subject { schema, values, limits: case.limits(), formats: true }
    }

    fn of_set(folder: &Path) -> Subject {
        let text = std::fs::read_to_string(folder.join("instances.jsonl")).expect("instances");
        let lines = text.lines().take(INSTANCES);
        let values = lines.map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let schema = read(&folder.join("schema.json"));
        Subject { schema, values, limits: Limits::default(), formats: false }
    }
}

fn attacks() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("attacks.json");
    read(&path).as_array().expect("a list of attacks").clone()
}

/// The folders of the data sets, where they are.
fn sets() -> Vec<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("PORTCULLIS_SHARED").map_or(default, PathBuf::from);
    let Ok(entries) = std::fs::read_dir(shared.join("datasets")) else { return Vec::new() };
    let mut sets: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    sets.sort();
    sets
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
