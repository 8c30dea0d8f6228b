//! Waiting for space on a full disk.

use sph_core::CancelFlag;
use std::io;
use std::sync::OnceLock;
use std::time::Duration;

/// Time between two attempts.
const RETRY: Duration = Duration::from_millis(500);

/// Behaviour while the disk is full; unset if writes fail at once. The disk is one for all files of the process.
static WAITING: OnceLock<Waiting> = OnceLock::new();

#[derive(Debug)]
struct Waiting {
    cancel: CancelFlag,
    tell: fn(),
}

/// Lets all files of this process wait for space on a full disk from now on, until `cancel` is raised. `tell` is called when a wait
/// begins.
pub fn wait_for_space(cancel: CancelFlag, tell: fn()) {
    let _ = WAITING.set(Waiting { cancel, tell });
}

/// Repeats `write` while the disk is full, if that is wanted.
pub(crate) fn write_with_space<T>(write: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    retry(WAITING.get(), write)
}

fn retry<T>(waiting: Option<&Waiting>, mut write: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut result = write();
    let Some(Waiting { cancel, tell }) = waiting else { return result };
    let mut told = false;
    while result.as_ref().is_err_and(is_full) && !cancel.is_raised() {
        if !told {
            tell();
            told = true;
        }
        std::thread::sleep(RETRY);
        result = write();
    }
    result
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_waited_for_until_cancelled() {
        let waiting = Waiting { cancel: CancelFlag::default(), tell: || () };
        let mut attempts = 0;
        let mut full_twice = || {
            attempts += 1;
            if attempts < 3 { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(attempts) }
        };
        assert!(retry(None, &mut full_twice).is_err());
        assert_eq!(retry(Some(&waiting), &mut full_twice).unwrap(), 3);
        waiting.cancel.raise();
        let full = || Err::<(), _>(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(retry(Some(&waiting), full).unwrap_err().kind(), io::ErrorKind::StorageFull);
        let broken = || Err::<(), _>(io::Error::from(io::ErrorKind::PermissionDenied));
        assert!(retry(Some(&waiting), broken).is_err());
    }
}
