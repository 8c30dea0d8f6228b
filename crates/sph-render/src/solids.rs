//! Walls and bodies in pictures: their surfaces, their outlines, and bodies as particles.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::{Mesh, Sides};
use glam::Vec3;
use sph_color::{CATEGORIES, category};
use sph_core::{Body, Container, Dimensions, Discretization, DroppedBody, Face, Pose, Setup, Solid, Triangulation};
use sph_io::SolidStyle;

/// Walls and bodies of a scene.
#[derive(Debug, Default)]
pub struct Scenery {
    walls: Walls,
    /// Made when they are first drawn.
    bodies: OnceCell<BodyMeshes>,
    /// Bodies that have been dropped.
    dropped: Vec<DroppedBody>,
}

/// Styles of walls and bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneryStyle {
    /// Style of the walls.
    pub walls: SolidStyle,
    /// Style of the bodies; `None` for surfaces, or particles in a slice.
    pub bodies: Option<SolidStyle>,
    /// True to give each body the colour of its number.
    pub numbered: bool,
    /// True if only a slab of the scene is shown: surfaces cannot be cut to it, particles can.
    pub sliced: bool,
}

/// What one picture shows of walls and bodies.
#[derive(Debug)]
pub struct ShownScenery<'a> {
    /// Opaque surfaces.
    pub meshes: Vec<Mesh<'a>>,
    /// Surfaces of glass.
    pub glass: Vec<Mesh<'a>>,
    /// Outlines, m.
    pub outlines: Vec<[Vec3; 2]>,
    /// True if the edges of containers that are boxes are drawn.
    pub boxes: bool,
    /// True for each container that is no box.
    pub shaped: &'a [bool],
    /// True for a single container that is a round cylinder that stands upright.
    pub is_round: bool,
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
        let form = body_form(style.bodies, style.sliced, setup.discretization.dimensions);
        let (mut meshes, mut glass, mut outlines) = (Vec::new(), Vec::new(), Vec::new());
        match style.walls {
            SolidStyle::Shaded => meshes = self.walls.meshes(containers, Sides::Inside),
            SolidStyle::Glass => glass = self.walls.meshes(containers, Sides::Both),
            SolidStyle::Wireframe | SolidStyle::Hidden => {}
        }
        if style.walls != SolidStyle::Hidden {
            self.walls.push_outlines(containers, eye, &mut outlines);
        }
        let surfaces = || self.bodies.get_or_init(|| BodyMeshes::new(setup, &self.dropped));
        match form {
            BodyForm::Mesh => meshes.extend(surfaces().placed(bodies, style.numbered)),
            BodyForm::Glass => {
                let poses: Vec<Pose> = bodies.collect();
                glass.extend(surfaces().placed(poses.iter().copied(), style.numbered));
                surfaces().push_outlines(poses, eye, &mut outlines);
            }
            BodyForm::Outline => surfaces().push_outlines(bodies, eye, &mut outlines),
            BodyForm::Particles | BodyForm::Hidden => {}
        }
        ShownScenery {
            meshes,
            glass,
            outlines,
            boxes: style.walls != SolidStyle::Hidden,
            shaped: self.walls.shaped(),
            is_round: self.walls.is_round,
            bodies: form,
        }
    }
}

/// Form in which bodies are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyForm {
    /// Their particles, beside those of the fluid.
    Particles,
    /// Lit surfaces.
    Mesh,
    /// Clear surfaces with their outlines.
    Glass,
    /// Outlines.
    Outline,
    /// Not drawn.
    Hidden,
}

/// Form of the bodies in a style; without a style they are surfaces, or particles in a slice.
fn body_form(style: Option<SolidStyle>, sliced: bool, dimensions: Dimensions) -> BodyForm {
    match (style, sliced, dimensions) {
        (Some(SolidStyle::Hidden), ..) => BodyForm::Hidden,
        // Surfaces have three dimensions.
        (_, _, Dimensions::Two) | (None, true, _) => BodyForm::Particles,
        (Some(SolidStyle::Shaded), ..) | (None, false, _) => BodyForm::Mesh,
        (Some(SolidStyle::Glass), ..) => BodyForm::Glass,
        (Some(SolidStyle::Wireframe), ..) => BodyForm::Outline,
    }
}

