//! Pictures without a window, drawn by its renderer: camera, size, surfaces of the fluid, and the grid drawn into them. `render` is
//! the command `sph render`, `bench` is `sph bench --render`.

pub mod bench;
pub mod render;

pub use render::{Options, execute};

use glam::Vec3;
use rayon::ThreadPool;
use sph_color::{self, CATEGORIES, ColorField, ColorMap, FieldReader, Scale};
use sph_commands::Failure;
use sph_core::neighbors::Structure;
use sph_core::probes::PresentSearch;
use sph_core::probes::{Ellipsoid, Vicinity};
use sph_core::{Dimensions, Engine, Foam, Pose, Setup, View};
use sph_io::export::surface::{ParticleFrame, SurfaceMesh, SurfaceSettings, surface};
use sph_io::{ClipPlane, Look, Scene, SolidStyle};
use sph_render::camera::{Camera, CameraPath, Keyframe};
use sph_render::caption::{self, Legend};
use sph_render::grid_boxes::{self, CellColoring, Slice};
use sph_render::{
    self, Arrows, Background, BodyForm, CellBox, DrawnLook, Frame, Gpu, Mesh, PassTime, Picture, ReadError, ReferenceArrow,
    Renderer, Scenery, SceneryStyle, Slab, Subject, scene_bounds,
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

/// Renderer, camera and settings, constant over the pictures of a run.
pub struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    camera: Camera,
    size: [u32; 2],
    boxes: Vec<(Vec3, Vec3)>,
    bodies: sph_render::Bodies,
    scenery: Scenery,
    style: SceneryStyle,
    setup: Setup,
    look: DrawnLook,
    /// Colours of the fluids in the look of water.
    fluid_colors: Vec<[u8; 3]>,
    field: ColorField,
    range: [f32; 2],
    color_map: ColorMap,
    /// Names and colours of the quantity's categories, if it has any.
    names: Option<Vec<(String, [u8; 3])>>,
    reader: FieldReader,
    values: Vec<f32>,
    /// Neighbourhoods and ellipsoids of the particles in the look of water.
    vicinity: Vicinity,
    ellipsoids: Vec<Ellipsoid>,
    grid: Option<GridPicture>,
    surfaces: Option<Surfaces>,
    foam: Foam,
    clip: Option<ClipPlane>,
    shows_arrows: bool,
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
            camera: camera(scene, size[0] as f32 / size[1] as f32, angles),
            size,
            boxes: sph_render::scene_boxes(&scene.setup),
            bodies: sph_render::Bodies::new(&scene.setup),
            scenery: Scenery::new(&scene.setup),
            style: SceneryStyle {
                walls: scene.view.walls.unwrap_or(SolidStyle::Wireframe),
                bodies: scene.view.bodies,
                look: look.look,
                numbered: look.look.has_colors() && scene.view.color == ColorField::Body,
            },
            setup: scene.setup.clone(),
            look,
            fluid_colors: sph_color::fluid_tints(&scene.setup.fluids),
            field: scene.view.color,
            range: Scale::of(&scene.view).range(scene.view.color, scene),
            color_map: Scale::of(&scene.view).map(scene.view.color, &scene.setup.fluids),
            names: sph_color::named_colors(scene.view.color, scene),
            reader: FieldReader::default(),
            values: Vec::new(),
            vicinity: Vicinity::default(),
            ellipsoids: Vec::new(),
            grid,
            surfaces,
            foam: Foam::default(),
            clip: scene.view.clip,
            shows_arrows: scene.view.arrows,
            arrow_speed: sph_color::auto_range(ColorField::Speed, scene)[1],
            legend: (options.captions && look.look.has_colors())
                .then(|| Legend::of(scene.view.color, Scale::of(&scene.view), scene)),
            options,
            path: None,
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
        let (name, unit, [low, high]) = (sph_color::label(self.field), sph_color::unit(self.field), self.range);
        let colors = match &self.names {
            Some(names) => {
                let color = |(name, [red, green, blue]): &(String, [u8; 3])| format!("{name} #{red:02x}{green:02x}{blue:02x}");
                names.iter().map(color).collect::<Vec<_>>().join(", ")
            }
            None => {
                let [first, last] = self.color_map.ends();
                let quantity = |value: f32| format!("{value} {unit}").trim_end().to_owned();
                format!("{first} at {} to {last} at {}", quantity(low), quantity(high))
            }
        };
        let particles = format!("particles: {}, {colors}", name.to_lowercase());
        let particles = Some(particles).filter(|_| self.look.look.has_colors());
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
        let Self { reader, field, values, vicinity, ellipsoids, bodies, surfaces, look, .. } = self;
        bodies.set_dropped(fluid.dropped, fluid.discretization);
        values.clear();
        ellipsoids.clear();
        if look.look == Look::Water {
            pool.install(|| vicinity.read_ellipsoids(fluid, ellipsoids));
        }
        if look.look.has_colors() {
            pool.install(|| reader.read(*field, fluid, values));
            if *field == ColorField::Body {
                values.resize(fluid.particles.len(), f32::NAN);
                values.extend(bodies.numbers().map(|number| (number % CATEGORIES) as f32));
            }
        }
        let Some(surfaces) = surfaces else { return Ok(()) };
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
            let camera = self.path.as_ref().and_then(|path| path.at(fluid.time)).unwrap_or(self.camera);
            let drawn = (fluid.particles.len(), 0.5 * fluid.discretization.particle_spacing);
            let height = picture.height as f32;
            let arrow =
                |most| ReferenceArrow::fitting(most, height, &camera, self.arrow_speed, drawn).filter(|_| self.shows_arrows);
            caption::burn_in(&mut picture, self.legend.as_ref(), arrow, fluid.time);
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
        let Self { gpu, renderer, camera, path, size, boxes, bodies, range, color_map, values, look, .. } = self;
        let Self { grid, surfaces, foam, clip, shows_arrows, arrow_speed, .. } = self;
        let Self { scenery, style, setup, .. } = self;
        let arrows = Arrows { velocities: &fluid.particles.velocities, ids: &fluid.particles.ids, speed: *arrow_speed };
        if let Some(grid) = grid {
            grid.update(fluid)?;
        }
        let &View { particles, discretization, time, .. } = fluid;
        scenery.set_dropped(fluid.dropped);
        let poses = fluid.bodies.iter().map(|body| body.pose);
        let tank_poses = sph_render::tank_poses(fluid.containers, time);
        let camera = path.as_ref().and_then(|path| path.at(time)).unwrap_or(*camera);
        let shown = scenery.shown(setup, *style, (&tank_poses, poses.clone()), camera.eye());
        let mut meshes = surfaces.as_ref().map_or_else(Vec::new, Surfaces::meshes);
        meshes.extend(&shown.meshes);
        let frame = Frame {
            look: look.look,
            positions: match (look.look, shown.bodies) {
                (Look::Surface, _) => &[],
                (_, BodyForm::Particles) => bodies.beside(&particles.positions, poses),
                _ => &particles.positions,
            },
            fluids: &particles.fluids,
            fluid_colors: &self.fluid_colors,
            ellipsoids: &self.ellipsoids,
            meshes: &meshes,
            foam: foam.particles(),
            arrows: shows_arrows.then_some(arrows),
            values,
            range: *range,
            color_map: *color_map,
            radius: 0.5 * discretization.particle_spacing,
            tints: &[],
            palette: &[],
            slab: grid.as_ref().and_then(|grid| grid.slab).or(clip.map(Slab::from)),
            boxes,
            poses: &tank_poses,
            show_boxes: shown.boxes,
            shaped: shown.shaped,
            outlines: &shown.outlines,
            cells: grid.as_ref().map_or(&[], |grid| &grid.cells),
            camera: &camera,
            background: Background::Room,
        };
        draw(renderer, gpu, *size, &frame)
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
    /// If the scene has two dimensions.
    pub fn for_look(look: Option<Look>, scene: &Scene, settings: Option<SurfaceSettings>) -> Result<Option<Self>, Failure> {
        match look {
            Some(Look::Surface) => {
                let colors = sph_color::named_fluids(&scene.setup).into_iter().map(|(_, color)| color).collect();
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

// The grid in the pictures of `sph render`: its cells, and the slice that cuts the fluid open.

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// A plane that cuts the fluid: only the layer of cells that contains it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Coordinate along the axis, m.
    pub position: f32,
}

/// Display options of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridOptions {
    /// Quantity that the cells' colours show.
    pub coloring: CellColoring,
    /// Plane that cuts the fluid; `None` shows every occupied cell.
    pub cut: Option<Cut>,
}

/// Computes the boxes of successive pictures.
#[derive(Debug)]
struct GridPicture {
    options: GridOptions,
    search: PresentSearch,
    /// Number of points with the last colour: never decreases, so that colours have nearly the same meaning in all pictures.
    top: u32,
    /// Boxes of the latest picture.
    pub cells: Vec<CellBox>,
    /// Slab of the latest picture.
    pub slab: Option<Slab>,
}

impl GridPicture {
    /// A picture without boxes yet.
    ///
    /// # Errors
    /// If the scene has no cells, or the plane is outside it.
    pub fn new(options: GridOptions, scene: &Scene) -> Result<Self, Failure> {
        if scene.setup.parameters.grid.structure == Structure::BruteForce {
            let text = "--grid: brute force has no cells; choose another structure, such as --set grid.structure=spatial_hash";
            return Err(Failure::Input(text.to_owned()));
        }
        let flat = scene.setup.discretization.dimensions == Dimensions::Two;
        if flat && options.cut.is_some_and(|cut| cut.axis == 2) {
            return Err(Failure::Input("--slice: a scene in two dimensions can be cut across x and y only".to_owned()));
        }
        if let Some(Cut { axis, position }) = options.cut {
            let (min, max) = scene_bounds(&scene.setup);
            if !(min[axis]..=max[axis]).contains(&position) {
                let [name, low, high] = [AXES[axis].to_owned(), min[axis].to_string(), max[axis].to_string()];
                let text =
                    format!("--slice: {name}={position} is outside of the scene, where {name} goes from {low} to {high}");
                return Err(Failure::Input(text));
            }
        }
        Ok(Self { options, search: PresentSearch::default(), top: 0, cells: Vec::new(), slab: None })
    }

    /// Computes the boxes of the cells at the positions of `fluid`.
    ///
    /// # Errors
    /// If the structure cannot cover the particles.
    pub fn update(&mut self, fluid: &View<'_>) -> Result<(), Failure> {
        let dimensions = fluid.discretization.dimensions;
        let contents = self.search.update(fluid).map_err(|error| Failure::Run(error.to_string()))?.contents();

        let layer = |cut: Cut| Slice { axis: cut.axis, layer: (cut.position / contents.cell_size).floor() as i32 };
        let slice = self.options.cut.map(layer);
        self.slab = slice.map(|slice| slice.slab(contents.cell_size));
        self.top = self.top.max(grid_boxes::occupancy_top(&contents));
        self.cells.clear();
        grid_boxes::boxes_up_to(self.top, &contents, self.options.coloring, slice, dimensions, &mut self.cells);
        Ok(())
    }

    /// Legend of the cells' colours in the pictures so far.
    pub fn legend(&self) -> String {
        match self.options.coloring {
            CellColoring::Occupancy => format!("cells: violet with 1 particle, to pale yellow with {} or more", self.top),
            CellColoring::Bucket => {
                "cells: those of the same colour may share a bucket, those of different colours do not".to_owned()
            }
            CellColoring::Collision => {
                "cells: grey with a bucket to themselves; yellow, orange, red, pink where 2, 3, 4, 5 or more share one"
                    .to_owned()
            }
        }
    }
}

/// Parses `occupancy`, `bucket` or `collision`.
fn coloring(text: &str) -> Result<CellColoring, String> {
    match text {
        "occupancy" => Ok(CellColoring::Occupancy),
        "bucket" => Ok(CellColoring::Bucket),
        "collision" => Ok(CellColoring::Collision),
        _ => Err("expected occupancy, bucket or collision".to_owned()),
    }
}

/// Parses a plane, `z=0.25`.
fn cut(text: &str) -> Result<Cut, String> {
    let parts = text.split_once('=').and_then(|(axis, position)| {
        let axis = AXES.iter().position(|name| *name == axis.trim())?;
        let position = position.trim().parse().ok().filter(|position: &f32| position.is_finite())?;
        Some(Cut { axis, position })
    });
    parts.ok_or_else(|| "expected AXIS=POSITION, with x, y or z and metres, such as z=0.25".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts() {
        assert_eq!(cut("z=0.25"), Ok(Cut { axis: 2, position: 0.25 }));
        assert_eq!(cut("x = -1"), Ok(Cut { axis: 0, position: -1.0 }));
        for bad in ["", "z", "0.25", "w=1", "z=", "z=nan", "z=inf", "z=1=2"] {
            assert!(cut(bad).is_err(), "{bad}");
        }
    }
}
