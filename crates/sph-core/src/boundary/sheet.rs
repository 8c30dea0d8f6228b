//! Sheets in the fluid: one layer of boundary particles on their triangles, and how the triangles keep particles on their side.

use super::particles::{self, BoundaryParticles};
use crate::parameters::{Discretization, Slip};
use crate::space::Domain;
use glam::Vec3;

/// Number of parts, for boundary particles about a spacing apart or denser, into which each side of a triangle with these corners (m) is cut.
fn parts(corners: [Vec3; 3], spacing: f32) -> u32 {
    let [a, b, c] = corners;
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    // Bounded, so that counts do not overflow; larger triangles have particles farther apart.
    (longest / spacing - 1e-3).ceil().clamp(1.0, 1000.0) as u32
}

/// Number of boundary particles of a triangle with these corners at rest, m.
pub(crate) fn count_on_triangle(corners: [Vec3; 3], spacing: f32) -> u64 {
    u64::from(parts(corners, spacing)).pow(2)
}

/// Barycentric weights of the boundary particles of a triangle with these corners at rest, m: the centroids of its equal parts.
pub(crate) fn on_triangle(corners: [Vec3; 3], spacing: f32) -> impl Iterator<Item = Vec3> {
    let parts = parts(corners, spacing);
    let third = 1.0 / (3.0 * parts as f32);
    let weights = move |column: u32, row: u32, offset: f32| {
        let [second, first] = [row, column].map(|number| (3.0 * number as f32 + offset) * third);
        Vec3::new(1.0 - first - second, first, second)
    };
    (0..parts).flat_map(move |row| {
        let upright = (0..parts - row).map(move |column| weights(column, row, 1.0));
        upright.chain((0..parts - row - 1).map(move |column| weights(column, row, 2.0)))
    })
}

/// Rest volumes (m³) of the boundary particles of a sheet that lie at `positions` (m) at rest: those of a single layer, so that fluid on either
/// side stays about a spacing away.
pub(crate) fn volumes_of_sheet(positions: &[Vec3], discretization: &Discretization) -> Vec<f32> {
    let mut walls = BoundaryParticles::default();
    walls.coat(positions.iter().copied(), &[], Slip::Free);
    let all: Vec<usize> = (0..walls.len()).collect();
    particles::calibrate(discretization, &Domain::default(), &mut walls, &all);
    walls.volumes
}

/// A triangle during a step, seen from where a particle is at its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangle {
    /// Corners at the beginning and at the end of the step, m.
    pub corners: [[Vec3; 3]; 2],
}

impl MovingTriangle {
    /// Velocity (m/s) closest to `velocity` with which the particle stays on its side of the triangle for `dt` (s), and at least `clearance` (m)
    /// away unless it is closer already.
    pub fn confine(self, clearance: f32, dt: f32, velocity: Vec3) -> Vec3 {
        let [start, end] = self.corners;
        let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a).try_normalize();
        let (Some(before), Some(after)) = (normal(start), normal(end)) else { return velocity };
        let distances = [-start[0].dot(before), (dt * velocity - end[0]).dot(after)];
        let side = if distances[0] < 0.0 { -1.0 } else { 1.0 };
        let room = distances[0].abs().min(clearance);
        if side * distances[1] >= room {
            return velocity;
        }
        // Where it meets the plane of the triangle.
        let part = (distances[0] / (distances[0] - distances[1])).clamp(0.0, 1.0);
        let corners: [Vec3; 3] = std::array::from_fn(|k| start[k].lerp(end[k], part));
        let outside = depths(corners, part * dt * velocity).is_none_or(|depths| depths.min_element() < -clearance);
        if outside { velocity } else { velocity + (side * room - distances[1]) / dt * after }
    }
}

/// Distances (m) of the projection of `point` from the three sides of a triangle, positive inside; `None` for one without area.
fn depths(corners: [Vec3; 3], point: Vec3) -> Option<Vec3> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).try_normalize()?;
    // Opposite to a, b and c.
    let sides = [(b, c), (c, a), (a, b)];
    Some(Vec3::from_array(sides.map(|(from, to)| normal.cross(to - from).normalize_or_zero().dot(point - from))))
}

/// Barycentric weights of a point of a triangle near `point`, m, of the nearest if it is within the sides; a third each for a triangle without area.
pub(crate) fn weights_at(corners: [Vec3; 3], point: Vec3) -> Vec3 {
    let [a, b, c] = corners;
    let lengths = Vec3::new(b.distance(c), c.distance(a), a.distance(b));
    let weights = depths(corners, point).map_or(Vec3::ZERO, |depths| (depths * lengths).max(Vec3::ZERO));
    let sum = weights.element_sum();
    if sum > 0.0 { weights / sum } else { Vec3::splat(1.0 / 3.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.25)];

    #[test]
    fn boundary_particles_are_spread_over_the_triangle() {
        for spacing in [1.0, 0.2, 0.1, 0.03] {
            let all: Vec<Vec3> = on_triangle(CORNERS, spacing).collect();
            assert_eq!(all.len() as u64, count_on_triangle(CORNERS, spacing));
            let middle = all.iter().sum::<Vec3>() / all.len() as f32;
            assert!((middle - 1.0 / 3.0).abs().max_element() < 1e-5, "{middle}");
            assert!(all.iter().all(|weights| weights.min_element() > 0.0 && (weights.element_sum() - 1.0).abs() < 1e-5));
        }
    }

    #[test]
    fn particles_stay_on_their_side() {
        let (dt, clearance) = (0.5, 0.01);
        let confined = |particle: Vec3, lift: f32, velocity: Vec3| {
            let start = CORNERS.map(|corner| corner - particle);
            let end = start.map(|corner| corner + Vec3::Y * lift);
            MovingTriangle { corners: [start, end] }.confine(clearance, dt, velocity)
        };
        let above = Vec3::new(0.1, 0.05, 0.05);
        for side in [1.0, -1.0] {
            let particle = above * Vec3::new(1.0, side, 1.0);
            // It falls through, slides on, and is overtaken by the triangle.
            for (lift, velocity) in [(0.0, -side * Vec3::Y), (0.0, Vec3::new(0.1, -side, 0.0)), (side * 0.2, Vec3::ZERO)] {
                let end = side * (particle.y + dt * confined(particle, lift, velocity).y - lift);
                assert!((end - clearance).abs() < 1e-5, "{side} {lift} {velocity}: {end}");
            }
            for (lift, velocity) in [(0.0, side * Vec3::Y), (0.0, Vec3::ZERO), (-side * 0.2, Vec3::ZERO)] {
                assert_eq!(confined(particle, lift, velocity), velocity);
            }
        }
        let beside = Vec3::new(0.3, 0.05, 0.25);
        assert_eq!(confined(beside, 0.0, -Vec3::Y), -Vec3::Y);
    }

    #[test]
    fn weights_are_those_of_the_nearest_point() {
        let weights = Vec3::new(0.2, 0.5, 0.3);
        let point = CORNERS.iter().zip(weights.to_array()).map(|(corner, weight)| weight * *corner).sum::<Vec3>();
        assert!((weights_at(CORNERS, point + 0.1 * Vec3::Y) - weights).abs().max_element() < 1e-5);
        assert_eq!(weights_at([Vec3::ZERO; 3], Vec3::X), Vec3::splat(1.0 / 3.0));
    }
}
