//! Thread-local workspace, reused from task to task so that tasks do not allocate.

use std::cell::Cell;
use std::thread::LocalKey;

/// Runs `work` with the thread's workspace `kept`, in the state that the last task left it in. A nested task gets a new
/// workspace.
pub(crate) fn with_kept<T: Default, R>(kept: &'static LocalKey<Cell<T>>, work: impl FnOnce(&mut T) -> R) -> R {
    let mut value = kept.take();
    let result = work(&mut value);
    kept.set(value);
    result
}
