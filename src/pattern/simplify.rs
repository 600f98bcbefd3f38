//! Smaller trees that match the same strings.
//!
//! In: a tree without back-references, so that captures mean nothing. Out: the same language with no captures,
//! concatenations flat, single characters in branches joined to a set, `((a+)+)*` as `a*`. It never grows.

use std::sync::Arc;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::ast::Node;
use super::set::Set;

/// The depth is the tree's.
pub(super) fn simplify(node: Node) -> Node {
    match node {
        Node::Empty | Node::Char(_) | Node::Set(_) | Node::Assert(_) | Node::Reference(_) => node,
        Node::Capture(_, node) => simplify(*node),
        Node::Look(look, node) => Node::Look(look, Box::new(simplify(*node))),
        Node::Concat(nodes) => concat(nodes.into_iter().map(simplify)),
        Node::Alternate(nodes) => alternate(nodes.into_iter().map(simplify).collect()),
        Node::Repeat { node, min, max, lazy } => match (simplify(*node), min, max) {
            (_, _, Some(0)) | (Node::Empty, _, _) => Node::Empty,
            (node, 1, Some(1)) => node,
            (Node::Repeat { node, min: inner_min, max: inner_max, lazy: inner_lazy }, min, max) => {
                match product((inner_min, inner_max), (min, max)) {
                    Some((min, max)) => Node::Repeat { node, min, max, lazy },
                    None => {
                        let inner = Node::Repeat { node, min: inner_min, max: inner_max, lazy: inner_lazy };
                        Node::Repeat { node: Box::new(inner), min, max, lazy }
                    }
                }
            }
            (node, min, max) => Node::Repeat { node: Box::new(node), min, max, lazy },
        },
    }
}

/// The counts of a repeated repetition as one, where the counts that it allows have no gap. They have none if
/// one more iteration can always go on where the last count ended: the inner minimum is 0 or 1, or the outer
/// count is fixed. Neither maximum is 0.
fn product(inner: (u32, Option<u32>), outer: (u32, Option<u32>)) -> Option<(u32, Option<u32>)> {
    if inner.0 > 1 && outer.1 != Some(outer.0) {
        return None;
    }
    let min = inner.0.checked_mul(outer.0)?;
    match (inner.1, outer.1) {
        (Some(inner), Some(outer)) => Some((min, Some(inner.checked_mul(outer)?))),
        (None, _) | (_, None) => Some((min, None)),
    }
}

/// The nodes one after another, without a concatenation inside.
pub(super) fn concat(nodes: impl IntoIterator<Item = Node>) -> Node {
    let mut flat = Vec::new();
    for node in nodes {
        match node {
            Node::Empty => {}
            Node::Concat(inner) => flat.extend(inner),
            Node::Char(_)
            | Node::Set(_)
            | Node::Assert(_)
            | Node::Alternate(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => flat.push(node),
        }
    }
    match flat.len() {
        0 => Node::Empty,
        1 => flat.swap_remove(0),
        _ => Node::Concat(flat),
    }
}

fn alternate(nodes: Vec<Node>) -> Node {
    let mut ranges = Vec::new();
    for node in &nodes {
        match node {
            Node::Char(c) => ranges.push(ClassUnicodeRange::new(*c, *c)),
            Node::Set(set) => ranges.extend_from_slice(set.to_class().ranges()),
            Node::Empty
            | Node::Assert(_)
            | Node::Concat(_)
            | Node::Alternate(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => return Node::Alternate(nodes),
        }
    }
    let set = Set::new(&ClassUnicode::new(ranges));
    match set.single() {
        Some(c) => Node::Char(c),
        None => Node::Set(Arc::new(set)),
    }
}
