//! The official JSON Schema test suite, every dialect in one runner.
//!
//! In: the suite's folder (`JSON_SCHEMA_TEST_SUITE`, or `../shared/json-schema-test-suite` beside this crate) and
//! `corpus/suite-exceptions.json`. Out: a table of what passes, and a failure for whatever fails without a reason
//! in that file, or passes in spite of one. Without the folder it says that it skipped; with `CI=true` that fails.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod twin;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use portcullis::{Dialect, UnknownFormats, Validator};
use serde_json::Value;

use twin::{Draft, Twin, agree};

/// A dialect under test: the suite's folder, its `$schema`, the engine's name for it.
struct Tested {
    folder: &'static str,
    schema: &'static str,
    dialect: Dialect,
}

const TESTED: &[Tested] = &[
    Tested { folder: "draft3", schema: "http://json-schema.org/draft-03/schema#", dialect: Dialect::Draft3 },
    Tested { folder: "draft4", schema: "http://json-schema.org/draft-04/schema#", dialect: Dialect::Draft4 },
    Tested { folder: "draft6", schema: "http://json-schema.org/draft-06/schema#", dialect: Dialect::Draft6 },
    Tested { folder: "draft7", schema: "http://json-schema.org/draft-07/schema#", dialect: Dialect::Draft7 },
    Tested {
        folder: "draft2019-09",
        schema: "https://json-schema.org/draft/2019-09/schema",
        dialect: Dialect::Draft201909,
    },
    Tested {
        folder: "draft2020-12",
        schema: "https://json-schema.org/draft/2020-12/schema",
        dialect: Dialect::Draft202012,
    },
    Tested { folder: "v1", schema: "https://json-schema.org/v1", dialect: Dialect::V1 },
];

/// The parts of a dialect's folder. In `Format`, and in it alone, `format` asserts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Mandatory,
    Optional,
    Format,
}

impl Part {
    /// With the folders that hold them, where a dialect has them.
    const ALL: [(Part, &[&str]); 3] = [
        (Part::Mandatory, &[""]),
        (Part::Optional, &["optional/", "proposals/propertyDependencies/"]),
        (Part::Format, &["optional/format/", "format/"]),
    ];
}

/// Who answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// `is_valid`, `check` and the object door.
    Engine,
    /// The twin's verdict.
    Twin,
    /// Engine and twin side by side, down to the entries.
    Both,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Engine => "engine",
            Mode::Twin => "twin",
            Mode::Both => "both",
        }
    }
}

/// What the twin answered in a dialect.
#[derive(Default)]
struct Judged {
    answers: usize,
    /// Of these, those where a format or a media type was the engine's own to judge.
    borrowed: usize,
    /// Tests that it has no answer to, by reason.
    none: BTreeMap<String, usize>,
}

/// A test that did not go as the suite says.
struct Failure {
    dialect: &'static str,
    file: String,
    group: String,
    test: String,
    mode: Mode,
    got: String,
}

/// A failure that is known, and why; what is not given fits all.
struct Exception {
    entry: Value,
    used: bool,
}

impl Exception {
    fn fits(&self, failure: &Failure) -> bool {
        let says = |field: &str, value: &str| self.entry[field].as_str().is_none_or(|said| said == value);
        says("dialect", failure.dialect)
            && says("file", &failure.file)
            && says("group", &failure.group)
            && says("test", &failure.test)
            && says("mode", failure.mode.name())
    }
}

#[test]
fn the_official_suite_passes() {
    let Some(root) = suite() else { return };
    let metaschemas = twin::metaschemas::all();
    let mut failures = Vec::new();
    let mut table = BTreeMap::new();
    let mut twins: BTreeMap<&str, Judged> = BTreeMap::new();
    for tested in TESTED {
        let resources = remotes(&root, tested);
        let with_metaschemas = [resources.as_slice(), metaschemas.as_slice()].concat();
        for (part, folders) in Part::ALL {
            let row: &mut (usize, usize) = table.entry((tested.folder, part)).or_default();
            for prefix in folders {
                let folder = root.join("tests").join(tested.folder).join(prefix);
                for path in if folder.is_dir() { json_files(&folder) } else { Vec::new() } {
                    let file = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
                    for group in read(&path).as_array().unwrap() {
                        let judged = twins.entry(tested.folder).or_default();
                        let documents = [resources.as_slice(), with_metaschemas.as_slice()];
                        run(tested, part, &file, group, documents, (row, judged), &mut failures);
                    }
                }
            }
        }
    }
    let mut report = String::from("\n| dialect | mandatory | optional | format |\n|---|---|---|---|\n");
    for tested in TESTED {
        report += &format!("| {} |", tested.folder);
        for (part, _) in Part::ALL {
            let (passed, total) = table[&(tested.folder, part)];
            report += &format!(" {passed}/{total} |");
        }
        report += "\n";
    }
    report += "\n| dialect | answers of the twin | where the engine told it of a format or media type | none |\n|---|---|---|---|\n";
    for tested in TESTED {
        let judged = &twins[tested.folder];
        let none: usize = judged.none.values().sum();
        report += &format!("| {} | {} | {} | {none} |\n", tested.folder, judged.answers, judged.borrowed);
        report.extend(judged.none.iter().map(|(reason, count)| format!("    {count} without: {reason}\n")));
    }
    say(&report);
    settle(&failures);
}

