//! The object keywords that share a walk over the members.
//!
//! In: what keywords ask. Out: instructions. Linear in the schema, times a logarithm for sorting its keys.

use std::sync::Arc;

use super::{Compiler, Here, Parts};
use crate::program::{
    Dependents, Group, Instruction, KeyTable, Members, NamedNodes, NodeDraft, PropertyDependents, Required,
};
use crate::schema::SubschemaId;
use crate::schema::error::BuildError;

/// `required`.
pub(super) fn required(names: &[&str]) -> Instruction {
    Instruction::Required(Box::new(Required { names: boxed(names), told: false }))
}

/// Names as a program keeps them.
fn boxed(names: &[&str]) -> Box<[Box<str>]> {
    names.iter().map(|name| Box::from(*name)).collect()
}

/// `dependentRequired`.
pub(super) fn dependent_required(dependents: &[(&str, Vec<&str>)]) -> Instruction {
    let dependents =
        dependents.iter().map(|(key, names)| Dependents { name: (*key).into(), required: boxed(names) });
    Instruction::DependentRequired(dependents.collect())
}

impl<'s> Compiler<'_, 's> {
    /// `properties`, `patternProperties` and `additionalProperties` as one instruction, named after the one that
    /// can fail by itself.
    pub(super) fn members(
        &mut self,
        here: Here,
        parts: &Parts<'_, 's>,
        draft: &mut NodeDraft,
    ) -> Result<(), BuildError> {
        let Parts { properties, pattern_properties, additional_properties, .. } = parts;
        let name = match (properties, pattern_properties, additional_properties) {
            (None, None, None) => return Ok(()),
            (_, _, Some(_)) => "additionalProperties",
            (_, Some(_), None) => "patternProperties",
            (Some(_), None, None) => "properties",
        };
        let mut named = Vec::new();
        for (key, schema) in properties.unwrap_or_default() {
            named.push((*key, self.node(*schema, here.scope)?));
        }
        let mut patterns = Vec::new();
        for (source, schema) in pattern_properties.unwrap_or_default() {
            let pattern = self.pattern(here, "patternProperties", source)?;
            patterns.push((pattern, self.rest(*schema, here.scope)?));
        }
        let additional = match additional_properties {
            Some(schema) if !self.is_always(*schema) => Some(self.rest(*schema, here.scope)?),
            Some(_) | None => None,
        };
        let named = KeyTable::new(named);
        let members = Members::new(named, patterns, additional, additional_properties.is_some());
        draft.push(Group::Object, Instruction::Members(Arc::new(members)), name);
        Ok(())
    }

    /// Nodes by name.
    pub(super) fn named_nodes(
        &mut self,
        here: Here,
        schemas: &[(&'s str, SubschemaId)],
    ) -> Result<NamedNodes, BuildError> {
        schemas.iter().map(|(key, schema)| Ok(((*key).into(), self.node(*schema, here.scope)?))).collect()
    }

    /// `propertyDependencies`, each member's texts sorted for their look-up.
    pub(super) fn property_dependencies(
        &mut self,
        here: Here,
        dependents: &[(&'s str, Vec<(&'s str, SubschemaId)>)],
    ) -> Result<Instruction, BuildError> {
        let mut built = Vec::new();
        for (key, schemas) in dependents {
            let mut nodes = self.named_nodes(here, schemas)?;
            nodes.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            built.push(PropertyDependents { name: (*key).into(), nodes });
        }
        Ok(Instruction::PropertyDependencies(built.into()))
    }
}
