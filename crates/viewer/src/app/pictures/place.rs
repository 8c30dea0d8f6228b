//! Names of pictures and films.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Folder that pictures are saved to without a question: the user's pictures, else the current folder.
pub fn folder() -> PathBuf {
    let pictures = dirs::picture_dir().filter(|folder| folder.is_dir());
    pictures.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("."))
}

/// A name that no other picture or film takes, of this program or of another one that runs, until this is dropped.
///
/// The name itself stays free until the output is complete: it is held by an empty hidden file beside it, `.NAME.claim`, which only one
/// of several programs can create.
#[derive(Debug)]
pub struct Reservation {
    path: PathBuf,
    claim: PathBuf,
}

impl Reservation {
    /// Reserves a name in `folder` that is not taken yet: STEM, or STEM_2 and so on, with the extension unless that is empty. The
    /// folder is created if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created or not be written to.
    pub fn new(folder: &Path, stem: &str, extension: &str) -> io::Result<Self> {
        sph_io::make_folder(folder)?;
        let numbered = (2..).map(|number| format!("{stem}_{number}"));
        for stem in std::iter::once(stem.to_owned()).chain(numbered) {
            let name = if extension.is_empty() { stem } else { format!("{stem}.{extension}") };
            let claim = folder.join(format!(".{name}.claim"));
            match File::create_new(&claim) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
            let reservation = Self { path: folder.join(name), claim };
            // Looked at with the claim in hand: whoever held it before has completed its output, or given up.
            if fs::symlink_metadata(&reservation.path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                return Ok(reservation);
            }
        }
        unreachable!("the numbers do not end")
    }

    /// The reserved name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        // A claim that stays makes later names skip a number, no more.
        let _ = fs::remove_file(&self.claim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn reserve(folder: &Path, extension: &str) -> (Reservation, PathBuf) {
        let reservation = Reservation::new(folder, "dam_0.5s", extension).unwrap();
        let name = reservation.path().strip_prefix(folder).unwrap().to_owned();
        (reservation, name)
    }

    #[test]
    fn names_that_are_taken_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let name = |extension: &str| reserve(folder.path(), extension).1;
        assert_eq!(name("png"), Path::new("dam_0.5s.png"));
        fs::write(folder.path().join("dam_0.5s.png"), "").unwrap();
        fs::write(folder.path().join("dam_0.5s_2.png"), "").unwrap();
        assert_eq!(name("png"), Path::new("dam_0.5s_3.png"));
        assert_eq!(name(""), Path::new("dam_0.5s"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "claims are gone");
    }

    #[test]
    fn reserved_names_are_taken_before_there_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let (first, second) = (reserve(&path, "mp4"), reserve(&path, "mp4"));
        assert_eq!([first.1, second.1], ["dam_0.5s.mp4", "dam_0.5s_2.mp4"].map(PathBuf::from));
        drop(first.0);
        assert_eq!(reserve(&path, "mp4").1, Path::new("dam_0.5s.mp4"));
    }

    #[test]
    fn threads_that_reserve_at_once_get_different_names() {
        let folder = tempfile::tempdir().unwrap();
        let reserved: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| reserve(folder.path(), ""))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(reserved.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn a_folder_that_cannot_be_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(Reservation::new(&file, "dam", "png").is_err());
    }
}
