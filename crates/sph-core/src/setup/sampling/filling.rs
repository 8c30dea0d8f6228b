//! Filling of solids with particles.

use super::relaxation;
use crate::parameters::{Dimensions, Discretization};
use crate::setup::Filling;
use crate::space::geometry::{Lattice, LatticePoint, Solid, centred_cells};
use glam::{DVec3, I64Vec3};

/// Relative error of the number of particles that keeps the symmetry of a solid.
const MAX_ERROR: f64 = 2e-3;

/// Lattice cells over the bounds of a solid, and those that have a particle.
pub(super) struct Filled {
    /// Corner of the first cell, m.
    pub corner: DVec3,
    /// Cells along each axis.
    pub counts: I64Vec3,
    /// Centres of the filled cells.
    pub points: Vec<LatticePoint>,
}

/// Number of particles that fill a solid: its volume over that of a particle, rounded; saturates.
pub(in crate::setup) fn count(solid: &Solid, discretization: &Discretization) -> u64 {
    let volume = f64::from(discretization.particle_spacing).powi(discretization.dimensions.count() as i32);
    (solid.volume(discretization.dimensions) / volume).round() as u64
}

/// Fills a solid with the points of a lattice that lie deepest in it: as many as its volume takes, so that their mass is right
/// whatever the lattice does at the surface.
pub(super) fn fill(solid: &Solid, filling: Filling, discretization: &Discretization) -> Filled {
    let (dimensions, spacing) = (discretization.dimensions, f64::from(discretization.particle_spacing));
    let [min, max] = solid.bounds();
    let within = f64::NEG_INFINITY..=0.75 * spacing;
    let (counts, corner, mut points) = match filling {
        Filling::Lattice | Filling::Relaxed => {
            let (counts, corner) = centred_cells(min, max, spacing, dimensions);
            let position = |index: I64Vec3| corner + spacing * (index.as_dvec3() + 0.5);
            (counts, corner, Lattice { counts, position, slant: 0.0 }.near(solid, &within))
        }
        Filling::Hexagonal => {
            let packing = Packing::new(dimensions, spacing);
            // A row more, as every second one is shifted.
            let counts = ((max - min) / packing.steps).ceil().as_i64vec3() + 2;
            let counts = if dimensions == Dimensions::Two { counts.with_z(1) } else { counts };
            let corner = 0.5 * (min + max - packing.steps * (counts - 1).as_dvec3());
            let corner = if dimensions == Dimensions::Two { corner.with_z(0.0) } else { corner };
            let position = |index: I64Vec3| corner + packing.point(index);
            (counts, corner, Lattice { counts, position, slant: packing.steps.x }.near(solid, &within))
        }
    };
    points.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    points.truncate(level(&points, count(solid, discretization) as usize, 1e-6 * spacing));
    points.sort_by_key(|point| (point.index.z, point.index.y, point.index.x));
    if filling == Filling::Relaxed {
        relaxation::relax(solid, dimensions, spacing, &mut points);
    }
    Filled { corner, counts, points }
}

/// Hexagonal packing with as many points as a lattice of the same spacing: rows along x, in three dimensions in layers normal to y.
struct Packing {
    /// Distances between points of a row, between rows or layers along y, and between rows along z, m.
    steps: DVec3,
    dimensions: Dimensions,
}

impl Packing {
    fn new(dimensions: Dimensions, spacing: f64) -> Self {
        let steps = match dimensions {
            // A point has the area √3/2 a².
            Dimensions::Two => (4.0f64 / 3.0).powf(0.25) * DVec3::new(1.0, 0.75f64.sqrt(), 1.0),
            // A point has the volume a³/√2.
            Dimensions::Three => 2.0f64.powf(1.0 / 6.0) * DVec3::new(1.0, (2.0f64 / 3.0).sqrt(), 0.75f64.sqrt()),
        };
        Self { steps: spacing * steps, dimensions }
    }

    /// Position of a point from that of index 0, m.
    fn point(&self, index: I64Vec3) -> DVec3 {
        let odd = |number: i64| (number & 1) as f64;
        let shift = match self.dimensions {
            Dimensions::Two => DVec3::new(0.5 * odd(index.y), 0.0, 0.0),
            // Over the gaps of the layer below.
            Dimensions::Three => DVec3::new(0.5 * odd(index.z + index.y), 0.0, odd(index.y) / 3.0),
        };
        self.steps * (index.as_dvec3() + shift)
    }
}

/// The number of `points` to take, by their ascending distances: `wanted`, or nearly as many if then no two that are equally deep
/// within `slack` (m) are parted.
fn level(points: &[LatticePoint], wanted: usize, slack: f64) -> usize {
    let wanted = wanted.min(points.len());
    let Some(last) = wanted.checked_sub(1).map(|last| points[last].distance) else { return 0 };
    let below = points.partition_point(|point| point.distance < last - slack);
    let above = points.partition_point(|point| point.distance <= last + slack);
    let nearer = if wanted - below < above - wanted { below } else { above };
    let error = nearer.abs_diff(wanted) as f64;
    if error <= MAX_ERROR * wanted as f64 { nearer } else { wanted }
}
