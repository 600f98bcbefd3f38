//! The printed program: the instruction tree in words, for a reader who has never seen the code.
//!
//! In: a program. Out: one line for each node and instruction, indented as they nest, each node with its place in
//! the schema. A node that was printed is named and not repeated, so the text is linear in the program; the tree
//! is walked on a stack of our own, and what is quoted of the schema is cut at the bound.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::edges::Label;
use super::instruction::{Choice, Contains, Dependents, Instruction, Members, Others, Rest};
use super::{Group, Node, NodeId, Program};
use crate::bound;
use crate::value::Types;

/// Levels of indentation; what nests deeper is no longer moved to the right.
const INDENT: usize = 40;

/// A program as text.
pub(crate) struct Printed<'p>(pub(crate) &'p Program);

/// A line that is still to be printed.
enum Line {
    Node { id: NodeId, label: String, level: usize },
    Text { text: String, level: usize },
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.0;
        let mut printed = vec![false; program.nodes().len()];
        let mut lines = vec![Line::Node { id: program.root(), label: "value".to_owned(), level: 0 }];
        while let Some(line) = lines.pop() {
            let (id, label, level) = match line {
                Line::Text { text, level } => {
                    writeln!(f, "{:indent$}{text}", "", indent = indent(level))?;
                    continue;
                }
                Line::Node { id, label, level } => (id, label, level),
            };
            let node = program.node(id);
            let again = printed.get_mut(id.index()).is_none_or(|printed| std::mem::replace(printed, true));
            let head = head(program, id, node, &label, again);
            writeln!(f, "{:indent$}{head}", "", indent = indent(level))?;
            if !again {
                let from = lines.len();
                push_instructions(program, node, level + 1, &mut lines);
                // The stack gives them back in the order of the program.
                if let Some(own) = lines.get_mut(from..) {
                    own.reverse();
                }
            }
        }
        Ok(())
    }
}

fn indent(level: usize) -> usize {
    level.min(INDENT) * 2
}

fn head(program: &Program, id: NodeId, node: &Node, label: &str, again: bool) -> String {
    let place = bound::render_str(&program.locations().render(program.location_of(id), ""));
    let kinds = if node.types.is_all() { "anything".to_owned() } else { types(node.types) };
    let mut text = format!("{label}: {kinds}  [{place}]");
    if again {
        text.push_str(" as printed above");
    } else if node.shared {
        text.push_str("  (remembered: one value can meet it by two routes)");
    }
    text
}

fn types(types: Types) -> String {
    let names: Vec<&str> = types.iter().map(crate::value::Type::name).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") }
}

fn push_instructions(program: &Program, node: &Node, level: usize, lines: &mut Vec<Line>) {
    for group in [Group::Any, Group::Number, Group::String, Group::Array, Group::Object] {
        for (_, instruction) in program.group(node, group) {
            let deeper = match describe(program, instruction) {
                Some(text) => {
                    lines.push(Line::Text { text, level });
                    level + 1
                }
                None => level,
            };
            let mut branch = 0;
            instruction.edges(|edge| {
                branch += 1;
                let label = label(program, instruction, edge.label, branch);
                lines.push(Line::Node { id: edge.to, label, level: deeper });
            });
            if let Instruction::Members(members) = instruction {
                push_refused(program, members, deeper, lines);
            }
        }
    }
}

/// What leads along an edge.
fn label(program: &Program, instruction: &Instruction, label: Label<'_>, branch: usize) -> String {
    match label {
        Label::InPlace => in_place(instruction, branch),
        Label::Property(name) => format!("member {}", quoted(name)),
        Label::Matching(pattern) => {
            format!("members whose name matches {}", quoted(program.pattern(pattern).source()))
        }
        Label::Additional => "any other member".to_owned(),
        Label::AnyProperty => "any member not evaluated".to_owned(),
        Label::Index(index) => format!("item {index}"),
        Label::From(0) => "every item".to_owned(),
        Label::From(first) => format!("every item from {first} on"),
        Label::Key => "every name".to_owned(),
    }
}

fn in_place(instruction: &Instruction, branch: usize) -> String {
    if let Instruction::If(conditional) = instruction {
        let names = ["if", if conditional.then.is_some() { "then" } else { "else" }, "else"];
        names.get(branch - 1).copied().unwrap_or("else").to_owned()
    } else if let Instruction::DependentSchemas(dependents) = instruction
        && let Some((name, _)) = dependents.get(branch - 1)
    {
        format!("where member {} is present", quoted(name))
    } else if let Instruction::PropertyDependencies(dependents) = instruction
        && let Some((name, text)) = dependents
            .iter()
            .flat_map(|dependents| dependents.nodes.iter().map(|(text, _)| (&dependents.name, text)))
            .nth(branch - 1)
    {
        format!("where member {} is {}", quoted(name), quoted(text))
    } else if let Instruction::Reference(_) = instruction {
        "reference".to_owned()
    } else {
        format!("branch {branch}")
    }
}

