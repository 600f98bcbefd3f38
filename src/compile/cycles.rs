//! Cycles that read no data: a schema that applies itself to the same value would never end.
//!
//! In: the filled nodes. Out: an error that names a node of such a cycle, or nothing. One walk in depth over the
//! in-place edges, on a stack of our own; linear in the edges.

use super::Compiler;
use crate::program::NodeId;
use crate::program::edges::Label;
use crate::schema::Place;
use crate::schema::error::BuildError;

pub(super) const MESSAGE: &str = "the schema refers to itself without reading any data in between";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    OnTheWay,
    Done,
}

pub(super) fn refuse(compiler: &Compiler<'_, '_>) -> Result<(), BuildError> {
    let builder = &compiler.builder;
    let mut seen = vec![Seen::Never; builder.len()];
    let mut stack = Vec::new();
    for start in 0..builder.len() {
        if seen.get(start) != Some(&Seen::Never) {
            continue;
        }
        stack.push((start, in_place(compiler, start)));
        set(&mut seen, start, Seen::OnTheWay);
        while let Some((node, targets)) = stack.last_mut() {
            let Some(target) = targets.pop() else {
                set(&mut seen, *node, Seen::Done);
                stack.pop();
                continue;
            };
            match seen.get(target).copied().unwrap_or(Seen::Done) {
                Seen::Done => {}
                Seen::Never => {
                    set(&mut seen, target, Seen::OnTheWay);
                    stack.push((target, in_place(compiler, target)));
                }
                Seen::OnTheWay => return Err(error(compiler, target)),
            }
        }
    }
    Ok(())
}

fn set(seen: &mut [Seen], node: usize, state: Seen) {
    if let Some(slot) = seen.get_mut(node) {
        *slot = state;
    }
}

fn in_place(compiler: &Compiler<'_, '_>, node: usize) -> Vec<usize> {
    let mut targets = Vec::new();
    let draft = NodeId::new(node).ok().and_then(|id| compiler.builder.draft(id));
    for instruction in draft.into_iter().flat_map(|draft| draft.instructions()) {
        instruction.edges(|edge| {
            if edge.label == Label::InPlace {
                targets.push(edge.to.index());
            }
        });
    }
    targets
}

fn error(compiler: &Compiler<'_, '_>, node: usize) -> BuildError {
    let draft = NodeId::new(node).ok().and_then(|id| compiler.builder.draft(id));
    match draft {
        Some(draft) => {
            let place = Place { resource: 0, location: draft.location };
            compiler.registry.error(place, "", MESSAGE)
        }
        None => BuildError::new("#", MESSAGE),
    }
}
