//! Import of scenes of SPlisHSPlasH: from its JSON to a scene file, with a list of what has no equivalent.
//!
//! The text is parsed with the place of every value ([`json`]), read table by table ([`table`]), and each kind of table is converted in a
//! file of its own. The result is a scene as a person could have written it, and goes the way of all scenes from there.

mod blocks;
mod bodies;
mod configuration;
mod convert;
mod emitters;
mod json;
mod materials;
mod placement;
mod report;
mod solver;
mod table;
mod writing;

use crate::SourceFiles;
use crate::scene::{Fault, Place, SceneError, Sources, read_text};
use bodies::Folders;
use report::Report;
use std::path::Path;

/// A scene that has been imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Text of the scene file; it opens with the remarks, as comments.
    pub text: String,
    /// Remarks on keys without an equivalent, and on values that were changed: each a sentence after the path that it is about.
    pub remarks: Vec<String>,
}

/// True for files that are imported: those that end in `.json`.
pub fn is_foreign(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Imports the scene of SPlisHSPlasH at `path`, for a scene file in the folder `target`, if in another folder than it.
///
/// Loading the text then shows if it can be simulated.
///
/// # Errors
/// The file cannot be read, is not JSON, has a value of a wrong kind, names a mesh that is not there, or has no fluid.
pub fn import(path: &Path, target: Option<&Path>) -> Result<Imported, SceneError> {
    import_from(path, target, &mut SourceFiles::default())
}

/// Imports as [`import`]; the file becomes one of `files`.
pub(crate) fn import_from(path: &Path, target: Option<&Path>, files: &mut SourceFiles) -> Result<Imported, SceneError> {
    let text = read_text(path, files)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    import_text(&text, &path.display().to_string(), &name, Folders { file: folder, scene: target })
}

/// Imports the `text` of the file `name`, which messages call `origin`.
fn import_text(text: &str, origin: &str, name: &str, folders: Folders<'_>) -> Result<Imported, SceneError> {
    let sources = Sources::new(origin, text);
    let root = json::parse(text).map_err(|error| {
        let fault = Fault::new(Place::Span(error.offset..error.offset), format!("not valid JSON: {}", error.message), "");
        sources.error(vec![fault], |_| 0..0)
    })?;
    let mut report = Report::default();
    let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let scene = convert::scene(&root, title, folders, &mut report);
    if !report.faults.is_empty() {
        return Err(sources.error(report.faults, |_| 0..0));
    }
    let remarks = report.remarks;
    let mut lines = format!("# Imported from {}, a scene of SPlisHSPlasH.\n", name.escape_debug());
    if !remarks.is_empty() {
        lines += "# Without an equivalent, or changed:\n";
    }
    for remark in &remarks {
        lines += &format!("# - {remark}\n");
    }
    Ok(Imported { text: format!("{lines}\n{scene}"), remarks })
}
