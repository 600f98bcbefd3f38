//! On a 2 MiB thread, values nested a million deep go in everywhere; each is refused, and what is ours is dropped.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calling;

use portcullis::gate::{Action, Gate, Tool};
use portcullis::limits::{DEPTH, DEPTH_CEILING, SCHEMA_DEPTH};
use portcullis::{Limits, Options, Refusal};
use serde_json::{Map, Value, json};

use calling::{dismantle, million, nested, object, on_a_small_stack};

fn gate() -> Gate {
    let open =
        Action::new("open").property("any", json!({})).property("list", json!({"items": {"properties": {}}}));
    Gate::builder()
        .tool(Tool::new("t").action(open))
        .tools(&json!([{"name": "plain", "inputSchema": {"type": "object"}, "outputSchema": {}}]))
        .build()
        .unwrap()
}

#[track_caller]
fn assert_unchecked(refusal: &Refusal) {
    assert!(!refusal.is_complete());
    assert_eq!(refusal.entries()[0].problems()[0].text(), "value could not be checked within the limit");
    assert_eq!(refusal.kind().as_str(), "invalid_values");
}

#[test]
fn data_a_million_deep_is_refused_and_dropped() {
    on_a_small_stack(|| {
        let gate = gate();
        assert_unchecked(&gate.call("t", "open", object("any", million())).unwrap_err());
        assert_unchecked(&gate.call("t", "open", object("list", million())).unwrap_err());
        assert_unchecked(&gate.call("t", "open", object("unknown", million())).unwrap_err());
        assert_unchecked(&gate.call("t", "open", million()).unwrap_err());
        assert_unchecked(&gate.call("plain", "plain", million()).unwrap_err());
        let refusal = gate.call("t", "none", million()).unwrap_err();
        assert_eq!(refusal.kind().as_str(), "unknown_action");
        let refusal = gate.call("none", "none", million()).unwrap_err();
        assert_eq!(refusal.kind().as_str(), "unknown_tool");
    });
}

#[test]
fn arguments_a_million_deep_are_refused_and_dropped() {
    on_a_small_stack(|| {
        let gate = gate();
        let arguments = |members: Vec<(&str, Value)>| {
            Some(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
        };
        let plain = arguments(vec![("a", million())]);
        assert_unchecked(&gate.call_tool("plain", plain).unwrap_err());
        let data = arguments(vec![("action", json!("open")), ("data", million())]);
        assert_unchecked(&gate.call_tool("t", data).unwrap_err());
        for (members, kind) in [
            (vec![("data", million())], "missing_required"),
            (vec![("action", million())], "invalid_values"),
            (vec![("action", json!("open")), ("date", million())], "unknown_keys"),
            (vec![("action", json!("none")), ("data", million())], "unknown_action"),
        ] {
            let refusal = gate.call_tool("t", arguments(members)).unwrap_err();
            assert_eq!(refusal.kind().as_str(), kind);
        }
        let unknown = arguments(vec![("a", million())]);
        assert_eq!(gate.call_tool("none", unknown).unwrap_err().kind().as_str(), "unknown_tool");
    });
}

#[test]
fn declarations_a_million_deep_are_refused_by_name_and_dropped() {
    on_a_small_stack(|| {
        let create = || Action::new("create").property("a", json!({}));
        for (action, message) in [
            (
                create().property("deep", object("not", million())),
                "the schema of property \"deep\" is nested deeper than the limit",
            ),
            (create().default("a", million()), "the default of \"a\" is nested deeper than the limit"),
            (
                create().example(json!({})).example(object("a", million())),
                "example 2 is nested deeper than the limit",
            ),
        ] {
            // A copy, a print and an unregistered call are no way around.
            let copy = action.clone();
            assert!(format!("{copy:?}").len() < 10_000);
            assert!(copy.published_schema()["properties"]["a"].is_object());
            assert_eq!(copy.call(million()).unwrap_err().message(), message);
            let error = Gate::builder().tool(Tool::new("t").action(action)).build().unwrap_err();
            assert_eq!((error.tool(), error.action(), error.message()), (Some("t"), Some("create"), message));
        }
        let tool = Tool::new("t").action(create()).output_schema(million());
        let error = Gate::builder().tool(tool).build().unwrap_err();
        assert_eq!(
            (error.tool(), error.message()),
            (Some("t"), "the output schema is nested deeper than the limit")
        );
    });
}

#[test]
fn json_and_output_a_million_deep_are_refused_and_left_to_their_owner() {
    on_a_small_stack(|| {
        let mut tool = Map::from_iter([("name".to_owned(), json!("t"))]);
        tool.insert("inputSchema".to_owned(), million());
        let tools = Value::Array(vec![Value::Object(tool)]);
        let error = Gate::from_tools(&tools).unwrap_err();
        assert_eq!((error.tool(), error.message()), (Some("t"), "the tool is nested deeper than the limit"));
        let action = object("defaults", object("a", million()));
        let error = Action::from_json("create", &action).unwrap_err();
        assert_eq!(error.message(), "the action is nested deeper than the limit");
        let output = million();
        // An output schema that looks at nothing passes anything; one that looks fails closed.
        assert!(gate().check_output("plain", &output).is_ok());
        let looks = json!({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}});
        let tools_that_look = json!([{"name": "t", "inputSchema": {}, "outputSchema": looks}]);
        let gate = Gate::from_tools(&tools_that_look).unwrap();
        let refusal = gate.check_output("t", &output).unwrap_err();
        assert_eq!(refusal.tool(), Some("t"));
        // An id is its sender's, whatever it is.
        let answer = refusal.to_json_rpc(million());
        assert_eq!(answer["error"]["code"], -32_602);
        for value in [tools, action, output, answer] {
            dismantle(value);
        }
    });
}

