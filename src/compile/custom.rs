//! What a caller brings: formats, and keywords of its own.
//!
//! In: a name in a schema. Out: the instruction. A format is taken in once a build, and so is a keyword for each
//! place that has it, however often the place is compiled.

use serde_json::Value;

use super::{Compiler, Here, UnknownFormats, too_large};
use crate::bound;
use crate::format::{Concern, Format, Names};
use crate::program::{CustomKeywordId, Group, Instruction, KeywordAtPlace, TooLarge};
use crate::schema::error::BuildError;

impl<'s> Compiler<'_, 's> {
    /// The instruction of a `format`, if it asserts anything.
    pub(super) fn format(
        &mut self,
        here: Here,
        name: &'s str,
        names: Names,
        asserted: bool,
    ) -> Result<Option<(Group, Instruction)>, BuildError> {
        if !self.settings.assert_format && !asserted {
            return Ok(None);
        }
        if let Some(custom) = self.settings.custom_formats.iter().find(|custom| &*custom.name == name) {
            let id = match self.custom_formats.get(name) {
                Some(id) => *id,
                None => {
                    let id =
                        self.builder.add_custom_format(custom.clone()).map_err(|TooLarge| too_large())?;
                    self.custom_formats.insert(name, id);
                    id
                }
            };
            return Ok(Some((Group::String, Instruction::CustomFormat(id))));
        }
        // Where the metaschema itself asks for assertions, an unknown format must fail (validation §7.2.3).
        let unknown = if asserted { UnknownFormats::Refuse } else { self.settings.unknown_formats };
        match (Format::from_name(name, names), unknown) {
            (Some(format), _) => {
                let group = match format.concerns() {
                    Concern::Text => Group::String,
                    Concern::Number => Group::Number,
                };
                Ok(Some((group, Instruction::Format(format))))
            }
            (None, UnknownFormats::Annotate) => Ok(None),
            (None, UnknownFormats::Refuse) => {
                let message = format!("\"{}\" is an unknown format", bound::echo_str(name));
                Err(self.registry.error(here.place, "format", message))
            }
        }
    }

    /// The check that the factory of a caller's keyword makes of the value at this place.
    pub(super) fn custom_keyword(
        &mut self,
        here: Here,
        number: usize,
        value: &'s Value,
    ) -> Result<CustomKeywordId, BuildError> {
        let address = std::ptr::from_ref(value).addr();
        if let Some(id) = self.custom_keywords.get(&address) {
            return Ok(*id);
        }
        // Numbers come from the list that the reader was given.
        let keyword = self.settings.custom_keywords.get(number).ok_or_else(too_large)?;
        let place = self.registry.location(here.place);
        let check = (keyword.factory)(value, &place)
            .map_err(|reason| self.registry.error(here.place, &keyword.name, bound::echo_str(&reason)))?;
        let (accepts, text) = check.into_parts(&keyword.name);
        let name = bound::echo_str(&keyword.name).into();
        let built = KeywordAtPlace { name, text: text.into(), accepts };
        let id = self.builder.add_custom_keyword(built).map_err(|TooLarge| too_large())?;
        self.custom_keywords.insert(address, id);
        Ok(id)
    }
}
