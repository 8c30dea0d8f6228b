//! Events from other threads.

use crate::session::{Notice, Request};
use crate::ui::SceneEntry;
use egui_winit::accesskit_winit;
use sph_io::Scene;
use std::path::PathBuf;
use std::sync::Arc;

/// An event sent to the window's thread by another.
#[derive(Debug)]
pub enum UserEvent {
    /// The session has a snapshot or a notice.
    News,
    /// A notice from background work.
    Notice(Notice),
    /// Parameters and view have been written to the file of `scene`, which is `saved` now, but for the
    /// keys that are `left` as an included file has them.
    Saved { scene: Arc<Scene>, saved: Arc<Scene>, left: Vec<&'static str> },
    /// They could not be written, for this reason.
    NotSaved(Notice),
    /// The scenes in the folder, listed again.
    Scenes(Vec<SceneEntry>),
    /// The file dialog is closed, with an answer or without.
    DialogClosed(Option<Answer>),
    /// The process was asked to end.
    Quit,
    /// A screen reader, or another aid, asks for something.
    Access(accesskit_winit::Event),
}

impl From<accesskit_winit::Event> for UserEvent {
    fn from(event: accesskit_winit::Event) -> Self {
        Self::Access(event)
    }
}

/// Answer of a file dialog.
#[derive(Debug)]
pub enum Answer {
    /// A request to the session.
    Request(Request),
    /// Place of a picture.
    Picture(PathBuf),
}
