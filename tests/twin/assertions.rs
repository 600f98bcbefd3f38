//! The keywords that look at one value and at no schema within.

use portcullis::{UnknownFormats, Validator};
use serde_json::{Map, Number, Value, json};

use super::decimal::Decimal;
use super::documents::{Draft, Place};
use super::{ITEMS, Matcher, TEXT, TEXT_WITHOUT_GROUPS, Twin};

impl Twin<'_> {
    /// Whether the value meets the keyword; one that does not concern its type, or is no assertion, is met.
    pub(super) fn meets(&self, place: &Place<'_>, keyword: &str, argument: &Value, value: &Value) -> bool {
        let Some(language) = place.language else { return true };
        match (keyword, value) {
            // There it may name schemas too, and is no mere assertion.
            ("type", _) if language.draft == Draft::Draft3 => true,
            ("type", _) => one_or_list(argument).iter().any(|name| is_of_type(language.draft, name, value)),
            ("enum", _) => array(argument).iter().any(|choice| equal(choice, value)),
            ("const", _) => equal(argument, value),
            ("format", _) if self.assert_format || language.asserts_format() => {
                self.has_format(language.draft, argument.as_str().unwrap_or(""), value)
            }

            ("minimum", Value::Number(number)) => Decimal::new(number).order(&decimal(argument)).is_ge(),
            ("maximum", Value::Number(number)) => Decimal::new(number).order(&decimal(argument)).is_le(),
            ("exclusiveMinimum", Value::Number(number)) => {
                Decimal::new(number).order(&decimal(argument)).is_gt()
            }
            ("exclusiveMaximum", Value::Number(number)) => {
                Decimal::new(number).order(&decimal(argument)).is_lt()
            }
            ("multipleOf" | "divisibleBy", Value::Number(number)) => {
                Decimal::new(number).is_multiple_of(&decimal(argument)).unwrap_or_else(|| {
                    self.give_up("a quotient too long to be written out");
                    true
                })
            }

            ("minLength", Value::String(text)) => at_least(text.chars().count(), argument),
            ("maxLength", Value::String(text)) => at_most(text.chars().count(), argument),
            ("pattern", Value::String(text)) => self.matches(argument.as_str().unwrap_or(""), text),

            ("minItems", Value::Array(items)) => at_least(items.len(), argument),
            ("maxItems", Value::Array(items)) => at_most(items.len(), argument),
            ("uniqueItems", Value::Array(items)) if items.len() > ITEMS => {
                self.give_up("too many items to compare each with each");
                true
            }
            ("uniqueItems", Value::Array(items)) => {
                argument == &Value::Bool(false)
                    || items
                        .iter()
                        .enumerate()
                        .all(|(at, one)| !items[..at].iter().any(|other| equal(one, other)))
            }

            ("minProperties", Value::Object(members)) => at_least(members.len(), argument),
            ("maxProperties", Value::Object(members)) => at_most(members.len(), argument),
            ("required", Value::Object(members)) => has_all(members, argument),
            ("dependentRequired" | "dependencies", Value::Object(members)) => object(argument)
                .iter()
                .all(|(name, needed)| !members.contains_key(name) || has_all(members, needed)),
            _ => true,
        }
    }

    /// Whether the pattern occurs in the text: told by `regex` where that reads it as ECMA-262 does, and else by an
    /// ECMA engine, which backtracks.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> bool {
        let mut known = self.patterns.borrow_mut();
        let matcher = known.entry(pattern.to_owned()).or_insert_with(|| {
            let is_strange =
                pattern.contains(['\\', '.', '&', '~']) || pattern.contains("(?") || pattern.contains("[[");
            if !is_strange && let Ok(regex) = regex::Regex::new(pattern) {
                return Matcher::Linear(regex);
            }
            regress::Regex::with_flags(pattern, "u").map_or(Matcher::None, Matcher::Backtracking)
        });
        match matcher {
            Matcher::Linear(regex) => regex.is_match(text),
            Matcher::Backtracking(regex)
                if text.len() <= if pattern.contains('(') { TEXT } else { TEXT_WITHOUT_GROUPS } =>
            {
                regex.find(text).is_some()
            }
            Matcher::Backtracking(_) => {
                self.give_up("a text too long for backtracking");
                true
            }
            Matcher::None => {
                self.give_up(format!("the pattern {pattern} is none"));
                true
            }
        }
    }

    /// The few formats that take a line; the others by the engine's own judge.
    fn has_format(&self, draft: Draft, format: &str, value: &Value) -> bool {
        match (format, value) {
            ("ipv4", Value::String(text)) => text.parse::<std::net::Ipv4Addr>().is_ok(),
            ("int8", Value::Number(number)) => {
                let whole = Decimal::new(number);
                (i8::MIN..=i8::MAX).any(|byte| Decimal::new(&byte.into()) == whole)
            }
            ("ipv4" | "int8", _) => true,
            _ => self.engine_admits(draft, &json!({"format": format}), value),
        }
    }

    /// The content keyword that the value fails, where they are to assert: by the engine's own judge, which reads
    /// the two together and blames the encoding where there is one.
    pub(super) fn wrong_content(
        &self,
        place: &Place<'_>,
        schema: &Map<String, Value>,
        value: &Value,
    ) -> Option<&'static str> {
        let asks = ["contentEncoding", "contentMediaType"].into_iter().filter(|keyword| place.knows(keyword));
        let asks = asks.filter_map(|keyword| Some((keyword, schema.get(keyword)?)));
        let asks: Vec<_> = asks.filter(|_| self.assert_content).collect();
        let (blamed, _) = *asks.first()?;
        let alone =
            asks.into_iter().map(|(keyword, argument)| (keyword.to_owned(), argument.clone())).collect();
        let admits = self.engine_admits(place.draft()?, &Value::Object(alone), value);
        (!admits).then_some(blamed)
    }

    /// What the engine says of a schema of one keyword. What that keyword means has its own tests; the twin knows
    /// what becomes of it among others.
    fn engine_admits(&self, draft: Draft, schema: &Value, value: &Value) -> bool {
        self.borrowed.set(true);
        let options = Validator::options().dialect(draft.dialect()).assert_format(true).assert_content(true);
        match options.unknown_formats(UnknownFormats::Annotate).build(schema) {
            Ok(validator) => validator.is_valid(value),
            Err(error) => {
                self.give_up(error.to_string());
                true
            }
        }
    }
}

