//! Counts what this folder reads, so that tests can hold it to its bound by count and not by clock.
//!
//! In: bytes, characters, nodes and writes as they are looked at. Out: their sum, to tests alone; in any other
//! build nothing is counted and nothing is compiled.

/// Notes that `units` bytes, characters, nodes or writes were looked at.
#[inline]
pub(super) fn count(units: usize) {
    #[cfg(test)]
    counter::COUNTED.with(|counted| counted.set(counted.get() + units));
    #[cfg(not(test))]
    let _ = units;
}

#[cfg(test)]
pub(super) use counter::of;

#[cfg(test)]
mod counter {
    use std::cell::Cell;

    thread_local! {
        /// What this thread looked at so far.
        pub(super) static COUNTED: Cell<usize> = const { Cell::new(0) };
    }

    /// What `task` looks at.
    pub(in crate::bound) fn of<T>(task: impl FnOnce() -> T) -> usize {
        let before = COUNTED.with(Cell::get);
        let _ = task();
        COUNTED.with(Cell::get) - before
    }
}
