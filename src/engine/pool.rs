//! The scratch of calls that bring none: one a thread.
//!
//! In: what wants a scratch. Out: its answer. The scratch is taken out while it is used, so that a caller's own format or
//! keyword may call a validator in turn (which then gets a new one), and one that a panic takes away is not put back. No
//! lock is taken and nothing is counted: a check of a small value takes less time than a lock.
//!
//! Size: a scratch a thread that has checked anything, for all validators together, of at most [`KEPT_BYTES`], its
//! automata included.

use std::cell::Cell;

use super::scratch::Scratch;

/// Bytes that a thread's scratch may hold on to; one that has grown larger is dropped, so that a few large values do
/// not occupy memory for ever. Enough for a hundred thousand items that have to be unique.
const KEPT_BYTES: usize = 4 << 20;

thread_local! {
    static KEPT: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Runs `check` with the thread's scratch. A thread that is ending has none any more, and gets a new one.
pub(crate) fn with_scratch<T>(check: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = take();
    let answer = check(&mut scratch);
    if scratch.memory_usage() <= KEPT_BYTES {
        put_back(scratch);
    }
    answer
}

/// [`with_scratch`] for a check that uses no more than the counters, after which nothing can have grown.
#[inline]
pub(crate) fn with_counters<T>(check: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = take();
    let answer = check(&mut scratch);
    put_back(scratch);
    answer
}

#[inline]
fn take() -> Box<Scratch> {
    KEPT.try_with(Cell::take).ok().flatten().unwrap_or_default()
}

#[inline]
fn put_back(scratch: Box<Scratch>) {
    // A thread that is ending drops it instead. The place is empty, but for checks within this one.
    let _ = KEPT.try_with(|kept| kept.set(Some(scratch)));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Validator;

    fn keeps() -> bool {
        let kept = KEPT.take();
        let keeps = kept.is_some();
        KEPT.set(kept);
        keeps
    }

    #[test]
    fn a_thread_keeps_a_scratch_unless_it_has_grown_large() {
        let validator = Validator::new(&json!({"uniqueItems": true})).unwrap();
        assert!(validator.is_valid(&(0..10_000).collect()));
        assert!(keeps());
        assert!(validator.is_valid(&(0..1_000_000).collect()));
        assert!(!keeps());
    }

    #[test]
    fn a_check_within_a_check_has_a_scratch_of_its_own() {
        let inner = Validator::new(&json!({"uniqueItems": true})).unwrap();
        let accepts =
            move |text: &str| inner.is_valid(&json!(text.chars().map(String::from).collect::<Vec<_>>()));
        let outer = json!({"uniqueItems": true, "items": {"format": "no-letter-twice"}});
        let outer = Validator::options().format("no-letter-twice", accepts).build(&outer).unwrap();
        assert!(outer.is_valid(&json!(["abcdefghij", "klmnopqrst"])));
        assert!(!outer.is_valid(&json!(["abcdefghij", "abcdefghia"])));
        assert!(!outer.is_valid(&json!(["abc", "abc"])));
        assert!(keeps());
    }
}
