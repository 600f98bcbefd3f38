//! What the tests of real data share: where it lies, and how it is read.

#![allow(clippy::unwrap_used, reason = "data that cannot be read fails the test")]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of real data beside the repository, or the one that `PORTCULLIS_SHARED` names. Where there is none,
/// the test says that it skips; under CI it fails.
pub(crate) fn shared() -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("PORTCULLIS_SHARED").map_or(default, PathBuf::from);
    if folder.join("tools").is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is absent", folder.display());
    eprintln!("skipped: {} is absent", folder.display());
    None
}

/// The folders in `folder`, by name.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// A file of one JSON document.
pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A file of one JSON document a line.
pub(crate) fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
