//! A table of strings that the schema names: an object's declared keys, the strings of an `enum`.
//!
//! In: names, each with what it leads to. Out: what a string of the instance leads to. Size is that of the names, and for
//! each an entry (32 bytes for links) and at most four places of a byte, or of two bytes in tables of many names.
//!
//! A key is told apart by its length and its first and last eight bytes, which for keys of up to [`SHORT`] bytes is
//! all of them: a look-up of such a key is a few loads and one probe, and calls no comparison of memory, which costs
//! more than all else. A longer key is confirmed byte by byte. An entry holds what its name leads to, so that nothing lies
//! behind another look-up; the places, which are mostly free, are small, and a free one ends a look-up.
//!
//! Keys of an instance cannot make a look-up slow: the places hold only the schema's keys, and a schema whose keys
//! crowd one place beyond [`PROBES`] (a hostile one, since length and sixteen bytes must agree) is searched by halves.

use crate::value::ends::ends;

/// Bytes of a key that its first and last words cover.
const SHORT: usize = 16;

/// Places that a look-up may probe. The mean is under two, and the longest run of thousands of ordinary names stays below
/// twenty.
const PROBES: usize = 32;

/// Names up to which several ways to spread them are tried: more take one, whose mean is good enough.
const FEW: usize = 24;

/// Ways to spread few names that are tried.
const SPREADS: u64 = 16;

/// What a free place of a narrow table holds: the number of no entry.
const FREE: u8 = u8::MAX;

/// Places that a table has in itself, beside what is looked at first: all of those of tables of up to eight names.
const NEAR: usize = 16;

/// The same in a wide table.
const FREE_IN_WIDE: u16 = u16::MAX;

/// An odd number whose bits follow no pattern: the golden ratio's.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What tells a key apart without looking at all of it.
#[derive(Clone, Copy, Debug)]
struct Mark {
    first: u64,
    last: u64,
    /// The cut keeps what tells keys apart: longer keys are confirmed.
    length: u32,
}

impl Mark {
    #[inline(always)]
    fn of(bytes: &[u8]) -> Mark {
        let (first, last) = ends(bytes);
        Mark { first, last, length: bytes.len() as u32 }
    }

    /// The place of the mark.
    #[inline(always)]
    fn place(self, spread: Spread) -> usize {
        let mixed = (self.first ^ self.last.rotate_left(23)).wrapping_mul(spread.0);
        // The high bits of a product depend on all bits below them.
        mixed.wrapping_shr(spread.0 as u32) as usize
    }
}

/// How marks are spread over places: a factor, in whose lowest six bits stands by how many bits its products are shifted.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Spread {
    /// One of the ways to spread marks over a power of two of places.
    fn new(attempt: u64, places: usize) -> Spread {
        let shift = u64::BITS - places.trailing_zeros();
        Spread(SPREAD.wrapping_mul(2 * attempt + 1) & !63 | u64::from(shift))
    }

    /// How many places.
    fn places(self) -> usize {
        1 << (u64::BITS - (self.0 % 64) as u32)
    }
}

/// A name's mark, laid out to fill 32 bytes with a link.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    first: u64,
    last: u64,
    length: u32,
    /// Where the name begins in the text of all, and [`MORE`].
    start: u32,
    leads: T,
}

/// Set in an entry's start where a name that belongs at its place or before has moved on behind it.
const MORE: u32 = 1 << 31;

impl<T> Entry<T> {
    #[inline(always)]
    fn has(&self, mark: Mark) -> bool {
        // One branch, since what differs in one mostly differs in all.
        (self.first ^ mark.first) | (self.last ^ mark.last) | u64::from(self.length ^ mark.length) == 0
    }

    #[inline(always)]
    fn is_last(&self) -> bool {
        self.start & MORE == 0
    }

    fn mark(&self) -> Mark {
        Mark { first: self.first, last: self.last, length: self.length }
    }
}

/// Names, and what they lead to.
#[derive(Debug)]
pub(crate) struct KeyTable<T> {
    /// The first of a power of two of places, each free or an entry's number; all free where there are no names, or the
    /// table is wide.
    near: [u8; NEAR],
    /// The places behind them, and then the names, one after another.
    bytes: Box<[u8]>,
    entries: Box<[Entry<T>]>,
    spread: Spread,
    wide: Option<Box<Wide>>,
}

