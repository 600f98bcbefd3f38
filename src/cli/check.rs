//! `check`: documents, or the lines of JSON Lines, against a schema.
//!
//! In: a schema and its data. Out: a verdict for each document, and a summary.
//!
//! Documents are read, all of them, before the first is judged: a fault in one stops the command with nothing
//! printed. Lines are streamed: one is held at a time, and one that is no JSON is refused like any other.

use std::ops::ControlFlow;

use portcullis::bound::scrub;
use portcullis::{Found, Refusal, Scratch, SliceError, Validator};
use serde_json::Value;

use super::args::CheckArguments;
use super::input::{Fault, Opened, Source, is_blank, parse, read_once};
use super::lines::{LINE_BYTES, Line, Lines};
use super::listing;
use super::outcome::{Outcome, Stop};
use super::output::{Output, Tone};
use super::progress::Progress;
use super::record::{Member, Record};

pub(crate) fn run(arguments: CheckArguments) -> Result<Outcome, Stop> {
    let CheckArguments { schema, data, lines, all, settings, form } = arguments;
    read_once(settings.sources().chain([&schema]).chain(&data))?;
    let validator = settings.build(&schema)?;
    let mut check = Check {
        validator,
        scratch: Scratch::default(),
        output: Output::new(form.json),
        all,
        passed: 0,
        refused: 0,
    };
    if data.is_empty() {
        check.schema(&schema)?;
    } else if lines {
        check.lines(&data)?;
        check.summary("line", "lines")?;
    } else {
        check.documents(&data)?;
        check.summary("document", "documents")?;
    }
    check.output.end(if check.refused == 0 { Outcome::Passed } else { Outcome::Refused })
}

/// Where a document stands.
struct Place {
    /// As given, for machines.
    file: String,
    /// For people.
    printable: String,
    /// Counted from 1; none for a document that is a file.
    line: Option<u64>,
}

impl Place {
    fn of(source: &Source) -> Self {
        Place { file: source.name(), printable: source.printable_name(), line: None }
    }

    fn record(&self) -> Record<'_> {
        let record = Record::default().with("file", Member::Text(&self.file));
        match self.line {
            Some(line) => record.with("line", Member::Number(line)),
            None => record,
        }
    }

    /// What opens a line for people.
    fn head(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}: ", self.printable),
            None => format!("{}: ", self.printable),
        }
    }
}

struct Check {
    validator: Validator,
    scratch: Scratch,
    output: Output,
    all: bool,
    passed: u64,
    refused: u64,
}

impl Check {
    /// There is no data: the schema was built, and that is all.
    fn schema(&mut self, schema: &Source) -> Result<(), Stop> {
        let place = Place::of(schema);
        if self.output.is_json() {
            return self.output.json(&place.record().with("passed", Member::Flag(true)));
        }
        self.output.line(format_args!("{}the schema is sound", place.head()))
    }

    fn documents(&mut self, data: &[Source]) -> Result<(), Stop> {
        let read: Result<Vec<Value>, Stop> = data.iter().map(Source::read).collect();
        for (source, value) in data.iter().zip(read?) {
            self.judge(&Place::of(source), &value)?;
        }
        Ok(())
    }

    fn lines(&mut self, data: &[Source]) -> Result<(), Stop> {
        let opened: Result<Vec<Opened>, Stop> = data.iter().map(Source::open).collect();
        let opened = opened?;
        self.output.start(Progress::new(opened.iter().map(|opened| opened.bytes).sum()));
        let mut before = 0;
        for (source, opened) in data.iter().zip(opened) {
            let mut place = Place::of(source);
            let mut lines = Lines::new(opened.reader, LINE_BYTES);
            for number in 1.. {
                if lines.may_wait() {
                    self.output.flush()?;
                }
                let line = lines.next().map_err(|error| Stop::system(&place.printable, &error))?;
                let Some(line) = line else { break };
                place.line = Some(number);
                match line {
                    Line::Whole(text) if is_blank(text) => {}
                    Line::Whole(text) if self.all => match parse(text) {
                        Ok(value) => self.visit(&place, &value)?,
                        Err(fault) => self.unreadable(&place, &fault)?,
                    },
                    Line::Whole(text) => self.line(&place, text)?,
                    Line::TooLong => {
                        let what = format!("longer than {} MiB", LINE_BYTES >> 20);
                        self.unreadable(&place, &Fault { line: 1, column: 1, what })?;
                    }
                }
                self.output.at(before + lines.position());
            }
            before += lines.position();
        }
        self.output.stop();
        Ok(())
    }

