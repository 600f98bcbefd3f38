//! Registration: what is wrong with a declaration is found here and not when a caller stumbles over it.
//!
//! In: declarations. Out: roots that are ready to be called, or the first fault, naming tool, action and what it
//! stopped on. Linear in the declarations, but for groups, which are compared pairwise, and the build of each schema.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::action::Action;
use super::chain::Root;
use super::error::ConfigurationError;
use super::keys::{Keys, own_dialect};
use crate::engine::sink::Token;
use crate::options::{Options, Purpose};
use crate::report::{INPUT_SCHEMA_BYTES, InputSchema, order, quoted};
use crate::value::depth::Owned;

/// Line breaks, as Unicode's line-breaking algorithm has them (UAX 14, classes BK, CR, LF and NL).
const LINE_BREAKS: [char; 7] = ['\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Checks a name; `noun` says of what.
pub(super) fn name(noun: &str, name: &str) -> Result<(), ConfigurationError> {
    if name.is_empty() {
        return Err(ConfigurationError::new(&format!("the name of {noun} is empty")));
    }
    one_line(&format!("the name of {noun}"), name)
}

/// Checks that a text is one line.
pub(super) fn one_line(what: &str, text: &str) -> Result<(), ConfigurationError> {
    if text.contains(LINE_BREAKS) {
        return Err(ConfigurationError::new(&format!("{what} has a line break")));
    }
    Ok(())
}

/// Where a caller finds help with an action, or with a tool as a whole.
pub(super) fn help(tool: Option<&str>, action: Option<&Action>) -> String {
    let mut words: Vec<String> = vec!["tools/list describes".to_owned()];
    words.extend(tool.map(|name| format!("tool {}", quoted(name))));
    words.extend(action.map(|action| format!("action {}", quoted(&action.name))));
    let related: Vec<String> =
        action.map(|action| action.related.iter().map(|name| quoted(name)).collect()).unwrap_or_default();
    if !related.is_empty() {
        words.push(format!("(see also {})", related.join(", ")));
    }
    words.join(" ")
}

/// The root of a declared action.
pub(super) fn action(action: &Action, options: &Options) -> Result<Root, ConfigurationError> {
    declared(action, options).map_err(|error| error.of_action(&action.name))
}

fn declared(action: &Action, options: &Options) -> Result<Root, ConfigurationError> {
    if let Some(fault) = &action.fault {
        return Err(fault.clone());
    }
    texts(action)?;
    names(action)?;
    groups(action)?;
    let published = action.published_schema();
    let mut root = root(published, Purpose::Own, options)?;
    root.required_one_of.clone_from(&action.required_one_of);
    root.defaults = defaults(action, &root.published, options)?;
    root.input_schema = shown(&Arc::new(input_schema(&root)));
    for (index, example) in action.examples.iter().enumerate() {
        root.call(Owned::new(example.clone())).map_err(|refusal| {
            ConfigurationError::new(&format!("example {} does not pass: {refusal}", index + 1))
        })?;
    }
    Ok(root)
}

/// The root of a schema, which is published as it is.
///
/// `required` stays in it although the gate before answers for the data itself: a reference to the root enters it
/// again further down, and what is validated is what a caller reads.
pub(super) fn root(
    published: Value,
    purpose: Purpose,
    options: &Options,
) -> Result<Root, ConfigurationError> {
    let validator = options.build_for(&published, purpose)?;
    let dialect = own_dialect(&published).unwrap_or(options.get_dialect());
    let hidden = dialect.reference_hides_siblings() && published.get("$ref").is_some();
    let listed = published.get("required").filter(|_| !hidden).and_then(Value::as_array);
    let names = listed.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned));
    let mut required: Vec<String> = names.collect();
    required.sort_by(|a, b| order::tokens(Token::Key(a), Token::Key(b)));
    let keys = Keys::new(&published, validator.program(), options.get_dialect());
    let published = Arc::new(published);
    Ok(Root {
        validator,
        limits: options.get_limits().clone(),
        input_schema: shown(&published),
        published,
        required,
        required_one_of: Vec::new(),
        keys,
        defaults: Map::new(),
    })
}

fn texts(action: &Action) -> Result<(), ConfigurationError> {
    name("the action", &action.name)?;
    if let Some(description) = &action.description {
        one_line("the description", description)?;
    }
    action.properties.iter().try_for_each(|(property, _)| name("a property", property))?;
    action.related.iter().try_for_each(|related| name("a related action", related))
}

