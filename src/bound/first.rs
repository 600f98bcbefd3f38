//! The first few of many, and how many there were.
//!
//! In: an iterator of any length. Out: its first [`LISTED`] elements in sort order and a count. One pass, linear
//! time, and memory for one element more than are listed.

use super::LISTED;

/// The first elements of an iterator in sort order, and the count of all; made by [`first`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First<T> {
    items: Vec<T>,
    count: usize,
}

impl<T> First<T> {
    /// The first elements in sort order, at most [`LISTED`].
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The same, for keeps.
    #[must_use]
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// How many elements there were in all, duplicates counted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many elements were there besides [`items`](First::items).
    #[must_use]
    pub fn more(&self) -> usize {
        self.count.saturating_sub(self.items.len())
    }
}

/// The first [`LISTED`] elements in sort order, and the count of all.
///
/// Equal elements are elements of their own: they are kept in the order they came in, and counted.
///
/// # Cost
///
/// Reads every element once: for n elements O(n) time (at most about [`LISTED`] comparisons and moves each) and
/// space for [`LISTED`] elements. The length is the iterator's own.
///
/// ```
/// use portcullis::bound::first;
/// let names = first((0..1_000).rev());
/// assert_eq!(names.items(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// assert_eq!((names.count(), names.more()), (1_000, 990));
/// ```
pub fn first<T: Ord>(elements: impl IntoIterator<Item = T>) -> First<T> {
    let mut items: Vec<T> = Vec::with_capacity(LISTED + 1);
    let mut count = 0_usize;
    for element in elements {
        count = count.saturating_add(1);
        if items.len() == LISTED && items.last().is_some_and(|last| *last <= element) {
            continue;
        }
        // Not past the end: partition_point answers at most the length.
        let place = items.partition_point(|item| *item <= element);
        items.insert(place, element);
        items.truncate(LISTED);
    }
    First { items, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_than_listed_are_all_kept() {
        assert_eq!(first([3, 1, 2]).into_items(), [1, 2, 3]);
        assert_eq!(first([3, 1, 2]).more(), 0);
        assert_eq!(first(std::iter::empty::<u8>()), First { items: vec![], count: 0 });
        assert_eq!(first(0..LISTED).more(), 0);
        assert_eq!(first(0..=LISTED).more(), 1);
    }

    #[test]
    fn duplicates_are_kept_in_order_and_counted() {
        /// Orders by the number alone, so that equal ones can be told apart.
        #[derive(Clone, Copy, Debug)]
        struct Ranked(u8, usize);
        impl PartialEq for Ranked {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }
        impl Eq for Ranked {}
        impl PartialOrd for Ranked {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for Ranked {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.cmp(&other.0)
            }
        }
        let kept = first((0..100).map(|place| Ranked(u8::from(place % 2 == 0), place)));
        let places: Vec<usize> = kept.items().iter().map(|ranked| ranked.1).collect();
        assert_eq!(places, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
        assert_eq!(kept.count(), 100);
    }
}
