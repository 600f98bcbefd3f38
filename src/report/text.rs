//! All user-visible wording of value problems: one sentence each.
//!
//! In: a problem and the value at its path. Out: a text of at most [`BOUND`](crate::bound::BOUND) bytes and a mark,
//! never made longer first: whatever the schema lists is cut or counted as it is written. A text names the
//! schema's side and, where that helps, the kind or the length of what was sent; it never quotes what was sent.
//! Reading a length counts a string's code points, and a missing name is looked up: linear in the value's text or
//! in the keyword's names.

use super::joined::{joined, push};
use super::list::{Frame, Name, quoted};
use crate::bound::{BOUND, LISTED, echo_str, render_display};
use crate::engine::sink::{Fault, Problem};
use crate::limits::text_steps;
use crate::program::{Contains, Dependents, Instruction, Program, Tag, Union};
use crate::value::number::ExactNumber;
use crate::value::{Array, Instance, Object, Type, View};

/// What is said where a limit ran out before yes or no.
pub(crate) const UNCHECKED: &str = "value could not be checked within the limit";

const NOT_ALLOWED: &str = "value is not allowed here";
const NO_ALTERNATIVE: &str = "value matches none of the alternatives";
/// Of what reports only what is inside it, should it ever report itself.
const NO_MATCH: &str = "value does not match the schema";

/// Making a text, whatever its keyword, and finding where it stands, in steps: about a sixth of a microsecond.
pub(super) const STEPS: u64 = 24;

/// What [`text`] costs, in steps: more than [`STEPS`] where it tells a string's length, or looks up names.
pub(super) fn steps<'v, I: Instance<'v>>(program: &Program, problem: Problem, value: View<'v, I>) -> u64 {
    /// A name is looked up to be counted, and may be once more to be named.
    const NAME: u64 = 4;
    let instruction = program.instruction(problem.instruction);
    if problem.fault == Fault::Unchecked {
        return STEPS;
    }
    let mut steps = STEPS;
    if let (Instruction::MinLength(_) | Instruction::MaxLength(_), View::String(text)) = (instruction, value)
    {
        steps += text_steps(text.len());
    }
    if let Instruction::Required(names) = instruction {
        steps += names.names.len() as u64 * NAME;
    }
    if let Instruction::DependentRequired(rules) = instruction {
        steps += rules.iter().map(|rule| 1 + rule.required.len() as u64).sum::<u64>() * NAME;
    }
    steps
}

/// Whether two problems of one place are sure to have the same text: unions of many types are the rule.
pub(super) fn is_same(program: &Program, one: Problem, other: Problem) -> bool {
    if one.fault != Fault::Failed || other.fault != Fault::Failed {
        return false;
    }
    if let (Instruction::Type(one), Instruction::Type(other)) =
        (program.instruction(one.instruction), program.instruction(other.instruction))
    {
        return one == other;
    }
    false
}

/// The text of a problem with the value at its path.
pub(crate) fn text<'v, I: Instance<'v>>(program: &Program, problem: Problem, value: View<'v, I>) -> String {
    let instruction = program.instruction(problem.instruction);
    let text = match problem.fault {
        Fault::Unchecked => unchecked(instruction).to_owned(),
        Fault::Failed | Fault::TooFew | Fault::TooMany | Fault::Tag | Fault::Pattern => {
            failed(program, instruction, problem.fault, value)
        }
    };
    if text.len() <= BOUND { text } else { echo_str(&text) }
}

fn unchecked(instruction: &Instruction) -> &'static str {
    if matches!(instruction, Instruction::Pattern(_)) {
        "value could not be checked against pattern"
    } else if matches!(instruction, Instruction::MultipleOf(_)) {
        "value could not be checked against multipleOf"
    } else {
        UNCHECKED
    }
}

