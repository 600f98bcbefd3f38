//! What registration refuses, each by its tool, its action and what it stopped on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calling;

use portcullis::gate::{Action, ConfigurationError, Gate, Tool};
use portcullis::{Limits, Options, UnknownFormats};
use serde_json::{Value, json};

fn text() -> Value {
    json!({"type": "string"})
}

/// An action that registers.
fn create() -> Action {
    Action::new("create").property("a", text()).property("b", text()).property("c", text())
}

fn register(action: Action) -> Result<Gate, ConfigurationError> {
    Gate::builder().tool(Tool::new("tasks").action(Action::new("other")).action(action)).build()
}

#[track_caller]
fn assert_refused(action: Action, message: &str) {
    let error = register(action).unwrap_err();
    assert_eq!((error.tool(), error.action(), error.message()), (Some("tasks"), Some("create"), message));
}

#[test]
fn what_is_well_declared_registers() {
    let action = create()
        .description("Create — a task")
        .required(["a"])
        .required_one_of([vec!["b"], vec!["c", "a"]])
        .default("c", json!("x"))
        .note("A note\nof two lines")
        .related("other")
        .example(json!({"a": "1", "b": "2"}));
    register(action).unwrap();
}

#[test]
fn a_line_break_in_a_name_or_a_description_is_refused() {
    for line_break in ["\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
        let broken = format!("a{line_break}b");
        assert_refused(create().description(&*broken), "the description has a line break");
        assert_refused(create().property(&*broken, text()), "the name of a property has a line break");
        assert_refused(create().related(&*broken), "the name of a related action has a line break");
        let error = register(Action::new(&*broken)).unwrap_err();
        assert_eq!(
            (error.action(), error.message()),
            (Some(&*broken), "the name of the action has a line break")
        );
        assert!(!error.to_string().contains(line_break), "{error}");
        let error = Gate::builder().tool(Tool::new(&*broken).action(create())).build().unwrap_err();
        assert_eq!(
            (error.tool(), error.message()),
            (Some(&*broken), "the name of the tool has a line break")
        );
        assert!(!error.to_string().contains(line_break), "{error}");
        let tool = Tool::new("tasks").description(&*broken).action(create());
        let error = Gate::builder().tool(tool).build().unwrap_err();
        assert_eq!((error.tool(), error.message()), (Some("tasks"), "the description has a line break"));
        let error = Gate::from_tools(&json!([{"name": broken, "inputSchema": {}}])).unwrap_err();
        assert_eq!(error.message(), "the name of the tool has a line break");
        // What a third party describes is its own.
        Gate::from_tools(&json!([{"name": "t", "description": broken, "inputSchema": {}}])).unwrap();
    }
}

#[test]
fn an_empty_name_is_refused() {
    assert_refused(create().property("", text()), "the name of a property is empty");
    assert_eq!(register(Action::new("")).unwrap_err().message(), "the name of the action is empty");
}

#[test]
fn names_that_are_no_properties_are_refused() {
    assert_refused(create().required(["a", "d"]), "\"d\" is required but is no property");
    assert_refused(create().required_one_of([["a"], ["d"]]), "\"d\" is in a group but is no property");
    assert_refused(create().default("d", json!("x")), "\"d\" has a default but is no property");
}

#[test]
fn what_stands_twice_is_refused() {
    assert_refused(create().property("a", text()), "property \"a\" stands twice");
    assert_refused(create().required(["a", "b", "a"]), "required \"a\" stands twice");
    assert_refused(
        create().required_one_of([["a", "a"]]),
        "in group 1 of required_one_of, \"a\" stands twice",
    );
    assert_refused(create().default("a", json!("x")).default("a", json!("x")), "default \"a\" stands twice");
    assert_refused(create().related("x").related("x"), "related \"x\" stands twice");
    let error =
        Gate::builder().tool(Tool::new("tasks").action(create()).action(create())).build().unwrap_err();
    assert_eq!((error.action(), error.message()), (Some("create"), "the action stands twice"));
    let tool = || Tool::new("tasks").action(create());
    let error = Gate::builder().tool(tool()).tool(tool()).build().unwrap_err();
    assert_eq!(
        (error.tool(), error.action(), error.message()),
        (Some("tasks"), None, "the tool stands twice")
    );
}

#[test]
fn groups_that_say_nothing_are_refused() {
    assert_refused(create().required_one_of([vec!["a"], vec![]]), "group 2 of required_one_of is empty");
    assert_refused(
        create().required_one_of([vec!["a"], vec!["b", "a"]]),
        "group 2 of required_one_of holds all of group 1",
    );
    assert_refused(
        create().required_one_of([vec!["c", "b", "a"], vec!["c"], vec!["b"]]),
        "group 1 of required_one_of holds all of group 2",
    );
    assert_refused(
        create().required_one_of([["a", "b"], ["b", "a"]]),
        "group 2 of required_one_of holds all of group 1",
    );
    register(create().required_one_of([["a", "b"], ["b", "c"]])).unwrap();
}

