//! Draws states of a simulation without a window, with the renderer that the window uses.

use super::coloring::Aids;
use super::grid_picture::{GridOptions, GridPicture};
use super::surfaces::Surfaces;
use crate::camera::Camera;
use crate::camera::{CameraPath, Keyframe};
use crate::color::{self, ColorField, ColorMap, Scale};
use crate::headless::Failure;
use crate::render::caption::{self, Legend};
use crate::render::{self, Arrows, Background, ClipPlane, Frame, Gpu, PassTime, Picture, ReadError, Renderer};
use glam::Vec3;
use rayon::ThreadPool;
use sph_core::{Engine, Foam, View};
use sph_io::{Look, Scene};

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

/// Renderer, camera and settings, constant over the pictures of a run.
pub struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    camera: Camera,
    size: [u32; 2],
    boxes: Vec<(Vec3, Vec3)>,
    bodies: render::Bodies,
    body_meshes: render::BodyMeshes,
    look: Look,
    /// Colours of the fluids in the look of water.
    fluid_colors: Vec<[u8; 3]>,
    field: ColorField,
    range: [f32; 2],
    color_map: ColorMap,
    /// Names and colours of the fluids.
    fluids: Vec<(String, [u8; 3])>,
    values: Vec<f32>,
    grid: Option<GridPicture>,
    surfaces: Option<Surfaces>,
    foam: Foam,
    aids: Aids,
    /// Speed of an arrow of full length, m/s.
    arrow_speed: f32,
    options: PictureOptions,
    legend: Option<Legend>,
    path: Option<CameraPath>,
}

/// Options of pictures besides what they show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureOptions {
    /// True to leave out the background.
    pub transparent: bool,
    /// True to burn in the legend and the time.
    pub captions: bool,
}