    fn judge(&mut self, place: &Place, value: &Value) -> Result<(), Stop> {
        if self.all {
            return self.visit(place, value);
        }
        match self.validator.check_with(&mut self.scratch, value) {
            Ok(()) => self.pass(place),
            Err(refusal) => self.refuse(place, &refusal),
        }
    }

    /// A line is judged as it came: nothing is built of it.
    fn line(&mut self, place: &Place, text: &[u8]) -> Result<(), Stop> {
        match self.validator.check_slice_with(&mut self.scratch, text).map_err(SliceError::into_refusal) {
            Ok(()) => self.pass(place),
            Err(Ok(refusal)) => self.refuse(place, &refusal),
            Err(Err(error)) => self.unreadable(place, &Fault::of(&error)),
        }
    }

    fn pass(&mut self, place: &Place) -> Result<(), Stop> {
        self.passed += 1;
        if self.output.is_json() {
            return self.output.json(&place.record().with("passed", Member::Flag(true)));
        }
        if place.line.is_some() {
            // Of a million lines those that fail are news.
            return Ok(());
        }
        let verdict = self.output.paint(Tone::Passed, "passed");
        self.output.line(format_args!("{}{verdict}", place.head()))
    }

    fn refuse(&mut self, place: &Place, refusal: &Refusal) -> Result<(), Stop> {
        self.refused += 1;
        if self.output.is_json() {
            let record = place.record().with("passed", Member::Flag(false));
            return self.output.json(&record.with("refusal", Member::Refusal(refusal)));
        }
        if place.line.is_some() {
            let verdict = self.output.paint(Tone::Refused, "refused");
            return self.output.line(format_args!("{}{verdict}: {refusal}", place.head()));
        }
        listing::print(&mut self.output, &place.head(), refusal)
    }

    /// A line that is no document.
    fn unreadable(&mut self, place: &Place, fault: &Fault) -> Result<(), Stop> {
        self.refused += 1;
        if self.output.is_json() {
            let record = place.record().with("column", Member::Number(fault.column as u64));
            let record = record.with("passed", Member::Flag(false)).with("fault", Member::Text(&fault.what));
            return self.output.json(&record);
        }
        let (head, verdict) = (place.head(), self.output.paint(Tone::Refused, "refused"));
        self.output.line(format_args!(
            "{}:{}: {verdict}: {}",
            head.trim_end_matches(": "),
            fault.column,
            fault.what
        ))
    }

    /// Every problem of a document, printed as it is met.
    fn visit(&mut self, place: &Place, value: &Value) -> Result<(), Stop> {
        let Check { validator, output, .. } = self;
        let (mut count, mut printed) = (0, Ok(()));
        let complete = validator.visit(value, |found| {
            count += 1;
            printed = problem(output, place, found);
            if printed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        printed?;
        if complete && count == 0 {
            return self.pass(place);
        }
        self.refused += 1;
        if self.output.is_json() {
            let record = place.record().with("passed", Member::Flag(false));
            let record = record.with("problems", Member::Number(count));
            return self.output.json(&record.with("complete", Member::Flag(complete)));
        }
        let verdict = self.output.paint(Tone::Refused, "refused");
        let problems = if count == 1 { "problem" } else { "problems" };
        let rest = if complete { "" } else { ", but the steps ran out before all of it was checked" };
        self.output.line(format_args!("{}{verdict}: {count} {problems}{rest}", place.head()))
    }

    fn summary(&mut self, one: &str, many: &str) -> Result<(), Stop> {
        if self.output.is_json() {
            return Ok(());
        }
        let (passed, refused) = (self.passed, self.refused);
        let all = passed + refused;
        self.output.line(format_args!(
            "{all} {}: {passed} passed, {refused} refused",
            if all == 1 { one } else { many }
        ))
    }
}

/// One problem of `--all`.
fn problem(output: &mut Output, place: &Place, found: &Found<'_>) -> Result<(), Stop> {
    let (path, text) = (found.path(), found.text());
    let schema_location = found.schema_location();
    if output.is_json() {
        let pointer = found.pointer();
        let mut record =
            place.record().with("path", Member::Text(&path)).with("pointer", Member::Text(&pointer));
        if found.pointer_is_cut() {
            record = record.with("pointer_is_cut", Member::Flag(true));
        }
        let record = record.with("problem", Member::Text(&text));
        let record = record.with("keyword", Member::Text(found.keyword()));
        return output.json(&record.with("schema_location", Member::Text(&schema_location)));
    }
    let path = output.paint(Tone::Place, scrub(&path));
    output.line(format_args!("{}{path}: {}  [{}]", place.head(), scrub(&text), scrub(&schema_location)))
}
