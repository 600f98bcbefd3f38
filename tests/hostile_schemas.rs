//! Schemas that are made to cost: they build fast, or are refused by name.
//!
//! In: schemas in shapes that make engines slow or overflow their stacks. Out: a failure where one takes longer than
//! a generous clock (a build is linear in its schema: a tenth of a second here, minutes where something is
//! quadratic), or is refused with another reason than its own.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::{Duration, Instant};

use portcullis::limits::{SCHEMA_DEPTH, SUBSCHEMAS};
use portcullis::{BuildError, Dialect, Validator};
use serde_json::{Map, Value, json};

/// What a build may take: ten times what an unoptimised one takes on a slow machine.
const CLOCK: Duration = Duration::from_secs(10);

fn build(dialect: Dialect, schema: &Value) -> Result<Validator, BuildError> {
    let start = Instant::now();
    let built = Validator::options().dialect(dialect).build(schema);
    let taken = start.elapsed();
    eprintln!("built in {taken:?}");
    assert!(taken < CLOCK, "the build took {taken:?}");
    built
}

fn refused(dialect: Dialect, schema: &Value) -> String {
    build(dialect, schema).expect_err("the schema builds").to_string()
}

fn definitions(count: usize, one: impl Fn(usize) -> Value) -> Value {
    (0..count).map(|at| (format!("d{at}"), one(at))).collect::<Map<_, _>>().into()
}

fn reference(to: usize) -> Value {
    json!({"$ref": format!("#/$defs/d{to}")})
}

#[test]
fn a_mesh_of_references_builds_fast() {
    const COUNT: usize = 3_000;
    // Each refers to eight that lie further on, so that there are more ways than could be walked.
    for keyword in ["anyOf", "allOf"] {
        let others = |at: usize| -> Vec<Value> {
            (1..=8).map(|step| at + step * 97).filter(|to| *to < COUNT).map(reference).collect()
        };
        let definitions = definitions(COUNT, |at| match others(at) {
            others if others.is_empty() => json!({"type": "string"}),
            others => json!({keyword: others}),
        });
        let validator =
            build(Dialect::Draft202012, &json!({"$defs": definitions, "$ref": "#/$defs/d0"})).unwrap();
        assert!(validator.is_valid(&json!("x")) && !validator.is_valid(&json!(1)), "{keyword}");
    }
}

#[test]
fn a_mesh_through_properties_builds_fast() {
    const COUNT: usize = 3_000;
    let definitions = definitions(COUNT, |at| {
        let members: Map<_, _> =
            (0..10).map(|step| (format!("p{step}"), reference((at * 7 + step * 131) % COUNT))).collect();
        json!({"type": "object", "properties": members, "additionalProperties": reference((at + 1) % COUNT)})
    });
    let validator =
        build(Dialect::Draft202012, &json!({"$defs": definitions, "$ref": "#/$defs/d0"})).unwrap();
    assert!(validator.is_valid(&json!({"p1": {"p2": {"q": {}}}})));
    assert!(!validator.is_valid(&json!({"p1": {"p2": {"q": 1}}})));
}

#[test]
fn a_mesh_of_dynamic_references_builds_fast_or_is_refused_for_its_copies() {
    // Each resource binds an anchor of its own and may be entered from every other: as many scopes as subsets.
    const COUNT: usize = 24;
    let resources: Map<String, Value> = (0..COUNT)
        .map(|at| {
            let next: Vec<Value> = (0..COUNT).map(|to| json!({"$ref": format!("r{to}")})).collect();
            let resource = json!({
                "$id": format!("r{at}"),
                "$defs": {"own": {"$dynamicAnchor": format!("a{at}"), "type": "object"}},
                "additionalProperties": {"anyOf": next},
                "properties": {"x": {"$dynamicRef": format!("#a{at}")}}
            });
            (format!("r{at}"), resource)
        })
        .collect();
    let schema = json!({"$id": "https://ex.test/", "$defs": resources, "$ref": "r0"});
    let message = refused(Dialect::Draft202012, &schema);
    assert!(message.ends_with("dynamic references would copy more schemas than the limit"), "{message}");
}

