//! Check of an error by its summary.

use crate::bad::{GOOD, error};

/// Checks the summary of the good scene with `old` replaced by `new`.
#[track_caller]
pub fn check(old: &str, new: &str, summary: &str) {
    assert!(GOOD.contains(old), "{old}");
    assert_eq!(error(&GOOD.replacen(old, new, 1), &[]).summary(), summary);
}
