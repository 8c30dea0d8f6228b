//! `sph new`: writes a commented scene to start from; the check, for `sph import` too, that no scene is replaced unless the user says so.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::console;
use clap::Args;
use sph_io::{nearest, write_atomically};

/// A scene to start from.
struct Template {
    /// Name, for the command line and the file.
    kind: &'static str,
    text: &'static str,
}

const TEMPLATES: [Template; 6] = [
    Template { kind: "tank", text: include_str!("templates/tank.toml") },
    Template { kind: "dam_break", text: include_str!("templates/dam_break.toml") },
    Template { kind: "jet", text: include_str!("templates/jet.toml") },
    Template { kind: "drop", text: include_str!("templates/drop.toml") },
    Template { kind: "channel", text: include_str!("templates/channel.toml") },
    Template { kind: "two_fluids", text: include_str!("templates/two_fluids.toml") },
];

/// Arguments of `sph new`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Kind of scene: tank, dam_break, jet, drop, channel or two_fluids
    kind: Option<String>,
    /// File to write [default: KIND.toml in the current folder]
    file: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    overwrite: bool,
}

/// Executes `sph new`.
///
/// # Errors
/// There is no such kind, there is such a file, or it cannot be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let kinds = TEMPLATES.map(|template| template.kind).join(", ");
    let kind = options.kind.as_deref().ok_or_else(|| Failure::Input(format!("expected a kind of scene: {kinds}")))?;
    let template = find(kind)?;
    let path = options.file.clone().unwrap_or_else(|| format!("{}.toml", template.kind).into());
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Err(Failure::Input(format!("{} is not the name of a scene file: expected FILE.toml", path.display())));
    }
    let exists = refuse_existing(&path, options.overwrite)?;
    write_atomically(&path, |file| file.write_all(template.text.as_bytes()))
        .map_err(|error| Failure::output("the scene", &path, &error))?;
    let verb = if exists { "replaced" } else { "wrote" };
    console::say(&format!("{verb} {0}: `sph {0}` opens it, `sph check {0}` checks it", path.display()));
    Ok(())
}

fn find(kind: &str) -> Result<&'static Template, Failure> {
    TEMPLATES.iter().find(|template| template.kind == kind).ok_or_else(|| {
        let kinds = TEMPLATES.map(|template| template.kind);
        let help = match nearest(kind, kinds) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("expected one of {}", kinds.join(", ")),
        };
        Failure::Input(format!("there is no kind of scene `{}`: {help}", kind.escape_debug()))
    })
}

// Scene files that are there already, and may hold somebody's work.

/// True if there is a file at `path` that may be replaced.
///
/// # Errors
/// If there is one that may not.
pub(crate) fn refuse_existing(path: &Path, overwrite: bool) -> Result<bool, Failure> {
    // A link that leads nowhere is a file too, which would be replaced.
    let exists = path != Path::new("-") && path.symlink_metadata().is_ok();
    if exists && !overwrite {
        let message = format!("{} already exists: choose another name, or replace it with --overwrite", path.display());
        return Err(Failure::Input(message));
    }
    Ok(exists)
}
