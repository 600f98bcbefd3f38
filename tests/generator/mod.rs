//! Random schemas with instances to try on them.
//!
//! In: a draft; until draft 4 the schema is made in the words of draft 6, and put in its own by [`older`]. Out: a schema with definitions that refer to each other, and instances over the same few names,
//! strings and numbers. A reference never leads back to itself without reading data, since the build refuses that.

mod older;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::{Map, Value, json};

use crate::twin::Draft;

/// Definitions of a schema that any schema may be, and those that look like the branch of a tagged union.
const DEFINITIONS: usize = 3;
const BRANCHES: usize = 2;

/// From 2019-09 on: the root, the other resource, and how they stand after the definitions where references may lead.
const ROOT: &str = "https://ex.test/root";
const RESOURCE: &str = "https://ex.test/resource";
const RESOURCE_RANK: usize = DEFINITIONS + BRANCHES + 1;
const ANCHOR_RANK: usize = RESOURCE_RANK + 1;

/// Instances tried on each schema.
const INSTANCES: usize = 6;

const NAMES: &[&str] = &["a", "b", "c", "kind", "1", "01", "10", "", "é"];
const STRINGS: &[&str] = &["", "a", "ab", "b", "x", "y", "é", "1"];
const TAGS: &[&str] = &["x", "y", "z"];
const PATTERNS: &[&str] = &["^a", "b$", "^[0-9]+$", ".", "^$", "[a-c]", "^.{1,2}$"];

/// What a schema is made of: few kinds of keywords meet each other more often than many.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Focus {
    /// Every keyword.
    All,
    /// What evaluates children, and what asks for the others.
    Evaluation,
    /// Composites, tags, and what is inside them.
    Unions,
}

/// A keyword with its argument; some come in pairs.
type Keywords = Vec<(&'static str, Value)>;

/// A schema, and instances to try on it.
pub(crate) fn case(draft: Draft) -> impl Strategy<Value = (Value, Vec<Value>)> {
    let made = if draft <= Draft::Draft4 { Draft::Draft6 } else { draft };
    let document = prop_oneof![
        2 => document(made, Focus::All),
        1 => document(made, Focus::Evaluation),
        1 => document(made, Focus::Unions),
    ];
    let document =
        document.prop_map(move |schema| if made == draft { schema } else { older::put(schema, draft) });
    (document, vec(instance(), INSTANCES))
}

/// A root with definitions; from 2019-09 on with another resource too, and in both an anchor that may be dynamic.
fn document(draft: Draft, focus: Focus) -> impl Strategy<Value = Value> {
    let schemas = (
        schema(draft, focus),
        vec(schema(draft, focus), DEFINITIONS),
        vec(branch(schema(draft, focus)), BRANCHES),
        schema(draft, focus),
        vec((any::<bool>(), schema(draft, focus)), 2),
    );
    schemas.prop_map(move |(mut root, mut definitions, branches, mut resource, mut anchored)| {
        definitions.extend(branches);
        break_cycles(&mut root, 0);
        for (index, definition) in definitions.iter_mut().enumerate() {
            break_cycles(definition, index + 1);
        }
        let definitions = definitions.into_iter().enumerate();
        let mut definitions: Map<_, _> =
            definitions.map(|(index, schema)| (format!("d{index}"), schema)).collect();
        let mut root = keywords(root);
        if draft >= Draft::Draft201909 {
            let dynamic: Vec<bool> = anchored.iter().map(|(dynamic, _)| *dynamic).collect();
            let mut is_first = true;
            let mut anchors = anchored.iter_mut().map(|(dynamic, schema)| {
                break_cycles(schema, ANCHOR_RANK);
                let mut schema = keywords(schema.take());
                // In v1 a reference to an anchor that nothing binds is refused: the root's own is always dynamic.
                let is_dynamic = match draft {
                    Draft::V1 => std::mem::replace(&mut is_first, false) || *dynamic,
                    _ => *dynamic && draft == Draft::Draft202012,
                };
                schema.insert(if is_dynamic { "$dynamicAnchor" } else { "$anchor" }.to_owned(), json!("dyn"));
                Value::Object(schema)
            });
            definitions.extend(anchors.next().map(|schema| ("dyn".to_owned(), schema)));
            break_cycles(&mut resource, RESOURCE_RANK);
            let mut resource = keywords(resource);
            resource.insert("definitions".to_owned(), json!({"dyn": anchors.next()}));
            let mut resource = Value::Object(resource);
            refer_to_root(&mut resource);
            resource["$id"] = json!(RESOURCE);
            if draft == Draft::Draft201909 {
                root.insert("$recursiveAnchor".to_owned(), json!(dynamic[0]));
                resource["$recursiveAnchor"] = json!(dynamic[1]);
            }
            definitions.insert("resource".to_owned(), resource);
            root.insert("$id".to_owned(), json!(ROOT));
        }
        root.insert("definitions".to_owned(), Value::Object(definitions));
        Value::Object(root)
    })
}

/// The keywords of a schema; one that is no object cannot hold more of them.
fn keywords(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(keywords) => keywords,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    }
}

