//! How schemas are built, from the arguments.
//!
//! In: the arguments, and the files that they name. Out: the library's options, or a validator; memory is that of
//! the documents.

use portcullis::{Options, Validator};

use super::args::SettingsArguments;
use super::input::Source;
use super::outcome::Stop;

impl SettingsArguments {
    /// The sources that it names.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.resources.iter().map(|resource| &resource.source)
    }

    /// The options, with every resource read.
    fn options(&self) -> Result<Options, Stop> {
        let mut options = Validator::options().assert_format(!self.no_format);
        if let Some(dialect) = self.dialect {
            options = options.dialect(dialect);
        }
        for resource in &self.resources {
            options = options.resource(resource.uri.as_str(), resource.source.read()?);
        }
        Ok(options)
    }

    /// The validator of a schema.
    pub(crate) fn build(&self, schema: &Source) -> Result<Validator, Stop> {
        let options = self.options()?;
        let document = schema.read()?;
        options.build(&document).map_err(|error| Stop::at(&schema.printable_name(), error))
    }
}
