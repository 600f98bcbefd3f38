//! The instruction set: what can be asked of one value.
//!
//! In: filled by the compiler. Out: read by the engine, the texts and the printer, each with one exhaustive
//! match. An instruction is at most two words; what is larger lies behind a box, so that a node's
//! instructions are one flat run.

use std::sync::Arc;

use serde_json::Value;

use super::ids::{CustomFormatId, CustomKeywordId, PatternId};
use super::keys::KeyTable;
use super::link::Link;
use super::thin::Thin;
use crate::format::Format;
use crate::format::content::Content;
use crate::value::Types;
use crate::value::number::ExactNumber;

/// One thing asked of one value.
#[derive(Debug)]
pub(crate) enum Instruction {
    // Of a value of any type.
    /// `type`. Always the first instruction of its node; the node repeats it as a mask.
    Type(Types),
    /// The schema `false`.
    Never,
    /// `enum`.
    Enum(Box<Choices>),
    /// `const`.
    Const(Box<Value>),
    /// `$ref`, `$dynamicRef`: the node itself, in place.
    Reference(Link),
    /// `allOf`.
    AllOf(Thin<Link>),
    /// `anyOf`.
    AnyOf(Box<Union>),
    /// `oneOf`.
    OneOf(Box<Union>),
    /// `not`.
    Not(Link),
    /// `if` with its `then` and `else`.
    If(Box<Conditional>),
    /// `format` of numbers or strings, by its table.
    Format(Format),
    /// A keyword of the caller's own.
    CustomKeyword(CustomKeywordId),

    // Of a number.
    /// `minimum`.
    Minimum(Box<ExactNumber>),
    /// `maximum`.
    Maximum(Box<ExactNumber>),
    /// `exclusiveMinimum`.
    ExclusiveMinimum(Box<ExactNumber>),
    /// `exclusiveMaximum`.
    ExclusiveMaximum(Box<ExactNumber>),
    /// `multipleOf`.
    MultipleOf(Box<ExactNumber>),

    // Of a string.
    /// `minLength`, in code points.
    MinLength(u64),
    /// `maxLength`, in code points.
    MaxLength(u64),
    /// `pattern`.
    Pattern(PatternId),
    /// `format`, a caller's own.
    CustomFormat(CustomFormatId),
    /// `contentEncoding` and `contentMediaType`, where they assert.
    Content(Content),

    // Of an array.
    /// `minItems`.
    MinItems(u64),
    /// `maxItems`.
    MaxItems(u64),
    /// `prefixItems` and `items`, in one walk.
    Items(Items),
    /// `contains` with `minContains` and `maxContains`.
    Contains(Box<Contains>),
    /// `uniqueItems`.
    UniqueItems,
    /// `unevaluatedItems`.
    UnevaluatedItems(Rest),

    // Of an object.
    /// `minProperties`.
    MinProperties(u64),
    /// `maxProperties`.
    MaxProperties(u64),
    /// `required`.
    Required(Box<Required>),
    /// `properties`, `patternProperties` and `additionalProperties`, in one walk over the members.
    Members(Arc<Members>),
    /// `propertyNames`.
    PropertyNames(Link),
    /// `dependentRequired`: where the name is present, the others must be.
    DependentRequired(Thin<Dependents>),
    /// `dependentSchemas`: where the name is present, the node applies.
    DependentSchemas(NamedNodes),
    /// `propertyDependencies`: where a member is a string, the node of its text applies.
    PropertyDependencies(Thin<PropertyDependents>),
    /// `unevaluatedProperties`.
    UnevaluatedProperties(Rest),
}

const _: () = assert!(size_of::<Instruction>() <= 16, "an instruction grew: box its payload");

impl Instruction {
    /// Whether it is one of `unevaluated*`: it evaluates every child, whatever the value.
    pub(crate) fn is_unevaluated(&self) -> bool {
        matches!(self, Instruction::UnevaluatedItems(_) | Instruction::UnevaluatedProperties(_))
    }
}

impl Instruction {
    /// Whether it uses memory of the scratch: marks, sets, or what patterns keep.
    pub(crate) fn uses_memory(&self) -> bool {
        match self {
            Instruction::Pattern(_) | Instruction::UniqueItems => true,
            Instruction::Members(members) => !members.patterns.is_empty(),
            other => other.is_unevaluated(),
        }
    }
}

