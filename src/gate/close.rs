//! Closing: an object schema that declares properties admits no others.
//!
//! In: a schema whose depth is proven. Out: the same schema with `additionalProperties: false` where nothing else in
//! it may declare further properties. Linear in the schema; recursion is bounded by the schema's depth.

use serde_json::{Map, Value};

/// Keywords beside which a schema is not closed: they say themselves what else is admitted, or may declare more
/// properties than stand under `properties`.
const LEFT_OPEN_BY: [&str; 12] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "propertyNames",
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "dependentSchemas",
    "dependencies",
];

/// Adds `additionalProperties: false` to every schema that has `properties` and nothing beside them that leaves it
/// open, reached from `schema` through `properties`, `items` (also an array of them) and `prefixItems`.
///
/// `schema` is no deeper than [`SCHEMA_DEPTH`](crate::limits::SCHEMA_DEPTH).
pub(super) fn close_properties(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let mut has_properties = false;
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        has_properties = true;
        properties.values_mut().for_each(close_properties);
    }
    for keyword in ["items", "prefixItems"] {
        match members.get_mut(keyword) {
            Some(Value::Array(schemas)) => schemas.iter_mut().for_each(close_properties),
            Some(schema) => close_properties(schema),
            None => {}
        }
    }
    if has_properties && !is_left_open(members) {
        members.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

fn is_left_open(members: &Map<String, Value>) -> bool {
    LEFT_OPEN_BY.iter().any(|keyword| members.contains_key(*keyword))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn closed(mut schema: Value) -> Value {
        close_properties(&mut schema);
        schema
    }

    #[test]
    fn what_declares_properties_is_closed_at_any_depth() {
        assert_eq!(
            closed(json!({"properties": {
                "a": {"type": "array", "items": {"properties": {}}},
                "b": {"prefixItems": [{"properties": {"c": true}}, true]},
                "d": {"items": [{"properties": {}}]},
                "e": {"type": "object"},
            }})),
            json!({"additionalProperties": false, "properties": {
                "a": {"type": "array", "items": {"properties": {}, "additionalProperties": false}},
                "b": {"prefixItems": [{"properties": {"c": true}, "additionalProperties": false}, true]},
                "d": {"items": [{"properties": {}, "additionalProperties": false}]},
                "e": {"type": "object"},
            }})
        );
    }

    #[test]
    fn what_may_declare_more_is_left_open_but_gone_through() {
        for keyword in LEFT_OPEN_BY {
            let schema = json!({keyword: true, "properties": {"a": {"properties": {}}}});
            let mut expected = schema.clone();
            expected["properties"]["a"]["additionalProperties"] = json!(false);
            assert_eq!(closed(schema), expected, "{keyword}");
        }
    }

    #[test]
    fn other_routes_are_not_gone() {
        for schema in [
            json!({"$defs": {"a": {"properties": {}}}}),
            json!({"allOf": [{"properties": {}}]}),
            json!({"anyOf": [{"properties": {}}], "not": {"properties": {}}}),
            json!({"patternProperties": {"a": {"properties": {}}}}),
            json!({"additionalProperties": {"properties": {}}}),
            json!({"properties": "not an object", "items": 3}),
            json!(true),
        ] {
            assert_eq!(closed(schema.clone()), schema);
        }
    }
}