// Walls: the shapes of the containers.

/// Colour of walls as meshes.
const WALL_COLOR: [u8; 3] = [132, 142, 156];

/// Shapes of the containers of a scene.
#[derive(Debug, Default)]
struct Walls {
    walls: Vec<Wall>,
    /// True for each container that is no box.
    shaped: Vec<bool>,
    /// True for a single container that is a round cylinder that stands upright.
    is_round: bool,
}

#[derive(Debug)]
struct Wall {
    /// Surface around the fluid, without open faces; empty in two dimensions.
    surface: Triangulation,
    /// Outline of a container that is no box.
    outline: Option<Outline>,
}

impl Walls {
    /// The containers of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        let dimensions = setup.discretization.dimensions;
        Self {
            walls: setup.containers.iter().map(|container| Wall::new(container, dimensions)).collect(),
            shaped: setup.containers.iter().map(|container| container.region.is_some()).collect(),
            is_round: dimensions == Dimensions::Three && matches!(&setup.containers[..], [container] if is_round(container)),
        }
    }

    /// True for each container that is no box.
    pub fn shaped(&self) -> &[bool] {
        &self.shaped
    }

    /// Surfaces in these poses, those beyond the end at rest.
    pub fn meshes(&self, poses: &[Pose], sides: Sides) -> Vec<Mesh<'_>> {
        let poses = poses.iter().copied().chain(std::iter::repeat(Pose::default()));
        let meshes = self.walls.iter().zip(poses).map(|(Wall { surface, .. }, pose)| Mesh {
            vertices: &surface.vertices,
            normals: &surface.normals,
            triangles: &surface.triangles,
            pose,
            color: WALL_COLOR,
            colors: &[],
            shaded: false,
            sides,
        });
        meshes.collect()
    }

    /// Appends the outlines of the containers that are no boxes as seen from `eye`, m.
    pub fn push_outlines(&self, poses: &[Pose], eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        for (index, wall) in self.walls.iter().enumerate() {
            if let Some(outline) = &wall.outline {
                outline.push(&poses.get(index).copied().unwrap_or_default(), eye, lines);
            }
        }
    }
}

/// True if the walls of `container` are those of a round cylinder that stands upright, whatever it was described as.
fn is_round(container: &Container) -> bool {
    let Container { min, max, ref region, .. } = *container;
    let Some(region) = region else { return false };
    let (middle, radius) = (0.5 * (min + max), 0.5 * (max.x - min.x));
    let is_small = |length: f32| length.abs() < 0.01 * radius;
    is_small(0.5 * (max.z - min.z) - radius)
        && (0..24).all(|step| {
            let (sin, cos) = (std::f32::consts::TAU * step as f32 / 24.0).sin_cos();
            let level = middle.y + 0.3 * (max.y - min.y) * (step % 3 - 1) as f32;
            let at = |share: f32| Vec3::new(middle.x + share * radius * cos, level, middle.z + share * radius * sin);
            is_small(region.signed_distance(at(1.0))) && region.contains(at(0.95))
        })
}

impl Wall {
    fn new(container: &Container, dimensions: Dimensions) -> Self {
        let Container { min, max, ref region, faces, .. } = *container;
        if dimensions == Dimensions::Two {
            let outline = region.as_ref().map(|region| Outline::contour(region, min, max));
            return Self { surface: Triangulation::default(), outline };
        }
        let closed = region.as_ref().map(|region| Triangulation::of_solid(&region.closed()));
        let mut surface = closed.unwrap_or_else(|| Triangulation::of_box(min, max));
        let near = 1e-4 * (max - min).max_element();
        let vertices = &surface.vertices;
        let lies_in = |triangle: &[u32; 3], face: Face| {
            let (axis, bound) = (face as usize / 2, if (face as usize).is_multiple_of(2) { min } else { max });
            triangle.iter().all(|&index| (vertices[index as usize][axis] - bound[axis]).abs() <= near)
        };
        let open: Vec<Face> = Face::ALL.into_iter().filter(|&face| !faces.contains(face)).collect();
        surface.triangles.retain(|triangle| !open.iter().any(|&face| lies_in(triangle, face)));
        let outline = region.is_some().then(|| Outline::of(&surface));
        Self { surface, outline }
    }
}

