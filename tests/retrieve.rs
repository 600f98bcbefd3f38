//! Documents that a caller's retriever fetches.
//!
//! In: schemas that refer to what no document of the build has. Out: a failure where a URI is asked for twice, or for
//! nothing, or where what comes back is not held as a given document is.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::error::Error;
use std::sync::{Arc, Mutex};

use portcullis::limits::{RETRIEVED, SCHEMA_DEPTH};
use portcullis::{BuildError, Retrieve, Validator};
use serde_json::{Value, json};

/// A retriever that keeps what it was asked for.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<Vec<String>>>);

impl Shelf {
    fn asked(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    fn build(&self, schema: &Value) -> Result<Validator, BuildError> {
        Validator::options().retriever(self.clone()).build(schema)
    }
}

impl Retrieve for Shelf {
    fn retrieve(&self, uri: &str) -> Result<Value, Box<dyn Error + Send + Sync>> {
        self.0.lock().unwrap().push(uri.to_owned());
        Ok(match uri.strip_prefix("https://ex.test/").ok_or("elsewhere")? {
            "size" => json!({"maximum": 10, "$defs": {"small": {"maximum": 3}}}),
            "list" => json!({"items": {"$ref": "size"}, "$id": "https://ex.test/list"}),
            "wrong" => json!({"properties": {"a": {"maximum": "x"}}}),
            "draft7" => {
                json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]})
            }
            "meta" => json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://ex.test/meta",
                "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/applicator": true}
            }),
            "deep" => (1..=SCHEMA_DEPTH).fold(json!({}), |inner, _| json!({"not": inner})),
            "huge" => return Err("x".repeat(100_000).into()),
            name if name.starts_with('n') => json!({"$ref": format!("n{}", name[1..].parse::<usize>()? + 1)}),
            _ => return Err("no such document".into()),
        })
    }
}

#[test]
fn each_uri_is_asked_for_once() {
    let shelf = Shelf::default();
    let validator = shelf
        .build(&json!({
            "$id": "https://ex.test/root",
            "properties": {"a": {"$ref": "size"}, "b": {"$ref": "size#/$defs/small"}, "c": {"$ref": "list"}},
            "additionalProperties": {"$ref": "#/$defs/own"},
            "$defs": {"own": {"$id": "own", "$ref": "http://json-schema.org/draft-07/schema#"}}
        }))
        .unwrap();
    assert_eq!(shelf.asked(), ["https://ex.test/size", "https://ex.test/list"]);
    assert!(validator.is_valid(&json!({"a": 10, "b": 3, "c": [10], "d": true})));
    for (broken, at) in [(json!({"a": 11}), "/a"), (json!({"b": 4}), "/b"), (json!({"c": [1, 11]}), "/c/1")] {
        assert_eq!(validator.check(&broken).unwrap_err().entries()[0].pointer(), at);
    }
    // A check asks for nothing.
    assert_eq!(shelf.asked().len(), 2);
}

#[test]
fn what_is_given_is_not_asked_for() {
    let shelf = Shelf::default();
    let built = Validator::options()
        .retriever(shelf.clone())
        .resource("https://ex.test/size", json!({"maximum": 1}))
        .build(&json!({"$ref": "https://ex.test/size"}));
    assert!(!built.unwrap().is_valid(&json!(2)) && shelf.asked().is_empty());
    // A reference that has no base is nowhere to be fetched from.
    let error = shelf.build(&json!({"$ref": "size"})).unwrap_err();
    assert!(error.message().contains("names a document that was not given"), "{error}");
    assert!(shelf.asked().is_empty());
}

#[test]
fn an_error_names_the_reference() {
    let shelf = Shelf::default();
    let error = shelf.build(&json!({"items": {"$ref": "https://ex.test/gone#/a"}})).unwrap_err();
    assert_eq!(error.schema_location(), "#/items/$ref");
    assert_eq!(error.message(), "\"https://ex.test/gone#/a\" could not be retrieved: no such document");
    let error = shelf.build(&json!({"$schema": "https://ex.test/gone"})).unwrap_err();
    assert_eq!(error.message(), "\"https://ex.test/gone\" could not be retrieved: no such document");
    let error = shelf.build(&json!({"$ref": "https://ex.test/huge"})).unwrap_err();
    assert!(error.to_string().len() < 1_000, "{} bytes", error.to_string().len());
}

#[test]
fn a_fetched_document_is_held_as_a_given_one_is() {
    let shelf = Shelf::default();
    let error = shelf.build(&json!({"$ref": "https://ex.test/wrong"})).unwrap_err();
    assert_eq!(error.schema_location(), "https://ex.test/wrong#/properties/a/maximum");
    assert!(error.refusal().is_some());
    let error = shelf.build(&json!({"$ref": "https://ex.test/deep"})).unwrap_err();
    assert!(error.message().ends_with("the document is nested deeper than the limit"), "{error}");
    let validator = shelf.build(&json!({"$ref": "https://ex.test/draft7"})).unwrap();
    assert!(validator.is_valid(&json!(["a", 1])) && !validator.is_valid(&json!([1])));
}

#[test]
fn a_metaschema_may_be_fetched() {
    let shelf = Shelf::default();
    let schema =
        json!({"$schema": "https://ex.test/meta", "properties": {"a": {"type": "string"}, "b": false}});
    let validator = shelf.build(&schema).unwrap();
    assert!(validator.is_valid(&json!({"a": 1})) && !validator.is_valid(&json!({"b": 1})));
    assert_eq!(shelf.asked(), ["https://ex.test/meta"]);
}

#[test]
fn so_many_documents_are_fetched() {
    let shelf = Shelf::default();
    let error = shelf.build(&json!({"$ref": "https://ex.test/n0"})).unwrap_err();
    assert!(error.message().ends_with("documents would be fetched"), "{error}");
    assert_eq!(shelf.asked().len(), RETRIEVED);
    // One fewer, since the last refers to one more.
    let shelf = Shelf::default();
    let last = format!("https://ex.test/n{RETRIEVED}");
    let built = Validator::options()
        .retriever(shelf.clone())
        .resource(last, json!({"type": "string"}))
        .build(&json!({"$ref": "https://ex.test/n0"}));
    assert!(!built.unwrap().is_valid(&json!(1)));
    assert_eq!(shelf.asked().len(), RETRIEVED);
}
