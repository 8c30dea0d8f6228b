//! Instruments: quantity and position of a measurement.

use super::energy::{kinetic_energy, potential_energy};
use super::field::{pressure_at, velocity_at};
use super::fluid::Fluid;
use super::surface::{front, water_height};
use crate::boundary::Face;
use crate::parameters::Dimensions;
use crate::passes::sweep;
use glam::Vec3;

/// An instrument: a quantity and the position of its measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// Pressure at a point, Pa; see [`pressure_at`].
    Pressure {
        /// Position, m; usually on a wall.
        at: Vec3,
    },
    /// Height of the water surface on a vertical line, m; see [`water_height`].
    WaterHeight {
        /// Point of the line, m; y is ignored.
        at: Vec3,
    },
    /// Coordinate of the fluid's front towards a face, m; see [`front`].
    Front {
        /// Face that the front moves towards.
        toward: Face,
    },
    /// Velocity at equidistant points of a line, both ends included, m/s; see [`velocity_at`].
    Velocity {
        /// First point, m.
        from: Vec3,
        /// Last point, m.
        to: Vec3,
        /// Number of points, at least 1.
        points: u32,
    },
    /// Kinetic and potential energy of the fluid, J (J/m in two dimensions).
    Energy,
    /// Pressure force and viscous force of the fluid on a body in the last step, N (N/m in two dimensions); see
    /// [`BodyForce`](crate::BodyForce).
    Force {
        /// Index of the body, from 0.
        body: usize,
    },
}

impl Probe {
    /// Labels of the readings, in the order of [`Probe::read`]; an empty string for a probe with a single reading.
    pub fn labels(&self, dimensions: Dimensions) -> Vec<String> {
        match *self {
            Self::Pressure { .. } | Self::WaterHeight { .. } | Self::Front { .. } => vec![String::new()],
            Self::Force { .. } => {
                let axes = &["x", "y", "z"][..dimensions.count()];
                ["pressure", "viscous"].iter().flat_map(|part| axes.iter().map(move |axis| format!("{part}.{axis}"))).collect()
            }
            Self::Velocity { points, .. } => {
                let axes = &["x", "y", "z"][..dimensions.count()];
                (0..points).flat_map(|point| axes.iter().map(move |axis| format!("{point}.{axis}"))).collect()
            }
            Self::Energy => ["kinetic", "potential"].map(str::to_owned).to_vec(),
        }
    }

    /// Readings, in SI units; `None` without fluid in reach.
    pub fn read(&self, fluid: &Fluid<'_>) -> Vec<Option<f64>> {
        match *self {
            Self::Pressure { at } => vec![pressure_at(fluid, at)],
            Self::WaterHeight { at } => vec![water_height(fluid, at)],
            Self::Front { toward } => vec![front(fluid, toward)],
            Self::Velocity { from, to, points } => {
                let mut velocities = Vec::new();
                let last = points.saturating_sub(1).max(1) as f32;
                sweep::map(points as usize, &mut velocities, |point| velocity_at(fluid, from.lerp(to, point as f32 / last)));
                let axes = fluid.discretization.dimensions.count();
                velocities.into_iter().flat_map(|velocity| (0..axes).map(move |axis| velocity.map(|v| v[axis]))).collect()
            }
            Self::Force { body } => {
                let axes = fluid.discretization.dimensions.count();
                let force = fluid.bodies.get(body).map(|body| body.force);
                let parts = [force.map(|force| force.pressure), force.map(|force| force.viscous)];
                parts.into_iter().flat_map(|part| (0..axes).map(move |axis| part.map(|part| part[axis]))).collect()
            }
            Self::Energy => vec![Some(kinetic_energy(fluid)), Some(potential_energy(fluid))],
        }
    }
}
