//! Patterns that need no regular expression engine: nearly all that real schemas write.
//!
//! In: a simplified tree without look-arounds. Out: a [`Plain`] test if the pattern has one of its shapes: part
//! of a string (`abc`, `^x-`, `\.json$`), one of some words (`^(a|b)$`), or runs of sets from the start
//! (`^[a-z][a-z0-9_]{0,62}$`, `^\d{4}-\d{2}$`, `^.{1,2000}$`), whose counts are counted and not written out.
//! It is no larger than the tree. Nothing is allocated in a match.

use std::sync::Arc;

use super::ast::{Assertion, Node};
use super::items::{Item, take_all, take_run};
use super::set::Set;
use crate::limits::{Exhausted, Meter, search_steps, text_steps};

/// Bytes that are read for one step: at up to one and a half nanoseconds a byte, a step's ten nanoseconds.
const BYTES_PER_STEP: u64 = 8;

/// Bytes of a character, at most.
const UTF8: usize = 4;

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
    /// A code point of one set, and before it none but of the other, or of both.
    Reaches {
        through: Arc<Set>,
        to: Arc<Set>,
    },
    /// From the start `min` to `most` characters of a set, all it can.
    Run {
        set: Arc<Set>,
        min: u32,
        most: usize,
        /// Whether the string ends there.
        end: bool,
    },
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
        /// For each length in bytes, the last standing for all longer ones, which branches may have it.
        by_length: Box<[u32; LENGTHS]>,
        items: usize,
    },
}

/// Lengths by which branches are told apart: the words of a list are rarely longer.
const LENGTHS: usize = 32;

/// Branches of a pattern that are written out, and items of all of them: what is more is an automaton's.
const BRANCHES: usize = 32;
const BRANCH_ITEMS: usize = 512;

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
        if let ([Item::Run { set: through, min: 0, max: None }, to], true, false) =
            (items.as_slice(), start, end)
            && let Some(to) = to.single()
        {
            return Some(Plain::Reaches { through: Arc::clone(through), to });
        }
        match (items.as_slice(), start, end) {
            ([], true, true) => Some(Plain::Equals(Box::default())),
            ([], _, _) => Some(Plain::Everything),
            ([Item::Text(text)], true, true) => Some(Plain::Equals(text.clone())),
            ([Item::Text(text)], true, false) => Some(Plain::Prefix(text.clone())),
            ([Item::Text(text)], false, true) => Some(Plain::Suffix(text.clone())),
            ([Item::Text(text)], false, false) => Some(Plain::Contains(text.clone())),
            ([Item::Run { set, min: 1, max: Some(1) }], false, false) => Some(Plain::Has(Arc::clone(set))),
            ([Item::Run { set, min, max }], true, _) => Some(Plain::Run {
                set: Arc::clone(set),
                min: *min,
                most: max.map_or(usize::MAX, |max| max as usize),
                end,
            }),
            (_, true, _) if certain(&items) => {
                let reach = items.iter().map(Item::reach).try_fold(0usize, |sum, r| sum.checked_add(r?));
                Some(Plain::Runs { items: items.into(), end, reach })
            }
            _ => None,
        }
    }

    #[inline(always)]
    pub(super) fn is_match(&self, text: &str, meter: &mut Meter) -> Result<bool, Exhausted> {
        // The most common by themselves, since they are done sooner than the others are told apart.
        if let Plain::Run { set, min, most, end } = self {
            return run(set, *min, *most, *end, text, meter);
        }
        if let Plain::Runs { items, end, reach } = self {
            return runs(items, *end, *reach, text, meter);
        }
        self.is_other_match(text, meter)
    }

    #[inline(never)]
    fn is_other_match(&self, text: &str, meter: &mut Meter) -> Result<bool, Exhausted> {
        match self {
            Plain::Run { set, min, most, end } => run(set, *min, *most, *end, text, meter),
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
            Plain::Reaches { through, to } => {
                meter.charge(read(text.len()))?;
                let mut passed = text.chars().take_while(|c| to.contains(*c) || through.contains(*c));
                Ok(passed.any(|c| to.contains(c)))
            }
            Plain::Runs { items, end, reach } => runs(items, *end, *reach, text, meter),
            Plain::Branches { branches, by_first, by_length, items } => {
                let bytes = text.len().saturating_mul(branches.len());
                meter.charge(read(bytes.saturating_add(*items)))?;
                let first = text.as_bytes().first().and_then(|byte| by_first.get(usize::from(*byte)));
                let fitting = by_length.get(text.len().min(LENGTHS - 1)).copied().unwrap_or(u32::MAX);
                let mut left = first.copied().unwrap_or(u32::MAX) & fitting;
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
            Plain::Reaches { through, to } => through.size() + to.size(),
            Plain::Run { set, .. } => set.size(),
            Plain::Runs { items, .. } => items.iter().map(Item::size).sum(),
            Plain::Branches { branches, by_first, by_length, .. } => {
                let of =
                    |items: &[Item]| size_of::<Box<[Item]>>() + items.iter().map(Item::size).sum::<usize>();
                let tables = size_of_val(&**by_first) + size_of_val(&**by_length);
                tables + branches.iter().map(|items| of(items)).sum::<usize>()
            }
        }
    }
}

/// Steps of reading so many bytes.
#[inline(always)]
fn read(bytes: usize) -> u64 {
    bytes as u64 / BYTES_PER_STEP
}

/// Whether a text begins with a run; and ends with it, if `end`.
#[inline(never)]
fn run(
    set: &Set,
    min: u32,
    most: usize,
    end: bool,
    text: &str,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    meter.charge(read(text.len().min(most.saturating_mul(UTF8))))?;
    Ok(take_run(set, min, most, text, 0).is_some_and(|taken| !end || taken == text.len()))
}

/// Whether a text begins with items, one after another; and ends with them, if `end`.
#[inline(never)]
fn runs(
    items: &[Item],
    end: bool,
    reach: Option<usize>,
    text: &str,
    meter: &mut Meter,
) -> Result<bool, Exhausted> {
    let bytes = reach.map_or(text.len(), |reach| reach.min(text.len()));
    meter.charge(read(bytes.saturating_add(items.len())))?;
    Ok(take_all(items, text).is_some_and(|taken| !end || taken == text.len()))
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
    let mut by_length = Box::new([0; LENGTHS]);
    for (branch, items) in branches.iter().enumerate() {
        let least: usize = items.iter().map(Item::least).sum();
        let most = items.iter().map(Item::reach).try_fold(0usize, |sum, reach| sum.checked_add(reach?));
        for (length, places) in by_length.iter_mut().enumerate() {
            let is_last = length == LENGTHS - 1;
            let fits = (least <= length || is_last) && most.is_none_or(|most| length <= most);
            *places |= u32::from(fits) << branch;
        }
    }
    Some(Plain::Branches { branches: branches.into(), by_first, by_length, items: count })
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
