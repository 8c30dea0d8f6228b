//! The instruments: each a choice of what is read, and where.

use super::energy::{kinetic_energy, potential_energy};
use super::field::{pressure_at, velocity_at};
use super::fluid::Fluid;
use super::surface::{front, water_height};
use crate::boundary::Face;
use crate::parameters::Dimensions;
use crate::passes::sweep;
use glam::Vec3;

/// An instrument: what it measures, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// Pressure at a point, Pa; see [`pressure_at`].
    Pressure {
        /// The point, m; usually on a wall.
        at: Vec3,
    },
    /// Height of the water's surface on the vertical line through a point, m; see [`water_height`].
    WaterHeight {
        /// A point of the line, m; its y is ignored.
        at: Vec3,
    },
    /// How far the fluid has come towards a face, m; see [`front`].
    Front {
        /// The face that the fluid runs to.
        toward: Face,
    },
    /// Velocity at points evenly along a line, both ends included, m/s; see [`velocity_at`].
    Velocity {
        /// The first point, m.
        from: Vec3,
        /// The last point, m.
        to: Vec3,
        /// Number of points, at least 1.
        points: u32,
    },
    /// Kinetic and potential energy of the fluid, J (J/m in two dimensions).
    Energy,
    /// Force of the fluid on a body in the last step, N (N/m in two dimensions), by pressure and by viscosity; see
    /// [`BodyForce`](crate::BodyForce).
    Force {
        /// The body's place in the list of bodies, from 0.
        body: usize,
    },
}

impl Probe {
    /// What tells its readings apart, one entry a reading, in the order of [`Probe::read`]: empty for a probe that gives one number.
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

    /// The readings, in SI units; `None` where there is no fluid.
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
