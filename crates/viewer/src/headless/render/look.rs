//! Looks of the fluid in a picture.

use crate::color;
use crate::headless::Failure;
use crate::render::Mesh;
use clap::ValueEnum;
use sph_core::{Body, Dimensions, Pose, Triangulation, View};
use sph_io::Scene;
use sph_io::export::surface::{ParticleFrame, SurfaceMesh, SurfaceSettings, surface};

/// Colours of the only fluid, and of bodies.
const WATER: [u8; 3] = [62, 132, 196];
const BODY: [u8; 3] = [176, 150, 112];

/// Look of the fluid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Look {
    /// Every particle as a sphere, coloured by a value
    #[default]
    Spheres,
    /// The surface of each fluid, and bodies, as triangles
    Surface,
}

impl Look {
    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spheres => "spheres",
            Self::Surface => "surface",
        }
    }
}

/// Surfaces of the fluids and of the bodies of a scene.
pub struct Surfaces {
    settings: SurfaceSettings,
    /// Colour of each fluid.
    colors: Vec<[u8; 3]>,
    bodies: Vec<Triangulation>,
    /// Surfaces of the present state.
    fluids: Vec<([u8; 3], SurfaceMesh)>,
    poses: Vec<Pose>,
}

impl Surfaces {
    /// Surfaces of `scene`, if `look` shows them.
    ///
    /// # Errors
    /// If the scene has two dimensions.
    pub fn for_look(look: Look, scene: &Scene, settings: Option<SurfaceSettings>) -> Result<Option<Self>, Failure> {
        match look {
            Look::Spheres => Ok(None),
            Look::Surface => {
                let colors = color::named_fluids(&scene.setup).into_iter().map(|(_, color)| color).collect();
                Self::new(scene, settings.unwrap_or_default(), colors).map(Some)
            }
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
        let bodies = scene.setup.bodies.iter().map(Body::triangulation).collect();
        Ok(Self { settings, colors, bodies, fluids: Vec::new(), poses: Vec::new() })
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
        self.poses = view.bodies.iter().map(|placed| placed.pose).collect();
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
        });
        let bodies = self.bodies.iter().zip(&self.poses).map(|(mesh, &pose)| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose,
            color: BODY,
        });
        fluids.chain(bodies).collect()
    }
}
