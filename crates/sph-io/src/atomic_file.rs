//! Atomic files: complete or absent. Writing waits for space on a full disk, and partial files of killed programs are removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::make_folder;
use crate::pipe::Pipe;
use sph_core::CancelFlag;
use tempfile::NamedTempFile;

/// A file that appears under its name only once it is complete.
///
/// It is written beside its final name, as `.NAME.….partial`, and [`finish`](Self::finish) flushes it to the disk and renames it.
/// Dropped before that, it is removed, and an older file of the same name stays as it was; a killed program leaves the `.partial`
/// behind and nothing else, which the next [`create_output`](Self::create_output) of the same name removes. A device or a pipe
/// (`/dev/stdout`) is written to directly.
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result.txt");
/// let mut file = sph_io::AtomicFile::create(&path)?;
/// writeln!(file, "42")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "42\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    writer: BufWriter<Target>,
    /// The final name.
    path: PathBuf,
}

#[derive(Debug)]
enum Target {
    /// Temporary file beside the final name.
    Partial(NamedTempFile),
    /// A device or a pipe.
    Direct(Pipe),
}

impl AtomicFile {
    /// Starts an output that will be called `path`: creates its folder if missing, and removes what killed programs have left of
    /// files of that name. `cancel` ends the wait for the reader of a pipe.
    ///
    /// # Errors
    /// Those of [`AtomicFile::create`], or the folder cannot be created.
    pub fn create_output(path: &Path, cancel: &CancelFlag) -> io::Result<Self> {
        Self::create_output_after(path, cancel, |_| Ok(()))
    }

    /// Starts an output as [`AtomicFile::create_output`]. Before it removes what killed programs have left, `first` writes what is taken over from
    /// there, so that no kill in between loses it.
    ///
    /// # Errors
    /// Those of [`AtomicFile::create_output`] and of `first`.
    pub(crate) fn create_output_after(
        path: &Path,
        cancel: &CancelFlag,
        first: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<Self> {
        path.parent().map_or(Ok(()), make_folder)?;
        let mut file = Self::open(path, cancel)?;
        first(&mut file)?;
        if let Some(name) = path.file_name() {
            remove_abandoned(folder_of(path), |file| name == file);
        }
        Ok(file)
    }

    /// Starts a file that will be called `path`. Links are followed, so that a link stays a link.
    ///
    /// # Errors
    /// The folder is missing or not writable, or `path` is a folder.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::open(path, &CancelFlag::default())
    }

    fn open(path: &Path, cancel: &CancelFlag) -> io::Result<Self> {
        let existing = fs::metadata(path).ok();
        let (target, path) = match &existing {
            Some(metadata) if metadata.is_dir() => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Some(metadata) if !metadata.is_file() => {
                let opened = path.to_owned();
                (Target::Direct(Pipe::open(move || File::options().write(true).open(opened), cancel)?), path.to_owned())
            }
            Some(metadata) => {
                let path = fs::canonicalize(path)?;
                // The new file has the permissions of the old one.
                let partial = partial(&path)?;
                partial.as_file().set_permissions(metadata.permissions())?;
                (Target::Partial(partial), path)
            }
            None => (Target::Partial(partial(path)?), path.to_owned()),
        };
        Ok(Self { writer: BufWriter::new(target), path })
    }

    /// Leaves the incomplete file where it is if an error ends it, as a killed program does, for a run that is resumed.
    pub(crate) fn keep_incomplete(&mut self) {
        if let Target::Partial(partial) = self.writer.get_mut() {
            partial.disable_cleanup(true);
        }
    }

    /// Completes the file: writes everything to the disk, then gives the file its name.
    ///
    /// # Errors
    /// The disk is full or fails; the partial file is then removed, and the name is untouched.
    pub fn finish(self) -> io::Result<()> {
        let target = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        match target {
            Target::Partial(partial) => {
                partial.as_file().sync_all()?;
                partial.persist(&self.path).map_err(|error| error.error)?;
                sync_folder(&self.path);
                Ok(())
            }
            Target::Direct(pipe) => pipe.finish(),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Partial(file) => write_with_space(|| file.write(bytes)),
            Self::Direct(pipe) => pipe.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Partial(file) => file.flush(),
            Self::Direct(pipe) => pipe.flush(),
        }
    }
}

/// Writes a whole file with `write`, atomically: see [`AtomicFile`].
///
/// # Errors
/// The error of `write`, or a failure to complete the file. An older file of the same name is then still there.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    write(&mut file)?;
    file.finish()
}

/// Empty temporary file in the folder of `path`: a rename is atomic within one file system only.
fn partial(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it does not name a file"))?;
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    // An ordinary file, which others may read; and errors without the name of the temporary file.
    let open = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    let partial = builder.make_in(folder_of(path), open)?;
    // Locked as long as it is written: so others know that it is not abandoned. Some file systems have no locks, and none of
    // their partial files are ever removed.
    let _ = partial.as_file().try_lock();
    Ok(partial)
}

/// Flushes the folder, so that the rename survives a power failure where the system can do so. The file is complete either way.
fn sync_folder(path: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
}

// Waiting for space on a full disk.

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

// Partial files that killed programs have left behind.

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
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

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&[b'x'; 100_000]).unwrap();
        file.flush().unwrap();
        let while_written = names(folder.path());
        assert!(matches!(while_written.as_slice(), [name] if name.starts_with(".a.csv.") && name.ends_with(".partial")));
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_failed_write_leaves_the_old_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write_atomically(&path, |file| file.write_all(b"old")).unwrap();
        let error = write_atomically(&path, |file| {
            file.write_all(&[b'n'; 100_000])?;
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space left on device"))
        });
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.csv"]);
        write_atomically(&path, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn folders_and_missing_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(AtomicFile::create(folder.path()).is_err());
        assert!(AtomicFile::create(&folder.path().join("missing/a.csv")).is_err());
        assert!(AtomicFile::create(Path::new("")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.csv"), folder.path().join("link.csv"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomically(&link, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        // A new file is as readable as any other that this process creates.
        let (ours, plain) = (folder.path().join("b.csv"), folder.path().join("c.csv"));
        write_atomically(&ours, |file| file.write_all(b"new")).unwrap();
        fs::write(&plain, "new").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to_directly() {
        let device = Path::new("/dev/full");
        let error = write_atomically(device, |file| file.write_all(&[0; 100_000])).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(device.exists());
        write_atomically(Path::new("/dev/null"), |file| file.write_all(b"x")).unwrap();
    }

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
