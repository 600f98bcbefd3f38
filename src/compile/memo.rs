//! Which nodes a walk must remember, so that its work is linear in program times instance.
//!
//! In: the filled nodes. Out: marks on nodes. A node is *shared* when one value can enter it by two routes. Routes
//! are compared in pairs: from every node that a value enters, two different edges whose labels overlap lead one
//! child to two nodes; pairs are followed along overlapping edges, and a pair that meets in one node makes it
//! shared. Where that takes more than [`PAIR_WORK`] comparisons, every node with two incoming edges is taken,
//! which is always enough: a node entered twice has two incoming edges, or lies behind one that has.
//!
//! A node *decides* where its verdict is asked for its own sake; those that can lie under another such node are
//! remembered while a report is made, so that nothing is decided again at every level.
//!
//! A node is *alone* where a value that enters it as a child enters nothing else as a child. When such a value is
//! left, nothing leads to it again, and what was remembered of it and below it is forgotten. Such a node is entered
//! *once* by a value where it is not shared; then all problems of the value are told while it is there, but for a union's
//! tag, which is told at the member from outside.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use crate::limits::{Limits, Meter};
use crate::pattern::Caches;
use crate::program::edges::{Edge, Label};
use crate::program::{Builder, Instruction, NodeDraft, NodeId, PatternId};
use crate::value::mixing::Mixing;

/// Comparisons of edges that the pairs may take. A tenth of a second; real schemas take a few thousand.
const PAIR_WORK: usize = 1_000_000;

/// Marks every node of the program under `root`.
pub(super) fn mark(builder: &mut Builder, root: NodeId) {
    let graph = Graph::new(builder);
    let Met { mut shared, alone } =
        graph.met_by_pairs(root).unwrap_or_else(|TooMuch| graph.met_by_edges(root));
    shared.extend(graph.decided_for_unevaluated());
    let decides = graph.nested_decisions(&shared);
    let hashes_nest = graph.hashes_nest();
    let mut once: Vec<NodeId> = alone.difference(&shared).copied().collect();
    let told_from_outside = graph.tag_members();
    once.retain(|node| !told_from_outside.contains(node));
    shared.retain(|node| builder.draft(*node).is_some_and(|draft| !is_cheap(draft)));
    for node in shared {
        if let Some(draft) = builder.draft_mut(node) {
            draft.shared = true;
        }
    }
    for node in alone {
        if let Some(draft) = builder.draft_mut(node) {
            draft.alone = true;
        }
    }
    for node in once {
        if let Some(draft) = builder.draft_mut(node) {
            draft.once = true;
        }
    }
    for node in decides {
        if let Some(draft) = builder.draft_mut(node) {
            draft.decides = true;
        }
    }
    builder.hashes_nest = hashes_nest;
}

/// What following a value through the program finds.
struct Met {
    /// Nodes that a value can enter by two routes.
    shared: BTreeSet<NodeId>,
    /// Nodes that a value enters as a child, and no other node along another edge.
    alone: BTreeSet<NodeId>,
}

/// The pairs are too many to be followed.
struct TooMuch;

/// Counts comparisons.
struct Work(usize);

impl Work {
    fn take(&mut self) -> Result<(), TooMuch> {
        self.0 = self.0.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }
}

/// An edge and the instruction that it leaves from.
#[derive(Clone, Copy)]
struct Leaving<'p> {
    edge: Edge<'p>,
    /// The node and the instruction's place in it: edges of one `properties` walk exclude one another.
    from: (usize, usize),
    /// Which edge of the instruction.
    ordinal: usize,
}

/// What one value meets when it enters a node.
#[derive(Default)]
struct Entered<'p> {
    /// The node itself and all that it applies in place.
    nodes: BTreeSet<NodeId>,
    /// Nodes among them that two in-place edges lead to.
    twice: Vec<NodeId>,
    /// Edges to named members, by name.
    named: BTreeMap<&'p str, Vec<Leaving<'p>>>,
    /// All other edges to children.
    others: Vec<Leaving<'p>>,
}

