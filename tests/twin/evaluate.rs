//! The evaluation: each keyword as its specification and "What a composite reports" put it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use super::assertions::{array, at_least, at_most, is_of_type, object, one_or_list};
use super::documents::{Draft, Place};
use super::{FALSE_SCHEMA, Problem, STEPS, Twin};

/// Schemas entered and not yet left, before the twin takes it for a cycle.
const DEPTH: usize = 200;

/// A schema, the value it is applied to, where that lies, and the resources entered on the way, outermost first.
#[derive(Clone)]
pub(super) struct At<'s, 'v> {
    place: Place<'s>,
    value: &'v Value,
    path: Vec<String>,
    scope: Vec<Rc<str>>,
}

impl<'s, 'v> At<'s, 'v> {
    pub(super) fn root(place: Place<'s>, value: &'v Value) -> Self {
        At { scope: vec![place.base.clone()], place, value, path: Vec::new() }
    }

    /// Another schema on the same value.
    fn with(&self, place: Place<'s>) -> Self {
        let mut at = self.clone();
        at.scope.push(place.base.clone());
        at.place = place;
        at
    }

    /// A schema on a child.
    fn child<'w>(&self, place: Place<'s>, token: &str, value: &'w Value) -> At<'s, 'w> {
        let At { place, mut path, scope, .. } = self.with(place);
        path.push(token.to_owned());
        At { place, value, path, scope }
    }

    /// The children: members by name, items by index.
    fn children(&self) -> Vec<(String, &'v Value)> {
        match self.value {
            Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
            Value::Array(items) => {
                items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What applying a schema comes to.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) problems: BTreeSet<Problem>,
    /// The children, by token, that a keyword has looked at.
    evaluated: BTreeSet<String>,
}

impl Outcome {
    fn passes(&self) -> bool {
        self.problems.is_empty()
    }

    /// The keyword itself fails, at the value.
    fn fail(&mut self, at: &At<'_, '_>, keyword: &str) {
        self.problems.insert(Problem { path: at.path.clone(), keyword: keyword.to_owned() });
    }

    /// A schema applied to the same value: what it found and what it evaluated.
    fn take(&mut self, inner: Outcome) {
        self.problems.extend(inner.problems);
        self.evaluated.extend(inner.evaluated);
    }

    /// A schema applied to a child: what it found; and the child is evaluated.
    fn take_child(&mut self, token: &str, inner: Outcome) {
        self.problems.extend(inner.problems);
        self.evaluated.insert(token.to_owned());
    }
}

impl<'s> Twin<'s> {
    pub(super) fn judge(&self, at: &At<'s, '_>) -> Outcome {
        let mut outcome = Outcome::default();
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() > STEPS || at.scope.len() > DEPTH {
            self.give_up("too many steps");
        }
        let Some(draft) = at.place.draft() else {
            self.give_up("a dialect the twin does not know");
            return outcome;
        };
        if self.has_given_up() || at.place.schema == &Value::Bool(true) {
            return outcome;
        }
        let Some(schema) = at.place.schema.as_object() else {
            outcome.fail(at, FALSE_SCHEMA);
            return outcome;
        };
        if let Some(reference) = schema.get("$ref").filter(|_| at.place.hides_siblings()) {
            return self.judge(&at.with(self.reference(at, reference)));
        }
        for (keyword, argument) in schema.iter().filter(|(keyword, _)| at.place.knows(keyword)) {
            let asks = match keyword.as_str() {
                "minimum" | "maximum" if draft <= Draft::Draft4 => with_its_flag(keyword, schema),
                other => other,
            };
            if !self.meets(&at.place, asks, argument, at.value) {
                outcome.fail(at, keyword);
            }
            if draft == Draft::Draft3 {
                self.in_place_of_draft_3(at, keyword, argument, &mut outcome);
            }
            self.in_place(at, schema, keyword, argument, &mut outcome);
            match at.value {
                Value::Object(members) => self.members(at, members, schema, keyword, argument, &mut outcome),
                Value::Array(items) => self.items(at, items, schema, keyword, argument, &mut outcome),
                _ => {}
            }
        }
        if let Some(keyword) = self.wrong_content(&at.place, schema, at.value) {
            outcome.fail(at, keyword);
        }
        // Last, since they ask what all the others have evaluated.
        if draft >= Draft::Draft201909 {
            self.unevaluated(at, schema, &mut outcome);
        }
        outcome
    }

    /// The subschema of the schema at hand.
    fn sub(&self, at: &At<'s, '_>, schema: &'s Value) -> Place<'s> {
        self.documents.child(&at.place, schema)
    }

    /// Keywords that apply schemas to the same value.
    fn in_place(
        &self,
        at: &At<'s, '_>,
        schema: &'s Map<String, Value>,
        keyword: &str,
        argument: &'s Value,
        outcome: &mut Outcome,
    ) {
        let apply = |schema| self.judge(&at.with(self.sub(at, schema)));
        match keyword {
            "$ref" => outcome.take(self.judge(&at.with(self.reference(at, argument)))),
            "$dynamicRef" => {
                let reference = argument.as_str().unwrap_or("");
                match self.documents.dynamic_reference(&at.place, reference, &at.scope) {
                    Some(target) => outcome.take(self.judge(&at.with(target))),
                    None => self.give_up(format!("the reference {reference} leads nowhere")),
                }
            }
            "$recursiveRef" => {
                let reference = argument.as_str().unwrap_or("");
                match self.documents.recursive_reference(&at.place, reference, &at.scope) {
                    Some(target) => outcome.take(self.judge(&at.with(target))),
                    None => self.give_up(format!("the reference {reference} leads nowhere")),
                }
            }
            "allOf" => array(argument).iter().for_each(|branch| outcome.take(apply(branch))),
            "anyOf" | "oneOf" => self.union(at, keyword, array(argument), outcome),
            "not" if apply(argument).passes() => outcome.fail(at, keyword),
            "if" => {
                let condition = apply(argument);
                let follows = if condition.passes() {
                    outcome.evaluated.extend(condition.evaluated);
                    "then"
                } else {
                    "else"
                };
                schema.get(follows).into_iter().for_each(|schema| outcome.take(apply(schema)));
            }
            "dependentSchemas" | "dependencies" => object(argument)
                .iter()
                .filter(|(name, schema)| {
                    (schema.is_object() || schema.is_boolean()) && at.value.get(name.as_str()).is_some()
                })
                .for_each(|(_, schema)| outcome.take(apply(schema))),
            "propertyDependencies" => object(argument)
                .iter()
                .filter_map(|(name, schemas)| schemas.get(at.value.get(name)?.as_str()?))
                .for_each(|schema| outcome.take(apply(schema))),
            _ => {}
        }
    }

    /// Draft 3: `extends` is an `allOf`, `type` an `anyOf` and `disallow` a list of `not`, over types and schemas.
    fn in_place_of_draft_3(
        &self,
        at: &At<'s, '_>,
        keyword: &str,
        argument: &'s Value,
        outcome: &mut Outcome,
    ) {
        let listed = one_or_list(argument);
        let schemas = || listed.iter().filter(|one| !one.is_string());
        let apply = |schema| self.judge(&at.with(self.sub(at, schema)));
        let has_names = listed.iter().any(Value::is_string);
        let is_named = listed.iter().any(|name| name == "any" || is_of_type(Draft::Draft3, name, at.value));
        match keyword {
            "extends" => schemas().for_each(|schema| outcome.take(apply(schema))),
            "disallow" if is_named || schemas().any(|schema| apply(schema).passes()) => {
                outcome.fail(at, keyword);
            }
            "type" if has_names => {
                let outcomes: Vec<Outcome> = schemas().map(apply).collect();
                if !is_named && !outcomes.iter().any(Outcome::passes) {
                    outcome.fail(at, keyword);
                    outcomes.into_iter().for_each(|failed| outcome.take(failed));
                }
            }
            "type" => self.union(at, keyword, listed, outcome),
            _ => {}
        }
    }

    /// `anyOf` and `oneOf`: with no branch passing, the problems of all, unless a tag tells whose count.
    fn union(&self, at: &At<'s, '_>, keyword: &str, branches: &'s [Value], outcome: &mut Outcome) {
        let places: Vec<Place<'s>> = branches.iter().map(|branch| self.sub(at, branch)).collect();
        let outcomes: Vec<Outcome> = places.iter().map(|place| self.judge(&at.with(place.clone()))).collect();
        let passing = outcomes.iter().filter(|outcome| outcome.passes()).count();
        if passing > 0 {
            let passed = outcomes.into_iter().filter(Outcome::passes);
            passed.for_each(|passed| outcome.evaluated.extend(passed.evaluated));
            if keyword == "oneOf" && passing > 1 {
                outcome.fail(at, keyword);
            }
            return;
        }
        let all =
            |outcome: &mut Outcome| outcomes.iter().for_each(|o| outcome.problems.extend(o.problems.clone()));
        let Some((name, limits)) = self.tag(&places) else { return all(outcome) };
        let Some(tag) = at.value.as_object().and_then(|members| members.get(&name)) else {
            return all(outcome);
        };
        let named = |strings: &BTreeSet<String>| tag.as_str().is_some_and(|tag| strings.contains(tag));
        match limits.iter().position(named) {
            Some(branch) => outcome.problems.extend(outcomes[branch].problems.clone()),
            None => outcome.fail(&at.child(at.place.clone(), &name, tag), keyword),
        }
    }

    /// The first property, by bytes, that every branch requires and limits to strings, none of them in two
    /// branches; with the strings of each branch.
    fn tag(&self, branches: &[Place<'s>]) -> Option<(String, Vec<BTreeSet<String>>)> {
        let limited: Vec<BTreeMap<String, BTreeSet<String>>> =
            branches.iter().map(|branch| self.required_and_limited(branch)).collect();
        limited.first()?.keys().find_map(|name| {
            let strings: Option<Vec<_>> = limited.iter().map(|limits| limits.get(name).cloned()).collect();
            let strings = strings?;
            let distinct: BTreeSet<&String> = strings.iter().flatten().collect();
            let apart = distinct.len() == strings.iter().map(BTreeSet::len).sum::<usize>();
            apart.then(|| (name.clone(), strings))
        })
    }

    /// The properties that a branch requires and limits by `const` or `enum` of strings.
    fn required_and_limited(&self, branch: &Place<'s>) -> BTreeMap<String, BTreeSet<String>> {
        let mut required: BTreeSet<String> = BTreeSet::new();
        let mut limited: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for part in self.parts(branch, 0) {
            let properties = object(&part.schema["properties"]);
            if part.draft() == Some(Draft::Draft3) {
                let says_so = |property| self.is_required(&self.documents.child(&part, property));
                required.extend(
                    properties.iter().filter(|(_, property)| says_so(property)).map(|(name, _)| name.clone()),
                );
            } else {
                let names = array(&part.schema["required"]).iter().filter_map(Value::as_str);
                required.extend(names.map(str::to_owned));
            }
            for (name, property) in properties {
                for part in self.parts(&self.documents.child(&part, property), 0) {
                    let strings = |values: &[Value]| -> Option<BTreeSet<String>> {
                        values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
                    };
                    let constant =
                        part.schema.get("const").filter(|_| part.knows("const")).map(std::slice::from_ref);
                    let choices = part.schema.get("enum").map(array);
                    for strings in [constant, choices].into_iter().flatten().filter_map(strings) {
                        let kept = limited.entry(name.clone()).or_insert_with(|| strings.clone());
                        kept.retain(|string| strings.contains(string));
                    }
                }
            }
        }
        limited.retain(|name, _| required.contains(name));
        limited
    }

    /// The schema and what `$ref` and `allOf` add to it, in place.
    fn parts(&self, place: &Place<'s>, depth: usize) -> Vec<Place<'s>> {
        if depth > DEPTH {
            self.give_up("too many steps");
            return Vec::new();
        }
        let mut inner = Vec::new();
        if let Some(Value::String(reference)) = place.schema.get("$ref") {
            inner.extend(self.documents.reference(place, reference));
            if place.hides_siblings() {
                return inner.iter().flat_map(|place| self.parts(place, depth + 1)).collect();
            }
        }
        let all = if place.draft() == Some(Draft::Draft3) { "extends" } else { "allOf" };
        if let Some(branches) = place.schema.get(all) {
            inner.extend(one_or_list(branches).iter().map(|branch| self.documents.child(place, branch)));
        }
        let mut parts = vec![place.clone()];
        parts.extend(inner.iter().flat_map(|place| self.parts(place, depth + 1)));
        parts
    }

    /// Draft 3: whether an object must have the member whose schema this is. Nothing beside a reference counts.
    fn is_required(&self, place: &Place<'s>) -> bool {
        let Some(reference) = place.schema.get("$ref").filter(|_| place.hides_siblings()) else {
            return place.schema.get("required") == Some(&Value::Bool(true));
        };
        let target = self.documents.reference(place, reference.as_str().unwrap_or(""));
        target.is_some_and(|target| self.is_required(&target))
    }

    fn reference(&self, at: &At<'s, '_>, reference: &Value) -> Place<'s> {
        let reference = reference.as_str().unwrap_or("");
        self.documents.reference(&at.place, reference).unwrap_or_else(|| {
            self.give_up(format!("the reference {reference} leads nowhere"));
            at.place.clone()
        })
    }

    /// Keywords that apply schemas to the members of an object.
    fn members(
        &self,
        at: &At<'s, '_>,
        members: &Map<String, Value>,
        schema: &'s Map<String, Value>,
        keyword: &str,
        argument: &'s Value,
        outcome: &mut Outcome,
    ) {
        match keyword {
            "properties" => {
                for (name, schema) in object(argument) {
                    if let Some(value) = members.get(name) {
                        outcome.take_child(name, self.judge(&at.child(self.sub(at, schema), name, value)));
                    } else if at.place.draft() == Some(Draft::Draft3)
                        && self.is_required(&self.sub(at, schema))
                    {
                        outcome.fail(at, "required");
                    }
                }
            }
            "patternProperties" => {
                for (pattern, schema) in object(argument) {
                    let matching = members.iter().filter(|(name, _)| self.matches(pattern, name));
                    self.rest(at, keyword, schema, matching, outcome);
                }
            }
            "additionalProperties" => {
                let named = |name: &str| schema.get("properties").is_some_and(|map| map.get(name).is_some());
                let patterns = object(schema.get("patternProperties").unwrap_or(&Value::Null));
                let matched = |name: &str| patterns.keys().any(|pattern| self.matches(pattern, name));
                let others = members.iter().filter(|(name, _)| !named(name) && !matched(name));
                self.rest(at, keyword, argument, others, outcome);
            }
            "propertyNames" => {
                let names = members.keys().map(|name| Value::String(name.clone()));
                let fails = |name: Value| !self.judge(&at.child(self.sub(at, argument), "", &name)).passes();
                if names.into_iter().any(fails) {
                    outcome.fail(at, keyword);
                }
            }
            _ => {}
        }
    }

    /// A schema for children that have no schema of their own: `false` fails at the container.
    fn rest<'v>(
        &self,
        at: &At<'s, '_>,
        keyword: &str,
        schema: &'s Value,
        children: impl Iterator<Item = (&'v String, &'v Value)>,
        outcome: &mut Outcome,
    ) {
        for (token, value) in children {
            if schema == &Value::Bool(false) {
                outcome.fail(at, keyword);
                outcome.evaluated.insert(token.clone());
            } else {
                outcome.take_child(token, self.judge(&at.child(self.sub(at, schema), token, value)));
            }
        }
    }

    /// Keywords that apply schemas to the items of an array.
    fn items(
        &self,
        at: &At<'s, '_>,
        items: &[Value],
        schema: &'s Map<String, Value>,
        keyword: &str,
        argument: &'s Value,
        outcome: &mut Outcome,
    ) {
        let mut apply = |index: usize, item, schema| {
            let token = index.to_string();
            outcome.take_child(&token, self.judge(&at.child(self.sub(at, schema), &token, item)));
        };
        let length = |keyword| schema.get(keyword).map_or(0, |list| array(list).len());
        match (keyword, argument) {
            ("prefixItems" | "items", Value::Array(schemas)) => {
                for ((index, item), schema) in items.iter().enumerate().zip(schemas) {
                    apply(index, item, schema);
                }
            }
            ("items", _) => {
                let prefix = if at.place.knows("prefixItems") { length("prefixItems") } else { 0 };
                items.iter().enumerate().skip(prefix).for_each(|(index, item)| apply(index, item, argument));
            }
            ("additionalItems", _) if schema.get("items").is_some_and(Value::is_array) => {
                let prefix = length("items");
                items.iter().enumerate().skip(prefix).for_each(|(index, item)| apply(index, item, argument));
            }
            ("contains", _) => self.contains(at, items, schema, argument, outcome),
            _ => {}
        }
    }

    fn contains(
        &self,
        at: &At<'s, '_>,
        items: &[Value],
        schema: &Map<String, Value>,
        argument: &'s Value,
        outcome: &mut Outcome,
    ) {
        let limit = |keyword| schema.get(keyword).filter(|_| at.place.knows(keyword));
        let mut matching = 0;
        for (index, item) in items.iter().enumerate() {
            let token = index.to_string();
            if self.judge(&at.child(self.sub(at, argument), &token, item)).passes() {
                matching += 1;
                if at.place.draft() >= Some(Draft::Draft202012) {
                    outcome.evaluated.insert(token);
                }
            }
        }
        // The three are one question with one answer, even where the limits contradict each other.
        if limit("maxContains").is_some_and(|maximum| !at_most(matching, maximum)) {
            outcome.fail(at, "maxContains");
        } else if let Some(minimum) = limit("minContains") {
            if !at_least(matching, minimum) {
                outcome.fail(at, "minContains");
            }
        } else if matching == 0 {
            outcome.fail(at, "contains");
        }
    }

    /// What no other keyword has evaluated.
    fn unevaluated(&self, at: &At<'s, '_>, schema: &'s Map<String, Value>, outcome: &mut Outcome) {
        let keyword = match at.value {
            Value::Object(_) => "unevaluatedProperties",
            Value::Array(_) => "unevaluatedItems",
            _ => return,
        };
        let Some(argument) = schema.get(keyword) else { return };
        let children = at.children();
        let rest: Vec<_> = children.iter().filter(|(token, _)| !outcome.evaluated.contains(token)).collect();
        let rest = rest.into_iter().map(|(token, value)| (token, *value));
        self.rest(at, keyword, argument, rest, outcome);
    }
}

/// What a bound asks until draft 4: the flag beside it makes it another keyword's.
fn with_its_flag<'k>(keyword: &'k str, schema: &Map<String, Value>) -> &'k str {
    let flagged = |flag: &str| schema.get(flag) == Some(&Value::Bool(true));
    match keyword {
        "minimum" if flagged("exclusiveMinimum") => "exclusiveMinimum",
        "maximum" if flagged("exclusiveMaximum") => "exclusiveMaximum",
        other => other,
    }
}