#[test]
fn many_anchors_in_many_scopes_are_refused_for_their_bindings() {
    // Every subset of the resources is a scope, and each scope binds a thousand anchors.
    const ANCHORS: usize = 1_000;
    const RESOURCES: usize = 12;
    let anchors = definitions(ANCHORS, |at| json!({"$dynamicAnchor": format!("x{at}")}));
    let asked: Vec<Value> = (0..ANCHORS).map(|at| json!({"$dynamicRef": format!("#x{at}")})).collect();
    let others: Vec<Value> = (0..RESOURCES).map(|to| json!({"$ref": format!("r{to}")})).collect();
    let mut defs: Map<String, Value> = (0..RESOURCES)
        .map(|at| {
            let own = json!({"own": {"$dynamicAnchor": format!("a{at}")}});
            let id = format!("r{at}");
            let all = json!({
                "$id": id, "$defs": own, "additionalProperties": {"anyOf": others},
                "properties": {"x": {"$dynamicRef": format!("#a{at}")}}
            });
            (id, all)
        })
        .collect();
    defs.insert("anchors".to_owned(), json!({"$defs": anchors, "properties": {"y": {"anyOf": asked}}}));
    let schema = json!({"$id": "https://ex.test/", "$defs": defs, "anyOf": [{"$ref": "#/$defs/anchors"}, {"$ref": "r0"}]});
    let message = refused(Dialect::Draft202012, &schema);
    assert!(message.ends_with("dynamic references would copy more schemas than the limit"), "{message}");
}

#[test]
fn a_long_chain_of_references_builds_fast() {
    const COUNT: usize = 20_000;
    let chain = |at: usize| if at + 1 < COUNT { reference(at + 1) } else { json!({"type": "string"}) };
    let validator =
        build(Dialect::Draft202012, &json!({"$defs": definitions(COUNT, chain), "$ref": "#/$defs/d0"}))
            .unwrap();
    assert!(validator.is_valid(&json!("x")) && !validator.is_valid(&json!(1)));
    // Every link entered from the outside.
    let members: Map<_, _> = (0..COUNT).map(|at| (format!("p{at}"), reference(at))).collect();
    let schema = json!({"$defs": definitions(COUNT, chain), "properties": members});
    let validator = build(Dialect::Draft202012, &schema).unwrap();
    assert!(validator.is_valid(&json!({"p0": "x", "p19999": "x"})) && !validator.is_valid(&json!({"p7": 1})));
    // By links that are more than a reference, so that each is a node of its own.
    let titled = |at: usize| {
        let last = || json!({"type": "string", "minLength": 1});
        if at + 1 < COUNT { json!({"allOf": [reference(at + 1)]}) } else { last() }
    };
    let validator =
        build(Dialect::Draft202012, &json!({"$defs": definitions(COUNT, titled), "$ref": "#/$defs/d0"}))
            .unwrap();
    // Nested deeper in place than a check goes: refused, not passed, and no stack overflows.
    assert!(!validator.is_valid(&json!("x")));
    // What the kind of a value decides is known without going there.
    assert!(!validator.is_valid(&json!(1)));
    let plain = |at: usize| {
        if at + 1 < COUNT { json!({"allOf": [reference(at + 1)]}) } else { json!({"type": "string"}) }
    };
    let schema = json!({"$defs": definitions(COUNT, plain), "$ref": "#/$defs/d0"});
    let validator = build(Dialect::Draft202012, &schema).unwrap();
    assert!(validator.is_valid(&json!("x")) && !validator.is_valid(&json!(1)));
}

#[test]
fn a_long_chain_that_bites_its_tail_is_refused() {
    const COUNT: usize = 20_000;
    let ring = definitions(COUNT, |at| reference((at + 1) % COUNT));
    let message = refused(Dialect::Draft202012, &json!({"$defs": ring, "$ref": "#/$defs/d5"}));
    assert!(
        message.ends_with("the schema refers to itself without reading any data in between"),
        "{message}"
    );
    let ring = definitions(COUNT, |at| json!({"allOf": [reference((at + 1) % COUNT)]}));
    let message = refused(Dialect::Draft202012, &json!({"$defs": ring, "$ref": "#/$defs/d5"}));
    assert!(
        message.ends_with("the schema refers to itself without reading any data in between"),
        "{message}"
    );
}

#[test]
fn a_chain_of_draft_3_requirements_builds_fast() {
    const COUNT: usize = 20_000;
    let reference = |to: usize| json!({"$ref": format!("#/definitions/d{to}")});
    let chain =
        definitions(COUNT, |at| if at + 1 < COUNT { reference(at + 1) } else { json!({"required": true}) });
    let members: Map<_, _> = (0..COUNT).map(|at| (format!("p{at}"), reference(at))).collect();
    let validator =
        build(Dialect::Draft3, &json!({"definitions": chain, "properties": members.clone()})).unwrap();
    assert_eq!(validator.check(&json!({})).unwrap_err().total(), 1);
    assert!(validator.is_valid(&members.into()));
}

