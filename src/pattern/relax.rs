//! What a pattern with back-references asks at least: a regular pattern that matches wherever it does.
//!
//! In: the parser's tree. Out: a tree for one automaton: where that finds nothing, nothing need be tried. A reference
//! becomes what its group could have read, or nothing; look-arounds, and `\B`, for which an automaton does not serve,
//! become nothing. All of them are conditions, and what is left has no negation, so no match is lost.
//!
//! A group is written out once for each reference to it, so the tree can grow: by [`COPIED`] nodes at most.

use std::sync::Arc;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::ast::{Assertion, Node};
use super::set::Set;

/// Nodes that references may copy from their groups; a reference that needs more becomes any text. Real patterns copy a
/// few.
const COPIED: usize = 256;

/// Levels of the tree below which no group is copied: a copy must not make the tree deeper than its author could.
const COPIED_DEPTH: usize = 64;

/// A tree that matches wherever `root` does.
pub(super) fn relax(root: &Node) -> Node {
    let mut groups = Vec::new();
    collect(root, &mut groups);
    Relaxer { groups, left: COPIED }.relax(root, 0)
}

/// The bodies of the groups in `node`, in the order of their numbers; the depth is the tree's.
fn collect<'n>(node: &'n Node, groups: &mut Vec<&'n Node>) {
    match node {
        Node::Capture(_, body) => {
            groups.push(body);
            collect(body, groups);
        }
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().for_each(|node| collect(node, groups)),
        Node::Repeat { node, .. } | Node::Look(_, node) => collect(node, groups),
        Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) | Node::Reference(_) => {}
    }
}

struct Relaxer<'n> {
    groups: Vec<&'n Node>,
    /// Of [`COPIED`].
    left: usize,
}

impl Relaxer<'_> {
    fn relax(&mut self, node: &Node, depth: usize) -> Node {
        match node {
            Node::Look(..) | Node::Assert(Assertion::NotWordBoundary) => Node::Empty,
            Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) => node.clone(),
            Node::Concat(nodes) => Node::Concat(nodes.iter().map(|n| self.relax(n, depth + 1)).collect()),
            Node::Alternate(nodes) => {
                Node::Alternate(nodes.iter().map(|n| self.relax(n, depth + 1)).collect())
            }
            Node::Repeat { node, min, max, lazy } => {
                let node = Box::new(self.relax(node, depth + 1));
                Node::Repeat { node, min: *min, max: *max, lazy: *lazy }
            }
            Node::Capture(_, body) => self.relax(body, depth + 1),
            Node::Reference(group) => self.reference(*group, depth),
        }
    }

    /// What a reference to `group` reads: what the group did, or nothing if it took no part.
    fn reference(&mut self, group: u32, depth: usize) -> Node {
        let body = (group as usize).checked_sub(1).and_then(|index| self.groups.get(index).copied());
        match body.and_then(|body| self.text(body, depth + 1)) {
            Some(text) => Node::Repeat { node: Box::new(text), min: 0, max: Some(1), lazy: false },
            None => anything(),
        }
    }

    /// What `node` may have read, wherever it stood: conditions on that place are left out.
    fn text(&mut self, node: &Node, depth: usize) -> Option<Node> {
        if depth > COPIED_DEPTH {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        let mut texts =
            |nodes: &[Node]| -> Option<Vec<Node>> { nodes.iter().map(|n| self.text(n, depth + 1)).collect() };
        match node {
            Node::Empty | Node::Assert(_) | Node::Look(..) => Some(Node::Empty),
            Node::Char(_) | Node::Set(_) => Some(node.clone()),
            Node::Concat(nodes) => Some(Node::Concat(texts(nodes)?)),
            Node::Alternate(nodes) => Some(Node::Alternate(texts(nodes)?)),
            Node::Repeat { node, min, max, lazy } => {
                let node = Box::new(self.text(node, depth + 1)?);
                Some(Node::Repeat { node, min: *min, max: *max, lazy: *lazy })
            }
            Node::Capture(_, body) => self.text(body, depth + 1),
            Node::Reference(group) => Some(self.reference(*group, depth)),
        }
    }
}

/// Any text, read by no look at it.
fn anything() -> Node {
    let all = ClassUnicode::new([ClassUnicodeRange::new('\0', char::MAX)]);
    Node::Repeat { node: Box::new(Node::Set(Arc::new(Set::new(&all)))), min: 0, max: None, lazy: false }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse;
    use super::*;

    fn written(source: &str) -> String {
        format!("{:?}", relax(&parse(source).unwrap().root))
    }

    #[test]
    fn a_reference_becomes_what_its_group_reads() {
        assert_eq!(written(r"(a|b)x\1"), written("(?:a|b)x(?:a|b)?"));
        assert_eq!(written(r"((c)\2)\1"), written("(?:c(?:c)?)(?:c(?:c)?)?"));
        // Where it stands it knows nothing of what stood around its group.
        assert_eq!(written(r"(\ba)\1"), written(r"(?:\ba)(?:(?:)a)?"));
        // A reference before its group, or inside it, reads something all the same.
        assert_eq!(written(r"\1(a)"), written("(?:a)?(?:a)"));
        assert!(!written(r"(a\1)").contains("Reference"));
    }

    #[test]
    fn what_needs_another_matcher_is_left_out() {
        assert_eq!(written(r"(a)(?!\1)b"), written("(?:a)(?:)b"));
        assert_eq!(written(r"(?<=(a)b)\1\b\B"), written(r"(?:)(?:a)?\b(?:)"));
    }

    #[test]
    fn copies_are_counted() {
        // Each level would double what is copied.
        let doubling: String = (2..40).map(|group| format!(r"(\{group}\{group}")).collect();
        let source = doubling + "(a)" + &")".repeat(38);
        let relaxed = written(&source);
        assert!(!relaxed.contains("Reference") && relaxed.len() < 1 << 20);
    }
}
