//! Where schemas are: `$id`, anchors and references, over the documents that the twin was given.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::uri;

/// The dialects the twin knows, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
}

/// Keywords with the first and the last dialect that has them.
const KEYWORDS: &[(Draft, Draft, &[&str])] = &[
    (
        Draft::Draft4,
        Draft::Draft202012,
        &[
            "$ref",
            "type",
            "enum",
            "multipleOf",
            "maximum",
            "minimum",
            "maxLength",
            "minLength",
            "pattern",
            "format",
            "maxItems",
            "minItems",
            "uniqueItems",
            "maxProperties",
            "minProperties",
            "required",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "properties",
            "patternProperties",
            "additionalProperties",
            "items",
        ],
    ),
    (Draft::Draft4, Draft::Draft7, &["dependencies"]),
    (Draft::Draft4, Draft::Draft201909, &["additionalItems"]),
    // In draft 4 the exclusive bounds are flags, which the bounds ask for.
    (
        Draft::Draft6,
        Draft::Draft202012,
        &["const", "contains", "propertyNames", "exclusiveMaximum", "exclusiveMinimum"],
    ),
    (Draft::Draft7, Draft::Draft202012, &["if", "then", "else"]),
    (
        Draft::Draft201909,
        Draft::Draft202012,
        &[
            "minContains",
            "maxContains",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedItems",
            "unevaluatedProperties",
        ],
    ),
    (Draft::Draft201909, Draft::Draft201909, &["$recursiveRef"]),
    (Draft::Draft202012, Draft::Draft202012, &["$dynamicRef", "prefixItems"]),
];

impl Draft {
    pub(super) fn knows(self, keyword: &str) -> bool {
        KEYWORDS
            .iter()
            .any(|(first, last, names)| *first <= self && self <= *last && names.contains(&keyword))
    }

    /// Whether a `$ref` is all that its schema says.
    pub(super) fn hides_siblings(self) -> bool {
        self <= Draft::Draft7
    }

    /// The dialect of a `$schema`.
    fn named(uri: &str) -> Option<Draft> {
        match uri.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://") {
            "json-schema.org/draft-04/schema" => Some(Draft::Draft4),
            "json-schema.org/draft-06/schema" => Some(Draft::Draft6),
            "json-schema.org/draft-07/schema" => Some(Draft::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Draft::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Draft::Draft202012),
            _ => None,
        }
    }
}

/// A schema in its document: with the URI that its references are resolved against, and its dialect.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    pub(super) schema: &'s Value,
    pub(super) base: Rc<str>,
    /// `None`: a dialect the twin does not know.
    pub(super) draft: Option<Draft>,
}

/// Every schema of every document.
#[derive(Default)]
pub(super) struct Documents<'s> {
    /// By URI: resources without a fragment, anchors with theirs.
    by_uri: HashMap<String, Place<'s>>,
    /// The dynamic anchors among them.
    dynamic: HashMap<String, Place<'s>>,
    /// By address: what a JSON Pointer leads to may lie in another resource than where it started.
    by_address: HashMap<*const Value, Place<'s>>,
}

impl<'s> Documents<'s> {
    pub(super) fn new(
        draft: Draft,
        schema: &'s Value,
        resources: &'s [(String, Value)],
    ) -> (Self, Place<'s>) {
        let mut documents = Documents::default();
        for (uri, resource) in resources {
            documents.add(Place { schema: resource, base: uri.as_str().into(), draft: Some(draft) });
        }
        let root = documents.add(Place { schema, base: "twin:/schema".into(), draft: Some(draft) });
        (documents, root)
    }

    /// Adds a document, known by its base and by its own `$id`.
    fn add(&mut self, place: Place<'s>) -> Place<'s> {
        let given = place.base.to_string();
        self.walk(place.clone());
        let place = self.by_address.get(&std::ptr::from_ref(place.schema)).cloned().unwrap_or(place);
        self.by_uri.insert(given, place.clone());
        place
    }

    /// Notes a schema and all schemas in it.
    fn walk(&mut self, mut place: Place<'s>) {
        if let Value::Object(schema) = place.schema {
            self.enter(&mut place, schema);
            for schema in subschemas(schema, place.draft) {
                self.walk(Place { schema, ..place.clone() });
            }
        }
        self.by_address.insert(place.schema, place);
    }

    /// What the schema says of itself.
    fn enter(&mut self, place: &mut Place<'s>, schema: &Map<String, Value>) {
        let text = |keyword| schema.get(keyword).and_then(Value::as_str);
        if let Some(dialect) = text("$schema") {
            place.draft = Draft::named(dialect);
        }
        let Some(draft) = place.draft else { return };
        if draft.hides_siblings() && schema.contains_key("$ref") {
            return;
        }
        if let Some(id) = text(if draft == Draft::Draft4 { "id" } else { "$id" }) {
            let (id, fragment) = id.split_once('#').unwrap_or((id, ""));
            if !id.is_empty() {
                place.base = uri::resolve(&place.base, id).into();
                self.by_uri.insert(place.base.to_string(), place.clone());
            }
            if draft <= Draft::Draft7 && !fragment.is_empty() {
                self.by_uri.insert(format!("{}#{fragment}", place.base), place.clone());
            }
        }
        let anchors: &[&str] = match draft {
            Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => &[],
            Draft::Draft201909 => &["$anchor"],
            Draft::Draft202012 => &["$anchor", "$dynamicAnchor"],
        };
        for keyword in anchors {
            if let Some(anchor) = text(keyword) {
                let uri = format!("{}#{anchor}", place.base);
                self.by_uri.insert(uri.clone(), place.clone());
                if *keyword == "$dynamicAnchor" {
                    self.dynamic.insert(uri, place.clone());
                }
            }
        }
    }

    /// The subschema `schema` of `parent`.
    pub(super) fn child(&self, parent: &Place<'s>, schema: &'s Value) -> Place<'s> {
        self.by_address
            .get(&std::ptr::from_ref(schema))
            .cloned()
            .unwrap_or_else(|| Place { schema, ..parent.clone() })
    }

