//! Keywords whose forms take more than a line: references that bind dynamically, `dependencies`, draft 3's types.
//!
//! In: such a keyword. Out: what it asks, in the words of 2020-12. Linear in the keyword's value.

use serde_json::Value;

use super::{Here, Reader};
use crate::bound;
use crate::schema::error::BuildError;
use crate::schema::registry::RECURSIVE;
use crate::schema::resolved::{Asks, Keyword, SubschemaId};
use crate::schema::table::Reads;
use crate::value::{Type, Types};

impl<'s> Reader<'_, 's> {
    pub(super) fn dynamic_reference(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        value: &'s Value,
    ) -> Result<Asks<'s>, BuildError> {
        let found = self.target(here, name, value)?;
        let target = self.named(found.schema, found.place);
        Ok(match found.dynamic_anchor {
            Some(anchor) => Asks::DynamicReference { target: Some(target), anchor },
            // Without a dynamic anchor at its first target it is a plain reference (core §8.2.3.2).
            None => Asks::Reference(target),
        })
    }

    /// 2019-09 core §8.2.4.2: dynamic only where the first target is a resource that says so.
    pub(super) fn recursive_reference(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        value: &'s Value,
    ) -> Result<Asks<'s>, BuildError> {
        let found = self.target(here, name, value)?;
        let target = self.named(found.schema, found.place);
        let resource = self.registry.resource(found.place.resource);
        let is_anchor =
            |(anchor, schema): &(&str, &Value)| *anchor == RECURSIVE && std::ptr::eq(*schema, found.schema);
        Ok(if resource.is_some_and(|resource| resource.dynamic_anchors.iter().any(is_anchor)) {
            Asks::DynamicReference { target: Some(target), anchor: RECURSIVE }
        } else {
            Asks::Reference(target)
        })
    }

    pub(super) fn dependencies(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        reads: Reads,
        value: &'s Value,
        keywords: &mut Vec<Keyword<'s>>,
    ) -> Result<(), BuildError> {
        let mut required = Vec::new();
        let mut schemas = Vec::new();
        for (key, dependent) in self.object(here, name, value)? {
            match dependent {
                Value::Array(_) => required.push((key.as_str(), self.names(here, name, dependent)?)),
                Value::String(other) if reads == Reads::DependenciesOrName => {
                    required.push((key.as_str(), vec![other.as_str()]));
                }
                _ => schemas.push((key.as_str(), self.schema(here, name, dependent)?)),
            }
        }
        if !required.is_empty() {
            keywords.push(Keyword { name, asks: Asks::DependentRequired(required) });
        }
        if !schemas.is_empty() {
            keywords.push(Keyword { name, asks: Asks::DependentSchemas(schemas) });
        }
        Ok(())
    }

    /// Draft 3's `type` and `disallow`: names of types and schemas, alone or listed.
    pub(super) fn types_or_schemas(
        &mut self,
        here: Here<'s>,
        name: &'static str,
        value: &'s Value,
    ) -> Result<Vec<SubschemaId>, BuildError> {
        let listed = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let mut types = Types::NONE;
        let mut alternatives = Vec::new();
        for one in listed {
            match one {
                Value::String(kind) if kind == "any" => types = Types::ALL,
                Value::String(kind) => {
                    let kind = Type::from_name(kind).ok_or_else(|| {
                        // Draft 3 lets any value be of a type that nobody knows: a check that would not happen.
                        let message = format!("\"{}\" is an unknown type", bound::echo_str(kind));
                        self.registry.error(here.place, name, message)
                    })?;
                    types = types.with(kind);
                }
                _ => alternatives.push(self.schema(here, name, one)?),
            }
        }
        if types != Types::NONE {
            let types = if types.has(Type::Integer) { types.by_spelling() } else { types };
            alternatives.insert(0, self.types_alone(name, types, here.place));
        }
        if alternatives.is_empty() {
            return Err(self.wrong(here, name, "the name of a type, a schema, or an array of these"));
        }
        Ok(alternatives)
    }
}
