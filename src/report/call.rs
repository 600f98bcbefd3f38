//! The wording of what a gate finds before it looks at values.
//!
//! In: names from a call or from a server's declarations, in any number and of any length. Out: sentences of at
//! most [`BOUND`](crate::bound::BOUND) bytes. What a call sent is named in a message's opening and nowhere else.

use super::joined::joined;
use super::list::{Frame, Name, quoted};
use super::text;
use crate::value::{Instance, View};

/// A key that no schema declares. The path says which.
pub(crate) const UNKNOWN_KEY: &str = "property is not known here";

/// A required property that is absent.
pub(crate) fn required(name: &str) -> String {
    text::are_required(std::iter::once(Name::quoted(name)), 1, "")
}

/// Groups of properties, of which none is wholly present.
pub(crate) fn required_one_of(groups: &[Vec<String>]) -> String {
    let before = "at least one of these must be present: ";
    Frame { before, conjunction: " or ", after: "" }
        .around(groups.iter().map(|group| together(group).into()), groups.len())
}

fn together(group: &[String]) -> String {
    let (before, after) = if group.len() == 1 { ("", "") } else { ("(", ")") };
    Frame { before, conjunction: " and ", after }
        .around(group.iter().map(|name| Name::quoted(name)), group.len())
}

/// A value of a type that it may not have.
pub(crate) fn not_of_type<'v, I: Instance<'v>>(wanted: &str, value: View<'v, I>) -> String {
    let kind = text::kind(value).name();
    joined(["value is not of type ".into(), wanted.into(), " (got ".into(), kind.into(), ")".into()])
}

/// The names that would have been known. `noun` is what they name, in the plural.
pub(crate) fn known<'n>(noun: &str, names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let total = names.len();
    if total == 0 {
        return format!("no {noun} are known");
    }
    let before = format!("known {noun}: ");
    Frame { before: &before, conjunction: ", ", after: "" }.around(names.map(Name::quoted), total)
}

/// How a message opens that is about a name. `noun` is what it names.
pub(crate) fn unknown(noun: &str, name: &str) -> String {
    format!("unknown {noun} {}", quoted(name))
}
