//! Patterns that need no regular expression engine: nearly all that real schemas write.
//!
//! In: a simplified tree without look-arounds. Out: a [`Plain`] test if the pattern has one of its shapes: part
//! of a string (`abc`, `^x-`, `\.json$`), one of some words (`^(a|b)$`), or runs of sets from the start
//! (`^[a-z][a-z0-9_]{0,62}$`, `^\d{4}-\d{2}$`, `^.{1,2000}$`), whose counts are counted and not written out.
//! It is no larger than the tree. Nothing is allocated in a match.

use std::sync::Arc;

use super::ast::{Assertion, Node};
use super::set::Set;
use crate::limits::{Exhausted, Meter, search_steps, text_steps};

/// Bytes that are read for one step: at up to one and a half nanoseconds a byte, a step's ten nanoseconds.
const BYTES_PER_STEP: u64 = 8;

#[derive(Debug)]
pub(super) enum Plain {
    Everything,
    Contains(Box<str>),
    Prefix(Box<str>),
    Suffix(Box<str>),
    Equals(Box<str>),
    /// Any of these, sorted.
    Words(Box<[Box<str>]>),
    /// Some code point of the set.
    Has(Arc<Set>),
    /// One item after another from the start; each takes all it can.
    Runs {
        items: Box<[Item]>,
        /// Whether the string ends there.
        end: bool,
        /// Bytes that the items read at most, if they are bounded.
        reach: Option<usize>,
    },
}

#[derive(Debug)]
pub(super) enum Item {
    Text(Box<str>),
    Run { set: Arc<Set>, min: u32, max: Option<u32> },
}

impl Plain {
    /// The test for `node`, if it has the shape of one.
    pub(super) fn new(node: &Node) -> Option<Plain> {
        let mut nodes = match node {
            Node::Concat(nodes) => nodes.as_slice(),
            Node::Empty => &[],
            Node::Char(_)
            | Node::Set(_)
            | Node::Assert(_)
            | Node::Alternate(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => std::slice::from_ref(node),
        };
        let (mut start, mut end) = (false, false);
        if let [Node::Assert(Assertion::Start), rest @ ..] = nodes {
            (start, nodes) = (true, rest);
        }
        if let [rest @ .., Node::Assert(Assertion::End)] = nodes {
            (end, nodes) = (true, rest);
        }
        if let ([Node::Alternate(branches)], true, true) = (nodes, start, end) {
            return words(branches);
        }
        let mut items: Vec<Item> = nodes.iter().map(item).collect::<Option<_>>()?;
        if !end {
            trim(&mut items);
        }
        if !start {
            // What stands first need not take more than it must, and the order of trimming does not matter.
            items.reverse();
            trim(&mut items);
            items.reverse();
        }
        let items = join(items);
        match (items.as_slice(), start, end) {
            ([], true, true) => Some(Plain::Equals(Box::default())),
            ([], _, _) => Some(Plain::Everything),
            ([Item::Text(text)], true, true) => Some(Plain::Equals(text.clone())),
            ([Item::Text(text)], true, false) => Some(Plain::Prefix(text.clone())),
            ([Item::Text(text)], false, true) => Some(Plain::Suffix(text.clone())),
            ([Item::Text(text)], false, false) => Some(Plain::Contains(text.clone())),
            ([Item::Run { set, min: 1, max: Some(1) }], false, false) => Some(Plain::Has(Arc::clone(set))),
            (_, true, _) if certain(&items) => {
                let reach = items.iter().map(Item::reach).try_fold(0usize, |sum, r| sum.checked_add(r?));
                Some(Plain::Runs { items: items.into(), end, reach })
            }
            _ => None,
        }
    }

    pub(super) fn is_match(&self, text: &str, meter: &mut Meter) -> Result<bool, Exhausted> {
        let read = |bytes: usize| bytes as u64 / BYTES_PER_STEP;
        match self {
            Plain::Everything => Ok(true),
            Plain::Contains(part) => {
                meter.charge(read(text.len()))?;
                Ok(text.contains(&**part))
            }
            Plain::Prefix(part) => {
                meter.charge(text_steps(part.len()))?;
                Ok(text.starts_with(&**part))
            }
            Plain::Suffix(part) => {
                meter.charge(text_steps(part.len()))?;
                Ok(text.ends_with(&**part))
            }
            Plain::Equals(part) => {
                meter.charge(text_steps(part.len()))?;
                Ok(text == &**part)
            }
            Plain::Words(words) => {
                meter.charge(search_steps(words.len(), text.len()))?;
                Ok(words.binary_search_by(|word| (**word).cmp(text)).is_ok())
            }
            Plain::Has(set) => {
                meter.charge(read(text.len()))?;
                Ok(text.chars().any(|c| set.contains(c)))
            }
            Plain::Runs { items, end, reach } => {
                let bytes = reach.map_or(text.len(), |reach| reach.min(text.len()));
                meter.charge(read(bytes.saturating_add(items.len())))?;
                let rest = items.iter().try_fold(text, |rest, item| item.take(rest));
                Ok(rest.is_some_and(|rest| !end || rest.is_empty()))
            }
        }
    }

    /// Bytes of memory, about.
    pub(super) fn size(&self) -> usize {
        let own = size_of::<Plain>();
        own + match self {
            Plain::Everything => 0,
            Plain::Contains(text) | Plain::Prefix(text) | Plain::Suffix(text) | Plain::Equals(text) => {
                text.len()
            }
            Plain::Words(words) => words.iter().map(|word| size_of::<Box<str>>() + word.len()).sum(),
            Plain::Has(set) => set.size(),
            Plain::Runs { items, .. } => items.iter().map(Item::size).sum(),
        }
    }
}

impl Item {
    /// Reads from the front of `rest`; the answer is what remains, or nothing if it does not fit.
    fn take<'t>(&self, rest: &'t str) -> Option<&'t str> {
        match self {
            Item::Text(text) => rest.strip_prefix(&**text),
            Item::Run { set, min, max } => {
                let most = max.map_or(usize::MAX, |max| max as usize);
                // ASCII, which nearly all of it is, needs no decoding.
                let ascii = |byte: &u8| byte.is_ascii() && set.contains_ascii(*byte);
                let mut count = rest.bytes().take(most).take_while(ascii).count();
                let mut end = rest.get(count..)?;
                if end.bytes().next().is_some_and(|byte| !byte.is_ascii()) {
                    let mut chars = end.chars();
                    while count < most && chars.next().is_some_and(|c| set.contains(c)) {
                        count += 1;
                        end = chars.as_str();
                    }
                }
                (count >= *min as usize).then_some(end)
            }
        }
    }

    /// Bytes it reads at most.
    fn reach(&self) -> Option<usize> {
        match self {
            Item::Text(text) => Some(text.len()),
            Item::Run { max, .. } => max.and_then(|max| (max as usize).checked_mul(4)),
        }
    }

    fn size(&self) -> usize {
        size_of::<Item>()
            + match self {
                Item::Text(text) => text.len(),
                Item::Run { set, .. } => set.size(),
            }
    }

    fn is_optional(&self) -> bool {
        matches!(self, Item::Run { min: 0, .. })
    }

    /// Whether `set` holds nothing that it could begin with.
    fn avoids(&self, set: &Set) -> bool {
        match self {
            Item::Text(text) => !text.chars().next().is_some_and(|c| set.contains(c)),
            Item::Run { set: own, .. } => own.is_disjoint(set),
        }
    }
}

