//! What the binary is made of, on top of the library's public door alone.
//!
//! In: arguments. Out: an [`Outcome`], or why it came to a [`Stop`].
//!
//! ```text
//! args ──▶ call, check, explain ──▶ output (lines for people or for machines)
//!                │                      ▲
//!                ▼                      │
//!      settings, input, lines        record, listing
//! ```

mod args;
mod call;
mod check;
mod explain;
mod input;
mod lines;
mod listing;
pub(crate) mod outcome;
mod output;
mod progress;
mod record;
mod settings;

use std::ffi::OsString;

use args::{Arguments, Command};
use outcome::{Outcome, Stop};
use output::Output;

/// Does what the arguments ask for.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<Outcome, Stop> {
    let arguments = match Arguments::read(arguments)? {
        args::Read::Arguments(arguments) => arguments,
        args::Read::Help(text) => {
            let mut output = Output::new(false);
            output.text(&text)?;
            return output.end(Outcome::Passed);
        }
    };
    match arguments.command {
        Command::Call(arguments) => call::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
    }
}
