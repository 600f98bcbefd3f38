//! Where schemas are: `$id`, anchors and references, over the documents that the twin was given.

use std::collections::HashMap;
use std::rc::Rc;

use portcullis::Dialect;
use serde_json::{Map, Value};

use super::uri;

/// The dialects, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Draft {
    Draft3,
    Draft4,
    Draft6,
    Draft7,
    Draft201909,
    Draft202012,
    V1,
}

/// Keywords with the first and the last dialect that has them.
const KEYWORDS: &[(Draft, Draft, &[&str])] = &[
    (
        Draft::Draft3,
        Draft::V1,
        &[
            "$ref",
            "type",
            "enum",
            "maximum",
            "minimum",
            "maxLength",
            "minLength",
            "pattern",
            "format",
            "maxItems",
            "minItems",
            "uniqueItems",
            "properties",
            "patternProperties",
            "additionalProperties",
            "items",
            "dependencies",
        ],
    ),
    // In draft 3 the members' own schemas say whether they are required.
    (Draft::Draft3, Draft::Draft3, &["extends", "disallow", "divisibleBy"]),
    (Draft::Draft3, Draft::Draft201909, &["additionalItems"]),
    (
        Draft::Draft4,
        Draft::V1,
        &["multipleOf", "maxProperties", "minProperties", "required", "allOf", "anyOf", "oneOf", "not"],
    ),
    // Until draft 4 the exclusive bounds are flags, which the bounds ask for.
    (
        Draft::Draft6,
        Draft::V1,
        &["const", "contains", "propertyNames", "exclusiveMaximum", "exclusiveMinimum"],
    ),
    (Draft::Draft7, Draft::V1, &["if", "then", "else", "contentEncoding", "contentMediaType"]),
    (
        Draft::Draft201909,
        Draft::V1,
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
    (Draft::Draft202012, Draft::V1, &["$dynamicRef", "prefixItems"]),
    (Draft::V1, Draft::V1, &["propertyDependencies"]),
];

/// What a metaschema without the validation vocabulary leaves out.
const VALIDATION: &[&str] = &[
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
];

impl Draft {
    pub(super) fn knows(self, keyword: &str) -> bool {
        KEYWORDS
            .iter()
            .any(|(first, last, names)| *first <= self && self <= *last && names.contains(&keyword))
    }

    /// The keyword of identity.
    fn id(self) -> &'static str {
        if self <= Draft::Draft4 { "id" } else { "$id" }
    }

    /// The engine's name for it.
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Draft::Draft3 => Dialect::Draft3,
            Draft::Draft4 => Dialect::Draft4,
            Draft::Draft6 => Dialect::Draft6,
            Draft::Draft7 => Dialect::Draft7,
            Draft::Draft201909 => Dialect::Draft201909,
            Draft::Draft202012 => Dialect::Draft202012,
            Draft::V1 => Dialect::V1,
        }
    }

    /// The twin's name for what the engine calls `dialect`.
    pub(crate) fn of(dialect: Dialect) -> Draft {
        let all = [
            Draft::Draft3,
            Draft::Draft4,
            Draft::Draft6,
            Draft::Draft7,
            Draft::Draft201909,
            Draft::Draft202012,
            Draft::V1,
        ];
        all.into_iter().find(|draft| draft.dialect() == dialect).expect("the twin knows every dialect")
    }

    /// The dialect of a `$schema`.
    fn named(uri: &str) -> Option<Draft> {
        match uri.trim_end_matches('#').trim_start_matches("https://").trim_start_matches("http://") {
            "json-schema.org/draft-03/schema" => Some(Draft::Draft3),
            "json-schema.org/draft-04/schema" => Some(Draft::Draft4),
            "json-schema.org/draft-06/schema" => Some(Draft::Draft6),
            "json-schema.org/draft-07/schema" => Some(Draft::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Draft::Draft201909),
            "json-schema.org/draft/2020-12/schema" => Some(Draft::Draft202012),
            "json-schema.org/v1" | "json-schema.org/v1/2026" => Some(Draft::V1),
            _ => None,
        }
    }
}

/// What a schema is written in: a dialect, or what a metaschema of one's own takes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language<'s> {
    pub(super) draft: Draft,
    /// The metaschema's `$vocabulary`.
    listed: Option<&'s Map<String, Value>>,
}

impl<'s> Language<'s> {
    fn of_metaschema(document: &'s Value) -> Option<Self> {
        let draft = Draft::named(document.get("$schema")?.as_str()?)?;
        Some(Language { draft, listed: document.get("$vocabulary").and_then(Value::as_object) })
    }

    pub(super) fn knows(self, keyword: &str) -> bool {
        let vocabulary = match keyword {
            "format" => "format",
            "contentEncoding" | "contentMediaType" => "content",
            "unevaluatedItems" | "unevaluatedProperties" if self.draft != Draft::Draft201909 => "unevaluated",
            core if core.starts_with('$') => "core",
            validation if VALIDATION.contains(&validation) => "validation",
            _ => "applicator",
        };
        self.draft.knows(keyword)
            && self.vocabularies().is_none_or(|mut listed| {
                listed.any(|(name, _)| {
                    name == vocabulary || name.starts_with("format-") && vocabulary == "format"
                })
            })
    }

    /// Whether the metaschema itself asks that `format` asserts.
    pub(super) fn asserts_format(self) -> bool {
        self.vocabularies().is_some_and(|mut listed| {
            listed.any(|(name, must)| name == "format-assertion" || name == "format" && must == true)
        })
    }

