//! Unions that a property tells apart.
//!
//! In: the filled nodes. Out: on each `anyOf` and `oneOf` that has one, its [`Tag`]: a property that every branch
//! requires and limits to strings, no string in two branches; the first such name by bytes.
//!
//! A branch is looked at through its in-place references and `allOf`, at most [`LOOK`] nodes of it, so that the
//! search is linear in the schema.

use std::collections::{BTreeMap, BTreeSet};

use crate::program::{Builder, Instruction, NodeId, Tag, Union};

/// Nodes of one branch, and of one property's schema, that are looked at. Real branches need two or three.
const LOOK: usize = 64;

/// Nodes and keys looked at for all unions together. Many unions over one large definition would make the search
/// quadratic; past this number a union has no tag, and is reported as any other. Real schemas take a thousandth.
const LOOK_IN_ALL: usize = 2_000_000;

/// Finds the tag of every union.
pub(super) fn find(builder: &mut Builder) {
    let mut found = Vec::new();
    let mut look = Look { builder, left: LOOK_IN_ALL };
    for (node, draft) in builder.drafts() {
        for (place, instruction) in draft.instructions().enumerate() {
            if let Instruction::AnyOf(union) | Instruction::OneOf(union) = instruction
                && let Some(tag) = look.tag(union)
            {
                found.push((node, place, tag));
            }
        }
    }
    for (node, place, tag) in found {
        let Ok(id) = NodeId::new(node) else { continue };
        let Some(draft) = builder.draft_mut(id) else { continue };
        if let Some(Instruction::AnyOf(union) | Instruction::OneOf(union)) = draft.instruction_mut(place) {
            union.tag = Some(Box::new(tag));
        }
    }
}

/// The search, and what is left of it.
struct Look<'b> {
    builder: &'b Builder,
    left: usize,
}

impl<'b> Look<'b> {
    fn tag(&mut self, union: &Union) -> Option<Tag> {
        // Names that every branch so far requires and limits, with each string's branch.
        let mut names: BTreeMap<&str, BTreeMap<&str, u32>> = BTreeMap::new();
        for (branch, node) in (0_u32..).zip(&union.branches) {
            let candidates = self.candidates(node.node);
            if branch == 0 {
                names = candidates
                    .into_iter()
                    .map(|(name, strings)| (name, strings.into_iter().map(|string| (string, 0)).collect()))
                    .collect();
            } else {
                names.retain(|name, strings| {
                    let Some(own) = candidates.get(name) else { return false };
                    own.iter().all(|string| strings.insert(string, branch).is_none())
                });
            }
            if names.is_empty() || self.left == 0 {
                return None;
            }
        }
        let (name, strings) = names.into_iter().next()?;
        let branches = strings.into_iter().map(|(string, branch)| (string.into(), branch)).collect();
        Some(Tag { name: name.into(), branches })
    }

    /// The names that a branch requires and limits to strings, with those strings.
    fn candidates(&mut self, branch: NodeId) -> BTreeMap<&'b str, BTreeSet<&'b str>> {
        let instructions = self.conjunction(branch);
        let mut required: BTreeSet<&str> = BTreeSet::new();
        for instruction in &instructions {
            if let Instruction::Required(asked) = instruction {
                self.left = self.left.saturating_sub(asked.names.len());
                required.extend(asked.names.iter().map(|name| &**name));
            }
        }
        let mut limited: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for instruction in &instructions {
            let Instruction::Members(members) = instruction else { continue };
            self.left = self.left.saturating_sub(required.len());
            if self.left == 0 {
                return BTreeMap::new();
            }
            for name in &required {
                let Some(strings) = members.named.get(name).and_then(|node| self.strings(node.node)) else {
                    continue;
                };
                // Two limits on one name: what passes is in both.
                match limited.get_mut(name) {
                    Some(earlier) => earlier.retain(|string| strings.contains(string)),
                    None => {
                        limited.insert(name, strings);
                    }
                }
            }
        }
        limited
    }

    /// The strings that a node limits a value to, if all that it admits are strings of a list.
    fn strings(&mut self, node: NodeId) -> Option<BTreeSet<&'b str>> {
        let mut limit: Option<BTreeSet<&str>> = None;
        for instruction in self.conjunction(node) {
            // What admits anything but strings does not limit by strings; another keyword beside it may.
            let own: BTreeSet<&str> = if let Instruction::Const(value) = instruction
                && let Some(string) = value.as_str()
            {
                BTreeSet::from([string])
            } else if let Instruction::Enum(choices) = instruction
                && choices.only_strings()
            {
                self.left = self.left.saturating_sub(choices.len());
                choices.strings.iter().map(|(string, ())| string).collect()
            } else {
                continue;
            };
            limit = Some(match limit {
                Some(earlier) => earlier.intersection(&own).copied().collect(),
                None => own,
            });
        }
        limit
    }

    /// The instructions that must all pass for `node` to pass: its own, and those through references and `allOf`.
    fn conjunction(&mut self, node: NodeId) -> Vec<&'b Instruction> {
        let builder = self.builder;
        let mut instructions = Vec::new();
        let mut nodes = vec![node];
        let mut at = 0;
        while let Some(next) = nodes.get(at).copied()
            && at < LOOK
        {
            at += 1;
            self.left = self.left.saturating_sub(1);
            for instruction in builder.draft(next).into_iter().flat_map(|draft| draft.instructions()) {
                if let Instruction::Reference(target) = instruction {
                    nodes.push(target.node);
                } else if let Instruction::AllOf(branches) = instruction {
                    nodes.extend(branches.iter().take(LOOK).map(|branch| branch.node));
                } else {
                    instructions.push(instruction);
                }
            }
        }
        instructions
    }
}
