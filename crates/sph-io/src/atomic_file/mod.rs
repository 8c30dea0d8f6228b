//! Atomic files: complete or absent.

mod abandoned;

pub(crate) use abandoned::{abandoned_files, remove_abandoned};

use crate::full_disk::write_with_space;
use crate::make_folder;
use crate::pipe::Pipe;
use abandoned::{RANDOM, SUFFIX, folder_of};
use sph_core::CancelFlag;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
