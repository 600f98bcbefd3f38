//! Unions of objects that a member's value tells apart.
//!
//! In: the branches of an `anyOf` or `oneOf` that an object can pass. Out: a [`Switch`], where several of them limit
//! one property to strings or integers: an object then meets only the branches that its own value leaves. More than a
//! tag: the property need not be required, and some branches may not limit it.
//!
//! Cost: the names that the branches declare, within the compiler's room for looking; the lists of branches are kept
//! only where they are few.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::program::{Few, Group, Instruction, KeyTable, Link, Node, Program};
use crate::value::Instance;

/// Nodes of one branch that are looked at.
const LOOK: usize = 16;

/// How many branches all lists together may name, for each branch and string.
const SHARE: usize = 4;

/// A switch before its links have their places.
pub(super) struct Lists<'p> {
    pub(super) name: &'p str,
    pub(super) texts: BTreeMap<&'p str, Vec<Link>>,
    pub(super) integers: BTreeMap<i64, Vec<Link>>,
    /// The branches for any other value of the member.
    pub(super) other: Vec<Link>,
    /// The branches for an object without the member.
    pub(super) absent: Vec<Link>,
}

/// What a member may be.
#[derive(Clone, Copy)]
enum Choice<'p> {
    Text(&'p str),
    Integer(i64),
}

/// What one branch says of its members.
#[derive(Default)]
struct Branch<'p> {
    limited: BTreeMap<&'p str, Vec<Choice<'p>>>,
    required: Vec<&'p str>,
}

/// The switch of these branches, if one is worth it. Looking takes from `look`.
pub(super) fn find<'p>(program: &'p Program, branches: &[Link], look: &mut usize) -> Option<Lists<'p>> {
    let said: Vec<Branch<'p>> =
        branches.iter().map(|link| branch(program, *link, look)).collect::<Option<_>>()?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in said.iter().flat_map(|branch| branch.limited.keys()) {
        *counts.entry(name).or_default() += 1;
    }
    // The name that most branches limit; the first by bytes of those.
    let (name, count) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
    if count < 2 {
        return None;
    }
    let mut lists = Lists {
        name,
        texts: BTreeMap::new(),
        integers: BTreeMap::new(),
        other: Vec::new(),
        absent: Vec::new(),
    };
    for choice in said.iter().filter_map(|branch| branch.limited.get(name)).flatten() {
        lists.of(*choice);
    }
    let choices = lists.texts.len() + lists.integers.len();
    let mut room = SHARE * (branches.len() + choices);
    for (branch, link) in said.iter().zip(branches) {
        let listed = match branch.limited.get(name) {
            Some(limit) => {
                for choice in limit {
                    lists.of(*choice).push(*link);
                }
                limit.len()
            }
            None => {
                lists.other.push(*link);
                lists
                    .texts
                    .values_mut()
                    .chain(lists.integers.values_mut())
                    .for_each(|links| links.push(*link));
                choices
            }
        };
        room = room.checked_sub(listed)?;
        if !branch.required.contains(&name) {
            lists.absent.push(*link);
        }
    }
    Some(lists)
}

impl<'p> Lists<'p> {
    fn of(&mut self, choice: Choice<'p>) -> &mut Vec<Link> {
        match choice {
            Choice::Text(text) => self.texts.entry(text).or_default(),
            Choice::Integer(integer) => self.integers.entry(integer).or_default(),
        }
    }
}

fn branch<'p>(program: &'p Program, link: Link, look: &mut usize) -> Option<Branch<'p>> {
    let mut branch = Branch::default();
    let mut nodes = vec![link.node];
    let mut at = 0;
    while let Some(next) = nodes.get(at).copied()
        && at < LOOK
    {
        at += 1;
        let node = program.node(next);
        for (_, instruction) in program.group(node, Group::Any).chain(program.group(node, Group::Object)) {
            *look = look.checked_sub(1)?;
            if let Instruction::Reference(target) = instruction {
                nodes.push(target.node);
            } else if let Instruction::AllOf(branches) = instruction {
                nodes.extend(branches.iter().take(LOOK).map(|branch| branch.node));
            } else if let Instruction::Required(required) = instruction {
                *look = look.checked_sub(required.names.len())?;
                branch.required.extend(required.names.iter().map(|name| &**name));
            } else if let Instruction::Members(members) = instruction {
                *look = look.checked_sub(members.named.len())?;
                for (name, link) in members.named.iter() {
                    if let Some(choices) = choices(program, program.node(link.node)) {
                        // Of two limits, either alone is true.
                        branch.limited.entry(name).or_insert(choices);
                    }
                }
            }
        }
    }
    Some(branch)
}

/// The strings and integers that a node limits a value to, each once.
fn choices<'p>(program: &'p Program, node: &'p Node) -> Option<Vec<Choice<'p>>> {
    program.group(node, Group::Any).find_map(|(_, instruction)| {
        if let Instruction::Const(value) = instruction {
            choice(value).map(|choice| vec![choice])
        } else if let Instruction::Enum(choices) = instruction {
            let integers = choices.others().map(|value| match choice(value) {
                Some(Choice::Integer(integer)) => Some(integer),
                Some(Choice::Text(_)) | None => None,
            });
            // Each once, also where the author repeats one.
            let integers: BTreeSet<i64> = integers.collect::<Option<_>>()?;
            let texts = choices.strings.iter().map(|(text, ())| Choice::Text(text));
            Some(texts.chain(integers.into_iter().map(Choice::Integer)).collect())
        } else {
            None
        }
    })
}

fn choice(value: &Value) -> Option<Choice<'_>> {
    match value {
        Value::String(text) => Some(Choice::Text(text)),
        // Spelled in any other way it may be the same integer: such a branch counts as not limited.
        Value::Number(_) => value.held_integer().map(Choice::Integer),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The table of a switch, once its lists have places. Nothing where its strings crowd.
pub(super) fn table(texts: Vec<(&str, Few)>) -> Option<KeyTable<Few>> {
    let table = KeyTable::new(texts);
    (!table.is_crowded()).then_some(table)
}
