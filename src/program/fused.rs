//! The program once more, as the walk that only wants a verdict runs it.
//!
//! In: operations from the compiler's rewrites. Out: for each node and each group of kinds a run of operations, in one
//! flat slice. Casts do not look here, and reports only where they ask for a verdict or count what a union refuses. A few words a node and three an operation; the compiler keeps
//! copies of small nodes within a share of the program's size.

use std::sync::Arc;

use super::common::Common;
use super::ids::{InstructionId, NodeId, PatternId};
use super::instruction::Members;
use super::keys::KeyTable;
use super::link::Link;
use crate::value::{Kind, Types};

/// One thing that decides a verdict on one value. What it needs and the instruction has, it reads there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    /// No value passes.
    Fail,
    /// Numbers of these types, where the link could not tell.
    Number(Types),
    /// Booleans or null, where not both pass.
    Only(Kind),
    /// A string of an `enum`.
    Strings(InstructionId),
    /// The string of a `const`.
    Text(InstructionId),
    /// `minLength`.
    MinLength(u32),
    /// `maxLength`.
    MaxLength(u32),
    /// `pattern`.
    Pattern(PatternId),
    /// `properties`, `additionalProperties` and the names of `required` that they declare, of one node or of several.
    Members(u32),
    /// The same with `patternProperties`.
    Patterned(u32),
    /// `additionalProperties` where nothing is declared: every member meets the link.
    EachMember(Link),
    /// `required`.
    Required(InstructionId),
    /// A bound of numbers.
    Bound(InstructionId),
    /// `if`.
    If(InstructionId),
    /// `items` of one schema.
    Items(Link),
    /// `minItems`.
    MinItems(u32),
    /// `maxItems`.
    MaxItems(u32),
    /// A node, in place.
    Enter(Link),
    /// Not that node.
    Not(Link),
    /// One of the links passes.
    AnyOf(Few),
    /// Exactly one of the links passes.
    OneOf(Few),
    /// One of the links that the switch leaves passes.
    AnySwitch(u32),
    /// Exactly one of the links that the switch leaves passes.
    OneSwitch(u32),
    /// Anything else, as the other walks run it.
    Plain(InstructionId),
}

const _: () = assert!(size_of::<Operation>() <= 12, "an operation grew");

/// Some links, one after another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Few {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// What a member's text leaves of a union.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) name: Box<str>,
    pub(crate) texts: KeyTable<Few>,
    /// For integers, sorted.
    pub(crate) integers: Box<[(i64, Few)]>,
    /// For numbers that are not held as integers: all branches.
    pub(crate) any: Few,
    /// For any other value.
    pub(crate) other: Few,
    /// For an object without the member.
    pub(crate) absent: Few,
}

/// The kinds that share a run of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    Other,
    Number,
    String,
    Array,
    Object,
}

impl Run {
    pub(crate) const ALL: [Run; 5] = [Run::Other, Run::Number, Run::String, Run::Array, Run::Object];
}

/// Some operations, one after another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Operations {
    first: u32,
    count: u16,
    /// Whether the verdict is remembered.
    pub(crate) remembered: bool,
    /// Whether the verdict is remembered while a report is made.
    pub(crate) decides: bool,
}

/// How a node meets the values of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// By one operation, and nothing is remembered.
    One(Operation),
    /// By operations one after another.
    Many(Operations),
}

impl Default for Start {
    /// Nothing is asked.
    fn default() -> Start {
        Start::Many(Operations::default())
    }
}

const _: () = assert!(size_of::<Start>() <= 12, "a start grew");

/// A node's runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FusedNode {
    starts: [Start; 5],
    /// Makes a node's place a shift of its number.
    _unused: u32,
}

/// All runs of a program.
#[derive(Debug, Default)]
pub(crate) struct Fused {
    /// Of the nodes that are entered, which come first.
    pub(crate) nodes: Vec<FusedNode>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) links: Vec<Link>,
    pub(crate) members: Vec<Arc<Members>>,
    pub(crate) switches: Vec<Switch>,
    /// The unions that a switch decides for objects, sorted.
    pub(crate) unions: Vec<(InstructionId, u32)>,
    pub(crate) commons: Vec<Common>,
    /// The unions whose branches are merged for a report that counts, sorted.
    pub(crate) merged: Vec<(InstructionId, u32)>,
}

impl FusedNode {
    /// How the values of a run are met.
    #[inline]
    pub(crate) fn start(&self, run: Run) -> &Start {
        // There are as many places as runs.
        &self.starts[run as usize]
    }

    /// Sets how the values of a run are met.
    pub(crate) fn set(&mut self, run: Run, start: Start) {
        // There are as many places as runs.
        self.starts[run as usize] = start;
    }
}

impl Fused {
    /// Whether the node has runs here: the program was rewritten, and links do not decide it.
    #[inline(always)]
    pub(crate) fn has(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len()
    }

    /// Adds a run's operations; nothing where there are more than can be numbered.
    pub(crate) fn add(&mut self, operations: &[Operation]) -> Option<Operations> {
        let first = u32::try_from(self.operations.len()).ok()?;
        let count = u16::try_from(operations.len()).ok()?;
        self.operations.extend(operations);
        Some(Operations { first, count, ..Operations::default() })
    }

    /// The operations of one run.
    #[inline]
    pub(crate) fn operations(&self, run: Operations) -> &[Operation] {
        let first = run.first as usize;
        self.operations.get(first..first + usize::from(run.count)).unwrap_or_default()
    }

    /// The members of an operation.
    #[inline]
    pub(crate) fn members(&self, index: u32) -> Option<&Members> {
        self.members.get(index as usize).map(|members| &**members)
    }

    /// The links of a union.
    #[inline]
    pub(crate) fn links(&self, few: Few) -> &[Link] {
        let first = few.first as usize;
        self.links.get(first..first + few.count as usize).unwrap_or_default()
    }

    /// A switch.
    #[inline]
    pub(crate) fn switch(&self, index: u32) -> Option<&Switch> {
        self.switches.get(index as usize)
    }

    /// The switch that decides a union for objects.
    pub(crate) fn switch_of(&self, union: InstructionId) -> Option<u32> {
        index_of(&self.unions, union)
    }

    /// What the branches of a union ask together.
    pub(crate) fn common_of(&self, union: InstructionId) -> Option<u32> {
        index_of(&self.merged, union)
    }

    /// What several nodes ask together.
    #[inline]
    pub(crate) fn common(&self, index: u32) -> Option<&Common> {
        self.commons.get(index as usize)
    }

    /// Gives back what growing left over.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.operations.shrink_to_fit();
        self.links.shrink_to_fit();
        self.members.shrink_to_fit();
        self.switches.shrink_to_fit();
        self.unions.shrink_to_fit();
        self.commons.shrink_to_fit();
        self.merged.shrink_to_fit();
    }
}

fn index_of(sorted: &[(InstructionId, u32)], union: InstructionId) -> Option<u32> {
    let found = sorted.binary_search_by_key(&union, |(id, _)| *id).ok()?;
    sorted.get(found).map(|(_, index)| *index)
}
