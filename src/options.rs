//! The choices of a build, and the build itself: schema stage, compiler, validator.
//!
//! In: what a caller chooses, and a schema. Out: a [`Validator`], or a [`BuildError`] that names the place. Time is
//! linear in the schema and the resources, within [`Limits`].

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

#[cfg(doc)]
use crate::bound;
use crate::compile::{Rewrite, Rewrites, Settings, UnknownFormats, compile, freeze};
use crate::keyword::{CustomKeyword, KeywordCheck};
use crate::limits::{DEPTH_CEILING, Limits};
use crate::metaschema::Judge;
use crate::program::CustomFormat;
use crate::schema::dialect::Dialect;
use crate::schema::documents::{Documents, Retrieve};
use crate::schema::error::BuildError;
use crate::schema::read::{Rules, read};
use crate::schema::{NO_BASE, Registry};
use crate::validator::Validator;
use crate::value::depth::Owned;
use crate::value::tape::DuplicateKeys;

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
#[derive(Debug, Default)]
pub struct Options {
    choices: Choices,
    resources: Resources,
    retriever: Retriever,
}

/// The documents that a caller gives. Their `Debug` is a count: they are of any size and depth.
#[derive(Default)]
struct Resources(Vec<(String, Owned)>);

impl fmt::Debug for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} documents", self.0.len())
    }
}

#[derive(Default)]
struct Retriever(Option<Box<dyn Retrieve>>);

impl fmt::Debug for Retriever {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "given" } else { "none" })
    }
}

/// All choices but the documents.
#[derive(Debug)]
pub(crate) struct Choices {
    dialect: Dialect,
    assert_format: bool,
    assert_content: bool,
    /// Nothing where the caller has not chosen: what a schema is for then decides.
    unknown_formats: Option<UnknownFormats>,
    unknown_keywords: bool,
    custom_formats: Vec<CustomFormat>,
    custom_keywords: Vec<CustomKeyword>,
    limits: Limits,
    /// Nothing where the caller has not chosen: the gate's default is another than the validator's.
    duplicate_keys: Option<DuplicateKeys>,
    rewrites: Rewrites,
}

impl Default for Choices {
    fn default() -> Self {
        Choices {
            dialect: Dialect::Draft202012,
            assert_format: true,
            assert_content: false,
            unknown_formats: None,
            unknown_keywords: true,
            custom_formats: Vec::new(),
            custom_keywords: Vec::new(),
            limits: Limits::default(),
            duplicate_keys: None,
            rewrites: Rewrites::default(),
        }
    }
}

impl From<Choices> for Options {
    fn from(choices: Choices) -> Self {
        Options { choices, ..Options::default() }
    }
}

