//! Rewrites that make a check cheaper and change no verdict.
//!
//! In: the filled nodes, with what must be remembered marked. Out: on every link what is known of its node by the kind
//! of a value alone, on the members of an object which of them are required, and whether a child leaves anything
//! remembered behind. Each rewrite adds to what the instructions say and takes nothing away: the walk that reports
//! needs all of it.
//!
//! Linear in the program: every node is looked at once, and every edge a fixed number of times.

mod common;
mod emit;
mod known;
mod switch;

use std::sync::Arc;

pub(super) use emit::emit;
use known::{Known, NOTHING, Said};

use crate::program::{Builder, Instruction, Link, NodeDraft, NodeId};
use crate::value::Kinds;

/// A rewrite, by its name: each can be left out, to see what it brings and that it changes no verdict.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rewrite {
    /// What the kind of a value decides is told by links, without entering a node.
    Kinds,
    /// Required members are counted in the walk over the members.
    Required,
    /// A verdict runs prepared operations.
    Runs,
    /// Small nodes are copied into those that apply them in place.
    Copies,
    /// Several walks over the members of one object are one.
    Merges,
    /// A member's value chooses the branches of a union that an object meets.
    Switches,
    /// A node that one operation decides is met by that operation's own function.
    Single,
}

impl Rewrite {
    /// All of them.
    pub const ALL: [Rewrite; 7] = [
        Rewrite::Kinds,
        Rewrite::Required,
        Rewrite::Runs,
        Rewrite::Copies,
        Rewrite::Merges,
        Rewrite::Switches,
        Rewrite::Single,
    ];
}

/// Which rewrites are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rewrites(u8);

impl Default for Rewrites {
    fn default() -> Self {
        Rewrites(u8::MAX)
    }
}

impl Rewrites {
    #[must_use]
    pub(crate) fn without(self, rewrite: Rewrite) -> Self {
        Rewrites(self.0 & !(1 << rewrite as u8))
    }

    pub(super) fn has(self, rewrite: Rewrite) -> bool {
        self.0 >> rewrite as u8 & 1 == 1
    }
}

/// Rewrites a program; hands on the link to its root. The nodes' own instructions are all there.
pub(super) fn rewrite(builder: &mut Builder, root: NodeId, rewrites: Rewrites) -> Link {
    let said = if rewrites.has(Rewrite::Kinds) { Known::of(builder) } else { Vec::new() };
    let remembers = remembering(builder);
    let alone: Vec<bool> = builder.nodes().map(|draft| draft.is_some_and(|draft| draft.alone)).collect();
    let (places, entered) = places(&said, root);
    let tell = |link: &mut Link| {
        let index = link.node.index();
        let Said { passes, fails } = said.get(index).copied().unwrap_or(NOTHING);
        let is = |flags: &[bool]| flags.get(index).copied().unwrap_or(true);
        link.tell(passes, fails, is(&alone) && is(&remembers));
        link.node = places.get(index).copied().unwrap_or(link.node);
    };
    for draft in builder.drafts_mut() {
        draft.instructions_mut().for_each(|instruction| instruction.links_mut(tell));
        if rewrites.has(Rewrite::Required) {
            tell_required(draft);
        }
    }
    let mut root = Link::from(root);
    tell(&mut root);
    if !places.is_empty() {
        builder.renumber(&places);
        builder.entered = Some(entered);
    }
    root
}

/// Whether the kind of a value that need not be read decides it.
fn is_decided(said: Said) -> bool {
    Kinds::KNOWN.without(said.passes.or(said.fails)) == Kinds::NONE
}

/// New numbers for the nodes, by which those that links decide come last, since no walk enters them that only wants a
/// verdict; and how many come before. The root is one of these.
fn places(said: &[Said], root: NodeId) -> (Vec<NodeId>, usize) {
    let is_last = |index: usize, said: &Said| is_decided(*said) && index != root.index();
    let entered = said.iter().enumerate().filter(|(index, said)| !is_last(*index, said)).count();
    let (mut first, mut last) = (0, entered);
    let places = said.iter().enumerate().map(|(index, said)| {
        let next = if is_last(index, said) { &mut last } else { &mut first };
        *next += 1;
        NodeId::new(*next - 1)
    });
    // As many numbers as were given out already.
    (places.collect::<Result<_, _>>().unwrap_or_default(), entered)
}

/// Counts required names that are declared members in the walk over the members.
fn tell_required(draft: &mut NodeDraft) {
    let mut instructions: Vec<&mut Instruction> = draft.instructions_mut().collect();
    let Some(place) = instructions.iter().position(|one| matches!(one, Instruction::Members(_))) else {
        return;
    };
    let Instruction::Members(members) = instructions.swap_remove(place) else { return };
    // Nobody else holds them yet.
    let Some(members) = Arc::get_mut(members) else { return };
    for instruction in instructions {
        let Instruction::Required(required) = instruction else { continue };
        if required.names.iter().any(|name| members.named.get(name).is_none()) {
            continue;
        }
        for name in &required.names {
            if let Some(link) = members.named.get_mut(name)
                && !link.require()
            {
                members.require(1);
            }
        }
        required.told = true;
    }
}

/// The nodes at or below which a walk may remember anything.
fn remembering(builder: &Builder) -> Vec<bool> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); builder.len()];
    let mut found = vec![false; builder.len()];
    let mut stack = Vec::new();
    for (index, draft) in builder.drafts() {
        for instruction in draft.instructions() {
            instruction.edges(|edge| {
                if let Some(from) = into.get_mut(edge.to.index()) {
                    from.push(index);
                }
            });
        }
        if draft.shared || draft.decides || draft.instructions().any(Instruction::is_unevaluated) {
            stack.push(index);
        }
    }
    while let Some(index) = stack.pop() {
        if let Some(known) = found.get_mut(index)
            && !std::mem::replace(known, true)
        {
            stack.extend(into.get(index).into_iter().flatten());
        }
    }
    found
}
