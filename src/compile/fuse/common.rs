//! What the branches of a union ask together ([`Common`]), so that a report counts what they all refuse in one walk.
//!
//! In: the branches of an `anyOf` or `oneOf`. Out: their types, strings, members and items, merged; a branch that asks
//! anything else is left as it is.
//!
//! Cost: what is merged is looked at once for each place of it, within a share of the program's size.

use std::collections::{BTreeMap, BTreeSet};

use super::emit::Emitter;
use crate::program::{Below, Common, Group, Instruction, KeyTable, Link, Node, Program};
use crate::value::{Kind, Kinds};

/// Branches of a union that is worth it.
const BRANCHES: usize = 4;

/// Levels of a value that are merged. Below them each branch goes its own way.
const LEVELS: usize = 4;

/// References that are followed, from a branch to what it asks.
const REFERENCES: usize = 8;

/// What some nodes ask, before it has its place.
#[derive(Default)]
struct Asked<'p> {
    texts: Option<BTreeSet<&'p str>>,
    required: BTreeSet<&'p str>,
    members: BTreeMap<&'p str, Vec<Link>>,
    items: Vec<Link>,
}

impl Emitter<'_> {
    /// Merges the branches of every union.
    pub(super) fn commons(&mut self) {
        let program = self.program;
        for (id, instruction) in program.instructions_with_ids() {
            if let Instruction::AnyOf(union) | Instruction::OneOf(union) = instruction
                && union.branches.len() >= BRANCHES
                && let Some(index) = self.common(&union.branches, LEVELS)
            {
                // In the order of instructions.
                self.fused.merged.push((id, index));
            }
        }
    }

    /// What these nodes ask of one value; nothing where that is not worth it.
    fn common(&mut self, links: &[Link], levels: usize) -> Option<u32> {
        let levels = levels.checked_sub(1)?;
        let program = self.program;
        let mut asked = Asked::default();
        let mut fails = Kinds::NONE;
        let (mut all, mut rest) = (Vec::new(), Vec::new());
        for link in links {
            self.merging = self.merging.checked_sub(1)?;
            let node = behind(program, *link);
            match size(program, node) {
                Some(size) => {
                    self.merging = self.merging.checked_sub(size)?;
                    fails = fails.or(asked.add(program, node));
                    all.push(*link);
                }
                None => rest.push(*link),
            }
        }
        if all.len() < 2 {
            return None;
        }
        all.extend(&rest);
        let (all, rest) = (self.few(&all)?, self.few(&rest)?);
        let mut members = Vec::new();
        for (name, links) in asked.members {
            members.push((name, self.below(links, levels)?));
        }
        let items = if asked.items.is_empty() { None } else { Some(self.below(asked.items, levels)?) };
        let texts = asked.texts.map(|texts| texts.into_iter().map(|text| (text, ())).collect());
        let index = u32::try_from(self.fused.commons.len()).ok()?;
        self.fused.commons.push(Common {
            fails,
            texts: texts.map(KeyTable::new),
            required: asked.required.into_iter().map(Into::into).collect(),
            members: KeyTable::new(members),
            items,
            all,
            rest,
        });
        Some(index)
    }

    /// What some nodes ask of a child.
    fn below(&mut self, mut links: Vec<Link>, levels: usize) -> Option<Below> {
        links.sort_unstable_by_key(|link| link.node);
        links.dedup_by_key(|link| link.node);
        match *links {
            [only] => Some(Below::One(only)),
            _ => match self.common(&links, levels) {
                Some(index) => Some(Below::Common(index)),
                None => self.few(&links).map(Below::Each),
            },
        }
    }
}

/// The node that a chain of references leads to.
fn behind(program: &Program, mut link: Link) -> &Node {
    for _ in 0..REFERENCES {
        let node = program.node(link.node);
        // A node that asks nothing has no first instruction.
        if node.len() == 1
            && !node.shared
            && let Instruction::Reference(next) = program.instruction(program.first(node))
        {
            link = *next;
        } else {
            return node;
        }
    }
    program.node(link.node)
}

/// What there is to look at in a node, if all that it asks can be merged.
fn size(program: &Program, node: &Node) -> Option<usize> {
    // A value that may meet it again is remembered there.
    if node.shared {
        return None;
    }
    let groups = [Group::Any, Group::Number, Group::String, Group::Array, Group::Object];
    let instructions = groups.into_iter().flat_map(|group| program.group(node, group));
    let sizes = instructions.map(|(_, instruction)| {
        if let Instruction::Type(types) = instruction {
            // What is an integer has to be read.
            (!types.is_integer_only()).then_some(1)
        } else if let Instruction::Enum(choices) = instruction {
            choices.only_strings().then_some(choices.strings.len())
        } else if let Instruction::Const(value) = instruction {
            value.is_string().then_some(1)
        } else if let Instruction::Required(required) = instruction {
            Some(required.names.len())
        } else if let Instruction::Members(members) = instruction {
            (members.patterns.is_empty() && members.additional().is_none()).then_some(members.named.len())
        } else if let Instruction::Items(items) = instruction {
            items.prefix().is_empty().then_some(1)
        } else {
            None
        }
    });
    sizes.sum()
}

impl<'p> Asked<'p> {
    /// Adds what a node asks; the answer is the kinds that it refuses.
    fn add(&mut self, program: &'p Program, node: &'p Node) -> Kinds {
        let mut fails = Kinds::NONE;
        let no_string = Kinds::KNOWN.without(Kinds::of([Kind::String]));
        let groups = [Group::Any, Group::Array, Group::Object];
        for (_, instruction) in groups.into_iter().flat_map(|group| program.group(node, group)) {
            if let Instruction::Type(types) = instruction {
                fails = fails.or(types.refused());
            } else if let Instruction::Enum(choices) = instruction {
                fails = fails.or(no_string);
                self.admit(choices.strings.iter().map(|(text, ())| text).collect());
            } else if let Instruction::Const(value) = instruction {
                fails = fails.or(no_string);
                self.admit(value.as_str().into_iter().collect());
            } else if let Instruction::Required(required) = instruction {
                self.required.extend(required.names.iter().map(|name| &**name));
            } else if let Instruction::Members(members) = instruction {
                for (name, link) in members.named.iter().filter(|(_, link)| !link.is_always()) {
                    self.members.entry(name).or_default().push(link);
                }
            } else if let Instruction::Items(items) = instruction {
                self.items.extend(items.rest());
            }
        }
        fails
    }

    fn admit(&mut self, texts: BTreeSet<&'p str>) {
        match &mut self.texts {
            Some(admitted) => admitted.retain(|text| texts.contains(text)),
            None => self.texts = Some(texts),
        }
    }
}
