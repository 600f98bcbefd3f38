//! The growable form of a program.
//!
//! In: node drafts in any order, with ids given out before they are filled (schemas may be recursive). Out: one
//! frozen [`Program`], each node's instructions one flat run grouped by type. Linear in the instructions.

use super::ids::{CustomFormatId, CustomKeywordId, InstructionId, LocationId, NodeId, PatternId, TooLarge};
use super::{
    Counts, CustomFormat, Fused, Group, Instruction, KeywordAtPlace, Link, Locations, Name, Node, Program,
};
use crate::pattern::Pattern;
use crate::value::{Kinds, Types};

/// A node while its keywords are being compiled.
#[derive(Debug)]
pub(crate) struct NodeDraft {
    pub(crate) location: LocationId,
    pub(crate) shared: bool,
    pub(crate) decides: bool,
    pub(crate) alone: bool,
    pub(crate) once: bool,
    instructions: Vec<(Group, Instruction, Site)>,
}

/// What only an error needs of an instruction.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// The subschema that the keyword stands in.
    location: LocationId,
    name: Name,
}

impl NodeDraft {
    pub(crate) fn new(location: LocationId) -> Self {
        NodeDraft {
            location,
            shared: false,
            decides: false,
            alone: false,
            once: false,
            instructions: Vec::new(),
        }
    }

    /// Adds an instruction; `keyword` is what the author's dialect calls it, and empty where that is nothing.
    pub(crate) fn push(&mut self, group: Group, instruction: Instruction, keyword: &'static str) {
        self.push_at(self.location, group, instruction, keyword);
    }

    /// Adds an instruction whose keyword stands elsewhere than in the node's own schema.
    pub(crate) fn push_at(
        &mut self,
        location: LocationId,
        group: Group,
        instruction: Instruction,
        keyword: &'static str,
    ) {
        let name = Name::of(keyword).unwrap_or(Name::NONE);
        self.instructions.push((group, instruction, Site { location, name }));
    }

    /// An instruction, to complete it once every node is filled.
    pub(crate) fn instruction_mut(&mut self, place: usize) -> Option<&mut Instruction> {
        self.instructions.get_mut(place).map(|(_, instruction, _)| instruction)
    }

    /// The instructions so far, to rewrite them.
    pub(crate) fn instructions_mut(&mut self) -> impl Iterator<Item = &mut Instruction> {
        self.instructions.iter_mut().map(|(_, instruction, _)| instruction)
    }

    /// The instructions so far, each with what it concerns.
    pub(crate) fn grouped(&self) -> impl Iterator<Item = (Group, &Instruction)> {
        self.instructions.iter().map(|(group, instruction, _)| (*group, instruction))
    }

    /// The instructions so far.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.iter().map(|(_, instruction, _)| instruction)
    }
}

/// A program while it grows.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    nodes: Vec<Option<NodeDraft>>,
    patterns: Vec<Pattern>,
    custom_formats: Vec<CustomFormat>,
    custom_keywords: Vec<KeywordAtPlace>,
    /// See [`Program::hashes_nest`].
    pub(crate) hashes_nest: bool,
    /// See [`Program::entered`]; nothing where that is all nodes.
    pub(crate) entered: Option<usize>,
}

impl Builder {
    /// Gives out the id of a node that is filled later.
    pub(crate) fn reserve(&mut self) -> Result<NodeId, TooLarge> {
        let id = NodeId::new(self.nodes.len())?;
        self.nodes.push(None);
        Ok(id)
    }

    /// Fills a reserved node.
    pub(crate) fn fill(&mut self, id: NodeId, draft: NodeDraft) {
        if let Some(slot) = self.nodes.get_mut(id.index()) {
            *slot = Some(draft);
        }
    }

