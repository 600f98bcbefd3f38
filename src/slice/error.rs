//! Why bytes do not pass: they are no JSON, or too much, or what they spell is refused.
//!
//! In: a fault of the reader with the bytes it met, or a refusal. Out: one pointer with accessors, and a line of words. Of the
//! bytes it quotes nothing but a key that stands twice, cut at [`BOUND`](crate::bound::BOUND) bytes.

use std::error::Error;
use std::fmt;

use crate::bound::render_str;
use crate::report::Refusal;
use crate::value::tape::{Fault, What};

/// Why bytes do not pass.
///
/// `Display` is one line, without a control character, of at most 512 bytes or as long as the refusal's message.
#[derive(Clone, PartialEq)]
pub struct SliceError(Box<Inner>);

const _: () = assert!(size_of::<SliceError>() == size_of::<usize>(), "an error is one pointer wide");

#[derive(Clone, PartialEq)]
enum Inner {
    Fault { fault: Fault, line: usize, column: usize, key: Option<String> },
    Refused(Refusal),
}

/// What a [`SliceError`] is about. Kinds may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceErrorKind {
    /// The bytes are no JSON text (RFC 8259).
    NotJson,
    /// They are longer than the limits allow, or nested deeper, or hold more values or a longer key.
    Limit,
    /// An object has one key twice, and that refuses the bytes.
    DuplicateKey,
    /// A value was wanted, and a number is none that `serde_json::Value` can hold.
    Unrepresentable,
    /// They are JSON, and the value that they spell is refused.
    Refused,
}

impl SliceErrorKind {
    /// The name, as it stands in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SliceErrorKind::NotJson => "not_json",
            SliceErrorKind::Limit => "limit",
            SliceErrorKind::DuplicateKey => "duplicate_key",
            SliceErrorKind::Unrepresentable => "unrepresentable",
            SliceErrorKind::Refused => "refused",
        }
    }
}

impl fmt::Display for SliceErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl SliceError {
    #[cold]
    pub(crate) fn from_fault(fault: Fault, bytes: &[u8]) -> Self {
        let (line, column) = fault.line_and_column(bytes);
        let key = (fault.what == What::DuplicateKey).then(|| spelled_at(bytes, fault.offset));
        SliceError(Box::new(Inner::Fault { fault, line, column, key }))
    }

    #[cold]
    pub(super) fn refused(refusal: Refusal) -> Self {
        SliceError(Box::new(Inner::Refused(refusal)))
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> SliceErrorKind {
        match &*self.0 {
            Inner::Refused(_) => SliceErrorKind::Refused,
            Inner::Fault { fault, .. } => match fault.what {
                What::Syntax(_) => SliceErrorKind::NotJson,
                What::Limit(_) => SliceErrorKind::Limit,
                What::DuplicateKey => SliceErrorKind::DuplicateKey,
                What::Unrepresentable => SliceErrorKind::Unrepresentable,
            },
        }
    }

    /// The refusal of the value, where the bytes spell one: the same as [`check`](crate::Validator::check) gives for it.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match &*self.0 {
            Inner::Refused(refusal) => Some(refusal),
            Inner::Fault { .. } => None,
        }
    }

    /// The refusal itself, or the error back where there is none.
    ///
    /// # Errors
    ///
    /// The error, where it is of another kind.
    pub fn into_refusal(self) -> Result<Refusal, SliceError> {
        match *self.0 {
            Inner::Refused(refusal) => Ok(refusal),
            fault @ Inner::Fault { .. } => Err(SliceError(Box::new(fault))),
        }
    }

    /// The line of the byte on which the reading stopped, from 1. Nothing for a refusal, whose places are paths.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match &*self.0 {
            Inner::Fault { line, .. } => Some(*line),
            Inner::Refused(_) => None,
        }
    }

    /// Its column, in bytes, from 1.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        match &*self.0 {
            Inner::Fault { column, .. } => Some(*column),
            Inner::Refused(_) => None,
        }
    }

    /// Its offset, in bytes, from 0.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        match &*self.0 {
            Inner::Fault { fault, .. } => Some(fault.offset),
            Inner::Refused(_) => None,
        }
    }

    /// What is wrong, on one line, without the place: for whoever says that in a form of his own.
    #[must_use]
    pub fn reason(&self) -> String {
        match &*self.0 {
            Inner::Refused(refusal) => refusal.message().to_owned(),
            Inner::Fault { fault, key, .. } => match fault.what {
                What::Syntax(syntax) => format!("not JSON: {syntax}"),
                What::Limit(excess) => format!("over a limit: {excess}"),
                What::DuplicateKey => {
                    format!("the key \"{}\" stands twice in its object", key.as_deref().unwrap_or_default())
                }
                What::Unrepresentable => "a number is too large to be handed on".to_owned(),
            },
        }
    }

    /// Changes the refusal, where it is one.
    pub(crate) fn map_refusal(self, change: impl FnOnce(Refusal) -> Refusal) -> Self {
        match self.into_refusal() {
            Ok(refusal) => SliceError::refused(change(refusal)),
            Err(error) => error,
        }
    }
}

/// A key as the bytes spell it, rendered; its opening quote is at `offset`.
fn spelled_at(bytes: &[u8], offset: usize) -> String {
    let rest = bytes.get(offset + 1..).unwrap_or_default();
    let mut is_escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    };
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    // The reader has proven the bytes UTF-8, and both ends are quotes.
    render_str(std::str::from_utf8(rest.get(..end).unwrap_or_default()).unwrap_or_default())
}

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason())?;
        match &*self.0 {
            Inner::Fault { line, column, .. } => write!(f, ", at line {line} column {column}"),
            Inner::Refused(_) => Ok(()),
        }
    }
}

impl fmt::Debug for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Inner::Refused(refusal) => f.debug_tuple("SliceError").field(refusal).finish(),
            Inner::Fault { .. } => {
                let mut debug = f.debug_struct("SliceError");
                debug.field("kind", &self.kind()).field("line", &self.line()).field("column", &self.column());
                debug.field("message", &self.to_string()).finish()
            }
        }
    }
}

impl Error for SliceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}
