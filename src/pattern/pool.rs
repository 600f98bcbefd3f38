//! Caches that wait for the next match, so that a warm one allocates nothing.
//!
//! In: a cache after its use. Out: one for the next use, new if none waits. At most [`KEPT`] wait.

use std::sync::{Mutex, PoisonError};

/// Caches kept for later matches; what more threads than that leave behind is dropped.
const KEPT: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Pool<C>(Mutex<Vec<C>>);

impl<C: Default> Pool<C> {
    pub(super) fn take(&self) -> C {
        // A cache is whole or not there, so a panic elsewhere leaves the pool in order.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give(&self, cache: C) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < KEPT {
            waiting.push(cache);
        }
    }
}
