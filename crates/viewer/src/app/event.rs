//! Events from other threads.

use crate::session::Notice;
use crate::ui::SceneEntry;
use sph_core::Parameters;
use sph_io::Scene;
use std::path::PathBuf;
use std::sync::Arc;

/// What reaches the window's thread from the others.
#[derive(Debug)]
pub enum UserEvent {
    /// The session has a snapshot or a notice.
    News,
    /// Something that ran in the background has this to say.
    Notice(Notice),
    /// The parameters are in the scene's file.
    Saved(Arc<Scene>, Parameters),
    /// The scenes in the folder, listed anew.
    Scenes(Vec<SceneEntry>),
    /// The file dialog is closed, with a scene or without.
    DialogClosed(Option<PathBuf>),
    /// The process was asked to end.
    Quit,
}
