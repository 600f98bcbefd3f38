//! The table of an object's declared keys.
//!
//! In: names with the nodes that apply to their members. Out: the node of a key. Size is that of the names; a
//! look-up compares lengths before bytes and takes O(log k) comparisons of k names.

use super::ids::NodeId;

/// Declared keys, sorted by length and then by bytes.
#[derive(Debug, Default)]
pub(crate) struct KeyTable(Box<[(Box<str>, NodeId)]>);

impl KeyTable {
    pub(crate) fn new(mut names: Vec<(Box<str>, NodeId)>) -> Self {
        names.sort_by(|(a, _), (b, _)| order(a, b));
        KeyTable(names.into())
    }

    /// The node that applies to the member `key`.
    #[inline]
    pub(crate) fn get(&self, key: &str) -> Option<NodeId> {
        let found = self.0.binary_search_by(|(name, _)| order(name, key)).ok()?;
        self.0.get(found).map(|(_, node)| *node)
    }

    /// All names with their nodes.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, NodeId)> {
        self.0.iter().map(|(name, node)| (&**name, *node))
    }
}

#[inline]
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| a.as_bytes().cmp(b.as_bytes()))
}
