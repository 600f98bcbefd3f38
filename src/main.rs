//! The command line: `portcullis call`, `check`, `explain`.
//!
//! In: arguments. Out: what passed or why not on standard output, an exit code, and in the third case one line on
//! standard error. What is read and how much of it is held: [`cli::input`].

mod cli;

use std::io::Write as _;
use std::process::ExitCode;

use cli::outcome::{Outcome, Stop};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        // What nobody read to its end has not passed.
        Ok(Outcome::Refused) | Err(Stop::ReaderGone) => ExitCode::from(1),
        Err(Stop::Wrong(line)) => {
            // With standard error gone as well, the exit code is all that can be said.
            let _ = writeln!(std::io::stderr(), "portcullis: {line}");
            ExitCode::from(2)
        }
    }
}
