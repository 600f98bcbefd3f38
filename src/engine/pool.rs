//! The scratch of calls that bring none: one a thread.
//!
//! In: what wants a scratch. Out: its answer. The scratch is taken out while it is used, or held where only its counters
//! are, so that a caller's own format or keyword may call a validator in turn (which then gets a new one), and one that
//! a panic takes away is not put back. No lock is taken: a check of a small value takes less time than a lock.
//!
//! Size: a scratch a thread that has checked anything, for all validators together, of at most [`KEPT_BYTES`], its
//! automata included.

use std::cell::RefCell;

use super::scratch::Scratch;

/// Bytes that a thread's scratch may hold on to; one that has grown larger is dropped, so that a few large values do
/// not occupy memory for ever. Enough for a hundred thousand items that have to be unique.
const KEPT_BYTES: usize = 4 << 20;

thread_local! {
    static KEPT: RefCell<Option<Box<Scratch>>> = const { RefCell::new(None) };
}

/// Runs `check` with the thread's scratch. A thread that is ending has none any more, and gets a new one.
pub(crate) fn with_scratch<T>(check: impl FnOnce(&mut Scratch) -> T) -> T {
    let kept = KEPT.try_with(|kept| kept.try_borrow_mut().ok()?.take());
    let mut scratch = kept.ok().flatten().unwrap_or_default();
    let answer = check(&mut scratch);
    if scratch.memory_usage() <= KEPT_BYTES {
        // A thread that is ending drops it instead.
        let _ = KEPT.try_with(|kept| kept.try_borrow_mut().map(|mut kept| *kept = Some(scratch)));
    }
    answer
}

/// [`with_scratch`] for a check that uses no more than the counters, after which nothing can have grown: the scratch
/// stays where it is, which takes less time than to move it out and back. Nothing where it is not there: at the thread's
/// first check, within another one, and while the thread ends.
#[inline(always)]
pub(crate) fn with_counters<T>(check: impl FnOnce(&mut Scratch) -> T) -> Option<T> {
    KEPT.try_with(|kept| Some(check(kept.try_borrow_mut().ok()?.as_deref_mut()?))).ok().flatten()
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
    fn a_check_that_only_counts_leaves_the_scratch_in_its_place() {
        let inner = Validator::new(&json!({"type": "string"})).unwrap();
        let accepts = move |text: &str| inner.is_valid(&json!(text)) && !inner.is_valid(&json!(1));
        let outer = Validator::options().format("text", accepts).build(&json!({"format": "text"})).unwrap();
        assert!(!outer.program().uses_memory());
        for _ in 0..2 {
            assert!(outer.is_valid(&json!("a")));
            assert!(keeps());
        }
        let panics = |_: &str| -> bool { panic!("a fault of the caller's") };
        let faulty = Validator::options().format("text", panics).build(&json!({"format": "text"})).unwrap();
        let check = std::panic::AssertUnwindSafe(|| faulty.is_valid(&json!("a")));
        assert!(std::panic::catch_unwind(check).is_err());
        assert!(outer.is_valid(&json!("a")));
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
