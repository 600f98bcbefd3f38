//! Our own cases, keyword by keyword: what `cargo test` proves without any other data.
//!
//! In: `corpus/keywords/*.json`, one file a keyword, and `corpus/answers/*.json`, on what a refusal lists. A file
//! is a list of schemas, each
//! `{"about", "dialect": name or names, "schema", "resources"?: {uri: document}, "format"?: true, "content"?: true,
//! "cases": […]}`,
//! and a case is `{"instance", "valid": true}` or
//! `{"instance", "invalid": {pointer: [keywords]}, "total"?, "texts"?: {pointer: [texts]}}`.
//! Out: a failure for every case that the twin, or any door of the engine, answers otherwise. `invalid` names what
//! the refusal lists; `total` is given where that is not all.
//!
//! Besides, `corpus/schemas/*.json`: schemas that build, and those that are refused, each with the place that the
//! refusal must name; and `corpus/faults.json`, which says which of our cases holds each kind of fault that was ever
//! reported to us.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod twin;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use portcullis::{Dialect, Entry, Validator};
use serde_json::{Map, Value};

use twin::{Draft, Twin, agree};

/// The dialects of a group.
fn dialects(names: &Value) -> Vec<Dialect> {
    let names = names.as_array().map_or_else(|| std::slice::from_ref(names), Vec::as_slice);
    let named = |name: &Value| name.as_str().and_then(Dialect::from_name);
    names.iter().map(|name| named(name).unwrap_or_else(|| panic!("no such dialect: {name}"))).collect()
}

/// What a case expects, as the twin's answer is printed.
fn expected(case: &Value) -> (usize, BTreeMap<String, BTreeSet<String>>) {
    if case["valid"] == true {
        assert!(case.get("invalid").is_none(), "either valid or not: {case}");
        return (0, BTreeMap::new());
    }
    let entries = case["invalid"].as_object().unwrap_or_else(|| panic!("neither valid nor invalid: {case}"));
    let keywords =
        |list: &Value| list.as_array().unwrap().iter().map(|k| k.as_str().unwrap().to_owned()).collect();
    let entries: BTreeMap<_, _> = entries.iter().map(|(at, list)| (at.clone(), keywords(list))).collect();
    (case["total"].as_u64().map_or(entries.len(), |total| total as usize), entries)
}

/// Runs a folder; returns how many cases it holds.
fn run(folder: &str) -> usize {
    let mut count = 0;
    let mut complaints = Vec::new();
    let folder = corpus().join(folder);
    let metaschemas = twin::metaschemas::all();
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let groups = read(&path);
        for group in groups.as_array().unwrap() {
            let known = ["about", "dialect", "schema", "resources", "format", "content", "cases"];
            assert!(group.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{group}");
            let mut complain = |complaint: String| {
                complaints
                    .push(format!("{name}: {}\n    {}\n    {complaint}", group["about"], group["schema"]));
            };
            for dialect in dialects(&group["dialect"]) {
                count += run_group(group, dialect, &metaschemas, &mut complain);
            }
        }
    }
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
    count
}

