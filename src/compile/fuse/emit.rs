//! From a frozen program to the runs that decide a verdict.
//!
//! In: nodes whose links know what they can tell. Out: for each node that links do not decide, and for each group of kinds, the operations that
//! are left once the kind is known: keywords that concern other types are gone, and so are branches of unions that
//! cannot pass; a union with one branch left is that branch. A small node that another applies in place is copied into
//! it, within [`Room`]. Cheap operations go before dear ones.
//!
//! Linear in the program: every instruction is written once a group, and copies are paid for.

use std::collections::HashSet;
use std::sync::Arc;

use super::known::{Said, said};
use super::switch;
use super::{Rewrite, Rewrites};
use crate::program::{
    Few, Fused, FusedNode, Group, Instruction, InstructionId, Items, KeyTable, Link, Members, NodeId,
    Operation, Program, Rest, Run, Start, Switch, Union,
};
use crate::value::{Kind, Kinds, Type};

/// Operations of a node that is copied into one that applies it.
const SMALL: usize = 4;

/// Nodes that are copied into one another.
const NESTED: usize = 4;

/// Names and instructions that are looked at in search of switches, for each instruction of the program.
const LOOK: usize = 32;

/// Nodes, names and strings that are looked at to merge the branches of unions, for each instruction of the program.
const MERGED: usize = 4;

/// What copies may add.
struct Room(usize);

/// The runs of every node.
pub(in crate::compile) fn emit(program: &Program, rewrites: Rewrites) -> Fused {
    if !rewrites.has(Rewrite::Runs) {
        return Fused::default();
    }
    let mut emitter = Emitter {
        program,
        rewrites,
        fused: Fused::default(),
        run: Run::Other,
        operations: Vec::new(),
        room: Room(program.instructions().len()),
        look: LOOK * (program.instructions().len() + 1),
        merging: MERGED * (program.instructions().len() + 1),
    };
    for (id, node) in program.entered() {
        let mut fused = FusedNode::default();
        for run in Run::ALL {
            emitter.run = run;
            emitter.node(id, 0);
            let mut operations = std::mem::take(&mut emitter.operations);
            operations.sort_by_key(weight);
            if operations.iter().any(|one| matches!(one, Operation::Fail)) {
                operations.clear();
                operations.push(Operation::Fail);
            }
            emitter.merge(&mut operations);
            // What leads nowhere is decided again sooner than it is looked up.
            let leads = operations.iter().any(leads);
            let (remembered, decides) = (leads && node.shared, leads && node.decides);
            let start = match operations.as_slice() {
                [only] if !remembered && !decides && rewrites.has(Rewrite::Single) => Start::One(*only),
                several => {
                    let Some(mut many) = emitter.fused.add(several) else { return Fused::default() };
                    (many.remembered, many.decides) = (remembered, decides);
                    Start::Many(many)
                }
            };
            fused.set(run, start);
            // Its memory serves the next run.
            operations.clear();
            emitter.operations = operations;
        }
        emitter.fused.nodes.push(fused);
    }
    emitter.commons();
    emitter.fused.unions.sort_unstable();
    emitter.fused.unions.dedup_by_key(|(id, _)| *id);
    emitter.fused.shrink();
    emitter.fused
}

impl Run {
    /// The kinds that are known without being read.
    fn kinds(self) -> Kinds {
        match self {
            Run::Other => Kinds::of([Kind::Null, Kind::Boolean]),
            Run::Number => Kinds::of([Kind::Integer, Kind::Float]),
            Run::String => Kinds::of([Kind::String]),
            Run::Array => Kinds::of([Kind::Array]),
            Run::Object => Kinds::of([Kind::Object]),
        }
    }

    fn group(self) -> Option<Group> {
        match self {
            Run::Other => None,
            Run::Number => Some(Group::Number),
            Run::String => Some(Group::String),
            Run::Array => Some(Group::Array),
            Run::Object => Some(Group::Object),
        }
    }
}

fn known(link: &Link) -> Said {
    Said { passes: link.passes, fails: link.fails }
}