// Rigid bodies: their particles and their surfaces.

/// sRGB-encoded colour of bodies, as surfaces and as particles: far from every colour of the map of water, from blue to white, and from both rooms.
pub const BODY_COLOR: [u8; 3] = [186, 128, 82];

/// Surfaces of the rigid bodies of a scene.
#[derive(Debug, Default)]
struct BodyMeshes {
    surfaces: Vec<Triangulation>,
    /// Made when they are first drawn.
    outlines: OnceCell<Vec<Outline>>,
}

impl BodyMeshes {
    /// The bodies of a valid `setup`, and those that have been dropped; none in two dimensions.
    pub fn new(setup: &Setup, dropped: &[DroppedBody]) -> Self {
        let dropped = dropped.iter().map(|dropped| dropped.body().triangulation());
        Self { surfaces: setup.bodies.iter().map(Body::triangulation).chain(dropped).collect(), outlines: OnceCell::new() }
    }

    /// Meshes in these `poses`, in the colours of their numbers if they are `numbered`.
    pub fn placed(&self, poses: impl IntoIterator<Item = Pose>, numbered: bool) -> Vec<Mesh<'_>> {
        let color = |number: u32| if numbered { category(number % CATEGORIES) } else { BODY_COLOR };
        let placed = (0..).zip(self.surfaces.iter().zip(poses)).map(|(number, (mesh, pose))| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose,
            color: color(number),
            colors: &[],
            shaded: false,
            sides: Sides::Both,
        });
        placed.collect()
    }

    /// Appends the outlines in these `poses` as seen from `eye`, m.
    pub fn push_outlines(&self, poses: impl IntoIterator<Item = Pose>, eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        for (outline, pose) in self.outlines.get_or_init(|| self.surfaces.iter().map(Outline::of).collect()).iter().zip(poses) {
            outline.push(&pose, eye, lines);
        }
    }
}

/// The rigid bodies of a scene, sampled by particles.
#[derive(Debug, Default)]
pub struct Bodies {
    /// Positions of the particles of each body before any motion, m.
    bodies: Vec<Vec<Vec3>>,
    /// Number of bodies of the setup.
    described: usize,
    /// Those that have been dropped, which come after them.
    dropped: Vec<DroppedBody>,
    /// Positions of fluid and bodies, m: the latest result of [`Bodies::beside`].
    all: Vec<Vec3>,
}

impl Bodies {
    /// The bodies of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        let bodies: Vec<_> = setup.bodies.iter().map(|body| body.shown_particles(&setup.discretization)).collect();
        Self { described: bodies.len(), bodies, dropped: Vec::new(), all: Vec::new() }
    }

    /// Adds the bodies that have been `dropped`, in place of those before.
    pub fn set_dropped(&mut self, dropped: &[DroppedBody], discretization: &Discretization) {
        if self.dropped != dropped {
            self.bodies.truncate(self.described);
            self.bodies.extend(dropped.iter().map(|dropped| dropped.body().shown_particles(discretization)));
            self.dropped = dropped.to_vec();
        }
    }

    /// Number of the body of each particle of the bodies, in the order of [`Bodies::beside`].
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.bodies).flat_map(|(number, particles)| std::iter::repeat_n(number, particles.len()))
    }

    /// Positions of the fluid, followed by the positions of the particles of the bodies in `poses`, m.
    pub fn beside<'a>(&'a mut self, fluid: &'a [Vec3], poses: impl IntoIterator<Item = Pose>) -> &'a [Vec3] {
        if self.bodies.is_empty() {
            return fluid;
        }
        self.all.clear();
        self.all.extend_from_slice(fluid);
        for (particles, pose) in self.bodies.iter().zip(poses) {
            self.all.extend(particles.iter().map(|particle| pose.point(particle.as_dvec3()).as_vec3()));
        }
        &self.all
    }
}

