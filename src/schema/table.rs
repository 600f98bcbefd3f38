//! What each keyword is, dialect by dialect: one table that can be read beside the specification.
//!
//! In: a keyword's name and a dialect. Out: how it is read ([`Reads`]) and where subschemas lie under it
//! ([`Shape`]). A keyword that has no row in a dialect is an annotation there.

use super::dialect::Dialect;
use super::vocabulary::Language;
use super::vocabulary::Vocabulary::{
    self, Applicator, Content, Core, Format, MetaData, Unevaluated, Validation,
};

/// How a keyword is read. A keyword whose form changed between dialects has one of these for each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    // Identity and structure (core §8, §9).
    /// `$schema`, `$id`, `$anchor`, `$vocabulary`, `$comment`: read with the document, not with the value.
    Structure,
    /// `$defs`, `definitions`: holds schemas, asks nothing.
    Definitions,
    Reference,
    /// 2020-12: a reference whose first target must carry the dynamic anchor that it names (the bookend).
    DynamicReference,
    /// v1: the name of a dynamic anchor, bound by the dynamic scope alone.
    DynamicName,
    /// 2019-09: to the outermost resource that has `$recursiveAnchor`, if the one at hand has it.
    RecursiveReference,

    // Applicators (core §10, §11).
    AllOf,
    AnyOf,
    OneOf,
    Not,
    If,
    /// `then` and `else`: read with `if`.
    Branch,
    Properties,
    PatternProperties,
    AdditionalProperties,
    PropertyNames,
    DependentSchemas,
    PrefixItems,
    /// One schema for every item after `prefixItems`.
    Items,
    /// Until 2019-09: one schema for every item, or an array of schemas by position.
    ItemsBothForms,
    /// Until 2019-09: read with the array form of `items`.
    AdditionalItems,
    Contains,
    UnevaluatedItems,
    UnevaluatedProperties,
    /// Until draft 7: `dependentSchemas` and `dependentRequired` in one.
    Dependencies,
    /// Draft 3: so too, and a name may stand for a list of one.
    DependenciesOrName,
    /// A proposal to v1: schemas by a member's name and its text.
    PropertyDependencies,
    /// Draft 3: `properties` whose schemas may say that the member is required.
    PropertiesAndRequired,
    /// Draft 3: `required: true`, read with `properties` of the schema around.
    RequiredFlag,
    /// Draft 3: one schema or several, all of which apply.
    Extends,
    /// Draft 3: types and schemas, none of which may match.
    Disallow,

    // Assertions (validation §6, §7).
    Type,
    /// Draft 3: names of types and schemas, one of which must match.
    TypeOrSchemas,
    Enum,
    Const,
    /// `multipleOf`, and draft 3's `divisibleBy`.
    MultipleOf,
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
    /// Until draft 4: the bound itself may be excluded by a flag beside it.
    MinimumWithFlag,
    MaximumWithFlag,
    /// Until draft 4: `exclusiveMinimum` and `exclusiveMaximum`, read with their bounds.
    ExclusiveFlag,
    MinLength,
    MaxLength,
    Pattern,
    Format,
    /// `contentEncoding`: an annotation, unless the build asks for more.
    ContentEncoding,
    /// `contentMediaType`, which is read with `contentEncoding` where both stand.
    ContentMediaType,
    /// `contentSchema`: says what the content is like, which no check asks.
    ContentSchema,
    MinItems,
    MaxItems,
    UniqueItems,
    /// `minContains`, `maxContains`: read with `contains`.
    ContainsCount,
    MinProperties,
    MaxProperties,
    Required,
    DependentRequired,

    /// Says something of the value that no check asks (validation §8, §9).
    Annotation,
}

/// Where subschemas lie in a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Nowhere.
    None,
    /// The value is one.
    One,
    /// The value is an array of them.
    Array,
    /// The value is an object whose members are.
    Map,
    /// One, or an array of them.
    OneOrArray,
    /// An object whose members are schemas or arrays of names.
    MapOrNames,
    /// An object of objects whose members are schemas.
    MapOfMaps,
}

