//! Scene files on the disk: the list of a folder, and the text of a file.

use crate::SourceFiles;
use crate::scene::error::{SceneError, nearest};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum size of a scene file, bytes. Scenes are written by hand; a larger file is of another kind.
const MAX_BYTES: u64 = 1 << 20;

/// The text of the file at `path`, which becomes one of `files`.
pub(crate) fn read(path: &Path, files: &mut SourceFiles) -> Result<String, SceneError> {
    let fail = |message: String, help| Err(SceneError::of_file(path.display().to_string(), message, help));
    if path.is_dir() {
        return fail("is a directory: a scene is a file".to_owned(), first_scene(path));
    }
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return fail("is not a regular file: a scene cannot be read from a pipe or a device".to_owned(), None);
    }
    let bytes = match files.read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return fail("there is no such file".to_owned(), nearest_scene(path));
        }
        Err(error) => return fail(format!("cannot be read: {error}"), None),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return fail(format!("is larger than {} MiB, too large for a scene file", MAX_BYTES >> 20), None);
    }
    // Valid UTF-8, but no text.
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        return fail(format!("is not text: the byte at offset {offset} is zero"), None);
    }
    match str::from_utf8(&bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let offset = error.valid_up_to();
            let byte = bytes[offset];
            fail(format!("is not text: the byte at offset {offset} (0x{byte:02x}) is not UTF-8"), None)
        }
    }
}

/// Suggestion of the scene in the same folder whose name is nearest.
fn nearest_scene(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    // The folder of a bare name is the empty path.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let scenes = list_scenes(folder);
    let names: Vec<String> = scenes.iter().filter_map(|scene| Some(scene.file_stem()?.to_str()?.to_owned())).collect();
    let name = nearest(path.file_stem()?.to_str()?, names.iter().map(String::as_str))?;
    Some(format!("did you mean {}?", path.with_file_name(format!("{name}.toml")).display()))
}

/// Suggestion of a scene in a folder.
fn first_scene(folder: &Path) -> Option<String> {
    list_scenes(folder).first().map(|scene| format!("it contains {}", scene.display()))
}

/// The scene files (`*.toml`) in a folder, sorted by name; none if it cannot be read.
pub fn list_scenes(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml") && path.is_file();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_scene).collect();
    paths.sort();
    paths
}
