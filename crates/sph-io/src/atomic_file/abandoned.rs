//! Partial files that killed programs have left behind.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Suffix of partial files.
pub(crate) const SUFFIX: &str = ".partial";

/// Random letters and digits in the name of a partial file.
pub(crate) const RANDOM: usize = 6;

/// Age from which an unlocked partial file is abandoned: a younger one may be about to be locked.
const ABANDONED: Duration = Duration::from_secs(2);

/// Removes the partial files `.NAME.RANDOM.partial` in `folder` that nobody writes any more, if `is_ours(NAME)`. What cannot be
/// removed stays.
pub(crate) fn remove_abandoned(folder: &Path, is_ours: impl Fn(&OsStr) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_meant = name.to_str().and_then(final_name).is_some_and(|name| is_ours(OsStr::new(name)));
        if is_meant && is_abandoned(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The final name of a partial file.
fn final_name(partial: &str) -> Option<&str> {
    let (name, random) = partial.strip_prefix('.')?.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    (random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(name)
}

/// True if the file is old enough, and no program holds its lock.
fn is_abandoned(entry: &DirEntry) -> bool {
    let Ok(metadata) = entry.metadata() else { return false };
    let age = metadata.modified().ok().and_then(|modified| SystemTime::now().duration_since(modified).ok());
    metadata.is_file()
        && age.is_some_and(|age| age >= ABANDONED)
        && File::options().write(true).open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
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