pub(super) fn is_of_type(draft: Draft, name: &Value, value: &Value) -> bool {
    match (name.as_str().unwrap_or(""), value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) if draft <= Draft::Draft4 => is_spelled_as_integer(number),
        ("integer", Value::Number(number)) => Decimal::new(number).is_integer(),
        _ => false,
    }
}

/// Without fraction and exponent; where the reader has lost the spelling, a float that no integer type holds may have
/// had it: one past them all, and −0.
fn is_spelled_as_integer(number: &Number) -> bool {
    const PAST: f64 = 18_446_744_073_709_551_616.0;
    let keeps_spelling =
        serde_json::from_str::<Number>("1e2").is_ok_and(|number| number.to_string().contains('e'));
    let is_past = number
        .as_f64()
        .is_some_and(|float| float.abs() >= PAST || (float == 0.0 && float.is_sign_negative()));
    !number.to_string().contains(['.', 'e', 'E']) || (!keeps_spelling && is_past)
}

/// Equality of JSON values: numbers by value, objects in any order.
pub(super) fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => Decimal::new(one) == Decimal::new(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}

fn has_all(members: &Map<String, Value>, names: &Value) -> bool {
    one_or_list(names).iter().filter_map(Value::as_str).all(|name| members.contains_key(name))
}

pub(super) fn at_least(count: usize, argument: &Value) -> bool {
    Decimal::from_count(count).order(&decimal(argument)).is_ge()
}

pub(super) fn at_most(count: usize, argument: &Value) -> bool {
    Decimal::from_count(count).order(&decimal(argument)).is_le()
}

fn decimal(argument: &Value) -> Decimal {
    Decimal::new(argument.as_number().expect("the metaschema asks for a number"))
}

/// The items of an array; anything else alone.
pub(super) fn one_or_list(argument: &Value) -> &[Value] {
    argument.as_array().map_or(std::slice::from_ref(argument), Vec::as_slice)
}

/// The items of an array; of anything else, none.
pub(super) fn array(argument: &Value) -> &[Value] {
    argument.as_array().map_or(&[], Vec::as_slice)
}

/// The members of an object; of anything else, none.
pub(super) fn object(argument: &Value) -> &Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    argument.as_object().unwrap_or(&NONE)
}
