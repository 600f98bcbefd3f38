//! The program: the compiled instruction tree of one schema. Data only, free of dialects, no reference left.
//!
//! In: nodes and instructions from the compiler, through [`Builder`]. Out: a frozen [`Program`]: ids and boxed
//! slices that the engine runs, and a side table ([`Locations`]) with what only an error needs. Size is linear in the
//! schema (times the dynamic copies that the compiler's limit allows).

mod builder;
mod common;
pub(crate) mod cost;
pub(crate) mod edges;
mod fused;
pub(crate) mod ids;
pub(crate) mod instruction;
mod keys;
mod link;
mod location;
mod names;
pub(crate) mod print;
mod thin;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub(crate) use builder::{Builder, NodeDraft};
pub(crate) use common::{Below, Common};
pub(crate) use fused::{Few, Fused, FusedNode, Operation, Operations, Run, Start, Switch};
pub(crate) use ids::{
    CustomFormatId, CustomKeywordId, InstructionId, LocationId, NodeId, PatternId, TooLarge,
};
pub(crate) use instruction::{
    Choice, Choices, Conditional, Contains, Dependents, Instruction, Items, Members, NamedNodes, Others,
    PropertyDependents, Required, Rest, Tag, Union,
};
pub(crate) use keys::KeyTable;
pub(crate) use link::Link;
pub(crate) use location::{Locations, Parted, Step, push_keyword, push_token};
pub(crate) use names::Name;

use crate::keyword::Accepts;
use crate::pattern::Pattern;
use crate::value::{Kind, Kinds, Types};

/// Which values a group of a node's instructions concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Any,
    Number,
    String,
    Array,
    Object,
}

impl Group {
    /// The kinds of value that the group concerns.
    pub(crate) fn kinds(self) -> Kinds {
        match self {
            Group::Any => Kinds::ALL,
            Group::Number => Kinds::of([Kind::Integer, Kind::Float, Kind::Text]),
            Group::String => Kinds::of([Kind::String]),
            Group::Array => Kinds::of([Kind::Array]),
            Group::Object => Kinds::of([Kind::Object]),
        }
    }
}

/// One schema as it is applied to one value: a type mask, and its instructions grouped by what they concern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Values of other types fail at once.
    pub(crate) types: Types,
    /// Whether a value can reach this node by two routes, so that what was found is remembered.
    pub(crate) shared: bool,
    /// Whether this node decides what is reported and can lie under another node that does: remembered while a
    /// report is made, so that nothing is decided again at every level.
    pub(crate) decides: bool,
    /// Kinds of value of which the node asks nothing but their type.
    pub(crate) quiet: Kinds,
    /// Whether a value that enters this node as a child enters no other node as a child: what was found of it is
    /// forgotten when it is left.
    pub(crate) alone: bool,
    /// Whether a value that enters this node as a child has no problem that is told elsewhere: a report counts it without
    /// asking whether it was counted.
    pub(crate) once: bool,
    /// The first instruction, and how many there are of each group.
    first: InstructionId,
    counts: Counts,
}

const _: () = assert!(size_of::<Node>() <= 16, "a node grew");

/// How many instructions a node has of each group.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    any: u16,
    object: u16,
    number: u8,
    /// Strings' in the lower half, arrays' in the upper.
    string_and_array: u8,
}

impl Counts {
    /// Counts one more; nothing where there are more than can be counted, which all keywords of the language are not.
    fn add(&mut self, group: Group) -> Option<()> {
        let half = |count: u8| (count < 15).then_some(());
        match group {
            Group::Any => self.any = self.any.checked_add(1)?,
            Group::Object => self.object = self.object.checked_add(1)?,
            Group::Number => self.number = self.number.checked_add(1)?,
            Group::String => {
                half(self.string_and_array % 16)?;
                self.string_and_array += 1;
            }
            Group::Array => {
                half(self.string_and_array / 16)?;
                self.string_and_array += 16;
            }
        }
        Some(())
    }

    /// Where each group ends, in their order.
    #[inline]
    fn ends(self) -> [usize; 5] {
        let any = usize::from(self.any);
        let number = any + usize::from(self.number);
        let string = number + usize::from(self.string_and_array % 16);
        let array = string + usize::from(self.string_and_array / 16);
        [any, number, string, array, array + usize::from(self.object)]
    }
}

impl Node {
    /// Whether the mask is all that the node asks.
    #[inline]
    pub(crate) fn only_types(&self) -> bool {
        // Every group concerns a kind that is known.
        self.quiet == Kinds::KNOWN
    }

    /// The instructions of `group`, as offsets from [`Node::first`].
    #[inline]
    fn offsets(&self, group: Group) -> Range<usize> {
        let [any, number, string, array, object] = self.counts.ends();
        match group {
            Group::Any => 0..any,
            Group::Number => any..number,
            Group::String => number..string,
            Group::Array => string..array,
            Group::Object => array..object,
        }
    }

    /// How many instructions the node has.
    pub(crate) fn len(&self) -> usize {
        self.counts.ends()[4]
    }
}

/// A caller's own format.
#[derive(Clone)]
pub(crate) struct CustomFormat {
    pub(crate) name: Box<str>,
    pub(crate) accepts: Arc<dyn Fn(&str) -> bool + Send + Sync>,
}

impl fmt::Debug for CustomFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomFormat").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A caller's own keyword at one place of the schema, bounded already.
#[derive(Clone)]
pub(crate) struct KeywordAtPlace {
    pub(crate) name: Box<str>,
    pub(crate) text: Box<str>,
    pub(crate) accepts: Accepts,
}

