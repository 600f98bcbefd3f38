//! How a command ends.
//!
//! In: what went wrong. Out: an outcome or a stop, each an exit code. A stop's line is one line whose parts are
//! bounded: a file's name is scrubbed, an error's text is [rendered](portcullis::bound::render_str).

use std::fmt;
use std::io;

use portcullis::bound;

/// What was found out about the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything passed.
    Passed,
    /// Something did not.
    Refused,
}

/// Why nothing was found out, or not all.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader of standard output has closed it: there is nobody to tell.
    ReaderGone,
    /// The arguments, a file, a schema or the call is wrong: one line that says where and what.
    Wrong(String),
}

impl Stop {
    /// Something wrong at `place`, which is printable already.
    pub(crate) fn at(place: &str, what: impl fmt::Display) -> Self {
        Stop::Wrong(format!("{place}: {what}"))
    }

    /// A failure of the system at `place`.
    pub(crate) fn system(place: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound {
            // The commonest, in the same words on every system.
            return Stop::at(place, "no such file");
        }
        Stop::at(place, bound::render_display(error))
    }

    /// A failure to write to standard output.
    pub(crate) fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Stop::ReaderGone;
        }
        Stop::system("standard output", error)
    }
}
