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
    /// One of these, each from the start to the end, as [`Plain::Runs`].
    Branches {
        branches: Box<[Box<[Item]>]>,
        /// For each ASCII character, which branches may begin with it, by bits.
        by_first: Box<[u32; 128]>,
        items: usize,
    },
}

/// Branches of a pattern that are written out, and items of all of them: what is more is an automaton's.
const BRANCHES: usize = 32;
const BRANCH_ITEMS: usize = 512;

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
        if let ([Node::Alternate(branches)], true, true) = (nodes, start, end)
            && let Some(words) = words(branches)
        {
            return Some(words);
        }
        let items: Option<Vec<Item>> = nodes.iter().map(item).collect();
        let Some(mut items) = items else {
            return if start && end { written_out(nodes) } else { None };
        };
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
                let taken = take_all(items, text);
                Ok(taken.is_some_and(|taken| !end || taken == text.len()))
            }
            Plain::Branches { branches, by_first, items } => {
                let bytes = text.len().saturating_mul(branches.len());
                meter.charge(read(bytes.saturating_add(*items)))?;
                let first = text.as_bytes().first().and_then(|byte| by_first.get(usize::from(*byte)));
                let mut left = first.copied().unwrap_or(u32::MAX);
                for items in branches {
                    if left & 1 == 1 && take_all(items, text) == Some(text.len()) {
                        return Ok(true);
                    }
                    left >>= 1;
                    if left == 0 {
                        break;
                    }
                }
                Ok(false)
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
            Plain::Branches { branches, by_first, .. } => {
                let of =
                    |items: &[Item]| size_of::<Box<[Item]>>() + items.iter().map(Item::size).sum::<usize>();
                size_of_val(&**by_first) + branches.iter().map(|items| of(items)).sum::<usize>()
            }
        }
    }
}

/// Bytes that are compared one by one.
const FEW_BYTES: usize = 8;

/// Takes one item after another; the answer is how many bytes they take, or nothing if one does not fit.
#[inline(always)]
fn take_all(items: &[Item], text: &str) -> Option<usize> {
    let mut at = 0;
    for item in items {
        at = item.take(text, at)?;
    }
    Some(at)
}

impl Item {
    /// Reads on from `at`, where a character begins; the answer is where it ends, or nothing if it does not fit.
    #[inline(always)]
    fn take(&self, text: &str, at: usize) -> Option<usize> {
        match self {
            Item::Text(part) => {
                let end = at + part.len();
                let (read, part) = (text.as_bytes().get(at..end)?, part.as_bytes());
                // By bytes where they are few: to call a comparison of memory takes longer.
                let same = if part.len() > FEW_BYTES { read == part } else { read.iter().eq(part) };
                same.then_some(end)
            }
            Item::Run { set, min, max } => {
                let rest = text.as_bytes().get(at..)?;
                let most = max.map_or(usize::MAX, |max| max as usize);
                // ASCII, which nearly all of it is, needs no decoding.
                let mut count = 0;
                for byte in rest.iter().take(most) {
                    if !set.contains_ascii(*byte) {
                        if !byte.is_ascii() {
                            return take_decoded(set, *min, most, text, at);
                        }
                        break;
                    }
                    count += 1;
                }
                (count >= *min as usize).then_some(at + count)
            }
        }
    }

    /// Whether a text that it takes a part of may begin with this ASCII character.
    fn may_begin(&self, byte: u8) -> bool {
        match self {
            Item::Text(text) => text.as_bytes().first() == Some(&byte),
            Item::Run { set, .. } => set.contains_ascii(byte),
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

/// Reads up to `most` characters of `set` from `at`, `min` at least.
#[cold]
fn take_decoded(set: &Set, min: u32, most: usize, text: &str, at: usize) -> Option<usize> {
    let (mut count, mut end) = (0, at);
    for c in text.get(at..)?.chars().take(most) {
        if !set.contains(c) {
            break;
        }
        count += 1;
        end += c.len_utf8();
    }
    (count >= min as usize).then_some(end)
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

/// The sequences of `nodes` between the start and the end, one for each way through their alternatives, if each is a run
/// of items.
fn written_out(nodes: &[Node]) -> Option<Plain> {
    let mut count = 0;
    let mut branches = Vec::new();
    for branch in sequences(nodes)? {
        let items: Vec<Item> = branch.into_iter().map(item).collect::<Option<_>>()?;
        let items = join(items);
        count += items.len();
        if !certain(&items) {
            return None;
        }
        branches.push(items.into_boxed_slice());
    }
    let mut by_first = Box::new([0; 128]);
    for (byte, places) in (0..128u8).zip(by_first.iter_mut()) {
        // There are no more branches than bits.
        *places = (0..).zip(&branches).fold(0, |set, (branch, items)| {
            // Past what may be left out, whatever follows may begin.
            let open = items.iter().position(|item| !item.is_optional()).unwrap_or(items.len());
            let begins = open == items.len() || items.iter().take(open + 1).any(|item| item.may_begin(byte));
            set | u32::from(begins) << branch
        });
    }
    Some(Plain::Branches { branches: branches.into(), by_first, items: count })
}

/// Every way through the alternatives of `nodes`, while there are few. The depth is the tree's.
fn sequences(nodes: &[Node]) -> Option<Vec<Vec<&Node>>> {
    let mut ways: Vec<Vec<&Node>> = vec![Vec::new()];
    for node in nodes {
        let further = match node {
            Node::Concat(nodes) => sequences(nodes)?,
            Node::Alternate(branches) => {
                let mut all = Vec::new();
                for branch in branches {
                    all.extend(sequences(std::slice::from_ref(branch))?);
                    few(&all)?;
                }
                all
            }
            Node::Repeat { node, min: 0, max: Some(1), .. }
                if !matches!(**node, Node::Set(_) | Node::Char(_)) =>
            {
                let mut all = sequences(std::slice::from_ref(&**node))?;
                all.push(Vec::new());
                all
            }
            Node::Empty => vec![Vec::new()],
            Node::Char(_)
            | Node::Set(_)
            | Node::Assert(_)
            | Node::Repeat { .. }
            | Node::Capture(..)
            | Node::Look(..)
            | Node::Reference(_) => vec![vec![node]],
        };
        if ways.len() * further.len() > BRANCHES {
            return None;
        }
        ways = ways.iter().flat_map(|way| further.iter().map(move |more| [&**way, more].concat())).collect();
        few(&ways)?;
    }
    Some(ways)
}

/// Nothing where there is more than is written out.
fn few(ways: &[Vec<&Node>]) -> Option<()> {
    let items: usize = ways.iter().map(Vec::len).sum();
    (ways.len() <= BRANCHES && items <= BRANCH_ITEMS).then_some(())
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
