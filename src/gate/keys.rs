//! The unknown-key gate: keys that no schema declares, at any depth that the closure reaches.
//!
//! In: an action's schema beside its program, once; then data. Out: the first ten unknown keys by path, with the
//! nearest declared name, and the count of all.
//!
//! The schema says which routes are the closure's (`properties`, `items`, `prefixItems`, and never through a
//! reference), the program what is declared there: so the gate says no only where the value gate would, and what it
//! does not reach is left to that. Size is linear in the schema, routes that lead to no closed object left out. A
//! walk takes a step for each member and item on its routes, and charges for patterns as a check does; recursion is
//! bounded by the schema's depth.

use std::collections::BTreeMap;

use serde_json::Value;

use super::nearest::nearest;
use crate::engine::sink::{Fault, Problem as Found, Token};
use crate::limits::{Limits, Meter};
use crate::pattern::Caches;
use crate::program::{Group, Instruction, InstructionId, Members, NodeId, Program, Rest};
use crate::report::keyword::schema_location;
use crate::report::{Entry, FirstTen, Problem, Refusal, RefusalKind, call};
use crate::schema::dialect::Dialect;
use crate::schema::table::look_up;
use crate::schema::vocabulary::Language;
use crate::value::{Array, Instance, Object, View};

/// The places of a schema that the closure reaches and that matter: closed objects, and what leads to them.
#[derive(Debug, Default)]
pub(super) struct Keys {
    reached: Vec<Reached>,
    root: Option<usize>,
}

#[derive(Debug)]
struct Reached {
    /// The instruction that knows the declared names, where none but those are admitted.
    closed: Option<InstructionId>,
    /// What lies under a declared name, or at an item.
    named: BTreeMap<Box<str>, usize>,
    prefix: Vec<Option<usize>>,
    rest: Option<usize>,
}

impl Keys {
    /// The keys of `schema`, which `program` was compiled from; `dialect` is that of schemas that name none.
    pub(super) fn new(schema: &Value, program: &Program, dialect: Dialect) -> Self {
        let dialect = own_dialect(schema).unwrap_or(dialect);
        let mut keys = Keys::default();
        keys.root = keys.reach(schema, program, program.root(), dialect);
        keys
    }

    fn reach(&mut self, schema: &Value, program: &Program, node: NodeId, dialect: Dialect) -> Option<usize> {
        let members = schema.as_object()?;
        if dialect.reference_hides_siblings() && members.contains_key("$ref") {
            return None;
        }
        let mut reached = Reached { closed: None, named: BTreeMap::new(), prefix: Vec::new(), rest: None };
        // Without one of these the schema may be nothing but a reference, and its node is the target's.
        if ["properties", "patternProperties", "additionalProperties"]
            .iter()
            .any(|name| members.contains_key(*name))
            && let Some((id, declared)) = members_of(program, node)
        {
            reached.closed = (declared.additional() == Some(Rest::Never)).then_some(id);
            for (name, child) in declared.named.iter() {
                let schema = members.get("properties").and_then(|properties| properties.get(name));
                if let Some(at) = self.reach_child(schema, program, child.node, dialect) {
                    reached.named.insert(name.into(), at);
                }
            }
        }
        if ["items", "prefixItems"].iter().any(|name| members.contains_key(*name))
            && let Some((id, items)) = items_of(program, node)
        {
            let listed = if look_up("prefixItems", Language::whole(dialect)).is_some() {
                "prefixItems"
            } else {
                "items"
            };
            let schemas = members.get(listed).and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter();
            reached.prefix = schemas
                .zip(items.prefix())
                .map(|(schema, child)| self.reach_child(Some(schema), program, child.node, dialect))
                .collect();
            // In the array form of `items` the rest is `additionalItems`, which the closure does not go through.
            if let Some(rest) = items.rest()
                && program.keyword(id) == "items"
            {
                reached.rest = self.reach_child(members.get("items"), program, rest.node, dialect);
            }
        }
        let leads =
            !reached.named.is_empty() || reached.rest.is_some() || reached.prefix.iter().any(Option::is_some);
        if reached.closed.is_none() && !leads {
            return None;
        }
        self.reached.push(reached);
        Some(self.reached.len() - 1)
    }

    fn reach_child(
        &mut self,
        schema: Option<&Value>,
        program: &Program,
        node: NodeId,
        dialect: Dialect,
    ) -> Option<usize> {
        // An embedded schema of another dialect is left to the value gate.
        let schema = schema.filter(|schema| schema.get("$schema").is_none())?;
        self.reach(schema, program, node, dialect)
    }

