//! Files in which programs remember what their user has chosen, in the folder that the system has for that.

use crate::atomic_file::write_atomically;
use crate::folder::make_folder;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::PathBuf;

/// Folder of the programs within the user's folder.
const FOLDER: &str = "sph";

/// Largest size of a file that is read, bytes: a layout takes a few thousand.
const MOST_BYTES: u64 = 1 << 20;

/// Path of the file `name` in the user's folder for settings; `None` if the system names no such folder.
pub fn settings_path(name: &str) -> Option<PathBuf> {
    path_in(|variable| std::env::var_os(variable), name)
}

fn path_in(variable: impl Fn(&str) -> Option<OsString>, name: &str) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_vendor = "apple") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join(FOLDER).join(name))
}

/// Reads a file of settings; `None` if there is none.
///
/// # Errors
/// The file cannot be read, is no text, or is larger than any that [`write_settings`] has written.
pub fn read_settings(name: &str) -> io::Result<Option<String>> {
    let Some(path) = settings_path(name) else { return Ok(None) };
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too large"));
    }
    Ok(Some(text))
}

/// Writes a file of settings: it is complete or as it was.
///
/// # Errors
/// There is no folder for settings, or the file cannot be written.
pub fn write_settings(name: &str, text: &str) -> io::Result<()> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the system has no settings folder");
    let path = settings_path(name).ok_or_else(none)?;
    path.parent().map_or(Ok(()), make_folder)?;
    write_atomically(&path, |out| out.write_all(text.as_bytes()))
}

#[cfg(test)]
#[cfg(not(any(windows, target_vendor = "apple")))]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_systems() {
        let path = |set: &[(&str, &str)]| {
            let found = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            path_in(found, "layout.json")
        };
        let home = ("HOME", "/home/ada");
        assert_eq!(path(&[home]), Some("/home/ada/.config/sph/layout.json".into()));
        assert_eq!(path(&[home, ("XDG_CONFIG_HOME", "/etc/ada")]), Some("/etc/ada/sph/layout.json".into()));
        assert_eq!(path(&[home, ("XDG_CONFIG_HOME", "relative")]), Some("/home/ada/.config/sph/layout.json".into()));
        assert_eq!(path(&[]), None);
    }
}
