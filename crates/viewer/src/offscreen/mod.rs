//! Pictures without a window, drawn by its renderer: camera, size, surfaces of the fluid, and the grid drawn into them. `render` is
//! the command `sph render`, `bench` is `sph bench --render`.

pub mod bench;
mod grid;
pub mod render;

pub use render::{Options, execute};

use std::sync::Arc;

use grid::{GridOptions, GridPicture};
use rayon::ThreadPool;
use sph_color::{self, FieldReader};
use sph_commands::Failure;
use sph_core::probes::{Ellipsoid, Vicinity};
use sph_core::{Dimensions, Engine, Foam, Pose, View};
use sph_io::export::surface::{ParticleFrame, SurfaceMesh, SurfaceSettings, surface};
use sph_io::{Look, Scene};
use sph_render::camera::{Camera, CameraPath, Keyframe};
use sph_render::{
    self, DrawnLook, Gpu, Mesh, Overlay, PassTime, Picture, PictureContents, PictureOptions, ReadError, Renderer, SceneFrame,
    ShownFluid, ShownSets, Sides, Subject, ViewStyle,
};

// Draws states of a simulation without a window, with the renderer that the window uses.

/// A camera given by its angles, looking at the centre of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Angle about the y axis, radians; 0 looks along −z, positive puts the eye towards +x.
    pub yaw: f32,
    /// Angle above the horizon, radians.
    pub pitch: f32,
    /// Distance from the eye to the centre of the scene, m; `None` if everything must be in the picture.
    pub distance: Option<f32>,
}

/// Draws the pictures of a run: renderer, camera and settings are the same for all of them.
pub struct OffscreenRenderer {
    gpu: Gpu,
    renderer: Renderer,
    frame: SceneFrame,
    camera: Camera,
    path: Option<CameraPath>,
    size: [u32; 2],
    options: PictureOptions,
    look: DrawnLook,
    style: ViewStyle,
    reader: FieldReader,
    values: Vec<f32>,
    /// Neighbourhoods and ellipsoids of the particles in the look of water.
    vicinity: Vicinity,
    ellipsoids: Vec<Ellipsoid>,
    grid: Option<GridPicture>,
    overlay: Overlay,
    surfaces: Option<Surfaces>,
    foam: Foam,
}

impl OffscreenRenderer {
    /// Sets up pictures of `size` pixels. `angles` replace the scene's camera, `look` the usual one of the driver; the grid is
    /// drawn if `grid` is given, and with `surfaces` they are drawn instead of the particles.
    ///
    /// # Errors
    /// If there is no GPU driver, the size exceeds its limit, or the grid cannot be drawn.
    pub fn new(
        scene: &Scene,
        size: [u32; 2],
        angles: Option<Angles>,
        look: Option<Look>,
        (grid, surfaces): (Option<GridOptions>, Option<Surfaces>),
        options: PictureOptions,
    ) -> Result<Self, Failure> {
        let grid = grid.map(|options| GridPicture::new(options, scene)).transpose()?;
        let gpu = Gpu::headless().map_err(|error| Failure::Input(error.to_string()))?;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if size[0].max(size[1]) > limit {
            return Err(Failure::Input(format!("--size: at most {limit}x{limit} is possible with {}", gpu.description())));
        }
        let dimensions = scene.setup.discretization.dimensions;
        let subject = Subject { dimensions, transparent: options.transparent, particles: false };
        let look = sph_render::drawn_look(look.unwrap_or(gpu.usual_look()), subject);
        Ok(Self {
            renderer: Renderer::new(&gpu),
            frame: SceneFrame::new(Arc::new(scene.clone())),
            camera: camera(scene, size[0] as f32 / size[1] as f32, angles),
            path: None,
            size,
            options,
            look,
            style: ViewStyle::of(&scene.view, look.look),
            reader: FieldReader::default(),
            values: Vec::new(),
            vicinity: Vicinity::default(),
            ellipsoids: Vec::new(),
            grid,
            overlay: Overlay::default(),
            surfaces,
            foam: Foam::default(),
            gpu,
        })
    }

    /// Moves the camera along `path` in place of one that rests.
    pub fn set_path(&mut self, path: Option<CameraPath>) {
        self.path = path;
    }

    /// Look of the pictures, and the reason if it is not the one asked for.
    pub fn look(&self) -> DrawnLook {
        self.look
    }

    /// Name of the GPU.
    pub fn description(&self) -> String {
        self.gpu.description()
    }

    /// Legend of the colours, a line for the particles and one for the grid if it is drawn.
    pub fn legend(&self) -> Vec<String> {
        let (scene, ViewStyle { color, scale, background, .. }) = (self.frame.scene(), self.style);
        let colors = match sph_color::named_colors(color, scene) {
            Some(names) => {
                let color = |(name, [red, green, blue]): &(String, [u8; 3])| format!("{name} #{red:02x}{green:02x}{blue:02x}");
                names.iter().map(color).collect::<Vec<_>>().join(", ")
            }
            None => {
                let [first, last] = scale.map(color, &scene.setup.fluids, background.backdrop()).ends();
                let [low, high] = scale.range(color, scene);
                let quantity = |value: f32| format!("{value} {}", sph_color::unit(color)).trim_end().to_owned();
                format!("{first} at {} to {last} at {}", quantity(low), quantity(high))
            }
        };
        let particles = format!("particles: {}, {colors}", sph_color::label(color).to_lowercase());
        let particles = Some(particles).filter(|_| self.style.has_colors(scene));
        particles.into_iter().chain(self.grid.as_ref().map(GridPicture::legend)).collect()
    }

