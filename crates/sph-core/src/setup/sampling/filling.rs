//! Filling of solids with particles: on a lattice, in hexagonal packing, or relaxed until no lattice is left.

use crate::parameters::{Dimensions, Discretization};
use crate::passes::sweep;
use crate::setup::Filling;
use crate::space::geometry::{Lattice, LatticePoint, Nearest, PointGrid, Solid, centred_cells};
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
        relax(solid, dimensions, spacing, &mut points);
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

// Relaxation of particles in a solid, until no lattice is left.

/// Largest random displacement along each axis at first, in spacings: a whole one, so that nothing of the lattice is left.
const JITTER: f64 = 1.0;
/// Rounds of pushing.
const ROUNDS: u32 = 40;
/// Reach of the push, in spacings.
const REACH: f64 = 1.6;
/// Least depth of a particle, in spacings.
const DEPTH: f64 = 0.3;

/// Pushes `points` of a solid apart until they are even, at distances of about `spacing`, m. Near the surface each feels the mirror
/// images of the others, so that they fill the solid to its surface.
pub(super) fn relax(solid: &Solid, dimensions: Dimensions, spacing: f64, points: &mut [LatticePoint]) {
    let flat = |at: DVec3| if dimensions == Dimensions::Two { at.with_z(0.0) } else { at };
    let inside = |at: DVec3| {
        let Nearest { distance, normal } = solid.nearest(at);
        flat(at - (distance + DEPTH * spacing).max(0.0) * normal)
    };
    let jitter = |index: usize| DVec3::from_array([0, 1, 2].map(|axis| 2.0 * random(3 * index as u64 + axis) - 1.0));
    let mut places: Vec<DVec3> = points
        .iter()
        .enumerate()
        .map(|(index, point)| inside(point.position + JITTER * spacing * flat(jitter(index))))
        .collect();
    let reach = REACH * spacing;
    let (mut images, mut next) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        sweep::map(places.len(), &mut images, |i| {
            let Nearest { distance, normal } = solid.nearest(places[i]);
            // Of those too deep to be seen there is none.
            if distance < -reach { DVec3::INFINITY } else { flat(places[i] - 2.0 * distance * normal) }
        });
        let near_surface = images.iter().copied().filter(|image| image.is_finite());
        let all: Vec<DVec3> = places.iter().copied().chain(near_surface).collect();
        let grid = PointGrid::of(reach, &all);
        sweep::map(places.len(), &mut next, |i| {
            let push = |(j, other): (u32, DVec3)| {
                let offset = places[i] - other;
                let distance = offset.length();
                if j as usize == i || distance == 0.0 { DVec3::ZERO } else { (1.0 - distance / reach) / distance * offset }
            };
            let sum: DVec3 = grid.near(places[i]).map(push).sum();
            inside(places[i] + 0.2 * spacing * sum.clamp_length_max(1.0))
        });
        std::mem::swap(&mut places, &mut next);
    }
    points.iter_mut().zip(places).for_each(|(point, place)| point.position = place);
}

/// Number in 0..1 that depends on `index` only (splitmix64).
fn random(index: u64) -> f64 {
    let mut bits = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ bits >> 31) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::fill;
    use crate::parameters::{Dimensions, Discretization};
    use crate::setup::Filling;
    use crate::space::geometry::{Axis, Shape, ShapeKind, Solid};
    use glam::{DVec3, Vec3};

    /// Part of the points that is in step with a lattice of `spacing` along each axis.
    fn order(points: &[DVec3], spacing: f64, axes: usize) -> f64 {
        let along = |axis: usize| {
            let wave = |at: &DVec3| DVec3::new((TAU * at[axis] / spacing).cos(), (TAU * at[axis] / spacing).sin(), 0.0);
            points.iter().map(wave).sum::<DVec3>().length() / points.len() as f64
        };
        (0..axes).map(along).fold(0.0, f64::max)
    }

    #[test]
    fn every_filling_has_the_volume_and_even_distances() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let ball = Shape::in_box(ShapeKind::Sphere, dimensions, Vec3::ZERO, Vec3::ONE, Axis::Y).expect("a cube");
            let (ball, spacing) = (Solid::from(ball), 0.0625);
            for filling in Filling::ALL {
                let discretization = Discretization::new(dimensions, spacing as f32);
                let filled = fill(&ball, filling, &discretization);
                let points: Vec<DVec3> = filled.points.iter().map(|point| point.position).collect();
                let exact = ball.volume(dimensions);
                let volume = points.len() as f64 * f64::powi(spacing, dimensions.count() as i32);
                assert!((volume / exact - 1.0).abs() < 0.01, "{filling}: {volume} of {exact}");
                let gap = |a: &DVec3| {
                    let gaps = points.iter().map(|b| a.distance(*b)).filter(|&gap| gap > 0.0);
                    gaps.fold(f64::INFINITY, f64::min) / spacing
                };
                let (least, most) =
                    points.iter().map(gap).fold((f64::INFINITY, 0.0f64), |(least, most), gap| (least.min(gap), most.max(gap)));
                assert!(least > 0.5 && most < 1.3, "{filling} in {dimensions:?}: gaps from {least} to {most}");
                let order = order(&points, spacing, dimensions.count());
                // A hexagonal packing has an order of its own, which is that of its distances.
                let expected = match (filling, dimensions) {
                    (Filling::Lattice, _) => order > 0.99,
                    (Filling::Hexagonal, Dimensions::Two) => least > 1.074 && most < 1.075,
                    (Filling::Hexagonal, Dimensions::Three) => least > 1.122 && most < 1.123,
                    (Filling::Relaxed, _) => order < 0.2,
                };
                assert!(expected, "{filling} in {dimensions:?}: order {order}, gaps from {least} to {most}");
                let deepest = points.iter().map(|&at| ball.nearest(at).distance).fold(f64::NEG_INFINITY, f64::max);
                assert!(deepest < 0.5 * spacing, "{filling}: {deepest}");
            }
        }
    }
}