impl Reads {
    /// Where subschemas lie under a keyword that is read so.
    pub(crate) fn shape(self) -> Shape {
        match self {
            Reads::Not
            | Reads::If
            | Reads::Branch
            | Reads::AdditionalProperties
            | Reads::PropertyNames
            | Reads::Items
            | Reads::AdditionalItems
            | Reads::Contains
            | Reads::UnevaluatedItems
            | Reads::UnevaluatedProperties
            | Reads::ContentSchema => Shape::One,
            Reads::AllOf | Reads::AnyOf | Reads::OneOf | Reads::PrefixItems => Shape::Array,
            Reads::Definitions
            | Reads::Properties
            | Reads::PropertiesAndRequired
            | Reads::PatternProperties
            | Reads::DependentSchemas => Shape::Map,
            Reads::ItemsBothForms | Reads::Extends | Reads::TypeOrSchemas | Reads::Disallow => {
                Shape::OneOrArray
            }
            Reads::Dependencies | Reads::DependenciesOrName => Shape::MapOrNames,
            Reads::PropertyDependencies => Shape::MapOfMaps,
            Reads::Structure
            | Reads::Reference
            | Reads::DynamicReference
            | Reads::DynamicName
            | Reads::RecursiveReference
            | Reads::RequiredFlag
            | Reads::MinimumWithFlag
            | Reads::MaximumWithFlag
            | Reads::ExclusiveFlag
            | Reads::ContentEncoding
            | Reads::ContentMediaType
            | Reads::Type
            | Reads::Enum
            | Reads::Const
            | Reads::MultipleOf
            | Reads::Minimum
            | Reads::Maximum
            | Reads::ExclusiveMinimum
            | Reads::ExclusiveMaximum
            | Reads::MinLength
            | Reads::MaxLength
            | Reads::Pattern
            | Reads::Format
            | Reads::MinItems
            | Reads::MaxItems
            | Reads::UniqueItems
            | Reads::ContainsCount
            | Reads::MinProperties
            | Reads::MaxProperties
            | Reads::Required
            | Reads::DependentRequired
            | Reads::Annotation => Shape::None,
        }
    }
}

/// The dialects that a row speaks for, first and last; they are in the order of their publication.
#[derive(Clone, Copy, Debug)]
struct In(Dialect, Dialect);

impl In {
    fn holds(self, dialect: Dialect) -> bool {
        (self.0 as u8..=self.1 as u8).contains(&(dialect as u8))
    }
}

const EVERY: In = In(Dialect::Draft3, Dialect::V1);
const ONLY_3: In = In(Dialect::Draft3, Dialect::Draft3);
const UNTIL_4: In = In(Dialect::Draft3, Dialect::Draft4);
const UNTIL_201909: In = In(Dialect::Draft3, Dialect::Draft201909);
const FROM_4: In = In(Dialect::Draft4, Dialect::V1);
const FROM_6: In = In(Dialect::Draft6, Dialect::V1);
const FROM_7: In = In(Dialect::Draft7, Dialect::V1);
const FROM_201909: In = In(Dialect::Draft201909, Dialect::V1);
const FROM_201909_UNTIL_202012: In = In(Dialect::Draft201909, Dialect::Draft202012);
const ONLY_201909: In = In(Dialect::Draft201909, Dialect::Draft201909);
const FROM_202012: In = In(Dialect::Draft202012, Dialect::V1);
const ONLY_202012: In = In(Dialect::Draft202012, Dialect::Draft202012);
const ONLY_V1: In = In(Dialect::V1, Dialect::V1);

