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

/// A free slot.
const FREE: u32 = u32::MAX;

/// What tells a key apart without looking at all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    length: usize,
    first: u64,
    last: u64,
}

impl Mark {
    #[inline]
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
        Mark { length: bytes.len(), first, last }
    }

    #[inline]
    fn slot(self, mask: usize) -> usize {
        // One product of twice the width, folded: every bit of both words reaches the low bits, where neighbouring
        // names must differ.
        let product = u128::from(self.first ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(self.last ^ 0xc2b2_ae3d_27d4_eb4f ^ self.length as u64);
        // The cuts keep the two halves, and of their fold the low bits, all that the mask looks at.
        (product as u64 ^ (product >> 64) as u64) as usize & mask
    }
}

#[derive(Debug)]
struct Entry<T> {
    mark: Mark,
    leads: T,
    name: Box<str>,
}

/// Names, sorted by length and then by bytes, and slots that lead to them.
#[derive(Debug)]
pub(crate) struct KeyTable<T> {
    entries: Box<[Entry<T>]>,
    /// Indices of entries, where the mark says or in the next free slots; a power of two of them, or none where the
    /// keys crowd.
    slots: Box<[u32]>,
}

impl<T: Copy> KeyTable<T> {
    /// The table of `names`, which are all different.
    pub(crate) fn new(names: Vec<(Box<str>, T)>) -> Self {
        let mut entries: Vec<_> =
            names.into_iter().map(|(name, leads)| Entry { mark: Mark::of(&name), leads, name }).collect();
        entries.sort_by(|a, b| order(&a.name, &b.name));
        let slots = slots(&entries).unwrap_or_default();
        KeyTable { entries: entries.into(), slots: slots.into() }
    }

    /// What the name `key` leads to.
    #[inline]
    pub(crate) fn get(&self, key: &str) -> Option<T> {
        let mark = Mark::of(key);
        if self.slots.is_empty() {
            return self.search(key);
        }
        let mask = self.slots.len() - 1;
        let mut slot = mark.slot(mask);
        // A run of taken slots is shorter than `PROBES`, or there would be no slots.
        while let Some(entry) = self.slots.get(slot).and_then(|index| self.entries.get(*index as usize)) {
            if entry.mark == mark && (mark.length <= SHORT || *entry.name == *key) {
                return Some(entry.leads);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    #[cold]
    fn search(&self, key: &str) -> Option<T> {
        let found = self.entries.binary_search_by(|entry| order(&entry.name, key)).ok()?;
        self.entries.get(found).map(|entry| entry.leads)
    }

    /// How many names.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// All names with what they lead to.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, T)> {
        self.entries.iter().map(|entry| (&*entry.name, entry.leads))
    }
}

/// The order in which names are kept, searched and shown.
fn order(a: &str, b: &str) -> std::cmp::Ordering {
    (a.len(), a).cmp(&(b.len(), b))
}

/// The slots of these entries; nothing where there are no entries, or where they crowd.
fn slots<T>(entries: &[Entry<T>]) -> Option<Vec<u32>> {
    if entries.is_empty() {
        return None;
    }
    let count = (entries.len() * 2).next_power_of_two();
    let mut slots = vec![FREE; count];
    for (index, entry) in (0_u32..).zip(entries) {
        let mut slot = entry.mark.slot(count - 1);
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
    Some(slots)
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
            assert_eq!(table.get(name), Some(index), "{name}");
            for other in [format!("{name}x"), format!("x{name}"), name.replace('a', "b"), name.to_uppercase()]
            {
                let found = names.iter().position(|name| *name == other);
                assert_eq!(table.get(&other), found, "{other}");
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
