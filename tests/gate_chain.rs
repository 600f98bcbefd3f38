//! The chain: which gate answers, at which paths, and what is handed on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calling;

use portcullis::gate::{Action, Gate, Tool};
use portcullis::{Dialect, Options, Refusal};
use serde_json::{Map, Value, json};

use calling::{bytes, kind_and_paths, paths};

fn gate(action: Action) -> Gate {
    Gate::builder().tool(Tool::new("t").action(action)).build().unwrap()
}

/// A gate with one plain tool `t`.
fn plain(schema: Value) -> Gate {
    Gate::from_tools(&json!([{"name": "t", "inputSchema": schema}])).unwrap()
}

fn call(gate: &Gate, data: Value) -> Result<Value, Refusal> {
    let Value::Object(arguments) = data else { panic!("arguments are an object") };
    gate.call_tool("t", Some(arguments))
}

fn refuse(gate: &Gate, data: Value) -> Refusal {
    call(gate, data).unwrap_err()
}

fn item() -> Value {
    json!({"type": "object", "properties": {"id": {"type": "integer"}, "note": {}}, "required": ["id"]})
}

fn order() -> Action {
    Action::new("order")
        .property("name", json!({"type": "string"}))
        .property("email", json!({"type": "string"}))
        .property("phone", json!({"type": "string"}))
        .property("items", json!({"type": "array", "items": item()}))
        .required(["name", "items"])
        .required_one_of([["email"], ["phone"]])
}

#[test]
fn the_first_gate_that_fails_answers() {
    let gate = gate(order());
    let order = |data: Value| gate.call("t", "order", data);
    // Everything is wrong at once, and mended gate by gate.
    let refusal = order(json!([])).unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("invalid_data", vec!["(root)"]));
    let refusal = order(json!({"nme": 1, "items": 3})).unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("missing_required", vec!["name"]));
    let refusal = order(json!({"name": 1, "nme": 1, "items": 3})).unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("missing_required_one_of", vec!["(root)"]));
    assert_eq!(
        refusal.entries()[0].problems()[0].text(),
        "at least one of these must be present: \"email\" or \"phone\""
    );
    let refusal = order(json!({"name": 1, "emial": 1, "email": 2, "items": [{"idd": 1}]})).unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("unknown_keys", vec!["emial", "items[0].idd"]));
    let refusal = order(json!({"name": 1, "email": 2, "items": [{}, {"id": "1"}]})).unwrap_err();
    assert_eq!(
        kind_and_paths(&refusal),
        ("invalid_values", vec!["email", "items[0]", "items[1].id", "name"])
    );
    let data = json!({"name": "a", "email": "b", "items": [{"id": 1}]});
    assert_eq!(order(data.clone()).unwrap(), data);
}

#[test]
fn a_key_that_is_null_is_present() {
    let action = Action::new("a").property("x", json!({})).property("y", json!({})).required(["x"]);
    let gate = gate(action.required_one_of([["y"]]).property("z", json!({})).default("z", json!(1)));
    let data = json!({"x": null, "y": null, "z": null});
    assert_eq!(gate.call("t", "a", data.clone()).unwrap(), data);
}

#[test]
fn missing_keys_are_listed_one_by_one_in_path_order_and_counted() {
    let names: Vec<String> = (0..12).rev().map(|number| number.to_string()).collect();
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({}))).collect();
    let refusal = refuse(&plain(json!({"properties": properties, "required": names})), json!({}));
    let expected: Vec<String> = (0..10).map(|number| format!("[\"{number}\"]")).collect();
    assert_eq!(paths(&refusal), expected);
    assert_eq!(refusal.total(), 12);
    let entry = &refusal.entries()[2];
    assert_eq!((entry.pointer(), entry.problems()[0].text()), ("/2", "property \"2\" is required"));
    assert_eq!(entry.problems()[0].keyword(), "required");
    assert_eq!(entry.problems()[0].schema_location(), "#/required");
}

#[test]
fn a_required_in_an_items_schema_refuses_the_whole_call() {
    let refusal = gate(order())
        .call("t", "order", json!({"name": "a", "phone": "1", "items": [{"id": 1}, {"note": 1}]}))
        .unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("invalid_values", vec!["items[1]"]));
    assert_eq!(refusal.entries()[0].problems()[0].text(), "property \"id\" is required");
}

