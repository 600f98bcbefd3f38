//! The report as a whole: what a check of real schemas answers, and refusals built to be as bad as can be.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::bound::{BOUND, is_scrubbed};
use crate::{Limits, Validator};

fn refused(schema: &Value, value: &Value) -> Refusal {
    Validator::new(schema).unwrap().check(value).unwrap_err()
}

/// What the only entry of a refusal says, as (path, text, keyword, schema location).
fn only(schema: &Value, value: &Value) -> (String, String, String, String) {
    let refusal = refused(schema, value);
    assert_eq!((refusal.total(), refusal.entries().len()), (1, 1), "{refusal:?}");
    let entry = &refusal.entries()[0];
    assert_eq!((entry.problems().len(), entry.more()), (1, 0), "{refusal:?}");
    let problem = &entry.problems()[0];
    let owned = str::to_owned;
    (owned(entry.path()), owned(problem.text()), owned(problem.keyword()), owned(problem.schema_location()))
}

#[test]
fn every_keyword_has_its_text() {
    let object = json!({"card": 1, "a": null});
    for (schema, value, text, keyword) in [
        (json!({"type": "integer"}), json!("x"), "value is not of type integer (got string)", "type"),
        (
            json!({"type": ["null", "array", "object"]}),
            json!(1.5),
            "value is not of type null, array or object (got number)",
            "type",
        ),
        (json!({"minimum": 1}), json!(0), "value is lower than minimum 1", "minimum"),
        (json!({"maximum": 100}), json!(101), "value is higher than maximum 100", "maximum"),
        (
            json!({"exclusiveMinimum": 0}),
            json!(0),
            "value is not higher than exclusive minimum 0",
            "exclusiveMinimum",
        ),
        (
            json!({"exclusiveMaximum": 10}),
            json!(10),
            "value is not lower than exclusive maximum 10",
            "exclusiveMaximum",
        ),
        (json!({"multipleOf": 5}), json!(7), "value is not a multiple of 5", "multipleOf"),
        (json!({"uniqueItems": true}), json!([1, 1.0]), "value must contain unique items", "uniqueItems"),
        (json!({"format": "date"}), json!("soon"), "value does not respect the 'date' format", "format"),
        (json!({"minLength": 2}), json!("é"), "value length must be at least 2 but is 1", "minLength"),
        (
            json!({"maxLength": 80}),
            json!("é".repeat(500_000)),
            "value length must be at most 80 but is 500000",
            "maxLength",
        ),
        (json!({"minItems": 2}), json!([0]), "value must have at least 2 items but has 1", "minItems"),
        (json!({"maxItems": 1}), json!([0, 0]), "value must have at most 1 item but has 2", "maxItems"),
        (
            json!({"minProperties": 1}),
            json!({}),
            "value must have at least 1 property but has 0",
            "minProperties",
        ),
        (
            json!({"maxProperties": 0}),
            object.clone(),
            "value must have at most 0 properties but has 2",
            "maxProperties",
        ),
        (json!({"enum": ["red", 3, null]}), json!(0), r#"value must be one of "red", 3 or null"#, "enum"),
        (json!({"const": {"a": [1]}}), json!(0), r#"value must be {"a":[1]}"#, "const"),
        (json!({"pattern": r"^\d+$"}), json!("x"), r#"value does not match pattern "^\d+$""#, "pattern"),
        (json!({"required": ["a", "b"]}), object.clone(), r#"property "b" is required"#, "required"),
        (
            json!({"required": ["b", "a", "c"]}),
            object.clone(),
            r#"properties "b" and "c" are required"#,
            "required",
        ),
        (
            json!({"dependentRequired": {"card": ["a", "zip"], "cash": ["x"]}}),
            object.clone(),
            r#"property "zip" is required when "card" is present"#,
            "dependentRequired",
        ),
        (
            json!({"contains": {"const": 1}}),
            json!([0]),
            "value must have at least 1 item that matches contains",
            "contains",
        ),
        (
            json!({"contains": {"const": 1}, "minContains": 2}),
            json!([1]),
            "value must have at least 2 items that match contains",
            "minContains",
        ),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!([1, 1]),
            "value must have at most 1 item that matches contains",
            "maxContains",
        ),
        (json!({"not": {}}), json!(0), "value matches a schema that it must not match", "not"),
        (
            json!({"oneOf": [{}, true, {"type": "null"}]}),
            json!(0),
            "value matches more than one of the alternatives, exactly one is allowed",
            "oneOf",
        ),
        (
            json!({"additionalProperties": false}),
            object.clone(),
            "value has properties that additionalProperties does not allow",
            "additionalProperties",
        ),
        (
            json!({"patternProperties": {"^c": false}}),
            object.clone(),
            "value has properties that patternProperties does not allow",
            "patternProperties",
        ),
        (
            json!({"propertyNames": {"maxLength": 1}}),
            object.clone(),
            "value has property names that propertyNames does not allow",
            "propertyNames",
        ),
        (
            json!({"unevaluatedProperties": false}),
            object,
            "value has properties that unevaluatedProperties does not allow",
            "unevaluatedProperties",
        ),
        (
            json!({"unevaluatedItems": false}),
            json!([0]),
            "value has items that unevaluatedItems does not allow",
            "unevaluatedItems",
        ),
    ] {
        let expected = ("(root)".to_owned(), text.to_owned(), keyword.to_owned(), format!("#/{keyword}"));
        assert_eq!(only(&schema, &value), expected, "{schema}");
    }
}

#[test]
fn the_schema_false_and_a_tag_report_at_the_child() {
    let (path, text, keyword, location) = only(&json!({"properties": {"a": false}}), &json!({"a": 1}));
    assert_eq!((&*path, &*text), ("a", "value is not allowed here"));
    assert_eq!((&*keyword, &*location), ("false", "#/properties/a"));

    let shape = |name: &str| json!({"properties": {"kind": {"const": name}}, "required": ["kind"]});
    let schema = json!({"oneOf": [shape("circle"), shape("square")]});
    let (path, text, keyword, _) = only(&schema, &json!({"kind": "cube"}));
    assert_eq!((&*path, &*text), ("kind", r#"value must be one of "circle" or "square""#));
    assert_eq!(keyword, "oneOf");
}

#[test]
fn a_custom_format_is_named_within_the_bound() {
    let name = "f".repeat(1_000);
    let validator = Validator::options().format(&name, |_| false).build(&json!({"format": name})).unwrap();
    let refusal = validator.check(&json!("x")).unwrap_err();
    let text = refusal.entries()[0].problems()[0].text();
    assert!(text.len() <= BOUND && text.ends_with("…' format"), "{text}");
}

#[test]
fn a_text_is_bounded_whatever_the_schema_lists() {
    let names: Vec<String> = (0..100_000).map(|number| format!("a long name, number {number}")).collect();
    for schema in [
        json!({"enum": names}),
        json!({"const": names}),
        json!({"const": "c".repeat(1_000_000)}),
        json!({"required": names}),
        json!({"dependentRequired": {"present": names}}),
        json!({"pattern": "p".repeat(10_000)}),
        json!({"minLength": 1, "enum": ["\u{1}".repeat(1_000)]}),
    ] {
        for value in [json!({"present": 1}), json!("x")] {
            let Err(refusal) = Validator::new(&schema).unwrap().check(&value) else { continue };
            for problem in refusal.entries()[0].problems() {
                assert!(problem.text().len() <= cut::marked(BOUND), "{}", problem.text());
            }
        }
    }
    let (_, text, ..) = only(&json!({"required": names}), &json!({}));
    assert!(text.starts_with(r#"properties "a long name, number 0", "#), "{text}");
    assert!(text.ends_with(" more are required"), "{text}");
}

#[test]
fn a_limit_that_ran_out_is_named() {
    let limits = Limits::default().depth(3);
    let validator = Validator::options().limits(limits).build(&json!({"items": {"$ref": "#"}})).unwrap();
    let refusal = validator.check(&json!([[[[[1]]]]])).unwrap_err();
    assert_eq!(refusal.entries()[0].problems()[0].text(), text::UNCHECKED);

    let validator = Validator::new(&json!({"pattern": r"^(x*)\1$"})).unwrap();
    let refusal = validator.check(&json!("x".repeat(10_000))).unwrap_err();
    assert_eq!(refusal.entries()[0].problems()[0].text(), "value could not be checked against pattern");
}

#[test]
fn a_report_that_ran_out_of_steps_has_an_entry_and_says_so() {
    let schema = json!({"items": {"type": "string"}});
    let value = json!(vec![0; 1_000]);
    let complete = refused(&schema, &value);
    assert!(complete.is_complete() && complete.message().starts_with("1000 invalid values: [0]: "));
    for steps in [1, 2, 3, 5, 50, 500] {
        let limits = Limits::default().steps(steps);
        let validator = Validator::options().limits(limits).build(&schema).unwrap();
        let refusal = validator.check(&value).unwrap_err();
        assert!(!refusal.is_complete(), "{steps} {refusal:?}");
        assert!(!refusal.entries().is_empty() && refusal.total() <= 1_000, "{steps}");
        assert!(refusal.total() >= refusal.entries().len());
        assert!(refusal.message().starts_with("at least "), "{refusal}");
        assert_eq!(serde_json::to_value(&refusal).unwrap()["complete"], json!(false));
    }
}

#[test]
fn of_twelve_failing_places_ten_are_listed_in_order_and_all_are_counted() {
    let value = json!({"b": (0..10).collect::<Vec<_>>(), "10": 1, "9": 1, "a": "fine"});
    let schema = json!({"additionalProperties": {"type": ["string", "array"], "items": {"type": "string"}}});
    let refusal = refused(&schema, &value);
    let paths: Vec<&str> = refusal.entries().iter().map(Entry::path).collect();
    let expected = [r#"["9"]"#, r#"["10"]"#, "b[0]", "b[1]", "b[2]", "b[3]", "b[4]", "b[5]", "b[6]", "b[7]"];
    assert_eq!((refusal.total(), &*paths), (12, &expected[..]));
    assert_eq!(refusal.kind(), RefusalKind::InvalidValues);

    let mut visited = Vec::new();
    let visitor = |found: &Found<'_>| {
        assert!(found.keyword() == "type" && found.text().ends_with("(got number)"));
        assert!(!found.pointer_is_cut() && found.schema_location().ends_with("/type"));
        visited.push((found.path(), found.pointer()));
        ControlFlow::Continue(())
    };
    assert!(Validator::new(&schema).unwrap().visit(&value, visitor));
    assert_eq!(visited.len(), 12);
    assert!(visited.contains(&("b[9]".to_owned(), "/b/9".to_owned())));
}

#[test]
fn one_text_at_one_place_is_one_problem_with_the_first_location() {
    let schema = json!({"anyOf": [{"minimum": 5}, {"type": "string"}, {"allOf": [{"minimum": 5}]}]});
    let refusal = refused(&schema, &json!(1));
    let problems: Vec<_> =
        refusal.entries()[0].problems().iter().map(|found| (found.text(), found.schema_location())).collect();
    let expected = [
        ("value is lower than minimum 5", "#/anyOf/0/minimum"),
        ("value is not of type string (got number)", "#/anyOf/1/type"),
    ];
    assert_eq!(problems, expected);
}

#[test]
fn the_json_has_one_documented_shape() {
    let schema = json!({"properties": {"a": {"type": "string"}}});
    let refusal = refused(&schema, &json!({"a": 1}));
    let entry = json!({
        "path": "a", "pointer": "/a", "problems": ["value is not of type string (got number)"], "more": 0,
    });
    let message = "1 invalid value: a: value is not of type string (got number)";
    let mut expected = json!({"error": "invalid_values", "message": message, "invalid": [entry], "total": 1});
    assert_eq!(serde_json::to_value(&refusal).unwrap(), expected);
    assert_eq!(serde_json::from_str::<Value>(&refusal.to_printable_json()).unwrap(), expected);
    assert_eq!(refusal.to_string(), message);
    assert_eq!(refusal.log_line(), format!("invalid_values total=1: {message}"));

    let refusal = refusal
        .with_tool("tasks")
        .with_action("create")
        .with_help("see /help")
        .with_input_schema(InputSchema::Shown(Arc::new(schema.clone())));
    expected["tool"] = json!("tasks");
    expected["action"] = json!("create");
    expected["help"] = json!("see /help");
    expected["input_schema"] = schema;
    assert_eq!(serde_json::to_value(&refusal).unwrap(), expected);
    assert_eq!(
        refusal.log_line(),
        format!("invalid_values total=1 tool=\"tasks\" action=\"create\": {message}")
    );

    let refusal = refusal.with_input_schema(InputSchema::TooLarge);
    let json = serde_json::to_value(&refusal).unwrap();
    assert!(json.get("input_schema").is_none() && json["input_schema_omitted"].is_string());
}

#[test]
fn unknown_keys_come_with_suggestions_and_a_lead_opens_the_message() {
    let problem = || Problem::new("key is not known", "additionalProperties", "");
    let entry = Entry::new(&[Token::Key("nmae")], [problem()]).with_suggestion("name");
    let refusal = Refusal::new(RefusalKind::UnknownKeys, None, vec![entry], 1);
    assert_eq!(refusal.message(), r#"1 unknown key: nmae: key is not known (did you mean "name"?)"#);
    assert_eq!(serde_json::to_value(&refusal).unwrap()["invalid"][0]["suggestion"], json!("name"));

    let refusal = Refusal::new(RefusalKind::UnknownTool, Some("tool \"x\" is unknown"), vec![], 0);
    assert_eq!((refusal.message(), refusal.total()), ("tool \"x\" is unknown", 0));
}

#[test]
fn a_message_names_what_fits_and_counts_the_rest() {
    let schema = json!({"additionalProperties": false, "required": ["x"], "patternProperties": {"^k": {"type": "null"}}});
    let mut value = json!({});
    for number in 0..50 {
        value[format!("k{number:02}{}", "y".repeat(100))] = json!(number);
    }
    let refusal = refused(&schema, &value);
    assert!(refusal.message().len() <= message::MESSAGE_BYTES);
    assert!(refusal.message().starts_with("51 invalid values: (root): property \"x\" is required; k00yy"));
    let rest = refusal.message().rsplit_once("; and ").unwrap().1;
    let named = refusal.message().matches("; k").count() + 1;
    assert_eq!(rest, format!("{} more", 51 - named));
}

/// Everything that a terminal or a log could obey, and what opens or ends a quotation.
const HOSTILE: &str = "\r\n\u{1b}[2J\u{7f}\u{85}\u{9b}\u{2028}\u{2029}\u{202e}\u{2066}\u{61c}\u{200f}\"\\";

#[test]
fn lines_are_scrubbed_and_json_holds_keys_as_sent() {
    let schema = json!({"additionalProperties": {"type": "null"}, "required": [HOSTILE.repeat(2)]});
    let refusal = refused(&schema, &json!({HOSTILE: 1})).with_tool(HOSTILE).with_action(HOSTILE);
    for line in [refusal.to_string(), refusal.message().to_owned(), refusal.log_line()] {
        assert!(!line.chars().any(is_scrubbed), "{line}");
    }
    assert_eq!(refusal.entries()[1].pointer(), format!("/{HOSTILE}"));
    let printable = refusal.to_printable_json();
    assert!(!printable.chars().any(is_scrubbed), "{printable}");
    for text in [serde_json::to_string(&refusal).unwrap(), printable] {
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["invalid"][1]["pointer"], json!(format!("/{HOSTILE}")));
        assert_eq!(json["tool"], json!(HOSTILE));
    }
}

#[test]
fn the_worst_refusal_stays_under_its_bytes_and_near_them() {
    // One byte in UTF-8 and six in JSON; DEL becomes six only in the printable form.
    for worst in ["\u{1}", "\u{7f}", "\u{2028}", "\"", "é", "😀"] {
        let long = worst.repeat(10_000);
        let entries = (0..LISTED).map(|place| {
            let tokens = [
                Token::Key(&long),
                Token::Key(&long),
                Token::Key(&long),
                Token::Key(&long),
                Token::Index(place),
            ];
            let problems = (0..LISTED).map(|number| {
                Problem::new(&format!("{}{number}", worst.repeat((BOUND - 1) / worst.len())), "type", &long)
            });
            let mut entry = Entry::sorted(&tokens, problems.collect(), usize::MAX);
            assert!(entry.pointer_is_cut());
            entry = entry.with_suggestion(&long);
            entry
        });
        let refusal = Refusal::incomplete(RefusalKind::MissingRequiredOneOf, entries.collect(), usize::MAX)
            .with_tool(&long)
            .with_action(&long)
            .with_help(&long)
            .with_input_schema(InputSchema::TooLarge);
        let plain = serde_json::to_string(&refusal).unwrap();
        let printable = refusal.to_printable_json();
        assert!(plain.len() <= Refusal::MAX_BYTES && printable.len() <= Refusal::MAX_BYTES);
        if worst == "\u{1}" {
            assert!(plain.len() > Refusal::MAX_BYTES / 100 * 95, "{} of {}", plain.len(), Refusal::MAX_BYTES);
        }
        assert!(refusal.message().len() <= message::MESSAGE_BYTES);
        assert!(refusal.log_line().len() <= message::LOG_LINE_BYTES);
        assert!(format!("{refusal:?}").len() <= 16 << 10);
    }
}

#[test]
fn what_was_sent_is_quoted_nowhere_but_in_the_path() {
    let secret = "s3cr3t";
    for schema in [
        json!({"type": "null"}),
        json!({"enum": [1]}),
        json!({"const": 1}),
        json!({"pattern": "^x"}),
        json!({"format": "date"}),
        json!({"maxLength": 1}),
        json!({"not": {"type": "string"}}),
        json!(false),
    ] {
        let schema = json!({"properties": {"a": schema}});
        let refusal = refused(&schema, &json!({"a": secret}));
        let shown = format!("{}{refusal}{refusal:?}", serde_json::to_string(&refusal).unwrap());
        assert!(!shown.contains(secret), "{shown}");
    }
    for schema in [
        json!({"additionalProperties": false}),
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"patternProperties": {"^s": false}}),
        json!({"unevaluatedProperties": false}),
    ] {
        let refusal = refused(&schema, &json!({secret: 1}));
        assert_eq!(refusal.entries()[0].path(), "(root)");
        assert!(!serde_json::to_string(&refusal).unwrap().contains(secret), "{schema}");
    }
}

#[test]
fn a_hundred_thousand_failing_places_are_counted_and_ten_are_listed() {
    let refusal = refused(&json!({"items": {"type": "string"}}), &json!(vec![0; 100_000]));
    assert_eq!((refusal.total(), refusal.entries().len()), (100_000, LISTED));
    assert!(serde_json::to_string(&refusal).unwrap().len() < 4_096);
}

/// The member that a tag stands in is told by the union, and by a schema beside it: it is one place.
#[test]
fn a_tag_that_fails_in_two_ways_is_one_place() {
    let schema = json!({
        "$defs": {"a": {"required": ["kind"], "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}}},
        "allOf": [{"$ref": "#/$defs/a"}],
        "anyOf": [{"$ref": "#/$defs/a"}],
    });
    let refusal = refused(&schema, &json!({"kind": "b", "n": "x"}));
    let paths: Vec<&str> = refusal.entries().iter().map(Entry::path).collect();
    assert_eq!((refusal.total(), paths), (2, vec!["kind", "n"]));
}

#[test]
fn numbers_of_an_enum_are_looked_up_whatever_their_spelling() {
    let schema =
        json!({"enum": [30, "x", 2.5, -7, null, 1e20, 0, 18_446_744_073_709_551_615_u64, [1], 30.0]});
    let validator = Validator::new(&schema).unwrap();
    for value in [
        json!(30),
        json!(30.0),
        json!(2.5),
        json!(-7),
        json!(1e20),
        json!(0),
        json!(-0.0),
        json!(null),
        json!(18_446_744_073_709_551_615_u64),
        json!("x"),
        json!([1.0]),
    ] {
        assert!(validator.is_valid(&value), "{value}");
    }
    for value in
        [json!(1), json!(-8), json!(2.25), json!(31), json!(1e300), json!("30"), json!([2]), json!(true)]
    {
        assert!(!validator.is_valid(&value), "{value}");
        assert_eq!(validator.check(&value).unwrap_err().total(), 1);
    }
}
