//! No schema makes a build slow or big: schemas that grow with a size are built or refused in time and memory that
//! grow with it.
//!
//! In: schemas whose references, unions and patterns meet each other in pairs. Out: a failure where doubling the size
//! far more than doubles what a build allocates, or where a build takes seconds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "what does not build fails the test"
)]

use std::time::{Duration, Instant};

use allocation_counter::measure;
use portcullis::limits::{PATTERNS_BYTES, SCHEMA_BYTES};
use portcullis::{Limits, Validator};
use serde_json::{Map, Value, json};

/// What the analyses may hold at most, whatever the schema: they stop at limits of their own.
const ANALYSES: u64 = 64 << 20;

/// Bytes of a build for each byte of its schema.
const A_BYTE: u64 = 100;

fn definitions(count: usize, definition: impl Fn(&dyn Fn(usize) -> Value) -> Value) -> Value {
    let all: Map<String, Value> = (0..count)
        .map(|index| {
            let reference = |after: usize| json!({"$ref": format!("#/$defs/d{}", (index + after) % count)});
            (format!("d{index}"), definition(&reference))
        })
        .collect();
    json!({"$defs": all, "items": {"$ref": "#/$defs/d0"}})
}

fn schemas(count: usize) -> Vec<(&'static str, Value)> {
    let many = |item: &dyn Fn(usize) -> Value| (0..count).map(item).collect::<Vec<Value>>();
    let names: Vec<String> = (0..200).map(|index| format!("k{index}")).collect();
    let properties: Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"const": 1}))).collect();
    let definition = json!({"required": names, "allOf": vec![json!({"properties": properties}); 40]});
    vec![
        (
            "two routes at each of many",
            definitions(count, |next| json!({"allOf": [{"items": next(1)}, {"items": next(2)}]})),
        ),
        (
            "a union of all",
            json!({"$defs": {"u": {"anyOf": many(&|index| json!({"items": {"$ref": "#/$defs/u"}, "minItems": index}))}}, "$ref": "#/$defs/u"}),
        ),
        (
            "every property meets every pattern",
            json!({
                "properties": many(&|_| Value::Null).iter().enumerate().map(|(index, _)| (format!("a{index}"), json!({"items": {"$ref": "#"}}))).collect::<Map<_, _>>(),
                "patternProperties": (0..count).map(|index| (format!("^a{index}"), json!({"items": {"$ref": "#"}}))).collect::<Map<_, _>>(),
            }),
        ),
        (
            "one large branch named very often",
            json!({"$defs": {"b": definition}, "oneOf": many(&|_| json!({"$ref": "#/$defs/b"}))}),
        ),
        (
            "unique arrays everywhere",
            definitions(
                count,
                |next| json!({"uniqueItems": true, "items": next(1), "allOf": [{"items": next(3)}]}),
            ),
        ),
        (
            "askers over one chain",
            json!({"$defs": {"c": {"anyOf": many(&|index| json!({"properties": {format!("p{index}"): true}}))}},
            "allOf": many(&|_| json!({"$ref": "#/$defs/c", "unevaluatedProperties": false}))}),
        ),
    ]
}

#[test]
fn builds_of_hostile_schemas_are_bounded() {
    const SIZES: [usize; 2] = [1_000, 2_000];
    /// Only what has no bound takes so long, on any machine.
    const SLOW: Duration = Duration::from_secs(60);
    for size in SIZES {
        for (name, schema) in schemas(size) {
            let start = Instant::now();
            let bytes = schema.to_string().len() as u64;
            let mut built = None;
            let memory = measure(|| built = Some(Validator::new(&schema).is_ok()));
            let time = start.elapsed();
            assert!(
                memory.bytes_max <= ANALYSES + A_BYTE * bytes,
                "{name} at {size}: {} bytes",
                memory.bytes_max
            );
            assert!(time < SLOW, "{name} at {size}: {time:?}");
        }
    }
}

#[test]
fn many_relative_identities_under_a_long_base_are_refused_by_name() {
    let schema = |base: usize, count: usize| {
        let all: Map<String, Value> =
            (0..count).map(|index| (format!("d{index}"), json!({"$id": format!("r{index}")}))).collect();
        json!({"$id": format!("http://x.test/{}/", "y".repeat(base)), "$defs": all})
    };
    for (base, count) in [(9_000, 1), (5_000, 4_000)] {
        let mut error = None;
        let cost = measure(|| error = Validator::new(&schema(base, count)).err());
        let error = error.unwrap();
        assert!(error.message().contains("longer than the limit"), "{error}");
        assert!(cost.bytes_max < ANALYSES, "{} bytes", cost.bytes_max);
    }
    // The near misses: a base of the longest kind, and as many identities as a long base leaves room for.
    for (base, count) in [(8_000, 1), (5_000, 500)] {
        assert!(Validator::new(&schema(base, count)).is_ok(), "{base} {count}");
    }
}

/// Resources that each bind an anchor of their own and lead to others, with `more` in each: as many scopes as subsets.
fn dynamic(count: usize, next: impl Fn(usize) -> Vec<usize>, more: impl Fn(usize) -> Value) -> Value {
    let reference = |to: usize| json!({"$ref": format!("r{to}")});
    let resources: Map<String, Value> = (0..count)
        .map(|at| {
            let resource = json!({
                "$id": format!("r{at}"),
                "$defs": {"own": {"$dynamicAnchor": format!("a{at}"), "type": "object"}},
                "additionalProperties": {"anyOf": next(at).into_iter().map(reference).collect::<Vec<_>>()},
                "properties": {"x": {"$dynamicRef": format!("#a{at}")}},
                "items": more(at)
            });
            (format!("r{at}"), resource)
        })
        .collect();
    let entries: Vec<Value> = (0..count).map(reference).collect();
    json!({"$id": "https://ex.test/", "$defs": resources, "anyOf": entries})
}

