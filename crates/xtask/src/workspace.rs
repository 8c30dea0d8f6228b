//! The workspace's folder, the cargo that builds it, and why a command stopped.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout that this program belongs to.
pub struct Workspace {
    root: PathBuf,
    cargo: OsString,
}

impl Workspace {
    /// Finds the workspace through what cargo tells the programs that it runs, else around the current folder, else where this
    /// program was compiled.
    pub fn find() -> Result<Self, Failure> {
        let is_root = |folder: &Path| folder.join("crates/xtask/Cargo.toml").is_file();
        let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let current = std::env::current_dir().ok();
        let compiled = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let starts = told.into_iter().chain(current).chain([compiled]);
        let root =
            starts.flat_map(|start| start.ancestors().map(Path::to_owned).collect::<Vec<_>>()).find(|folder| is_root(folder));
        let root = root.ok_or_else(|| Failure::unready("no workspace around the current folder: use `cargo xtask`"))?;
        Ok(Self { root, cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()) })
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

/// The message for the user, and the exit status.
#[derive(Debug)]
pub struct Failure {
    pub status: u8,
    pub message: String,
}

impl Failure {
    /// The machine or the command line is not as needed: nothing was attempted. Exit status 2.
    pub fn unready(message: impl Into<String>) -> Self {
        Self { status: 2, message: message.into() }
    }
}
