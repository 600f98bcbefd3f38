//! The choices of a build, and the build itself: schema stage, compiler, validator.
//!
//! In: what a caller chooses, and a schema. Out: a [`Validator`], or a [`BuildError`] that names the place. Time is
//! linear in the schema and the resources, within [`Limits`].

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::compile::{Settings, UnknownFormats, compile, freeze};
use crate::limits::Limits;
use crate::metaschema;
use crate::program::CustomFormat;
use crate::schema::dialect::Dialect;
use crate::schema::error::BuildError;
use crate::schema::read::{Rules, read};
use crate::schema::{NO_BASE, Registry};
use crate::validator::Validator;
use crate::value::depth::{Owned, exceeds};

/// Whose schema is built, and what for. It sets the defaults that the author of the options could not foresee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The server's own, for data that comes in.
    Own,
    /// A third party's, for data that comes in: a format that we do not know is no reason not to mount its tool.
    ThirdParty,
    /// For data that goes out: a server checks its own, and `format` is an annotation.
    Output,
    /// One of our own metaschemas, which judges other schemas and is judged by none.
    Metaschema,
}

impl Purpose {
    fn asserts_format(self) -> bool {
        match self {
            Purpose::Own | Purpose::ThirdParty => true,
            Purpose::Output | Purpose::Metaschema => false,
        }
    }

    fn unknown_formats(self) -> UnknownFormats {
        match self {
            Purpose::Own => UnknownFormats::Refuse,
            Purpose::ThirdParty | Purpose::Output | Purpose::Metaschema => UnknownFormats::Annotate,
        }
    }

    fn is_judged(self) -> bool {
        match self {
            Purpose::Own | Purpose::ThirdParty | Purpose::Output => true,
            Purpose::Metaschema => false,
        }
    }
}

/// How a schema is built.
///
/// ```
/// use portcullis::{Dialect, Validator};
/// use serde_json::json;
///
/// let validator = Validator::options()
///     .dialect(Dialect::Draft7)
///     .resource("https://example.org/size.json", json!({"maximum": 10}))
///     .build(&json!({"$ref": "https://example.org/size.json"}))?;
/// assert!(!validator.is_valid(&json!(11)));
/// # Ok::<(), portcullis::BuildError>(())
/// ```
#[must_use]
pub struct Options {
    dialect: Dialect,
    assert_format: bool,
    /// Nothing where the caller has not chosen: what a schema is for then decides.
    unknown_formats: Option<UnknownFormats>,
    unknown_keywords: bool,
    resources: Vec<(String, Owned)>,
    custom_formats: Vec<CustomFormat>,
    limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Draft202012,
            assert_format: true,
            unknown_formats: None,
            unknown_keywords: true,
            resources: Vec::new(),
            custom_formats: Vec::new(),
            limits: Limits::default(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("dialect", &self.dialect)
            .field("assert_format", &self.assert_format)
            .field("unknown_formats", &self.unknown_formats)
            .field("unknown_keywords", &self.unknown_keywords)
            .field("resources", &self.resources.len())
            .field("custom_formats", &self.custom_formats)
            .field("limits", &self.limits)
            .finish()
    }
}

impl Options {
    /// The dialect of schemas that have no `$schema`; one that has is read as it says. The default is 2020-12.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Whether `format` is asserted (the default) or an annotation.
    pub fn assert_format(mut self, assert: bool) -> Self {
        self.assert_format = assert;
        self
    }

    /// What a format that is not known does where formats are asserted; the default refuses the schema.
    pub fn unknown_formats(mut self, unknown: UnknownFormats) -> Self {
        self.unknown_formats = Some(unknown);
        self
    }

    /// Whether a keyword that the dialect does not know is an annotation (the default) or refuses the schema, so
    /// that a misspelt `requried` fails at build.
    pub fn unknown_keywords(mut self, allowed: bool) -> Self {
        self.unknown_keywords = allowed;
        self
    }

    /// A document that references may name. Nothing is fetched: what is not given here, and is no metaschema of a
    /// known dialect, is not found. A document nested deeper than [`Limits::schema_depth`] fails the build.
    pub fn resource(mut self, uri: impl Into<String>, document: Value) -> Self {
        self.resources.push((uri.into(), Owned::new(document)));
        self
    }

    /// A format of the caller's own, by name; it wins over one that is built in. It is asked about strings only,
    /// and its own cost is the caller's: it is charged as one reading of the text.
    pub fn format(
        mut self,
        name: impl Into<String>,
        accepts: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        let name = name.into().into_boxed_str();
        self.custom_formats.retain(|format| format.name != name);
        self.custom_formats.push(CustomFormat { name, accepts: Arc::new(accepts) });
        self
    }

    /// Other limits than the defaults, for the build and for every check.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    pub(crate) fn get_limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn get_dialect(&self) -> Dialect {
        self.dialect
    }

    /// Builds a validator of `schema`.
    ///
    /// # Errors
    ///
    /// A [`BuildError`] names the first place that cannot be built: a keyword of the wrong type, a reference to
    /// nothing, an unknown dialect or format, a pattern that ECMA-262 does not admit, a schema past a limit.
    ///
    /// # Cost
    ///
    /// Linear in the schema and the resources, times a logarithm for sorting keys; patterns are built within
    /// [`Limits::patterns_bytes`].
    pub fn build(&self, schema: &Value) -> Result<Validator, BuildError> {
        self.build_for(schema, Purpose::Own)
    }

    /// [`Options::build`] of a schema that a gate has a use for.
    pub(crate) fn build_for(&self, schema: &Value, purpose: Purpose) -> Result<Validator, BuildError> {
        let levels = self.limits.get_schema_depth();
        let too_deep = |place: &str| BuildError::new(place, "the document is nested deeper than the limit");
        if exceeds(schema, levels) {
            return Err(too_deep("#"));
        }
        let mut registry = Registry::new(self.dialect, &self.limits);
        registry.add(NO_BASE, schema)?;
        for (uri, document) in &self.resources {
            if exceeds(document.as_value(), levels) {
                return Err(too_deep(uri));
            }
            registry.add(uri, document.as_value())?;
        }
        if purpose.is_judged() {
            metaschema::check(&registry, 0)?;
        }
        let rules = Rules { unknown_keywords: self.unknown_keywords };
        let resolved = read(&mut registry, schema, rules)?;
        // Of the other documents, those that the schema reaches; the metaschemas among them are the dialects' own.
        let reached: BTreeSet<usize> =
            resolved.subschemas.iter().map(|found| registry.document_of(found.resource)).collect();
        for document in reached.iter().filter(|document| (1..=self.resources.len()).contains(*document)) {
            metaschema::check(&registry, *document)?;
        }
        let settings = Settings {
            limits: &self.limits,
            assert_format: self.assert_format && purpose.asserts_format(),
            unknown_formats: self.unknown_formats.unwrap_or(purpose.unknown_formats()),
            custom_formats: &self.custom_formats,
        };
        let (builder, root) = compile(&resolved, &registry, &settings)?;
        Ok(Validator::from_program(freeze(builder, root, registry)?, self.limits.clone()))
    }
}
