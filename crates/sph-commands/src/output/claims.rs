//! Places that a command writes to: none of them is an input, or another output.

use crate::Failure;
use sph_core::CancelFlag;
use sph_io::{AtomicFile, FrameFiles, Scene};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Places that a command reads from and writes to, each under its name in messages.
#[derive(Debug, Default)]
pub struct Claims {
    files: Vec<(String, PathBuf)>,
    frames: Vec<(String, FrameFiles)>,
}

impl Claims {
    /// Claims of the files that `scene` was read from.
    pub fn of_inputs(scene: &Scene) -> Self {
        let files = scene.files.paths().map(|path| (format!("the scene's file {}", path.display()), resolved(path)));
        Self { files: files.collect(), frames: Vec::new() }
    }

    /// Claims a file that `option` reads.
    pub fn input(&mut self, option: &str, path: &Path) {
        self.files.push((option.to_owned(), resolved(path)));
    }

    /// Claims a file for `option`. Standard output, devices and pipes can be repeated.
    ///
    /// # Errors
    /// If it is an input, another output, or among the frames of one.
    pub fn file(&mut self, option: &str, path: &Path) -> Result<(), Failure> {
        if path == Path::new("-") || is_special(path) {
            return Ok(());
        }
        let place = resolved(path);
        let taken = self.files.iter().find(|(_, other)| *other == place).map(|(other, _)| other.as_str());
        let framed = self.frames.iter().find(|(_, frames)| is_frame(frames, &place)).map(|(other, _)| other.as_str());
        if let Some(other) = taken.or(framed) {
            return Err(conflict(option, path, other));
        }
        self.files.push((option.to_owned(), place));
        Ok(())
    }

    /// Claims the frames of `option`.
    ///
    /// # Errors
    /// If one of them would be an input or another output.
    pub fn frames(&mut self, option: &str, frames: &FrameFiles) -> Result<(), Failure> {
        let place = frames.clone().in_folder(resolved(frames.folder()));
        if self.frames.iter().any(|(_, other)| *other == place) {
            return Err(Failure::Input(format!("{option} is given twice")));
        }
        if let Some((other, path)) = self.files.iter().find(|(_, path)| is_frame(&place, path)) {
            return Err(conflict(option, path, other));
        }
        self.frames.push((option.to_owned(), place));
        Ok(())
    }
}

fn conflict(option: &str, path: &Path, other: &str) -> Failure {
    let path = path.display();
    Failure::Input(format!("{option} would write to {path}, which is {other}: choose another path"))
}

/// Checks that `what` can be written to `path`, by a command that does so at its end: creates the folder if it is missing. Devices and pipes are
/// not opened.
///
/// # Errors
/// If no file can be written there; one that is there stays as it is.
pub fn check_writable(what: &str, path: &Path) -> Result<(), Failure> {
    if is_special(path) {
        return Ok(());
    }
    let created = AtomicFile::create_output(path, &CancelFlag::default());
    created.map(drop).map_err(|error| Failure::output(what, path, &error))
}

/// True for a device or a pipe.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// True if the resolved `path` is one of the frames.
fn is_frame(frames: &FrameFiles, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    path.parent() == Some(frames.folder()) && name.is_some_and(|name| frames.number(name).is_some())
}

/// The place that `path` leads to: absolute and without links, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (mut existing, mut rest) = (absolute.as_path(), Vec::<OsString>::new());
    loop {
        if let Ok(mut place) = existing.canonicalize() {
            place.extend(rest.iter().rev());
            return place;
        }
        let (Some(parent), Some(name)) = (existing.parent(), existing.file_name()) else { return absolute };
        rest.push(name.to_owned());
        existing = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_claimed_once_however_it_is_spelt() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("scene.toml"), "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin=[0,0,0]\nmax=[1,1,1]")
            .unwrap();
        let scene = sph_io::load(&at("scene.toml"), &[]).unwrap();
        let mut claims = Claims::of_inputs(&scene);
        assert!(claims.file("--stats", &at("scene.toml")).is_err());
        std::fs::create_dir(at("out")).unwrap();
        assert!(claims.file("--stats", &at("out/../scene.toml")).is_err());
        claims.file("--stats", &at("new/a.csv")).unwrap();
        assert!(claims.file("--probes", &at("new/./a.csv")).is_err());
        claims.file("--probes", &at("out/frame_000007.csv")).unwrap();
        claims.frames("--export ply=out", &FrameFiles::new(&at("out"), "ply")).unwrap();
        assert!(claims.frames("--export ply=out", &FrameFiles::new(&at("out/."), "ply")).is_err());
        assert!(claims.frames("--export csv=out", &FrameFiles::new(&at("out"), "csv")).is_err());
        assert!(claims.file("--plot", &at("out/frame_000000.ply")).is_err());
        claims.file("--plot", Path::new("-")).unwrap();
        claims.file("--trace", Path::new("-")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        std::os::unix::fs::symlink(at("a"), at("b")).unwrap();
        std::os::unix::fs::symlink(folder.path(), at("here")).unwrap();
        let mut claims = Claims::default();
        claims.file("--stats", &at("a")).unwrap();
        assert!(claims.file("--probes", &at("b")).is_err());
        assert!(claims.file("--probes", &at("here/a")).is_err());
        claims.file("--stats", Path::new("/dev/null")).unwrap();
        claims.file("--probes", Path::new("/dev/null")).unwrap();
    }
}
