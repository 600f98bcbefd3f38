//! How schemas are built: the arguments for it, and what they come to.
//!
//! In: arguments, and the files that they name. Out: the library's options, or a validator; memory is that of
//! the documents.

use std::ffi::OsString;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use portcullis::{Dialect, Options, Validator};

use super::input::Source;
use super::outcome::Stop;

/// How schemas are built.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// A document that references may name; nothing is ever fetched. Repeatable.
    #[arg(long = "resource", value_name = "URI=FILE", value_parser = resource)]
    resources: Vec<Resource>,
    /// Let format be an annotation: every string has it, known or not.
    #[arg(long)]
    no_format: bool,
    /// The dialect of a schema that has no $schema; 2020-12 if none is given.
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    dialect: Option<Dialect>,
}

/// A document for references, and the URI that they name it by.
#[derive(Clone, Debug)]
struct Resource {
    uri: String,
    source: Source,
}

/// Splits at the last `=`: a URI's query may hold one.
fn resource(argument: &str) -> Result<Resource, &'static str> {
    match argument.rsplit_once('=') {
        Some((uri, file)) if !uri.is_empty() && !file.is_empty() => {
            Ok(Resource { uri: uri.to_owned(), source: Source::from(OsString::from(file)) })
        }
        Some(_) | None => Err("it has to read URI=FILE"),
    }
}

/// Reads the name of a dialect; the help lists what the library knows.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.iter().map(|dialect| dialect.name()));
    names.try_map(|name| Dialect::from_name(&name).ok_or("no dialect has this name"))
}

impl Settings {
    /// The sources that it names.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.resources.iter().map(|resource| &resource.source)
    }

    /// The options, with every resource read.
    pub(crate) fn options(&self) -> Result<Options, Stop> {
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
