//! Instruments: quantity and position of a measurement.

use super::energy::{kinetic_energy, potential_energy};
use super::field::velocity_at;
use super::gauge::Gauge;
use super::surface::{front, water_height};
use crate::boundary::{Face, Reaction};
use crate::parameters::Dimensions;
use crate::passes::sweep;
use crate::simulation::View;
use glam::Vec3;

/// An instrument: a quantity and the position of its measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// Pressure at a point, or over the disc of a gauge, Pa; see [`pressure_at`].
    ///
    /// [`pressure_at`]: super::pressure_at
    Pressure {
        /// Position at time 0, m; usually on a wall.
        at: Vec3,
        /// Size, rate, and the container that it moves with.
        gauge: Gauge,
    },
    /// Height of the water surface on a vertical line, m; see [`water_height`].
    WaterHeight {
        /// Point of the line, m; y is ignored.
        at: Vec3,
        /// Index of one of several fluids, for its surface; `None` for that of all.
        fluid: Option<usize>,
    },
    /// Coordinate of the fluid's front towards a face, m; see [`front`].
    Front {
        /// Face that the front moves towards.
        toward: Face,
        /// Index of one of several fluids, for its front; `None` for that of all.
        fluid: Option<usize>,
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
    /// Forces of the fluid on a body in the last step by pressure, viscosity, adhesion and contact, N (N/m in two
    /// dimensions), and their torque about its centre, N m (N); see [`Reaction`].
    Force {
        /// Index of the body, from 0.
        body: usize,
    },
}

impl Probe {
    /// Labels of the readings, in the order of [`Probe::read`]; an empty string for a probe with a single reading.
    pub fn labels(&self, dimensions: Dimensions) -> Vec<String> {
        match *self {
            Self::Pressure { gauge, .. } => vec![gauge.label()],
            Self::WaterHeight { .. } | Self::Front { .. } => vec![String::new()],
            Self::Force { .. } => {
                let zero = force_and_torque(&Reaction::default(), dimensions);
                zero.map(|(part, axis, _)| format!("{part}.{}", ["x", "y", "z"][axis])).collect()
            }
            Self::Velocity { points, .. } => {
                let axes = &["x", "y", "z"][..dimensions.count()];
                (0..points).flat_map(|point| axes.iter().map(move |axis| format!("{point}.{axis}"))).collect()
            }
            Self::Energy => ["kinetic", "potential"].map(str::to_owned).to_vec(),
        }
    }

    /// Averaging time of the readings, s; `None` for the present state.
    pub(super) fn averaging(&self) -> Option<f64> {
        match self {
            Self::Pressure { gauge, .. } if gauge.averaging > 0.0 => Some(gauge.averaging.into()),
            _ => None,
        }
    }

    /// Readings of the present state, in SI units; `None` without fluid in reach. Averages over time are made by
    /// [`Instruments`](super::Instruments).
    pub fn read(&self, fluid: &View<'_>) -> Vec<Option<f64>> {
        match *self {
            Self::Pressure { at, gauge } => vec![gauge.read(fluid, at)],
            Self::WaterHeight { at, fluid: of } => vec![water_height(fluid, at, of)],
            Self::Front { toward, fluid: of } => vec![front(fluid, toward, of)],
            Self::Velocity { from, to, points } => {
                let mut velocities = Vec::new();
                let last = points.saturating_sub(1).max(1) as f32;
                sweep::map(points as usize, &mut velocities, |point| velocity_at(fluid, from.lerp(to, point as f32 / last)));
                let axes = fluid.discretization.dimensions.count();
                velocities.into_iter().flat_map(|velocity| (0..axes).map(move |axis| velocity.map(|v| v[axis]))).collect()
            }
            Self::Force { body } => {
                // Before the first step nothing has acted yet.
                let body = fluid.bodies.get(body).filter(|_| fluid.steps > 0).map(|body| body.force);
                let readings = force_and_torque(&body.unwrap_or_default(), fluid.discretization.dimensions);
                readings.map(|(_, _, value)| body.map(|_| value)).collect()
            }
            Self::Energy => vec![Some(kinetic_energy(fluid)), Some(potential_energy(fluid))],
        }
    }
}

/// Readings of a force probe: part, axis and value. In two dimensions forces have no z, and the torque has nothing else.
fn force_and_torque(reaction: &Reaction, dimensions: Dimensions) -> impl Iterator<Item = (&'static str, usize, f64)> + use<> {
    let Reaction { pressure, viscous, adhesion, contact, torque } = *reaction;
    let parts = [("pressure", pressure), ("viscous", viscous), ("adhesion", adhesion), ("contact", contact)];
    let forces = parts.into_iter().map(move |(part, force)| (part, 0..dimensions.count(), force));
    let torque_axes = match dimensions {
        Dimensions::Two => 2..3,
        Dimensions::Three => 0..3,
    };
    let all = forces.chain([("torque", torque_axes, torque)]);
    all.flat_map(|(part, axes, vector)| axes.map(move |axis| (part, axis, vector[axis])))
}