fn failed<'v, I: Instance<'v>>(
    program: &Program,
    instruction: &Instruction,
    fault: Fault,
    value: View<'v, I>,
) -> String {
    match instruction {
        Instruction::Type(types) => {
            let names = types.iter().map(|kind| Name::from(kind.name()));
            let mut text = Frame { before: "value is not of type ", conjunction: " or ", after: "" }
                .around(names, types.iter().count());
            // All types there are leave room for it.
            push(&mut text, [" (got ".into(), kind(value).name().into(), ")".into()]);
            text
        }
        Instruction::Never => NOT_ALLOWED.to_owned(),
        Instruction::Enum(choices) => one_of(choices.listed().map(Name::choice)),
        Instruction::Const(constant) => one_of(std::iter::once(Name::spelled(constant))),
        Instruction::Reference(_)
        | Instruction::AllOf(_)
        | Instruction::If(_)
        | Instruction::Items(_)
        | Instruction::DependentSchemas(_)
        | Instruction::PropertyDependencies(_) => NO_MATCH.to_owned(),
        Instruction::AnyOf(union) => alternatives(union, fault),
        Instruction::OneOf(union) => alternatives(union, fault),
        Instruction::Not(_) => "value matches a schema that it must not match".to_owned(),
        Instruction::Format(format) => respect(format.name()),
        Instruction::Minimum(limit) => compared("value is lower than minimum", limit),
        Instruction::Maximum(limit) => compared("value is higher than maximum", limit),
        Instruction::ExclusiveMinimum(limit) => compared("value is not higher than exclusive minimum", limit),
        Instruction::ExclusiveMaximum(limit) => compared("value is not lower than exclusive maximum", limit),
        Instruction::MultipleOf(divisor) => compared("value is not a multiple of", divisor),
        Instruction::MinLength(least) => joined([
            "value length must be at least ".into(),
            (*least).into(),
            " but is ".into(),
            size(value).into(),
        ]),
        Instruction::MaxLength(most) => joined([
            "value length must be at most ".into(),
            (*most).into(),
            " but is ".into(),
            size(value).into(),
        ]),
        Instruction::Pattern(pattern) => {
            Frame { before: "value does not match pattern \"", conjunction: "", after: "\"" }
                .around(std::iter::once(Name::echoed(program.pattern(*pattern).source())), 1)
        }
        Instruction::CustomFormat(format) => respect(&program.custom_format(*format).name),
        Instruction::Content(content) => joined(["value is not ".into(), content.name().into()]),
        Instruction::CustomKeyword(keyword) => program.custom_keyword(*keyword).text.to_string(),
        Instruction::MinItems(least) => counted("at least", *least, ITEMS, size(value)),
        Instruction::MaxItems(most) => counted("at most", *most, ITEMS, size(value)),
        Instruction::Contains(contains) => contained(contains, fault),
        Instruction::UniqueItems => "value must contain unique items".to_owned(),
        Instruction::UnevaluatedItems(_) => disallowed("items", "unevaluatedItems"),
        Instruction::MinProperties(least) => counted("at least", *least, PROPERTIES, size(value)),
        Instruction::MaxProperties(most) => counted("at most", *most, PROPERTIES, size(value)),
        Instruction::Required(required) => missing(&required.names, value, ""),
        Instruction::Members(_) => match fault {
            Fault::Pattern => disallowed("properties", "patternProperties"),
            Fault::Failed | Fault::Unchecked | Fault::TooFew | Fault::TooMany | Fault::Tag => {
                disallowed("properties", "additionalProperties")
            }
        },
        Instruction::PropertyNames(_) => disallowed("property names", "propertyNames"),
        Instruction::DependentRequired(rules) => dependent(rules, value),
        Instruction::UnevaluatedProperties(_) => disallowed("properties", "unevaluatedProperties"),
    }
}

/// The singular and the plural of what is counted.
#[derive(Clone, Copy)]
struct Noun {
    singular: &'static str,
    plural: &'static str,
}

const ITEMS: Noun = Noun { singular: "item", plural: "items" };
const PROPERTIES: Noun = Noun { singular: "property", plural: "properties" };

impl Noun {
    fn of(self, count: u64) -> &'static str {
        if count == 1 { self.singular } else { self.plural }
    }
}

fn counted(bound: &str, limit: u64, noun: Noun, size: usize) -> String {
    joined([
        "value must have ".into(),
        bound.into(),
        " ".into(),
        limit.into(),
        " ".into(),
        noun.of(limit).into(),
        " but has ".into(),
        size.into(),
    ])
}

fn compared(relation: &str, limit: &ExactNumber) -> String {
    match limit.as_unsigned() {
        Some(limit) => joined([relation.into(), " ".into(), limit.into()]),
        None => joined([relation.into(), " ".into(), render_display(limit).as_str().into()]),
    }
}

fn respect(format: &str) -> String {
    Frame { before: "value does not respect the '", conjunction: "", after: "' format" }
        .around(std::iter::once(Name::echoed(format)), 1)
}