struct Graph<'p> {
    builder: &'p Builder,
    edges: Vec<Vec<Leaving<'p>>>,
}

impl<'p> Graph<'p> {
    fn new(builder: &'p Builder) -> Self {
        let mut edges: Vec<Vec<Leaving<'p>>> = Vec::new();
        edges.resize_with(builder.len(), Vec::new);
        for (node, draft) in builder.drafts() {
            let Some(own) = edges.get_mut(node) else { continue };
            for (place, instruction) in draft.instructions().enumerate() {
                let mut ordinal = 0;
                instruction.edges(|edge| {
                    own.push(Leaving { edge, from: (node, place), ordinal });
                    ordinal += 1;
                });
            }
        }
        Graph { builder, edges }
    }

    fn leaving(&self, node: NodeId) -> &[Leaving<'p>] {
        self.edges.get(node.index()).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether anything can follow for a value that enters both nodes: one that leads nowhere meets only what leads to
    /// it in place.
    fn can_meet(&self, a: NodeId, b: NodeId) -> bool {
        let in_place = |node| self.leaving(node).iter().any(|one| one.edge.label == Label::InPlace);
        match (self.leaving(a), self.leaving(b)) {
            ([], _) => in_place(b),
            (_, []) => in_place(a),
            _ => true,
        }
    }

    fn enter(&self, node: NodeId, work: &mut Work) -> Result<Entered<'p>, TooMuch> {
        let mut entered = Entered::default();
        entered.nodes.insert(node);
        let mut stack = vec![node];
        while let Some(next) = stack.pop() {
            for leaving in self.leaving(next) {
                work.take()?;
                match leaving.edge.label {
                    Label::InPlace => {
                        if entered.nodes.insert(leaving.edge.to) {
                            stack.push(leaving.edge.to);
                        } else {
                            entered.twice.push(leaving.edge.to);
                        }
                    }
                    Label::Property(name) => entered.named.entry(name).or_default().push(*leaving),
                    Label::Matching(_)
                    | Label::Additional
                    | Label::AnyProperty
                    | Label::Index(_)
                    | Label::From(_)
                    | Label::Key => entered.others.push(*leaving),
                }
            }
        }
        Ok(entered)
    }

    /// The shared nodes, by following pairs.
    fn met_by_pairs(&self, root: NodeId) -> Result<Met, TooMuch> {
        let mut work = Work(PAIR_WORK);
        let mut search = Search {
            graph: self,
            entered: self.edges.iter().map(|_| None).collect(),
            shared: BTreeSet::new(),
            accompanied: vec![false; self.edges.len()],
            caches: Caches::default(),
        };
        let mut pairs = Pairs::default();
        let mut entries = BTreeSet::from([root]);
        entries.extend(
            self.edges.iter().flatten().filter(|one| one.edge.label != Label::InPlace).map(|one| one.edge.to),
        );
        for entry in entries.iter().filter(|entry| !self.leaving(**entry).is_empty()) {
            search.visit(*entry, &mut work)?;
            search.cross(*entry, *entry, &mut pairs, &mut work)?;
        }
        while let Some((a, b)) = pairs.queue.pop_front() {
            search.visit(a, &mut work)?;
            search.visit(b, &mut work)?;
            search.cross(a, b, &mut pairs, &mut work)?;
        }
        entries.retain(|entry| search.accompanied.get(entry.index()) != Some(&true));
        Ok(Met { shared: search.shared, alone: entries })
    }

    /// Every node with two incoming edges.
    fn met_by_edges(&self, root: NodeId) -> Met {
        let mut once = BTreeSet::from([root]);
        let all = self.edges.iter().flatten().map(|one| one.edge.to);
        Met { shared: all.filter(|to| !once.insert(*to)).collect(), alone: BTreeSet::new() }
    }