impl Options {
    /// The dialect of schemas that have no `$schema`; one that has is read as it says. The default is 2020-12.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.choices.dialect = dialect;
        self
    }

    /// Whether `format` is asserted (the default) or an annotation.
    pub fn assert_format(mut self, assert: bool) -> Self {
        self.choices.assert_format = assert;
        self
    }

    /// Whether `contentEncoding` and `contentMediaType` are asserted, in the dialects that have them (draft 7 and
    /// later), or annotations (the default; from 2019-09 on nothing else may be one). `base64` and
    /// `application/json` are known; other encodings and media types stay annotations. A JSON text nested deeper
    /// than [`DEPTH_CEILING`](crate::limits::DEPTH_CEILING) does not pass. Linear in the text, which no other
    /// keyword looks into: `contentSchema` asserts nothing.
    pub fn assert_content(mut self, assert: bool) -> Self {
        self.choices.assert_content = assert;
        self
    }

    /// What a format that is not known does where formats are asserted; the default refuses the schema.
    pub fn unknown_formats(mut self, unknown: UnknownFormats) -> Self {
        self.choices.unknown_formats = Some(unknown);
        self
    }

    /// Whether a keyword that the dialect does not know is an annotation (the default) or refuses the schema, so
    /// that a misspelt `requried` fails at build.
    pub fn unknown_keywords(mut self, allowed: bool) -> Self {
        self.choices.unknown_keywords = allowed;
        self
    }

    /// A document that references may name, and `$schema` as a metaschema. Nothing is fetched: what is not given
    /// here, is not had from a [`Options::retriever`], and is no metaschema of a known dialect, is not found. A
    /// document nested deeper than [`Limits::schema_depth`] fails the build.
    ///
    /// A metaschema says by its `$vocabulary` which chapters of its dialect its schemas have; one that requires a
    /// vocabulary that is not the specification's refuses them.
    pub fn resource(mut self, uri: impl Into<String>, document: Value) -> Self {
        self.resources.0.push((uri.into(), Owned::new(document)));
        self
    }

    /// Where the build asks for documents that it was not given: once for each URI. Bounded as resources are, and
    /// by [`RETRIEVED`](crate::limits::RETRIEVED) in number.
    pub fn retriever(mut self, retriever: impl Retrieve + 'static) -> Self {
        self.retriever.0 = Some(Box::new(retriever));
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
        self.choices.custom_formats.retain(|format| format.name != name);
        self.choices.custom_formats.push(CustomFormat { name, accepts: Arc::new(accepts) });
        self
    }

    /// A keyword of the caller's own, by name. The factory is given the keyword's value and its location in the
    /// schema, for each place that has it, once a build; it makes the check, or says why the value makes none, which
    /// refuses the schema there (cut at [`bound::BOUND`]).
    ///
    /// A name that a dialect has for itself refuses the schemas that use it, save those of plain annotations such
    /// as `title` and `deprecated`. A keyword evaluates nothing for `unevaluatedProperties` and `unevaluatedItems`,
    /// and metaschemas of the caller's have to allow it.
    ///
    /// ```
    /// use portcullis::{KeywordCheck, Validator};
    /// use serde_json::{Value, json};
    ///
    /// let validator = Validator::options()
    ///     .keyword("x-even", |value: &Value, _location: &str| match value {
    ///         Value::Bool(even) => {
    ///             let even = *even;
    ///             Ok(KeywordCheck::new(move |number| number.as_i64().is_none_or(|n| (n % 2 == 0) == even))
    ///                 .text("value must be even"))
    ///         }
    ///         _ => Err("\"x-even\" must be a boolean".to_owned()),
    ///     })
    ///     .build(&json!({"items": {"x-even": true}}))?;
    /// let refusal = validator.check(&json!([2, 3])).unwrap_err();
    /// assert_eq!(refusal.entries()[0].problems()[0].text(), "value must be even");
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    pub fn keyword(
        mut self,
        name: impl Into<String>,
        factory: impl Fn(&Value, &str) -> Result<KeywordCheck, String> + Send + Sync + 'static,
    ) -> Self {
        let name = name.into().into_boxed_str();
        self.choices.custom_keywords.retain(|keyword| keyword.name != name);
        self.choices.custom_keywords.push(CustomKeyword { name, factory: Arc::new(factory) });
        self
    }

    /// What becomes of bytes in which an object has one key twice. By default the last wins, as in `serde_json::Value`; a
    /// [gate](crate::gate::Gate::call_slice) refuses them unless this says otherwise. A `Value` has each key once.
    ///
    /// ```
    /// use portcullis::{DuplicateKeys, SliceErrorKind, Validator};
    /// use serde_json::json;
    ///
    /// let options = Validator::options().duplicate_keys(DuplicateKeys::Refuse);
    /// let error = options.build(&json!(true))?.check_slice(br#"{"to": "me", "to": "you"}"#).unwrap_err();
    /// assert_eq!(error.kind(), SliceErrorKind::DuplicateKey);
    /// assert_eq!(error.to_string(), r#"the key "to" stands twice in its object, at line 1 column 14"#);
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    pub fn duplicate_keys(mut self, duplicates: DuplicateKeys) -> Self {
        self.choices.duplicate_keys = Some(duplicates);
        self
    }

    /// Other limits than the defaults, for the build and for every check.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.choices.limits = limits;
        self
    }

    /// Leaves a rewrite of the program out: for tests and benches.
    #[doc(hidden)]
    pub fn without_rewrite(mut self, rewrite: Rewrite) -> Self {
        self.choices.rewrites = self.choices.rewrites.without(rewrite);
        self
    }

    pub(crate) fn get_limits(&self) -> &Limits {
        &self.choices.limits
    }

    pub(crate) fn get_dialect(&self) -> Dialect {
        self.choices.dialect
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
        let (given, retriever) = (&self.resources.0, self.retriever.0.as_deref());
        let documents = Documents::new(schema, given, retriever, &self.choices.limits)?;
        self.choices.build(&documents, NO_BASE, schema, purpose)
    }
}

impl Choices {
    /// The choices that a metaschema is built with, whatever those of the schemas that it judges.
    pub(crate) fn for_metaschema(dialect: Dialect) -> Self {
        // A schema takes more than one node a level.
        let limits = Limits::default().depth(DEPTH_CEILING);
        Choices { dialect, limits, ..Choices::default() }
    }

    /// Builds `schema`, which has the identity `uri`, among `documents`.
    pub(crate) fn build<'s>(
        &'s self,
        documents: &'s Documents<'s>,
        uri: &str,
        schema: &'s Value,
        purpose: Purpose,
    ) -> Result<Validator, BuildError> {
        let mut registry = Registry::new(self.dialect, &self.limits, documents);
        registry.add(uri, schema)?;
        // A metaschema may be one of the documents itself.
        for (uri, document) in documents.given().filter(|(_, document)| !std::ptr::eq(*document, schema)) {
            registry.add(uri, document)?;
        }
        let mut judge = Judge::new(documents);
        if purpose.is_judged() {
            judge.check(&registry, &BTreeSet::from([0]))?;
        }
        let names: Vec<&str> = self.custom_keywords.iter().map(|keyword| &*keyword.name).collect();
        let rules = Rules {
            unknown_keywords: self.unknown_keywords,
            assert_content: self.assert_content,
            custom_keywords: &names,
        };
        let mut reached = BTreeSet::new();
        let resolved = read(&mut registry, schema, rules, &mut reached);
        if purpose.is_judged() {
            // Of the other documents, those that the schema reaches; the embedded ones are the dialects' own. What a
            // metaschema says of a document goes before what stopped its reading.
            reached.retain(|document| *document > 0 && registry.is_given(*document));
            judge.check(&registry, &reached)?;
        }
        let resolved = resolved?;
        let settings = Settings {
            limits: &self.limits,
            assert_format: self.assert_format && purpose.asserts_format(),
            unknown_formats: self.unknown_formats.unwrap_or(purpose.unknown_formats()),
            custom_formats: &self.custom_formats,
            custom_keywords: &self.custom_keywords,
            rewrites: self.rewrites,
        };
        let (builder, root) = compile(&resolved, &registry, &settings)?;
        let program = freeze(builder, root, registry, self.rewrites)?;
        Ok(Validator::from_program(program, self.limits.clone(), self.duplicate_keys))
    }
}
