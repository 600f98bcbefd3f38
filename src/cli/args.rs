//! The arguments, declared as types, and their help.
//!
//! In: the process's arguments. Out: [`Arguments`], a text that was asked for, or a stop of one line. What an error
//! quotes of an argument is cut and scrubbed.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use portcullis::bound;

use super::input::Source;
use super::outcome::Stop;
use super::settings::Settings;

/// Decide whether untrusted JSON may pass.
#[derive(Debug, Parser)]
#[command(
    name = "portcullis",
    version,
    arg_required_else_help = false,
    disable_help_subcommand = true,
    after_help = "Exit code: 0 passed; 1 refused, or standard output was closed early; 2 the arguments, a file, a \
                  schema or the call is wrong (one line on standard error says what)."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Call(CallArguments),
    Check(CheckArguments),
    Explain(ExplainArguments),
}

/// Pass a tool's call through the gate: print its data as read, or the refusal.
#[derive(Debug, Args)]
#[command(after_help = "Example: portcullis call tools.json call.json")]
pub(crate) struct CallArguments {
    /// The tools: {"name", "actions"}, or MCP's {"name", "inputSchema"}; one, an array, or {"tools": [...]}.
    #[arg(value_name = "TOOLS.json")]
    pub(crate) tools: Source,
    /// The call: {"tool", "action", "data"}, or MCP's {"name", "arguments"}, or the request that holds it.
    #[arg(value_name = "CALL.json")]
    pub(crate) call: Source,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) form: FormArguments,
}

/// Validate documents, or the lines of JSON Lines, against a schema.
#[derive(Debug, Args)]
#[command(after_help = "Example: portcullis check schema.json --lines events.jsonl")]
pub(crate) struct CheckArguments {
    /// The schema.
    #[arg(value_name = "SCHEMA.json")]
    pub(crate) schema: Source,
    /// The documents; - is standard input. Without any, only the schema is built.
    #[arg(value_name = "DATA.json")]
    pub(crate) data: Vec<Source>,
    /// Read each line of the data as a document. Blank lines are skipped; a line that is not JSON is refused.
    #[arg(long, requires = "data")]
    pub(crate) lines: bool,
    /// Print every problem, not the first ten places. A problem that is met by several routes may come again.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) form: FormArguments,
}

/// Print what a schema compiles to and what a check by it can cost.
#[derive(Debug, Args)]
#[command(after_help = "Example: portcullis explain schema.json")]
pub(crate) struct ExplainArguments {
    /// The schema.
    #[arg(value_name = "SCHEMA.json")]
    pub(crate) schema: Source,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) form: FormArguments,
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FormArguments {
    /// Print JSON, one object a line, with every control character escaped.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the arguments come to.
pub(crate) enum Read {
    Arguments(Arguments),
    /// A text that they ask for: the help or the version.
    Help(String),
}

impl Arguments {
    pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Read, Stop> {
        let error = match Arguments::try_parse_from(arguments) {
            Ok(arguments) => return Ok(Read::Arguments(arguments)),
            Err(error) => error,
        };
        let text = error.to_string();
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return Ok(Read::Help(text));
        }
        // The first paragraph says what is wrong; the usage that follows is for --help.
        let words =
            text.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let what = words.strip_prefix("error: ").unwrap_or(&words);
        Err(Stop::Wrong(format!("{} (see portcullis --help)", bound::render_str(what))))
    }
}
