//! What the benches check: schemas with values that pass, and beside them values like these that do not.
//!
//! In: real data sets and tool calls from `../shared` (or `PORTCULLIS_SHARED`) where they are, else the corpus; and
//! `corpus/adversarial/`. Out: [`Set`]s, and [`Pair`]s of values of one size and shape: the same containers with the
//! same members, strings as long.
//! A short scalar may differ in kind. A pair of small values has a larger one beside it, of arrays of them
//! ([`Pair::together`]).

use std::path::Path;

use portcullis::{Limits, Options, Scratch, UnknownFormats, Validator};
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
        Settings::Set.options().build(&self.schema).unwrap()
    }
}

/// How a schema is built.
#[derive(Clone)]
enum Settings {
    Set,
    Attack(Limits),
}

impl Settings {
    fn options(&self) -> Options {
        let options = Validator::options();
        match self {
            Settings::Set => options.assert_format(false).unknown_formats(UnknownFormats::Annotate),
            Settings::Attack(limits) => options.limits(limits.clone()),
        }
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
    /// What the validator is built from.
    schema: Value,
    settings: Settings,
    /// Whether of many values together each fails, or the last alone.
    each: bool,
}

impl Pair {
    fn new(
        name: String,
        schema: Value,
        settings: Settings,
        each: bool,
        (good, bad): (Vec<Value>, Vec<Value>),
    ) -> Pair {
        let validator = settings.options().build(&schema).unwrap();
        Pair { name, validator, good, bad, schema, settings, each }
    }

    /// One pair of arrays of `count` such values, taken in turns.
    pub(crate) fn together(&self, count: u64) -> Pair {
        const ONE: &str = "urn:one";
        let array = |values: &[Value]| -> Vec<Value> {
            values.iter().cycle().take((count as usize).max(values.len())).cloned().collect()
        };
        let (good, mut bad) = (array(&self.good), array(&self.bad));
        if !self.each {
            let last = bad.pop();
            bad = good.clone();
            bad.pop();
            bad.extend(last);
        }
        // The schema is a document of its own: its references stay what they are.
        let options = self.settings.options().resource(ONE, self.schema.clone());
        let validator = options.build(&json!({"items": {"$ref": ONE}})).unwrap();
        Pair {
            name: self.name.clone(),
            validator,
            good: vec![good.into()],
            bad: vec![bad.into()],
            schema: self.schema.clone(),
            settings: self.settings.clone(),
            each: self.each,
        }
    }
}

/// Of a set, what fails in its last scalar, and what fails in as many as can.
pub(crate) fn pairs_of_set(set: &Set) -> Vec<Pair> {
    pairs(&set.name, &set.instances, &set.schema, &Settings::Set)
}

/// Whether there is anything to compare an attack's refusal with.
pub(crate) fn has_pairs(case: &Case) -> bool {
    let [_, size] = case.sizes();
    case.accepted(size) != Some(Value::Null)
}

/// Of an attack that passes, what fails as above; of one that fails, what passes, where something like it does.
pub(crate) fn pairs_of_attack(case: &Case) -> Vec<Pair> {
    let [_, size] = case.sizes();
    let schema = case.schema(size);
    let settings = Settings::Attack(case.limits());
    let validator = case.validator(size);
    let steps = |instance: &Value| {
        let mut scratch = Scratch::new();
        let _ = validator.is_valid_with(&mut scratch, instance);
        scratch.steps()
    };
    let (mut size, mut instance) = (size, case.instance(size));
    // What is long and yet takes no steps is made shorter, where that is as good: there will be many of it.
    if steps(&instance) < FEW_STEPS && instance.to_string().len() > LONG {
        let shorter = case.instance(size / SHORTER);
        if validator.is_valid(&shorter) == case.valid() {
            (size, instance) = (size / SHORTER, shorter);
        }
    }
    if case.valid() {
        return pairs(&case.name, &[instance], &schema, &settings);
    }
    let good = match case.accepted(size) {
        Some(accepted) => Some(accepted),
        None => likenesses(&instance).find(|value| validator.is_valid(value)),
    };
    let name = format!("{}: as it is", case.name);
    good.into_iter()
        .map(|good| {
            let values = (vec![good], vec![instance.clone()]);
            Pair::new(name.clone(), schema.clone(), settings.clone(), true, values)
        })
        .collect()
}

/// Of an attack that takes fewer steps than these, an instance longer than this, in bytes, is made so much shorter.
const FEW_STEPS: u64 = 100;
const LONG: usize = 100_000;
const SHORTER: u64 = 10_000;

fn pairs(name: &str, instances: &[Value], schema: &Value, settings: &Settings) -> Vec<Pair> {
    /// From a value that passes, those that may fail in a given way.
    type Spoil = fn(&Value) -> Box<dyn Iterator<Item = Value> + '_>;
    let ways: [(&str, Spoil, bool); 2] = [
        ("in its last scalar", |value| Box::new(SCALARS.iter().map(|kind| with_last(value, *kind))), false),
        ("in every scalar", |value| Box::new(likenesses(value)), true),
    ];
    let validator = settings.options().build(schema).unwrap();
    ways.into_iter()
        .filter_map(|(way, spoil, each)| {
            let values = instances
                .iter()
                .filter_map(|value| {
                    let spoilt = spoil(value).find(|spoilt| !validator.is_valid(spoilt))?;
                    let good = spelled_alike(value, &spoilt);
                    let good = if validator.is_valid(&good) { good } else { value.clone() };
                    Some((good, spoilt))
                })
                .collect::<(Vec<_>, Vec<_>)>();
            let name = format!("{name}: {way}");
            (!values.1.is_empty()).then(|| Pair::new(name, schema.clone(), settings.clone(), each, values))
        })
        .collect()
}

/// The value with its integers spelled as floats where the other holds floats: they are not told by their kind.
fn spelled_alike(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Array(items), Value::Array(others)) => {
            items.iter().zip(others).map(|(item, other)| spelled_alike(item, other)).collect()
        }
        (Value::Object(members), Value::Object(others)) => {
            let members = members.iter().zip(others.values());
            let members = members.map(|((name, member), other)| (name.clone(), spelled_alike(member, other)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        (Value::Number(number), Value::Number(other)) if other.is_f64() && !number.is_f64() => {
            number.as_f64().map_or_else(|| value.clone(), Value::from)
        }
        _ => value.clone(),
    }
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
