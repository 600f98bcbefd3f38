//! The instruction set: what can be asked of one value.
//!
//! In: filled by the compiler. Out: read by the engine, the texts and the printer, each with one exhaustive
//! match. An instruction is at most three words; what is larger lies behind a box, so that a node's
//! instructions are one flat run.

use std::sync::Arc;

use serde_json::Value;

use super::ids::{CustomFormatId, CustomKeywordId, PatternId};
use super::keys::KeyTable;
use super::link::Link;
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
    AllOf(Box<[Link]>),
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
    Items(Box<Items>),
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
    Required(Required),
    /// `properties`, `patternProperties` and `additionalProperties`, in one walk over the members.
    Members(Arc<Members>),
    /// `propertyNames`.
    PropertyNames(Link),
    /// `dependentRequired`: where the name is present, the others must be.
    DependentRequired(Box<[Dependents]>),
    /// `dependentSchemas`: where the name is present, the node applies.
    DependentSchemas(NamedNodes),
    /// `propertyDependencies`: where a member is a string, the node of its text applies.
    PropertyDependencies(Box<[PropertyDependents]>),
    /// `unevaluatedProperties`.
    UnevaluatedProperties(Rest),
}

const _: () = assert!(size_of::<Instruction>() <= 24, "an instruction grew: box its payload");

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
    /// All of them, as the author listed them.
    pub(crate) values: Box<[Value]>,
    /// The strings among them, for a look-up without comparing all.
    pub(crate) strings: KeyTable<()>,
    /// The others, by their place in `values`.
    pub(crate) others: Box<[u32]>,
    /// The numbers among those, sorted, for a look-up by halves.
    pub(crate) numbers: Box<[ExactNumber]>,
    /// What is neither string nor number, by its place in `values`.
    pub(crate) compared: Box<[u32]>,
}

/// The branches of `anyOf` or `oneOf`.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) branches: Box<[Link]>,
    pub(crate) tag: Option<Tag>,
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
pub(crate) struct Items {
    pub(crate) prefix: Box<[Link]>,
    /// The node of every item after the prefix.
    pub(crate) rest: Option<Link>,
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
pub(crate) type NamedNodes = Box<[(Box<str>, Link)]>;

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
    pub(crate) patterns: Box<[(PatternId, Rest)]>,
    /// What applies to members that neither name; `None` is anything.
    pub(crate) additional: Option<Rest>,
    /// The same as a link, which also says that all pass or that none does: what a verdict asks.
    pub(crate) otherwise: Link,
    /// How many of the names are required and counted by this walk.
    pub(crate) required: usize,
    /// Whether `additionalProperties` was written at all, even as `true`: then every member is evaluated.
    pub(crate) additional_written: bool,
}

impl Members {
    /// What applies to members that nothing names, as a link.
    pub(crate) fn otherwise(additional: Option<Rest>) -> Link {
        match additional {
            None => Link::ALWAYS,
            Some(Rest::Never) => Link::NEVER,
            Some(Rest::Node(link)) => link,
        }
    }
}