#[test]
fn absent_and_null_data_are_an_empty_object_and_other_types_are_refused() {
    let gate = gate(Action::new("a").property("x", json!({})).default("x", json!(1)));
    for data in [json!(null), json!({})] {
        assert_eq!(gate.call("t", "a", data).unwrap(), json!({"x": 1}));
    }
    for arguments in
        [json!({"action": "a"}), json!({"action": "a", "data": null}), json!({"action": "a", "data": {}})]
    {
        assert_eq!(call(&gate, arguments).unwrap(), json!({"x": 1}));
    }
    assert_eq!(plain(json!({})).call_tool("t", None).unwrap(), json!({}));
    for (data, kind) in
        [(json!([]), "array"), (json!("{}"), "string"), (json!(0), "number"), (json!(false), "boolean")]
    {
        let refusal = gate.call("t", "a", data.clone()).unwrap_err();
        assert_eq!(kind_and_paths(&refusal), ("invalid_data", vec!["(root)"]));
        let text = format!("value is not of type object (got {kind})");
        assert_eq!(refusal.entries()[0].problems()[0].text(), text);
        let refusal = refuse(&gate, json!({"action": "a", "data": data}));
        assert_eq!(refusal.kind().as_str(), "invalid_data");
    }
}

#[test]
fn unknown_keys_are_found_at_any_depth_that_the_closure_reaches_and_no_further() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {
            "list": {"items": {"properties": {"pair": {"prefixItems": [{"properties": {"left": {}}}, true]}}}},
            "pattern": {"properties": {"a": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": false},
            "open": {"properties": {"a": {"properties": {"b": {}}}}, "allOf": [{"properties": {"c": {}}}]},
            "by_reference": {"$ref": "#/$defs/closed"},
            "by_branch": {"anyOf": [{"$ref": "#/$defs/closed"}]},
        },
        "$defs": {"closed": {"properties": {"secret": {}}, "additionalProperties": false}},
    });
    let tools = json!([{"name": "t", "inputSchema": schema}]);
    let gate = Gate::builder().tools(&tools).close(true).build().unwrap();
    let refusal = refuse(
        &gate,
        json!({
            "lst": 1,
            "list": [{"pairs": 1}, {"pair": [{"left": 1, "lift": 2}, {"anything": 1}, {"more": 1}]}],
            "pattern": {"a": 1, "x-any": 1, "y": 1},
            "open": {"any": 1, "a": {"bb": 1}},
            "by_reference": {"scret": 1},
            "by_branch": {"scret": 1},
        }),
    );
    let found: Vec<_> = refusal.entries().iter().map(|entry| (entry.path(), entry.suggestion())).collect();
    assert_eq!(
        found,
        [
            ("list[0].pairs", Some("pair")),
            ("list[1].pair[0].lift", Some("left")),
            ("lst", Some("list")),
            ("open.a.bb", Some("b")),
            ("pattern.y", None),
        ]
    );
    assert_eq!(refusal.kind().as_str(), "unknown_keys");
    assert_eq!(refusal.total(), 5);
    let problem = &refusal.entries()[1].problems()[0];
    assert_eq!(problem.text(), "property is not known here");
    assert_eq!(
        (problem.keyword(), problem.schema_location()),
        (
            "additionalProperties",
            "#/properties/list/items/properties/pair/prefixItems/0/additionalProperties"
        )
    );
    // What lies behind a reference or in a branch is a value, and no key is named.
    let refusal = refuse(&gate, json!({"by_reference": {"scret": 1}, "by_branch": {"scret": 1}}));
    assert_eq!(kind_and_paths(&refusal), ("invalid_values", vec!["by_branch", "by_reference"]));
    assert!(!serde_json::to_string(&refusal.entries()).unwrap().contains("scret"));
    assert!(!refusal.message().contains("scret"));
}