fn push_refused(program: &Program, members: &Members, level: usize, lines: &mut Vec<Line>) {
    for (pattern, rest) in &members.patterns {
        if *rest == Rest::Never {
            let source = quoted(program.pattern(*pattern).source());
            lines.push(Line::Text { text: format!("members whose name matches {source}: refused"), level });
        }
    }
    if members.others == Others::Never {
        lines.push(Line::Text { text: "any other member: refused".to_owned(), level });
    }
}

/// An instruction in words; nothing where its edges say it all.
fn describe(program: &Program, instruction: &Instruction) -> Option<String> {
    let text = match instruction {
        Instruction::Type(_)
        | Instruction::Reference(_)
        | Instruction::Items(_)
        | Instruction::Members(_) => {
            return None;
        }
        Instruction::Never => "nothing passes".to_owned(),
        Instruction::Enum(choices) => format!("one of {}", listed(choices.listed().map(choice))),
        Instruction::Const(value) => format!("equal to {}", json(value)),
        Instruction::Format(format) => format!("format {}", format.name()),
        Instruction::CustomFormat(format) => {
            format!("format {} (the caller's own)", bound::render_str(&program.custom_format(*format).name))
        }
        Instruction::Content(content) => content.name().to_owned(),
        Instruction::CustomKeyword(keyword) => {
            format!("{} (the caller's own)", bound::render_str(&program.custom_keyword(*keyword).name))
        }
        Instruction::AllOf(_) => "all of".to_owned(),
        Instruction::AnyOf(union) | Instruction::OneOf(union) => {
            let kind = if matches!(instruction, Instruction::AnyOf(_)) { "any of" } else { "exactly one of" };
            match &union.tag {
                Some(tag) => format!("{kind}, told apart by member {}", quoted(&tag.name)),
                None => kind.to_owned(),
            }
        }
        Instruction::Not(_) => "not".to_owned(),
        Instruction::If(_) => "depending on a condition".to_owned(),
        Instruction::Minimum(bound) => format!("at least {bound}"),
        Instruction::Maximum(bound) => format!("at most {bound}"),
        Instruction::ExclusiveMinimum(bound) => format!("more than {bound}"),
        Instruction::ExclusiveMaximum(bound) => format!("less than {bound}"),
        Instruction::MultipleOf(divisor) => format!("a multiple of {divisor}"),
        Instruction::MinLength(count) => format!("at least {count} characters"),
        Instruction::MaxLength(count) => format!("at most {count} characters"),
        Instruction::Pattern(pattern) => {
            let pattern = program.pattern(*pattern);
            let cost = if pattern.backtracks() { "backtracks" } else { "linear" };
            format!("matches {} ({cost}, {} states)", quoted(pattern.source()), pattern.states())
        }
        Instruction::MinItems(count) => format!("at least {count} items"),
        Instruction::MaxItems(count) => format!("at most {count} items"),
        Instruction::Contains(contains) => counted(contains),
        Instruction::UniqueItems => "no two items are equal (needs memory: a set of the items)".to_owned(),
        Instruction::UnevaluatedItems(rest) => {
            format!("items that nothing else evaluates{} (needs memory: a bit an item)", refused(*rest))
        }
        Instruction::MinProperties(count) => format!("at least {count} members"),
        Instruction::MaxProperties(count) => format!("at most {count} members"),
        Instruction::Required(names) => {
            format!("must have {}", listed(names.names.iter().map(|name| quoted(name))))
        }
        Instruction::PropertyNames(_) => "names".to_owned(),
        Instruction::DependentRequired(dependents) => {
            listed(dependents.iter().map(|Dependents { name, required }| {
                let names = listed(required.iter().map(|name| quoted(name)));
                format!("with {} must have {names}", quoted(name))
            }))
        }
        Instruction::DependentSchemas(_) => "depending on members".to_owned(),
        Instruction::PropertyDependencies(_) => "depending on the texts of members".to_owned(),
        Instruction::UnevaluatedProperties(rest) => {
            format!("members that nothing else evaluates{} (needs memory: a bit a member)", refused(*rest))
        }
    };
    Some(text)
}

fn refused(rest: Rest) -> &'static str {
    match rest {
        Rest::Never => ": refused",
        Rest::Node(_) => "",
    }
}

fn counted(contains: &Contains) -> String {
    match contains.maximum {
        Some(maximum) => format!("from {} to {maximum} items match", contains.minimum),
        None => format!("at least {} items match", contains.minimum),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", bound::render_str(text))
}

fn choice(choice: Choice<'_>) -> String {
    match choice {
        Choice::Text(text) => quoted(text),
        Choice::Value(value) => json(value),
    }
}

fn json(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            bound::render(value)
        }
    }
}

/// The first few of a list, and the count of the rest.
fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(bound::LISTED);
    let mut text = items.take(bound::LISTED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, " and {more} more");
    }
    text
}