fn run_group(
    group: &Value,
    dialect: Dialect,
    metaschemas: &[(String, Value)],
    complain: &mut impl FnMut(String),
) -> usize {
    let resources: Vec<(String, Value)> =
        group["resources"].as_object().into_iter().flatten().map(|(u, v)| (u.clone(), v.clone())).collect();
    let format = group["format"] == true;
    let content = group["content"] == true;
    let documents = [resources.as_slice(), metaschemas].concat();
    let twin = Twin::new(Draft::of(dialect), &group["schema"], &documents)
        .assert_format(format)
        .assert_content(content);
    let mut options = Validator::options().dialect(dialect).assert_format(format).assert_content(content);
    for (uri, resource) in &resources {
        options = options.resource(uri, resource.clone());
    }
    let validator = match options.build(&group["schema"]) {
        Ok(validator) => Some(validator),
        Err(error) => {
            complain(format!("{dialect}: does not build: {error}"));
            None
        }
    };
    let cases = group["cases"].as_array().unwrap();
    for case in cases {
        let instance = &case["instance"];
        let wanted = expected(case);
        let answer = match twin.answer(instance) {
            Ok(answer) => answer,
            Err(reason) => {
                complain(format!("{dialect}: the twin gives up: {reason}"));
                continue;
            }
        };
        let listed: BTreeMap<_, _> =
            answer.listed().iter().map(|e| (e.pointer.clone(), e.keywords.clone())).collect();
        if (answer.total, &listed) != (wanted.0, &wanted.1) {
            complain(format!(
                "{dialect} {instance}: the twin says {} {listed:?}, wanted {wanted:?}",
                answer.total
            ));
        }
        if let Some(validator) = &validator {
            if let Some(texts) = case.get("texts") {
                let got = texts_of(validator, instance);
                if got != *texts {
                    complain(format!("{dialect} {instance}: says {got} instead of {texts}"));
                }
            }
            for difference in agree::differences(validator, instance, &answer) {
                complain(format!("{dialect} {instance}: {difference}"));
            }
        }
    }
    cases.len()
}

/// The refusal's texts, place by place.
fn texts_of(validator: &Validator, instance: &Value) -> Value {
    let refusal = validator.check(instance).err();
    let entries = refusal.iter().flat_map(|refusal| refusal.entries());
    let texts = |entry: &Entry| entry.problems().iter().map(|problem| problem.text()).collect::<Value>();
    entries.map(|entry| (entry.pointer().to_owned(), texts(entry))).collect::<Map<_, _>>().into()
}

/// A file of the corpus.
fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

#[test]
fn schemas_build_or_are_refused_where_they_are_wrong() {
    let mut complaints = Vec::new();
    for file in ["refused", "builds"] {
        let groups = read(&corpus().join(format!("schemas/{file}.json")));
        for group in groups.as_array().unwrap() {
            let wanted = group["refused"].as_str();
            assert_eq!(wanted.is_none(), group["builds"] == true, "either builds or not: {group}");
            for dialect in dialects(&group["dialect"]) {
                let built = Validator::options().dialect(dialect).build(&group["schema"]);
                let at = built.as_ref().err().map(|error| error.schema_location());
                if at != wanted {
                    let why = built.err().map(|error| error.to_string());
                    complaints.push(format!("{dialect} {}: {why:?} instead of {wanted:?}", group["about"]));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_kind_of_fault_has_a_case() {
    let kinds = read(&corpus().join("faults.json"));
    let mut complaints = Vec::new();
    for kind in kinds.as_array().unwrap() {
        let own = kind["own"].as_array().unwrap();
        assert!(kind["kind"].is_string() && !own.is_empty(), "{kind}");
        for case in own.iter().map(|case| case.as_str().unwrap()) {
            // A file, or one of the strings in it: what a group is about, a pattern, a text of a format.
            let (file, named) =
                case.split_once(": ").map_or((case, None), |(file, named)| (file, Some(named)));
            let file = read(&corpus().join(file));
            if named.is_some_and(|named| !holds(&file, named)) {
                complaints.push(format!("{}: there is no {case}", kind["kind"]));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Whether the string stands anywhere in the document.
fn holds(document: &Value, wanted: &str) -> bool {
    match document {
        Value::String(text) => text == wanted,
        Value::Array(items) => items.iter().any(|item| holds(item, wanted)),
        Value::Object(members) => members.values().any(|member| holds(member, wanted)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[test]
fn every_keyword_does_what_its_cases_say() {
    let count = run("keywords");
    assert!(count >= 3_000, "only {count} cases: some have gone missing");
}

#[test]
fn a_refusal_lists_what_its_cases_say() {
    assert!(run("answers") > 0);
}