#[test]
fn a_default_of_a_required_property_is_refused() {
    assert_refused(create().required(["a"]).default("a", json!("x")), "\"a\" is required and has a default");
}

#[test]
fn a_default_that_its_schema_refuses_is_refused() {
    assert_refused(
        create().default("a", json!(3)),
        "the default of \"a\" does not pass: 1 invalid value: a: value is not of type string (got number)",
    );
    // Also where the schema refers to another property, or to the whole.
    let refers =
        create().property("d", json!({"$ref": "#/properties/a"})).property("e", json!({"$ref": "#"}));
    assert_refused(
        refers.clone().default("d", json!(3)),
        "the default of \"d\" does not pass: 1 invalid value: d: value is not of type string (got number)",
    );
    assert_refused(
        refers.clone().required(["b"]).default("e", json!({"a": "x"})),
        "the default of \"e\" does not pass: 1 invalid value: e: property \"b\" is required",
    );
    register(refers.required(["b"]).default("e", json!({"b": "x"})).default("d", json!("x"))).unwrap();
    // A name that has to be escaped on the way.
    let odd = "a/b~c%25 \"d#";
    register(create().property(odd, text()).default(odd, json!("x"))).unwrap();
    register(create().property(odd, text()).default(odd, json!(1))).unwrap_err();
}