// Outlines of solids: sharp edges, and the silhouette as seen from the camera; in two dimensions the contour.

/// Cosine of the angle between two triangles above which the edge between them is sharp: 30 degrees.
const SHARP: f32 = 0.866;
/// Squares along the longer side of the grid on which a contour is found.
const SQUARES: usize = 160;

/// Lines of a solid.
#[derive(Clone, Debug, Default)]
struct Outline {
    edges: Vec<Edge>,
    /// Normal and a point of each triangle.
    faces: Vec<(Vec3, Vec3)>,
}

/// A line between two triangles, or where one or more than two end.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [Vec3; 2],
    faces: [Option<u32>; 2],
}

impl Outline {
    /// The outline of a surface.
    pub fn of(surface: &Triangulation) -> Self {
        // In order, so that the lines are the same in every run.
        let mut found: BTreeMap<[[u32; 3]; 2], (Edge, usize)> = BTreeMap::new();
        let mut faces = Vec::with_capacity(surface.triangles.len());
        for triangle in &surface.triangles {
            let corners = triangle.map(|index| surface.vertices[index as usize]);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let face = faces.len() as u32;
            faces.push((normal, corners[0]));
            for side in 0..3 {
                let ends = [corners[side], corners[(side + 1) % 3]];
                // Vertices at a sharp edge are doubled: places tell which are the same.
                let mut key = ends.map(|end| end.to_array().map(f32::to_bits));
                key.sort_unstable();
                let (edge, count) = found.entry(key).or_insert((Edge { ends, faces: [None; 2] }, 0));
                match edge.faces.get_mut(*count) {
                    Some(free) => *free = Some(face),
                    // No silhouette of two faces decides where three meet: always a line.
                    None => edge.faces = [None; 2],
                }
                *count += 1;
            }
        }
        let edges = found.into_values().map(|(edge, _)| edge).filter(|edge| edge.ends[0] != edge.ends[1]).collect();
        Self { edges, faces }
    }

