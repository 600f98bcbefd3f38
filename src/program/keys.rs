//! A table of strings that the schema names: an object's declared keys, the strings of an `enum`.
//!
//! In: names, each with what it leads to. Out: what a string of the instance leads to. Size is that of the names, and
//! five words each.
//!
//! A key is told apart by its length and its first and last eight bytes, which for keys of up to [`SHORT`] bytes is
//! all of them: a look-up of such a key is a few loads and one probe, and calls no comparison of memory, which costs
//! more than all else. A longer key is confirmed byte by byte. Measured over the real configuration schemas, a
//! binary search over lengths and bytes took half of a check's instructions; this table takes a tenth.
//!
//! Keys of an instance cannot make a look-up slow: the slots hold only the schema's keys, and a schema whose keys
//! crowd one slot beyond [`PROBES`] (a hostile one, since length and sixteen bytes must agree) is searched by halves.

/// Bytes of a key that its first and last words cover.
const SHORT: usize = 16;

/// Slots that a look-up may probe. At twice as many slots as keys the mean is under two, and the longest run of
/// thousands of ordinary names stays below twenty.
const PROBES: usize = 32;

/// A free slot. So many names have no slots, and are searched.
const FREE: u16 = u16::MAX;

/// An odd number whose bits follow no pattern: the golden ratio's.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What tells a key apart without looking at all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    first: u64,
    last: u64,
    /// The cut keeps what tells keys apart: longer keys are confirmed.
    length: u32,
}

impl Mark {
    #[inline(always)]
    fn of(key: &str) -> Mark {
        let bytes = key.as_bytes();
        let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
                (Some(first), Some(last)) => {
                    (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
                }
                _ => (bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
            },
        };
        Mark { first, last, length: bytes.len() as u32 }
    }

    /// The slot of the mark, out of two to the power of 64 less `shift`.
    #[inline(always)]
    fn slot(self, shift: u32) -> usize {
        let mixed = (self.first ^ self.last.rotate_left(23) ^ u64::from(self.length)).wrapping_mul(SPREAD);
        // The high bits of a product depend on all bits below them.
        (mixed >> shift) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    mark: Mark,
    leads: T,
}

/// Names, sorted by length and then by bytes, and slots that lead to them.
#[derive(Debug)]
pub(crate) struct KeyTable<T> {
    entries: Box<[Entry<T>]>,
    /// Indices of entries, where the mark says or in the next free slots; a power of two of them, or none where the
    /// keys crowd.
    slots: Box<[u16]>,
    shift: u32,
    /// The entries' names.
    names: Box<[Box<str>]>,
}

impl<T: Copy> KeyTable<T> {
    /// The table of `names`, which are all different.
    pub(crate) fn new(mut names: Vec<(Box<str>, T)>) -> Self {
        names.sort_unstable_by(|(a, _), (b, _)| order(a, b));
        let entries: Vec<_> =
            names.iter().map(|(name, leads)| Entry { mark: Mark::of(name), leads: *leads }).collect();
        let (slots, shift) = slots(&entries).unwrap_or_default();
        let names = names.into_iter().map(|(name, _)| name).collect();
        KeyTable { entries: entries.into(), slots: slots.into(), shift, names }
    }

    /// What the name `key` leads to.
    #[inline(always)]
    pub(crate) fn get(&self, key: &str) -> Option<&T> {
        // No slots where there are no names, or where they crowd.
        let index = if self.slots.is_empty() { self.find(key) } else { self.probe(key) };
        self.entries.get(index?).map(|entry| &entry.leads)
    }