#[test]
fn data_at_the_limit_passes_and_one_level_more_does_not() {
    on_a_small_stack(|| {
        for depth in [DEPTH, DEPTH_CEILING] {
            let options = Options::default().limits(Limits::default().depth(depth));
            let action = Action::new("open").property("any", json!({})).default("any", json!(1));
            let example = object("any", nested(depth - 1));
            let gate = Gate::builder()
                .options(options)
                .tool(Tool::new("t").action(action.example(example.clone())))
                .build()
                .unwrap();
            assert_eq!(gate.call("t", "open", example.clone()).unwrap(), example);
            assert_unchecked(&gate.call("t", "open", object("any", nested(depth))).unwrap_err());
            assert_eq!(gate.tools()["tools"][0]["inputSchema"]["properties"]["data"]["examples"][0], example);
        }
    });
}

#[test]
fn a_property_schema_at_the_limit_registers_and_one_level_more_does_not() {
    on_a_small_stack(|| {
        // The schema of a property lies two levels down; where defaults are proven, four.
        let schema = |levels: usize| (1..levels).fold(json!({}), |inner, _| object("items", inner));
        let action = |levels| Action::new("a").property("p", schema(levels)).default("p", json!(1));
        let build = |levels| Gate::builder().tool(Tool::new("t").action(action(levels))).build();
        build(SCHEMA_DEPTH - 4).unwrap();
        let error = build(SCHEMA_DEPTH - 3).unwrap_err();
        assert_eq!(error.message(), "the schema of property \"p\" is nested deeper than the limit");
    });
}

#[test]
fn closed_objects_at_the_schema_limit_are_walked() {
    on_a_small_stack(|| {
        let schema = |levels: usize| {
            (0..levels).fold(json!({"properties": {}}), |inner, _| {
                Value::Object(Map::from_iter([("properties".to_owned(), object("a", inner))]))
            })
        };
        let levels = 120;
        let tool = Tool::new("t").action(Action::new("open").property("a", schema(levels)));
        let gate = Gate::builder().tool(tool).build().unwrap();
        let data = (0..=levels).fold(json!({"deep": 1}), |inner, _| object("a", inner));
        let refusal = gate.call("t", "open", data).unwrap_err();
        assert_eq!(refusal.kind().as_str(), "unknown_keys");
        assert!(refusal.entries()[0].path().ends_with(".a.a.deep"), "{}", refusal.entries()[0].path());
    });
}
