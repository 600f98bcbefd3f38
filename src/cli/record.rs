//! Records for machines: one JSON object each, its members in the order given.
//!
//! In: members that are bounded where they came from. Out: `Serialize`.

use portcullis::Refusal;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A member's value.
pub(crate) enum Member<'a> {
    Text(&'a str),
    Number(u64),
    Flag(bool),
    Texts(Vec<String>),
    Refusal(&'a Refusal),
    Record(Record<'a>),
}

/// An object.
#[derive(Default)]
pub(crate) struct Record<'a>(Vec<(&'static str, Member<'a>)>);

impl<'a> Record<'a> {
    pub(crate) fn with(mut self, name: &'static str, value: Member<'a>) -> Self {
        self.0.push((name, value));
        self
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Member::Text(text) => text.serialize(serializer),
            Member::Number(number) => number.serialize(serializer),
            Member::Flag(flag) => flag.serialize(serializer),
            Member::Texts(texts) => texts.serialize(serializer),
            Member::Refusal(refusal) => refusal.serialize(serializer),
            Member::Record(record) => record.serialize(serializer),
        }
    }
}
