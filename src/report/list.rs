//! Names in a sentence: the first few, and how many more.
//!
//! In: names that are bounded already, in any number. Out: a sentence of at most [`BOUND`] bytes that keeps its
//! end: it names as many as fit, at most [`LISTED`], counts the rest, and cuts a name only where the first does
//! not fit. No more names than these are asked for.

use std::borrow::Cow;

use serde_json::Value;

use super::cut;
use super::joined::push;
use crate::bound::{BOUND, LISTED, MARK, echo, echo_str};
use crate::program::Choice;

/// The words before and after the names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    pub(super) before: &'a str,
    /// Stands before the last name where all are named.
    pub(super) conjunction: &'a str,
    pub(super) after: &'a str,
}

/// What counting the rest takes at most: its words and the digits of the largest number.
const MORE_BYTES: usize = " and  more".len() + u64::MAX.ilog10() as usize + 1;

impl Frame<'_> {
    /// The sentence about `total` names, of which `names` yields the first.
    pub(super) fn around<'n>(self, names: impl Iterator<Item = Name<'n>>, total: usize) -> String {
        let limit = BOUND.saturating_sub(self.after.len());
        // Most sentences fit.
        let mut text = String::with_capacity(BOUND / 2);
        text.push_str(self.before);
        let mut named = 0;
        for name in names.take(LISTED) {
            let is_last = named + 1 >= total;
            let separator = match (named, is_last) {
                (0, _) => "",
                (_, true) => self.conjunction,
                (_, false) => ", ",
            };
            let used = text.len() + separator.len() + if is_last { 0 } else { MORE_BYTES };
            if used + name.len() <= limit {
                text.push_str(separator);
                name.push_to(&mut text);
                named += 1;
                continue;
            }
            if named == 0 {
                let mut whole = String::new();
                name.push_to(&mut whole);
                text.push_str(&cut::end(&whole, limit.saturating_sub(used + MARK.len())));
                named = 1;
            }
            break;
        }
        if named < total {
            push(&mut text, [" and ".into(), (total - named).into(), " more".into()]);
        }
        text.push_str(self.after);
        text
    }
}

/// A name in a sentence, within the bound.
#[derive(Clone, Debug)]
pub(super) enum Name<'n> {
    /// As it stands.
    Plain(Cow<'n, str>),
    /// In quotes, with nothing in it to be escaped.
    Quoted(&'n str),
}

impl<'n> From<&'n str> for Name<'n> {
    fn from(name: &'n str) -> Self {
        Name::Plain(Cow::Borrowed(name))
    }
}

impl From<String> for Name<'_> {
    fn from(name: String) -> Self {
        Name::Plain(Cow::Owned(name))
    }
}

impl<'n> Name<'n> {
    /// Cut at the bound.
    pub(super) fn echoed(name: &'n str) -> Self {
        if name.len() <= BOUND { name.into() } else { echo_str(name).into() }
    }

    /// A name from a schema, cut at the bound, as a JSON string.
    pub(super) fn quoted(name: &'n str) -> Self {
        let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if name.len() <= BOUND && name.bytes().all(is_plain) {
            return Name::Quoted(name);
        }
        Value::String(echo_str(name)).to_string().into()
    }

    /// A value of an `enum`, cut at the bound, as JSON.
    pub(super) fn choice(choice: Choice<'n>) -> Self {
        match choice {
            Choice::Text(text) => Name::quoted(text),
            Choice::Value(value) => Name::spelled(value),
        }
    }

    /// A value from a schema, cut at the bound, as JSON.
    pub(super) fn spelled(value: &'n Value) -> Self {
        match value {
            Value::String(text) => Name::quoted(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                match echo(value) {
                    Value::String(text) => text.into(),
                    short => short.to_string().into(),
                }
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Name::Plain(name) => name.len(),
            Name::Quoted(name) => name.len() + "\"\"".len(),
        }
    }

    fn push_to(&self, text: &mut String) {
        match self {
            Name::Plain(name) => text.push_str(name),
            Name::Quoted(name) => push(text, ["\"".into(), (*name).into(), "\"".into()]),
        }
    }
}

/// A name from a schema, cut at the bound, as a JSON string.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len().min(BOUND) + "\"\"".len());
    Name::quoted(name).push_to(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FRAME: Frame<'_> = Frame { before: "either ", conjunction: " or ", after: " is fine" };

    fn spelled(value: &Value) -> String {
        let mut text = String::new();
        Name::spelled(value).push_to(&mut text);
        text
    }

    fn sentence(count: usize, name: &str) -> String {
        FRAME.around(std::iter::repeat_n(Name::from(name), count), count)
    }

    #[test]
    fn ten_names_stand_and_eleven_are_counted() {
        assert_eq!(sentence(1, "a"), "either a is fine");
        assert_eq!(sentence(2, "a"), "either a or a is fine");
        assert_eq!(sentence(10, "a"), "either a, a, a, a, a, a, a, a, a or a is fine");
        assert_eq!(sentence(11, "a"), "either a, a, a, a, a, a, a, a, a, a and 1 more is fine");
    }

    #[test]
    fn long_names_are_counted_and_the_end_stays() {
        let text = sentence(10, &"n".repeat(60));
        assert!(text.len() <= BOUND && text.ends_with(" and 7 more is fine"), "{text}");
        let text = sentence(3, &"n".repeat(300));
        assert!(text.len() <= BOUND && text.ends_with("n… and 2 more is fine"), "{text}");
        let exact = BOUND - "either ".len() - " is fine".len();
        assert!(!sentence(1, &"n".repeat(exact)).contains('…'));
        assert!(sentence(1, &"n".repeat(exact + 1)).contains('…'));
    }

    #[test]
    fn no_more_names_are_made_than_stand() {
        let made = std::cell::Cell::new(0);
        let names = std::iter::repeat_with(|| {
            made.set(made.get() + 1);
            Name::from("a")
        });
        assert!(FRAME.around(names, 100_000).ends_with("and 99990 more is fine"));
        assert_eq!(made.get(), LISTED);
    }

    #[test]
    fn values_are_spelled_as_json_within_the_bound() {
        for value in [json!("a\"\n"), json!(1.5), json!(null), json!([1, {"a": []}])] {
            assert_eq!(spelled(&value), value.to_string());
        }
        assert!(spelled(&json!("x".repeat(1_000_000))).len() <= cut::marked(BOUND) + 2);
        assert!(spelled(&json!(vec![0; 1_000_000])).len() <= cut::marked(BOUND));
    }
}
