//! The documents that a build may read: those that the caller gave, and those that its [`Retrieve`] fetches.
//!
//! In: URIs. Out: documents that stay where they are for the whole build, however many come later. Each URI is
//! asked for once; a document is held to the depth of a schema before anything reads it, all together to
//! `Limits::schema_bytes`, and there are at most [`RETRIEVED`](crate::limits::RETRIEVED) that were fetched.

use std::cell::{Cell, OnceCell};
use std::error::Error;
use std::fmt;

use serde_json::Value;

use super::error::BuildError;
use super::size::json_bytes;
use crate::bound;
use crate::limits::{Limits, RETRIEVED};
use crate::value::depth::{Owned, exceeds};

/// Where a build asks for documents that it was not given. Nothing is fetched without one.
///
/// Closures from a URI to a document are one.
///
/// ```
/// use portcullis::Validator;
/// use serde_json::json;
///
/// let validator = Validator::options()
///     .retriever(|uri: &str| match uri {
///         "https://example.org/size.json" => Ok(json!({"maximum": 10})),
///         _ => Err("no such document".into()),
///     })
///     .build(&json!({"$ref": "https://example.org/size.json"}))?;
/// assert!(!validator.is_valid(&json!(11)));
/// # Ok::<(), portcullis::BuildError>(())
/// ```
pub trait Retrieve: Send + Sync {
    /// The document at `uri`, which is absolute and has no fragment. Asked for once a build, and only for URIs that
    /// no document of the build has. A schema names them: a retriever that goes to a network or a disk for an
    /// untrusted schema must itself say which URIs it will follow.
    ///
    /// # Errors
    ///
    /// Any error ends the build with a [`BuildError`] that names the reference and quotes the error, cut at
    /// [`bound::BOUND`].
    fn retrieve(&self, uri: &str) -> Result<Value, Box<dyn Error + Send + Sync>>;
}

impl<F> Retrieve for F
where
    F: Fn(&str) -> Result<Value, Box<dyn Error + Send + Sync>> + Send + Sync,
{
    fn retrieve(&self, uri: &str) -> Result<Value, Box<dyn Error + Send + Sync>> {
        self(uri)
    }
}

/// The documents of a build besides its schema.
pub(crate) struct Documents<'c> {
    given: &'c [(String, Owned)],
    retriever: Option<&'c dyn Retrieve>,
    /// Cells of a fixed number, so that a document never moves.
    retrieved: Box<[OnceCell<(String, Owned)>]>,
    count: Cell<usize>,
    levels: usize,
    bytes_left: Cell<usize>,
}

impl fmt::Debug for Documents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Documents")
            .field("given", &self.given.len())
            .field("retrieved", &self.count.get())
            .finish_non_exhaustive()
    }
}

impl<'c> Documents<'c> {
    /// The documents for `schema`. Fails where it, or one that was given, is past a limit.
    pub(crate) fn new(
        schema: &Value,
        given: &'c [(String, Owned)],
        retriever: Option<&'c dyn Retrieve>,
        limits: &Limits,
    ) -> Result<Self, BuildError> {
        let cells = if retriever.is_some() { RETRIEVED } else { 0 };
        let retrieved = std::iter::repeat_with(OnceCell::new).take(cells).collect();
        let documents = Documents {
            given,
            retriever,
            retrieved,
            count: Cell::new(0),
            levels: limits.get_schema_depth(),
            bytes_left: Cell::new(limits.get_schema_bytes()),
        };
        documents.admit(schema).map_err(|reason| BuildError::new("#", reason))?;
        for (uri, document) in given {
            documents.admit(document.as_value()).map_err(|reason| BuildError::new(uri, reason))?;
        }
        Ok(documents)
    }

    /// Holds a document to the limits, and counts it.
    fn admit(&self, document: &Value) -> Result<(), &'static str> {
        if exceeds(document, self.levels) {
            return Err(TOO_DEEP);
        }
        let left = self.bytes_left.get().checked_sub(json_bytes(document));
        self.bytes_left.set(left.ok_or(TOO_LARGE)?);
        Ok(())
    }

    /// The documents that the caller gave, by the URIs they were given with.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.given.iter().map(|(uri, document)| (uri.as_str(), document.as_value()))
    }

    /// The document at `uri` that was not given: fetched now, or earlier in this build. Nothing without a
    /// retriever.
    ///
    /// # Errors
    ///
    /// Why it is not to be had, in words.
    pub(crate) fn retrieve(&self, uri: &str) -> Result<Option<&Value>, String> {
        let fetched = self.retrieved.iter().map_while(OnceCell::get).find(|(known, _)| known == uri);
        if let Some((_, document)) = fetched {
            return Ok(Some(document.as_value()));
        }
        let Some(retriever) = self.retriever else { return Ok(None) };
        let Some(cell) = self.retrieved.get(self.count.get()) else {
            return Err(format!("more than {RETRIEVED} documents would be fetched"));
        };
        let document = retriever.retrieve(uri).map_err(|error| bound::render_display(&error))?;
        let document = Owned::new(document);
        self.admit(document.as_value())?;
        self.count.set(self.count.get() + 1);
        Ok(Some(cell.get_or_init(|| (uri.to_owned(), document)).1.as_value()))
    }
}

/// What is said of a document past the depth of a schema.
const TOO_DEEP: &str = "the document is nested deeper than the limit";

/// What is said of the document that takes all of them past the limit.
const TOO_LARGE: &str = "the schema's documents are larger than the limit";