/// The values of an `enum`.
#[derive(Debug)]
pub(crate) struct Choices {
    /// The strings among them, for a look-up without comparing all.
    pub(crate) strings: KeyTable<()>,
    /// What they are, where they are not just those strings in their order.
    mixed: Option<Box<Mixed>>,
}

/// Values of which not all are strings, or some stand twice.
#[derive(Debug)]
struct Mixed {
    /// All of them, as the author listed them.
    values: Box<[Value]>,
    /// The numbers among them, sorted, for a look-up by halves.
    numbers: Box<[ExactNumber]>,
    /// What is neither string nor number, by its place in `values`.
    compared: Box<[u32]>,
}

/// One of the values of an `enum`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'p> {
    Text(&'p str),
    Value(&'p Value),
}

impl Choices {
    /// Strings alone, all different.
    pub(crate) fn of_strings(strings: Vec<&str>) -> Choices {
        let strings = strings.into_iter().map(|string| (string, ())).collect();
        Choices { strings: KeyTable::in_order(strings), mixed: None }
    }

    /// Any values. `strings` and `numbers` are those among them, each once, and the numbers sorted.
    pub(crate) fn of_values(values: &[Value], strings: Vec<&str>, numbers: Vec<ExactNumber>) -> Choices {
        let strings = KeyTable::new(strings.into_iter().map(|string| (string, ())).collect());
        let compared = (0_u32..).zip(values).filter(|(_, value)| !value.is_string() && !value.is_number());
        let compared = compared.map(|(index, _)| index).collect();
        let mixed = Mixed { values: values.into(), numbers: numbers.into(), compared };
        Choices { strings, mixed: Some(Box::new(mixed)) }
    }

    /// How many the author listed.
    pub(crate) fn len(&self) -> usize {
        self.mixed.as_ref().map_or(self.strings.len(), |mixed| mixed.values.len())
    }

    /// All of them, as the author listed them.
    pub(crate) fn listed(&self) -> impl ExactSizeIterator<Item = Choice<'_>> {
        let values = self.mixed.as_ref().map(|mixed| &*mixed.values);
        let mut strings = self.strings.iter();
        (0..self.len()).map(move |index| match values.and_then(|values| values.get(index)) {
            Some(Value::String(text)) => Choice::Text(text),
            Some(value) => Choice::Value(value),
            None => Choice::Text(strings.next().map_or("", |(text, ())| text)),
        })
    }

    /// Those that are no strings.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Value> {
        let values = self.mixed.iter().flat_map(|mixed| &mixed.values);
        values.filter(|value| !value.is_string())
    }

    /// Whether all are strings.
    pub(crate) fn only_strings(&self) -> bool {
        self.others().next().is_none()
    }

    /// The numbers among them, sorted.
    pub(crate) fn numbers(&self) -> &[ExactNumber] {
        self.mixed.as_ref().map_or(&[], |mixed| &mixed.numbers)
    }

    /// What is neither string nor number.
    pub(crate) fn compared(&self) -> impl Iterator<Item = &Value> {
        let mixed = self.mixed.iter();
        mixed.flat_map(|mixed| mixed.compared.iter().filter_map(|index| mixed.values.get(*index as usize)))
    }
}

/// The branches of `anyOf` or `oneOf`.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) branches: Box<[Link]>,
    pub(crate) tag: Option<Box<Tag>>,
}

/// A property that every branch requires and limits to strings that no other branch admits.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: Box<str>,
    /// Each admitted string and its branch (an index into [`Union::branches`]), sorted by string.
    pub(crate) branches: Box<[(Box<str>, u32)]>,
}

/// `if`, `then`, `else`.
#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: Link,
    pub(crate) then: Option<Link>,
    pub(crate) otherwise: Option<Link>,
}

/// `prefixItems` and `items`.
#[derive(Debug)]
pub(crate) enum Items {
    /// One node for every item, as in most schemas.
    Every(Link),
    /// Nodes for the first items, and perhaps one for those behind them.
    Listed(Box<(Box<[Link]>, Option<Link>)>),
}

impl Items {
    pub(crate) fn new(prefix: Vec<Link>, rest: Option<Link>) -> Items {
        match rest {
            Some(every) if prefix.is_empty() => Items::Every(every),
            Some(_) | None => Items::Listed(Box::new((prefix.into(), rest))),
        }
    }

