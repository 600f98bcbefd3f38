//! Schemas in the words of drafts 3 and 4.
//!
//! In: a schema of draft 6. Out: one that says nearly the same in an older draft; what has no words there is left out.

use serde_json::{Map, Value, json};

use crate::twin::{Draft, equal};

/// The schema in the words of `draft`, which is 3 or 4.
pub(super) fn put(schema: Value, draft: Draft) -> Value {
    let is_3 = draft == Draft::Draft3;
    let keywords = match schema {
        Value::Bool(true) => return json!({}),
        Value::Bool(false) if is_3 => return json!({"disallow": "any"}),
        Value::Bool(false) => return json!({"not": {}}),
        Value::Object(keywords) => keywords,
        other => return other,
    };
    let each = |list: Value| -> Vec<Value> {
        list.as_array().into_iter().flatten().map(|schema| put(schema.clone(), draft)).collect()
    };
    let every = |map: Value| -> Value {
        let map = map.as_object().into_iter().flatten();
        map.map(|(name, schema)| (name.clone(), put(schema.clone(), draft))).collect::<Map<_, _>>().into()
    };
    let all = if is_3 { "extends" } else { "allOf" };
    let mut out = Map::new();
    for (name, argument) in keywords {
        let mut add = |name: &str, list: Vec<Value>| {
            let kept = out.entry(name).or_insert_with(|| json!([])).as_array_mut().expect("a list");
            for value in list {
                if !kept.iter().any(|one| equal(one, &value)) {
                    kept.push(value);
                }
            }
        };
        match (name.as_str(), argument) {
            ("allOf", list) => add(all, each(list)),
            ("anyOf" | "oneOf", list) if is_3 => add("type", each(list)),
            ("not", schema) if is_3 => add("disallow", vec![put(schema, draft)]),
            ("type", Value::Array(names)) => add("type", names),
            ("type", kind) => add("type", vec![kind]),
            ("enum", list) => add(all, vec![json!({"enum": without_twins(list)})]),
            ("const", value) => add(all, vec![json!({"enum": [value]})]),
            ("exclusiveMinimum", bound) => {
                add(all, vec![json!({"minimum": bound, "exclusiveMinimum": true})])
            }
            ("exclusiveMaximum", bound) => {
                add(all, vec![json!({"maximum": bound, "exclusiveMaximum": true})])
            }
            ("multipleOf", divisor) if is_3 => drop(out.insert("divisibleBy".to_owned(), divisor)),
            ("anyOf" | "oneOf" | "items", list @ Value::Array(_)) => {
                drop(out.insert(name, each(list).into()))
            }
            ("properties", map) => {
                let map = every(map);
                let known =
                    out.entry("properties").or_insert_with(|| json!({})).as_object_mut().expect("a map");
                map.as_object().into_iter().flatten().for_each(|(name, schema)| {
                    let required = known.get(name).and_then(|known| known.get("required")).cloned();
                    known.insert(name.clone(), schema.clone());
                    known[name.as_str()]
                        .as_object_mut()
                        .expect("a schema")
                        .extend(required.map(|r| ("required".to_owned(), r)));
                });
            }
            ("patternProperties" | "definitions", map) => drop(out.insert(name, every(map))),
            ("required", names) if is_3 => {
                let known = out.entry("properties").or_insert_with(|| json!({}));
                for name in names.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    known[name]["required"] = true.into();
                }
            }
            ("required", Value::Array(names)) if names.is_empty() => {}
            ("dependencies", map) => {
                let mut map = every(map);
                let members = map.as_object_mut().expect("a map");
                members.retain(|_, names| names.as_array().is_none_or(|names| !names.is_empty()));
                for names in members.values_mut().filter(|_| is_3) {
                    if let Some([name]) = names.as_array().map(Vec::as_slice) {
                        *names = name.clone();
                    }
                }
                out.insert(name, map);
            }
            ("additionalProperties" | "additionalItems", flag @ Value::Bool(_)) => {
                drop(out.insert(name, flag))
            }
            ("additionalProperties" | "additionalItems" | "items" | "not", schema) => {
                out.insert(name, put(schema, draft));
            }
            ("minProperties" | "maxProperties", _) if is_3 => {}
            ("contains" | "propertyNames" | "if" | "then" | "else", _) => {}
            (_, argument) => drop(out.insert(name, argument)),
        }
    }
    Value::Object(out)
}

/// The list, each value once: until draft 4 an `enum` must not repeat itself.
fn without_twins(list: Value) -> Value {
    let mut kept: Vec<Value> = Vec::new();
    for value in list.as_array().into_iter().flatten() {
        if !kept.iter().any(|one| equal(one, value)) {
            kept.push(value.clone());
        }
    }
    kept.into()
}
