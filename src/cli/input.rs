//! Files and standard input: opened, read within a limit, parsed, and every fault with its place.
//!
//! In: a path or `-`. Out: a JSON value, or a [`Fault`] of one line. A document is held whole, at most
//! [`DOCUMENT_BYTES`] of text, and its value beside it; JSON Lines are not ([`super::lines`]). Depth is the library's
//! own limit, so that whatever is parsed is shallow.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR_STR, PathBuf};

use portcullis::{Limits, SliceError, Validator, bound};
use serde_json::Value;

use super::outcome::Stop;

/// The most that is read of a document, in bytes. Its value can take ten times as much.
pub(crate) const DOCUMENT_BYTES: u64 = 256 << 20;

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    StandardInput,
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(argument: OsString) -> Self {
        if argument == "-" { Source::StandardInput } else { Source::File(argument.into()) }
    }
}

/// A source that was opened, and how many bytes it has if that is known.
pub(crate) struct Opened {
    pub(crate) reader: Box<dyn Read>,
    pub(crate) bytes: Option<u64>,
}

impl Source {
    /// The name as given, for JSON; what is no UTF-8 in it is replaced.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::StandardInput => "-".to_owned(),
            Source::File(path) => path.to_string_lossy().into_owned(),
        }
    }

    /// The name on one line, for people: a file may be named to act on a terminal.
    pub(crate) fn printable_name(&self) -> String {
        match self {
            Source::StandardInput => "-".to_owned(),
            // Part by part, since none of them is longer than the bound that a rendering is cut at.
            Source::File(path) => {
                let separator = MAIN_SEPARATOR_STR.as_bytes();
                let parts = path.as_os_str().as_encoded_bytes().split(|byte| separator.contains(byte));
                parts.map(bound::render_bytes).collect::<Vec<_>>().join(MAIN_SEPARATOR_STR)
            }
        }
    }

    pub(crate) fn open(&self) -> Result<Opened, Stop> {
        let opened = match self {
            Source::StandardInput => return Ok(Opened { reader: Box::new(io::stdin()), bytes: None }),
            Source::File(path) => File::open(path).and_then(|file| Ok((file.metadata()?, file))),
        };
        let (metadata, file) = opened.map_err(|error| Stop::system(&self.printable_name(), &error))?;
        if metadata.is_dir() {
            return Err(Stop::at(&self.printable_name(), "is a directory"));
        }
        let bytes = metadata.is_file().then_some(metadata.len());
        Ok(Opened { reader: Box::new(file), bytes })
    }

    /// The document.
    pub(crate) fn read(&self) -> Result<Value, Stop> {
        let name = self.printable_name();
        let bytes =
            read_whole(self.open()?.reader, DOCUMENT_BYTES).map_err(|error| Stop::system(&name, &error))?;
        let too_long = || Stop::at(&name, format_args!("longer than {} MiB", DOCUMENT_BYTES >> 20));
        let bytes = bytes.ok_or_else(too_long)?;
        parse(&bytes)
            .map_err(|fault| Stop::at(&format!("{name}:{}:{}", fault.line, fault.column), fault.what))
    }
}

/// All that a reader has, or nothing if that is more than `limit` bytes; no more than one of them beyond is read.
fn read_whole(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Refuses to read standard input twice: the second reader would find it empty.
pub(crate) fn read_once<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Result<(), Stop> {
    let readers = sources.into_iter().filter(|source| **source == Source::StandardInput).count();
    if readers > 1 { Err(Stop::at("-", "standard input can be read only once")) } else { Ok(()) }
}

/// Why bytes are no document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Counted from 1.
    pub(crate) line: usize,
    /// In bytes, counted from 1.
    pub(crate) column: usize,
    /// One line, bounded.
    pub(crate) what: String,
}

impl Fault {
    /// What bytes are no document for.
    pub(crate) fn of(error: &SliceError) -> Self {
        Fault { line: error.line().unwrap_or(1), column: error.column().unwrap_or(1), what: error.reason() }
    }
}

/// One JSON document. Time and space are linear in the bytes.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    if is_blank(bytes) {
        return Err(Fault {
            line: 1,
            column: 1,
            what: "empty, where a JSON document is expected".to_owned(),
        });
    }
    // What is asked of the value comes later: the reader's own limits are those that memory needs.
    let limits = Limits::default().instance_bytes(bytes.len()).instance_values(bytes.len());
    let anything = Validator::options().limits(limits).build(&Value::Bool(true));
    let anything = anything.map_err(|error| Fault { line: 1, column: 1, what: error.to_string() })?;
    anything.read_slice(bytes).map_err(|error| Fault::of(&error))
}

/// Whether there is nothing but what JSON has between its tokens.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use portcullis::limits::DEPTH;

    use super::*;

    fn fault(bytes: &[u8]) -> (usize, usize, String) {
        let fault = parse(bytes).unwrap_err();
        (fault.line, fault.column, fault.what)
    }

    #[test]
    fn every_fault_has_its_place() {
        assert_eq!(fault(b"{\n  \"a\": Ada\n}"), (2, 8, "not JSON: a value is expected".to_owned()));
        assert_eq!(fault(b"[1"), (1, 3, "not JSON: it ends before the value does".to_owned()));
        assert_eq!(fault(b"1 2"), (1, 3, "not JSON: nothing may follow the value".to_owned()));
        assert_eq!(fault(b"[1,\n\"ab\xFF\"]"), (2, 4, "not JSON: the bytes are no UTF-8".to_owned()));
        assert_eq!(fault(b" \n"), (1, 1, "empty, where a JSON document is expected".to_owned()));
        assert_eq!(fault(b"\xEF\xBB\xBF{}").2, "not JSON: a byte order mark must not open it");
    }

    #[test]
    fn depth_is_the_librarys_limit() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(nested(DEPTH).as_bytes()).is_ok());
        let (line, column, what) = fault(nested(DEPTH + 1).as_bytes());
        assert_eq!((line, column), (1, DEPTH));
        assert!(what.starts_with("over a limit: nested deeper"), "{what}");
        assert_eq!(fault("[".repeat(1_000_000).as_bytes()).2, what);
    }

    #[test]
    fn a_document_of_the_limit_is_read_and_one_byte_more_is_not() {
        assert_eq!(read_whole(io::repeat(b'x').take(5), 5).unwrap(), Some(b"xxxxx".to_vec()));
        assert_eq!(read_whole(io::repeat(b'x').take(6), 5).unwrap(), None);
        assert_eq!(read_whole(io::repeat(b'x'), 5).unwrap(), None);
    }

    #[test]
    fn a_name_for_people_is_one_line_and_keeps_every_part() {
        let long = "d".repeat(255);
        let source = Source::from(OsString::from(format!("/{long}/{long}/a\u{1b}[2J\u{202e}\n.json")));
        assert_eq!(source.printable_name(), format!("/{long}/{long}/a?[2J????.json"));
    }

    #[test]
    fn standard_input_is_read_once() {
        let (input, file) = (Source::StandardInput, Source::from(OsString::from("a")));
        assert!(read_once([&input, &file, &file]).is_ok());
        assert!(read_once([&input, &file, &input]).is_err());
    }
}
