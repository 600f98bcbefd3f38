//! The refusal as JSON, and the most that it can take.
//!
//! In: a refusal. Out: `Serialize`, the shape documented at [`Refusal`]; and [`MAX_BYTES`], added up here from the
//! same names and bounds that are written here, so that the sum follows whatever changes.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::cut::marked;
use super::entry::Entry;
use super::kind::RefusalKind;
use super::message::MESSAGE_BYTES;
use super::path::PATH_BYTES;
use super::refusal::Refusal;
use crate::bound::{BOUND, LISTED};

/// A schema larger than this, as compact JSON, is left out of a refusal, in bytes.
///
/// The largest schema of a tool in use has 12 KB.
pub(crate) const INPUT_SCHEMA_BYTES: usize = 16 << 10;

/// Stands for a schema that was left out.
const TOO_LARGE: &str = "the schema is too large to be repeated here";

mod name {
    pub(super) const ERROR: &str = "error";
    pub(super) const MESSAGE: &str = "message";
    pub(super) const TOOL: &str = "tool";
    pub(super) const ACTION: &str = "action";
    pub(super) const INVALID: &str = "invalid";
    pub(super) const TOTAL: &str = "total";
    pub(super) const COMPLETE: &str = "complete";
    pub(super) const INPUT_SCHEMA: &str = "input_schema";
    pub(super) const INPUT_SCHEMA_OMITTED: &str = "input_schema_omitted";
    pub(super) const HELP: &str = "help";

    pub(super) const PATH: &str = "path";
    pub(super) const POINTER: &str = "pointer";
    pub(super) const POINTER_IS_CUT: &str = "pointer_is_cut";
    pub(super) const PROBLEMS: &str = "problems";
    pub(super) const MORE: &str = "more";
    pub(super) const SUGGESTION: &str = "suggestion";
}

/// What one byte of a string can become: `\u0000`.
const ESCAPED: usize = 6;
/// The digits of the largest number.
const NUMBER: usize = u64::MAX.ilog10() as usize + 1;
const BOOLEAN: usize = "false".len();

/// A string of at most `bytes` before escaping, in its quotes.
const fn string(bytes: usize) -> usize {
    bytes * ESCAPED + 2
}

/// An array of `count` values, with its brackets and a comma after each.
const fn array(count: usize, value: usize) -> usize {
    count * (value + 1) + 2
}

/// A member of an object: its name in quotes, a colon, its value and a comma.
const fn member(name: &str, value: usize) -> usize {
    name.len() + 4 + value
}

const fn longest_kind() -> usize {
    let mut longest = 0;
    let mut at = 0;
    while at < RefusalKind::ALL.len() {
        let length = RefusalKind::ALL[at].as_str().len();
        if length > longest {
            longest = length;
        }
        at += 1;
    }
    longest
}

/// An entry, its braces included.
const ENTRY_BYTES: usize = 2
    + member(name::PATH, string(marked(PATH_BYTES)))
    + member(name::POINTER, string(marked(PATH_BYTES)))
    + member(name::POINTER_IS_CUT, BOOLEAN)
    + member(name::PROBLEMS, array(LISTED, string(marked(BOUND))))
    + member(name::MORE, NUMBER)
    + member(name::SUGGESTION, string(marked(BOUND)));

/// See [`Refusal::MAX_BYTES`].
pub(super) const MAX_BYTES: usize = 2
    + member(name::ERROR, string(longest_kind()))
    + member(name::MESSAGE, string(MESSAGE_BYTES))
    + member(name::TOOL, string(marked(BOUND)))
    + member(name::ACTION, string(marked(BOUND)))
    + member(name::INVALID, array(LISTED, ENTRY_BYTES))
    + member(name::TOTAL, NUMBER)
    + member(name::COMPLETE, BOOLEAN)
    // The schema itself is not counted, its name is.
    + member(name::INPUT_SCHEMA, 0)
    + member(name::INPUT_SCHEMA_OMITTED, string(TOO_LARGE.len()))
    + member(name::HELP, string(marked(BOUND)));

/// The shape documented at [`Refusal`].
impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(name::ERROR, self.kind().as_str())?;
        map.serialize_entry(name::MESSAGE, self.message())?;
        if let Some(tool) = self.tool() {
            map.serialize_entry(name::TOOL, tool)?;
        }
        if let Some(action) = self.action() {
            map.serialize_entry(name::ACTION, action)?;
        }
        map.serialize_entry(name::INVALID, self.entries())?;
        map.serialize_entry(name::TOTAL, &self.total())?;
        if !self.is_complete() {
            map.serialize_entry(name::COMPLETE, &false)?;
        }
        if let Some(schema) = self.input_schema() {
            map.serialize_entry(name::INPUT_SCHEMA, schema)?;
        }
        if self.input_schema_is_too_large() {
            map.serialize_entry(name::INPUT_SCHEMA_OMITTED, TOO_LARGE)?;
        }
        if let Some(help) = self.help() {
            map.serialize_entry(name::HELP, help)?;
        }
        map.end()
    }
}

/// As under `invalid` of a [`Refusal`].
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(name::PATH, self.path())?;
        map.serialize_entry(name::POINTER, self.pointer())?;
        if self.pointer_is_cut() {
            map.serialize_entry(name::POINTER_IS_CUT, &true)?;
        }
        let texts: Vec<&str> = self.problems().iter().map(|problem| problem.text()).collect();
        map.serialize_entry(name::PROBLEMS, &texts)?;
        map.serialize_entry(name::MORE, &self.more())?;
        if let Some(suggestion) = self.suggestion() {
            map.serialize_entry(name::SUGGESTION, suggestion)?;
        }
        map.end()
    }
}