impl fmt::Debug for KeywordAtPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeywordAtPlace").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Program {
    root: Link,
    nodes: Box<[Node]>,
    instructions: Box<[Instruction]>,
    /// The keyword of each instruction.
    names: Box<[Name]>,
    node_locations: Box<[LocationId]>,
    /// Where the keywords stand that do not stand where their nodes do, sorted.
    elsewhere: Box<[(InstructionId, LocationId)]>,
    locations: Locations,
    patterns: Box<[Pattern]>,
    custom_formats: Box<[CustomFormat]>,
    custom_keywords: Box<[KeywordAtPlace]>,
    fused: Fused,
    root_members: Option<u32>,
    entered: usize,
    casts: bool,
    uses_memory: bool,
    hashes_nest: bool,
}

impl Program {
    /// Where a walk begins.
    pub(crate) fn root(&self) -> NodeId {
        self.root.node
    }

    /// The link to where a walk begins.
    pub(crate) fn root_link(&self) -> Link {
        self.root
    }

    /// The members that alone decide an object at the root, where a verdict takes no memory and no keyword of the caller's: as
    /// most tools are.
    #[inline]
    pub(crate) fn root_members(&self) -> Option<u32> {
        self.root_members
    }

    /// The nodes, from the first on, that a walk that only wants a verdict enters: links decide the others, but for numbers that
    /// have to be read.
    pub(crate) fn entered(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes_with_ids().take(self.entered)
    }

    /// The program as the walk that only wants a verdict runs it; empty where it was not rewritten.
    #[inline]
    pub(crate) fn fused(&self) -> &Fused {
        &self.fused
    }

    /// Sets what [`Program::fused`] gives.
    pub(crate) fn set_fused(&mut self, fused: Fused) {
        let start = fused.nodes.get(self.root.node.index()).map(|node| node.start(Run::Object));
        let is_counted = !self.uses_memory && !self.has_custom_keywords();
        self.root_members = match start {
            Some(Start::One(Operation::Members(index))) if is_counted => Some(*index),
            Some(Start::One(_) | Start::Many(_)) | None => None,
        };
        self.fused = fused;
    }

    // Ids are given out by the builder for the slices that they index, and a program is frozen: an id of this
    // program is always within bounds, which is why plain indexing cannot fail below.

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    #[inline]
    pub(crate) fn instruction(&self, id: InstructionId) -> &Instruction {
        &self.instructions[id.index()]
    }

    /// The instructions of one group of a node, with their ids.
    #[inline]
    pub(crate) fn group(
        &self,
        node: &Node,
        group: Group,
    ) -> impl Iterator<Item = (InstructionId, &Instruction)> {
        let offsets = node.offsets(group);
        let start = node.first.index();
        let run = &self.instructions[start + offsets.start..start + offsets.end];
        let first = node.first.after(offsets.start);
        run.iter().enumerate().map(move |(offset, instruction)| (first.after(offset), instruction))
    }

    /// The first instruction of a node, which its `type` is where it has one.
    #[inline]
    pub(crate) fn first(&self, node: &Node) -> InstructionId {
        node.first
    }

    /// The node that an instruction belongs to: nodes are frozen in the order of their instructions.
    pub(crate) fn owner(&self, id: InstructionId) -> Option<NodeId> {
        let after = self.nodes.partition_point(|node| node.first <= id);
        NodeId::new(after.checked_sub(1)?).ok()
    }

    /// The keyword of an instruction, as the author's dialect names it; empty for the schema `false` and for a keyword of
    /// the caller's.
    pub(crate) fn keyword(&self, id: InstructionId) -> &'static str {
        self.names[id.index()].text()
    }

    /// The subschema that the keyword of an instruction stands in. Takes the logarithm of the nodes.
    pub(crate) fn place_of(&self, id: InstructionId) -> LocationId {
        let elsewhere = self.elsewhere.binary_search_by_key(&id, |(id, _)| *id);
        if let Some((_, location)) = elsewhere.ok().and_then(|found| self.elsewhere.get(found)) {
            return *location;
        }
        // Every instruction has a node.
        self.location_of(self.owner(id).unwrap_or(NodeId::FIRST))
    }

    pub(crate) fn location_of(&self, id: NodeId) -> LocationId {
        self.node_locations[id.index()]
    }

    pub(crate) fn locations(&self) -> &Locations {
        &self.locations
    }

    #[inline]
    pub(crate) fn pattern(&self, id: PatternId) -> &Pattern {
        &self.patterns[id.index()]
    }

    pub(crate) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    pub(crate) fn custom_format(&self, id: CustomFormatId) -> &CustomFormat {
        &self.custom_formats[id.index()]
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    pub(crate) fn nodes_with_ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| Some((NodeId::new(index).ok()?, node)))
    }

    pub(crate) fn instructions_with_ids(&self) -> impl Iterator<Item = (InstructionId, &Instruction)> {
        let all = self.instructions.iter().enumerate();
        all.filter_map(|(index, instruction)| Some((InstructionId::new(index).ok()?, instruction)))
    }

    #[inline]
    pub(crate) fn custom_keyword(&self, id: CustomKeywordId) -> &KeywordAtPlace {
        &self.custom_keywords[id.index()]
    }

    /// Whether code of the caller's is handed values.
    pub(crate) fn has_custom_keywords(&self) -> bool {
        !self.custom_keywords.is_empty()
    }

    /// Whether a walk that only wants a verdict may use more of a scratch than its counters.
    #[inline]
    pub(crate) fn uses_memory(&self) -> bool {
        self.uses_memory
    }

    /// Whether an array whose items are hashed can lie in an item of another such array.
    #[inline]
    pub(crate) fn hashes_nest(&self) -> bool {
        self.hashes_nest
    }

    /// Whether any node casts a whole-number float to an integer.
    pub(crate) fn casts(&self) -> bool {
        self.casts
    }
}
