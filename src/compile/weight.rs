//! What a copy of a schema weighs: its keywords' own values, which each copy holds anew.
//!
//! In: a keyword. Out: bytes, about, beyond those of a keyword without lists. A few schemas in very many dynamic scopes
//! are few subschemas, and may be few copies, and still be large. Linear in what is weighed; values are no deeper than
//! a schema may be.

use serde_json::Value;

use crate::schema::Asks;

/// What one value, name or branch takes besides its text, in bytes.
const ONE: usize = 64;

pub(super) fn weight(asks: &Asks<'_>) -> usize {
    let text = |text: &&str| ONE + text.len();
    let names = |names: &[&str]| names.iter().map(text).sum::<usize>();
    match asks {
        Asks::AllOf(branches)
        | Asks::AnyOf(branches)
        | Asks::OneOf(branches)
        | Asks::PrefixItems(branches) => ONE * branches.len(),
        Asks::Properties(named) | Asks::PatternProperties(named) | Asks::DependentSchemas(named) => {
            named.iter().map(|(name, _)| text(name)).sum()
        }
        Asks::DependentRequired(rules) => rules.iter().map(|(name, needed)| text(name) + names(needed)).sum(),
        Asks::PropertyDependencies(rules) => {
            let chosen = |named: &[(&str, _)]| named.iter().map(|(name, _)| text(name)).sum::<usize>();
            rules.iter().map(|(name, named)| text(name) + chosen(named)).sum()
        }
        Asks::Required(required) => names(required),
        Asks::Enum(values) => values.iter().map(of_value).sum(),
        Asks::Const(value) => of_value(value),
        Asks::MultipleOf(number)
        | Asks::Minimum(number)
        | Asks::Maximum(number)
        | Asks::ExclusiveMinimum(number)
        | Asks::ExclusiveMaximum(number) => number.to_string().len(),
        Asks::Reference(_)
        | Asks::DynamicReference { .. }
        | Asks::Not(_)
        | Asks::If { .. }
        | Asks::AdditionalProperties(_)
        | Asks::PropertyNames(_)
        | Asks::Items(_)
        | Asks::Contains { .. }
        | Asks::UnevaluatedItems(_)
        | Asks::UnevaluatedProperties(_)
        | Asks::Type(_)
        | Asks::MinLength(_)
        | Asks::MaxLength(_)
        | Asks::Pattern(_)
        | Asks::Format { .. }
        | Asks::Content(_)
        | Asks::MinItems(_)
        | Asks::MaxItems(_)
        | Asks::UniqueItems
        | Asks::MinProperties(_)
        | Asks::MaxProperties(_)
        | Asks::RequiredBySchema(..)
        | Asks::Custom(..) => 0,
    }
}

fn of_value(value: &Value) -> usize {
    ONE + match value {
        Value::Null | Value::Bool(_) => 0,
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(of_value).sum(),
        Value::Object(members) => members.iter().map(|(key, member)| key.len() + of_value(member)).sum(),
    }
}