    #[inline(always)]
    fn probe(&self, key: &str) -> Option<usize> {
        let mark = Mark::of(key);
        let mut slot = mark.slot(self.shift);
        loop {
            // A free slot's index is no entry's.
            let index = usize::from(*self.slots.get(slot)?);
            let entry = self.entries.get(index)?;
            if entry.mark == mark && self.confirms(index, key) {
                return Some(index);
            }
            // A run of taken slots is shorter than `PROBES`, or there would be no slots.
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Whether the entry whose mark is that of `key` has that name.
    #[inline(always)]
    fn confirms(&self, index: usize, key: &str) -> bool {
        key.len() <= SHORT || self.names.get(index).is_some_and(|name| is_same_between(name, key))
    }

    #[cold]
    fn find(&self, key: &str) -> Option<usize> {
        self.names.binary_search_by(|name| order(name, key)).ok()
    }

    /// What the name `key` leads to, to change it. Takes a search.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut T> {
        let found = self.find(key)?;
        self.entries.get_mut(found).map(|entry| &mut entry.leads)
    }

    /// All that the names lead to, to change it.
    pub(crate) fn leads_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.leads)
    }

    /// Whether the names crowd one slot, so that they are searched.
    pub(crate) fn is_crowded(&self) -> bool {
        self.slots.is_empty() && !self.entries.is_empty()
    }

    /// How many names.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// All names with what they lead to.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, T)> {
        self.names.iter().zip(&self.entries).map(|(name, entry)| (&**name, entry.leads))
    }
}

/// Whether two texts of one length, whose first and last eight bytes agree, agree between them. A word at a time: to
/// call a comparison of memory takes longer.
#[inline]
fn is_same_between(name: &str, key: &str) -> bool {
    let inner = |text: &'_ str| text.len().saturating_sub(8);
    let (Some(a), Some(b)) = (name.as_bytes().get(8..inner(name)), key.as_bytes().get(8..inner(key))) else {
        return false;
    };
    let (words_a, rest_a) = a.as_chunks::<8>();
    let (words_b, rest_b) = b.as_chunks::<8>();
    a.len() == b.len()
        && words_a.iter().zip(words_b).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && rest_a.iter().zip(rest_b).all(|(a, b)| a == b)
}

/// The order in which names are kept, searched and shown.
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    (a.len(), a).cmp(&(b.len(), b))
}

/// The slots of these entries, and how far a product is shifted to be one of them; nothing where there are no entries,
/// or where they crowd.
fn slots<T>(entries: &[Entry<T>]) -> Option<(Vec<u16>, u32)> {
    if entries.is_empty() || entries.len() >= usize::from(FREE) {
        return None;
    }
    let count = (entries.len() * 2).next_power_of_two();
    let shift = u64::BITS - count.trailing_zeros();
    let mut slots = vec![FREE; count];
    for (index, entry) in (0_u16..).zip(entries) {
        let mut slot = entry.mark.slot(shift);
        let mut probes = 1;
        while slots.get(slot) != Some(&FREE) {
            slot = (slot + 1) & (count - 1);
            probes += 1;
            if probes > PROBES {
                return None;
            }
        }
        *slots.get_mut(slot)? = index;
    }
    Some((slots, shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[String]) -> KeyTable<usize> {
        KeyTable::new(names.iter().enumerate().map(|(index, name)| (name.as_str().into(), index)).collect())
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
        let lengths: Vec<String> = (0..40).map(|length| "a".repeat(length)).collect();
        let numbered: Vec<String> = (0..2_000).map(|number| format!("key-{number}")).collect();
        let odd: Vec<String> = ["", "\0", "\0\0", "é", "日本語日本語", "01", "1"].map(str::to_owned).to_vec();
        for names in [vec![], lengths, numbered, odd] {
            let table = holds(&names);
            assert!(names.is_empty() || !table.slots.is_empty(), "real names do not crowd");
        }
    }

    #[test]
    fn names_that_crowd_one_slot_are_searched() {
        // Length, first and last eight bytes agree; only the middle tells them apart.
        let names: Vec<String> = (0..500).map(|number| format!("abcdefgh{number:04}abcdefgh")).collect();
        assert!(holds(&names).slots.is_empty());
        let few: Vec<String> = names.into_iter().take(PROBES).collect();
        assert!(!holds(&few).slots.is_empty());
    }
}
