//! A link: what an instruction holds of a node that it leads to.
//!
//! In: a node, and what the compiler could tell of it ahead. Out: for many values the verdict, without a look at the
//! node. Two words of a program, whatever the node.

use super::ids::NodeId;
use crate::value::{Kind, Kinds};

/// A node, and what is known of it by the kind of a value alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) node: NodeId,
    /// Kinds of which every value passes.
    pub(crate) passes: Kinds,
    /// Kinds of which no value passes.
    pub(crate) fails: Kinds,
    /// The same as `passes`, for a glance that takes any number for a float.
    glance: Kinds,
    flags: u8,
}

/// A member's name stands in the `required` beside it.
const REQUIRED: u8 = 1;

/// A child that enters here leaves something remembered behind, which nothing else can ask for.
const FORGETS: u8 = 2;

impl Link {
    /// Every value passes.
    pub(crate) const ALWAYS: Link =
        Link { node: NodeId::FIRST, passes: Kinds::ALL, fails: Kinds::NONE, glance: Kinds::ALL, flags: 0 };

    /// No value passes.
    pub(crate) const NEVER: Link =
        Link { passes: Kinds::NONE, fails: Kinds::ALL, glance: Kinds::NONE, ..Link::ALWAYS };

    /// Sets what is known.
    pub(crate) fn tell(&mut self, passes: Kinds, fails: Kinds, forgets: bool) {
        (self.passes, self.fails, self.glance) = (passes, fails, passes.at_a_glance());
        self.flags = if forgets { self.flags | FORGETS } else { self.flags & !FORGETS };
    }

    /// What the kind alone says; nothing where the node has to be asked.
    #[inline(always)]
    pub(crate) fn says(&self, kind: Kind) -> Option<bool> {
        if self.passes.has(kind) {
            Some(true)
        } else if self.fails.has(kind) {
            Some(false)
        } else {
            None
        }
    }

    /// Whether a glance is enough to say that a value passes.
    #[inline(always)]
    pub(crate) fn passes_at(&self, glance: Kind) -> bool {
        self.glance.has(glance)
    }

    /// Whether every value passes.
    #[inline(always)]
    pub(crate) fn is_always(&self) -> bool {
        self.passes == Kinds::ALL
    }

    /// One where the member's name stands in the `required` beside it, or else none.
    #[inline(always)]
    pub(crate) fn required(&self) -> usize {
        usize::from(self.flags & REQUIRED)
    }

    /// Says that the member's name is required; the answer is whether it was said before.
    pub(crate) fn require(&mut self) -> bool {
        let before = self.flags & REQUIRED != 0;
        self.flags |= REQUIRED;
        before
    }

    /// Whether a child that enters here leaves something remembered behind, which nothing else can ask for.
    #[inline(always)]
    pub(crate) fn forgets(&self) -> bool {
        self.flags & FORGETS != 0
    }
}

impl From<NodeId> for Link {
    /// A link of which nothing is known yet.
    fn from(node: NodeId) -> Link {
        Link { node, passes: Kinds::NONE, fails: Kinds::NONE, glance: Kinds::NONE, flags: 0 }
    }
}