    /// Nodes whose verdict `unevaluated*` asks for again after the applicator itself has. An item that `contains`
    /// decides twice is remembered only where that would double at every level: there can be very many.
    fn decided_for_unevaluated(&self) -> BTreeSet<NodeId> {
        let (mut found, mut items) = (BTreeSet::new(), BTreeSet::new());
        let mut seen = BTreeSet::new();
        let mut stack: Vec<NodeId> = self
            .builder
            .drafts()
            .filter(|(_, draft)| draft.instructions().any(Instruction::is_unevaluated))
            .filter_map(|(node, _)| NodeId::new(node).ok())
            .collect();
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            for one in self.leaving(node) {
                match one.edge.label {
                    Label::InPlace => {
                        stack.push(one.edge.to);
                        if one.edge.decides {
                            found.insert(one.edge.to);
                        }
                    }
                    Label::From(_) if one.edge.decides => {
                        items.insert(one.edge.to);
                    }
                    Label::Property(_)
                    | Label::Matching(_)
                    | Label::Additional
                    | Label::AnyProperty
                    | Label::Index(_)
                    | Label::From(_)
                    | Label::Key => {}
                }
            }
        }
        let under = self.under(found.union(&items).copied());
        found.extend(items.intersection(&under));
        found
    }

    /// All nodes below `nodes`; one of them only where another leads to it.
    fn under(&self, nodes: impl Iterator<Item = NodeId>) -> BTreeSet<NodeId> {
        let mut under = BTreeSet::new();
        let mut stack: Vec<NodeId> = nodes.collect();
        while let Some(node) = stack.pop() {
            for one in self.leaving(node) {
                if under.insert(one.edge.to) {
                    stack.push(one.edge.to);
                }
            }
        }
        under
    }

    /// Whether `uniqueItems` can meet an array inside an item of an array that it meets: whether a node that asks
    /// lies below one that asks, or below what one value meets together with it.
    fn hashes_nest(&self) -> bool {
        let asks: BTreeSet<NodeId> = self
            .builder
            .drafts()
            .filter(|(_, draft)| draft.instructions().any(is_unique_items))
            .filter_map(|(node, _)| NodeId::new(node).ok())
            .collect();
        if asks.is_empty() {
            return false;
        }
        let mut in_place: HashMap<NodeId, Vec<NodeId>, Mixing> = HashMap::default();
        for (node, leaving) in self.edges.iter().enumerate() {
            for one in leaving.iter().filter(|one| one.edge.label == Label::InPlace) {
                if let Ok(node) = NodeId::new(node) {
                    in_place.entry(node).or_default().push(one.edge.to);
                    in_place.entry(one.edge.to).or_default().push(node);
                }
            }
        }
        let mut together = asks.clone();
        let mut stack: Vec<NodeId> = asks.iter().copied().collect();
        while let Some(node) = stack.pop() {
            for next in in_place.get(&node).into_iter().flatten() {
                if together.insert(*next) {
                    stack.push(*next);
                }
            }
        }
        let children = together.iter().flat_map(|node| self.leaving(*node));
        let children: BTreeSet<NodeId> =
            children.filter(|one| one.edge.label != Label::InPlace).map(|one| one.edge.to).collect();
        let mut below = self.under(children.iter().copied());
        below.extend(children);
        !below.is_disjoint(&asks)
    }

    /// Nodes that a member can enter at which a union's tag may be told.
    fn tag_members(&self) -> BTreeSet<NodeId> {
        let instructions = self.builder.drafts().flat_map(|(_, draft)| draft.instructions());
        let tags: BTreeSet<&str> = instructions
            .filter_map(|instruction| match instruction {
                Instruction::AnyOf(union) | Instruction::OneOf(union) => union.tag.as_ref(),
                _ => None,
            })
            .map(|tag| &*tag.name)
            .collect();
        let edges = self.edges.iter().flatten().map(|one| one.edge);
        edges
            .filter(|edge| match edge.label {
                Label::Property(name) => tags.contains(name),
                Label::Matching(_) | Label::Additional | Label::AnyProperty => !tags.is_empty(),
                Label::InPlace | Label::Index(_) | Label::From(_) | Label::Key => false,
            })
            .map(|edge| edge.to)
            .collect()
    }

    /// Nodes that decide and can lie under another that does. Where a shared node lies between, that one is remembered, and
    /// what is decided above it is not decided below it again.
    fn nested_decisions(&self, shared: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
        let deciding: BTreeSet<NodeId> =
            self.edges.iter().flatten().filter(|one| one.edge.decides).map(|one| one.edge.to).collect();
        let mut under = BTreeSet::new();
        let mut stack: Vec<NodeId> = deciding.iter().copied().collect();
        while let Some(node) = stack.pop() {
            for one in self.leaving(node) {
                if under.insert(one.edge.to) && !shared.contains(&one.edge.to) {
                    stack.push(one.edge.to);
                }
            }
        }
        deciding.intersection(&under).copied().collect()
    }
}