    /// The nodes of the first items.
    #[inline]
    pub(crate) fn prefix(&self) -> &[Link] {
        match self {
            Items::Every(_) => &[],
            Items::Listed(listed) => &listed.0,
        }
    }

    /// The node of every item after the prefix.
    #[inline]
    pub(crate) fn rest(&self) -> Option<Link> {
        match self {
            Items::Every(link) => Some(*link),
            Items::Listed(listed) => listed.1,
        }
    }

    /// All links, to change them.
    pub(crate) fn links_mut(&mut self) -> impl Iterator<Item = &mut Link> {
        let (prefix, rest) = match self {
            Items::Every(link) => (&mut [][..], Some(link)),
            Items::Listed(listed) => (&mut *listed.0, listed.1.as_mut()),
        };
        prefix.iter_mut().chain(rest)
    }
}

/// `required`.
#[derive(Debug)]
pub(crate) struct Required {
    pub(crate) names: Box<[Box<str>]>,
    /// Whether the walk over the members counts all of them, so that a verdict need not look for them.
    pub(crate) told: bool,
}

/// What `dependentRequired` asks where one member is present.
#[derive(Debug)]
pub(crate) struct Dependents {
    pub(crate) name: Box<str>,
    pub(crate) required: Box<[Box<str>]>,
}

/// Nodes by a name or a text.
pub(crate) type NamedNodes = Thin<(Box<str>, Link)>;

/// What `propertyDependencies` asks of one member.
#[derive(Debug)]
pub(crate) struct PropertyDependents {
    pub(crate) name: Box<str>,
    /// The node of each text, sorted by text.
    pub(crate) nodes: NamedNodes,
}

/// `contains`, `minContains`, `maxContains`.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) node: Link,
    pub(crate) minimum: u64,
    pub(crate) maximum: Option<u64>,
    /// Whether the author wrote `minContains`: only the report asks.
    pub(crate) minimum_written: bool,
    /// Whether a matching item counts as evaluated, as from 2020-12 on.
    pub(crate) evaluates: bool,
}

/// What applies to what no other keyword took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The schema `false`: reported at the container.
    Never,
    /// Any other schema: reported inside, at the child.
    Node(Link),
}

/// `properties`, `patternProperties`, `additionalProperties`.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) named: KeyTable<Link>,
    pub(crate) patterns: Thin<(PatternId, Rest)>,
    /// What applies to members that neither name, as a link, which also says that all pass or that none does: what a verdict
    /// asks.
    pub(crate) otherwise: Link,
    /// How many of the names are required and counted by this walk.
    required: u32,
    /// What the link stands for.
    pub(crate) others: Others,
    /// Whether `additionalProperties` was written at all, even as `true`: then every member is evaluated.
    pub(crate) additional_written: bool,
}

/// What applies to members that nothing names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Others {
    /// Nothing.
    Pass,
    /// The schema `false`.
    Never,
    /// A node.
    Node,
}

const _: () = assert!(size_of::<Members>() <= 96, "members grew");

impl Members {
    /// Members of which `additional` applies to those that nothing names; no name is required yet.
    pub(crate) fn new(
        named: KeyTable<Link>,
        patterns: Vec<(PatternId, Rest)>,
        additional: Option<Rest>,
        additional_written: bool,
    ) -> Members {
        let (others, otherwise) = match additional {
            None => (Others::Pass, Link::ALWAYS),
            Some(Rest::Never) => (Others::Never, Link::NEVER),
            Some(Rest::Node(link)) => (Others::Node, link),
        };
        Members { named, patterns: patterns.into(), otherwise, required: 0, others, additional_written }
    }

    /// How many of the names are required and counted by this walk.
    #[inline]
    pub(crate) fn required(&self) -> usize {
        self.required as usize
    }

    /// Counts further names that are required, which are no more than there are names.
    pub(crate) fn require(&mut self, names: usize) {
        self.required = self.required.saturating_add(u32::try_from(names).unwrap_or(u32::MAX));
    }

    /// What applies to members that nothing names; `None` is anything.
    #[inline]
    pub(crate) fn additional(&self) -> Option<Rest> {
        match self.others {
            Others::Pass => None,
            Others::Never => Some(Rest::Never),
            Others::Node => Some(Rest::Node(self.otherwise)),
        }
    }
}
