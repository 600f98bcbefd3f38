//! The doors for bytes: a verdict before the document exists.
//!
//! In: a body as it came. Out: what [`Validator::is_valid`], [`Validator::check`] and [`Validator::read`] say of the value that
//! it spells, or why it spells none. The bytes become a tape ([`crate::value::tape`]) and no `serde_json::Value`, but where one
//! is handed on, or a keyword of the caller's has to be handed one.

mod error;

pub use error::{SliceError, SliceErrorKind};

use std::collections::HashSet;

use serde_json::Value;

use crate::engine::pool::with_scratch;
use crate::engine::scratch::{Scratch, State};
use crate::limits::FORMAT_TEXT_PER_STEP;
use crate::report::Refusal;
use crate::validator::Validator;
use crate::value::tape::{Document, DuplicateKeys, Tape, to_value};

impl Validator {
    /// Whether the value that `bytes` spell passes: what [`is_valid`](Self::is_valid) says of it, without building it.
    ///
    /// The bytes are one JSON text (RFC 8259), UTF-8 without a byte order mark. They are read as `serde_json::from_slice` reads
    /// them into a `Value`, with these exceptions:
    ///
    /// - numbers of any size are exact, whatever features are on: 1e400 is a number (also where a later member of the same key
    ///   overrides it), and 18446744073709551617 is itself;
    /// - the depth is limited by [`Limits::depth`](crate::Limits::depth) levels and not by 127;
    /// - a key that stands twice in its object refuses the bytes if [`duplicate_keys`](crate::Options::duplicate_keys) says so;
    /// - keys that `serde_json` has a private meaning for are ordinary keys.
    ///
    /// # Errors
    ///
    /// A [`SliceError`] where the bytes are no JSON, or past [`Limits::instance_bytes`](crate::Limits::instance_bytes),
    /// [`instance_values`](crate::Limits::instance_values), [`key_bytes`](crate::Limits::key_bytes) or
    /// [`depth`](crate::Limits::depth). Its place is the first byte at which that is known.
    ///
    /// # Cost
    ///
    /// Two passes over n bytes (objects of many members are sorted by key: n·log n), and the cost of
    /// [`is_valid`](Self::is_valid). Memory: sixteen bytes a value or key, at most nine times n, and what
    /// strings with escapes take; kept in the scratch, so that nothing is allocated once it is warm. A validator with
    /// [keywords of the caller's own](crate::Options::keyword) builds the `Value` for them, and then a number that a `Value` cannot
    /// hold is an error.
    ///
    /// ```
    /// use portcullis::Validator;
    /// use serde_json::json;
    ///
    /// let validator = Validator::new(&json!({"properties": {"age": {"maximum": 1e300}}}))?;
    /// assert!(validator.is_valid_slice(br#"{"age": 3}"#)?);
    /// assert!(!validator.is_valid_slice(br#"{"age": 1e400}"#)?);
    /// let error = validator.is_valid_slice(b"{\"age\":\n 03}").unwrap_err();
    /// assert_eq!((error.line(), error.column(), error.offset()), (Some(2), Some(2), Some(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_valid_slice(&self, bytes: &[u8]) -> Result<bool, SliceError> {
        with_scratch(|scratch| self.is_valid_slice_with(scratch, bytes))
    }

    /// [`is_valid_slice`](Self::is_valid_slice) with the caller's own scratch.
    ///
    /// # Errors
    ///
    /// As [`is_valid_slice`](Self::is_valid_slice).
    pub fn is_valid_slice_with(&self, scratch: &mut Scratch, bytes: &[u8]) -> Result<bool, SliceError> {
        self.with_document(scratch, bytes, |state, read| {
            Ok(match read {
                Read::Tape(document) => self.accept(state, document.root()),
                Read::Value(value) => self.accept(state, value),
            }
            .is_yes())
        })
    }

    /// Whether the value that `bytes` spell passes, and if not, why: what [`check`](Self::check) says of it.
    ///
    /// # Errors
    ///
    /// A [`SliceError`] that is a [`Refusal`] or says why there is nothing to check; see
    /// [`is_valid_slice`](Self::is_valid_slice).
    ///
    /// # Cost
    ///
    /// As [`is_valid_slice`](Self::is_valid_slice), and for a refusal as [`check`](Self::check).
    ///
    /// ```
    /// use portcullis::{SliceErrorKind, Validator};
    /// use serde_json::json;
    ///
    /// let validator = Validator::new(&json!({"items": {"type": "string"}}))?;
    /// let error = validator.check_slice(br#"["a", 1]"#).unwrap_err();
    /// assert_eq!(error.kind(), SliceErrorKind::Refused);
    /// assert_eq!(error.refusal(), validator.check(&json!(["a", 1])).err().as_ref());
    /// # Ok::<(), portcullis::BuildError>(())
    /// ```
    pub fn check_slice(&self, bytes: &[u8]) -> Result<(), SliceError> {
        with_scratch(|scratch| self.check_slice_with(scratch, bytes))
    }

    /// [`check_slice`](Self::check_slice) with the caller's own scratch.
    ///
    /// # Errors
    ///
    /// As [`check_slice`](Self::check_slice).
    pub fn check_slice_with(&self, scratch: &mut Scratch, bytes: &[u8]) -> Result<(), SliceError> {
        self.with_document(scratch, bytes, |state, read| {
            Ok(match read {
                Read::Tape(document) => self.judge(state, document.root()),
                Read::Value(value) => self.judge(state, value),
            }?)
        })
    }

    /// Checks the value that `bytes` spell, and builds it as [`read`](Self::read) hands it on: only what has passed is built.
    ///
    /// Numbers are handed on as `serde_json` reads them: without its feature `arbitrary_precision` an integer past
    /// 64 bits becomes the nearest float, after it was checked exactly.
    ///
    /// # Errors
    ///
    /// As [`check_slice`](Self::check_slice), and where a number is none that a `Value` can hold, such as 1e400.
    ///
    /// # Cost
    ///
    /// As [`check_slice`](Self::check_slice), and the value.
    ///
    /// ```
    /// use portcullis::Validator;
    /// use serde_json::json;
    ///
    /// let validator = Validator::new(&json!({"items": {"type": "integer"}}))?;
    /// assert_eq!(validator.read_slice(b"[1, 2.0, 3e0]")?, json!([1, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_slice(&self, bytes: &[u8]) -> Result<Value, SliceError> {
        with_scratch(|scratch| self.read_slice_with(scratch, bytes))
    }

    /// [`read_slice`](Self::read_slice) with the caller's own scratch.
    ///
    /// # Errors
    ///
    /// As [`read_slice`](Self::read_slice).
    pub fn read_slice_with(&self, scratch: &mut Scratch, bytes: &[u8]) -> Result<Value, SliceError> {
        let Scratch { state, tape } = scratch;
        let document = self.read_document(tape, bytes, self.duplicate_keys().unwrap_or_default())?;
        let read = self.checked_value(state, &document, bytes);
        state.count_reading(steps_of(&document, bytes));
        read
    }

    /// Checks a document, and builds its value, its numbers cast.
    pub(crate) fn checked_value(
        &self,
        state: &mut State,
        document: &Document<'_>,
        bytes: &[u8],
    ) -> Result<Value, SliceError> {
        let root = document.root();
        if self.program().has_custom_keywords() {
            return Ok(self.read(value_of(document, bytes)?)?);
        }
        self.judge(state, root)?;
        let casts = self.casts(state, root)?;
        to_value(root, &casts).map_err(|fault| SliceError::from_fault(fault, bytes))
    }

    /// Reads bytes, and hands what they spell to a check.
    fn with_document<T>(
        &self,
        scratch: &mut Scratch,
        bytes: &[u8],
        check: impl FnOnce(&mut State, Read<'_>) -> Result<T, SliceError>,
    ) -> Result<T, SliceError> {
        let duplicates = self.duplicate_keys().unwrap_or_default();
        let Scratch { state, tape } = scratch;
        let document = self.read_document(tape, bytes, duplicates)?;
        let checked = if self.program().has_custom_keywords() {
            check(state, Read::Value(&value_of(&document, bytes)?))
        } else {
            check(state, Read::Tape(&document))
        };
        state.count_reading(steps_of(&document, bytes));
        checked
    }

    /// Reads bytes.
    pub(crate) fn read_document<'t>(
        &self,
        tape: &'t mut Tape,
        bytes: &'t [u8],
        duplicates: DuplicateKeys,
    ) -> Result<Document<'t>, SliceError> {
        let document = tape.read(bytes, self.limits(), duplicates);
        document.map_err(|fault| SliceError::from_fault(fault, bytes))
    }
}

/// What it took to read bytes: each is looked at by itself, and a token is a step.
fn steps_of(document: &Document<'_>, bytes: &[u8]) -> u64 {
    (bytes.len() / FORMAT_TEXT_PER_STEP) as u64 + document.len() as u64
}

/// What bytes were read into.
enum Read<'d> {
    Tape(&'d Document<'d>),
    /// For keywords of the caller's own, which are handed values.
    Value(&'d Value),
}

fn value_of(document: &Document<'_>, bytes: &[u8]) -> Result<Value, SliceError> {
    to_value(document.root(), &HashSet::new()).map_err(|fault| SliceError::from_fault(fault, bytes))
}

impl From<Refusal> for SliceError {
    fn from(refusal: Refusal) -> Self {
        SliceError::refused(refusal)
    }
}