#[test]
fn draft_7_closes_arrays_of_items_and_hides_what_stands_beside_a_reference() {
    let closed = json!({"properties": {"a": {}}, "additionalProperties": false});
    let schema = |beside: Value| {
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": {
                "pair": {"items": [closed, closed], "additionalItems": closed, "prefixItems": [true]},
                "hidden": beside,
            },
            "definitions": {"any": {}},
        })
    };
    let beside = json!({"$ref": "#/definitions/any", "properties": {"a": {}}, "additionalProperties": false});
    let gate = plain(schema(beside));
    let refusal = refuse(&gate, json!({"hidden": {"b": 1}, "pair": [{}, {"b": 1}, {"b": 1}]}));
    assert_eq!(kind_and_paths(&refusal), ("unknown_keys", vec!["pair[1].b"]));
    let refusal = refuse(&gate, json!({"pair": [{}, {}, {"b": 1}]}));
    assert_eq!(kind_and_paths(&refusal), ("invalid_values", vec!["pair[2]"]));
    assert!(call(&gate, json!({"hidden": {"b": 1}})).is_ok());
    // Also at the root: what the dialect does not read asks nothing.
    let root = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/any",
        "properties": {},
        "required": ["a"],
        "additionalProperties": false,
        "definitions": {"any": {}},
    });
    assert!(call(&plain(root.clone()), json!({"b": 1})).is_ok());
    // The dialect of the options is that of schemas that name none.
    let mut unnamed = root;
    unnamed.as_object_mut().unwrap().remove("$schema");
    let tools = json!([{"name": "t", "inputSchema": unnamed}]);
    let gate =
        Gate::builder().options(Options::default().dialect(Dialect::Draft7)).tools(&tools).build().unwrap();
    assert!(call(&gate, json!({"b": 1})).is_ok());
    let refusal = refuse(&Gate::from_tools(&tools).unwrap(), json!({"b": 1}));
    assert_eq!(kind_and_paths(&refusal), ("missing_required", vec!["a"]));
}

#[test]
fn keywords_beside_a_reference_count_in_2020_12() {
    let gate = plain(json!({
        "properties": {"a": {"$ref": "#/$defs/any", "properties": {"b": {}}, "additionalProperties": false}},
        "$defs": {"any": {}},
    }));
    assert_eq!(kind_and_paths(&refuse(&gate, json!({"a": {"c": 1}}))), ("unknown_keys", vec!["a.c"]));
}

#[test]
fn a_reference_to_the_root_still_requires_what_the_root_requires() {
    let gate = plain(json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "child": {"$ref": "#"}},
        "required": ["name"],
        "additionalProperties": false,
    }));
    assert!(call(&gate, json!({"name": "a", "child": {"name": "b"}})).is_ok());
    let refusal = refuse(&gate, json!({"name": "a", "child": {"child": {"name": "c"}}}));
    assert_eq!(kind_and_paths(&refusal), ("invalid_values", vec!["child"]));
    assert_eq!(refusal.entries()[0].problems()[0].text(), "property \"name\" is required");
}

#[test]
fn a_schema_as_given_is_not_closed() {
    let schema = json!({"properties": {"a": {"properties": {"b": {}}}}});
    let data = json!({"any": 1, "a": {"any": 2}});
    assert_eq!(call(&plain(schema.clone()), data.clone()).unwrap(), data);
    let tools = json!([{"name": "t", "inputSchema": schema}]);
    let closed = Gate::builder().close(true).tools(&tools).build().unwrap();
    assert_eq!(kind_and_paths(&refuse(&closed, data)), ("unknown_keys", vec!["a.any", "any"]));
    let published = closed.published_schema("t", "t").unwrap();
    assert_eq!(published["properties"]["a"]["additionalProperties"], json!(false));
    assert_eq!(closed.tools()["tools"][0]["inputSchema"], *published);
}

#[test]
fn a_hundred_thousand_unknown_keys_cost_ten_entries_and_a_count() {
    let gate = gate(Action::new("a").property("name", json!({})));
    let mut data: Map<String, Value> = (0..100_000).map(|number| (number.to_string(), json!(null))).collect();
    data.insert("\u{1b}[2J\r\n".to_owned() + &"k".repeat(1_000_000), json!(1));
    let refusal = gate.call("t", "a", Value::Object(data)).unwrap_err();
    assert_eq!((refusal.total(), refusal.entries().len()), (100_001, 10));
    assert_eq!(paths(&refusal)[9], "[\"9\"]");
    assert!(bytes(&refusal) <= Refusal::MAX_BYTES);
}

