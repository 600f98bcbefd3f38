//! Lists that are mostly empty or rare, behind one word.
//!
//! In: what a list holds. Out: the same as a slice. None of it takes memory where the list is empty; else two words more than
//! the elements.

use std::ops::{Deref, DerefMut};

/// A slice behind a pointer of one word.
#[derive(Debug)]
pub(crate) struct Thin<T>(Option<Box<Box<[T]>>>);

impl<T> Default for Thin<T> {
    fn default() -> Self {
        Thin(None)
    }
}

impl<T> From<Vec<T>> for Thin<T> {
    fn from(list: Vec<T>) -> Self {
        Thin(if list.is_empty() { None } else { Some(Box::new(list.into())) })
    }
}

impl<T> FromIterator<T> for Thin<T> {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        Vec::from_iter(list).into()
    }
}

impl<T> Deref for Thin<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |list| list)
    }
}

impl<T> DerefMut for Thin<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_mut().map_or(&mut [], |list| list)
    }
}

impl<'l, T> IntoIterator for &'l Thin<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
