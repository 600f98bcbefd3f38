//! The keywords that look at one value and at no schema within.

use serde_json::{Map, Number, Value};

use super::Twin;
use super::decimal::Decimal;
use super::documents::Draft;

impl Twin<'_> {
    /// Whether the value meets the keyword; one that does not concern its type, or is no assertion, is met.
    pub(super) fn meets(&self, draft: Draft, keyword: &str, argument: &Value, value: &Value) -> bool {
        match (keyword, value) {
            ("type", _) => match argument {
                Value::Array(names) => names.iter().any(|name| is_of_type(draft, name, value)),
                name => is_of_type(draft, name, value),
            },
            ("enum", _) => array(argument).iter().any(|choice| equal(choice, value)),
            ("const", _) => equal(argument, value),
            ("format", _) => !self.assert_format || self.has_format(argument.as_str().unwrap_or(""), value),

            ("minimum", Value::Number(number)) => Decimal::new(number).order(&decimal(argument)).is_ge(),
            ("maximum", Value::Number(number)) => Decimal::new(number).order(&decimal(argument)).is_le(),
            ("exclusiveMinimum", Value::Number(number)) => {
                Decimal::new(number).order(&decimal(argument)).is_gt()
            }
            ("exclusiveMaximum", Value::Number(number)) => {
                Decimal::new(number).order(&decimal(argument)).is_lt()
            }
            ("multipleOf", Value::Number(number)) => Decimal::new(number).is_multiple_of(&decimal(argument)),

            ("minLength", Value::String(text)) => at_least(text.chars().count(), argument),
            ("maxLength", Value::String(text)) => at_most(text.chars().count(), argument),
            ("pattern", Value::String(text)) => self.matches(argument.as_str().unwrap_or(""), text),

            ("minItems", Value::Array(items)) => at_least(items.len(), argument),
            ("maxItems", Value::Array(items)) => at_most(items.len(), argument),
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

    /// Whether the pattern occurs in the text. Only patterns that ECMA-262 and `regex` read alike are known.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> bool {
        let strange = pattern.replace(r"\p{Letter}", "");
        if strange.contains(['\\', '&', '~']) || strange.contains("(?") || strange.contains("[[") {
            self.give_up(format!("the pattern {pattern} is not simple"));
            return true;
        }
        if let Some(regex) = self.patterns.borrow().get(pattern) {
            return regex.is_match(text);
        }
        match regex::Regex::new(pattern) {
            Ok(regex) => {
                let matched = regex.is_match(text);
                self.patterns.borrow_mut().insert(pattern.to_owned(), regex);
                matched
            }
            Err(_) => {
                self.give_up(format!("the pattern {pattern} is not simple"));
                true
            }
        }
    }

    /// The few formats that take a line.
    fn has_format(&self, format: &str, value: &Value) -> bool {
        match (format, value) {
            ("ipv4", Value::String(text)) => text.parse::<std::net::Ipv4Addr>().is_ok(),
            ("int8", Value::Number(number)) => {
                let whole = Decimal::new(number);
                (i8::MIN..=i8::MAX).any(|byte| Decimal::new(&byte.into()) == whole)
            }
            ("ipv4" | "int8", _) => true,
            _ => {
                self.give_up(format!("the format {format} is judged elsewhere"));
                true
            }
        }
    }
}

fn is_of_type(draft: Draft, name: &Value, value: &Value) -> bool {
    match (name.as_str().unwrap_or(""), value) {
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        ("integer", Value::Number(number)) if draft == Draft::Draft4 => is_spelled_as_integer(number),
        ("integer", Value::Number(number)) => Decimal::new(number).is_integer(),
        _ => false,
    }
}

/// Without fraction and exponent; where the reader has lost the spelling, a float past all integers may have had it.
fn is_spelled_as_integer(number: &Number) -> bool {
    const PAST: f64 = 18_446_744_073_709_551_616.0;
    let keeps_spelling =
        serde_json::from_str::<Number>("1e2").is_ok_and(|number| number.to_string().contains('e'));
    let is_past = number.as_f64().is_some_and(|float| float.abs() >= PAST);
    !number.to_string().contains(['.', 'e', 'E']) || (!keeps_spelling && is_past)
}

/// Equality of JSON values: numbers by value, objects in any order.
fn equal(one: &Value, other: &Value) -> bool {
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
    array(names).iter().all(|name| members.contains_key(name.as_str().unwrap_or("")))
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

/// The items of an array; of anything else, none.
pub(super) fn array(argument: &Value) -> &[Value] {
    argument.as_array().map_or(&[], Vec::as_slice)
}

/// The members of an object; of anything else, none.
pub(super) fn object(argument: &Value) -> &Map<String, Value> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    argument.as_object().unwrap_or(&NONE)
}