#[test]
fn a_default_in_a_schema_with_a_callers_resource_is_proven() {
    let options = || Options::default().resource("count.json", json!({"type": "integer"}));
    let action = |default: Value| {
        Action::new("create").property("n", json!({"$ref": "count.json"})).default("n", default)
    };
    let build = |default: Value| {
        Gate::builder().options(options()).tool(Tool::new("tasks").action(action(default))).build()
    };
    let gate = build(json!(3.0)).unwrap();
    assert_eq!(gate.call("tasks", "create", json!({})).unwrap().to_string(), r#"{"n":3}"#);
    build(json!("3")).unwrap_err();
}

#[test]
fn a_default_or_an_example_that_cannot_be_checked_within_the_limits_is_refused() {
    let options = || Options::default().limits(Limits::default().steps(20));
    let many = || Value::from(vec!["x"; 100]);
    let action = || Action::new("create").property("list", json!({"items": {"minLength": 1}}));
    let build =
        |action: Action| Gate::builder().options(options()).tool(Tool::new("tasks").action(action)).build();
    build(action().default("list", json!(["x"])).example(json!({"list": ["x"]}))).unwrap();
    for (action, what) in [
        (action().default("list", many()), "the default of \"list\" does not pass: "),
        (action().example(json!({"list": many()})), "example 1 does not pass: "),
    ] {
        let error = build(action).unwrap_err();
        assert!(error.message().starts_with(what), "{error}");
        assert!(error.message().contains("could not be checked within the limit"), "{error}");
    }
}

#[test]
fn an_example_that_does_not_pass_is_refused() {
    assert_refused(
        create().required(["a"]).example(json!({"a": "x"})).example(json!({"b": "x"})),
        "example 2 does not pass: 1 missing property: a: property \"a\" is required",
    );
    assert_refused(
        create().example(json!({"d": 1})),
        "example 1 does not pass: 1 unknown key: d: property is not known here",
    );
    assert_refused(
        create().example(json!(3)),
        "example 1 does not pass: 1 problem with the data: (root): value is not of type object (got number)",
    );
}

#[test]
fn a_schema_that_does_not_build_is_refused_at_its_place() {
    for (schema, location, message) in [
        (json!({"format": "dat"}), "#/properties/d/format", "\"dat\" is an unknown format"),
        (
            json!({"minLength": -1}),
            "#/properties/d/minLength",
            "the schema is no draft 2020-12 schema: value is lower than minimum 0",
        ),
        (
            json!({"items": {"enum": 5}}),
            "#/properties/d/items/enum",
            "the schema is no draft 2020-12 schema: value is not of type array (got number)",
        ),
        (json!({"$ref": "#/$defs/none"}), "#/properties/d/$ref", "\"#/$defs/none\" names no schema"),
    ] {
        let error = register(create().property("d", schema)).unwrap_err();
        assert_eq!(
            (error.tool(), error.action(), error.schema_location(), error.message()),
            (Some("tasks"), Some("create"), Some(location), message)
        );
        assert_eq!(error.to_string(), format!("tool \"tasks\": action \"create\": {location}: {message}"));
    }
    let error = Gate::from_tools(&json!([{"name": "t", "inputSchema": {"type": "strnig"}}])).unwrap_err();
    assert_eq!((error.tool(), error.action(), error.schema_location()), (Some("t"), None, Some("#/type")));
    let tool = Tool::new("tasks").action(create()).output_schema(json!({"required": "a"}));
    let error = Gate::builder().tool(tool).build().unwrap_err();
    assert_eq!((error.tool(), error.schema_location()), (Some("tasks"), Some("#/required")));
}

#[test]
fn an_unknown_format_is_an_annotation_in_a_third_partys_schema_unless_the_options_say_otherwise() {
    let tools = json!([{"name": "t", "inputSchema": {"properties": {"a": {"format": "dat"}}}}]);
    Gate::from_tools(&tools).unwrap();
    let refuse = || Options::default().unknown_formats(UnknownFormats::Refuse);
    Gate::builder().options(refuse()).tools(&tools).build().unwrap_err();
    let annotate = Options::default().unknown_formats(UnknownFormats::Annotate);
    let tool = Tool::new("tasks").action(create().property("d", json!({"format": "dat"})));
    Gate::builder().options(annotate).tool(tool).build().unwrap();
}

#[test]
fn a_tool_without_actions_is_refused() {
    let error = Gate::builder().tool(Tool::new("tasks")).build().unwrap_err();
    assert_eq!((error.tool(), error.message()), (Some("tasks"), "the tool has no actions"));
    let plain = Tool::from_json(&json!({"name": "t", "inputSchema": {}})).unwrap().action(create());
    let error = Gate::builder().tool(plain).build().unwrap_err();
    assert_eq!((error.tool(), error.message()), (Some("t"), "a tool with an \"inputSchema\" has no actions"));
}

#[test]
fn json_with_a_field_unknown_missing_or_of_the_wrong_type_is_refused() {
    let action = |field: &str, value: Value| json!({"name": "t", "actions": {"a": {(field): value}}});
    for (json, place, message) in [
        (
            json!({"name": "t", "actions": {}, "action": 1}),
            (Some("t"), None),
            "\"action\" is an unknown field",
        ),
        (json!({"name": "t", "actions": []}), (Some("t"), None), "\"actions\" must be an object"),
        (json!({"name": "t", "actions": {"a": []}}), (Some("t"), Some("a")), "an action must be an object"),
        (action("requried", json!([])), (Some("t"), Some("a")), "\"requried\" is an unknown field"),
        (action("description", json!(1)), (Some("t"), Some("a")), "\"description\" must be a string"),
        (action("properties", json!([])), (Some("t"), Some("a")), "\"properties\" must be an object"),
        (action("required", json!([1])), (Some("t"), Some("a")), "\"required\" must be an array of strings"),
        (
            action("required_one_of", json!("a")),
            (Some("t"), Some("a")),
            "\"required_one_of\" must be an array of arrays of strings",
        ),
        (action("examples", json!({})), (Some("t"), Some("a")), "\"examples\" must be an array"),
        (json!({"name": "t"}), (Some("t"), None), "\"inputSchema\" or \"actions\" is missing"),
        (json!({"name": "t", "inputSchema": true}), (Some("t"), None), "\"inputSchema\" must be an object"),
        (json!({"inputSchema": {}}), (None, None), "tools[0] must have a string under \"name\""),
        (json!(3), (None, None), "tools[0] must be an object"),
    ] {
        let error = Gate::from_tools(&json!([json])).unwrap_err();
        assert_eq!(((error.tool(), error.action()), error.message()), (place, message), "{json}");
    }
    for json in [json!(null), json!({"tool": []}), json!({"tools": {}}), json!("[]")] {
        let error = Gate::from_tools(&json).unwrap_err();
        assert_eq!(error.message(), "tools must be an array, or an object that has one under \"tools\"");
    }
    assert_eq!(Gate::from_tools(&json!([])).unwrap().tools(), json!({"tools": []}));
}

#[test]
fn an_action_reads_from_json_as_it_is_declared_in_code() {
    let json = json!({
        "description": "Create",
        "properties": {"a": text(), "b": text(), "c": text()},
        "required": ["a"],
        "required_one_of": [["b"], ["c"]],
        "defaults": {"c": "x"},
        "notes": ["n"],
        "related": ["other"],
        "examples": [{"a": "1", "b": "2"}],
    });
    let read = Action::from_json("create", &json).unwrap();
    let declared = create()
        .description("Create")
        .required(["a"])
        .required_one_of([["b"], ["c"]])
        .default("c", json!("x"))
        .note("n")
        .related("other")
        .example(json!({"a": "1", "b": "2"}));
    let tools = |action| Gate::builder().tool(Tool::new("t").action(action)).build().unwrap().tools();
    assert_eq!(tools(read), tools(declared));
}

#[test]
fn errors_are_bounded_and_safe_to_print() {
    let hostile = "\u{1b}[2J\u{202e}".to_owned() + &"x".repeat(1_000_000);
    let tools =
        json!([{"name": hostile, "inputSchema": {"properties": {(hostile.clone()): {"type": hostile}}}}]);
    let error = Gate::from_tools(&tools).unwrap_err();
    assert_eq!(error.tool(), Some(&*portcullis::bound::echo_str(&hostile)));
    let error = register(create().required([&*hostile])).unwrap_err();
    for text in [error.to_string(), format!("{:?}", error.message())] {
        assert!(text.len() < 2_000, "{}", text.len());
    }
    assert!(!error.to_string().contains(['\u{1b}', '\u{202e}']));
}