impl Studio {
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
        aids: Aids,
    ) -> Result<Self, Failure> {
        let grid = grid.map(|options| GridPicture::new(options, scene)).transpose()?;
        let gpu = Gpu::headless().map_err(|error| Failure::Input(error.to_string()))?;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if size[0].max(size[1]) > limit {
            return Err(Failure::Input(format!("--size: at most {limit}x{limit} is possible with {}", gpu.description())));
        }
        let look = render::shown_look(look.unwrap_or(gpu.usual_look()), scene.setup.discretization.dimensions);
        let body_meshes = match look {
            Look::Water => render::BodyMeshes::new(&scene.setup),
            _ => render::BodyMeshes::default(),
        };
        Ok(Self {
            renderer: Renderer::new(&gpu),
            camera: camera(scene, size[0] as f32 / size[1] as f32, angles),
            size,
            boxes: render::scene_boxes(&scene.setup),
            bodies: render::Bodies::new(&scene.setup),
            body_meshes,
            look,
            fluid_colors: color::fluid_tints(&scene.setup.fluids),
            field: scene.view.color,
            range: Scale::of(&scene.view).range(scene.view.color, &scene.setup),
            color_map: Scale::of(&scene.view).map(scene.view.color, &scene.setup.fluids),
            fluids: color::named_fluids(&scene.setup),
            values: Vec::new(),
            grid,
            surfaces,
            foam: Foam::default(),
            aids,
            arrow_speed: color::auto_range(ColorField::Speed, &scene.setup)[1],
            options: PictureOptions::default(),
            legend: None,
            path: None,
            gpu,
        })
    }

    /// Sets options of the pictures, and the path of their camera in place of one that rests.
    pub fn set_options(&mut self, scene: &Scene, options: PictureOptions, path: Option<CameraPath>) {
        self.options = options;
        let shows_legend = options.captions && self.look.has_colors();
        self.legend = shows_legend.then(|| Legend::of(self.field, Scale::of(&scene.view), &scene.setup));
        self.path = path;
    }

    /// Name of the GPU.
    pub fn description(&self) -> String {
        self.gpu.description()
    }

    /// Legend of the colours, a line for the particles and one for the grid if it is drawn.
    pub fn legend(&self) -> Vec<String> {
        let (name, unit, [low, high]) = (color::label(self.field), color::unit(self.field), self.range);
        let colors = match self.field {
            ColorField::Fluid => {
                let color = |(name, [red, green, blue]): &(String, [u8; 3])| format!("{name} #{red:02x}{green:02x}{blue:02x}");
                self.fluids.iter().map(color).collect::<Vec<_>>().join(", ")
            }
            _ => {
                let [first, last] = self.color_map.ends();
                let quantity = |value: f32| format!("{value} {unit}").trim_end().to_owned();
                format!("{first} at {} to {last} at {}", quantity(low), quantity(high))
            }
        };
        let particles = format!("particles: {}, {colors}", name.to_lowercase());
        let particles = Some(particles).filter(|_| self.look.has_colors());
        particles.into_iter().chain(self.grid.as_ref().map(GridPicture::legend)).collect()
    }

    /// Lets the foam follow the fluid, on `pool`: to be called with the initial state and after every step.
    pub fn follow(&mut self, engine: &dyn Engine, pool: &ThreadPool) {
        if self.foam.follows(engine.parameters()) {
            let fluid = engine.view();
            pool.install(|| self.foam.follow(&fluid));
        }
    }

    /// Makes the surfaces of `fluid` that the next picture shows, if surfaces are drawn, on `pool`.
    ///
    /// # Errors
    /// If there is no surface of its particles.
    pub fn prepare(&mut self, fluid: &View<'_>, pool: &ThreadPool) -> Result<(), Failure> {
        let Some(surfaces) = &mut self.surfaces else { return Ok(()) };
        pool.install(|| surfaces.update(fluid))
    }

    /// Draws `fluid`.
    ///
    /// # Errors
    /// If the grid cannot cover the particles, or the GPU does not return the picture.
    pub fn picture(&mut self, fluid: &View<'_>) -> Result<Picture, Failure> {
        let transparent = self.options.transparent;
        let draw =
            |renderer: &mut Renderer, gpu: &Gpu, size, frame: &Frame<'_>| renderer.picture(gpu, size, frame, transparent);
        let mut picture = self.with_frame(fluid, draw)?;
        if self.options.captions {
            caption::burn_in(&mut picture, self.legend.as_ref(), fluid.time);
        }
        Ok(picture)
    }

    /// Draws `fluid` pass by pass; returns the times.
    ///
    /// # Errors
    /// If the grid cannot cover the particles, or the GPU is lost.
    pub fn time(&mut self, fluid: &View<'_>) -> Result<Vec<PassTime>, Failure> {
        self.with_frame(fluid, Renderer::time)
    }

    /// Calls `draw` with the data of a picture of `fluid`.
    fn with_frame<T>(
        &mut self,
        fluid: &View<'_>,
        draw: impl FnOnce(&mut Renderer, &Gpu, [u32; 2], &Frame<'_>) -> Result<T, ReadError>,
    ) -> Result<T, Failure> {
        let Self { gpu, renderer, camera, path, size, boxes, bodies, field, range, color_map, values, look, .. } = self;
        let Self { grid, surfaces, foam, aids, arrow_speed, .. } = self;
        let arrows = Arrows { velocities: &fluid.particles.velocities, ids: &fluid.particles.ids, speed: *arrow_speed };
        if let Some(grid) = grid {
            grid.update(fluid)?;
        }
        let &View { particles, fluids, discretization, time, .. } = fluid;
        color::values(*field, particles, fluids, discretization.rest_density, values);
        let poses = fluid.bodies.iter().map(|body| body.pose);
        let meshes = match surfaces {
            Some(surfaces) => surfaces.meshes(),
            None => self.body_meshes.placed(poses.clone()),
        };
        let frame = Frame {
            look: *look,
            positions: match look {
                Look::Surface => &[],
                Look::Water => &particles.positions,
                Look::Spheres | Look::Points => bodies.beside(&particles.positions, poses),
            },
            fluids: &particles.fluids,
            fluid_colors: &self.fluid_colors,
            meshes: &meshes,
            foam: foam.particles(),
            arrows: aids.arrows.then_some(arrows),
            values,
            range: *range,
            color_map: *color_map,
            radius: 0.5 * discretization.particle_spacing,
            tints: &[],
            palette: &[],
            slab: grid.as_ref().and_then(|grid| grid.slab).or(aids.clip.map(ClipPlane::slab)),
            boxes,
            poses: &render::tank_poses(fluid.containers, time),
            show_boxes: true,
            cells: grid.as_ref().map_or(&[], |grid| &grid.cells),
            camera: &path.as_ref().and_then(|path| path.at(time)).unwrap_or(*camera),
            background: Background::Room,
        };
        draw(renderer, gpu, *size, &frame)
            .map_err(|error| Failure::Run(format!("cannot read the picture back from the GPU: {error}")))
    }
}

/// The path through the cameras of these angles at these times (s), for pictures of `size` pixels.
pub fn camera_path(scene: &Scene, size: [u32; 2], keyframes: &[(f64, Angles)]) -> CameraPath {
    let aspect = size[0] as f32 / size[1] as f32;
    CameraPath::new(keyframes.iter().map(|&(time, angles)| Keyframe { time, camera: camera(scene, aspect, Some(angles)) }))
}

/// The camera of the given angles, else the scene's first view.
fn camera(scene: &Scene, aspect: f32, angles: Option<Angles>) -> Camera {
    let first = render::first_camera(&scene.setup, scene.view.eye, scene.view.target, aspect);
    let Some(Angles { yaw, pitch, distance }) = angles else { return first };
    let (min, max) = render::scene_bounds(&scene.setup);
    let mut camera = Camera { yaw, pitch, ..first };
    match distance {
        Some(distance) => Camera { target: 0.5 * (min + max), distance, ..camera },
        None => {
            camera.reframe(min, max, aspect);
            camera
        }
    }
}
