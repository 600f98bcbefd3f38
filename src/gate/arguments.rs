//! The arguments of a tool with actions: `{"action": …, "data": {…}}`.
//!
//! In: arguments of any depth, owned. Out: the action's answer, or a refusal of the arguments themselves. Only the
//! two members are taken; the rest is dropped without recursion.

use std::collections::BTreeMap;

use serde_json::Value;

use super::nearest::nearest;
use super::{Registered, RegisteredAction, chain};
use crate::engine::sink::Token;
use crate::report::{Entry, FirstTen, InputSchema, Problem, Refusal, RefusalKind, call};
use crate::value::Instance;
use crate::value::depth::Owned;

/// The members of the arguments.
pub(super) const ACTION: &str = "action";
/// See [`ACTION`].
pub(super) const DATA: &str = "data";

impl Registered {
    /// Opens arguments and calls the action that they name.
    pub(super) fn open(
        &self,
        by_name: &BTreeMap<String, RegisteredAction>,
        shown: &InputSchema,
        mut arguments: Owned,
    ) -> Result<Value, Refusal> {
        let action = named(arguments.as_value())
            .map_err(|refusal| refusal.with_input_schema(shown.clone()).with_help(&self.help))?;
        let data = match arguments.as_value_mut() {
            Value::Object(members) => members.remove(DATA).unwrap_or(Value::Null),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Value::Null
            }
        };
        // Whatever becomes of it, it is not dropped by recursion.
        let data = Owned::new(data);
        let refused = |refusal: Refusal| {
            if by_name.contains_key(&action) { refusal } else { refusal.with_input_schema(shown.clone()) }
        };
        self.action(by_name, &action, &[Token::Key(ACTION)])
            .and_then(|(root, help)| root.call(data).map_err(|refusal| refusal.with_help(help)))
            .map_err(|refusal| refused(refusal.with_action(&action)))
    }
}

/// The action that the arguments name.
fn named(arguments: &Value) -> Result<String, Refusal> {
    let members = arguments.as_object();
    let Some(action) = members.and_then(|members| members.get(ACTION)) else {
        let entry = chain::missing(ACTION, "#/required");
        return Err(Refusal::new(RefusalKind::MissingRequired, None, vec![entry], 1));
    };
    let mut unknown = FirstTen::default();
    for (key, value) in members.into_iter().flatten() {
        if key != ACTION && key != DATA {
            unknown.add(&[Token::Key(key)], value.identity(), ());
        }
    }
    if unknown.total() > 0 {
        let entries = unknown.kept().iter().map(|kept| unknown_key(&kept.path()));
        return Err(Refusal::new(RefusalKind::UnknownKeys, None, entries.collect(), unknown.total()));
    }
    match action {
        Value::String(action) => Ok(action.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            let text = call::not_of_type("string", action.view());
            let problem = Problem::new(&text, "type", "#/properties/action/type");
            let entry = Entry::new(&[Token::Key(ACTION)], [problem]);
            Err(Refusal::new(RefusalKind::InvalidValues, None, vec![entry], 1))
        }
    }
}

fn unknown_key(path: &[Token<'_>]) -> Entry {
    let problem = Problem::new(call::UNKNOWN_KEY, "additionalProperties", "#/additionalProperties");
    let entry = Entry::new(path, [problem]);
    let near = match path {
        [Token::Key(key)] => nearest(key, [ACTION, DATA].into_iter()),
        _ => None,
    };
    match near {
        Some(name) => entry.with_suggestion(name),
        None => entry,
    }
}