/// No key is named: there may be as many as the caller likes.
fn disallowed(what: &str, keyword: &str) -> String {
    joined(["value has ".into(), what.into(), " that ".into(), keyword.into(), " does not allow".into()])
}

fn one_of<'n>(values: impl ExactSizeIterator<Item = Name<'n>>) -> String {
    let total = values.len();
    let before = match total {
        0 => return NOT_ALLOWED.to_owned(),
        1 => "value must be ",
        _ => "value must be one of ",
    };
    Frame { before, conjunction: " or ", after: "" }.around(values, total)
}

fn alternatives(union: &Union, fault: Fault) -> String {
    match (fault, &union.tag) {
        (Fault::Tag, Some(tag)) => tagged(tag),
        (Fault::TooMany, _) => {
            "value matches more than one of the alternatives, exactly one is allowed".to_owned()
        }
        (Fault::Tag | Fault::Failed | Fault::Unchecked | Fault::TooFew | Fault::Pattern, _) => {
            NO_ALTERNATIVE.to_owned()
        }
    }
}

fn tagged(tag: &Tag) -> String {
    let before = if tag.branches.len() == 1 { "value must be " } else { "value must be one of " };
    let names = tag.branches.iter().map(|(name, _)| Name::quoted(name));
    Frame { before, conjunction: " or ", after: "" }.around(names, tag.branches.len())
}

fn contained(contains: &Contains, fault: Fault) -> String {
    const MATCHING: Noun =
        Noun { singular: "item that matches contains", plural: "items that match contains" };
    let bounded = |bound: &str, count: u64| {
        let noun = MATCHING.of(count);
        joined([
            "value must have at ".into(),
            bound.into(),
            " ".into(),
            count.into(),
            " ".into(),
            noun.into(),
        ])
    };
    match (fault, contains.maximum) {
        (Fault::TooMany, Some(maximum)) => bounded("most", maximum),
        (
            Fault::TooMany | Fault::TooFew | Fault::Failed | Fault::Unchecked | Fault::Tag | Fault::Pattern,
            _,
        ) => bounded("least", contains.minimum),
    }
}

/// Those of `names` that the object lacks.
fn missing<'v, I: Instance<'v>>(names: &[Box<str>], value: View<'v, I>, condition: &str) -> String {
    let absent = || names.iter().filter(|name| !has(value, name));
    let total = absent().count();
    are_required(absent().map(|name| Name::quoted(name)), total, condition)
}

/// The sentence about `total` absent names, of which `names` yields the first.
pub(super) fn are_required<'n>(
    names: impl Iterator<Item = Name<'n>>,
    total: usize,
    condition: &str,
) -> String {
    let (before, verb) = if total == 1 { ("property ", " is") } else { ("properties ", " are") };
    let after = [verb, " required", condition].concat();
    Frame { before, conjunction: " and ", after: &after }.around(names, total)
}

fn dependent<'v, I: Instance<'v>>(rules: &[Dependents], value: View<'v, I>) -> String {
    let broken = rules
        .iter()
        .filter(|rule| has(value, &rule.name) && rule.required.iter().any(|name| !has(value, name)));
    let clauses = broken
        .take(LISTED)
        .map(|rule| missing(&rule.required, value, &[" when ", &quoted(&rule.name), " is present"].concat()));
    clauses.collect::<Vec<_>>().join("; ")
}

fn has<'v, I: Instance<'v>>(value: View<'v, I>, name: &str) -> bool {
    match value {
        View::Object(members) => members.get(name).is_some(),
        View::Null | View::Boolean(_) | View::Number(_) | View::String(_) | View::Array(_) => false,
    }
}

/// Code points, items or members.
fn size<'v, I: Instance<'v>>(value: View<'v, I>) -> usize {
    match value {
        View::String(text) => text.chars().count(),
        View::Array(items) => items.len(),
        View::Object(members) => members.len(),
        View::Null | View::Boolean(_) | View::Number(_) => 0,
    }
}

pub(super) fn kind<'v, I: Instance<'v>>(value: View<'v, I>) -> Type {
    match value {
        View::Null => Type::Null,
        View::Boolean(_) => Type::Boolean,
        View::Number(_) => Type::Number,
        View::String(_) => Type::String,
        View::Array(_) => Type::Array,
        View::Object(_) => Type::Object,
    }
}