fn names(action: &Action) -> Result<(), ConfigurationError> {
    let properties = distinct("property", action.properties.iter().map(|(name, _)| name))?;
    let required = distinct("required", &action.required)?;
    let defaults = distinct("default", action.defaults.iter().map(|(name, _)| name))?;
    distinct("related", &action.related)?;
    known(&properties, action.required.iter(), "is required but is no property")?;
    known(&properties, action.required_one_of.iter().flatten(), "is in a group but is no property")?;
    known(&properties, action.defaults.iter().map(|(name, _)| name), "has a default but is no property")?;
    match action.defaults.iter().find(|(name, _)| required.contains(name.as_str())) {
        Some((name, _)) if defaults.contains(name.as_str()) => {
            Err(ConfigurationError::new(&format!("{} is required and has a default", quoted(name))))
        }
        Some(_) | None => Ok(()),
    }
}

fn distinct<'n>(
    what: &str,
    names: impl IntoIterator<Item = &'n String>,
) -> Result<HashSet<&'n str>, ConfigurationError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name.as_str()) {
            return Err(ConfigurationError::new(&format!("{what} {} stands twice", quoted(name))));
        }
    }
    Ok(seen)
}

fn known<'n>(
    properties: &HashSet<&str>,
    mut names: impl Iterator<Item = &'n String>,
    complaint: &str,
) -> Result<(), ConfigurationError> {
    match names.find(|name| !properties.contains(name.as_str())) {
        Some(name) => Err(ConfigurationError::new(&format!("{} {complaint}", quoted(name)))),
        None => Ok(()),
    }
}

fn groups(action: &Action) -> Result<(), ConfigurationError> {
    let mut sets: Vec<BTreeSet<&str>> = Vec::new();
    for (index, group) in action.required_one_of.iter().enumerate() {
        let number = index + 1;
        if group.is_empty() {
            return Err(ConfigurationError::new(&format!("group {number} of required_one_of is empty")));
        }
        let set: BTreeSet<&str> =
            distinct(&format!("in group {number} of required_one_of,"), group)?.into_iter().collect();
        for (other, earlier) in sets.iter().enumerate() {
            let other = other + 1;
            let (larger, smaller) = if set.is_superset(earlier) {
                (number, other)
            } else if earlier.is_superset(&set) {
                (other, number)
            } else {
                continue;
            };
            let message = format!("group {larger} of required_one_of holds all of group {smaller}");
            return Err(ConfigurationError::new(&message));
        }
        sets.push(set);
    }
    Ok(())
}

/// The defaults, each proven by its property's schema and cast.
///
/// They are proven in a schema that asks of each property what the action does and nothing else, `required` least
/// of all; the action's own schema stands in it under an identity, so that references in it mean what they meant.
fn defaults(
    action: &Action,
    published: &Value,
    options: &Options,
) -> Result<Map<String, Value>, ConfigurationError> {
    /// A sibling of documents without an identity, so that relative references resolve as they do in those.
    const IDENTITY: &str = "portcullis-action";
    if action.defaults.is_empty() {
        return Ok(Map::new());
    }
    let mut embedded = published.clone();
    if let Value::Object(members) = &mut embedded {
        members.insert("$id".to_owned(), IDENTITY.into());
    }
    let properties: Map<String, Value> = action
        .defaults
        .iter()
        .map(|(name, _)| {
            let mut reference = format!("{IDENTITY}#/properties");
            crate::program::push_token(&mut reference, &name.replace('%', "%25"));
            (name.clone(), json!({"$ref": reference}))
        })
        .collect();
    let mut schema = Map::new();
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("definitions".to_owned(), Value::Object(Map::from_iter([("action".to_owned(), embedded)])));
    let validator = options.build_for(&Value::Object(schema), Purpose::Own)?;

    let mut proven = Map::new();
    for (name, value) in &action.defaults {
        let data = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        match validator.read(data) {
            Ok(Value::Object(read)) => proven.extend(read),
            // A validator reads an object as an object.
            Ok(_) => {}
            Err(refusal) => {
                let message = format!("the default of {} does not pass: {refusal}", quoted(name));
                return Err(ConfigurationError::new(&message));
            }
        }
    }
    Ok(proven)
}

/// What a refusal shows: the published schema, with the groups and the defaults that JSON Schema has no word for.
pub(super) fn input_schema(root: &Root) -> Value {
    let mut schema = (*root.published).clone();
    if let Value::Object(members) = &mut schema {
        if !root.required_one_of.is_empty() {
            members.insert("required_one_of".to_owned(), root.required_one_of.clone().into());
        }
        if !root.defaults.is_empty() {
            members.insert("defaults".to_owned(), Value::Object(root.defaults.clone()));
        }
    }
    schema
}

/// A schema as a refusal shows it, unless it is larger than [`INPUT_SCHEMA_BYTES`].
pub(super) fn shown(schema: &Arc<Value>) -> InputSchema {
    struct Room(usize);
    impl io::Write for Room {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::WriteZero)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    match serde_json::to_writer(Room(INPUT_SCHEMA_BYTES), &**schema) {
        Ok(()) => InputSchema::Shown(Arc::clone(schema)),
        Err(_) => InputSchema::TooLarge,
    }
}
