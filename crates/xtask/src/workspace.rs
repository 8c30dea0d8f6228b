//! Where the workspace is, and the cargo that builds it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;

/// The checkout that this program belongs to.
pub struct Workspace {
    root: PathBuf,
    cargo: OsString,
}

impl Workspace {
    /// Finds the workspace through what cargo tells the programs that it runs, else where this one was compiled.
    pub fn find() -> Result<Self, Failure> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&package).ancestors().nth(2).unwrap_or(Path::new("."));
        if !root.join("crates/xtask/Cargo.toml").is_file() {
            return Err(Failure::unready(format!("no workspace in {}: use `cargo xtask`", root.display())));
        }
        Ok(Self { root: root.to_owned(), cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()) })
    }

    /// The cargo that started this program, else the one on the path.
    pub fn cargo(&self) -> &OsString {
        &self.cargo
    }

    /// The workspace's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A command `cargo …` at the workspace's root.
    pub fn cargo_at_root(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        command.current_dir(&self.root);
        command
    }

    /// A path inside the workspace as seen from the current folder: short where that is the root, as it mostly is.
    pub fn path(&self, inside: impl AsRef<Path>) -> PathBuf {
        let at_root = match (std::env::current_dir(), self.root.canonicalize()) {
            (Ok(current), Ok(root)) => current.canonicalize().is_ok_and(|current| current == root),
            _ => false,
        };
        if at_root { inside.as_ref().to_owned() } else { self.root.join(inside) }
    }
}