/// Builds a schema; the error's message, and what it took at the peak.
fn build_measured(name: &str, schema: &Value) -> (Option<String>, u64) {
    let mut error = None;
    let cost = measure(|| error = Validator::new(schema).err().map(|error| error.message().to_owned()));
    println!("{name}: {} bytes at the peak for {} bytes", cost.bytes_max, schema.to_string().len());
    (error, cost.bytes_max)
}

#[test]
fn dynamic_copies_are_refused_before_they_are_large() {
    /// What the copies may hold at most, however small the schema.
    const COPIES: u64 = 16 << 20;
    const FEW: usize = 13;
    let nothing = |_: usize| json!(true);
    let names: Vec<String> = (0..2_000).map(|index| format!("k{index}")).collect();
    for (name, schema) in [
        ("many in a ring", dynamic(1_200, |at| vec![(at + 1) % 1_200, (at * 7 + 3) % 1_200], nothing)),
        (
            "each to many",
            dynamic(1_200, |at| (1..40).map(|step| (at + step * 29) % 1_200).collect(), nothing),
        ),
        ("each to each", dynamic(100, |_| (0..100).collect(), nothing)),
        (
            "each bound by each",
            dynamic(
                200,
                |at| vec![(at + 1) % 200],
                |_| json!({"anyOf": (0..200).map(|to| json!({"$dynamicRef": format!("r{to}#a{to}")})).collect::<Vec<_>>()}),
            ),
        ),
        (
            "long lists of references",
            dynamic(
                FEW,
                |_| (0..FEW).collect(),
                |_| json!({"anyOf": vec![json!({"$ref": "#/$defs/own"}); 2_000]}),
            ),
        ),
        ("large operands", dynamic(FEW, |_| (0..FEW).collect(), |_| json!({"enum": names}))),
        ("many names", dynamic(FEW, |_| (0..FEW).collect(), |_| json!({"required": names}))),
    ] {
        let (error, peak) = build_measured(name, &schema);
        let message = error.unwrap_or_else(|| panic!("{name} builds"));
        assert!(message.contains("dynamic references would copy more schemas than the limit"), "{message}");
        assert!(peak <= COPIES + 50 * schema.to_string().len() as u64, "{name}: {peak} bytes");
    }
    // The near misses: as many copies as eight resources need, and large operands in few scopes.
    for (name, schema) in [
        ("few in all scopes", dynamic(8, |_| (0..8).collect(), nothing)),
        ("few in a ring", dynamic(40, |at| vec![(at + 1) % 40], nothing)),
        ("large operands in few scopes", dynamic(3, |_| (0..3).collect(), |_| json!({"enum": names}))),
        (
            "lists of references in few scopes",
            dynamic(
                3,
                |_| (0..3).collect(),
                |_| json!({"anyOf": vec![json!({"$ref": "#/$defs/own"}); 2_000]}),
            ),
        ),
    ] {
        let (error, peak) = build_measured(name, &schema);
        assert_eq!(error, None, "{name}");
        assert!(peak <= COPIES + 50 * schema.to_string().len() as u64, "{name}: {peak} bytes");
    }
}

/// A schema of many strings, of `bytes` about.
fn long_enum(bytes: usize) -> Value {
    json!({"enum": (0..bytes / 12).map(|index| format!("{index:09}")).collect::<Vec<_>>()})
}

#[test]
fn documents_larger_than_the_limit_are_refused_by_name_before_they_are_read() {
    const LIMIT: usize = 1 << 20;
    let small = json!({"$id": "https://ex.test/small", "type": "string"});
    let options = || {
        let limits = Limits::default().schema_bytes(LIMIT);
        Validator::options().limits(limits).resource("https://ex.test/other", long_enum(LIMIT / 2))
    };
    let build = |schema: &Value| {
        let mut error = None;
        let cost = measure(|| error = options().build(schema).err());
        (error.map(|error| error.message().to_owned()), cost.bytes_max)
    };
    let message = Some("the schema's documents are larger than the limit".to_owned());
    assert_eq!(build(&long_enum(LIMIT + LIMIT / 10)).0, message);
    // A keyword that means nothing counts too, and so do the resources together with the schema.
    assert_eq!(build(&json!({"description": "x".repeat(LIMIT)})).0, message);
    assert_eq!(build(&long_enum(LIMIT / 2 + LIMIT / 10)).0, message);
    for near_miss in [long_enum(LIMIT / 3), json!({"description": "x".repeat(LIMIT / 3)}), small] {
        let (error, peak) = build(&near_miss);
        assert_eq!(error, None);
        // The resource itself is among what was measured.
        assert!(peak <= 20 * LIMIT as u64, "{peak} bytes");
    }
    assert_eq!(Limits::default().get_schema_bytes(), SCHEMA_BYTES);
}

#[test]
fn many_small_patterns_are_refused_for_their_automata_before_they_are_large() {
    let patterns = |count: usize| json!({"allOf": (0..count).map(|index| json!({"pattern": format!("^(a|bc)*{index}$")})).collect::<Vec<_>>()});
    let (error, peak) = build_measured("20,000 patterns", &patterns(20_000));
    let message = error.unwrap();
    assert!(message.contains("patterns") && message.contains("limit"), "{message}");
    assert!(peak <= 2 * PATTERNS_BYTES as u64 + A_BYTE * 600_000, "{peak} bytes");
    let (error, peak) = build_measured("2,000 patterns", &patterns(2_000));
    assert_eq!(error, None);
    assert!(peak <= 2 * PATTERNS_BYTES as u64, "{peak} bytes");
}
