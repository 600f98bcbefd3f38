//! The array keywords that share a walk over the items.
//!
//! In: what keywords ask. Out: instructions. Linear in the schema.

use super::{Compiler, Here, Parts};
use crate::program::{Contains, Group, Instruction, Items, NodeDraft};
use crate::schema::Asks;
use crate::schema::error::BuildError;

/// What `contains` needs where `minContains` says nothing (validation §6.4.5).
const MINIMUM_CONTAINS: u64 = 1;

impl<'s> Compiler<'_, 's> {
    /// `prefixItems` and `items` as one instruction.
    pub(super) fn items(
        &mut self,
        here: Here,
        parts: &Parts<'_, 's>,
        draft: &mut NodeDraft,
    ) -> Result<(), BuildError> {
        let (name, prefix) = parts.prefix_items.unwrap_or(("items", &[]));
        let name = parts.items.map_or(name, |(name, _)| name);
        if parts.prefix_items.is_none() && parts.items.is_none() {
            return Ok(());
        }
        let prefix = self.nodes(prefix, here)?;
        let rest = parts.items.map(|(_, schema)| self.node(schema, here.scope)).transpose()?;
        draft.push(Group::Array, Instruction::Items(Items::new(prefix, rest)), name);
        Ok(())
    }

    pub(super) fn contains(&mut self, here: Here, asks: &Asks<'s>) -> Result<Instruction, BuildError> {
        let Asks::Contains { schema, minimum, maximum, evaluates } = asks else {
            return Err(super::too_large());
        };
        let contains = Contains {
            node: self.node(*schema, here.scope)?,
            minimum: minimum.unwrap_or(MINIMUM_CONTAINS),
            maximum: *maximum,
            minimum_written: minimum.is_some(),
            evaluates: *evaluates,
        };
        Ok(Instruction::Contains(Box::new(contains)))
    }
}
