//! The edges of a program: which nodes an instruction leads to, and how.
//!
//! In: an instruction. Out: its edges, one call each, from the one match over instructions that every analysis of
//! the compiler and the printer share; and the links behind them, for the compiler to write into.

use std::sync::Arc;

use super::instruction::{Instruction, Others, Rest};
use super::link::Link;
use super::{NodeId, PatternId};

/// How an edge moves in the instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label<'p> {
    /// To the same value.
    InPlace,
    /// To the member of this name.
    Property(&'p str),
    /// To every member whose name matches.
    Matching(PatternId),
    /// To members that no other edge of the same instruction takes.
    Additional,
    /// To any member.
    AnyProperty,
    /// To the item at this index.
    Index(usize),
    /// To every item from this index on.
    From(usize),
    /// To a key of the object.
    Key,
}

/// An edge of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'p> {
    pub(crate) to: NodeId,
    pub(crate) label: Label<'p>,
    /// Whether the verdict at its end is asked for its own sake, and decides what is reported.
    pub(crate) decides: bool,
}

impl Instruction {
    /// Calls `visit` for every edge, in the order in which the engine follows them.
    pub(crate) fn edges<'p>(&'p self, mut visit: impl FnMut(Edge<'p>)) {
        let mut edge =
            |to: Link, label: Label<'p>, decides: bool| visit(Edge { to: to.node, label, decides });
        match self {
            Instruction::Reference(node) => edge(*node, Label::InPlace, false),
            Instruction::AllOf(branches) => {
                branches.iter().for_each(|branch| edge(*branch, Label::InPlace, false));
            }
            Instruction::AnyOf(union) | Instruction::OneOf(union) => {
                union.branches.iter().for_each(|branch| edge(*branch, Label::InPlace, true));
            }
            Instruction::Not(node) => edge(*node, Label::InPlace, true),
            Instruction::If(conditional) => {
                edge(conditional.condition, Label::InPlace, true);
                for branch in [conditional.then, conditional.otherwise].into_iter().flatten() {
                    edge(branch, Label::InPlace, false);
                }
            }
            Instruction::Items(items) => {
                for (index, node) in items.prefix().iter().enumerate() {
                    edge(*node, Label::Index(index), false);
                }
                if let Some(node) = items.rest() {
                    edge(node, Label::From(items.prefix().len()), false);
                }
            }
            Instruction::Contains(contains) => edge(contains.node, Label::From(0), true),
            Instruction::UnevaluatedItems(Rest::Node(node)) => edge(*node, Label::From(0), false),
            Instruction::Members(members) => {
                members.named.iter().for_each(|(name, node)| edge(node, Label::Property(name), false));
                for (pattern, rest) in &members.patterns {
                    if let Rest::Node(node) = rest {
                        edge(*node, Label::Matching(*pattern), false);
                    }
                }
                if let Some(Rest::Node(node)) = members.additional() {
                    edge(node, Label::Additional, false);
                }
            }
            Instruction::PropertyNames(node) => edge(*node, Label::Key, true),
            Instruction::DependentSchemas(dependents) => {
                dependents.iter().for_each(|(_, node)| edge(*node, Label::InPlace, false));
            }
            Instruction::PropertyDependencies(dependents) => {
                let nodes = dependents.iter().flat_map(|dependents| &dependents.nodes);
                nodes.for_each(|(_, node)| edge(*node, Label::InPlace, false));
            }
            Instruction::UnevaluatedProperties(Rest::Node(node)) => edge(*node, Label::AnyProperty, false),
            Instruction::UnevaluatedItems(Rest::Never)
            | Instruction::UnevaluatedProperties(Rest::Never)
            | Instruction::Type(_)
            | Instruction::Never
            | Instruction::Enum(_)
            | Instruction::Const(_)
            | Instruction::Format(_)
            | Instruction::Minimum(_)
            | Instruction::Maximum(_)
            | Instruction::ExclusiveMinimum(_)
            | Instruction::ExclusiveMaximum(_)
            | Instruction::MultipleOf(_)
            | Instruction::MinLength(_)
            | Instruction::MaxLength(_)
            | Instruction::Pattern(_)
            | Instruction::CustomFormat(_)
            | Instruction::Content(_)
            | Instruction::CustomKeyword(_)
            | Instruction::MinItems(_)
            | Instruction::MaxItems(_)
            | Instruction::UniqueItems
            | Instruction::MinProperties(_)
            | Instruction::MaxProperties(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_) => {}
        }
    }

    /// Calls `visit` for every link that the instruction holds.
    pub(crate) fn links_mut(&mut self, mut visit: impl FnMut(&mut Link)) {
        let mut rest = |rest: &mut Rest| match rest {
            Rest::Never => {}
            Rest::Node(link) => visit(link),
        };
        match self {
            Instruction::Reference(link) | Instruction::Not(link) | Instruction::PropertyNames(link) => {
                visit(link)
            }
            Instruction::AllOf(branches) => branches.iter_mut().for_each(visit),
            Instruction::AnyOf(union) | Instruction::OneOf(union) => {
                union.branches.iter_mut().for_each(visit)
            }
            Instruction::If(conditional) => {
                visit(&mut conditional.condition);
                conditional.then.iter_mut().chain(&mut conditional.otherwise).for_each(visit);
            }
            Instruction::Items(items) => items.links_mut().for_each(visit),
            Instruction::Contains(contains) => visit(&mut contains.node),
            Instruction::Members(members) => {
                // Nobody else holds them while links are told what they lead to.
                let Some(members) = Arc::get_mut(members) else { return };
                members.patterns.iter_mut().for_each(|(_, found)| rest(found));
                if members.others == Others::Node {
                    visit(&mut members.otherwise);
                }
                members.named.leads_mut().for_each(visit);
            }
            Instruction::DependentSchemas(dependents) => {
                dependents.iter_mut().for_each(|(_, link)| visit(link))
            }
            Instruction::PropertyDependencies(dependents) => {
                let links = dependents.iter_mut().flat_map(|dependents| dependents.nodes.iter_mut());
                links.for_each(|(_, link)| visit(link));
            }
            Instruction::UnevaluatedItems(found) | Instruction::UnevaluatedProperties(found) => rest(found),
            Instruction::Type(_)
            | Instruction::Never
            | Instruction::Enum(_)
            | Instruction::Const(_)
            | Instruction::Format(_)
            | Instruction::CustomKeyword(_)
            | Instruction::Minimum(_)
            | Instruction::Maximum(_)
            | Instruction::ExclusiveMinimum(_)
            | Instruction::ExclusiveMaximum(_)
            | Instruction::MultipleOf(_)
            | Instruction::MinLength(_)
            | Instruction::MaxLength(_)
            | Instruction::Pattern(_)
            | Instruction::CustomFormat(_)
            | Instruction::Content(_)
            | Instruction::MinItems(_)
            | Instruction::MaxItems(_)
            | Instruction::UniqueItems
            | Instruction::MinProperties(_)
            | Instruction::MaxProperties(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_) => {}
        }
    }
}
