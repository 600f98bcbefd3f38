//! What a child allocates, counted, and where that ends.
//!
//! In: every allocation of the process. Out: how many there were since [`start`], and the most bytes that lived at
//! once besides what lived before. An allocation that would bring the process past [`LIMIT`] fails, which ends it:
//! a row of the table is lost, and not the machine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may live at once: more than a server can give to a call.
pub(crate) const LIMIT: usize = 2 << 30;

pub(crate) struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static BEFORE: AtomicUsize = AtomicUsize::new(0);

/// Begins to count.
#[allow(dead_code, reason = "each of the binaries that share this file counts something else")]
pub(crate) fn start() {
    let live = LIVE.load(Ordering::Relaxed);
    BEFORE.store(live, Ordering::Relaxed);
    PEAK.store(live, Ordering::Relaxed);
    COUNT.store(0, Ordering::Relaxed);
}

/// Allocations since [`start`], and the most bytes that lived at once since then.
#[allow(dead_code, reason = "each of the binaries that share this file counts something else")]
pub(crate) fn counted() -> (usize, usize) {
    let peak = PEAK.load(Ordering::Relaxed).saturating_sub(BEFORE.load(Ordering::Relaxed));
    (COUNT.load(Ordering::Relaxed), peak)
}

/// Bytes that live now.
#[allow(dead_code, reason = "each of the binaries that share this file counts something else")]
pub(crate) fn live() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Whether so many bytes more may live.
fn admit(bytes: usize) -> bool {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if live > LIMIT {
        LIVE.fetch_sub(bytes, Ordering::Relaxed);
        return false;
    }
    COUNT.fetch_add(1, Ordering::Relaxed);
    PEAK.fetch_max(live, Ordering::Relaxed);
    true
}

// SAFETY: `System` does the work, under the contract that each caller keeps; null says that there is no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !admit(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !admit(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is that of `System`, which made the block.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !admit(size) {
            return std::ptr::null_mut();
        }
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is that of `System`, which made the block.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
