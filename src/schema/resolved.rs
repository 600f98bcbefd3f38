//! The resolved form: a schema freed of its dialect, every reference a typed id.
//!
//! In: filled by [`super::read`]. Out: the compiler's input. One [`Subschema`] a schema that the root reaches, so
//! the size is linear in the schema.

use serde_json::{Number, Value};

use crate::format::Names;
use crate::format::content::Content;
use crate::program::LocationId;
use crate::value::Types;

/// A subschema of the resolved form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SubschemaId(pub(crate) usize);

/// A schema and all that it reaches.
#[derive(Debug)]
pub(crate) struct Resolved<'s> {
    pub(crate) subschemas: Vec<Subschema<'s>>,
    pub(crate) root: SubschemaId,
    /// What each resource binds in the dynamic scope: its `$dynamicAnchor`s, by name, and its `$recursiveAnchor`.
    pub(crate) dynamic_anchors: Vec<Vec<(&'s str, SubschemaId)>>,
}

/// One schema.
#[derive(Debug)]
pub(crate) struct Subschema<'s> {
    pub(crate) location: LocationId,
    /// The resource that it lies in: an index into [`Resolved::dynamic_anchors`].
    pub(crate) resource: usize,
    /// Draft 3: whether an object that names this schema under `properties` must have the member.
    pub(crate) required: bool,
    pub(crate) body: Body<'s>,
}

/// What a schema says.
#[derive(Debug)]
pub(crate) enum Body<'s> {
    /// `true`.
    Always,
    /// `false`.
    Never,
    /// An object, with the keywords that ask something of a value.
    Keywords(Vec<Keyword<'s>>),
}

/// A keyword, with the name that its dialect gives it.
#[derive(Debug)]
pub(crate) struct Keyword<'s> {
    pub(crate) name: &'static str,
    pub(crate) asks: Asks<'s>,
}

/// What a keyword asks of a value, in the words of 2020-12.
#[derive(Debug)]
pub(crate) enum Asks<'s> {
    Reference(SubschemaId),
    /// The target where nothing in the dynamic scope binds the anchor, and the anchor's name. Without a target it
    /// must be bound.
    DynamicReference {
        target: Option<SubschemaId>,
        anchor: &'s str,
    },
    AllOf(Vec<SubschemaId>),
    AnyOf(Vec<SubschemaId>),
    OneOf(Vec<SubschemaId>),
    Not(SubschemaId),
    If {
        condition: SubschemaId,
        then: Option<SubschemaId>,
        otherwise: Option<SubschemaId>,
    },
    Properties(Vec<(&'s str, SubschemaId)>),
    PatternProperties(Vec<(&'s str, SubschemaId)>),
    AdditionalProperties(SubschemaId),
    PropertyNames(SubschemaId),
    DependentSchemas(Vec<(&'s str, SubschemaId)>),
    DependentRequired(Vec<(&'s str, Vec<&'s str>)>),
    /// Where a member of the first name is a string, the schema by its text.
    PropertyDependencies(Vec<(&'s str, Vec<(&'s str, SubschemaId)>)>),
    PrefixItems(Vec<SubschemaId>),
    /// Every item after those of `PrefixItems`.
    Items(SubschemaId),
    Contains {
        schema: SubschemaId,
        minimum: Option<u64>,
        maximum: Option<u64>,
        evaluates: bool,
    },
    UnevaluatedItems(SubschemaId),
    UnevaluatedProperties(SubschemaId),
    Type(Types),
    Enum(&'s [Value]),
    Const(&'s Value),
    MultipleOf(&'s Number),
    Minimum(&'s Number),
    Maximum(&'s Number),
    ExclusiveMinimum(&'s Number),
    ExclusiveMaximum(&'s Number),
    MinLength(u64),
    MaxLength(u64),
    Pattern(&'s str),
    /// The name, and whose names it is one of.
    Format {
        name: &'s str,
        /// Whose names it is one of.
        names: Names,
        /// Whether the schema's own metaschema asks that it asserts.
        asserted: bool,
    },
    /// A string holds content of a media type, encoded.
    Content(Content),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    MinProperties(u64),
    MaxProperties(u64),
    Required(Vec<&'s str>),
    /// Draft 3: the member is required if its schema says so.
    RequiredBySchema(&'s str, SubschemaId),
    /// A keyword of the caller's: its number among them, and its value.
    Custom(usize, &'s Value),
}
