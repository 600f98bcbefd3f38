//! Rewrites that make a check cheaper and change no verdict.
//!
//! In: the filled nodes, with what must be remembered marked. Out: on every link what is known of its node by the kind
//! of a value alone, on the members of an object which of them are required, and whether a child leaves anything
//! remembered behind. Each rewrite adds to what the instructions say and takes nothing away: the walk that reports
//! needs all of it.
//!
//! Linear in the program: every node is looked at once, and every edge a fixed number of times.

use known::{Known, NOTHING, Said};

use crate::program::{Builder, Instruction, Link, NodeDraft, NodeId, Rest};

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
}

impl Rewrite {
    /// All of them.
    pub const ALL: [Rewrite; 6] = [
        Rewrite::Kinds,
        Rewrite::Required,
        Rewrite::Runs,
        Rewrite::Copies,
        Rewrite::Merges,
        Rewrite::Switches,
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

mod emit;
mod known;
mod switch;

pub(super) use emit::emit;
/// Rewrites a program; hands on the link to its root. The nodes' own instructions are all there.
pub(super) fn rewrite(builder: &mut Builder, root: NodeId, rewrites: Rewrites) -> Link {
    let said = if rewrites.has(Rewrite::Kinds) { Known::of(builder) } else { Vec::new() };
    let remembers = remembering(builder);
    let alone: Vec<bool> = builder.nodes().map(|draft| draft.is_some_and(|draft| draft.alone)).collect();
    let tell = |link: &mut Link| {
        let index = link.node.index();
        let Said { passes, fails } = said.get(index).copied().unwrap_or(NOTHING);
        (link.passes, link.fails) = (passes, fails);
        let is = |flags: &[bool]| flags.get(index).copied().unwrap_or(true);
        link.forgets = is(&alone) && is(&remembers);
    };
    for draft in builder.drafts_mut() {
        draft.instructions_mut().for_each(|instruction| instruction.links_mut(tell));
        if rewrites.has(Rewrite::Required) {
            tell_required(draft);
        }
    }
    let mut root = Link::from(root);
    tell(&mut root);
    root
}

/// Counts required names that are declared members in the walk over the members.
fn tell_required(draft: &mut NodeDraft) {
    let mut instructions: Vec<&mut Instruction> = draft.instructions_mut().collect();
    let Some(place) = instructions.iter().position(|one| matches!(one, Instruction::Members(_))) else {
        return;
    };
    let Instruction::Members(members) = instructions.swap_remove(place) else { return };
    for instruction in instructions {
        let Instruction::Required(required) = instruction else { continue };
        if required.names.iter().any(|name| members.named.get(name).is_none()) {
            continue;
        }
        for name in &required.names {
            if let Some(link) = members.named.get_mut(name)
                && !std::mem::replace(&mut link.required, true)
            {
                members.required += 1;
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
        let unevaluated = |instruction: &Instruction| {
            matches!(instruction, Instruction::UnevaluatedItems(_) | Instruction::UnevaluatedProperties(_))
        };
        if draft.shared || draft.decides || draft.instructions().any(unevaluated) {
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

impl Instruction {
    /// Calls `visit` for every link that the instruction holds.
    fn links_mut(&mut self, mut visit: impl FnMut(&mut Link)) {
        let mut rest = |rest: &mut Rest| match rest {
            Rest::Never => {}
            Rest::Node(link) => visit(link),
        };
        match self {
            Instruction::Reference(link) | Instruction::Not(link) | Instruction::PropertyNames(link) => {
                visit(link)
            }
            Instruction::AllOf(branches) => branches.iter_mut().for_each(visit),
            Instruction::AnyOf(union) | Instruction::OneOf(union) => {
                union.branches.iter_mut().for_each(visit)
            }
            Instruction::If(conditional) => {
                visit(&mut conditional.condition);
                conditional.then.iter_mut().chain(&mut conditional.otherwise).for_each(visit);
            }
            Instruction::Items(items) => items.prefix.iter_mut().chain(&mut items.rest).for_each(visit),
            Instruction::Contains(contains) => visit(&mut contains.node),
            Instruction::Members(members) => {
                members.patterns.iter_mut().for_each(|(_, found)| rest(found));
                members.additional.iter_mut().for_each(rest);
                members.named.leads_mut().for_each(visit);
            }
            Instruction::DependentSchemas(dependents) => {
                dependents.iter_mut().for_each(|(_, link)| visit(link))
            }
            Instruction::PropertyDependencies(dependents) => {
                let links = dependents.iter_mut().flat_map(|dependents| &mut dependents.nodes);
                links.for_each(|(_, link)| visit(link));
            }
            Instruction::UnevaluatedItems(found) | Instruction::UnevaluatedProperties(found) => rest(found),
            Instruction::Type(_)
            | Instruction::Never
            | Instruction::Enum(_)
            | Instruction::Const(_)
            | Instruction::Format(_)
            | Instruction::CustomKeyword(_)
            | Instruction::Minimum(_)
            | Instruction::Maximum(_)
            | Instruction::ExclusiveMinimum(_)
            | Instruction::ExclusiveMaximum(_)
            | Instruction::MultipleOf(_)
            | Instruction::MinLength(_)
            | Instruction::MaxLength(_)
            | Instruction::Pattern(_)
            | Instruction::CustomFormat(_)
            | Instruction::Content(_)
            | Instruction::MinItems(_)
            | Instruction::MaxItems(_)
            | Instruction::UniqueItems
            | Instruction::MinProperties(_)
            | Instruction::MaxProperties(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_) => {}
        }
    }
}