    /// Those that the metaschema lists, by the last word of their URIs, and whether it insists on them.
    fn vocabularies(self) -> Option<impl Iterator<Item = (&'s str, &'s Value)>> {
        let listed = self.listed?.iter();
        Some(listed.filter_map(|(uri, must)| Some((uri.rsplit_once("/vocab/")?.1, must))))
    }
}

/// A schema in its document: with the URI that its references are resolved against, and its language.
#[derive(Clone, Debug)]
pub(crate) struct Place<'s> {
    pub(super) schema: &'s Value,
    pub(super) base: Rc<str>,
    /// `None`: one the twin does not know.
    pub(super) language: Option<Language<'s>>,
}

impl Place<'_> {
    pub(super) fn draft(&self) -> Option<Draft> {
        self.language.map(|language| language.draft)
    }

    pub(super) fn knows(&self, keyword: &str) -> bool {
        self.language.is_some_and(|language| language.knows(keyword))
    }

    /// Whether a `$ref` is all that the schema says.
    pub(super) fn hides_siblings(&self) -> bool {
        self.draft().is_some_and(|draft| draft <= Draft::Draft7)
    }
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
    given: &'s [(String, Value)],
}

impl<'s> Documents<'s> {
    pub(super) fn new(
        draft: Draft,
        schema: &'s Value,
        resources: &'s [(String, Value)],
    ) -> (Self, Place<'s>) {
        let mut documents = Documents { given: resources, ..Documents::default() };
        let language = Some(Language { draft, listed: None });
        for (uri, resource) in resources {
            documents.add(Place { schema: resource, base: uri.as_str().into(), language });
        }
        let root = documents.add(Place { schema, base: "twin:/schema".into(), language });
        (documents, root)
    }

    /// Adds a document, known by its base and by its own `$id`.
    fn add(&mut self, place: Place<'s>) -> Place<'s> {
        let given = place.base.to_string();
        self.walk(place.clone(), true);
        let place = self.by_address.get(&std::ptr::from_ref(place.schema)).cloned().unwrap_or(place);
        self.by_uri.insert(given, place.clone());
        place
    }

    /// Notes a schema and all schemas in it.
    fn walk(&mut self, mut place: Place<'s>, is_root: bool) {
        if let Value::Object(schema) = place.schema {
            self.enter(&mut place, schema, is_root);
            for schema in subschemas(schema, &place) {
                self.walk(Place { schema, ..place.clone() }, false);
            }
        }
        self.by_address.insert(place.schema, place);
    }

    /// What the schema says of itself.
    fn enter(&mut self, place: &mut Place<'s>, schema: &Map<String, Value>, is_root: bool) {
        let text = |keyword| schema.get(keyword).and_then(Value::as_str);
        if let Some(uri) = text("$schema") {
            // Elsewhere than at the root of a resource it says nothing.
            let named = self.language(uri);
            if is_root || named.is_some_and(|named| text(named.draft.id()).is_some()) {
                place.language = named;
            }
        }
        let Some(draft) = place.draft() else { return };
        if place.hides_siblings() && schema.contains_key("$ref") {
            return;
        }
        if let Some(id) = text(draft.id()) {
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
            Draft::Draft3 | Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => &[],
            Draft::Draft201909 => &["$anchor"],
            Draft::Draft202012 | Draft::V1 => &["$anchor", "$dynamicAnchor"],
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

    /// The language that a `$schema` names.
    fn language(&self, uri: &str) -> Option<Language<'s>> {
        if let Some(draft) = Draft::named(uri) {
            return Some(Language { draft, listed: None });
        }
        let is_it = |(given, document): &&(String, Value)| given == uri || document["$id"] == uri;
        Language::of_metaschema(&self.given.iter().find(is_it)?.1)
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
    /// it leads statically, or, if that is a dynamic anchor, the outermost one of that name. In v1 the name alone
    /// counts.
    pub(super) fn dynamic_reference(
        &self,
        place: &Place<'s>,
        reference: &str,
        scope: &[Rc<str>],
    ) -> Option<Place<'s>> {
        let outermost = |anchor: &str| {
            scope.iter().find_map(|base| self.dynamic.get(&format!("{base}#{anchor}"))).cloned()
        };
        if place.draft() == Some(Draft::V1) {
            return outermost(reference.trim_start_matches('#'));
        }
        let target = self.reference(place, reference)?;
        let anchor = reference.split_once('#').map_or("", |(_, fragment)| fragment);
        if !self.dynamic.contains_key(&format!("{}#{anchor}", target.base)) {
            return Some(target);
        }
        outermost(anchor).or(Some(target))
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
            place.draft() == Some(Draft::Draft201909)
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
fn subschemas<'s>(schema: &'s Map<String, Value>, place: &Place<'_>) -> Vec<&'s Value> {
    if place.hides_siblings() && schema.contains_key("$ref") {
        // Siblings of `$ref` are no keywords; but what a pointer finds below them is read as it stands.
        return Vec::new();
    }
    let mut found = Vec::new();
    let holds = |keyword: &str| {
        ["$defs", "definitions", "contentSchema"].contains(&keyword)
            || place.language.is_none_or(|language| language.knows(keyword))
    };
    for (keyword, argument) in schema.iter().filter(|(keyword, _)| holds(keyword)) {
        match (keyword.as_str(), argument) {
            (
                "additionalItems"
                | "additionalProperties"
                | "contains"
                | "else"
                | "extends"
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
            (
                "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" | "extends" | "type" | "disallow",
                Value::Array(list),
            ) => found.extend(list),
            ("propertyDependencies", Value::Object(map)) => {
                found.extend(map.values().filter_map(Value::as_object).flat_map(Map::values));
            }
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