    /// The contour of `solid` in the plane z = 0, between two corners of a box around it, m.
    pub fn contour(solid: &Solid, min: Vec3, max: Vec3) -> Self {
        let extent = max - min;
        let side = extent.x.max(extent.y) / SQUARES as f32;
        if !(side > 0.0 && side.is_finite()) {
            return Self::default();
        }
        // A square more on each side, outside.
        let count = [extent.x, extent.y].map(|length| (length / side).ceil() as usize + 2);
        let place = |column: usize, row: usize| {
            Vec3::new(min.x - side, min.y - side, 0.0) + side * Vec3::new(column as f32, row as f32, 0.0)
        };
        let width = count[0] + 1;
        let distances: Vec<f32> =
            (0..width * (count[1] + 1)).map(|index| solid.signed_distance(place(index % width, index / width))).collect();
        let mut edges = Vec::new();
        for (row, column) in (0..count[1]).flat_map(|row| (0..count[0]).map(move |column| (row, column))) {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| (column + x, row + y));
            let at = corners.map(|(x, y)| (place(x, y), distances[y * width + x]));
            // Crossings of the border with the sides of the square, in order; in a saddle the first two belong together.
            let crossings = (0..4).filter_map(|side| {
                let ((from, a), (to, b)) = (at[side], at[(side + 1) % 4]);
                ((a < 0.0) != (b < 0.0)).then(|| from.lerp(to, a / (a - b)))
            });
            let crossings: Vec<Vec3> = crossings.collect();
            edges.extend(crossings.chunks_exact(2).map(|pair| Edge { ends: [pair[0], pair[1]], faces: [None; 2] }));
        }
        Self { edges, faces: Vec::new() }
    }

    /// Appends the lines in a pose as seen from `eye`, m.
    pub fn push(&self, pose: &Pose, eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        let eye = pose.start(eye.as_dvec3()).as_vec3();
        let face = |index: u32| self.faces[index as usize];
        let is_towards = |(normal, point): (Vec3, Vec3)| normal.dot(eye - point) > 0.0;
        let is_line = |edge: &&Edge| match edge.faces {
            [Some(a), Some(b)] => face(a).0.dot(face(b).0) < SHARP || is_towards(face(a)) != is_towards(face(b)),
            _ => true,
        };
        let shown = self.edges.iter().filter(is_line);
        lines.extend(shown.map(|edge| edge.ends.map(|end| pose.point(end.as_dvec3()).as_vec3())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::DroppedShape;

    #[test]
    fn an_upright_cylinder_is_a_round_tank() {
        let is_round = |shape: &str| {
            let text = format!(
                "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [-0.3, 0.1, -0.3]\nmax = [0.3, 0.4, 0.3]\n\
                 [[containers]]\nmin = [-1, 0, -1]\nmax = [1, 2, 1]\n{shape}\n"
            );
            let scene = sph_io::parse(&text, "dish", &[]).unwrap_or_else(|error| panic!("{error}"));
            Walls::new(&scene.setup).is_round
        };
        assert!(is_round("shape = 'cylinder'\nopen = ['y_max']"));
        for other in ["", "shape = 'cylinder'\naxis = 'x'", "shape = 'sphere'", "shape = 'capsule'"] {
            assert!(!is_round(other), "{other}");
        }
    }

    #[test]
    fn a_style_prevails_over_the_look_and_is_not_for_flat_scenes() {
        for sliced in [false, true] {
            assert_eq!(body_form(Some(SolidStyle::Hidden), sliced, Dimensions::Two), BodyForm::Hidden);
            assert_eq!(body_form(Some(SolidStyle::Shaded), sliced, Dimensions::Three), BodyForm::Mesh);
            assert_eq!(body_form(Some(SolidStyle::Wireframe), sliced, Dimensions::Three), BodyForm::Outline);
            assert_eq!(body_form(Some(SolidStyle::Shaded), sliced, Dimensions::Two), BodyForm::Particles);
        }
        assert_eq!(
            [false, true].map(|sliced| body_form(None, sliced, Dimensions::Three)),
            [BodyForm::Mesh, BodyForm::Particles]
        );
    }

    /// OKLab of an sRGB-encoded colour, 0 to 1 (Björn Ottosson, "A perceptual color space for image processing", 2020).
    fn oklab(color: [f32; 3]) -> Vec3 {
        let linear = color.map(|value| if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) });
        let cones = glam::Mat3::from_cols_array_2d(&[
            [0.412_221_47, 0.211_903_5, 0.088_302_46],
            [0.536_332_54, 0.680_699_5, 0.281_718_84],
            [0.051_445_99, 0.107_396_96, 0.629_978_7],
        ]) * Vec3::from(linear);
        glam::Mat3::from_cols_array_2d(&[
            [0.210_454_26, 1.977_998_5, 0.025_904_037],
            [0.793_617_8, -2.428_592_2, 0.782_771_77],
            [-0.004_072_047, 0.450_593_7, -0.808_675_77],
        ]) * cones.powf(1.0 / 3.0)
    }

    /// A distance of 0.02 in OKLab is just seen; that between the fluid at rest and at half its range is 0.2.
    #[test]
    fn bodies_have_a_colour_that_neither_the_fluid_nor_a_room_has() {
        let encoded = |color: [u8; 3]| color.map(|value| f32::from(value) / 255.0);
        let body = oklab(encoded(BODY_COLOR));
        let map: [[u8; 3]; 256] = sph_color::ColorMap::Water.table();
        for color in map {
            let apart = body.distance(oklab(encoded(color)));
            assert!(apart > 0.2, "{color:?}: {apart}");
        }
        let text = include_str!("../../../shaders/common/color.wgsl");
        let rooms = text.lines().filter(|line| line.starts_with("const BACKDROP_") || line.starts_with("const LIGHT_"));
        let mut count = 0;
        for line in rooms {
            let numbers = line.split_once("vec3f(").and_then(|(_, rest)| rest.split_once(')')).expect("a colour").0;
            let color: Vec<f32> = numbers.split(',').map(|number| number.trim().parse().expect("a number")).collect();
            let apart = body.distance(oklab(color.try_into().expect("three channels")));
            assert!(apart > 0.2, "{line}: {apart}");
            count += 1;
        }
        assert_eq!(count, 6);
    }

    fn walls(keys: &str) -> Walls {
        let text = format!(
            "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.1, -0.1, -0.1]\nmax = [0.1, 0.1, 0.1]\n\
             [[containers]]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\n{keys}\n"
        );
        Walls::new(&sph_io::parse(&text, "walls", &[]).unwrap_or_else(|error| panic!("{error}")).setup)
    }

    #[test]
    fn an_open_face_is_left_out() {
        let triangles = |keys: &str| walls(keys).walls[0].surface.triangles.len();
        assert_eq!((triangles(""), triangles("open = ['y_max']")), (12, 10));
        let cylinder = "shape = 'cylinder'\naxis = 'y'\n";
        // Area within 0.05 m of the ceiling or of the floor, which is a disc of π m²; the side reaches from one to the other.
        let area = |keys: &str, y: f32| {
            let Wall { surface, .. } = &walls(keys).walls[0];
            let corners = surface.triangles.iter().map(|triangle| triangle.map(|index| surface.vertices[index as usize]));
            let near = corners.filter(|corners| corners.iter().all(|corner| (corner.y - y).abs() < 0.05));
            near.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum::<f32>()
        };
        let open = format!("{cylinder}open = ['y_max']");
        assert!(area(cylinder, 1.0) > 3.0 && area(&open, 1.0) == 0.0 && area(&open, -1.0) > 3.0);
        assert_eq!(walls(&open).shaped(), [true]);
    }

    #[test]
    fn bodies_come_after_the_fluid_and_move() {
        let text = |motion: &str| {
            format!(
                "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [2.2, 0.2]\n{motion}\n"
            )
        };
        let placed = |motion: &str, time: f64| {
            let setup = sph_io::parse(&text(motion), "body", &[]).expect("the scene is valid").setup;
            let poses = setup.bodies.iter().map(|body| body.motion.pose(time));
            Bodies::new(&setup).beside(&[Vec3::ZERO], poses).to_vec()
        };
        let turned = placed("rotation = { angular_velocity = 90, pivot = [2, 0] }", 1.0);
        assert!(turned[1].abs_diff_eq(Vec3::new(1.95, 0.05, 0.0), 1e-6));
        let all = placed("velocity = [1, 0]", 0.5);
        assert_eq!((all.len(), all[0]), (1 + 4, Vec3::ZERO));
        assert!(all[1].abs_diff_eq(Vec3::new(2.55, 0.05, 0.0), 1e-6), "{}", all[1]);
        assert_eq!(Bodies::default().beside(&[Vec3::ZERO], []), [Vec3::ZERO]);
    }

    /// Every place inside is closer to a particle than the diagonal of a cell.
    #[test]
    fn bodies_in_the_plane_are_filled() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [3, 1]\n[[bodies]]\nshape = 'cylinder'\naxis = 'z'\nmin = [4, 0]\nmax = [6, 2]\n";
        let setup = sph_io::parse(text, "bodies", &[]).expect("the scene is valid").setup;
        let center = Vec3::new(8.0, 1.0, 0.0);
        let ball = DroppedBody { center, size: 1.0, shape: DroppedShape::Ball, density: 1.0, velocity: Vec3::ZERO };
        let mut bodies = Bodies::new(&setup);
        bodies.set_dropped(&[ball], &setup.discretization);
        let shown = bodies.beside(&[], [Pose::default(); 3]);
        let inside = |at: Vec3| {
            (at - Vec3::new(2.5, 0.5, 0.0)).abs().max_element() < 0.5
                || at.distance(Vec3::new(5.0, 1.0, 0.0)) < 1.0
                || at.distance(center) < 0.5
        };
        let places = (0..200 * 40).map(|cell| 0.05 * Vec3::new((cell % 200) as f32, (cell / 200) as f32, 0.0));
        let gaps: Vec<Vec3> =
            places.filter(|&at| inside(at) && shown.iter().all(|particle| particle.distance(at) > 0.142)).collect();
        assert!(gaps.is_empty() && shown.iter().all(|&at| inside(at)), "{gaps:?}");
    }

    #[test]
    fn numbered_bodies_have_the_colors_of_the_legend() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                    [[bodies]]\nmin = [2, 0, 0]\nmax = [2.2, 0.2, 0.2]\n[[bodies]]\nmin = [3, 0, 0]\nmax = [3.2, 0.2, 0.2]\n\
                    [view]\ncolor = 'body'\n";
        let scene = sph_io::parse(text, "bodies", &[]).expect("the scene is valid");
        let meshes = BodyMeshes::new(&scene.setup, &[]);
        let colors = |numbered| meshes.placed([Pose::default(); 2], numbered).iter().map(|mesh| mesh.color).collect::<Vec<_>>();
        let legend = sph_color::named_colors(scene.view.color, &scene).expect("bodies have names");
        let named: Vec<[u8; 3]> = legend.iter().map(|(_, color)| *color).collect();
        assert!(colors(true).iter().all(|color| named.contains(color)) && colors(true)[0] != colors(true)[1], "{named:?}");
        assert_eq!(colors(false), [BODY_COLOR; 2]);
    }

    fn lines(outline: &Outline, eye: Vec3) -> Vec<[Vec3; 2]> {
        let mut lines = Vec::new();
        outline.push(&Pose::default(), eye, &mut lines);
        lines
    }

    #[test]
    fn a_box_has_its_twelve_edges_from_everywhere() {
        let outline = Outline::of(&Triangulation::of_box(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)));
        for eye in [Vec3::splat(9.0), Vec3::new(0.5, 0.5, 20.0), Vec3::splat(0.5)] {
            assert_eq!(lines(&outline, eye).len(), 12);
        }
    }

    /// A sphere of radius 1 seen from the distance d: the silhouette is a circle at 1/d from its middle towards the eye.
    #[test]
    fn a_sphere_has_its_silhouette() {
        let outline = Outline::of(&Triangulation::of_ellipsoid(Vec3::NEG_ONE, Vec3::ONE));
        let seen = lines(&outline, Vec3::new(0.0, 0.0, 4.0));
        assert!(seen.len() > 20);
        for point in seen.into_iter().flatten() {
            assert!((point.length() - 1.0).abs() < 1e-3 && (point.z - 0.25).abs() < 0.15, "{point}");
        }
    }

    #[test]
    fn the_contour_of_a_disc_is_a_circle() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.2, -0.2]\nmax = [0.2, 0.2]\n\
                    [[containers]]\nshape = 'cylinder'\naxis = 'z'\nmin = [-1, -1]\nmax = [1, 1]\n";
        let setup = sph_io::parse(text, "disc", &[]).unwrap_or_else(|error| panic!("{error}")).setup;
        let container = &setup.containers[0];
        let region = container.region.as_ref().expect("a disc is no box");
        let circle = lines(&Outline::contour(region, container.min, container.max), Vec3::Z);
        let length: f32 = circle.iter().map(|[from, to]| from.distance(*to)).sum();
        assert!((length / std::f32::consts::TAU - 1.0).abs() < 0.01, "{length}");
        assert!(circle.iter().flatten().all(|point| (point.length() - 1.0).abs() < 1e-3));
    }
}
