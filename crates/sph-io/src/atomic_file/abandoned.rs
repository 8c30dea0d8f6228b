//! Partial files that killed programs have left behind.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Suffix of partial files.
pub(crate) const SUFFIX: &str = ".partial";

/// Random letters and digits in the name of a partial file.
pub(crate) const RANDOM: usize = 6;

/// Age from which an unlocked partial file is abandoned: a younger one may be about to be locked.
const ABANDONED: Duration = Duration::from_secs(2);

/// Removes the partial files `.NAME.RANDOM.partial` in `folder` that nobody writes any more, if `is_ours(NAME)`. What cannot be
/// removed stays.
pub(crate) fn remove_abandoned(folder: &Path, is_ours: impl Fn(&OsStr) -> bool) {
    for entry in partial_files(folder, is_ours).filter(is_old) {
        if is_unlocked(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The partial files of the output at `path` that nobody writes any more, opened for reading.
pub(crate) fn abandoned_files(path: &Path) -> Vec<File> {
    let is_ours = |name: &OsStr| path.file_name() == Some(name);
    let files = partial_files(folder_of(path), is_ours).filter(is_unlocked);
    files.filter_map(|entry| File::open(entry.path()).ok()).collect()
}

/// The partial files `.NAME.RANDOM.partial` in `folder` if `is_ours(NAME)`.
fn partial_files(folder: &Path, is_ours: impl Fn(&OsStr) -> bool) -> impl Iterator<Item = DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten().filter(move |entry| {
        let is_meant = entry.file_name().to_str().and_then(final_name).is_some_and(|name| is_ours(OsStr::new(name)));
        is_meant && entry.metadata().is_ok_and(|metadata| metadata.is_file())
    })
}

/// The final name of a partial file.
fn final_name(partial: &str) -> Option<&str> {
    let (name, random) = partial.strip_prefix('.')?.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    (random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(name)
}

/// True if the file is old enough to have been locked.
fn is_old(entry: &DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok();
    let age = modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
    age.is_some_and(|age| age >= ABANDONED)
}

/// True if no program holds the lock of the file.
fn is_unlocked(entry: &DirEntry) -> bool {
    File::options().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomicFile;
    use sph_core::CancelFlag;

    #[test]
    fn abandoned_files_of_the_same_name_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let made = |name: &str, age: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            file
        };
        for (name, age) in [(".a.csv.Ab1Cd2.partial", 60), (".a.csv.Ab1Cd3.partial", 0), (".b.csv.Ab1Cd2.partial", 60)] {
            made(name, age);
        }
        made(".a.csv.mine.partial", 60);
        let locked = made(".a.csv.Locked.partial", 60);
        locked.try_lock().unwrap();
        drop(AtomicFile::create_output(&path, &CancelFlag::default()).unwrap());
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".a.csv.Ab1Cd3.partial", ".a.csv.Locked.partial", ".a.csv.mine.partial", ".b.csv.Ab1Cd2.partial"]);
    }

    #[test]
    fn a_file_that_is_written_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let file = AtomicFile::create(&path).unwrap();
        let partial = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        File::open(partial.path()).unwrap().set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        remove_abandoned(folder.path(), |_| true);
        file.finish().unwrap();
        assert!(path.exists());
    }
}
