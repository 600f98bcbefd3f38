//! Whether our own cases hold every keyword of every dialect.
//!
//! In: the table, and `corpus/keywords/`. Out: a failure for each keyword and dialect where no case needs the keyword:
//! where leaving it out of the schema turns no verdict over (of the core's, nor keeps the schema from building). Among the groups of
//! cases that need it, some case must pass and some must fail.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

use super::{Dialect, Language, Reads, Row, Shape, TABLE, Vocabulary, look_up};
use crate::Validator;

/// Keywords that no verdict can hang on, and why; besides those that are read as [`Reads::Annotation`].
const SILENT: &[(&str, &str)] = &[
    ("$comment", "a note to readers of the schema (core §8.3)"),
    ("contentSchema", "describes content that no check decodes (validation §8.5)"),
];

#[test]
fn every_keyword_of_every_dialect_has_cases_that_need_it() {
    let groups = groups();
    let mut lacking = Vec::new();
    for &dialect in Dialect::ALL {
        let own: Vec<Group<'_>> = groups.iter().filter_map(|group| Group::new(group, dialect)).collect();
        for row in TABLE.iter().filter(|row| row.1.holds(dialect) && !is_silent(row.0, row.3)) {
            let needing: Vec<&Group<'_>> = own.iter().filter(|group| group.needs(row)).collect();
            let has = |valid: bool| needing.iter().any(|group| group.verdicts.contains(&valid));
            for (valid, kind) in [(true, "passes"), (false, "fails")] {
                if !has(valid) {
                    lacking.push(format!("{dialect}: no case that {kind} needs {}", row.0));
                }
            }
        }
    }
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

#[test]
fn what_is_silent_changes_nothing() {
    for &dialect in Dialect::ALL {
        let known = TABLE.iter().filter(|row| row.1.holds(dialect) && is_silent(row.0, row.3));
        for name in known.map(|row| row.0) {
            let argument = match name {
                "contentSchema" => Value::Bool(false),
                "deprecated" | "readOnly" | "writeOnly" => Value::Bool(true),
                "examples" => Value::Array(vec![Value::Null]),
                _ => Value::from("x"),
            };
            let schema = Map::from_iter([(name.to_owned(), argument)]);
            let validator = Validator::options().dialect(dialect).build(&schema.into()).unwrap();
            assert!(validator.is_valid(&Value::from("y")), "{name} in {dialect}");
        }
    }
}

fn is_silent(name: &str, reads: Reads) -> bool {
    reads == Reads::Annotation || SILENT.iter().any(|(silent, _)| *silent == name)
}

/// All groups of cases.
fn groups() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/keywords");
    let files = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    files.flat_map(|text| serde_json::from_str::<Vec<Value>>(&text).unwrap()).collect()
}

/// A group of cases, in one of its dialects.
struct Group<'g> {
    group: &'g Value,
    dialect: Dialect,
    /// What its cases say.
    verdicts: Vec<bool>,
}

impl<'g> Group<'g> {
    fn new(group: &'g Value, dialect: Dialect) -> Option<Self> {
        let names = &group["dialect"];
        let names = names.as_array().map_or(std::slice::from_ref(names), Vec::as_slice);
        names.iter().find(|name| *name == dialect.name())?;
        let verdicts = group["cases"].as_array().unwrap().iter().map(|case| case["valid"] == true).collect();
        Some(Group { group, dialect, verdicts })
    }

    /// Whether the group's cases go otherwise without the keyword; or, where it says what the others are and where
    /// they lie, whether nothing builds without it.
    fn needs(&self, row: &Row) -> bool {
        let keyword = row.0;
        let resources = self.group["resources"].as_object().into_iter().flatten();
        let documents: Vec<&Value> = std::iter::once(&self.group["schema"])
            .chain(resources.clone().map(|(_, document)| document))
            .collect();
        let mut removed = false;
        let mut without =
            documents.into_iter().map(|document| self.without(keyword, document, self.dialect, &mut removed));
        let schema = without.next().unwrap();
        let mut options = Validator::options()
            .dialect(self.dialect)
            .assert_format(self.group["format"] == true)
            .assert_content(self.group["content"] == true);
        for ((uri, _), document) in resources.zip(without) {
            options = options.resource(uri, document);
        }
        let Ok(validator) = options.build(&schema) else { return removed && row.2 == Vocabulary::Core };
        let instances = self.group["cases"].as_array().unwrap().iter().map(|case| &case["instance"]);
        removed
            && instances.zip(&self.verdicts).any(|(instance, valid)| validator.is_valid(instance) != *valid)
    }

    /// The schema without the keyword, wherever it stands as a keyword of the group's dialect; `$schema` wherever it
    /// stands as one, since that says which dialect it is.
    fn without(&self, keyword: &str, schema: &Value, around: Dialect, removed: &mut bool) -> Value {
        let Value::Object(members) = schema else { return schema.clone() };
        let named = members.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri);
        let dialect = named.unwrap_or(around);
        let mut kept = Map::new();
        for (name, value) in members {
            let reads = look_up(name, Language::whole(dialect)).map(|(_, reads)| reads);
            if reads.is_some() && name == keyword && (dialect == self.dialect || keyword == "$schema") {
                *removed = true;
                continue;
            }
            let mut inner = |value: &Value| self.without(keyword, value, dialect, removed);
            let shape = reads.map_or(Shape::None, Reads::shape);
            let value = match (shape, value) {
                (Shape::One | Shape::OneOrArray, Value::Object(_)) => inner(value),
                (Shape::Array | Shape::OneOrArray, Value::Array(items)) => items.iter().map(inner).collect(),
                (Shape::Map | Shape::MapOrNames, Value::Object(map)) => {
                    map.iter().map(|(key, value)| (key.clone(), inner(value))).collect()
                }
                (Shape::MapOfMaps, Value::Object(maps)) => {
                    let mut each = |map: &Value| -> Value {
                        let map = map.as_object().into_iter().flatten();
                        map.map(|(key, value)| (key.clone(), inner(value))).collect()
                    };
                    maps.iter().map(|(key, map)| (key.clone(), each(map))).collect()
                }
                _ => value.clone(),
            };
            kept.insert(name.clone(), value);
        }
        kept.into()
    }
}

#[test]
fn a_silent_keyword_has_a_row() {
    let known: BTreeSet<&str> = TABLE.iter().map(|row| row.0).collect();
    assert!(SILENT.iter().all(|(name, why)| known.contains(name) && !why.is_empty()));
}