/// Values to judge.
fn instance() -> BoxedStrategy<Value> {
    scalar()
        .prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                4 => vec(inner.clone(), 0..4).prop_map(Value::Array),
                // More failing places than a refusal lists.
                1 => vec(inner.clone(), 9..14).prop_map(Value::Array),
                8 => vec((name(), inner), 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
        .boxed()
}

fn scalar() -> BoxedStrategy<Value> {
    prop_oneof![
        3 => (-1..4_i64).prop_map(Value::from),
        1 => select(&[0.5, 1.0, 1.5, 2.0, -0.0][..]).prop_map(Value::from),
        3 => select(STRINGS).prop_map(Value::from),
        1 => select(TAGS).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
    .boxed()
}

fn name() -> BoxedStrategy<String> {
    select(NAMES).prop_map(str::to_owned).boxed()
}

/// Distinct names.
fn names() -> BoxedStrategy<Value> {
    subsequence(NAMES, 0..3).prop_shuffle().prop_map(|names| json!(names)).boxed()
}

/// Any schema.
fn schema(draft: Draft, focus: Focus) -> BoxedStrategy<Value> {
    let assertion = match focus {
        Focus::All => assertion(draft),
        Focus::Evaluation | Focus::Unions => few_assertions(),
    };
    let leaf = prop_oneof![
        2 => Just(Value::Bool(true)),
        1 => Just(Value::Bool(false)),
        6 => vec(assertion.clone(), 1..3).prop_map(object),
        3 => reference(draft).prop_map(|keywords| object(vec![keywords])),
    ];
    // Of in-place keywords, of those of objects, of those of arrays.
    let weights = match focus {
        Focus::All => (4, 4, 3),
        Focus::Evaluation => (4, 5, 5),
        Focus::Unions => (8, 3, 1),
    };
    leaf.prop_recursive(4, 40, 4, move |inner| {
        let keywords = prop_oneof![
            2 => assertion.clone(),
            1 => reference(draft),
            weights.0 => in_place(inner.clone(), draft),
            weights.1 => of_objects(inner.clone(), draft),
            weights.2 => of_arrays(inner, draft),
        ];
        vec(keywords, 1..4).prop_map(object)
    })
    .boxed()
}

/// The schema with these keywords; of one named twice, the last.
fn object(keywords: Vec<Keywords>) -> Value {
    let keywords = keywords.into_iter().flatten();
    Value::Object(keywords.map(|(name, argument)| (name.to_owned(), argument)).collect())
}

fn one(keyword: &'static str, argument: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Keywords> {
    argument.prop_map(move |argument| vec![(keyword, argument)]).boxed()
}

fn count() -> BoxedStrategy<Value> {
    (0..3_u64).prop_map(Value::from).boxed()
}

fn number() -> BoxedStrategy<Value> {
    select(vec![json!(0), json!(1), json!(1.5), json!(2), json!(2.0), json!(-1)]).boxed()
}

/// Keywords that hold no schemas.
fn assertion(draft: Draft) -> BoxedStrategy<Keywords> {
    let types = &["null", "boolean", "integer", "number", "string", "array", "object"][..];
    let mut all = vec![
        one("type", select(types).prop_map(Value::from)),
        one("type", select(&["object", "array"][..]).prop_map(Value::from)),
        one("type", subsequence(types, 1..4).prop_map(|names| json!(names))),
        one("const", instance()),
        one("const", scalar()),
        one("enum", vec(scalar(), 1..5).prop_map(Value::from)),
        one("minimum", number()),
        one("maximum", number()),
        one("exclusiveMinimum", number()),
        one("exclusiveMaximum", number()),
        one("multipleOf", select(vec![json!(1), json!(0.5), json!(2), json!(1.5)])),
        one("minLength", count()),
        one("maxLength", count()),
        one("pattern", select(PATTERNS).prop_map(Value::from)),
        one("minItems", count()),
        one("maxItems", count()),
        one("uniqueItems", any::<bool>().prop_map(Value::from)),
        one("minProperties", count()),
        one("maxProperties", count()),
        one("required", names()),
        one("required", names()),
    ];
    let dependent = vec((name(), names()), 1..3).prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
    let keyword = if draft <= Draft::Draft7 { "dependencies" } else { "dependentRequired" };
    all.push(one(keyword, dependent));
    proptest::strategy::Union::new(all).boxed()
}

fn few_assertions() -> BoxedStrategy<Keywords> {
    prop_oneof![
        one("type", select(&["integer", "string", "array", "object"][..]).prop_map(Value::from)),
        one("const", scalar()),
        one("required", names()),
        one("minimum", number()),
    ]
    .boxed()
}

fn reference(draft: Draft) -> BoxedStrategy<Keywords> {
    let definition = (0..DEFINITIONS + BRANCHES).prop_map(|index| json!(format!("#/definitions/d{index}")));
    let within = one("$ref", prop_oneof![4 => definition, 1 => Just(json!("#"))]);
    match draft {
        Draft::Draft3 | Draft::Draft4 | Draft::Draft6 | Draft::Draft7 => within,
        Draft::Draft201909 => prop_oneof![
            5 => within,
            1 => one("$ref", Just(json!(RESOURCE))),
            1 => one("$recursiveRef", Just(json!("#"))),
        ]
        .boxed(),
        Draft::Draft202012 => prop_oneof![
            5 => within,
            1 => one("$ref", Just(json!(RESOURCE))),
            1 => one("$dynamicRef", Just(json!("#dyn"))),
        ]
        .boxed(),
        Draft::V1 => prop_oneof![
            5 => within,
            1 => one("$ref", Just(json!(RESOURCE))),
            1 => one("$dynamicRef", select(&["#dyn", "dyn"][..]).prop_map(Value::from)),
        ]
        .boxed(),
    }
}

/// Keywords that apply schemas to the same value.
fn in_place(schema: BoxedStrategy<Value>, draft: Draft) -> BoxedStrategy<Keywords> {
    let list = || vec(schema.clone(), 1..4).prop_map(Value::Array);
    let map =
        vec((name(), schema.clone()), 1..3).prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
    let texts = vec((select([STRINGS, TAGS].concat()), schema.clone()), 1..3);
    let by_text = vec((select(&["kind", "a", "b"][..]), texts), 1..3).prop_map(|members| {
        let members = members.into_iter().map(|(name, texts)| {
            let texts = texts.into_iter().map(|(text, schema)| (text.to_owned(), schema)).collect();
            (name.to_owned(), Value::Object(texts))
        });
        Value::Object(members.collect())
    });
    let conditional =
        (schema.clone(), proptest::option::of(schema.clone()), proptest::option::of(schema.clone()))
            .prop_map(|(condition, then, otherwise)| {
                let mut keywords = vec![("if", condition)];
                keywords.extend(then.map(|then| ("then", then)));
                keywords.extend(otherwise.map(|otherwise| ("else", otherwise)));
                keywords
            });
    prop_oneof![
        2 => one("allOf", list()),
        2 => one("anyOf", list()),
        2 => one("oneOf", list()),
        2 => tagged(schema.clone()),
        1 => one("not", schema.clone()),
        2 => conditional,
        1 => one(if draft <= Draft::Draft7 { "dependencies" } else { "dependentSchemas" }, map),
        if draft == Draft::V1 { 2 } else { 0 } => one("propertyDependencies", by_text),
    ]
    .boxed()
}

/// A union whose branches are told apart by a property, mostly; or by two.
fn tagged(schema: BoxedStrategy<Value>) -> BoxedStrategy<Keywords> {
    let reference = (DEFINITIONS..DEFINITIONS + BRANCHES)
        .prop_map(|index| json!({"$ref": format!("#/definitions/d{index}")}));
    let twice = (select(TAGS), select(TAGS), schema.clone()).prop_map(|(kind, a, b)| {
        let properties = json!({"kind": {"const": kind}, "a": {"const": a}, "b": b});
        json!({"required": ["kind", "a"], "properties": properties})
    });
    let branches = prop_oneof![
        3 => vec(prop_oneof![3 => branch(schema), 1 => reference], 1..4),
        1 => vec(twice, 2..4),
    ];
    (select(&["anyOf", "oneOf"][..]), branches)
        .prop_map(|(keyword, branches)| vec![(keyword, Value::Array(branches))])
        .boxed()
}

/// An object with a tag, in one of the ways to say so.
fn branch(schema: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let limit = prop_oneof![
        4 => select(TAGS).prop_map(|tag| json!({"const": tag})),
        2 => subsequence(TAGS, 1..3).prop_map(|tags| json!({"enum": tags})),
        1 => select(TAGS).prop_map(|tag| json!({"allOf": [{"const": tag}], "type": "string"})),
        1 => scalar().prop_map(|value| json!({"const": value})),
    ];
    let tag = select(&["kind", "kind", "kind", "a"][..]);
    (tag, limit, name(), schema, any::<Index>())
        .prop_map(|(tag, limit, name, schema, shape)| {
            let required = json!([tag]);
            let properties = json!({name: schema, tag: limit});
            let plain = json!({"required": required, "properties": properties});
            let split = json!({"allOf": [{"required": required}, {"properties": properties}]});
            let optional = json!({"properties": properties});
            [plain.clone(), plain, split, optional][shape.index(4)].clone()
        })
        .boxed()
}

/// Keywords that apply schemas to members.
fn of_objects(schema: BoxedStrategy<Value>, draft: Draft) -> BoxedStrategy<Keywords> {
    let properties =
        vec((name(), schema.clone()), 1..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
    let patterns = vec((select(PATTERNS), schema.clone()), 1..3).prop_map(|pairs| {
        Value::Object(pairs.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect())
    });
    let mut all = vec![
        one("properties", properties.clone()),
        one("properties", properties),
        one("patternProperties", patterns),
        one("additionalProperties", rest(schema.clone())),
        one("propertyNames", schema.clone()),
    ];
    if draft >= Draft::Draft201909 {
        all.push(one("unevaluatedProperties", rest(schema.clone())));
        all.push(one("unevaluatedProperties", rest(schema)));
    }
    proptest::strategy::Union::new(all).boxed()
}

/// Keywords that apply schemas to items.
fn of_arrays(schema: BoxedStrategy<Value>, draft: Draft) -> BoxedStrategy<Keywords> {
    let list = vec(schema.clone(), 1..4).prop_map(Value::Array);
    let mut all = vec![one("items", schema.clone()), one("contains", schema.clone())];
    if draft <= Draft::Draft201909 {
        let both = (list, rest(schema.clone()));
        all.push(both.prop_map(|(list, rest)| vec![("items", list), ("additionalItems", rest)]).boxed());
    } else {
        all.push(one("prefixItems", list));
    }
    if draft >= Draft::Draft201909 {
        let contains = |limit| {
            (schema.clone(), count())
                .prop_map(move |(schema, count)| vec![("contains", schema), (limit, count)])
        };
        all.push(contains("minContains").boxed());
        all.push(contains("maxContains").boxed());
        all.push(one("unevaluatedItems", rest(schema.clone())));
    }
    proptest::strategy::Union::new(all).boxed()
}

/// What is said of children without a schema of their own: mostly that there may be none.
fn rest(schema: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![2 => Just(Value::Bool(false)), 1 => schema].boxed()
}

/// Lets references that are reached without reading data lead to what comes later only: the root, the
/// definitions, the other resource, the anchors.
fn break_cycles(schema: &mut Value, own: usize) {
    let Value::Object(keywords) = schema else { return };
    if keywords.contains_key("$dynamicRef") && own >= ANCHOR_RANK {
        keywords.remove("$dynamicRef");
    }
    // It may lead back to the root from anywhere.
    keywords.remove("$recursiveRef");
    if let Some(Value::String(reference)) = keywords.get_mut("$ref") {
        let target = match reference.strip_prefix("#/definitions/d") {
            Some(index) => 1 + index.parse::<usize>().unwrap(),
            None if reference == RESOURCE => RESOURCE_RANK,
            None => 0,
        };
        if target <= own {
            if own < DEFINITIONS + BRANCHES {
                *reference = format!("#/definitions/d{own}");
            } else {
                keywords.remove("$ref");
            }
        }
    }
    for (keyword, argument) in keywords {
        match (keyword.as_str(), argument) {
            ("not" | "if" | "then" | "else", inner) => break_cycles(inner, own),
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                branches.iter_mut().for_each(|branch| break_cycles(branch, own));
            }
            ("dependentSchemas" | "dependencies", Value::Object(map)) => {
                map.values_mut().for_each(|inner| break_cycles(inner, own));
            }
            ("propertyDependencies", Value::Object(map)) => {
                let texts = map.values_mut().filter_map(Value::as_object_mut);
                texts.flat_map(Map::values_mut).for_each(|inner| break_cycles(inner, own));
            }
            _ => {}
        }
    }
}

/// Makes every reference by pointer one into the root.
fn refer_to_root(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && reference.starts_with('#')
            {
                reference.insert_str(0, ROOT);
            }
            members.values_mut().for_each(refer_to_root);
        }
        Value::Array(items) => items.iter_mut().for_each(refer_to_root),
        _ => {}
    }
}