    /// The drafts filled so far, by id.
    pub(crate) fn drafts(&self) -> impl Iterator<Item = (usize, &NodeDraft)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node.as_ref()?)))
    }

    /// The draft of `id`, to mark it.
    pub(crate) fn draft_mut(&mut self, id: NodeId) -> Option<&mut NodeDraft> {
        self.nodes.get_mut(id.index())?.as_mut()
    }

    /// The draft of `id`.
    pub(crate) fn draft(&self, id: NodeId) -> Option<&NodeDraft> {
        self.nodes.get(id.index())?.as_ref()
    }

    /// The nodes by id, those that are not filled as nothing.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Option<&NodeDraft>> {
        self.nodes.iter().map(Option::as_ref)
    }

    /// The drafts filled so far, to rewrite them.
    pub(crate) fn drafts_mut(&mut self) -> impl Iterator<Item = &mut NodeDraft> {
        self.nodes.iter_mut().flatten()
    }

    /// Gives the nodes other ids, each its own; whoever holds links has changed them.
    pub(crate) fn renumber(&mut self, ids: &[NodeId]) {
        let mut nodes: Vec<Option<NodeDraft>> = Vec::new();
        nodes.resize_with(self.nodes.len(), || None);
        for (node, id) in std::mem::take(&mut self.nodes).into_iter().zip(ids) {
            if let Some(place) = nodes.get_mut(id.index()) {
                *place = node;
            }
        }
        self.nodes = nodes;
    }

    /// How many nodes have ids.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn add_pattern(&mut self, pattern: Pattern) -> Result<PatternId, TooLarge> {
        let id = PatternId::new(self.patterns.len())?;
        self.patterns.push(pattern);
        Ok(id)
    }

    pub(crate) fn pattern(&self, id: PatternId) -> Option<&Pattern> {
        self.patterns.get(id.index())
    }

    pub(crate) fn add_custom_format(&mut self, format: CustomFormat) -> Result<CustomFormatId, TooLarge> {
        let id = CustomFormatId::new(self.custom_formats.len())?;
        self.custom_formats.push(format);
        Ok(id)
    }

    pub(crate) fn add_custom_keyword(
        &mut self,
        keyword: KeywordAtPlace,
    ) -> Result<CustomKeywordId, TooLarge> {
        let id = CustomKeywordId::new(self.custom_keywords.len())?;
        self.custom_keywords.push(keyword);
        Ok(id)
    }

    /// Freezes the program. Fails where an id would not fit, or where a reserved node was never filled (which
    /// would be a fault of the compiler: refused rather than run).
    pub(crate) fn freeze(self, root: Link, mut locations: Locations) -> Result<Program, TooLarge> {
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut node_locations = Vec::with_capacity(self.nodes.len());
        let mut instructions = Vec::new();
        let (mut names, mut elsewhere) = (Vec::new(), Vec::new());
        let mut casts = false;
        let mut uses_memory = false;
        for draft in self.nodes {
            let mut draft = draft.ok_or(TooLarge)?;
            let first = InstructionId::new(instructions.len())?;
            // `type` first: the engine tests the mask and then skips it. The sort is stable otherwise.
            draft.instructions.sort_by_key(|(group, instruction, _)| {
                (*group, !matches!(instruction, Instruction::Type(_)))
            });
            let mut types = Types::ALL;
            let mut counts = Counts::default();
            let mut quiet = Kinds::KNOWN;
            for (group, instruction, site) in draft.instructions {
                if let Instruction::Type(mask) = instruction {
                    types = mask;
                    casts |= mask.is_integer_only();
                } else {
                    quiet = quiet.without(group.kinds());
                }
                uses_memory |= instruction.uses_memory();
                counts.add(group).ok_or(TooLarge)?;
                if site.location != draft.location {
                    elsewhere.push((InstructionId::new(instructions.len())?, site.location));
                }
                instructions.push(instruction);
                names.push(site.name);
            }
            // The last id that `InstructionId::after` can reach.
            InstructionId::new(instructions.len())?;
            let NodeDraft { shared, decides, alone, once, location, .. } = draft;
            uses_memory |= shared;
            nodes.push(Node { types, shared, decides, quiet, alone, once, first, counts });
            node_locations.push(location);
        }
        locations.shrink();
        Ok(Program {
            root,
            fused: Fused::default(),
            root_members: None,
            entered: self.entered.unwrap_or(nodes.len()),
            nodes: nodes.into(),
            instructions: instructions.into(),
            names: names.into(),
            node_locations: node_locations.into(),
            elsewhere: elsewhere.into(),
            locations,
            patterns: self.patterns.into(),
            custom_formats: self.custom_formats.into(),
            custom_keywords: self.custom_keywords.into(),
            casts,
            uses_memory,
            hashes_nest: self.hashes_nest,
        })
    }
}