/// What tables of more names than a byte can number have, and such whose names crowd.
#[derive(Debug, Default)]
struct Wide {
    /// As in a table that is not wide; none where the names crowd.
    places: Box<[u16]>,
    /// The names, one after another.
    text: Box<[u8]>,
    /// Where each name ends in the text, where they crowd: the entries are in their order.
    ends: Box<[usize]>,
}

impl<T: Copy> KeyTable<T> {
    /// The table of `names`, which are all different. It keeps them sorted by length and then by bytes.
    pub(crate) fn new<S: AsRef<str>>(mut names: Vec<(S, T)>) -> Self {
        names.sort_unstable_by(|(a, _), (b, _)| order(a.as_ref(), b.as_ref()));
        Self::of_ordered(&names)
    }

    /// The table of `names`, which are all different. It keeps their order, unless they crowd.
    pub(crate) fn in_order<S: AsRef<str>>(names: Vec<(S, T)>) -> Self {
        let table = Self::of_ordered(&names);
        if table.is_crowded() { Self::new(names) } else { table }
    }

    fn of_ordered<S: AsRef<str>>(names: &[(S, T)]) -> Self {
        let count = if names.is_empty() { 0 } else { (names.len() * 2).next_power_of_two() };
        let is_narrow = names.len() <= usize::from(FREE);
        let before = if is_narrow { count.saturating_sub(NEAR) } else { 0 };
        let length: usize = names.iter().map(|(name, _)| name.as_ref().len()).sum();
        let mut bytes = Vec::with_capacity(before + length);
        bytes.resize(before, FREE);
        let mut entries: Vec<Entry<T>> = Vec::with_capacity(names.len());
        for (name, leads) in names {
            let name = name.as_ref().as_bytes();
            // What is cut where names take more than can be numbered is searched.
            let start = bytes.len() as u32;
            bytes.extend_from_slice(name);
            let Mark { first, last, length } = Mark::of(name);
            entries.push(Entry { first, last, length, start, leads: *leads });
        }
        // Most tables take no memory for a while.
        let (mut few, mut many) = ([0; 4 * FEW], Vec::new());
        let places = match few.get_mut(..count) {
            Some(places) => places,
            None => {
                many.resize(count, 0);
                &mut many
            }
        };
        let spread = if bytes.len() < MORE as usize { spread_out(&mut entries, places) } else { None };
        let mut near = [FREE; NEAR];
        let (bytes, wide) = match spread {
            Some(_) if is_narrow => {
                // As few as fit a byte; what is free stays the largest number.
                let narrow = near.iter_mut().chain(bytes.iter_mut());
                narrow.zip(places).for_each(|(place, number)| *place = *number as u8);
                (bytes.into(), None)
            }
            _ if names.is_empty() => (Box::default(), None),
            Some(_) => (
                Box::default(),
                Some(Wide { places: (*places).into(), text: bytes.into(), ends: Box::default() }),
            ),
            None => {
                let ends = names.iter().scan(0, |end, (name, _)| {
                    *end += name.as_ref().len();
                    Some(*end)
                });
                let text = bytes.split_off(before).into();
                (Box::default(), Some(Wide { ends: ends.collect(), text, ..Wide::default() }))
            }
        };
        let spread = spread.unwrap_or_default();
        KeyTable { near, bytes, entries: entries.into(), spread, wide: wide.map(Box::new) }
    }

