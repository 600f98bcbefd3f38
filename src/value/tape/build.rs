//! A document as `serde_json::Value`, for whoever reads on after the check.
//!
//! In: a document that has passed, and the places of numbers that are cast. Out: the value, or the place of a number that
//! it cannot hold. Recursion and size are the document's, whose depth the reader has bounded.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::fault::{Fault, What};
use super::instance::TapeValue;
use crate::value::{Array, Identity, Instance, Kind, Number, Object, View};

/// The value, its numbers as `serde_json` reads them but for those that are cast.
pub(crate) fn to_value(value: TapeValue<'_>, casts: &HashSet<Identity>) -> Result<Value, Fault> {
    Ok(match value.view() {
        View::Null => Value::Null,
        View::Boolean(boolean) => Value::Bool(boolean),
        View::Number(number) => {
            let cast = if casts.contains(&value.identity()) { number.to_integer() } else { None };
            Value::Number(cast.map_or_else(|| read(number, value), Ok)?)
        }
        View::String(text) => Value::String(text.to_owned()),
        View::Array(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(|item| to_value(item, casts)).collect();
            Value::Array(items?)
        }
        View::Object(members) => {
            let mut map = Map::new();
            for (key, member) in members.iter() {
                map.insert(key.to_owned(), to_value(member, casts)?);
            }
            Value::Object(map)
        }
    })
}

/// A number as `serde_json` holds it: rounded, where it rounds.
fn read(number: Number<'_>, value: TapeValue<'_>) -> Result<serde_json::Number, Fault> {
    match number {
        Number::Unsigned(unsigned) => Ok(unsigned.into()),
        Number::Negative(negative) => Ok(negative.into()),
        Number::Float(_) | Number::Text(_) | Number::Foreign(_) | Number::Malformed => {
            let token = value.token();
            debug_assert!(token.kind == Kind::Float, "all other numbers are held as text");
            serde_json::from_str(value.number_text())
                .map_err(|_| Fault { offset: token.place as usize, what: What::Unrepresentable })
        }
    }
}