/// What is left of a union once the kind is known.
enum Branches {
    None,
    One(Link),
    Many(Few),
    /// More links than can be numbered.
    TooMany,
}

pub(super) struct Emitter<'p> {
    pub(super) program: &'p Program,
    rewrites: Rewrites,
    pub(super) fused: Fused,
    run: Run,
    operations: Vec<Operation>,
    room: Room,
    /// What may still be looked at in search of switches.
    look: usize,
    /// Nodes, names and strings of branches that may still be merged.
    pub(super) merging: usize,
}

impl<'p> Emitter<'p> {
    /// The operations of a node, in the run that is being written.
    fn node(&mut self, id: NodeId, nested: usize) {
        let program = self.program;
        let node = program.node(id);
        let own = self.run.group().map(|group| program.group(node, group));
        for (id, instruction) in program.group(node, Group::Any).chain(own.into_iter().flatten()) {
            self.instruction(id, instruction, nested);
        }
    }

    /// Makes one walk of several over the members of an object, where each lets every other member pass and no two name
    /// the same.
    fn merge(&mut self, operations: &mut Vec<Operation>) {
        let open: Vec<Arc<Members>> =
            operations.iter().filter_map(|operation| self.open_members(operation)).cloned().collect();
        let count: usize = open.iter().map(|members| members.named.len()).sum();
        if open.len() < 2 || self.room.0 < count || !self.rewrites.has(Rewrite::Merges) {
            return;
        }
        let mut named: Vec<(&str, Link)> = Vec::with_capacity(count);
        let mut seen = HashSet::new();
        for (name, link) in open.iter().flat_map(|members| members.named.iter()) {
            if !seen.insert(name) {
                return;
            }
            named.push((name, link));
        }
        let required = open.iter().map(|members| members.required()).sum();
        let named = KeyTable::new(named);
        if named.is_crowded() {
            return;
        }
        let mut merged = Members::new(named, Vec::new(), None, false);
        merged.require(required);
        let Some(index) = self.members(Arc::new(merged)) else { return };
        self.room.0 -= count;
        operations.retain(|operation| self.open_members(operation).is_none());
        operations.push(Operation::Members(index));
        operations.sort_by_key(weight);
    }

    /// The members that an operation walks, if it lets every other member pass.
    fn open_members(&self, operation: &Operation) -> Option<&Arc<Members>> {
        let Operation::Members(index) = operation else { return None };
        let members = self.fused.members.get(*index as usize)?;
        members.additional().is_none().then_some(members)
    }

    /// The number of members to walk.
    fn members(&mut self, members: Arc<Members>) -> Option<u32> {
        let index = u32::try_from(self.fused.members.len()).ok()?;
        self.fused.members.push(members);
        Some(index)
    }

    /// Whether all kinds of the run pass, or all fail; nothing where they have to be asked.
    fn decided(&self, said: Said) -> Option<bool> {
        let kinds = self.run.kinds();
        if kinds.without(said.passes) == Kinds::NONE {
            Some(true)
        } else if kinds.without(said.fails) == Kinds::NONE {
            Some(false)
        } else {
            None
        }
    }