    /// Refuses data that has unknown keys.
    pub(super) fn check<'v, I: Instance<'v>>(
        &self,
        data: I,
        program: &Program,
        limits: &Limits,
        caches: &mut Caches,
    ) -> Result<(), Refusal> {
        let Some(root) = self.root else { return Ok(()) };
        let mut walk = Walk {
            keys: self,
            program,
            limits,
            caches,
            meter: Meter::new(limits.get_steps()),
            path: Vec::new(),
            found: FirstTen::default(),
        };
        walk.value(root, data);
        let total = walk.found.total();
        if total == 0 {
            // Also where the steps ran out: the value gate has as many, and more to do.
            return Ok(());
        }
        let entries = walk.found.kept().iter().map(|kept| entry(program, &kept.path(), &kept.problems()));
        let entries = entries.collect();
        Err(if walk.meter.is_exhausted() {
            Refusal::incomplete(RefusalKind::UnknownKeys, entries, total)
        } else {
            Refusal::new(RefusalKind::UnknownKeys, None, entries, total)
        })
    }
}

/// The dialect that a schema names.
pub(super) fn own_dialect(schema: &Value) -> Option<Dialect> {
    Dialect::from_uri(schema.get("$schema")?.as_str()?)
}

fn members_of(program: &Program, node: NodeId) -> Option<(InstructionId, &Members)> {
    program.group(program.node(node), Group::Object).find_map(|(id, instruction)| {
        if let Instruction::Members(members) = instruction { Some((id, &**members)) } else { None }
    })
}

fn items_of(program: &Program, node: NodeId) -> Option<(InstructionId, &crate::program::Items)> {
    program.group(program.node(node), Group::Array).find_map(|(id, instruction)| {
        if let Instruction::Items(items) = instruction { Some((id, items)) } else { None }
    })
}

/// The entry of one unknown key.
fn entry(program: &Program, path: &[Token<'_>], closed: &[InstructionId]) -> Entry {
    let closed = closed.first().copied();
    let location =
        closed.map(|instruction| schema_location(program, Found { instruction, fault: Fault::Failed }));
    let problem = Problem::new(call::UNKNOWN_KEY, "additionalProperties", &location.unwrap_or_default());
    let entry = Entry::new(path, [problem]);
    let suggestion = match (path.last(), closed.map(|id| program.instruction(id))) {
        (Some(Token::Key(key)), Some(Instruction::Members(members))) => {
            nearest(key, members.named.iter().map(|(name, _)| name))
        }
        (Some(_) | None, Some(_) | None) => None,
    };
    match suggestion {
        Some(name) => entry.with_suggestion(name),
        None => entry,
    }
}

struct Walk<'k, 'v> {
    keys: &'k Keys,
    program: &'k Program,
    limits: &'k Limits,
    caches: &'k mut Caches,
    meter: Meter,
    path: Vec<Token<'v>>,
    found: FirstTen<'v, InstructionId>,
}

impl<'v> Walk<'_, 'v> {
    fn value<I: Instance<'v>>(&mut self, at: usize, value: I) {
        let keys = self.keys;
        let Some(reached) = keys.reached.get(at) else { return };
        match value.view() {
            View::Object(members) => self.object::<I>(reached, members),
            View::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let next = reached.prefix.get(index).copied().unwrap_or(reached.rest);
                    if self.meter.charge(1).is_err() || (next.is_none() && index >= reached.prefix.len()) {
                        return;
                    }
                    self.child(next, Token::Index(index), item);
                }
            }
            View::Null | View::Boolean(_) | View::Number(_) | View::String(_) => {}
        }
    }

    fn object<I: Instance<'v>>(&mut self, reached: &Reached, members: I::Object) {
        let closed = reached.closed.and_then(|id| match self.program.instruction(id) {
            Instruction::Members(declared) => Some((id, declared)),
            _ => None,
        });
        let Some((id, declared)) = closed else {
            for (name, next) in &reached.named {
                if self.meter.charge(1).is_err() {
                    return;
                }
                if let Some((key, child)) = members.get_entry(name) {
                    self.child(Some(*next), Token::Key(key), child);
                }
            }
            return;
        };
        for (key, child) in members.iter() {
            if self.meter.charge(1).is_err() {
                return;
            }
            if self.is_known(declared, key) {
                self.child(reached.named.get(key).copied(), Token::Key(key), child);
            } else {
                self.path.push(Token::Key(key));
                self.found.add(&self.path, child.identity(), id);
                self.path.pop();
            }
        }
    }

    fn child<I: Instance<'v>>(&mut self, next: Option<usize>, token: Token<'v>, child: I) {
        let Some(next) = next else { return };
        self.path.push(token);
        self.value(next, child);
        self.path.pop();
    }

    /// Whether a key is declared by name or pattern. One that a pattern could not be tried on is left to the value
    /// gate, which says so.
    fn is_known(&mut self, declared: &Members, key: &str) -> bool {
        declared.named.get(key).is_some()
            || declared.patterns.iter().any(|(pattern, _)| {
                let pattern = self.program.pattern(*pattern);
                pattern.is_match(key, &mut self.meter, self.caches, self.limits).unwrap_or(true)
            })
    }
}
