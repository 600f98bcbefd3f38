//! Standard output: lines for people or for machines.
//!
//! In: text that is printable already, or what serialises. Out: whole lines, buffered, none held back while an input
//! is waited for ([`Output::flush`]). Colour goes to a terminal alone, and not where `NO_COLOR` is set or `TERM` is
//! `dumb`.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use portcullis::to_printable_json;
use serde::Serialize;

use super::outcome::{Outcome, Stop};
use super::progress::Progress;

/// What a text's colour tells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    Passed,
    Refused,
    Place,
}

impl Tone {
    /// The parameter of SGR (ECMA-48 §8.3.117).
    fn code(self) -> &'static str {
        match self {
            Tone::Passed => "32",
            Tone::Refused => "1;31",
            Tone::Place => "1",
        }
    }
}

/// A text in its colour, or plain.
pub(crate) struct Painted<T> {
    text: T,
    tone: Option<Tone>,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tone {
            Some(tone) => write!(f, "\u{1b}[{}m{}\u{1b}[0m", tone.code(), self.text),
            None => self.text.fmt(f),
        }
    }
}

/// Standard output.
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    json: bool,
    is_terminal: bool,
    colour: bool,
    progress: Option<Progress>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        // Windows needs a terminal switched to colours first: there it stays plain.
        let colour = is_terminal && !cfg!(windows) && asks_for_colour(|name| std::env::var_os(name));
        Output { writer: BufWriter::new(stdout.lock()), json, is_terminal, colour, progress: None }
    }

    /// Whether machines read it.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    pub(crate) fn paint<T: fmt::Display>(&self, tone: Tone, text: T) -> Painted<T> {
        Painted { text, tone: self.colour.then_some(tone) }
    }

    /// A line, printable already.
    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) -> Result<(), Stop> {
        self.write(|writer| writeln!(writer, "{line}"))
    }

    /// Several lines, printable already and ended.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Stop> {
        self.write(|writer| writer.write_all(text.as_bytes()))
    }

    /// A value as one line of JSON.
    pub(crate) fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let text = to_printable_json(value).map_err(|error| Stop::at("standard output", error))?;
        self.line(format_args!("{text}"))
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
    ) -> Result<(), Stop> {
        write(&mut self.writer).map_err(|error| Stop::output(&error))?;
        if self.is_terminal { self.flush() } else { Ok(()) }
    }

    /// Hands on what is buffered.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        let flushed = match &self.progress {
            Some(progress) if self.is_terminal => progress.aside(|| self.writer.flush()),
            Some(_) | None => self.writer.flush(),
        };
        flushed.map_err(|error| Stop::output(&error))
    }

    /// Shows progress from here on.
    pub(crate) fn start(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Tells how far an input has been read, in bytes.
    pub(crate) fn at(&mut self, position: u64) {
        if let Some(progress) = &mut self.progress {
            progress.at(position);
        }
    }

    /// Shows no more progress.
    pub(crate) fn stop(&mut self) {
        self.progress = None;
    }

    /// Ends with this outcome, once all of it is written.
    pub(crate) fn end(mut self, outcome: Outcome) -> Result<Outcome, Stop> {
        self.flush()?;
        Ok(outcome)
    }
}

/// Whether a terminal of this environment gets colours (<https://no-color.org>).
fn asks_for_colour(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
    variable("NO_COLOR").is_none_or(|value| value.is_empty())
        && variable("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_can_do_without_colour() {
        let with =
            |set: &'static str, to: &'static str| asks_for_colour(|name| (name == set).then(|| to.into()));
        assert!(with("HOME", "x"));
        assert!(with("NO_COLOR", ""));
        assert!(!with("NO_COLOR", "1"));
        assert!(with("TERM", "xterm"));
        assert!(!with("TERM", "dumb"));
    }

    #[test]
    fn a_text_is_painted_or_plain() {
        let painted = |tone| Painted { text: "a", tone }.to_string();
        assert_eq!(painted(None), "a");
        assert_eq!(painted(Some(Tone::Passed)), "\u{1b}[32ma\u{1b}[0m");
    }
}
