//! Typed indices into a program.
//!
//! In: a length. Out: an id that can only index what it was made for. Every conversion between `usize` and
//! `u32` of this crate's programs stands in this file; a program too large for an id is an error and never wraps.

/// A program that has more parts than an id can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(u32);

        impl $name {
            /// The id of the part at `index`.
            pub(crate) fn new(index: usize) -> Result<Self, TooLarge> {
                u32::try_from(index).map(Self).map_err(|_| TooLarge)
            }

            /// The place in the slice that this id numbers.
            #[inline]
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A node of a program: one schema as it is applied to one value.
    NodeId,
    /// An instruction of a program: one keyword, or the keywords that are checked in one walk.
    InstructionId,
    /// A pattern of a program.
    PatternId,
    /// A caller's own format.
    CustomFormatId,
    /// A caller's own keyword at one place of the schema.
    CustomKeywordId,
    /// A place in a schema document.
    LocationId,
}

impl NodeId {
    /// The id of links that lead nowhere.
    pub(crate) const FIRST: NodeId = NodeId(0);
}

impl InstructionId {
    /// The instruction `offset` places after this one, which the caller knows to lie in the same node.
    #[inline]
    pub(crate) fn after(self, offset: usize) -> Self {
        // Instructions of one node were numbered by `new`, so the sum is at most the largest id given out.
        InstructionId(self.0.wrapping_add(offset as u32))
    }
}
