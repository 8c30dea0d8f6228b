//! `sph import`: turns a scene of another program into one of this.

use super::Failure;
use crate::console;
use crate::new::refuse_existing;
use crate::output::Claims;
use clap::Args;
use sph_core::CancelFlag;
use sph_io::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Arguments of `sph import`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Scene of SPlisHSPlasH
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    /// Write the scene to this file instead of standard output
    #[arg(long, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists
    #[arg(long, requires = "out")]
    overwrite: bool,
}

/// Executes `sph import`: the scene goes into a file or to standard output, what has no equivalent to standard error.
///
/// # Errors
/// If the file cannot be imported, or the scene cannot be written, or would replace a file without --overwrite.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { file, out, overwrite } = options;
    let folder = out.as_deref().and_then(Path::parent);
    let imported = sph_io::import(file, folder)?;
    for remark in &imported.remarks {
        console::say(&format!("  {remark}"));
    }
    let Some(out) = out.as_deref().filter(|out| *out != Path::new("-")) else { return console::print(&imported.text) };
    let mut claims = Claims::default();
    claims.input("the file to import", file);
    claims.file("--out", out)?;
    refuse_existing(out, *overwrite)?;
    write(out, &imported.text).map_err(|error| Failure::output("the scene", out, &error))?;
    console::say(&format!("wrote {}", out.display()));
    // A scene that cannot be simulated is worth writing: people mend it.
    match sph_io::load(out, &[]) {
        Ok(_) => Ok(()),
        Err(error) => {
            console::say("the scene needs fixing before it can be simulated:");
            Err(error.into())
        }
    }
}

/// Writes a file, whose folder is made if it is missing.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = AtomicFile::create_output(path, &CancelFlag::default())?;
    file.write_all(text.as_bytes())?;
    file.finish()
}
