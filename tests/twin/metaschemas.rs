//! The metaschemas, which the engine brings and the twin must be told.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// All of them, by URI.
pub(crate) fn all() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema/metaschemas");
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let files =
        inside(&folder).into_iter().flat_map(|path| if path.is_dir() { inside(&path) } else { vec![path] });
    let named = |document: &Value| document["$id"].as_str().or(document["id"].as_str()).map(str::to_owned);
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| fs::read_to_string(path).expect("a text"))
        .map(|text| serde_json::from_str(&text).expect("JSON"))
        .filter_map(|document| Some((named(&document)?.trim_end_matches('#').to_owned(), document)))
        .collect()
}
