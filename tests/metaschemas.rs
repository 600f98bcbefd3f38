//! Dialects and metaschemas of the caller's own, as a build meets them.
//!
//! In: schemas that name a `$schema`, with documents. Out: a failure where a keyword is in force that its metaschema
//! did not take, or the other way round, or where a schema is not held to its metaschema.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use portcullis::limits::{METASCHEMA_CHAIN, METASCHEMAS};
use portcullis::{Dialect, Options, UnknownFormats, Validator};
use serde_json::{Map, Value, json};

const URI: &str = "https://ex.test/meta";

/// The URIs of 2020-12's vocabularies, each as required or not.
fn vocabularies(listed: &[(&str, bool)]) -> Value {
    let uri = |name: &str| match name.contains(':') {
        true => name.to_owned(),
        false => format!("https://json-schema.org/draft/2020-12/vocab/{name}"),
    };
    listed.iter().map(|(name, required)| (uri(name), json!(required))).collect::<Map<_, _>>().into()
}

/// A metaschema that allows what it lists.
fn metaschema(listed: &[(&str, bool)]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": URI,
        "$vocabulary": vocabularies(listed),
        "$dynamicAnchor": "meta",
        "$ref": "https://json-schema.org/draft/2020-12/meta/core"
    })
}

fn with(metaschema: Value) -> Options {
    Validator::options().resource(URI, metaschema)
}

fn schema(mut keywords: Value) -> Value {
    keywords["$schema"] = json!(URI);
    keywords
}

fn error(options: &Options, schema: &Value) -> String {
    options.build(schema).expect_err("the schema builds").to_string()
}

#[test]
fn a_vocabulary_that_is_not_listed_is_not_in_force() {
    let options = with(metaschema(&[("core", true), ("applicator", true), ("unevaluated", true)]));
    let validator = options
        .build(&schema(json!({
            "properties": {"a": {"type": "string", "format": "ipv4", "minimum": 3}, "b": false},
            "required": ["c"],
            "unevaluatedProperties": false
        })))
        .unwrap();
    assert!(validator.is_valid(&json!({"a": 1})));
    assert!(!validator.is_valid(&json!({"b": 1})) && !validator.is_valid(&json!({"d": 1})));
    let options = with(metaschema(&[("core", true), ("validation", true)]));
    let validator = options.build(&schema(json!({"properties": {"b": false}, "required": ["c"]}))).unwrap();
    assert!(validator.is_valid(&json!({"b": 1, "c": 1})) && !validator.is_valid(&json!({"b": 1})));
    // An unknown keyword is one that the language has not.
    let strict = with(metaschema(&[("core", true)])).unknown_keywords(false);
    assert!(error(&strict, &schema(json!({"minimum": 1}))).ends_with("\"minimum\" is an unknown keyword"));
}

#[test]
fn the_core_is_in_force_unlisted() {
    let validator = with(metaschema(&[("applicator", true)]))
        .build(&schema(json!({"$ref": "#/$defs/no", "$defs": {"no": {"properties": {"a": false}}}})))
        .unwrap();
    assert!(!validator.is_valid(&json!({"a": 1})));
}

#[test]
fn format_asserts_where_the_metaschema_asks() {
    let schema = schema(json!({"format": "ipv4"}));
    let passes = |listed: &[(&str, bool)], assert: bool| {
        let options = with(metaschema(listed)).assert_format(assert);
        options.build(&schema).unwrap().is_valid(&json!("x"))
    };
    // The flag speaks to those who do not know the vocabulary.
    assert!(!passes(&[("format-assertion", true)], false) && !passes(&[("format-assertion", false)], false));
    assert!(passes(&[("format-annotation", true)], false));
    assert!(!passes(&[("format-annotation", true)], true));
    assert!(passes(&[("validation", true)], true), "no vocabulary has it");
    // An assertion that nobody can make refuses the schema, whatever the options.
    let unknown = json!({"$schema": URI, "format": "unheard-of"});
    let lenient = |listed: &[(&str, bool)]| {
        with(metaschema(listed)).unknown_formats(UnknownFormats::Annotate).build(&unknown)
    };
    assert!(lenient(&[("format-annotation", true)]).is_ok());
    assert!(lenient(&[("format-assertion", true)]).is_err());
}

#[test]
fn in_2019_09_a_required_format_vocabulary_asserts() {
    for (required, passes) in [(true, false), (false, true)] {
        let metaschema = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "$id": URI,
            "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/format": required}
        });
        let validator =
            with(metaschema).assert_format(false).build(&schema(json!({"format": "ipv4"}))).unwrap();
        assert_eq!(validator.is_valid(&json!("x")), passes);
    }
}

