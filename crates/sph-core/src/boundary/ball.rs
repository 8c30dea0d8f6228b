//! Balls in the fluid: the boundary particles in their shells, and how they keep particles out.

use super::particles::{self, BoundaryParticles};
use crate::parameters::{Discretization, Slip, WallSampling};
use crate::space::Domain;
use glam::Vec3;
use std::f32::consts::PI;

/// Fewest particles of the outermost shell: the smallest balls have no room for so many a spacing apart.
const LEAST: u32 = 6;

/// Boundary particles of a ball around the origin. They do not turn with it: a sphere looks the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct BallShells {
    /// Positions, m.
    pub offsets: Vec<Vec3>,
    /// Rest volumes, m³.
    pub volumes: Vec<f32>,
}

impl BallShells {
    /// Particles of a ball of this `radius`, m. One at distances of a spacing from its neighbours has the volume `volume`, m³.
    ///
    /// Shells are a spacing thick and as many as a body has layers; the particles of one are half way between its spheres and share its
    /// volume, so that together they have that of the part of the ball which they fill.
    pub fn new(radius: f32, discretization: &Discretization, sampling: WallSampling, volume: f32) -> Self {
        let (spacing, factor) = (discretization.particle_spacing, volume / discretization.particle_volume());
        let (mut shells, shift) = (Self::default(), sampling.shift(discretization));
        let mut outer = radius;
        for layer in 0..sampling.layers(discretization) {
            let inner = if outer < 1.5 * spacing { 0.0 } else { outer - spacing };
            let room = 4.0 / 3.0 * PI * (outer.powi(3) - inner.powi(3));
            let middle = if outer < 0.75 * spacing { 0.0 } else { (outer - 0.5 * spacing - shift).max(0.0) };
            let fitting = (room / spacing.powi(3)).round() as u32;
            let count = if middle == 0.0 { 1 } else { fitting.max(if layer == 0 { LEAST } else { 1 }) };
            shells.offsets.extend(spiral(count).map(|direction| middle * direction));
            shells.volumes.resize(shells.offsets.len(), factor * room / count as f32);
            outer = inner;
            if outer == 0.0 {
                break;
            }
        }
        if sampling == WallSampling::SingleLayer {
            shells.calibrate(discretization);
        }
        shells
    }

    /// Upper bound on the number of particles of a ball of this `radius`, m; saturates.
    pub fn count(radius: f32, discretization: &Discretization) -> u64 {
        let ratio = f64::from(radius / discretization.particle_spacing);
        let hollow = (ratio - f64::from(WallSampling::Layers.layers(discretization))).max(0.0);
        (4.2 * (ratio.powi(3) - hollow.powi(3))) as u64 + u64::from(LEAST) + 8
    }

    /// Gives the particles of a single layer the volumes that stand for all layers.
    fn calibrate(&mut self, discretization: &Discretization) {
        let mut walls = BoundaryParticles::default();
        walls.coat(std::mem::take(&mut self.offsets).into_iter(), &self.volumes, Slip::Free);
        let all: Vec<usize> = (0..walls.len()).collect();
        particles::calibrate(discretization, &Domain::default(), &mut walls, &all);
        (self.offsets, self.volumes) = (walls.positions, walls.volumes);
    }
}

/// `count` unit vectors at about equal distances, along a spiral from pole to pole.
fn spiral(count: u32) -> impl Iterator<Item = Vec3> {
    let golden_angle = PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |number| {
        let height = 1.0 - (2.0 * number as f32 + 1.0) / count as f32;
        let (sine, cosine) = (golden_angle * number as f32).sin_cos();
        let around = (1.0 - height * height).sqrt();
        Vec3::new(around * cosine, height, around * sine)
    })
}

/// A ball during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBall {
    /// Radius, m.
    pub radius: f32,
    /// Mean velocity over the step, m/s.
    pub velocity: Vec3,
}

impl MovingBall {
    /// Velocity (m/s) closest to `velocity` with which a particle `from_center` (m) stays at least `clearance` (m) away for `dt` (s). A
    /// particle that is too close already comes no closer.
    pub fn confine(self, clearance: f32, dt: f32, from_center: Vec3, velocity: Vec3) -> Vec3 {
        let (reach, relative) = (self.radius + clearance, velocity - self.velocity);
        let step = dt * relative;
        // The part of the way up to the point closest to the centre.
        let part = if step == Vec3::ZERO { 0.0 } else { (-from_center.dot(step) / step.length_squared()).clamp(0.0, 1.0) };
        if (from_center + part * step).length_squared() > reach * reach {
            return velocity;
        }
        let normal = from_center.normalize_or(Vec3::Y);
        let room = (from_center.length() - reach).max(0.0);
        let excess = -room / dt - relative.dot(normal);
        if excess > 0.0 { velocity + excess * normal } else { velocity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Dimensions;

    #[test]
    fn shells_have_the_volume_of_the_ball_and_its_middle() {
        let discretization = Discretization::new(Dimensions::Three, 0.1);
        let volume = discretization.particle_volume();
        let layers = WallSampling::Layers.layers(&discretization) as f32;
        for radius in [0.1, 0.12, 0.149, 0.15, 0.17, 0.25, 0.31, 1.0] {
            let BallShells { offsets, volumes } = BallShells::new(radius, &discretization, WallSampling::Layers, volume);
            let hollow = (radius - 0.1 * layers).max(0.0);
            let hollow = if hollow < 0.05 { 0.0 } else { hollow };
            let (sum, whole) = (volumes.iter().sum::<f32>(), 4.0 / 3.0 * PI * (radius.powi(3) - hollow.powi(3)));
            assert!((sum / whole - 1.0).abs() < 0.02, "{radius}: {sum} of {whole} m³");
            let middle: Vec3 = offsets.iter().zip(&volumes).map(|(&offset, &volume)| volume / sum * offset).sum();
            assert!(middle.length() < 0.1 * radius, "{radius}: {middle}");
            assert!(offsets.iter().all(|offset| offset.length() < radius - 0.04));
            assert!(offsets.len() as u64 <= BallShells::count(radius, &discretization), "{radius}: {}", offsets.len());
        }
    }

    #[test]
    fn confined_particles_stay_outside() {
        let ball = MovingBall { radius: 1.0, velocity: Vec3::new(0.5, 0.0, 0.0) };
        let (clearance, dt) = (0.1, 0.5);
        for from_center in [Vec3::new(1.2, 0.0, 0.0), Vec3::new(1.0, 0.5, 0.2), Vec3::new(0.4, 0.0, 0.3)] {
            for velocity in [Vec3::ZERO, -4.0 * Vec3::X, Vec3::new(-3.0, -3.0, 1.0), 2.0 * Vec3::X] {
                let confined = ball.confine(clearance, dt, from_center, velocity);
                let end = from_center + dt * (confined - ball.velocity);
                assert!(end.length() > from_center.length().min(1.1) - 1e-5, "{from_center} {velocity}");
            }
        }
        let passing = Vec3::new(0.0, 5.0, 0.0);
        assert_eq!(ball.confine(clearance, dt, Vec3::new(3.0, 0.0, 0.0), passing), passing);
    }
}
