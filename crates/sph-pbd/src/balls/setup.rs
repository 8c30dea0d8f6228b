//! Description of a set of balls, its checks, and the set that follows from it.

use super::dynamics::BallSet;
use super::material::BallMaterial;
use super::packing;
use super::pour::{Pour, mass};
use super::radii::{MAX_RADIUS_RATIO, Radii};
use super::step::SPIN;
use glam::{IVec3, Vec3};
use sph_core::MAX_SPEED;
use sph_core::neighbors::{CellOrder, GridParameters, HashFunction, SphereSearch, Structure};
use sph_core::parameters::{MAX_TABLE_SIZE, Storage, Walk};
use sph_core::point_sets::{ColumnValues, PointSet};

/// Most balls of a set.
pub const MAX_BALLS: usize = 1_000_000;

/// Most balls whose centres may lie in a cube as wide as the smallest radius: more are not balls, but a mistake.
const MOST_IN_A_CUBE: usize = 64;

/// Overlap, in radii of the smaller ball, from which on it is remarked on.
const OVERLAP: f32 = 0.02;

/// Description of a set of balls.
#[derive(Clone, Debug, PartialEq)]
pub struct BallsSetup {
    /// Name of the set.
    pub name: String,
    /// Number of balls, 1 to [`MAX_BALLS`].
    pub count: usize,
    /// Radii.
    pub radii: Radii,
    /// Seed of radii and places.
    pub seed: u64,
    /// Places.
    pub placement: Placement,
    /// Density, kg/m³.
    pub density: f32,
    /// Material.
    pub material: BallMaterial,
    /// Initial velocity, m/s.
    pub velocity: Vec3,
    /// Initial angular velocity, rad/s.
    pub spin: Vec3,
    /// sRGB-encoded colour in pictures; `None` for one that the program chooses.
    pub color: Option<[u8; 3]>,
}

/// Places of the balls of a set.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// Centres, m.
    At(Vec<Vec3>),
    /// Anywhere in a box, without overlap.
    Fill {
        /// Lowest corner, m.
        min: Vec3,
        /// Highest corner, m.
        max: Vec3,
    },
    /// Poured from an opening.
    Pour {
        /// Lowest corner of the opening, m.
        min: Vec3,
        /// Highest corner of the opening, m.
        max: Vec3,
        /// Time of the first ball, s.
        start: f64,
        /// Balls per second.
        rate: f64,
    },
}

/// A set of balls at the beginning of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBalls {
    /// Their description.
    pub setup: BallsSetup,
    /// The balls; those to be poured are not yet among them.
    pub points: PointSet,
    /// Material, radii and pour, for the dynamics.
    pub set: BallSet,
    /// Likely mistakes.
    pub remarks: Vec<BallRemark>,
}