/// Runs one schema with its tests in every mode.
fn run(
    tested: &Tested,
    part: Part,
    file: &str,
    group: &Value,
    [resources, with_metaschemas]: [&[(String, Value)]; 2],
    ((passed, total), judged): (&mut (usize, usize), &mut Judged),
    failures: &mut Vec<Failure>,
) {
    let schema = &group["schema"];
    // Most schemas stand alone.
    let text = schema.to_string();
    let resources = if text.contains("localhost:1234") { resources } else { &[] };
    let mut options = Validator::options()
        .dialect(tested.dialect)
        .assert_format(part == Part::Format)
        // Draft 7 leaves it open whether content asserts, and the file says what it is if it does.
        .assert_content(file == "optional/content.json")
        .unknown_formats(UnknownFormats::Annotate);
    for (uri, resource) in resources {
        options = options.resource(uri, resource.clone());
    }
    let validator = options.build(schema);
    let twin = Twin::new(Draft::of(tested.dialect), schema, with_metaschemas)
        .assert_format(part == Part::Format)
        .assert_content(file == "optional/content.json");
    for test in group["tests"].as_array().unwrap() {
        let (instance, valid) = (&test["data"], test["valid"].as_bool().unwrap());
        let mut fail = |mode, got: String| {
            failures.push(Failure {
                dialect: tested.folder,
                file: file.to_owned(),
                group: group["description"].as_str().unwrap().to_owned(),
                test: test["description"].as_str().unwrap().to_owned(),
                mode,
                got,
            });
        };
        *total += 1;
        match &validator {
            Ok(validator) => {
                let verdicts = [
                    Some(validator.is_valid(instance)),
                    Some(validator.is_valid_unfused(instance)),
                    Some(validator.check(instance).is_ok()),
                    instance.as_object().map(|members| validator.is_valid_object(members)),
                    instance.as_object().map(|members| validator.check_object(members).is_ok()),
                ];
                let by_bytes = twin::bytes::differences(validator, instance);
                if !by_bytes.is_empty() {
                    fail(Mode::Engine, by_bytes.join("; "));
                } else if verdicts.into_iter().flatten().all(|verdict| verdict == valid) {
                    *passed += 1;
                } else {
                    fail(Mode::Engine, format!("{verdicts:?} instead of {valid}"));
                }
            }
            Err(error) => fail(Mode::Engine, format!("does not build: {error}")),
        }
        match twin.answer(instance) {
            Err(reason) => *judged.none.entry(reason).or_default() += 1,
            Ok(answer) => {
                judged.answers += 1;
                judged.borrowed += usize::from(twin.has_borrowed());
                if answer.is_valid() != valid {
                    fail(Mode::Twin, format!("{:?} instead of {valid}", answer.entries));
                }
                if let Ok(validator) = &validator {
                    let differences = agree::differences(validator, instance, &answer);
                    if !differences.is_empty() {
                        fail(Mode::Both, differences.join("; "));
                    }
                }
            }
        }
    }
}

/// Fails for each failure without a reason, and for each reason without a failure.
fn settle(failures: &[Failure]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/suite-exceptions.json");
    let mut exceptions: Vec<Exception> = read(&file)
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            assert!(entry["reason"].is_string() && entry["file"].is_string(), "a reason and a file: {entry}");
            Exception { entry: entry.clone(), used: false }
        })
        .collect();
    let mut complaints = Vec::new();
    for failure in failures {
        let mut known = false;
        for exception in exceptions.iter_mut().filter(|exception| exception.fits(failure)) {
            exception.used = true;
            known = true;
        }
        if !known {
            let Failure { dialect, file, group, test, mode, got } = failure;
            complaints.push(format!("{dialect} {file} [{}]\n    {group} / {test}\n    {got}", mode.name()));
        }
    }
    let stale = exceptions.iter().filter(|exception| !exception.used);
    complaints.extend(stale.map(|exception| format!("passes in spite of {}", exception.entry)));
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}

/// The suite's folder, where there is one.
fn suite() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/json-schema-test-suite");
    let root = std::env::var_os("JSON_SCHEMA_TEST_SUITE").map_or_else(beside, PathBuf::from);
    if root.join("tests").is_dir() {
        return Some(root);
    }
    let message = format!("the official suite is not at {}", root.display());
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{message}");
    say(&format!("skipped: {message}\n"));
    None
}

/// The documents that tests refer to, by URI: those of no dialect, and those of each dialect under test, which
/// are told their `$schema` where they do not say it.
fn remotes(root: &Path, tested: &Tested) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut folders = vec![root.join("remotes")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root.join("remotes")).unwrap().to_string_lossy().replace('\\', "/");
            let top = name.split('/').next().unwrap_or("");
            let other = TESTED.iter().find(|tested| tested.folder == top);
            if path.is_dir() {
                let is_dialect = top.starts_with("draft") || top == "v1";
                if other.is_some() || !is_dialect {
                    folders.push(path);
                }
            } else if name.ends_with(".json") {
                let mut document = read(&path);
                if let Value::Object(members) = &mut document {
                    let dialect = other.unwrap_or(tested).schema;
                    members.entry("$schema").or_insert_with(|| dialect.into());
                }
                found.push((format!("http://localhost:1234/{name}"), document));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes past the test harness, which swallows what a passing test prints.
fn say(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
