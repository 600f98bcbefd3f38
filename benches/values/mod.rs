//! What the benches check: schemas with values that pass, and beside them values like these that do not.
//!
//! In: real data sets and tool calls from `../shared` (or `PORTCULLIS_SHARED`) where they are, else the corpus; and
//! `corpus/adversarial/`. Out: [`Set`]s, and [`Pair`]s of values of one size and shape: the same containers with the
//! same members, strings as long.
//! A short scalar may differ in kind.

use std::path::Path;

use portcullis::{UnknownFormats, Validator};
use serde_json::{Map, Value, json};

use crate::case::Case;
use crate::common;

/// Instances of a data set that a round runs through.
const INSTANCES: usize = 200;

/// A schema with values that pass.
pub(crate) struct Set {
    pub(crate) name: String,
    schema: Value,
    pub(crate) instances: Vec<Value>,
}

impl Set {
    pub(crate) fn validator(&self) -> Validator {
        let options = Validator::options().assert_format(false).unknown_formats(UnknownFormats::Annotate);
        options.build(&self.schema).unwrap()
    }
}

pub(crate) fn sets() -> Vec<Set> {
    let Some(shared) = common::shared() else {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/cli");
        return vec![Set {
            name: "a person".to_owned(),
            schema: common::json(&folder.join("person.json")),
            instances: vec![common::json(&folder.join("good.json"))],
        }];
    };
    let mut sets: Vec<Set> = common::folders(&shared.join("datasets"))
        .into_iter()
        .map(|folder| {
            let mut instances = common::json_lines(&folder.join("instances.jsonl"));
            instances.truncate(INSTANCES);
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            Set { name, schema: common::json(&folder.join("schema.json")), instances }
        })
        .collect();
    let calls = common::json_lines(&shared.join("tools/calls.jsonl"));
    let longest = calls.iter().max_by_key(|call| call["arguments"].to_string().len()).unwrap();
    sets.push(Set {
        name: "the longest tool call".to_owned(),
        schema: longest["inputSchema"].clone(),
        instances: vec![longest["arguments"].clone()],
    });
    sets
}

/// Values that pass, and as many of the same size and shape that do not.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) validator: Validator,
    pub(crate) good: Vec<Value>,
    pub(crate) bad: Vec<Value>,
}

/// Of a set, what fails in its last scalar, and what fails in as many as can.
pub(crate) fn pairs_of_set(set: &Set) -> Vec<Pair> {
    pairs(&set.name, &set.instances, || set.validator())
}

/// Of an attack that passes, what fails as above; of one that fails, what passes, where something like it does.
pub(crate) fn pairs_of_attack(case: &Case) -> Vec<Pair> {
    let [_, size] = case.sizes();
    let instance = case.instance(size);
    if case.valid() {
        return pairs(&case.name, &[instance], || case.validator(size));
    }
    let validator = case.validator(size);
    let good = likenesses(&instance).find(|value| validator.is_valid(value));
    good.into_iter()
        .map(|good| Pair {
            name: format!("{}: as it is", case.name),
            validator: case.validator(size),
            good: vec![good],
            bad: vec![instance.clone()],
        })
        .collect()
}

fn pairs(name: &str, instances: &[Value], validator: impl Fn() -> Validator) -> Vec<Pair> {
    /// From a value that passes, those that may fail in a given way.
    type Spoil = fn(&Value) -> Box<dyn Iterator<Item = Value> + '_>;
    let ways: [(&str, Spoil); 2] = [
        ("in its last scalar", |value| Box::new(SCALARS.iter().map(|kind| with_last(value, *kind)))),
        ("in every scalar", |value| Box::new(likenesses(value))),
    ];
    ways.into_iter()
        .filter_map(|(way, spoil)| {
            let validator = validator();
            let (good, bad) = instances
                .iter()
                .filter_map(|value| {
                    let spoilt = spoil(value).find(|spoilt| !validator.is_valid(spoilt))?;
                    Some((value.clone(), spoilt))
                })
                .collect::<(Vec<_>, Vec<_>)>();
            (!bad.is_empty()).then(|| Pair { name: format!("{name}: {way}"), validator, good, bad })
        })
        .collect()
}

/// A scalar whose text is so short may be made another kind: more would be another size.
const SHORT: usize = 16;

/// What a scalar is made, from what it was.
type Scalar = fn(&Value) -> Value;

/// The ways to change scalars: first those that leave every kind as it is.
const SCALARS: [Scalar; 12] = [
    |old| text("~", old),
    |old| text("a", old),
    |old| text("0", old),
    |old| number(-0.5, old),
    |old| number(1, old),
    |old| number(0, old),
    |old| old.as_bool().map_or_else(|| old.clone(), |flag| json!(!flag)),
    |old| other("~", old),
    |old| other(1, old),
    |old| other(-0.5, old),
    |old| other(true, old),
    |old| other((), old),
];

/// A string of one letter, as long.
fn text(letter: &str, old: &Value) -> Value {
    old.as_str().map_or_else(|| old.clone(), |text| letter.repeat(text.len()).into())
}

fn number(number: impl Into<Value>, old: &Value) -> Value {
    if old.is_number() { number.into() } else { old.clone() }
}

fn other(new: impl Into<Value>, old: &Value) -> Value {
    if old.as_str().is_some_and(|text| text.len() > SHORT) { old.clone() } else { new.into() }
}

/// The value with every scalar changed in one way, way by way.
fn likenesses(value: &Value) -> impl Iterator<Item = Value> + '_ {
    SCALARS.iter().map(|kind| with_each(value, *kind))
}

fn with_each(value: &Value, scalar: Scalar) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| with_each(item, scalar)).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (name.clone(), with_each(member, scalar)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => scalar(value),
    }
}

/// The value with its last scalar, or last empty container, made another.
fn with_last(value: &Value, scalar: Scalar) -> Value {
    fn replace(value: &mut Value, scalar: Scalar) {
        let last = match value {
            Value::Array(items) => items.last_mut(),
            Value::Object(members) => members.values_mut().last(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        };
        match last {
            Some(last) => replace(last, scalar),
            None => *value = scalar(value),
        }
    }
    let mut value = value.clone();
    replace(&mut value, scalar);
    value
}
