//! What each keyword is, dialect by dialect: one table that can be read beside the specification.
//!
//! In: a keyword's name and a dialect. Out: how it is read ([`Reads`]) and where subschemas lie under it
//! ([`Shape`]). A keyword that has no row in a dialect is an annotation there.

use super::dialect::Dialect;

/// How a keyword is read. A keyword whose form changed between dialects has one of these for each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    // Identity and structure (core §8, §9).
    /// `$schema`, `$id`, `$anchor`, `$vocabulary`, `$comment`: read with the document, not with the value.
    Structure,
    /// `$defs`, `definitions`: holds schemas, asks nothing.
    Definitions,
    Reference,
    DynamicReference,

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
    /// Draft 7: one schema for every item, or an array of schemas by position.
    ItemsBothForms,
    /// Draft 7: read with the array form of `items`.
    AdditionalItems,
    Contains,
    UnevaluatedItems,
    UnevaluatedProperties,
    /// Draft 7: `dependentSchemas` and `dependentRequired` in one.
    Dependencies,

    // Assertions (validation §6, §7).
    Type,
    Enum,
    Const,
    MultipleOf,
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
    MinLength,
    MaxLength,
    Pattern,
    Format,
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
            | Reads::UnevaluatedProperties => Shape::One,
            Reads::AllOf | Reads::AnyOf | Reads::OneOf | Reads::PrefixItems => Shape::Array,
            Reads::Definitions | Reads::Properties | Reads::PatternProperties | Reads::DependentSchemas => {
                Shape::Map
            }
            Reads::ItemsBothForms => Shape::OneOrArray,
            Reads::Dependencies => Shape::MapOrNames,
            Reads::Structure
            | Reads::Reference
            | Reads::DynamicReference
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

/// The dialects that a row speaks for; they are in the order of their publication.
#[derive(Clone, Copy, Debug)]
enum In {
    Every,
    Until(Dialect),
    From(Dialect),
}

impl In {
    fn holds(self, dialect: Dialect) -> bool {
        match self {
            In::Every => true,
            In::Until(last) => dialect as u8 <= last as u8,
            In::From(first) => dialect as u8 >= first as u8,
        }
    }
}

const UNTIL_7: In = In::Until(Dialect::Draft7);
const FROM_7: In = In::From(Dialect::Draft7);
const FROM_202012: In = In::From(Dialect::Draft202012);

/// A row: the name, the dialects, how it is read.
struct Row(&'static str, In, Reads);

/// The table. Order is that of the specification's chapters; a name may have several rows, one a form.
const TABLE: &[Row] = &[
    // Core §8: identity.
    Row("$schema", In::Every, Reads::Structure),
    Row("$id", In::Every, Reads::Structure),
    Row("$comment", FROM_7, Reads::Structure),
    Row("$anchor", FROM_202012, Reads::Structure),
    Row("$dynamicAnchor", FROM_202012, Reads::Structure),
    Row("$vocabulary", FROM_202012, Reads::Structure),
    Row("$ref", In::Every, Reads::Reference),
    Row("$dynamicRef", FROM_202012, Reads::DynamicReference),
    Row("$defs", FROM_202012, Reads::Definitions),
    Row("definitions", In::Every, Reads::Definitions),
    // Core §10: applicators.
    Row("allOf", In::Every, Reads::AllOf),
    Row("anyOf", In::Every, Reads::AnyOf),
    Row("oneOf", In::Every, Reads::OneOf),
    Row("not", In::Every, Reads::Not),
    Row("if", FROM_7, Reads::If),
    Row("then", FROM_7, Reads::Branch),
    Row("else", FROM_7, Reads::Branch),
    Row("properties", In::Every, Reads::Properties),
    Row("patternProperties", In::Every, Reads::PatternProperties),
    Row("additionalProperties", In::Every, Reads::AdditionalProperties),
    Row("propertyNames", In::Every, Reads::PropertyNames),
    Row("dependentSchemas", FROM_202012, Reads::DependentSchemas),
    // 2020-12 keeps it for older schemas (core §10.2.2.4 of 2019-09; the metaschema still lists it).
    Row("dependencies", In::Every, Reads::Dependencies),
    Row("prefixItems", FROM_202012, Reads::PrefixItems),
    Row("items", UNTIL_7, Reads::ItemsBothForms),
    Row("items", FROM_202012, Reads::Items),
    Row("additionalItems", UNTIL_7, Reads::AdditionalItems),
    Row("contains", In::Every, Reads::Contains),
    // Core §11: unevaluated.
    Row("unevaluatedItems", FROM_202012, Reads::UnevaluatedItems),
    Row("unevaluatedProperties", FROM_202012, Reads::UnevaluatedProperties),
    // Validation §6: assertions.
    Row("type", In::Every, Reads::Type),
    Row("enum", In::Every, Reads::Enum),
    Row("const", In::Every, Reads::Const),
    Row("multipleOf", In::Every, Reads::MultipleOf),
    Row("minimum", In::Every, Reads::Minimum),
    Row("maximum", In::Every, Reads::Maximum),
    Row("exclusiveMinimum", In::Every, Reads::ExclusiveMinimum),
    Row("exclusiveMaximum", In::Every, Reads::ExclusiveMaximum),
    Row("minLength", In::Every, Reads::MinLength),
    Row("maxLength", In::Every, Reads::MaxLength),
    Row("pattern", In::Every, Reads::Pattern),
    Row("minItems", In::Every, Reads::MinItems),
    Row("maxItems", In::Every, Reads::MaxItems),
    Row("uniqueItems", In::Every, Reads::UniqueItems),
    Row("minContains", FROM_202012, Reads::ContainsCount),
    Row("maxContains", FROM_202012, Reads::ContainsCount),
    Row("minProperties", In::Every, Reads::MinProperties),
    Row("maxProperties", In::Every, Reads::MaxProperties),
    Row("required", In::Every, Reads::Required),
    Row("dependentRequired", FROM_202012, Reads::DependentRequired),
    // Validation §7 to §9: format, content, annotations.
    Row("format", In::Every, Reads::Format),
    Row("contentEncoding", FROM_7, Reads::Annotation),
    Row("contentMediaType", FROM_7, Reads::Annotation),
    Row("contentSchema", FROM_202012, Reads::Annotation),
    Row("title", In::Every, Reads::Annotation),
    Row("description", In::Every, Reads::Annotation),
    Row("default", In::Every, Reads::Annotation),
    Row("deprecated", FROM_202012, Reads::Annotation),
    Row("readOnly", FROM_7, Reads::Annotation),
    Row("writeOnly", FROM_7, Reads::Annotation),
    Row("examples", In::Every, Reads::Annotation),
];

/// How `dialect` reads the keyword `name`, with the name's lasting spelling; nothing where it knows no such
/// keyword.
pub(crate) fn look_up(name: &str, dialect: Dialect) -> Option<(&'static str, Reads)> {
    TABLE.iter().find(|row| row.0 == name && row.1.holds(dialect)).map(|row| (row.0, row.2))
}

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
    fn a_form_follows_its_dialect() {
        assert_eq!(look_up("items", Dialect::Draft7), Some(("items", Reads::ItemsBothForms)));
        assert_eq!(look_up("items", Dialect::Draft202012), Some(("items", Reads::Items)));
        assert_eq!(look_up("prefixItems", Dialect::Draft7), None);
        assert_eq!(look_up("additionalItems", Dialect::Draft202012), None);
    }
}
