//! Surfaces of the fluid in a picture.

use crate::color;
use crate::headless::Failure;
use crate::render::Mesh;
use sph_core::{Dimensions, Pose, View};
use sph_io::export::surface::{ParticleFrame, SurfaceMesh, SurfaceSettings, surface};
use sph_io::{Look, Scene};

/// Colour of the only fluid.
const WATER: [u8; 3] = [62, 132, 196];

/// Surfaces of the fluids of a scene.
pub struct Surfaces {
    settings: SurfaceSettings,
    /// Colour of each fluid.
    colors: Vec<[u8; 3]>,
    /// Surfaces of the present state.
    fluids: Vec<([u8; 3], SurfaceMesh)>,
}

impl Surfaces {
    /// Surfaces of `scene`, if `look` shows them.
    ///
    /// # Errors
    /// If the scene has two dimensions.
    pub fn for_look(look: Option<Look>, scene: &Scene, settings: Option<SurfaceSettings>) -> Result<Option<Self>, Failure> {
        match look {
            Some(Look::Surface) => {
                let colors = color::named_fluids(&scene.setup).into_iter().map(|(_, color)| color).collect();
                Self::new(scene, settings.unwrap_or_default(), colors).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Surfaces of `scene`, whose fluids have these colours if there are several.
    ///
    /// # Errors
    /// If the scene has two dimensions.
    fn new(scene: &Scene, settings: SurfaceSettings, colors: Vec<[u8; 3]>) -> Result<Self, Failure> {
        let discretization = &scene.setup.discretization;
        if discretization.dimensions == Dimensions::Two {
            return Err(Failure::Input(
                "--look surface: surfaces are made in three dimensions, and the scene has two".to_owned(),
            ));
        }
        let settings = settings.with_spacing(discretization.particle_spacing);
        Ok(Self { settings, colors, fluids: Vec::new() })
    }

    /// Makes the surfaces of the state of `view`.
    ///
    /// # Errors
    /// If there is no surface of its particles.
    pub fn update(&mut self, view: &View<'_>) -> Result<(), Failure> {
        let frame = ParticleFrame::of_view(view);
        self.fluids.clear();
        for fluid in frame.fluid_numbers() {
            let chosen = fluid.map(|fluid| frame.of_fluid(fluid));
            let particles = chosen.as_ref().unwrap_or(&frame);
            let mesh = surface(&particles.positions, &[], &self.settings)
                .map_err(|error| Failure::Run(format!("cannot draw the surface: {error}")))?;
            let color = fluid.and_then(|fluid| self.colors.get(usize::from(fluid))).copied().unwrap_or(WATER);
            self.fluids.push((color, mesh));
        }
        Ok(())
    }

    /// What is drawn.
    pub fn meshes(&self) -> Vec<Mesh<'_>> {
        let fluids = self.fluids.iter().map(|(color, mesh)| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose: Pose::default(),
            color: *color,
            from_inside: false,
        });
        fluids.collect()
    }
}