#[test]
fn an_unknown_vocabulary_is_passed_over_or_refuses() {
    let mine = "https://ex.test/vocab/mine";
    let optional = with(metaschema(&[(mine, false), ("validation", true)]));
    assert!(!optional.build(&schema(json!({"type": "string"}))).unwrap().is_valid(&json!(1)));
    let required = with(metaschema(&[(mine, true), ("validation", true)]));
    assert_eq!(
        error(&required, &schema(json!({"type": "string"}))),
        format!("#/$schema: \"{URI}\" requires the vocabulary \"{mine}\", which is unknown")
    );
}

#[test]
fn a_schema_is_held_to_its_own_metaschema() {
    let mut strict = metaschema(&[("core", true), ("validation", true), ("applicator", true)]);
    strict["required"] = json!(["title"]);
    strict["properties"] = json!({"properties": {"additionalProperties": {"$dynamicRef": "#meta"}}});
    let options = with(strict);
    assert!(options.build(&schema(json!({"title": "a", "properties": {"a": {"title": "b"}}}))).is_ok());
    let schema = schema(json!({"title": "a", "properties": {"a": {"type": "string"}}}));
    let refused = options.build(&schema).unwrap_err();
    assert_eq!(refused.schema_location(), "#/properties/a");
    assert_eq!(refused.message(), format!("the schema is no \"{URI}\": property \"title\" is required"));
    assert_eq!(refused.refusal().unwrap().total(), 1);
    // What the metaschema does not look at is still no keyword of the wrong type.
    let loose = with(metaschema(&[("core", true), ("validation", true)]));
    let wrong = json!({"$schema": URI, "minLength": "1"});
    assert_eq!(error(&loose, &wrong), "#/minLength: \"minLength\" must be a non-negative integer");
}

#[test]
fn a_metaschema_may_have_a_metaschema_of_its_own() {
    let link = |at: usize| format!("https://ex.test/link/{at}");
    let build = |links: usize| {
        let mut options = Validator::options();
        for at in 0..links {
            let next = if at + 1 < links { link(at + 1) } else { Dialect::Draft4.uri().to_owned() };
            options = options.resource(link(at), json!({"id": link(at), "$schema": next}));
        }
        options.build(&json!({"$schema": link(0), "minimum": 1, "exclusiveMinimum": true}))
    };
    // The last says which dialect: in no other is the flag one.
    assert!(!build(1).unwrap().is_valid(&json!(1)));
    assert!(!build(METASCHEMA_CHAIN).unwrap().is_valid(&json!(1)));
    let error = build(METASCHEMA_CHAIN + 1).unwrap_err();
    assert!(error.message().ends_with("leads to no known dialect"), "{error}");
}

#[test]
fn metaschemas_that_name_each_other_are_refused() {
    let options = Validator::options()
        .resource("https://ex.test/a", json!({"$schema": "https://ex.test/b"}))
        .resource("https://ex.test/b", json!({"$schema": "https://ex.test/a"}));
    let message = error(&options, &json!({"$schema": "https://ex.test/a"}));
    assert!(message.ends_with("leads to no known dialect"), "{message}");
    let own = json!({"$id": URI, "$schema": URI});
    assert!(error(&Validator::options(), &own).ends_with("is an unknown dialect"));
}

#[test]
fn a_build_uses_so_many_metaschemas() {
    let uri = |at: usize| format!("https://ex.test/meta/{at}");
    let build = |count: usize| {
        let mut options = Validator::options();
        for at in 0..count {
            options = options.resource(uri(at), json!({"$schema": Dialect::Draft7.uri(), "type": "object"}));
        }
        let parts: Vec<Value> =
            (0..count).map(|at| json!({"$id": format!("p{at}"), "$schema": uri(at)})).collect();
        options.build(&json!({"$id": "https://ex.test/", "allOf": parts}))
    };
    assert!(build(METASCHEMAS).is_ok());
    let error = build(METASCHEMAS + 1).unwrap_err();
    assert!(error.message().contains("one more metaschema than the"), "{error}");
}