#[test]
fn hostile_names_are_bounded_in_json_and_scrubbed_in_lines() {
    let gate = gate(Action::new("a").property("name", json!({})));
    let hostile = "\u{1b}[2J\r\n\u{85}\u{2028}\u{202e}".to_owned() + &"\u{1}".repeat(100_000);
    for refusal in [
        gate.call(&hostile, &hostile, json!({})).unwrap_err(),
        gate.call("t", &hostile, json!({})).unwrap_err(),
        gate.call("t", "a", json!({(hostile.clone()): 1})).unwrap_err(),
        gate.call_tool("t", json!({"action": hostile}).as_object().cloned()).unwrap_err(),
    ] {
        for line in [refusal.to_string(), refusal.log_line()] {
            assert!(line.len() <= 1_024, "{}", line.len());
            assert!(
                !line.contains(|c: char| c.is_control() || ['\u{2028}', '\u{202e}'].contains(&c)),
                "{line:?}"
            );
        }
        assert!(bytes(&refusal) <= Refusal::MAX_BYTES);
        assert!(serde_json::to_string(&refusal).unwrap().contains("\\u001b[2J"));
    }
}

#[test]
fn the_list_of_known_names_stops_at_ten_with_its_count() {
    let tools: Vec<Value> =
        (0..25).map(|number| json!({"name": format!("tool_{number:02}"), "inputSchema": {}})).collect();
    let gate = Gate::from_tools(&json!(tools)).unwrap();
    let refusal = gate.call_tool("tool_3", None).unwrap_err();
    assert_eq!(refusal.kind().as_str(), "unknown_tool");
    let entry = &refusal.entries()[0];
    assert!(entry.problems()[0].text().starts_with("known tools: \"tool_00\", "));
    assert!(
        entry.problems()[0].text().ends_with("\"tool_09\" and 15 more"),
        "{}",
        entry.problems()[0].text()
    );
    assert_eq!(entry.suggestion(), Some("tool_03"));
    assert!(refusal.message().starts_with("unknown tool \"tool_3\": "), "{refusal}");
    let refusal = gate.call("tool_03", "tool_3", json!({})).unwrap_err();
    assert_eq!(
        (refusal.kind().as_str(), refusal.entries()[0].suggestion()),
        ("unknown_action", Some("tool_03"))
    );
}

#[test]
fn only_the_ten_get_a_suggestion_and_only_short_keys() {
    let gate = gate(Action::new("a").property("n".repeat(64), json!({})).property("name", json!({})));
    let data = json!({("n".repeat(65)): 1, ("n".repeat(63)): 1, "nmae": 1, "zzz": 1});
    let refusal = gate.call("t", "a", data).unwrap_err();
    let suggestions: Vec<_> = refusal.entries().iter().map(portcullis::Entry::suggestion).collect();
    let near = "n".repeat(64);
    assert_eq!(suggestions, [Some("name"), Some(&*near), None, None]);
}

