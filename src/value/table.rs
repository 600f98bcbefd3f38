//! A hash table that forgets in the reverse order of what it was told.
//!
//! In: keys with values. Out: the value of a key, until it is forgotten. Open addressed with linear probing: since
//! only the newest entry is ever taken out, no other entry's search can have gone past it, and a slot is simply
//! empty again. So the table never fills with what it has forgotten, a warm one does not grow, and to forget takes
//! time in proportion to the entries and not to the room. Keyed, so that nobody can prepare keys that collide.
//!
//! Size: for each entry a slot, at most three quarters of them full, and a word; half as much again while it grows.

use std::hash::Hash;

use super::mixing::Mixing;

/// Slots of a table that holds anything.
const FEWEST_SLOTS: usize = 16;

/// The table.
#[derive(Debug)]
pub(crate) struct Table<K, V> {
    keys: Mixing,
    /// A power of two of them, or none.
    slots: Vec<Option<(K, V)>>,
    /// The slots that are full, in the order in which they were filled.
    order: Vec<usize>,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table { keys: Mixing::default(), slots: Vec::new(), order: Vec::new() }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Table<K, V> {
    /// How many entries.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The value of `key`.
    pub(crate) fn get(&self, key: K) -> Option<V> {
        if self.order.is_empty() {
            return None;
        }
        self.slots.get(self.slot(key)).copied().flatten().map(|(_, value)| value)
    }

    /// Adds an entry; the value of a key that is there is replaced, and its place in the order kept.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.slots.len() * 3 / 4 <= self.order.len() {
            self.grow();
        }
        let slot = self.slot(key);
        let Some(place) = self.slots.get_mut(slot) else { return };
        if place.is_none() {
            // Told first: after a panic in between, forgetting an empty slot does no harm.
            self.order.push(slot);
        }
        *place = Some((key, value));
    }

    /// Forgets the newest entries until `len` are left, and tells each value.
    #[inline]
    pub(crate) fn forget(&mut self, len: usize, mut forgotten: impl FnMut(V)) {
        while self.order.len() > len {
            let Some(slot) = self.order.pop() else { return };
            if let Some((_, value)) = self.slots.get_mut(slot).and_then(Option::take) {
                forgotten(value);
            }
        }
    }

    /// Bytes that are kept.
    pub(crate) fn memory_usage(&self) -> usize {
        self.slots.capacity() * size_of::<Option<(K, V)>>() + self.order.capacity() * size_of::<usize>()
    }

    /// Where `key` is, or the empty slot where it would be. There is one, since the table is never full.
    fn slot(&self, key: K) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        // The cut keeps the low bits, all that the mask looks at.
        let mut slot = self.keys.hash(key) as usize & mask;
        while let Some(Some((other, _))) = self.slots.get(slot)
            && *other != key
        {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Doubles the room. Entries move in their order, so that the newest is again behind all others.
    fn grow(&mut self) {
        let room = (self.slots.len() * 2).max(FEWEST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![None; room]);
        let mut order = std::mem::take(&mut self.order);
        for place in &mut order {
            let Some(Some((key, value))) = old.get(*place).copied() else { continue };
            *place = self.slot(key);
            if let Some(slot) = self.slots.get_mut(*place) {
                *slot = Some((key, value));
            }
        }
        self.order = order;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_knows_what_a_list_knows(steps in prop::collection::vec((any::<bool>(), 0_u16..300, 0_usize..40), 0..400)) {
            let mut table = Table::default();
            let mut list: Vec<(u16, usize)> = Vec::new();
            for (number, (adds, key, len)) in steps.into_iter().enumerate() {
                if adds {
                    table.insert(key, number);
                    match list.iter_mut().find(|(other, _)| *other == key) {
                        Some((_, value)) => *value = number,
                        None => list.push((key, number)),
                    }
                } else {
                    let len = list.len().saturating_sub(len);
                    let mut forgotten = Vec::new();
                    table.forget(len, |value| forgotten.push(value));
                    let expected: Vec<usize> = list.drain(len..).rev().map(|(_, value)| value).collect();
                    prop_assert_eq!(forgotten, expected);
                }
                prop_assert_eq!(table.len(), list.len());
                for key in 0..300 {
                    let expected = list.iter().find(|(other, _)| *other == key).map(|(_, value)| *value);
                    prop_assert_eq!(table.get(key), expected);
                }
            }
        }
    }

    #[test]
    fn a_warm_table_keeps_its_memory_however_often_it_is_filled() {
        let mut table = Table::default();
        let mut slots = None;
        for round in 0..100 {
            for key in 0..1_000 {
                table.insert((round, key), key);
            }
            let address = table.slots.as_ptr();
            assert_eq!(*slots.get_or_insert(address), address);
            table.forget(0, |_| ());
        }
    }
}
