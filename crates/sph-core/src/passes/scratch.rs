//! Memory that a thread keeps from one task to the next, so that tasks without end take none.

use std::cell::Cell;
use std::thread::LocalKey;

/// Runs `work` with what the thread has in `kept`, as the task before left it. A task that runs inside another finds something new.
pub(crate) fn with_kept<T: Default, R>(kept: &'static LocalKey<Cell<T>>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut value = kept.take();
    let result = work(&mut value);
    kept.set(value);
    result
}