/// Pairs of different nodes that one value can enter both, each followed once.
#[derive(Default)]
struct Pairs {
    seen: HashSet<(NodeId, NodeId), Mixing>,
    queue: VecDeque<(NodeId, NodeId)>,
}

impl Pairs {
    fn add(&mut self, a: NodeId, b: NodeId) {
        let pair = (a.min(b), a.max(b));
        if self.seen.insert(pair) {
            self.queue.push_back(pair);
        }
    }
}

struct Search<'g, 'p> {
    graph: &'g Graph<'p>,
    /// By node.
    entered: Vec<Option<Entered<'p>>>,
    shared: BTreeSet<NodeId>,
    /// By node: whether a value enters it along two edges, or together with another node.
    accompanied: Vec<bool>,
    caches: Caches,
}

impl Search<'_, '_> {
    fn visit(&mut self, node: NodeId, work: &mut Work) -> Result<(), TooMuch> {
        if let Some(place) = self.entered.get_mut(node.index())
            && place.is_none()
        {
            let entered = self.graph.enter(node, work)?;
            self.shared.extend(&entered.twice);
            *place = Some(entered);
        }
        Ok(())
    }

    /// Follows one value that enters both `a` and `b`, or `a` alone where they are one.
    fn cross(&mut self, a: NodeId, b: NodeId, pairs: &mut Pairs, work: &mut Work) -> Result<(), TooMuch> {
        let entered = |node: NodeId| self.entered.get(node.index()).and_then(Option::as_ref);
        let (Some(left), Some(right)) = (entered(a), entered(b)) else { return Ok(()) };
        if a != b {
            for node in left.nodes.intersection(&right.nodes) {
                work.take()?;
                self.shared.insert(*node);
            }
        }
        let mut meet = |one: &Leaving<'_>, other: &Leaving<'_>| -> Result<(), TooMuch> {
            work.take()?;
            let same_edge = one.from == other.from && one.ordinal == other.ordinal;
            if !same_edge && overlap(self.graph.builder, &mut self.caches, one, other) {
                for node in [one.edge.to, other.edge.to] {
                    if let Some(accompanied) = self.accompanied.get_mut(node.index()) {
                        *accompanied = true;
                    }
                }
                if one.edge.to == other.edge.to {
                    self.shared.insert(one.edge.to);
                } else if self.graph.can_meet(one.edge.to, other.edge.to) {
                    pairs.add(one.edge.to, other.edge.to);
                }
            }
            Ok(())
        };
        for (name, ones) in &left.named {
            for one in ones {
                for other in right.named.get(name).into_iter().flatten().chain(&right.others) {
                    meet(one, other)?;
                }
            }
        }
        for one in &left.others {
            for other in right.named.values().flatten().chain(&right.others) {
                meet(one, other)?;
            }
        }
        Ok(())
    }
}

