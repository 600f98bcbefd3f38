//! Whether the engine agrees with an answer: the one place where the engine's doors are opened for comparison.
//!
//! In: a validator, an instance and the answer it must give. Out: every point on which the two differ. `visit` must
//! find the twin's problems, place by place and keyword by keyword; the refusals must list the first places of
//! these, each with the texts that `visit` gave it, sorted, a text once, and count them all.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use portcullis::{Refusal, Validator};
use serde_json::Value;

use super::{Answer, LISTED, bytes};

/// By pointer, each problem's text with the keywords that said it.
type Streamed = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// What the engine does otherwise than `answer` through any of its doors; empty where they agree.
pub(crate) fn differences(validator: &Validator, instance: &Value, answer: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    let mut expect = |door: &str, got: bool| {
        if got != answer.is_valid() {
            found.push(format!("{door}: {got}"));
        }
    };
    expect("is_valid", validator.is_valid(instance));
    expect("is_valid_unfused", validator.is_valid_unfused(instance));
    expect("check", validator.check(instance).is_ok());
    if let Value::Object(members) = instance {
        expect("is_valid_object", validator.is_valid_object(members));
        expect("check_object", validator.check_object(members).is_ok());
    }

    found.extend(bytes::differences(validator, instance));

    let streamed = streamed(validator, instance);
    let got: BTreeSet<(&str, &str)> = streamed
        .iter()
        .flat_map(|(pointer, texts)| {
            texts.values().flatten().map(|keyword| (pointer.as_str(), keyword.as_str()))
        })
        .collect();
    let wanted: BTreeSet<(&str, &str)> = answer
        .entries
        .iter()
        .flat_map(|entry| entry.keywords.iter().map(|keyword| (entry.pointer.as_str(), keyword.as_str())))
        .collect();
    if got != wanted {
        let missing: Vec<_> = wanted.difference(&got).collect();
        let surplus: Vec<_> = got.difference(&wanted).collect();
        found.push(format!("visit: missing {missing:?}, surplus {surplus:?}"));
    }

    let mut expect = |door: &str, checked: Result<(), Refusal>| {
        let got = checked.err().map_or_else(|| "0 at []".to_owned(), |refusal| summary(&refusal, &streamed));
        let pointers: Vec<&str> = answer.listed().iter().map(|entry| entry.pointer.as_str()).collect();
        let wanted = format!("{} at {pointers:?}", answer.total);
        if got != wanted {
            found.push(format!("{door}: got {got}, wanted {wanted}"));
        }
    };
    expect("check", validator.check(instance));
    if let Value::Object(members) = instance {
        expect("check_object", validator.check_object(members));
    }
    found
}

/// The total and the places of a refusal, and after them what is wrong with its entries.
fn summary(refusal: &Refusal, streamed: &Streamed) -> String {
    let pointers: Vec<&str> = refusal.entries().iter().map(|entry| entry.pointer()).collect();
    let mut summary = format!("{} at {pointers:?}", refusal.total());
    if !refusal.is_complete() {
        summary += ", not complete";
    }
    for entry in refusal.entries() {
        let texts: Vec<&str> = entry.problems().iter().map(|problem| problem.text()).collect();
        let Some(seen) = streamed.get(entry.pointer()) else { continue };
        let wanted: Vec<&str> = seen.keys().take(LISTED).map(String::as_str).collect();
        if texts != wanted || entry.more() != seen.len() - wanted.len() {
            summary += &format!(", {} says {texts:?} and {} more of {seen:?}", entry.pointer(), entry.more());
        }
        for problem in entry.problems() {
            if !seen.get(problem.text()).is_some_and(|keywords| keywords.contains(problem.keyword())) {
                summary += &format!(", no {} says {:?}", problem.keyword(), problem.text());
            }
        }
    }
    summary
}

/// Every problem that `visit` hands over.
fn streamed(validator: &Validator, instance: &Value) -> Streamed {
    let mut seen = Streamed::new();
    let completed = validator.visit(instance, |found| {
        let texts = seen.entry(found.pointer()).or_default();
        texts.entry(found.text()).or_default().insert(found.keyword().to_owned());
        ControlFlow::Continue(())
    });
    assert!(completed, "the walk ended early");
    seen
}