#[test]
fn whole_floats_arrive_as_integers_and_strings_do_not() {
    let gate = plain(json!({
        "properties": {
            "nested": {"properties": {"list": {"items": {"type": "integer"}}}},
            "by_reference": {"$ref": "#/$defs/count"},
            "union": {"anyOf": [{"type": "string"}, {"properties": {"n": {"type": "integer"}}, "required": ["n"]}, {}]},
            "number": {"type": "number"},
            "either": {"type": ["integer", "number"]},
            "not": {"not": {"type": "string"}},
        },
        "$defs": {"count": {"type": "integer"}},
    }));
    let data = json!({
        "nested": {"list": [1, 2.0, -0.0, 1e3]},
        "by_reference": 2.0,
        "union": {"n": 2.0},
        "number": 2.0,
        "either": 2.0,
        "not": 2.0,
    });
    let read = call(&gate, data).unwrap();
    assert_eq!(read["nested"]["list"].to_string(), "[1,2,0,1000]");
    assert_eq!(read["by_reference"].to_string(), "2");
    assert_eq!(read["union"].to_string(), r#"{"n":2}"#);
    for key in ["number", "either", "not"] {
        assert_eq!(read[key].to_string(), "2.0", "{key}");
    }
    let refusal = refuse(&gate, json!({"by_reference": "2", "nested": {"list": [2.5]}}));
    assert_eq!(paths(&refusal), ["by_reference", "nested.list[0]"]);
}

#[test]
fn defaults_are_cast_and_fill_absent_top_level_properties_alone() {
    let action = Action::new("a")
        .property("n", json!({"type": "integer", "default": 9}))
        .property("deep", json!({"properties": {"m": {"type": "integer", "default": 9}}}))
        .default("n", json!(2.0))
        .default("deep", json!({"m": 1.0}));
    let gate = gate(action);
    let filled = gate.call("t", "a", json!({})).unwrap();
    assert_eq!((filled["n"].to_string(), filled["deep"]["m"].to_string()), ("2".to_owned(), "1".to_owned()));
    let read = gate.call("t", "a", json!({"deep": {}, "n": 3})).unwrap();
    assert_eq!(read, json!({"deep": {}, "n": 3}));
}

#[test]
fn an_action_that_was_never_registered_answers_as_a_registered_one() {
    let action = order().default("phone", json!("none"));
    let gate = gate(action.clone());
    for data in [
        json!(null),
        json!([]),
        json!({"name": "a", "items": []}),
        json!({"name": "a", "items": [], "emial": 1, "email": "x"}),
        json!({"name": 1, "items": [{"id": 1.5}], "email": "x"}),
        json!({"name": "a", "items": [{"id": 2.0}], "email": "x"}),
    ] {
        let (registered, own) = (gate.call("t", "order", data.clone()), action.call(data).unwrap());
        match (registered, own) {
            (Ok(registered), Ok(own)) => assert_eq!(registered.to_string(), own.to_string()),
            (Err(registered), Err(own)) => {
                assert_eq!(registered.kind(), own.kind());
                assert_eq!(registered.entries(), own.entries());
                assert_eq!((registered.total(), registered.message()), (own.total(), own.message()));
                assert_eq!(registered.input_schema(), own.input_schema());
                assert_eq!((registered.action(), own.tool()), (own.action(), None));
            }
            (registered, own) => panic!("{registered:?} and {own:?}"),
        }
    }
    let error = action.required(["none"]).call(json!({})).unwrap_err();
    assert_eq!((error.tool(), error.action()), (None, Some("order")));
}

#[test]
fn a_refusal_carries_tool_action_schema_and_help() {
    let action = order().default("phone", json!("none")).related("cancel");
    let gate = gate(action.clone());
    let refusal = gate.call("t", "order", json!({})).unwrap_err();
    assert_eq!((refusal.tool(), refusal.action()), (Some("t"), Some("order")));
    let mut shown = action.published_schema();
    assert_eq!(gate.published_schema("t", "order"), Some(&shown));
    shown["required_one_of"] = json!([["email"], ["phone"]]);
    shown["defaults"] = json!({"phone": "none"});
    assert_eq!(refusal.input_schema(), Some(&shown));
    assert_eq!(
        refusal.help(),
        Some("tools/list describes tool \"t\" action \"order\" (see also \"cancel\")")
    );
    let helped =
        Gate::builder().tool(Tool::new("t").help("see https://example.org").action(action)).build().unwrap();
    assert_eq!(helped.call("t", "order", json!({})).unwrap_err().help(), Some("see https://example.org"));
    assert_eq!(helped.call("t", "none", json!({})).unwrap_err().help(), Some("see https://example.org"));
}

#[test]
fn a_published_schema_is_closed_and_says_what_is_required() {
    assert_eq!(
        Action::new("a").property("x", item()).required(["x"]).published_schema(),
        json!({
            "type": "object",
            "properties": {"x": {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "note": {}},
                "required": ["id"],
                "additionalProperties": false,
            }},
            "required": ["x"],
            "additionalProperties": false,
        })
    );
    let empty = Action::new("a");
    assert_eq!(
        empty.published_schema(),
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
    assert_eq!(
        kind_and_paths(&gate(empty).call("t", "a", json!({"x": 1})).unwrap_err()),
        ("unknown_keys", vec!["x"])
    );
}

#[test]
fn a_schema_over_its_limit_is_left_out_and_the_refusal_says_so() {
    const LIMIT: usize = 16 << 10;
    let schema = |bytes: usize| {
        let empty = json!({"description": "", "required": ["a"]});
        let mut schema = empty.clone();
        schema["description"] = json!("x".repeat(bytes - empty.to_string().len()));
        assert_eq!(schema.to_string().len(), bytes);
        schema
    };
    let refusal = refuse(&plain(schema(LIMIT)), json!({}));
    assert_eq!(refusal.input_schema(), Some(&schema(LIMIT)));
    let refusal = refuse(&plain(schema(LIMIT + 1)), json!({}));
    assert_eq!(refusal.input_schema(), None);
    let written = serde_json::to_value(&refusal).unwrap();
    assert_eq!(written.get("input_schema"), None);
    assert_eq!(written["input_schema_omitted"], json!("the schema is too large to be repeated here"));
}

#[test]
fn output_is_checked_with_formats_as_annotations() {
    let tool = Tool::new("t").action(Action::new("a")).output_schema(
        json!({"properties": {"at": {"type": "string", "format": "date"}, "x": {"format": "own"}}}),
    );
    let gate =
        Gate::builder().tool(tool).tools(&json!([{"name": "free", "inputSchema": {}}])).build().unwrap();
    assert!(gate.check_output("t", &json!({"at": "never"})).is_ok());
    let refusal = gate.check_output("t", &json!({"at": 3})).unwrap_err();
    assert_eq!(kind_and_paths(&refusal), ("invalid_values", vec!["at"]));
    assert_eq!((refusal.tool(), refusal.action()), (Some("t"), None));
    assert!(gate.check_output("free", &json!(3)).is_ok());
    assert_eq!(gate.check_output("none", &json!(3)).unwrap_err().kind().as_str(), "unknown_tool");
}

#[test]
fn a_refusal_is_an_mcp_result_and_a_json_rpc_error() {
    let gate = gate(order());
    let refusal = gate.call("t", "order", json!({})).unwrap_err();
    let written = serde_json::to_value(&refusal).unwrap();
    let result = refusal.to_tool_result();
    assert_eq!(result["isError"], json!(true));
    assert_eq!(result["structuredContent"], written);
    assert_eq!(result["content"][0]["type"], json!("text"));
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, written);
    for id in [json!(7), json!("seven"), json!(null), json!("\u{1b}".repeat(1_000))] {
        let answer = refusal.to_json_rpc(id.clone());
        assert_eq!(
            answer,
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": refusal.message(), "data": written}})
        );
    }
}