    /// What a `$ref` of `place` leads to.
    pub(super) fn reference(&self, place: &Place<'s>, reference: &str) -> Option<Place<'s>> {
        let uri = uri::resolve(&place.base, reference);
        let (resource, fragment) = uri.split_once('#').unwrap_or((&uri, ""));
        let fragment = uri::decoded(fragment)?;
        let resource = self.by_uri.get(resource)?;
        if fragment.is_empty() {
            return Some(resource.clone());
        }
        if fragment.starts_with('/') {
            return Some(self.child(resource, resource.schema.pointer(&fragment)?));
        }
        self.by_uri.get(&format!("{}#{fragment}", resource.base)).cloned()
    }

    /// What a `$dynamicRef` of `place` leads to, entered through the resources of `scope`, outermost first: where
    /// it leads statically, or, if that is a dynamic anchor, the outermost one of that name.
    pub(super) fn dynamic_reference(
        &self,
        place: &Place<'s>,
        reference: &str,
        scope: &[Rc<str>],
    ) -> Option<Place<'s>> {
        let target = self.reference(place, reference)?;
        let anchor = reference.split_once('#').map_or("", |(_, fragment)| fragment);
        if !self.dynamic.contains_key(&format!("{}#{anchor}", target.base)) {
            return Some(target);
        }
        scope.iter().find_map(|base| self.dynamic.get(&format!("{base}#{anchor}"))).cloned().or(Some(target))
    }

    /// What a `$recursiveRef` of `place` leads to: its resource, or, if that is a recursive anchor, the outermost
    /// resource of `scope` that is one.
    pub(super) fn recursive_reference(
        &self,
        place: &Place<'s>,
        reference: &str,
        scope: &[Rc<str>],
    ) -> Option<Place<'s>> {
        let is_anchor = |place: &&Place<'s>| {
            place.draft == Some(Draft::Draft201909)
                && place.schema.get("$recursiveAnchor") == Some(&Value::Bool(true))
        };
        let target = self.reference(place, reference)?;
        if !is_anchor(&&target) {
            return Some(target);
        }
        let resources = scope.iter().filter_map(|base| self.by_uri.get(&**base));
        resources.into_iter().find(is_anchor).cloned().or(Some(target))
    }
}

/// The schemas directly in `schema`. Data (`const`, `enum`, unknown keywords) is no schema.
fn subschemas(schema: &Map<String, Value>, draft: Option<Draft>) -> Vec<&Value> {
    if draft.is_some_and(Draft::hides_siblings) && schema.contains_key("$ref") {
        // Siblings of `$ref` are no keywords; but what a pointer finds below them is read as it stands.
        return Vec::new();
    }
    let mut found = Vec::new();
    let holds = |keyword: &str| {
        let beside = ["$defs", "definitions", "dependencies", "contentSchema"];
        beside.contains(&keyword) || draft.is_none_or(|draft| draft.knows(keyword))
    };
    for (keyword, argument) in schema.iter().filter(|(keyword, _)| holds(keyword)) {
        match (keyword.as_str(), argument) {
            (
                "additionalItems"
                | "additionalProperties"
                | "contains"
                | "else"
                | "if"
                | "items"
                | "not"
                | "propertyNames"
                | "then"
                | "unevaluatedItems"
                | "unevaluatedProperties"
                | "contentSchema",
                Value::Object(_) | Value::Bool(_),
            ) => found.push(argument),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(list)) => found.extend(list),
            (
                "$defs" | "definitions" | "dependencies" | "dependentSchemas" | "patternProperties"
                | "properties",
                Value::Object(map),
            ) => found.extend(map.values().filter(|value| value.is_object() || value.is_boolean())),
            _ => {}
        }
    }
    found
}