#[test]
fn large_enums_build_fast() {
    const COUNT: usize = 100_000;
    let strings: Value = (0..COUNT).map(|at| format!("option {at}")).collect();
    let validator = build(Dialect::Draft202012, &json!({"enum": strings})).unwrap();
    assert!(validator.is_valid(&json!("option 99999")) && !validator.is_valid(&json!("option")));
    let mixed: Value = (0..COUNT).map(|at| json!({"n": [at, at.to_string()]})).collect();
    let validator = build(Dialect::Draft202012, &json!({"enum": mixed.clone()})).unwrap();
    assert!(validator.is_valid(&json!({"n": [77, "77"]})) && !validator.is_valid(&json!({"n": [77]})));
    // Draft 4 asks that they differ.
    assert!(build(Dialect::Draft4, &json!({"enum": mixed})).is_ok());
    let names: Vec<String> = (0..COUNT).map(|at| format!("name {at}")).collect();
    assert!(build(Dialect::Draft202012, &json!({"required": names})).is_ok());
}

#[test]
fn many_properties_and_branches_build_fast() {
    const COUNT: usize = 30_000;
    let members: Map<_, _> = (0..COUNT).map(|at| (format!("p{at}"), json!({"type": "string"}))).collect();
    let validator = build(Dialect::Draft202012, &json!({"properties": members})).unwrap();
    assert!(!validator.is_valid(&json!({"p7": 1})));
    let tagged: Value = (0..COUNT)
        .map(|at| json!({"properties": {"kind": {"const": format!("k{at}")}}, "required": ["kind"]}))
        .collect();
    let validator = build(Dialect::Draft202012, &json!({"oneOf": tagged})).unwrap();
    assert!(validator.is_valid(&json!({"kind": "k12345"})) && !validator.is_valid(&json!({"kind": "k"})));
}

#[test]
fn a_schema_as_deep_as_the_limit_passes_its_metaschema() {
    for dialect in Dialect::ALL {
        let keywords: &[&str] = match dialect {
            Dialect::Draft3 => &["additionalProperties", "items", "extends"],
            _ => &["not", "additionalProperties", "items"],
        };
        for keyword in keywords {
            // The innermost schema takes a level, and so does each around it.
            let nested = |levels: usize| (1..levels).fold(json!({}), |inner, _| json!({*keyword: inner}));
            let at_limit = build(*dialect, &nested(SCHEMA_DEPTH));
            assert!(at_limit.is_ok(), "{dialect} {keyword}: {}", at_limit.unwrap_err());
            let message = refused(*dialect, &nested(SCHEMA_DEPTH + 1));
            assert!(message.ends_with("the document is nested deeper than the limit"), "{message}");
        }
        // Two levels of the document each.
        let levels = SCHEMA_DEPTH / 2;
        let keyword = if *dialect == Dialect::Draft3 { "extends" } else { "allOf" };
        let listed = (1..levels).fold(json!({}), |inner, _| json!({keyword: [inner]}));
        assert!(build(*dialect, &listed).is_ok(), "{dialect}");
        let named = (1..levels).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}));
        assert!(build(*dialect, &named).is_ok(), "{dialect}");
    }
}

#[test]
fn a_document_of_any_depth_is_refused_and_dropped() {
    let mut deep = json!({});
    for _ in 0..100_000 {
        // The macro would copy it.
        deep = Value::Object(Map::from_iter([("not".to_owned(), deep)]));
    }
    // Dropping it is the caller's own risk; it is left in place.
    let schema = std::mem::ManuallyDrop::new(deep);
    let message = refused(Dialect::Draft7, &schema);
    assert!(message.ends_with("the document is nested deeper than the limit"), "{message}");
}

#[test]
fn more_subschemas_than_the_limit_are_refused() {
    let many = |count: usize| json!({"allOf": vec![json!({}); count]});
    // The root is one, and the metaschema is no part of the count.
    assert!(build(Dialect::Draft202012, &many(SUBSCHEMAS - 1)).is_ok());
    let message = refused(Dialect::Draft202012, &many(SUBSCHEMAS));
    assert!(message.ends_with("the schema has more subschemas than the limit"), "{message}");
}