fn item(node: &Node) -> Option<Item> {
    match node {
        Node::Char(c) => Some(Item::Text(c.to_string().into())),
        Node::Set(set) => Some(Item::Run { set: Arc::clone(set), min: 1, max: Some(1) }),
        Node::Repeat { node, min, max, .. } => match &**node {
            Node::Set(set) => Some(Item::Run { set: Arc::clone(set), min: *min, max: *max }),
            Node::Char(c) => Some(Item::Run { set: Arc::new(Set::of(*c)), min: *min, max: *max }),
            Node::Empty
            | Node::Assert(_)
            | Node::Concat(_)
            | Node::Alternate(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => None,
        },
        Node::Empty
        | Node::Assert(_)
        | Node::Concat(_)
        | Node::Alternate(_)
        | Node::Capture(..)
        | Node::Look(..)
        | Node::Reference(_) => None,
    }
}

/// Cuts what the pattern's open end need not take: optional items, and counts past the minimum.
fn trim(items: &mut Vec<Item>) {
    while items.last().is_some_and(Item::is_optional) {
        items.pop();
    }
    if let Some(Item::Run { min, max, .. }) = items.last_mut() {
        *max = Some(*min);
    }
}

/// Neighbouring texts as one.
fn join(items: Vec<Item>) -> Vec<Item> {
    let mut joined: Vec<Item> = Vec::with_capacity(items.len());
    let mut text = String::new();
    for item in items {
        match item {
            Item::Text(part) => text.push_str(&part),
            Item::Run { .. } => {
                if !text.is_empty() {
                    joined.push(Item::Text(std::mem::take(&mut text).into()));
                }
                joined.push(item);
            }
        }
    }
    if !text.is_empty() {
        joined.push(Item::Text(text.into()));
    }
    joined
}

/// Whether taking all it can is always right: nothing that may follow an item of open count begins with what
/// the item takes. Every item looks past the optional ones that follow it, so a pattern of many is not tried.
fn certain(items: &[Item]) -> bool {
    /// Optional items in a row.
    const OPTIONAL: usize = 16;
    items.iter().enumerate().all(|(index, item)| {
        let Item::Run { set, min, max } = item else { return true };
        let following = items.get(index + 1..).unwrap_or_default();
        let optional = following.iter().take_while(|item| item.is_optional()).count();
        if *max == Some(*min) {
            return true;
        }
        optional <= OPTIONAL && following.iter().take(optional + 1).all(|item| item.avoids(set))
    })
}

/// `branches` as words, if they are nothing else.
fn words(branches: &[Node]) -> Option<Plain> {
    let mut words: Vec<Box<str>> = branches.iter().map(word).collect::<Option<_>>()?;
    words.sort_unstable();
    words.dedup();
    Some(Plain::Words(words.into()))
}

fn word(node: &Node) -> Option<Box<str>> {
    let letter = |node: &Node| if let Node::Char(c) = node { Some(*c) } else { None };
    match node {
        Node::Empty => Some(Box::default()),
        Node::Char(c) => Some(c.to_string().into()),
        Node::Concat(nodes) => nodes.iter().map(letter).collect::<Option<String>>().map(Into::into),
        Node::Set(_)
        | Node::Assert(_)
        | Node::Alternate(_)
        | Node::Repeat { .. }
        | Node::Capture(..)
        | Node::Look(..)
        | Node::Reference(_) => None,
    }
}