#[test]
fn what_is_published_of_a_tool_with_actions_is_a_schema_of_its_arguments() {
    let gate = Gate::builder()
        .tool(
            Tool::new("t")
                .description("T")
                .action(
                    order()
                        .description("Order")
                        .note("Soon")
                        .example(json!({"name": "a", "items": [], "email": "e"})),
                )
                .action(
                    Action::new("tree")
                        .property("node", json!({"$ref": "#/$defs/n", "$defs": {}}))
                        .property("child", json!({"$ref": "#/properties/leaf"}))
                        .property("leaf", json!({"type": "integer"})),
                ),
        )
        .build();
    // A reference to what is not there is told at registration.
    assert_eq!(gate.unwrap_err().schema_location(), Some("#/properties/node/$ref"));

    let tree = Action::new("tree é")
        .property("child", json!({"$ref": "#/properties/leaf"}))
        .property("leaf", json!({"type": "integer"}));
    let gate = Gate::builder()
        .tool(Tool::new("t").description("T").action(order().note("Soon")).action(tree))
        .build()
        .unwrap();
    let published = gate.tools();
    let tool = &published["tools"][0];
    assert_eq!((&tool["name"], &tool["description"]), (&json!("t"), &json!("T")));
    let schema = &tool["inputSchema"];
    assert_eq!(schema["type"], json!("object"));
    assert_eq!(schema["properties"]["action"]["enum"], json!(["order", "tree é"]));
    assert_eq!(schema["properties"]["data"]["anyOf"][0]["description"], json!("Soon"));
    // It stands on its own: references in it mean what they meant.
    let validator = portcullis::Validator::new(schema).unwrap();
    assert!(validator.is_valid(&json!({"action": "tree é", "data": {"child": 3}})));
    assert!(!validator.is_valid(&json!({"action": "tree é", "data": {"child": "3"}})));
    assert!(!validator.is_valid(&json!({"data": {}})));
    assert!(Gate::from_tools(&published).is_ok());
}

#[test]
fn a_gate_is_cheap_to_clone_and_goes_between_threads() {
    let gate = gate(order());
    assert_eq!(size_of::<Gate>(), size_of::<usize>());
    let other = gate.clone();
    let thread = std::thread::spawn(move || other.call("t", "order", json!({})).unwrap_err());
    assert_eq!(thread.join().unwrap(), gate.call("t", "order", json!({})).unwrap_err());
    assert_eq!(format!("{gate:?}"), "Gate([\"t\"])");
}