    /// What the name `key` leads to.
    #[inline(always)]
    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        if self.is_crowded() { self.find(key) } else { self.probe(key.as_bytes()) }
    }

    /// What the name whose bytes are `key` leads to, if the table is not crowded.
    #[inline(always)]
    pub(crate) fn probe(&self, key: &[u8]) -> Option<&T> {
        let mark = Mark::of(key);
        let at = mark.place(self.spread);
        let number = self.place(at);
        if number == FREE {
            return if self.wide.is_some() { self.probe_wide(key) } else { None };
        }
        let entry = self.entries.get(usize::from(number))?;
        if entry.has(mark) && self.confirms(entry, key) {
            Some(&entry.leads)
        } else if entry.is_last() {
            None
        } else {
            self.probe_on(at, key)
        }
    }

    /// What a place holds, in a table that is not wide.
    #[inline(always)]
    fn place(&self, at: usize) -> u8 {
        match self.near.get(at) {
            Some(number) => *number,
            // A place is one of those before the names.
            None => self.bytes.get(at - NEAR).copied().unwrap_or(FREE),
        }
    }

    /// Looks on behind a place that has another name.
    #[inline(never)]
    fn probe_on(&self, at: usize, key: &[u8]) -> Option<&T> {
        let at = (at + 1) & (self.spread.places() - 1);
        self.entries.get(self.number(at, |at| Some(usize::from(self.place(at))), key)?).map(leads)
    }

    /// Looks into a table of many names.
    #[inline(never)]
    fn probe_wide(&self, key: &[u8]) -> Option<&T> {
        self.entries.get(self.number_of(key)?).map(leads)
    }

    /// The number of the entry whose name is `key`, in a table that is not crowded.
    fn number_of(&self, key: &[u8]) -> Option<usize> {
        let at = Mark::of(key).place(self.spread);
        match &self.wide {
            None => self.number(at, |at| Some(usize::from(self.place(at))), key),
            Some(wide) => self.number(at, |at| wide.places.get(at).copied().map(usize::from), key),
        }
    }

    /// The same, looked for from a place on.
    fn number(&self, mut at: usize, place: impl Fn(usize) -> Option<usize>, key: &[u8]) -> Option<usize> {
        let mark = Mark::of(key);
        loop {
            let number = place(at)?;
            let entry = self.entries.get(number)?;
            if entry.has(mark) && self.confirms(entry, key) {
                return Some(number);
            }
            if entry.is_last() {
                return None;
            }
            // A run of taken places is shorter than `PROBES`, or the keys would crowd.
            at = (at + 1) & (self.spread.places() - 1);
        }
    }

    /// Whether the name of an entry, whose mark is that of `key`, is `key`.
    #[inline(always)]
    fn confirms(&self, entry: &Entry<T>, key: &[u8]) -> bool {
        if key.len() <= SHORT {
            return true;
        }
        let start = (entry.start & !MORE) as usize;
        let name = self.text().get(start..).and_then(|rest| rest.get(..key.len()));
        name.is_some_and(|name| is_same_between(name, key))
    }

    #[inline]
    fn name(&self, index: usize) -> Option<&str> {
        if let Some(ends) = self.ends() {
            let start = match index.checked_sub(1) {
                Some(before) => *ends.get(before)?,
                None => 0,
            };
            return str::from_utf8(self.text().get(start..*ends.get(index)?)?).ok();
        }
        let entry = self.entries.get(index)?;
        let start = (entry.start & !MORE) as usize;
        str::from_utf8(self.text().get(start..start + entry.length as usize)?).ok()
    }

    /// What the entries' names begin in.
    #[inline]
    fn text(&self) -> &[u8] {
        self.wide.as_ref().map_or(&*self.bytes, |wide| &wide.text)
    }

    /// Where the names end, if they crowd.
    #[inline]
    fn ends(&self) -> Option<&[usize]> {
        self.wide.as_ref().map(|wide| &*wide.ends).filter(|ends| !ends.is_empty())
    }

    #[cold]
    fn find(&self, key: &str) -> Option<&T> {
        self.entries.get(self.search(key)?).map(leads)
    }

    fn search(&self, key: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match order(self.name(middle)?, key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// What the name `key` leads to, to change it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let number = if self.is_crowded() { self.search(key)? } else { self.number_of(key.as_bytes())? };
        self.entries.get_mut(number).map(|entry| &mut entry.leads)
    }

    /// All that the names lead to, to change it.
    pub(crate) fn leads_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.leads)
    }

    /// Whether the names crowd one place, so that they are searched.
    pub(crate) fn is_crowded(&self) -> bool {
        self.ends().is_some()
    }

    /// How many names.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// All names with what they lead to.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, T)> {
        let all = self.entries.iter().enumerate();
        all.filter_map(|(index, entry)| Some((self.name(index)?, entry.leads)))
    }
}

fn leads<T>(entry: &Entry<T>) -> &T {
    &entry.leads
}

/// Whether two texts of one length, whose first and last eight bytes agree, agree between them. By words: to call a
/// comparison of memory takes longer than to compare what few bytes there are.
#[inline(always)]
fn is_same_between(name: &[u8], key: &[u8]) -> bool {
    let inner = |text: &[u8]| -> Option<(u64, u64)> {
        let second = text.get(8..)?.first_chunk::<8>()?;
        let last_but_one = text.get(..text.len().checked_sub(8)?)?.last_chunk::<8>()?;
        Some((u64::from_le_bytes(*second), u64::from_le_bytes(*last_but_one)))
    };
    match (inner(name), inner(key)) {
        (Some(inner), Some(inner_of_key)) => inner == inner_of_key && (key.len() <= 2 * SHORT || name == key),
        (None, _) | (_, None) => false,
    }
}

