//! Filling of solids with particles.

use crate::parameters::Discretization;
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

/// Fills a solid with the particles of a lattice that lie deepest in it: as many as its volume takes, so that their mass is right
/// whatever the lattice does at the surface.
pub(super) fn fill(solid: &Solid, discretization: &Discretization) -> Filled {
    let spacing = f64::from(discretization.particle_spacing);
    let [min, max] = solid.bounds();
    let (counts, corner) = centred_cells(min, max, spacing, discretization.dimensions);
    let position = |index: I64Vec3| corner + spacing * (index.as_dvec3() + 0.5);
    let mut points = Lattice { counts, position, slant: 0.0 }.near(solid, &(f64::NEG_INFINITY..=0.75 * spacing));
    points.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    points.truncate(level(&points, count(solid, discretization) as usize, 1e-6 * spacing));
    points.sort_by_key(|point| (point.index.z, point.index.y, point.index.x));
    Filled { corner, counts, points }
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