/// Whether one child can be met along both edges. Where that is not certain, it is taken to be so.
fn overlap(builder: &Builder, caches: &mut Caches, one: &Leaving<'_>, other: &Leaving<'_>) -> bool {
    let exclusive = one.from == other.from;
    match (one.edge.label, other.edge.label) {
        (Label::Property(a), Label::Property(b)) => a == b,
        (Label::Property(name), Label::Matching(pattern))
        | (Label::Matching(pattern), Label::Property(name)) => may_match(builder, caches, pattern, name),
        (
            Label::Property(_) | Label::Matching(_) | Label::Additional,
            Label::Property(_) | Label::Matching(_) | Label::Additional,
        ) => {
            let additional = one.edge.label == Label::Additional || other.edge.label == Label::Additional;
            !(exclusive && additional)
        }
        (
            Label::Property(_) | Label::Matching(_) | Label::Additional | Label::AnyProperty,
            Label::Property(_) | Label::Matching(_) | Label::Additional | Label::AnyProperty,
        )
        | (Label::From(_), Label::From(_))
        | (Label::Key, Label::Key) => true,
        (Label::Index(a), Label::Index(b)) => a == b,
        (Label::Index(index), Label::From(first)) | (Label::From(first), Label::Index(index)) => {
            index >= first
        }
        (Label::InPlace, _)
        | (_, Label::InPlace)
        | (Label::Index(_) | Label::From(_) | Label::Key, _)
        | (_, Label::Index(_) | Label::From(_) | Label::Key) => false,
    }
}

fn may_match(builder: &Builder, caches: &mut Caches, pattern: PatternId, name: &str) -> bool {
    /// Steps for one look at a name of the schema: enough for any linear pattern on a name of ordinary length.
    const STEPS: u64 = 10_000;
    builder.pattern(pattern).is_none_or(|pattern| {
        pattern.is_match(name, &mut Meter::new(STEPS), caches, &Limits::default()).unwrap_or(true)
    })
}

fn is_unique_items(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::UniqueItems)
}

/// Whether asking a node again costs no more than remembering its answer: it leads nowhere, and every instruction
/// takes constant time. Its cost then lies in its incoming edges, which |P| counts.
fn is_cheap(draft: &NodeDraft) -> bool {
    draft.instructions().all(|instruction| match instruction {
        Instruction::Type(_)
        | Instruction::Never
        | Instruction::Minimum(_)
        | Instruction::Maximum(_)
        | Instruction::ExclusiveMinimum(_)
        | Instruction::ExclusiveMaximum(_)
        | Instruction::MinItems(_)
        | Instruction::MaxItems(_)
        | Instruction::MinProperties(_)
        | Instruction::MaxProperties(_) => true,
        Instruction::Enum(_)
        | Instruction::Const(_)
        | Instruction::Format(_)
        | Instruction::MultipleOf(_)
        | Instruction::MinLength(_)
        | Instruction::MaxLength(_)
        | Instruction::Pattern(_)
        | Instruction::CustomFormat(_)
        | Instruction::Content(_)
        | Instruction::CustomKeyword(_)
        | Instruction::UniqueItems
        | Instruction::Required(_)
        | Instruction::DependentRequired(_)
        | Instruction::Reference(_)
        | Instruction::AllOf(_)
        | Instruction::AnyOf(_)
        | Instruction::OneOf(_)
        | Instruction::Not(_)
        | Instruction::If(_)
        | Instruction::Items(_)
        | Instruction::Contains(_)
        | Instruction::UnevaluatedItems(_)
        | Instruction::Members(_)
        | Instruction::PropertyNames(_)
        | Instruction::DependentSchemas(_)
        | Instruction::PropertyDependencies(_)
        | Instruction::UnevaluatedProperties(_) => false,
    })
}
