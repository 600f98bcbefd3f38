//! What the branches of a union ask together, for a report that only counts.
//!
//! In: from the compiler's rewrites, for a union whose branches can be merged. Out: for a value that no branch passes, the
//! places at or below it that at least one branch refuses. They are the places that the branches would tell of one by one,
//! without what is said of them. Size is within a share of the program's.

use super::fused::Few;
use super::keys::KeyTable;
use super::link::Link;
use crate::value::Kinds;

/// What several nodes ask of one value.
#[derive(Debug)]
pub(crate) struct Common {
    /// Kinds that one of them refuses at the value itself.
    pub(crate) fails: Kinds,
    /// The strings that all of them admit, where one lists any.
    pub(crate) texts: Option<KeyTable<()>>,
    /// Names that one of them requires.
    pub(crate) required: Box<[Box<str>]>,
    /// What applies to members.
    pub(crate) members: KeyTable<Below>,
    /// What applies to items.
    pub(crate) items: Option<Below>,
    /// All of the nodes.
    pub(crate) all: Few,
    /// Those that nothing above speaks for.
    pub(crate) rest: Few,
}

/// What applies to a child.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Below {
    /// One node.
    One(Link),
    /// Several, together.
    Common(u32),
    /// Several, one by one.
    Each(Few),
}