/// A fault in the description of balls.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BallsError {
    /// The number of balls is 0 or too large.
    #[error("{0} balls: 1 to {MAX_BALLS} are possible")]
    Count(usize),
    /// A radius is not a positive number.
    #[error("a radius is {radius} m, which is not a positive number")]
    Radius {
        /// Its index among the radii that are given.
        index: usize,
        /// The radius, m.
        radius: f32,
    },
    /// Radii differ too much.
    #[error("radii from {min} to {max} m differ by a factor of {:.1}; at most {MAX_RADIUS_RATIO} is possible", max / min)]
    Ratio {
        /// Smallest radius, m.
        min: f32,
        /// Largest radius, m.
        max: f32,
    },
    /// The limits of a distribution are in the wrong order.
    #[error("the smallest radius, {min} m, is larger than the largest, {max} m")]
    RadiiOutOfOrder {
        /// Smallest radius, m.
        min: f32,
        /// Largest radius, m.
        max: f32,
    },
    /// A list has a wrong length.
    #[error("{found} {what} for {needed} {of}")]
    Length {
        /// Name of the list.
        what: &'static str,
        /// Length of the list.
        found: usize,
        /// Length that it should have.
        needed: usize,
        /// Name of what it belongs to.
        of: &'static str,
    },
    /// A number is out of its range.
    #[error("{what}: {found} is not {expected}")]
    Number {
        /// Name of the number.
        what: &'static str,
        /// The number.
        found: f32,
        /// Its range.
        expected: &'static str,
    },
    /// A centre is not finite.
    #[error("the centre of ball {ball}, {center}, is not finite")]
    Center {
        /// Index of the ball.
        ball: usize,
        /// Its centre, m.
        center: Vec3,
    },
    /// A box is empty, or not finite.
    #[error("the box from {min} to {max} is empty or not finite")]
    Box {
        /// Lowest corner, m.
        min: Vec3,
        /// Highest corner, m.
        max: Vec3,
    },
    /// Balls would take up more of a box than any random filling reaches.
    #[error("{count} balls would take {:.0} % of the box: a random filling takes 36 % with equal balls", 100.0 * part)]
    TooFull {
        /// Number of balls.
        count: usize,
        /// Volume of all balls over that of the box.
        part: f32,
    },
    /// A box has no room for all balls.
    #[error(
        "{placed} of {count} balls, the largest first, find room in the box, of which all would take {:.0} %: a random filling takes \
            36 % with equal balls", 100.0 * part
    )]
    NoRoom {
        /// Number of balls that were placed.
        placed: usize,
        /// Number of balls.
        count: usize,
        /// Volume of all balls over that of the box.
        part: f32,
    },
    /// The opening is narrower than the largest ball.
    #[error("the largest ball, {width} m wide, does not fit through the opening from {min} to {max}")]
    NarrowOpening {
        /// Diameter of the largest ball, m.
        width: f32,
        /// Lowest corner of the opening, m.
        min: Vec3,
        /// Highest corner, m.
        max: Vec3,
    },
    /// Many balls are in the same place.
    #[error("{count} balls have their centres within {width} m of each other, around {center}")]
    Heap {
        /// Number of balls.
        count: usize,
        /// Smallest radius, m.
        width: f32,
        /// Centre of one of them, m.
        center: Vec3,
    },
}

/// A likely mistake in the description of balls.
#[derive(Clone, Debug, PartialEq)]
pub enum BallRemark {
    /// Balls overlap at the beginning; they are pushed apart.
    Overlap {
        /// Number of pairs that overlap by more than 2 % of the smaller radius.
        pairs: usize,
        /// Indices of the balls that overlap most.
        deepest: [u32; 2],
        /// Their overlap, m.
        depth: f32,
    },
    /// The opening lets through fewer balls than are poured.
    SlowOpening {
        /// Balls per second that pass, about.
        passing: f64,
        /// Balls per second that are poured.
        rate: f64,
    },
}

impl std::fmt::Display for BallRemark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Overlap { pairs, deepest: [a, b], depth } => {
                let overlap = if *pairs == 1 { "pair of balls overlaps" } else { "pairs of balls overlap" };
                write!(formatter, "{pairs} {overlap} at the beginning, balls {a} and {b} by {depth} m; they are pushed apart")
            }
            Self::SlowOpening { passing, rate } => write!(
                formatter,
                "the opening lets about {passing:.0} balls pass in a second, not {rate:.0}: balls wait; make it larger, or the balls faster"
            ),
        }
    }
}