    fn instruction(&mut self, id: InstructionId, instruction: &Instruction, nested: usize) {
        match self.decided(said(instruction, &mut known)) {
            Some(true) => return,
            Some(false) => return self.operations.push(Operation::Fail),
            None => {}
        }
        let operation = match instruction {
            Instruction::Type(types) => match self.run {
                Run::Other => Operation::Only(if types.has(Type::Null) { Kind::Null } else { Kind::Boolean }),
                Run::Number | Run::String | Run::Array | Run::Object => Operation::Number(*types),
            },
            Instruction::Enum(choices) if self.run == Run::String && !choices.strings.is_crowded() => {
                Operation::Strings(id)
            }
            Instruction::Const(value) if self.run == Run::String && value.is_string() => Operation::Text(id),
            Instruction::MinLength(count) => match u32::try_from(*count) {
                Ok(count) => Operation::MinLength(count),
                Err(_) => Operation::Plain(id),
            },
            Instruction::MaxLength(count) => match u32::try_from(*count) {
                Ok(count) => Operation::MaxLength(count),
                Err(_) => Operation::Plain(id),
            },
            Instruction::MinItems(count) => {
                u32::try_from(*count).map_or(Operation::Plain(id), Operation::MinItems)
            }
            Instruction::MaxItems(count) => {
                u32::try_from(*count).map_or(Operation::Plain(id), Operation::MaxItems)
            }
            Instruction::Pattern(pattern) => Operation::Pattern(*pattern),
            Instruction::Required(required) if required.told => return,
            Instruction::Required(_) => Operation::Required(id),
            Instruction::Members(members) if members.named.len() == 0 && members.patterns.is_empty() => {
                match members.additional() {
                    Some(Rest::Node(link)) => Operation::EachMember(link),
                    Some(Rest::Never) | None => Operation::Plain(id),
                }
            }
            Instruction::Members(members) if !members.named.is_crowded() => {
                match self.members(Arc::clone(members)) {
                    Some(index) if members.patterns.is_empty() => Operation::Members(index),
                    Some(index) => Operation::Patterned(index),
                    None => Operation::Plain(id),
                }
            }
            Instruction::Items(items) => match items {
                Items::Every(link) => Operation::Items(*link),
                Items::Listed(_) => Operation::Plain(id),
            },
            Instruction::Reference(link) => return self.enter(*link, nested),
            Instruction::AllOf(branches) => {
                branches.iter().for_each(|branch| self.enter(*branch, nested));
                return;
            }
            Instruction::Not(link) => Operation::Not(*link),
            Instruction::If(_) => Operation::If(id),
            Instruction::Minimum(_)
            | Instruction::Maximum(_)
            | Instruction::ExclusiveMinimum(_)
            | Instruction::ExclusiveMaximum(_) => Operation::Bound(id),
            Instruction::AnyOf(union) => match self.branches(union) {
                Branches::Many(few) => {
                    self.switch_of(id, few).map_or(Operation::AnyOf(few), Operation::AnySwitch)
                }
                Branches::One(branch) => return self.enter(branch, nested),
                Branches::None => Operation::Fail,
                Branches::TooMany => Operation::Plain(id),
            },
            Instruction::OneOf(union) => match self.branches(union) {
                Branches::Many(few) => {
                    self.switch_of(id, few).map_or(Operation::OneOf(few), Operation::OneSwitch)
                }
                Branches::One(branch) => return self.enter(branch, nested),
                Branches::None => Operation::Fail,
                Branches::TooMany => Operation::Plain(id),
            },
            Instruction::Never
            | Instruction::Enum(_)
            | Instruction::Const(_)
            | Instruction::Format(_)
            | Instruction::CustomKeyword(_)
            | Instruction::MultipleOf(_)
            | Instruction::CustomFormat(_)
            | Instruction::Content(_)
            | Instruction::Contains(_)
            | Instruction::UniqueItems
            | Instruction::UnevaluatedItems(_)
            | Instruction::MinProperties(_)
            | Instruction::MaxProperties(_)
            | Instruction::Members(_)
            | Instruction::PropertyNames(_)
            | Instruction::DependentRequired(_)
            | Instruction::DependentSchemas(_)
            | Instruction::PropertyDependencies(_)
            | Instruction::UnevaluatedProperties(_) => Operation::Plain(id),
        };
        self.operations.push(operation);
    }

    /// A node in place: its own operations where they are few, or else a way to it.
    fn enter(&mut self, link: Link, nested: usize) {
        match self.decided(known(&link)) {
            Some(true) => return,
            Some(false) => return self.operations.push(Operation::Fail),
            None => {}
        }
        let node = self.program.node(link.node);
        let group = self.run.group().map_or(0, |group| self.program.group(node, group).count());
        let size = self.program.group(node, Group::Any).count() + group;
        let copies = self.rewrites.has(Rewrite::Copies);
        if !copies || node.shared || node.decides || size > SMALL || nested >= NESTED || self.room.0 < size {
            return self.operations.push(Operation::Enter(link));
        }
        self.room.0 -= size;
        self.node(link.node, nested + 1);
    }

