//! Description of a sheet of cloth, its errors and remarks.

use super::Sheet;
use super::mesh::Mesh;
use glam::Vec3;
use sph_core::{MAX_SPEED, Motion};

/// Largest number of vertices of a sheet.
pub const MAX_VERTICES: usize = 1 << 22;

/// Largest coordinate of a vertex, m.
const FARTHEST: f32 = 1e4;

/// Longest edge, in thicknesses, at which vertices alone keep sheets apart: when two edges cross at right angles, each in its middle, their
/// ends are 1/√2 of their length apart, which must not be more than the thickness.
const CLOSED: f32 = std::f32::consts::SQRT_2;

/// A sheet of cloth, as a user describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ClothSetup {
    /// Name of its point set.
    pub name: String,
    /// Positions of the vertices at the start, m.
    pub vertices: Vec<Vec3>,
    /// Rest shape: positions of the vertices in which nothing is stretched or bent, m. Empty: the sheet starts at rest.
    pub rest_shape: Vec<Vec3>,
    /// Triangles: indices of their vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Velocity of all vertices at the start, m/s.
    pub velocity: Vec3,
    /// Areal density, kg/m².
    pub areal_density: f32,
    /// Thickness, m: vertices farther apart at rest keep this distance.
    pub thickness: f32,
    /// Compliance of an edge, m/N: the inverse of its stiffness. 0 does not stretch.
    pub stretch_compliance: f32,
    /// Compliance of the distance between the two vertices across an edge, m/N; infinite without resistance to bending.
    pub bending_compliance: f32,
    /// Rate at which stretching and bending motion decays, 1/s.
    pub damping: f32,
    /// Coefficient of friction μ, with solids, spheres and itself; of two sheets that touch, the mean counts.
    pub friction: f32,
    /// Density of the air times the drag coefficient of a flat plate, kg/m³: about 1.4 in air, 0 without drag or wind.
    pub drag: f32,
    /// Vertices that no force moves.
    pub pins: Vec<Pin>,
    /// Strain at which an edge tears; infinite if it never does.
    pub tear_strain: f32,
}

/// A vertex that no force moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Index of the vertex.
    pub vertex: u32,
    /// Its motion from where it starts; without one it stays.
    pub motion: Option<Motion>,
}

/// A rectangular grid of vertices.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// First corner, m.
    pub corner: Vec3,
    /// Vector from a vertex to the next in its row, m.
    pub along: Vec3,
    /// Vector from a row to the next, m.
    pub across: Vec3,
    /// Number of vertices in a row.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
}