/// The order in which names are kept, searched and shown.
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    (a.len(), a).cmp(&(b.len(), b))
}

/// Fills each place with the number of its entry; hands on how they are spread, and nothing where they crowd or are none. Tells
/// the entries which of them others have moved on behind.
fn spread_out<T>(entries: &mut [Entry<T>], places: &mut [u16]) -> Option<Spread> {
    if entries.is_empty() || entries.len() > usize::from(FREE_IN_WIDE) {
        return None;
    }
    let count = places.len();
    let tries = if entries.len() <= FEW { SPREADS } else { 1 };
    let mut best: Option<(u64, usize)> = None;
    for attempt in 0..tries {
        let spread = Spread::new(attempt, count);
        let Some(moved) = place(entries, spread, places) else { continue };
        if moved == 0 {
            return Some(spread);
        }
        if best.is_none_or(|(_, least)| moved < least) {
            best = Some((attempt, moved));
        }
    }
    let (attempt, _) = best?;
    let spread = Spread::new(attempt, count);
    if attempt + 1 != tries {
        place(entries, spread, places)?;
    }
    for at in 0..count {
        let Some(entry) = entries.get(usize::from(*places.get(at)?)) else { continue };
        let mut passed = entry.mark().place(spread);
        // At most as many as may be probed.
        while passed != at {
            entries.get_mut(usize::from(*places.get(passed)?))?.start |= MORE;
            passed = (passed + 1) & (count - 1);
        }
    }
    Some(spread)
}

/// Finds each entry's place; hands on how many places they are moved by in all. Nothing where they crowd.
fn place<T>(entries: &[Entry<T>], spread: Spread, places: &mut [u16]) -> Option<usize> {
    places.fill(FREE_IN_WIDE);
    let count = places.len();
    let mut moved = 0;
    // They are no more than can be numbered.
    for (number, entry) in (0..FREE_IN_WIDE).zip(entries) {
        let mut at = entry.mark().place(spread);
        let mut probes = 1;
        while *places.get(at)? != FREE_IN_WIDE {
            at = (at + 1) & (count - 1);
            probes += 1;
            if probes > PROBES {
                return None;
            }
        }
        *places.get_mut(at)? = number;
        moved += probes - 1;
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[String]) -> KeyTable<usize> {
        KeyTable::new(names.iter().enumerate().map(|(index, name)| (name.as_str(), index)).collect())
    }

    fn holds(names: &[String]) -> KeyTable<usize> {
        let table = table(names);
        for (index, name) in names.iter().enumerate() {
            assert_eq!(table.get(name), Some(&index), "{name}");
            for other in [format!("{name}x"), format!("x{name}"), name.replace('a', "b"), name.to_uppercase()]
            {
                let found = names.iter().position(|name| *name == other);
                assert_eq!(table.get(&other), found.as_ref(), "{other}");
            }
        }
        table
    }

    #[test]
    fn every_key_is_found_and_no_other() {
        let lengths: Vec<String> = (0..36).map(|length| "a".repeat(length)).collect();
        let numbered: Vec<String> = (0..2_000).map(|number| format!("key-{number}")).collect();
        let odd: Vec<String> = ["", "\0", "\0\0", "é", "日本語日本語", "01", "1"].map(str::to_owned).to_vec();
        let as_many = |count| (0..count).map(|number| format!("{number}")).collect::<Vec<String>>();
        let (narrow, wide) = (as_many(255), as_many(256));
        for names in [vec![], lengths, numbered, odd, narrow, wide] {
            let table = holds(&names);
            assert!(!table.is_crowded(), "real names do not crowd");
        }
    }

    #[test]
    fn names_that_crowd_one_place_are_searched() {
        // Length, first and last eight bytes agree; only the middle tells them apart.
        let names: Vec<String> = (0..500).map(|number| format!("abcdefgh{number:04}abcdefgh")).collect();
        assert!(holds(&names).is_crowded());
        let few: Vec<String> = names.into_iter().take(PROBES).collect();
        assert!(!holds(&few).is_crowded());
    }
}