    /// The switch of a union's branches, which a report finds by the union.
    fn switch_of(&mut self, id: InstructionId, few: Few) -> Option<u32> {
        let index = self.switch(few)?;
        self.fused.unions.push((id, index));
        Some(index)
    }

    /// The switch between these branches of objects, if one is worth it.
    fn switch(&mut self, few: Few) -> Option<u32> {
        if self.run != Run::Object || !self.rewrites.has(Rewrite::Switches) {
            return None;
        }
        let lists = switch::find(self.program, self.fused.links(few), &mut self.look)?;
        let index = u32::try_from(self.fused.switches.len()).ok()?;
        let texts = lists.texts.into_iter().map(|(text, links)| Some((text, self.few(&links)?)));
        let texts = switch::table(texts.collect::<Option<_>>()?)?;
        let integers = lists.integers.into_iter().map(|(integer, links)| Some((integer, self.few(&links)?)));
        let integers = integers.collect::<Option<_>>()?;
        let (other, absent) = (self.few(&lists.other)?, self.few(&lists.absent)?);
        self.fused.switches.push(Switch {
            name: lists.name.into(),
            texts,
            integers,
            any: few,
            other,
            absent,
        });
        Some(index)
    }

    /// Links one after another.
    pub(super) fn few(&mut self, links: &[Link]) -> Option<Few> {
        let first = u32::try_from(self.fused.links.len()).ok()?;
        self.fused.links.extend(links);
        Some(Few { first, count: u32::try_from(links.len()).ok()? })
    }

    /// The branches that can pass, as links of their own.
    fn branches(&mut self, union: &Union) -> Branches {
        let kinds = self.run.kinds();
        let can_pass = union.branches.iter().filter(|link| kinds.without(link.fails) != Kinds::NONE);
        let first = self.fused.links.len();
        self.fused.links.extend(can_pass);
        match self.fused.links.get(first..).unwrap_or_default() {
            [] => Branches::None,
            [only] => {
                let only = *only;
                self.fused.links.truncate(first);
                Branches::One(only)
            }
            many => match (u32::try_from(first), u32::try_from(many.len())) {
                (Ok(first), Ok(count)) => Branches::Many(Few { first, count }),
                _ => Branches::TooMany,
            },
        }
    }
}

/// Whether an operation leads to a node.
fn leads(operation: &Operation) -> bool {
    match operation {
        Operation::Members(_)
        | Operation::EachMember(_)
        | Operation::Patterned(_)
        | Operation::If(_)
        | Operation::Items(_)
        | Operation::Enter(_)
        | Operation::Not(_)
        | Operation::AnyOf(_)
        | Operation::OneOf(_)
        | Operation::AnySwitch(_)
        | Operation::OneSwitch(_)
        | Operation::Plain(_) => true,
        Operation::Fail
        | Operation::Number(_)
        | Operation::Only(_)
        | Operation::Strings(_)
        | Operation::Text(_)
        | Operation::MinLength(_)
        | Operation::MaxLength(_)
        | Operation::MinItems(_)
        | Operation::MaxItems(_)
        | Operation::Pattern(_)
        | Operation::Bound(_)
        | Operation::Required(_) => false,
    }
}

/// How dear an operation is.
fn weight(operation: &Operation) -> u8 {
    match operation {
        Operation::Fail
        | Operation::Number(_)
        | Operation::Only(_)
        | Operation::MinLength(_)
        | Operation::MinItems(_)
        | Operation::MaxItems(_) => 0,
        Operation::MaxLength(_) | Operation::Strings(_) | Operation::Text(_) => 1,
        Operation::Required(_) | Operation::Bound(_) => 2,
        Operation::Pattern(_) => 3,
        Operation::AnySwitch(_) | Operation::OneSwitch(_) => 4,
        Operation::Members(_) | Operation::EachMember(_) | Operation::Patterned(_) | Operation::Items(_) => 5,
        Operation::Enter(_) => 6,
        Operation::Not(_) | Operation::If(_) | Operation::AnyOf(_) | Operation::OneOf(_) => 7,
        Operation::Plain(_) => 8,
    }
}
