//! A loaded scene: the setup of the simulation, its probes and its initial view.

use super::display::{ClipPlane, ColorField, ColorMapName, Look, SolidStyle};
use super::document::Override;
use super::tables::NamedProbe;
use crate::SourceFiles;
use glam::Vec3;
use sph_core::Setup;
use sph_core::probes::Probe;
use std::path::PathBuf;

/// A scene, checked and complete: setup, probes and initial view.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Short name: the name of the file, without its extension.
    pub name: String,
    /// The file, if it was loaded from one.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// Values that replace those of the text, in order.
    pub overrides: Vec<Override>,
    /// Files that it was read from.
    pub files: SourceFiles,
    /// Name shown to people.
    pub title: String,
    /// Description in a sentence or two; may be empty.
    pub description: String,
    /// Setup of the simulation; it is valid.
    pub setup: Setup,
    /// Names of the bodies that have one, in the order of the setup's.
    pub body_names: Vec<Option<String>>,
    /// Simulated time after which a run without a window ends, s.
    pub duration: f64,
    /// Initial view.
    pub view: View,
    /// Probes.
    pub probes: Vec<NamedProbe>,
    /// Remarks on the files of the scene, and what has been done about them, each a sentence.
    pub remarks: Vec<String>,
}

impl Scene {
    /// True if a probe reads the force on the walls, which an engine only measures if it is asked to; see
    /// [`Engine::set_wall_reaction`](sph_core::Engine::set_wall_reaction).
    pub fn measures_walls(&self) -> bool {
        self.probes.iter().any(|probe| probe.probe == Probe::WallForce)
    }
}

/// Initial view of a scene. The viewer chooses values that are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Position of the camera, m.
    pub eye: Option<Vec3>,
    /// Point that the camera looks at, m.
    pub target: Option<Vec3>,
    /// Quantity that the particles' colours show.
    pub color: ColorField,
    /// Colour map; `None` for the one that suits the quantity.
    pub color_map: Option<ColorMapName>,
    /// Values at the ends of the colour map, in the unit of the quantity; `None` for those that follow from the scene.
    pub range: Option<[f32; 2]>,
    /// Look of the fluid.
    pub look: Option<Look>,
    /// Plane that clips the fluid.
    pub clip: Option<ClipPlane>,
    /// True to draw velocities as arrows.
    pub arrows: bool,
    /// Style of the walls; `None` for edges.
    pub walls: Option<SolidStyle>,
    /// Style of the bodies; `None` for the one that suits the look of the fluid.
    pub bodies: Option<SolidStyle>,
}