/// An error in the description of a sheet.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClothError {
    /// The number of vertices is out of range.
    #[error("the cloth has {found} vertices, but must have 3 to {MAX_VERTICES}")]
    VertexCount {
        /// Number of vertices.
        found: usize,
    },
    /// There is no triangle.
    #[error("the cloth has no triangles")]
    NoTriangles,
    /// The rest shape has another number of vertices.
    #[error("the rest shape has {found} vertices, but the cloth has {expected}")]
    RestShapeCount {
        /// Number of vertices of the rest shape.
        found: usize,
        /// Number of vertices.
        expected: usize,
    },
    /// A vertex is nowhere.
    #[error("vertex {vertex} is at {position}, which is not finite or is farther than 10 km away")]
    BadPosition {
        /// Index of the vertex.
        vertex: usize,
        /// Its position, m.
        position: Vec3,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} has vertex {vertex}, but there are only {count}")]
    NoSuchVertex {
        /// Index of the triangle.
        triangle: usize,
        /// Index of the vertex.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A triangle has no area at rest.
    #[error("triangle {triangle} has no area at rest")]
    FlatTriangle {
        /// Index of the triangle.
        triangle: usize,
    },
    /// A vertex belongs to no triangle, and hence has no mass.
    #[error("vertex {vertex} belongs to no triangle, so it has no mass")]
    LooseVertex {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A number is out of range.
    #[error("{what} is {value}, but must be {range}")]
    OutOfRange {
        /// The number.
        what: &'static str,
        /// Its value.
        value: f32,
        /// Its range, in words.
        range: &'static str,
    },
    /// The thickness exceeds every edge.
    #[error("the thickness of {thickness} m is above the longest edge, {longest} m: refine less, or make the cloth thinner")]
    TooThick {
        /// Thickness, m.
        thickness: f32,
        /// Length of the longest edge at rest, m.
        longest: f32,
    },
    /// A pin names a vertex that does not exist.
    #[error("vertex {vertex} is pinned, but there are only {count}")]
    NoSuchPin {
        /// Index of the vertex.
        vertex: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A vertex is pinned twice.
    #[error("vertex {vertex} is pinned twice")]
    PinnedTwice {
        /// Index of the vertex.
        vertex: u32,
    },
}

/// A remark on a valid sheet: a likely mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum ClothRemark {
    /// Edges of more than two triangles: the sheet does not resist bending there.
    NonManifold {
        /// Number of such edges.
        edges: usize,
    },
    /// Some edges are shorter than the thickness, so that their vertices stay as near as they are at rest.
    ThickerThanEdges {
        /// Number of such edges.
        edges: usize,
        /// Length of the shortest edge at rest, m.
        shortest: f32,
    },
    /// Some edges are so long that a vertex fits through a triangle.
    CoarserThanThickness {
        /// Length of the longest edge at rest, m.
        longest: f32,
        /// Thickness that closes the triangles, m: the least that does, rounded up to three significant digits.
        advised: f32,
    },
    /// Nothing holds the sheet and nothing pulls it.
    Adrift,
    /// Vertices start closer than the thickness, and closer than at rest; they are pushed apart at once.
    StartsTooClose {
        /// Number of pairs of them.
        pairs: usize,
    },
}

impl ClothSetup {
    /// A sheet of a mesh, with a usual weight and hardly elastic, as thick as its shortest edge.
    pub fn new(name: impl Into<String>, vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let at = |index: u32| vertices.get(index as usize).copied();
        let length = |a: u32, b: u32| at(a).zip(at(b)).map(|(a, b)| a.distance(b)).filter(|&length| length > 0.0);
        let edges = triangles.iter().flat_map(|&[a, b, c]| [length(a, b), length(b, c), length(c, a)]).flatten();
        let shortest = edges.fold(f32::INFINITY, f32::min);
        Self {
            name: name.into(),
            vertices,
            rest_shape: Vec::new(),
            triangles,
            velocity: Vec3::ZERO,
            areal_density: 0.2,
            thickness: shortest,
            stretch_compliance: 0.0,
            bending_compliance: 1.0,
            damping: 0.0,
            friction: 0.3,
            drag: 0.0,
            pins: Vec::new(),
            tear_strain: f32::INFINITY,
        }
    }

    /// A sheet of a grid whose squares are cut by alternating diagonals, so that it has no direction of its own. Vertex `k` of row `r` has
    /// index `r · columns + k`. A grid with too many vertices, or none, is left empty, which is an error later.
    pub fn grid(name: impl Into<String>, grid: &Grid) -> Self {
        let Grid { corner, along, across, columns, rows } = *grid;
        let count = u64::from(columns) * u64::from(rows);
        if count > MAX_VERTICES as u64 {
            return Self::new(name, Vec::new(), Vec::new());
        }
        let point = |k: u32| corner + (k % columns) as f32 * along + (k / columns) as f32 * across;
        let vertices = (0..count as u32).map(point).collect();
        let square = |k: u32| {
            let (low, high) = (k, k + columns);
            if (k % columns + k / columns).is_multiple_of(2) {
                [[low, low + 1, high + 1], [low, high + 1, high]]
            } else {
                [[low, low + 1, high], [low + 1, high + 1, high]]
            }
        };
        let squares =
            (0..rows.saturating_sub(1)).flat_map(|row| (0..columns.saturating_sub(1)).map(move |k| row * columns + k));
        Self::new(name, vertices, squares.flat_map(square).collect())
    }

    /// Returns the sheet with these vertices pinned where they are.
    #[must_use]
    pub fn pinned(mut self, vertices: impl IntoIterator<Item = u32>) -> Self {
        self.pins.extend(vertices.into_iter().map(|vertex| Pin { vertex, motion: None }));
        self
    }

    /// The shape in which nothing is stretched or bent, m.
    pub fn rest_positions(&self) -> &[Vec3] {
        if self.rest_shape.is_empty() { &self.vertices } else { &self.rest_shape }
    }

    /// The sheet, with its edges and masses.
    ///
    /// # Errors
    /// The description makes no sense.
    pub fn sheet(&self) -> Result<Sheet, ClothError> {
        self.check_vertices()?;
        self.check_numbers()?;
        let mesh = Mesh::new(self)?;
        let longest = mesh.edges.iter().map(|edge| edge.length).fold(0.0, f32::max);
        if self.thickness > longest {
            return Err(ClothError::TooThick { thickness: self.thickness, longest });
        }
        Ok(Sheet::new(self, mesh))
    }

    /// Remarks on a valid sheet in an acceleration by external forces, m/s². An invalid sheet has none.
    pub fn remarks(&self, acceleration: Vec3) -> Vec<ClothRemark> {
        let Ok(sheet) = self.sheet() else { return Vec::new() };
        let mut remarks = Vec::new();
        let lengths = || sheet.edges().map(|edge| edge.length);
        if sheet.crowded_edges() > 0 {
            remarks.push(ClothRemark::NonManifold { edges: sheet.crowded_edges() });
        }
        // Lengths of a grid are equal to rounding only.
        let short = lengths().filter(|&length| length < 0.999 * self.thickness).count();
        if short > 0 {
            remarks.push(ClothRemark::ThickerThanEdges { edges: short, shortest: lengths().fold(f32::INFINITY, f32::min) });
        }
        let longest = lengths().fold(0.0, f32::max);
        if longest > 1.001 * CLOSED * self.thickness {
            remarks.push(ClothRemark::CoarserThanThickness { longest, advised: closing_thickness(longest) });
        }
        let still = self.velocity == Vec3::ZERO && self.rest_shape.is_empty();
        if self.pins.is_empty() && acceleration == Vec3::ZERO && self.drag == 0.0 && still {
            remarks.push(ClothRemark::Adrift);
        }
        let pairs = sheet.overlaps_at_start();
        if pairs > 0 {
            remarks.push(ClothRemark::StartsTooClose { pairs });
        }
        remarks
    }

    fn check_numbers(&self) -> Result<(), ClothError> {
        let positive = |value: f32| value > 0.0 && value.is_finite();
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let checks = [
            ("the areal density", self.areal_density, positive(self.areal_density), "positive, kg/m²"),
            ("the thickness", self.thickness, positive(self.thickness), "positive, m"),
            ("the stretch compliance", self.stretch_compliance, not_negative(self.stretch_compliance), "0 or more, m/N"),
            ("the bending compliance", self.bending_compliance, self.bending_compliance >= 0.0, "0 or more, m/N"),
            ("the damping", self.damping, not_negative(self.damping), "0 or more, 1/s"),
            ("the friction", self.friction, not_negative(self.friction), "0 or more"),
            ("the drag", self.drag, not_negative(self.drag), "0 or more, kg/m³"),
            ("the strain at which the cloth tears", self.tear_strain, self.tear_strain > 0.0, "positive"),
            ("the speed at the start", self.velocity.length(), self.velocity.length() <= MAX_SPEED, "at most 10⁶ m/s"),
        ];
        match checks.into_iter().find(|check| !check.2) {
            Some((what, value, _, range)) => Err(ClothError::OutOfRange { what, value, range }),
            None => Ok(()),
        }
    }

    fn check_vertices(&self) -> Result<(), ClothError> {
        let count = self.vertices.len();
        if !(3..=MAX_VERTICES).contains(&count) {
            return Err(ClothError::VertexCount { found: count });
        }
        if self.triangles.is_empty() {
            return Err(ClothError::NoTriangles);
        }
        if !self.rest_shape.is_empty() && self.rest_shape.len() != count {
            return Err(ClothError::RestShapeCount { found: self.rest_shape.len(), expected: count });
        }
        for positions in [&self.vertices, &self.rest_shape] {
            let near = |position: &Vec3| position.abs().max_element() <= FARTHEST && position.is_finite();
            if let Some(vertex) = positions.iter().position(|position| !near(position)) {
                return Err(ClothError::BadPosition { vertex, position: positions[vertex] });
            }
        }
        let mut pinned = vec![false; count];
        for &Pin { vertex, .. } in &self.pins {
            match pinned.get_mut(vertex as usize) {
                None => return Err(ClothError::NoSuchPin { vertex, count }),
                Some(true) => return Err(ClothError::PinnedTwice { vertex }),
                Some(pin) => *pin = true,
            }
        }
        Ok(())
    }
}

/// Least thickness (m) without a remark on edges up to `longest` (m), rounded up to three significant digits. Half of what the remark leaves to
/// rounding is used: the edges of a grid may be longer than meant by rounding, which must not add a digit.
fn closing_thickness(longest: f32) -> f32 {
    let least = f64::from(longest) / (1.0005 * f64::from(CLOSED));
    let decimals = 2 - least.log10().floor() as i32;
    // Numbers below 1 are divided by a power of ten, which is exact, so that the quotient is the number as it is written.
    let scale = 10.0_f64.powi(decimals.abs());
    let rounded = if decimals < 0 { (least / scale).ceil() * scale } else { (least * scale).ceil() / scale };
    rounded as f32
}
