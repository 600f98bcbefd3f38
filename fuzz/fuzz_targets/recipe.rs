//! Bytes as a schema with instances: cases of `tests/generator` and of `corpus/keywords/`, grafted on one another.
//!
//! In: a byte for the dialect, [`SOURCE`] for the case to begin with, and [`EDIT`] for each edit, of which at most
//! [`EDITS`] are taken. Out: the schema and the instances. A source is a case of the corpus, or a seed for the
//! generator; so one byte changes one choice, and what is made ends with the bytes. (The bytes cannot be the
//! generator's random numbers themselves: they run out, at every choice half of what is left, and from zeros alone a
//! uniform choice among three is never made.) Each edit adds one case at most: the size is linear in the bytes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value};

use crate::generator;
use crate::twin::Draft;

/// Bytes that name a case to take from: odd, a case of the corpus; even, a seed.
const SOURCE: usize = 3;

/// Bytes of an edit: what to do, where, with which part, of which case.
const EDIT: usize = 1 + 2 + 2 + SOURCE;

/// Edits of a case: more would only bury what earlier ones did.
const EDITS: usize = 16;

/// Bytes of a generator's seed.
const SEED: usize = 32;

const DRAFTS: [Draft; 7] = [
    Draft::Draft3,
    Draft::Draft4,
    Draft::Draft6,
    Draft::Draft7,
    Draft::Draft201909,
    Draft::Draft202012,
    Draft::V1,
];

type Made = (Value, Vec<Value>);

/// The dialect, the schema and the instances that `bytes` stand for.
pub(crate) fn make(bytes: &[u8]) -> Option<(Draft, Value, Vec<Value>)> {
    let (dialect, bytes) = bytes.split_first()?;
    let draft = DRAFTS[usize::from(*dialect) % DRAFTS.len()];
    let (source, edits) = bytes.split_first_chunk()?;
    let (mut schema, mut instances) = case(draft, *source)?;
    for edit in edits.chunks_exact(EDIT).take(EDITS) {
        let &[what, place, place_high, part, part_high, ref source @ ..] = edit else { continue };
        let (place, part) = (u16::from_le_bytes([place, place_high]), u16::from_le_bytes([part, part_high]));
        let (place, part) = (usize::from(place), usize::from(part));
        let Some((mut other, mut others)) = source.try_into().ok().and_then(|source| case(draft, source))
        else {
            continue;
        };
        let (own, part_of) = match what % 8 {
            // What an instance is has fewer ways to matter than what a schema says.
            0 => {
                let (own, given) = (place % instances.len(), part % others.len());
                instances[own] = others.swap_remove(given);
                continue;
            }
            1 => {
                let (own, given) = (place % instances.len(), part % others.len());
                (&mut instances[own], &mut others[given])
            }
            _ => (&mut schema, &mut other),
        };
        graft(what / 8, own, place, part_of, part);
    }
    Some((draft, schema, instances))
}

/// A case to take from.
fn case(draft: Draft, source: [u8; SOURCE]) -> Option<Made> {
    let [kind, low, high] = source;
    if kind % 2 == 1 {
        let corpus = corpus();
        return corpus.get(usize::from(u16::from_le_bytes([low, high])) % corpus.len()).cloned();
    }
    thread_local! {
        // Strategies are large, and the same for every seed.
        static STRATEGIES: RefCell<HashMap<usize, BoxedStrategy<Made>>> = RefCell::default();
    }
    let strategy = STRATEGIES.with_borrow_mut(|known| {
        known.entry(draft as usize).or_insert_with(|| generator::case(draft).boxed()).clone()
    });
    let mut seed = [0; SEED];
    seed[..SOURCE].copy_from_slice(&source);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    Some(strategy.new_tree(&mut runner).ok()?.current())
}

/// Puts something of an object in `part_of` into an object of `own`.
fn graft(what: u8, own: &mut Value, place: usize, part_of: &mut Value, part: usize) {
    let (places, parts) = (count(own), count(part_of));
    if places == 0 || parts == 0 {
        return;
    }
    let (Some(own), Some(part_of)) = (nth(own, &mut (place % places)), nth(part_of, &mut (part % parts)))
    else {
        return;
    };
    match what % 4 {
        // What both say, as the other does.
        0 => own.iter_mut().for_each(|(name, value)| {
            if let Some(other) = part_of.remove(name) {
                *value = other;
            }
        }),
        // One member less.
        1 => {
            let name = own.keys().nth(part % own.len().max(1)).cloned();
            name.map(|name| own.remove(&name));
        }
        // Another object.
        2 => *own = std::mem::take(part_of),
        // All that the other says, besides.
        _ => part_of.iter().for_each(|(name, value)| drop(own.insert(name.clone(), value.clone()))),
    }
}

/// Objects in a value.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => 1 + members.values().map(count).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The object before which `left` others begin.
fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Map<String, Value>> {
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(members) => {
            if *left == 0 {
                return Some(members);
            }
            *left -= 1;
            members.values_mut().find_map(|member| nth(member, left))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The cases of `corpus/keywords/` that need no document and no option.
fn corpus() -> &'static [Made] {
    static CASES: OnceLock<Vec<Made>> = OnceLock::new();
    CASES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/keywords");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the corpus")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        let groups = paths.iter().flat_map(|path| {
            let groups: Value = serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON");
            groups.as_array().expect("groups").clone()
        });
        groups
            .filter(stands_alone)
            .map(|group| {
                let cases = group["cases"].as_array().expect("cases");
                (group["schema"].clone(), cases.iter().map(|case| case["instance"].clone()).collect())
            })
            .collect()
    })
}

fn stands_alone(group: &Value) -> bool {
    let has = |name: &str| group.get(name).is_some();
    // A metaschema would be a document of the twin's, to be read for each input anew.
    let names_metaschema = group["schema"].to_string().contains("json-schema.org");
    !has("resources") && !has("format") && !has("content") && !names_metaschema
}
