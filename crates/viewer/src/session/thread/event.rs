//! Events that the simulation's thread receives.

use super::playback::Packed;
use crate::session::{Notice, Request};
use sph_core::Engine;
use sph_io::{Scene, SourceFiles};
use std::sync::Arc;

/// An event that the simulation thread receives.
#[derive(Debug)]
pub(in crate::session) enum Event {
    Request(Request),
    Loaded(Loaded),
    /// A state that has been packed to be kept.
    Packed(Box<Packed>),
    /// A message from work beside the simulation.
    Notice(Notice),
    /// A file of the running scene is no longer what it was.
    FilesChanged,
    Quit,
}

/// A scene and its engine, or the reason why there is none.
pub(super) type Built = Result<(Arc<Scene>, Box<dyn Engine>), Notice>;

/// A result of the loading thread.
#[derive(Debug)]
pub(in crate::session) struct Loaded {
    /// Number of the job.
    pub(super) number: u64,
    /// Files that were read or looked for.
    pub(super) files: SourceFiles,
    pub(super) result: Built,
}
