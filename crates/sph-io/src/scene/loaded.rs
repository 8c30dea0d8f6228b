//! A scene as loaded: the simulation, its probes and the first look at it.

use super::color_field::ColorField;
use super::tables::NamedProbe;
use glam::Vec3;
use sph_core::Setup;
use std::path::PathBuf;

/// A scene, checked and complete: everything that a simulation and a first look at it need.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Short name: the file's, without its extension.
    pub name: String,
    /// The file that it was loaded from.
    pub path: Option<PathBuf>,
    /// Name shown to people.
    pub title: String,
    /// What it shows, in a sentence or two; may be empty.
    pub description: String,
    /// What the simulation is made from; it is valid.
    pub setup: Setup,
    /// Simulated time after which a run without a window ends, s.
    pub duration: f64,
    /// How the scene is first looked at.
    pub view: View,
    /// The instruments.
    pub probes: Vec<NamedProbe>,
}

/// How a scene is first looked at. What is `None` is for the viewer to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Where the camera is, m.
    pub eye: Option<Vec3>,
    /// Point that it looks at, m.
    pub target: Option<Vec3>,
    /// What the particles' colours show.
    pub color: ColorField,
}