    /// Lets the foam follow the fluid, on `pool`: to be called with the initial state and after every step.
    pub fn follow(&mut self, engine: &dyn Engine, pool: &ThreadPool) {
        if self.foam.follows(engine.parameters()) {
            let fluid = engine.view();
            pool.install(|| self.foam.follow(&fluid));
        }
    }

    /// Computes what the next picture shows of `fluid`, on `pool`: the values that colour its particles, their ellipsoids, or its surfaces.
    ///
    /// # Errors
    /// If there is no surface of its particles.
    pub fn prepare(&mut self, fluid: &View<'_>, pool: &ThreadPool) -> Result<(), Failure> {
        let Self { reader, style, values, vicinity, ellipsoids, surfaces, .. } = self;
        values.clear();
        ellipsoids.clear();
        if style.look == Look::Water {
            pool.install(|| vicinity.read_ellipsoids(fluid, ellipsoids));
        }
        if style.look.has_colors() {
            pool.install(|| reader.read(style.color, fluid, values));
        }
        let Some(surfaces) = surfaces else { return Ok(()) };
        pool.install(|| surfaces.update(fluid))
    }

    /// Draws `fluid`.
    ///
    /// # Errors
    /// If the grid cannot cover the particles, or the GPU does not return the picture.
    pub fn picture(&mut self, fluid: &View<'_>) -> Result<Picture, Failure> {
        let kind = (self.size, self.options);
        self.with_contents(fluid, |frame, drawing, contents| frame.picture(drawing, kind, contents))
    }

    /// Draws `fluid` pass by pass; returns the times.
    ///
    /// # Errors
    /// If the grid cannot cover the particles, or the GPU is lost.
    pub fn time(&mut self, fluid: &View<'_>) -> Result<Vec<PassTime>, Failure> {
        let size = self.size;
        self.with_contents(fluid, |frame, (renderer, gpu), contents| {
            frame.with_frame(contents, |frame| renderer.time(gpu, size, frame))
        })
    }

    /// Calls `draw` with what a picture of `fluid` shows, and with what draws it.
    fn with_contents<T>(
        &mut self,
        fluid: &View<'_>,
        draw: impl FnOnce(&mut SceneFrame, (&mut Renderer, &Gpu), &PictureContents<'_>) -> Result<T, ReadError>,
    ) -> Result<T, Failure> {
        if let Some(grid) = &mut self.grid {
            grid.update(fluid, &mut self.overlay)?;
        }
        let poses: Vec<_> = fluid.bodies.iter().map(|body| body.pose).collect();
        let surfaces = self.surfaces.as_ref().map_or_else(Vec::new, Surfaces::meshes);
        let contents = PictureContents {
            fluid: ShownFluid {
                particles: fluid.particles,
                poses: &poses,
                dropped: fluid.dropped,
                sets: &ShownSets::of(fluid),
                time: fluid.time,
                foam: self.foam.particles(),
                values: Some(&self.values),
                ellipsoids: &self.ellipsoids,
                surfaces: &surfaces,
            },
            style: self.style,
            overlay: &self.overlay,
            camera: self.path.as_ref().and_then(|path| path.at(fluid.time)).unwrap_or(self.camera),
        };
        draw(&mut self.frame, (&mut self.renderer, &self.gpu), &contents)
            .map_err(|error| Failure::Run(format!("cannot read the picture back from the GPU: {error}")))
    }
}

/// The path through the cameras of these angles at these times (s), for pictures of `size` pixels.
fn camera_path(scene: &Scene, size: [u32; 2], keyframes: &[(f64, Angles)]) -> CameraPath {
    let aspect = size[0] as f32 / size[1] as f32;
    CameraPath::new(keyframes.iter().map(|&(time, angles)| Keyframe { time, camera: camera(scene, aspect, Some(angles)) }))
}

/// The camera of the given angles, else the scene's first view.
fn camera(scene: &Scene, aspect: f32, angles: Option<Angles>) -> Camera {
    let first = sph_render::first_camera(&scene.setup, scene.view.eye, scene.view.target, aspect);
    let Some(Angles { yaw, pitch, distance }) = angles else { return first };
    let (min, max) = sph_render::scene_bounds(&scene.setup);
    let mut camera = Camera { yaw, pitch, ..first };
    match distance {
        Some(distance) => Camera { target: 0.5 * (min + max), distance, ..camera },
        None => {
            camera.reframe(min, max, aspect);
            camera
        }
    }
}

// Surfaces of the fluid in a picture.

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
    /// If the scene has two dimensions, or if there are settings and nothing to set.
    pub fn for_look(look: Option<Look>, scene: &Scene, settings: Option<SurfaceSettings>) -> Result<Option<Self>, Failure> {
        match look {
            Some(Look::Surface) => {
                let colors = sph_color::named_fluids(&scene.setup).into_iter().map(|(_, color)| color).collect();
                Self::new(scene, settings.unwrap_or_default(), colors).map(Some)
            }
            _ if settings.is_some() => Err(Failure::Input("--surface needs --look surface".to_owned())),
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
            return Err(Failure::Input("--look surface: surfaces need three dimensions, but the scene has two".to_owned()));
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
            colors: &[],
            shaded: false,
            sides: Sides::Both,
        });
        fluids.collect()
    }
}
