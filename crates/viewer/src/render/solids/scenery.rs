//! Walls and bodies of a scene as one picture shows them.

use super::{BodyForm, BodyMeshes, Walls, body_form};
use crate::render::Mesh;
use glam::Vec3;
use sph_core::{DroppedBody, Pose, Setup};
use sph_io::{Look, SolidStyle};
use std::cell::OnceCell;

/// Walls and bodies of a scene.
#[derive(Debug, Default)]
pub struct Scenery {
    walls: Walls,
    /// Made when they are first drawn.
    bodies: OnceCell<BodyMeshes>,
    /// Bodies that have been dropped.
    dropped: Vec<DroppedBody>,
}

/// Styles of walls and bodies, and the look of the fluid beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneryStyle {
    /// Style of the walls.
    pub walls: SolidStyle,
    /// Style of the bodies; `None` for the one that suits the look.
    pub bodies: Option<SolidStyle>,
    /// Look of the fluid, as drawn.
    pub look: Look,
    /// True to give each body the colour of its number.
    pub numbered: bool,
}

/// What one picture shows of walls and bodies.
#[derive(Debug)]
pub struct ShownScenery<'a> {
    /// Surfaces.
    pub meshes: Vec<Mesh<'a>>,
    /// Outlines, m.
    pub outlines: Vec<[Vec3; 2]>,
    /// True if the edges of containers that are boxes are drawn.
    pub boxes: bool,
    /// True for each container that is no box.
    pub shaped: &'a [bool],
    /// Form of the bodies.
    pub bodies: BodyForm,
}

impl Scenery {
    /// The walls of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        Self { walls: Walls::new(setup), bodies: OnceCell::new(), dropped: Vec::new() }
    }

    /// Adds the bodies that have been `dropped`, in place of those before.
    pub fn set_dropped(&mut self, dropped: &[DroppedBody]) {
        if self.dropped != dropped {
            (self.bodies, self.dropped) = (OnceCell::new(), dropped.to_vec());
        }
    }

    /// What is shown of the `setup` that this was made of, with containers and bodies in these poses, as seen from `eye`, m.
    pub fn shown(
        &self,
        setup: &Setup,
        style: SceneryStyle,
        (containers, bodies): (&[Pose], impl Iterator<Item = Pose>),
        eye: Vec3,
    ) -> ShownScenery<'_> {
        let form = body_form(style.bodies, style.look, setup.discretization.dimensions);
        let (mut meshes, mut outlines) = (Vec::new(), Vec::new());
        if style.walls == SolidStyle::Shaded {
            meshes = self.walls.meshes(containers);
        }
        if style.walls != SolidStyle::Hidden {
            self.walls.push_outlines(containers, eye, &mut outlines);
        }
        let surfaces = || self.bodies.get_or_init(|| BodyMeshes::new(setup, &self.dropped));
        match form {
            BodyForm::Mesh => meshes.extend(surfaces().placed(bodies, style.numbered)),
            BodyForm::Outline => surfaces().push_outlines(bodies, eye, &mut outlines),
            BodyForm::Particles | BodyForm::Hidden => {}
        }
        ShownScenery { meshes, outlines, boxes: style.walls != SolidStyle::Hidden, shaped: self.walls.shaped(), bodies: form }
    }
}
