//! Our own cases, keyword by keyword: what `cargo test` proves without any other data.
//!
//! In: `corpus/keywords/*.json`, one file a keyword, and `corpus/answers/*.json`, on what a refusal lists. A file
//! is a list of schemas, each
//! `{"about", "dialect": name or names, "schema", "resources"?: {uri: document}, "format"?: true, "content"?: true,
//! "cases": […]}`,
//! and a case is `{"instance", "valid": true}` or `{"instance", "invalid": {pointer: [keywords]}, "total"?}`.
//! Out: a failure for every case that the twin, or any door of the engine, answers otherwise. `invalid` names what
//! the refusal lists; `total` is given where that is not all.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod twin;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use portcullis::{Dialect, Validator};
use serde_json::Value;

use twin::{Answer, Draft, Entry, Twin, agree};

/// The dialects of a group, each with the twin's, if it knows it.
fn dialects(names: &Value) -> Vec<(Dialect, Option<Draft>)> {
    let names = names.as_array().map_or_else(|| std::slice::from_ref(names), Vec::as_slice);
    let named = |name: &Value| match name.as_str() {
        Some("draft3") => (Dialect::Draft3, None),
        Some("draft4") => (Dialect::Draft4, Some(Draft::Draft4)),
        Some("draft6") => (Dialect::Draft6, Some(Draft::Draft6)),
        Some("draft7") => (Dialect::Draft7, Some(Draft::Draft7)),
        Some("2019-09") => (Dialect::Draft201909, Some(Draft::Draft201909)),
        Some("2020-12") => (Dialect::Draft202012, Some(Draft::Draft202012)),
        Some("v1") => (Dialect::V1, None),
        _ => panic!("no such dialect: {name}"),
    };
    names.iter().map(named).collect()
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

/// What a case expects, as an answer of its own where there is no twin. The order of its places is not tested.
fn as_given((total, entries): &(usize, BTreeMap<String, BTreeSet<String>>)) -> Answer {
    let mut entries: Vec<Entry> = entries
        .iter()
        .map(|(pointer, keywords)| Entry { pointer: pointer.clone(), keywords: keywords.clone() })
        .collect();
    let tokens = |entry: &Entry| entry.pointer.split('/').map(str::to_owned).collect::<Vec<_>>();
    entries.sort_by(|one, other| twin::order::paths(&tokens(one), &tokens(other)));
    Answer { total: *total, entries }
}

/// Runs a folder; returns how many cases it holds.
fn run(folder: &str) -> usize {
    let mut count = 0;
    let mut complaints = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let groups: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for group in groups.as_array().unwrap() {
            let known = ["about", "dialect", "schema", "resources", "format", "content", "cases"];
            assert!(group.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{group}");
            let mut complain = |complaint: String| {
                complaints
                    .push(format!("{name}: {}\n    {}\n    {complaint}", group["about"], group["schema"]));
            };
            for (dialect, draft) in dialects(&group["dialect"]) {
                count += run_group(group, dialect, draft, &mut complain);
            }
        }
    }
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.join("\n"));
    count
}

fn run_group(
    group: &Value,
    dialect: Dialect,
    draft: Option<Draft>,
    complain: &mut impl FnMut(String),
) -> usize {
    let resources: Vec<(String, Value)> =
        group["resources"].as_object().into_iter().flatten().map(|(u, v)| (u.clone(), v.clone())).collect();
    let format = group["format"] == true;
    let twin = draft.map(|draft| Twin::new(draft, &group["schema"], &resources).assert_format(format));
    let content = group["content"] == true;
    // Content that asserts is nothing that the twin knows.
    let twin = twin.filter(|_| !content);
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
        let answer = match twin.as_ref().map(|twin| twin.answer(instance)) {
            Some(Ok(answer)) => answer,
            Some(Err(reason)) => {
                complain(format!("{dialect}: the twin gives up: {reason}"));
                continue;
            }
            None => as_given(&wanted),
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
            for difference in agree::differences(validator, instance, &answer) {
                complain(format!("{dialect} {instance}: {difference}"));
            }
        }
    }
    cases.len()
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