#[test]
fn a_resource_is_read_and_judged_in_its_own_dialect() {
    let dialects = [
        (Dialect::Draft3, json!({"divisibleBy": 2}), json!({"divisibleBy": 0})),
        (Dialect::Draft4, json!({"maximum": 3, "exclusiveMaximum": true}), json!({"exclusiveMaximum": 3})),
        (Dialect::Draft6, json!({"exclusiveMaximum": 3}), json!({"exclusiveMaximum": true})),
        (Dialect::Draft7, json!({"if": {"minimum": 3}, "then": false}), json!({"if": 1})),
        (Dialect::Draft201909, json!({"items": [{"maximum": 2}], "maximum": 2}), json!({"items": 2})),
        (Dialect::Draft202012, json!({"prefixItems": [true], "maximum": 2}), json!({"items": [true]})),
        (Dialect::V1, json!({"maximum": 2}), json!({"propertyDependencies": {"a": 1}})),
    ];
    for (outer, _, _) in &dialects {
        for (inner, sound, broken) in &dialects {
            let embed = |keywords: &Value| {
                let mut part = keywords.clone();
                part[if matches!(inner, Dialect::Draft3 | Dialect::Draft4) { "id" } else { "$id" }] =
                    json!("https://ex.test/part");
                part["$schema"] = json!(inner.uri());
                let holder = if *outer == Dialect::Draft3 { "extends" } else { "allOf" };
                json!({"$schema": outer.uri(), holder: [part]})
            };
            let validator = Validator::options().build(&embed(sound));
            let validator = validator.unwrap_or_else(|error| panic!("{inner} in {outer}: {error}"));
            assert!(validator.is_valid(&json!(2)) && !validator.is_valid(&json!(3)), "{inner} in {outer}");
            let error = Validator::options().build(&embed(broken)).unwrap_err();
            assert!(error.refusal().is_some(), "{inner} in {outer}: {error}");
            let kind = if *inner == Dialect::V1 { "no v1 schema" } else { "no draft " };
            assert!(error.message().contains(kind), "{inner} in {outer}: {error}");
            let is_apart = error.schema_location().starts_with("https://ex.test/part#");
            assert_eq!(is_apart, inner != outer, "{inner} in {outer}: {error}");
        }
    }
}

#[test]
fn the_first_release_of_v1_names_it_too() {
    assert_eq!(Dialect::from_uri("https://json-schema.org/v1/2026"), Some(Dialect::V1));
    assert_eq!(Dialect::from_uri("https://json-schema.org/v1/2025"), None);
}

#[test]
fn v1_binds_a_dynamic_reference_by_its_name_alone() {
    // With and without the sign of a fragment, and with no anchor beside it.
    for name in ["#item", "item"] {
        let list = json!({"$id": "list", "items": {"$dynamicRef": name}});
        let schema = json!({
            "$schema": Dialect::V1.uri(), "$id": "https://ex.test/", "$ref": "list",
            "$defs": {"list": list, "own": {"$dynamicAnchor": "item", "type": "string"}}
        });
        let validator = Validator::new(&schema).unwrap();
        assert!(validator.is_valid(&json!(["a"])) && !validator.is_valid(&json!([1])));
        let unbound = json!({"$schema": Dialect::V1.uri(), "items": {"$dynamicRef": name}});
        let error = Validator::new(&unbound).unwrap_err();
        assert_eq!(error.schema_location(), "#/items/$dynamicRef");
        assert_eq!(error.message(), "\"item\" is no dynamic anchor of any schema on the way here");
    }
}

#[test]
fn a_type_that_nobody_knows_refuses_a_draft_3_schema() {
    for schema in
        [json!({"type": "money"}), json!({"type": ["string", "money"]}), json!({"disallow": "money"})]
    {
        let error = Validator::options().dialect(Dialect::Draft3).build(&schema).unwrap_err();
        assert_eq!(error.message(), "\"money\" is an unknown type");
    }
}

#[test]
fn older_keywords_are_named_and_found_as_their_authors_wrote_them() {
    let schema = json!({
        "properties": {"a": {"required": true}, "b": {"minimum": 1, "exclusiveMinimum": true}},
        "extends": {"properties": {"c": {"disallow": ["null", "string"]}, "d": {"type": ["null", {"type": "string"}]}}}
    });
    let validator = Validator::options().dialect(Dialect::Draft3).build(&schema).unwrap();
    let refusal = validator.check(&json!({"b": 1, "c": "x", "d": 1})).unwrap_err();
    let found: Vec<_> = refusal
        .entries()
        .iter()
        .flat_map(|entry| entry.problems())
        .map(|problem| (problem.schema_location(), problem.text()))
        .collect();
    let expected = [
        ("#/properties/a/required", "property \"a\" is required"),
        ("#/properties/b/minimum", "value is not higher than exclusive minimum 1"),
        ("#/extends/properties/c/disallow", "value matches a schema that it must not match"),
        ("#/extends/properties/d/type", "value is not of type null (got number)"),
        ("#/extends/properties/d/type/1/type", "value is not of type string (got number)"),
    ];
    assert_eq!(found, expected);
}
