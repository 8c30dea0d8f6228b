//! Events: what the simulation's thread reacts to.

use crate::session::{Notice, Request};
use sph_core::Simulation;
use sph_io::Scene;
use std::sync::Arc;

/// What the simulation thread reacts to.
#[derive(Debug)]
pub(in crate::session) enum Event {
    Request(Request),
    Loaded(Loaded),
    Quit,
}

/// A scene and its simulation, or why there is none.
pub(super) type Built = Result<(Arc<Scene>, Box<Simulation>), Notice>;

/// What the loading thread hands over.
#[derive(Debug)]
pub(in crate::session) struct Loaded {
    /// Which of the jobs asked for it is.
    pub(super) number: u64,
    pub(super) result: Built,
}