/// A row: the name, the dialects, the vocabulary that it belongs to, how it is read.
struct Row(&'static str, In, Vocabulary, Reads);

/// The table. Order is that of the specification's chapters; a name may have several rows, one a form.
const TABLE: &[Row] = &[
    // Core §8: identity.
    Row("$schema", EVERY, Core, Reads::Structure),
    Row("id", UNTIL_4, Core, Reads::Structure),
    Row("$id", FROM_6, Core, Reads::Structure),
    Row("$comment", FROM_7, Core, Reads::Structure),
    Row("$anchor", FROM_201909, Core, Reads::Structure),
    Row("$recursiveAnchor", ONLY_201909, Core, Reads::Structure),
    Row("$dynamicAnchor", FROM_202012, Core, Reads::Structure),
    // v1 took it out, and proposes it anew.
    Row("$vocabulary", FROM_201909_UNTIL_202012, Core, Reads::Structure),
    Row("$ref", EVERY, Core, Reads::Reference),
    Row("$recursiveRef", ONLY_201909, Core, Reads::RecursiveReference),
    Row("$dynamicRef", ONLY_202012, Core, Reads::DynamicReference),
    Row("$dynamicRef", ONLY_V1, Core, Reads::DynamicName),
    Row("$defs", FROM_201909, Core, Reads::Definitions),
    // Draft 3 does not name it, and its schemas use it all the same; later dialects keep it for older schemas.
    Row("definitions", EVERY, Core, Reads::Definitions),
    // Core §10: applicators.
    Row("extends", ONLY_3, Applicator, Reads::Extends),
    Row("disallow", ONLY_3, Applicator, Reads::Disallow),
    Row("allOf", FROM_4, Applicator, Reads::AllOf),
    Row("anyOf", FROM_4, Applicator, Reads::AnyOf),
    Row("oneOf", FROM_4, Applicator, Reads::OneOf),
    Row("not", FROM_4, Applicator, Reads::Not),
    Row("if", FROM_7, Applicator, Reads::If),
    Row("then", FROM_7, Applicator, Reads::Branch),
    Row("else", FROM_7, Applicator, Reads::Branch),
    Row("properties", ONLY_3, Applicator, Reads::PropertiesAndRequired),
    Row("properties", FROM_4, Applicator, Reads::Properties),
    Row("patternProperties", EVERY, Applicator, Reads::PatternProperties),
    Row("additionalProperties", EVERY, Applicator, Reads::AdditionalProperties),
    Row("propertyNames", FROM_6, Applicator, Reads::PropertyNames),
    Row("dependentSchemas", FROM_201909, Applicator, Reads::DependentSchemas),
    Row("propertyDependencies", ONLY_V1, Applicator, Reads::PropertyDependencies),
    Row("dependencies", ONLY_3, Applicator, Reads::DependenciesOrName),
    // Later dialects keep it for older schemas (2019-09 validation §A; their metaschemas still list it).
    Row("dependencies", FROM_4, Applicator, Reads::Dependencies),
    Row("prefixItems", FROM_202012, Applicator, Reads::PrefixItems),
    Row("items", UNTIL_201909, Applicator, Reads::ItemsBothForms),
    Row("items", FROM_202012, Applicator, Reads::Items),
    Row("additionalItems", UNTIL_201909, Applicator, Reads::AdditionalItems),
    Row("contains", FROM_6, Applicator, Reads::Contains),
    // Core §11: unevaluated.
    Row("unevaluatedItems", ONLY_201909, Applicator, Reads::UnevaluatedItems),
    Row("unevaluatedItems", FROM_202012, Unevaluated, Reads::UnevaluatedItems),
    Row("unevaluatedProperties", ONLY_201909, Applicator, Reads::UnevaluatedProperties),
    Row("unevaluatedProperties", FROM_202012, Unevaluated, Reads::UnevaluatedProperties),
    // Validation §6: assertions.
    Row("type", ONLY_3, Validation, Reads::TypeOrSchemas),
    Row("type", FROM_4, Validation, Reads::Type),
    Row("enum", EVERY, Validation, Reads::Enum),
    Row("const", FROM_6, Validation, Reads::Const),
    Row("divisibleBy", ONLY_3, Validation, Reads::MultipleOf),
    Row("multipleOf", FROM_4, Validation, Reads::MultipleOf),
    Row("minimum", UNTIL_4, Validation, Reads::MinimumWithFlag),
    Row("minimum", FROM_6, Validation, Reads::Minimum),
    Row("maximum", UNTIL_4, Validation, Reads::MaximumWithFlag),
    Row("maximum", FROM_6, Validation, Reads::Maximum),
    Row("exclusiveMinimum", UNTIL_4, Validation, Reads::ExclusiveFlag),
    Row("exclusiveMinimum", FROM_6, Validation, Reads::ExclusiveMinimum),
    Row("exclusiveMaximum", UNTIL_4, Validation, Reads::ExclusiveFlag),
    Row("exclusiveMaximum", FROM_6, Validation, Reads::ExclusiveMaximum),
    Row("minLength", EVERY, Validation, Reads::MinLength),
    Row("maxLength", EVERY, Validation, Reads::MaxLength),
    Row("pattern", EVERY, Validation, Reads::Pattern),
    Row("minItems", EVERY, Validation, Reads::MinItems),
    Row("maxItems", EVERY, Validation, Reads::MaxItems),
    Row("uniqueItems", EVERY, Validation, Reads::UniqueItems),
    Row("minContains", FROM_201909, Validation, Reads::ContainsCount),
    Row("maxContains", FROM_201909, Validation, Reads::ContainsCount),
    Row("minProperties", FROM_4, Validation, Reads::MinProperties),
    Row("maxProperties", FROM_4, Validation, Reads::MaxProperties),
    Row("required", ONLY_3, Validation, Reads::RequiredFlag),
    Row("required", FROM_4, Validation, Reads::Required),
    Row("dependentRequired", FROM_201909, Validation, Reads::DependentRequired),
    // Validation §7 to §9: format, content, annotations.
    Row("format", EVERY, Format, Reads::Format),
    Row("contentEncoding", FROM_7, Content, Reads::ContentEncoding),
    Row("contentMediaType", FROM_7, Content, Reads::ContentMediaType),
    Row("contentSchema", FROM_201909, Content, Reads::ContentSchema),
    Row("title", EVERY, MetaData, Reads::Annotation),
    Row("description", EVERY, MetaData, Reads::Annotation),
    Row("default", EVERY, MetaData, Reads::Annotation),
    Row("deprecated", FROM_201909, MetaData, Reads::Annotation),
    Row("readOnly", FROM_7, MetaData, Reads::Annotation),
    Row("writeOnly", FROM_7, MetaData, Reads::Annotation),
    Row("examples", FROM_6, MetaData, Reads::Annotation),
];

/// Bytes of the longest name, at most.
const LONGEST: usize = 31;

/// The rows in the order of their names' lengths, so that a name is compared with few of them.
struct ByLength {
    rows: [u8; TABLE.len()],
    /// Where the names of each length begin, and where the last end.
    starts: [u8; LONGEST + 2],
}

static BY_LENGTH: ByLength = by_length();

const fn by_length() -> ByLength {
    let mut sorted = ByLength { rows: [0; TABLE.len()], starts: [0; LONGEST + 2] };
    let (mut length, mut next) = (0, 0);
    while length <= LONGEST {
        // Checked where this is computed: at compile time.
        sorted.starts[length] = next as u8;
        let mut row = 0;
        while row < TABLE.len() {
            if TABLE[row].0.len() == length {
                sorted.rows[next] = row as u8;
                next += 1;
            }
            row += 1;
        }
        length += 1;
    }
    sorted.starts[length] = next as u8;
    assert!(next == TABLE.len() && next <= u8::MAX as usize, "a name is longer than the longest");
    sorted
}

/// How a schema in `language` reads the keyword `name`, with the name's lasting spelling; nothing where the
/// language knows no such keyword.
pub(crate) fn look_up(name: &str, language: Language) -> Option<(&'static str, Reads)> {
    let [from, to] = *BY_LENGTH.starts.get(name.len()..)?.first_chunk()?;
    let rows = BY_LENGTH.rows.get(usize::from(from)..usize::from(to))?;
    rows.iter()
        .filter_map(|row| TABLE.get(usize::from(*row)))
        .find(|row| row.0 == name && row.1.holds(language.dialect) && language.knows(row.2))
        .map(|row| (row.0, row.3))
}

#[cfg(test)]
mod coverage;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_dialect_has_two_rows_for_one_name() {
        for dialect in Dialect::ALL {
            for row in TABLE {
                let same = TABLE.iter().filter(|other| other.0 == row.0 && other.1.holds(*dialect));
                assert!(same.count() <= 1, "{} in {dialect}", row.0);
            }
        }
    }

    #[test]
    fn a_program_can_name_every_keyword_that_asks_something() {
        for Row(name, _, _, reads) in TABLE {
            let asks = !matches!(reads, Reads::Structure | Reads::Annotation);
            assert!(!asks || crate::program::Name::of(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_form_follows_its_dialect() {
        assert_eq!(
            look_up("items", Language::whole(Dialect::Draft7)),
            Some(("items", Reads::ItemsBothForms))
        );
        assert_eq!(look_up("items", Language::whole(Dialect::Draft202012)), Some(("items", Reads::Items)));
        assert_eq!(look_up("prefixItems", Language::whole(Dialect::Draft7)), None);
        assert_eq!(look_up("additionalItems", Language::whole(Dialect::Draft202012)), None);
    }
}
