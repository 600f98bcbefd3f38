//! Whether the engine agrees with an answer: the one place where the engine's doors are opened for comparison.
//!
//! In: a validator, an instance and the answer it must give. Out: every point on which the two differ.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use portcullis::{Refusal, Validator};
use serde_json::Value;

use super::{Answer, Entry, LISTED};

/// What the engine does otherwise than `answer` through any of its doors; empty where they agree.
pub(crate) fn differences(validator: &Validator, instance: &Value, answer: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    let mut expect = |door: &str, got: String, wanted: String| {
        if got != wanted {
            found.push(format!("{door}: got {got}, wanted {wanted}"));
        }
    };
    let valid = answer.is_valid().to_string();
    expect("is_valid", validator.is_valid(instance).to_string(), valid.clone());
    let listed = format!("{} {:?}", answer.total, answer.listed());
    expect("check", outcome(validator.check(instance), answer), listed.clone());
    if let Value::Object(members) = instance {
        expect("is_valid_object", validator.is_valid_object(members).to_string(), valid);
        expect("check_object", outcome(validator.check_object(members), answer), listed);
    }
    let all: BTreeSet<(&str, &str)> = answer
        .entries
        .iter()
        .flat_map(|entry| entry.keywords.iter().map(|keyword| (entry.pointer.as_str(), keyword.as_str())))
        .collect();
    let streamed = streamed(validator, instance);
    let streamed = streamed.iter().map(|(pointer, keyword)| (pointer.as_str(), keyword.as_str())).collect();
    let missing: Vec<_> = all.difference(&streamed).collect();
    let surplus: Vec<_> = streamed.difference(&all).collect();
    expect("visit", format!("missing {missing:?}, surplus {surplus:?}"), "missing [], surplus []".to_owned());
    found
}

/// What `check` said, as an answer is printed.
fn outcome(checked: Result<(), Refusal>, answer: &Answer) -> String {
    let Err(refusal) = checked else { return "0 []".to_owned() };
    let entries: Vec<Entry> = refusal
        .entries()
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            let pointer = entry.pointer().to_owned();
            let mut keywords: BTreeSet<String> =
                entry.problems().iter().map(|problem| problem.keyword().to_owned()).collect();
            // An entry lists so many problems: of more, any of the right keywords may have been kept.
            if let Some(wanted) = answer.entries.get(at).filter(|_| entry.problems().len() == LISTED)
                && keywords.is_subset(&wanted.keywords)
            {
                keywords.clone_from(&wanted.keywords);
            }
            Entry { pointer, keywords }
        })
        .collect();
    format!("{} {entries:?}", refusal.total())
}

/// Every problem that `visit` hands over, as (pointer, keyword).
fn streamed(validator: &Validator, instance: &Value) -> BTreeSet<(String, String)> {
    let mut seen = BTreeSet::new();
    validator.visit(instance, |problem| {
        seen.insert((problem.pointer().to_owned(), problem.keyword().to_owned()));
        ControlFlow::Continue(())
    });
    seen
}