impl BallsSetup {
    /// Checks the description, and makes the balls.
    ///
    /// # Errors
    /// A number is out of its range, or balls find no room.
    pub fn build(&self) -> Result<NewBalls, BallsError> {
        if !(1..=MAX_BALLS).contains(&self.count) {
            return Err(BallsError::Count(self.count));
        }
        self.check_numbers()?;
        let radii = self.radii.draw(self.count, self.seed)?;
        let largest = radii.iter().copied().fold(0.0, f32::max);
        number("mass of the largest ball (kg)", mass(largest, self.density), f32::MIN_POSITIVE..=f32::MAX, "a finite number")?;
        let smallest = radii.iter().copied().fold(f32::INFINITY, f32::min);
        number("mass of the smallest ball (kg)", mass(smallest, self.density), f32::MIN_POSITIVE..=f32::MAX, "above 0")?;
        let mut remarks = Vec::new();
        let mut set =
            BallSet { material: self.material, radii: radii.into(), density: self.density, seed: self.seed, pour: None };
        let radii = &set.radii;
        let centers = match self.placement {
            Placement::At(ref centers) => {
                check_centers(centers, radii)?;
                remarks.extend(overlap(centers, radii));
                centers.clone()
            }
            Placement::Fill { min, max } => {
                check_box(min, max)?;
                let part = radii.iter().map(|&radius| mass(radius, 1.0)).sum::<f32>() / (max - min).element_product();
                if part > packing::MOST_FILLING {
                    return Err(BallsError::TooFull { count: self.count, part });
                }
                packing::fill(min, max, radii, self.seed).map_err(|placed| BallsError::NoRoom {
                    placed,
                    count: self.count,
                    part,
                })?
            }
            Placement::Pour { min, max, start, rate } => {
                let pour = self.pour([min, max], start, rate, radii)?;
                remarks.extend(slow_opening(&pour, radii));
                set.pour = Some(pour);
                Vec::new()
            }
        };
        let points = self.points(set.radii[..centers.len()].to_vec(), centers);
        Ok(NewBalls { setup: self.clone(), points, set, remarks })
    }

    fn points(&self, radii: Vec<f32>, positions: Vec<Vec3>) -> PointSet {
        let count = positions.len();
        let mut points = PointSet {
            name: self.name.clone(),
            rounding_errors: vec![Vec3::ZERO; count],
            velocities: vec![self.velocity; count],
            masses: radii.iter().map(|&radius| mass(radius, self.density)).collect(),
            ids: (0..count as u32).collect(),
            positions,
            radii,
            columns: Vec::new(),
        };
        points.set_column(SPIN, "rad/s", ColumnValues::Vectors(vec![self.spin; count]));
        points
    }

    fn pour(&self, [min, max]: [Vec3; 2], start: f64, rate: f64, radii: &[f32]) -> Result<Pour, BallsError> {
        check_box(min, max)?;
        number("balls per second", rate as f32, 1e-3..=1e6, "0.001 to 1000000")?;
        number("time of the first ball (s)", start as f32, -f32::MAX..=f32::MAX, "a finite number")?;
        let width = 2.0 * radii.iter().copied().fold(0.0, f32::max);
        if (max - min).min_element() < width {
            return Err(BallsError::NarrowOpening { width, min, max });
        }
        Ok(Pour { min, max, start, rate, velocity: self.velocity, spin: self.spin })
    }

    fn check_numbers(&self) -> Result<(), BallsError> {
        let BallMaterial { friction, rolling_friction, restitution } = self.material;
        number("density (kg/m³)", self.density, f32::MIN_POSITIVE..=1e6, "above 0, at most 1000000")?;
        number("friction", friction, 0.0..=10.0, "0 to 10")?;
        number("rolling friction", rolling_friction, 0.0..=1.0, "0 to 1")?;
        number("restitution", restitution, 0.0..=1.0, "0 to 1")?;
        number("speed (m/s)", self.velocity.length(), 0.0..=MAX_SPEED, "a finite number within the fastest speed")?;
        number("spin (rad/s)", self.spin.length(), 0.0..=1e6, "at most 1000000")
    }
}

fn number(
    what: &'static str,
    found: f32,
    range: std::ops::RangeInclusive<f32>,
    expected: &'static str,
) -> Result<(), BallsError> {
    if range.contains(&found) { Ok(()) } else { Err(BallsError::Number { what, found, expected }) }
}

fn check_box(min: Vec3, max: Vec3) -> Result<(), BallsError> {
    let is_box = (max - min).is_finite() && min.cmplt(max).all();
    is_box.then_some(()).ok_or(BallsError::Box { min, max })
}

