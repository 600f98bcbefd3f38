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
    /// Whether a member's name stands in the `required` beside it.
    pub(crate) required: bool,
    /// Whether a child that enters here leaves something remembered behind, which nothing else can ask for.
    pub(crate) forgets: bool,
}

impl Link {
    /// Every value passes.
    pub(crate) const ALWAYS: Link =
        Link { node: NodeId::FIRST, passes: Kinds::ALL, fails: Kinds::NONE, required: false, forgets: false };

    /// No value passes.
    pub(crate) const NEVER: Link = Link { passes: Kinds::NONE, fails: Kinds::ALL, ..Link::ALWAYS };

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
}

impl From<NodeId> for Link {
    /// A link of which nothing is known yet.
    fn from(node: NodeId) -> Link {
        Link { node, passes: Kinds::NONE, fails: Kinds::NONE, required: false, forgets: false }
    }
}
