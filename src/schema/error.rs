//! Why a schema was not built.
//!
//! In: a place in a schema and a reason. Out: an opaque error, one pointer wide, whose every text is bounded as a
//! refusal's are: a schema can be hostile too.

use std::error::Error;
use std::fmt;

use crate::bound;
use crate::report::Refusal;

/// Bytes that a schema location in an error keeps; real ones stay below 200.
const LOCATION_BYTES: usize = 1_024;

/// Why a schema was not built: where in the schema, and what.
///
/// ```
/// use portcullis::Validator;
/// use serde_json::json;
///
/// let error = Validator::new(&json!({"properties": {"a": {"minLength": -1}}})).unwrap_err();
/// assert_eq!(error.schema_location(), "#/properties/a/minLength");
/// assert_eq!(
///     error.to_string(),
///     "#/properties/a/minLength: the schema is no draft 2020-12 schema: value is lower than minimum 0"
/// );
/// ```
#[derive(Clone, PartialEq)]
pub struct BuildError(Box<Inner>);

#[derive(Clone, PartialEq)]
struct Inner {
    location: String,
    message: String,
    refusal: Option<Refusal>,
}

const _: () = assert!(size_of::<BuildError>() == size_of::<usize>());

impl BuildError {
    pub(crate) fn new(location: &str, message: impl Into<String>) -> Self {
        BuildError(Box::new(Inner { location: cut(location), message: message.into(), refusal: None }))
    }

    /// A schema that its dialect's metaschema refuses; `location` is where its innermost first entry lies.
    pub(crate) fn refused(location: &str, message: impl Into<String>, refusal: Refusal) -> Self {
        let refusal = Some(refusal);
        BuildError(Box::new(Inner { location: cut(location), message: message.into(), refusal }))
    }

    /// Where in the schema: the resource's URI, if it has one, and a JSON Pointer into it. At most 1,024 bytes
    /// and a mark where it was cut.
    #[must_use]
    pub fn schema_location(&self) -> &str {
        &self.0.location
    }

    /// Where the schema breaks its dialect's metaschema: that check's refusal, whose paths lead into the schema.
    /// Nothing where the build stopped on something else.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.as_ref()
    }

    /// What the build stopped on. What it quotes of the schema is cut at [`bound::BOUND`].
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

fn cut(location: &str) -> String {
    let mut end = location.len().min(LOCATION_BYTES);
    while !location.is_char_boundary(end) {
        end -= 1;
    }
    let mut text = location.get(..end).unwrap_or_default().to_owned();
    if end < location.len() {
        text.push_str(bound::MARK);
    }
    text
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", bound::scrub(&self.0.location), bound::scrub(&self.0.message))
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildError")
            .field("schema_location", &self.0.location)
            .field("message", &self.0.message)
            .finish()
    }
}

impl Error for BuildError {}