/// Checks that there are as many centres as radii, all finite, and not too many in one place.
fn check_centers(centers: &[Vec3], radii: &[f32]) -> Result<(), BallsError> {
    if centers.len() != radii.len() {
        return Err(BallsError::Length { what: "centres", found: centers.len(), needed: radii.len(), of: "balls" });
    }
    if let Some(ball) = centers.iter().position(|center| !center.is_finite()) {
        return Err(BallsError::Center { ball, center: centers[ball] });
    }
    let width = radii.iter().copied().fold(f32::INFINITY, f32::min);
    let cell = |ball: u32| -> IVec3 { CellOrder::cell_of(centers[ball as usize], width) };
    let mut order = CellOrder::default();
    let order = order.sort(centers, width);
    match order.chunk_by(|&a, &b| cell(a) == cell(b)).find(|balls| balls.len() > MOST_IN_A_CUBE) {
        Some(balls) => Err(BallsError::Heap { count: balls.len(), width, center: centers[balls[0] as usize] }),
        None => Ok(()),
    }
}

/// Parameters of the search of balls with these radii (m) unless others are set: the block map in the form that is fastest for balls of
/// sizes 1 : 10 and 1 : 20 (`examples/ball_speed.rs`), with blocks twice as wide as a ball of mean volume.
pub fn usual_grid(radii: &[f32]) -> GridParameters {
    let mean = radii.iter().map(|&radius| f64::from(radius).powi(3)).sum::<f64>() / radii.len().max(1) as f64;
    let cell_size = (4.0 * mean.cbrt() as f32).max(f32::MIN_POSITIVE);
    let table_size = (2 * radii.len()).clamp(16, MAX_TABLE_SIZE as usize) as u32;
    let structure = Structure::BlockMap(Storage::Linked, Walk::Blocks);
    GridParameters { structure, table_size, cell_size, hash: HashFunction::Muller, bucket_capacity: 16 }
}

/// Smallest and largest cell size of a search of balls whose `usual` search has these parameters, m. A large ball covers some thousand of the
/// smallest cells.
pub fn cell_sizes(usual: &GridParameters) -> [f32; 2] {
    [0.125, 4.0].map(|factor| factor * usual.cell_size)
}

/// Remark on balls that overlap.
fn overlap(centers: &[Vec3], radii: &[f32]) -> Option<BallRemark> {
    let cell_size = 2.0 * radii.iter().sum::<f32>() / radii.len() as f32;
    let (structure, hash) = (Structure::SortedCells, HashFunction::Mix);
    let mut search = SphereSearch::new(&GridParameters { structure, table_size: 1, cell_size, hash, bucket_capacity: 1 });
    let ids: Vec<u32> = (0..centers.len() as u32).collect();
    search.find(centers, radii, &ids).ok()?;
    let (mut pairs, mut worst, mut deepest) = (0, 0.0, [0, 0]);
    for a in 0..centers.len() {
        for &b in search.partners(a) {
            let (radius, other) = (radii[a], radii[b as usize]);
            let depth = radius + other - centers[a].distance(centers[b as usize]);
            if depth > OVERLAP * radius.min(other) {
                pairs += 1;
                if depth > worst {
                    (worst, deepest) = (depth, [a as u32, b]);
                }
            }
        }
    }
    (pairs > 0).then_some(BallRemark::Overlap { pairs, deepest, depth: worst })
}

/// Remark on an opening that is too small: at rest relative to each other, balls leave it in a third of its volume.
fn slow_opening(pour: &Pour, radii: &[f32]) -> Option<BallRemark> {
    let extent = pour.max - pour.min;
    let speed = pour.velocity.abs();
    // The opening is empty after a ball has crossed it, along the axis on which that is soonest.
    let refills = f64::from((speed / extent).max_element());
    let mean = radii.iter().map(|&radius| mass(radius, 1.0)).sum::<f32>() / radii.len() as f32;
    let passing = f64::from(0.33 * extent.element_product() / mean) * refills;
    // Without a velocity gravity moves the balls, which is not known here.
    (refills > 0.0 && passing < pour.rate).then_some(BallRemark::SlowOpening { passing, rate: pour.rate })
}
