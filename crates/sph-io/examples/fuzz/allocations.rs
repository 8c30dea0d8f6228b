//! An allocator that counts the bytes that are held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// System allocator that counts bytes.
pub struct Counting;

/// Bytes held at present.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Most bytes held since [`restart`].
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Begins a measurement of the most bytes held.
pub fn restart() {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
}

/// Bytes held at present.
pub fn live() -> usize {
    LIVE.load(Relaxed)
}

/// Most bytes held since [`restart`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

fn add(bytes: usize) {
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call is forwarded unchanged to the system allocator; counting touches atomics only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of the same method.
        unsafe { System.dealloc(pointer, layout) }
    }
}
