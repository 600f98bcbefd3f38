//! Values of keywords that hold no schema: texts, numbers, names, types.
//!
//! In: a keyword's value. Out: the value typed, or an error that names the place and what was wanted there. Linear in
//! the value.

use serde_json::{Number, Value};

use super::{Here, Reader};
use crate::format::content::Content;
use crate::schema::error::BuildError;
use crate::schema::table::{Reads, look_up};
use crate::value::{Type, Types};

impl<'s> Reader<'_, 's> {
    /// What the content keywords ask together. The one that stands for both is the encoding.
    pub(super) fn content(
        &self,
        here: Here<'s>,
        reads: Reads,
        name: &str,
        value: &'s Value,
    ) -> Result<Option<Content>, BuildError> {
        let own = self.string(here, name, value)?;
        if !self.rules.assert_content {
            return Ok(None);
        }
        let (encoding, media_type) = if reads == Reads::ContentEncoding {
            (Some(own), here.members.get("contentMediaType").and_then(Value::as_str))
        } else if here.members.contains_key("contentEncoding") {
            return Ok(None);
        } else {
            (None, Some(own))
        };
        Ok(Content::new(encoding, media_type))
    }

    /// A boolean beside a keyword that reads it.
    pub(super) fn flag(&self, here: Here<'s>, name: &str) -> Result<bool, BuildError> {
        match here.members.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(here, name, "a boolean")),
        }
    }

    pub(super) fn sibling_count(
        &self,
        here: Here<'s>,
        name: &'static str,
    ) -> Result<Option<u64>, BuildError> {
        if look_up(name, here.language).is_none() {
            return Ok(None);
        }
        here.members.get(name).map(|value| self.count(here, name, value)).transpose()
    }

    pub(super) fn string(&self, here: Here<'s>, name: &str, value: &'s Value) -> Result<&'s str, BuildError> {
        value.as_str().ok_or_else(|| self.wrong(here, name, "a string"))
    }

    pub(super) fn number(
        &self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<&'s Number, BuildError> {
        match value {
            Value::Number(number) if !crate::value::Number::from_json(number).is_malformed() => Ok(number),
            _ => Err(self.wrong(here, name, "a number")),
        }
    }

    /// A non-negative whole number, in any spelling. Above u64 it is taken as the largest u64, which no length or
    /// count reaches.
    pub(super) fn count(&self, here: Here<'s>, name: &str, value: &'s Value) -> Result<u64, BuildError> {
        let wrong = || self.wrong(here, name, "a non-negative integer");
        let Value::Number(number) = value else { return Err(wrong()) };
        if let Some(count) = number.as_u64() {
            return Ok(count);
        }
        let exact = crate::value::Number::from_json(number);
        let negative = exact.compare(crate::value::Number::Unsigned(0)) == Some(std::cmp::Ordering::Less);
        if exact.is_malformed() || negative || !exact.is_integer() {
            return Err(wrong());
        }
        Ok(exact.to_integer().and_then(|whole| whole.as_u64()).unwrap_or(u64::MAX))
    }

    pub(super) fn names(
        &self,
        here: Here<'s>,
        name: &str,
        value: &'s Value,
    ) -> Result<Vec<&'s str>, BuildError> {
        let wrong = || self.wrong(here, name, "an array of different strings");
        let Value::Array(items) = value else { return Err(wrong()) };
        let mut names =
            items.iter().map(|item| item.as_str().ok_or_else(wrong)).collect::<Result<Vec<_>, _>>()?;
        let written = names.len();
        names.sort_unstable();
        names.dedup();
        if names.len() < written { Err(wrong()) } else { Ok(names) }
    }

    pub(super) fn types(&self, here: Here<'s>, name: &str, value: &'s Value) -> Result<Types, BuildError> {
        const WANTED: &str = "one of the seven type names, or an array of different ones: null, boolean, integer, number, string, array, object";
        let wrong = || self.wrong(here, name, WANTED);
        let one = |value: &Value| value.as_str().and_then(Type::from_name).ok_or_else(wrong);
        let types = match value {
            Value::String(_) => Ok(Types::NONE.with(one(value)?)),
            Value::Array(names) if !names.is_empty() => {
                let mut types = Types::NONE;
                for name in names {
                    let kind = one(name)?;
                    if types.has(kind) {
                        return Err(wrong());
                    }
                    types = types.with(kind);
                }
                Ok(types)
            }
            _ => Err(wrong()),
        }?;
        Ok(if here.language.dialect.spells_integers() { types.by_spelling() } else { types })
    }
}
