//! Probes: readings of numerical instruments, as in a flume: pressure, water level, front, velocity, density, flow, energy, force; at points, along
//! lines, over planes and in regions; and where points of cloths and balls are. And what pictures show of each particle: its vicinity, and its shape as an ellipsoid.
//!
//! A reading depends on the present state only and does not change it, so probes do not affect a run. Without fluid in reach a
//! reading is `None`.

mod ellipsoids;
mod field;
mod instruments;
mod points;
mod present_search;
mod surface;
mod vicinity;

pub use ellipsoids::Ellipsoid;
pub(crate) use field::{Around, fitted_velocity};
pub use field::{FluxGate, Gauge, PointGrid, density_at, pressure_at, velocity_at};
pub use instruments::Instruments;
pub(crate) use present_search::SearchedPoints;
pub use present_search::{PresentSearch, Registered};
pub use surface::{front, water_height, water_height_in};
pub use vicinity::Vicinity;

use std::ops::Range;

use crate::boundary::{Face, Reaction};
use crate::parameters::Dimensions;
use crate::passes::{sum_particles, sweep};
use crate::simulation::View;
use crate::space::geometry::Solid;
use glam::{DQuat, DVec3, Vec3};

// Instruments: quantity and position of a measurement.

/// Name and unit of one reading of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Label among the readings of the probe; empty for a single one.
    pub label: String,
    /// SI unit.
    pub unit: &'static str,
}

/// Quantity that is read at points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Pressure, Pa; see [`pressure_at`].
    Pressure,
    /// Density, kg/m³; see [`density_at`].
    Density,
    /// Velocity, m/s; see [`velocity_at`].
    Velocity,
    /// Height of the water surface above or below the point, m, of all fluids or of one; see [`water_height`].
    WaterHeight(Option<usize>),
}

/// An instrument: a quantity and the position of its measurement.
#[derive(Clone, Debug, PartialEq)]
pub enum Probe {
    /// Pressure at a point, or over the disc of a gauge, Pa; see [`pressure_at`].
    ///
    /// [`pressure_at`]: pressure_at
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
        /// Index of the container that the line moves with; `None` for one that is fixed in space. See [`water_height_in`].
        container: Option<usize>,
    },
    /// Coordinate of the fluid's front towards a face, m; see [`front`].
    Front {
        /// Face that the front moves towards.
        toward: Face,
        /// Index of one of several fluids, for its front; `None` for that of all.
        fluid: Option<usize>,
    },
    /// A quantity at several points.
    Field {
        /// Quantity.
        quantity: Quantity,
        /// Points.
        points: PointGrid,
    },
    /// Mass of the fluid in a region, kg (kg/m in two dimensions), and its mean pressure, density and velocity.
    Region(Solid),
    /// Flow of mass through an opening, kg/s (kg/(s m) in two dimensions); see [`FluxGate::mass_flow`]. [`Instruments`]
    /// add up what has passed, kg (kg/m).
    Flux(FluxGate),
    /// Kinetic and potential energy of the fluid, J (J/m in two dimensions).
    Energy,
    /// Forces of the fluid on a body in the last step by pressure, viscosity, adhesion and contact, N (N/m in two
    /// dimensions), and their torque about its centre, N m (N); see [`Reaction`].
    Force {
        /// Index of the body, from 0.
        body: usize,
    },
    /// Place of a body, m, its rotation since the start (rad; about z in two dimensions, the vector of the rotation in three), and its
    /// velocity, m/s: those of its centre of mass if it moves by forces, else of the centre of its box.
    Motion {
        /// Index of the body, from 0.
        body: usize,
    },
    /// Position (m) and velocity (m/s) of a point of a set; no readings while the set has no such point.
    Point {
        /// Index of the set, from 0.
        set: usize,
        /// Id of the point.
        id: u32,
    },
    /// Mass (kg) of the points of a set that forces move, their centre of mass (m), momentum (kg m/s) and kinetic energy with that of the spin of balls
    /// (J).
    PointSet {
        /// Index of the set, from 0.
        set: usize,
    },
    /// Forces of the fluid on the walls of all containers together in the last step, as [`Probe::Force`], and their torque about the origin;
    /// for engines that measure it, see [`Engine::set_wall_reaction`](crate::Engine::set_wall_reaction).
    WallForce,
}

impl Probe {
    /// Labels and units of the readings that [`Instruments`] give.
    pub fn readings(&self, dimensions: Dimensions) -> Vec<Reading> {
        let planar = dimensions == Dimensions::Two;
        let per_depth = |space: &'static str, plane: &'static str| if planar { plane } else { space };
        let axes = &AXES[..dimensions.count()];
        let reading = |label: &str, unit| Reading { label: label.to_owned(), unit };
        let of = |part: &str, axes: &[&str], unit| -> Vec<Reading> {
            axes.iter().map(|axis| reading(&format!("{part}.{axis}"), unit)).collect()
        };
        match self {
            Self::Pressure { gauge, .. } => vec![reading(&gauge.label(), "Pa")],
            Self::WaterHeight { .. } | Self::Front { .. } => vec![reading("", "m")],
            Self::Force { .. } | Self::WallForce => {
                let zero = force_and_torque(&Reaction::default(), dimensions);
                zero.map(|(part, axis, _)| Reading {
                    label: format!("{part}.{}", AXES[axis]),
                    unit: if part == TORQUE { per_depth("N m", "N") } else { per_depth("N", "N/m") },
                })
                .collect()
            }
            Self::Field { quantity, points } => {
                let (parts, unit): (&[&str], _) = match quantity {
                    Quantity::Pressure => (&[""], "Pa"),
                    Quantity::Density => (&[""], "kg/m³"),
                    Quantity::Velocity => (axes, "m/s"),
                    Quantity::WaterHeight(_) => (&[""], "m"),
                };
                let label = |point: &str, part: &str| {
                    let parts: Vec<&str> = [point, part].into_iter().filter(|part| !part.is_empty()).collect();
                    parts.join(".")
                };
                let of_point = |point: String| parts.iter().map(move |part| Reading { label: label(&point, part), unit });
                (0..points.count()).flat_map(|index| of_point(points.label(index))).collect()
            }
            Self::Point { .. } => [of("position", axes, "m"), of("velocity", axes, "m/s")].concat(),
            Self::PointSet { .. } => {
                let vectors = [of("position", axes, "m"), of("momentum", axes, "kg m/s")].concat();
                [reading("mass", "kg")].into_iter().chain(vectors).chain([reading("kinetic", "J")]).collect()
            }
            Self::Motion { .. } => {
                let turns = if planar { &AXES[2..] } else { axes };
                [of("position", axes, "m"), of("rotation", turns, "rad"), of("velocity", axes, "m/s")].concat()
            }
            Self::Region(_) => {
                let means = [reading("pressure", "Pa"), reading("density", "kg/m³")];
                let velocity = axes.iter().map(|axis| reading(&format!("velocity.{axis}"), "m/s"));
                [reading("mass", per_depth("kg", "kg/m"))].into_iter().chain(means).chain(velocity).collect()
            }
            Self::Flux(_) => {
                vec![reading("flow", per_depth("kg/s", "kg/(s m)")), reading("mass", per_depth("kg", "kg/m"))]
            }
            Self::Energy => ["kinetic", "potential"].map(|part| reading(part, per_depth("J", "J/m"))).to_vec(),
        }
    }

    /// Averaging time of the readings, s; `None` for the present state.
    fn averaging(&self) -> Option<f64> {
        match self {
            Self::Pressure { gauge, .. } if gauge.averaging > 0.0 => Some(gauge.averaging.into()),
            _ => None,
        }
    }

    /// Readings of the present state, in SI units; `None` without fluid in reach. Averages over time are made by
    /// [`Instruments`].
    pub fn read(&self, fluid: &View<'_>) -> Vec<Option<f64>> {
        let dimensions = fluid.discretization.dimensions;
        match self {
            Self::Pressure { at, gauge } => vec![gauge.read(fluid, *at)],
            &Self::WaterHeight { at, fluid: of, container: None } => vec![water_height(fluid, at, of)],
            &Self::WaterHeight { at, fluid: of, container: Some(index) } => vec![water_height_in(fluid, index, at, of)],
            &Self::Front { toward, fluid: of } => vec![front(fluid, toward, of)],
            Self::Field { quantity, points } => {
                let mut readings: Vec<[Option<f64>; 3]> = Vec::new();
                sweep::map(points.count(), &mut readings, |index| at_point(*quantity, fluid, points.at(index)));
                let parts = if *quantity == Quantity::Velocity { dimensions.count() } else { 1 };
                readings.into_iter().flat_map(|reading| reading.into_iter().take(parts)).collect()
            }
            Self::Region(region) => region_readings(fluid, region),
            Self::Flux(gate) => vec![Some(gate.mass_flow(fluid))],
            Self::Force { body } => forces(fluid.bodies.get(*body).map(|body| &body.force), fluid),
            Self::Motion { body } => motion(fluid, *body),
            &Self::Point { set, id } => {
                let vectors = points::point(fluid.sets.get(set), id);
                vectors.into_iter().flat_map(|vector| components(vector, 0..dimensions.count())).collect()
            }
            Self::PointSet { set } => {
                let whole = fluid.sets.get(*set).map(points::Whole::of);
                let of = |vector| components(vector, 0..dimensions.count());
                let (center, momentum) = (whole.and_then(|whole| whole.center()), whole.map(|whole| whole.momentum));
                let mass = whole.map(|whole| whole.mass);
                [mass].into_iter().chain(of(center)).chain(of(momentum)).chain([whole.map(|whole| whole.kinetic)]).collect()
            }
            Self::WallForce => forces(fluid.wall_reaction, fluid),
            Self::Energy => vec![Some(kinetic_energy(fluid)), Some(potential_energy(fluid))],
        }
    }
}

/// Readings of a quantity at a point, with gaps for what it does not have.
fn at_point(quantity: Quantity, fluid: &View<'_>, point: Vec3) -> [Option<f64>; 3] {
    let one = |reading| [reading, None, None];
    match quantity {
        Quantity::Pressure => one(pressure_at(fluid, point)),
        Quantity::Density => one(density_at(fluid, point)),
        Quantity::Velocity => velocity_at(fluid, point).map_or([None; 3], |velocity| velocity.to_array().map(Some)),
        Quantity::WaterHeight(of) => one(water_height(fluid, point, of)),
    }
}

/// Readings of a force probe. Before the first step nothing has acted yet.
fn forces(reaction: Option<&Reaction>, fluid: &View<'_>) -> Vec<Option<f64>> {
    let reaction = reaction.filter(|_| fluid.steps > 0);
    let readings = force_and_torque(reaction.unwrap_or(&Reaction::default()), fluid.discretization.dimensions);
    readings.map(|(_, _, value)| reaction.map(|_| value)).collect()
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Part of a force probe that is not a force.
const TORQUE: &str = "torque";

/// Readings of a force probe: part, axis and value. In two dimensions forces have no z, and the torque has nothing else.
fn force_and_torque(reaction: &Reaction, dimensions: Dimensions) -> impl Iterator<Item = (&'static str, usize, f64)> + use<> {
    let forces = reaction.parts().map(move |(part, force)| (part, 0..dimensions.count(), force));
    let torque_axes = match dimensions {
        Dimensions::Two => 2..3,
        Dimensions::Three => 0..3,
    };
    let all = forces.chain([(TORQUE, torque_axes, reaction.torque)]);
    all.flat_map(|(part, axes, vector)| axes.map(move |axis| (part, axis, vector[axis])))
}

// Energy and momentum of the fluid.

/// Kinetic energy of the fluid, `Σ ½ m v²`, J (J/m in two dimensions).
pub fn kinetic_energy(fluid: &View<'_>) -> f64 {
    let velocities = &fluid.particles.velocities;
    let [energy] = sum_particles(velocities.len(), |i| [0.5 * fluid.mass_of(i) * f64::from(velocities[i].length_squared())]);
    energy
}

/// Potential energy of the fluid in gravity and the other external forces, J (J/m in two dimensions): `−Σ m g·x` for uniform
/// ones, zero at the origin. Components along periodic axes do not count.
pub fn potential_energy(fluid: &View<'_>) -> f64 {
    let positions = &fluid.particles.positions;
    let [energy] = sum_particles(positions.len(), |i| [fluid.mass_of(i) * fluid.external.potential(positions[i])]);
    energy
}

/// Momentum of the fluid, `Σ m v`, kg m/s (kg/s in two dimensions).
pub fn momentum(fluid: &View<'_>) -> DVec3 {
    let velocities = &fluid.particles.velocities;
    let sum = sum_particles(velocities.len(), |i| (fluid.mass_of(i) * velocities[i].as_dvec3()).to_array());
    DVec3::from_array(sum)
}

/// Position, rotation and velocity of the body with this index, as [`Probe::Motion`](Probe::Motion) lists them.
fn motion(fluid: &View<'_>, body: usize) -> Vec<Option<f64>> {
    let (axes, turns) = match fluid.discretization.dimensions {
        Dimensions::Two => (0..2, 2..3),
        Dimensions::Three => (0..3, 0..3),
    };
    let [place, turn, velocity] = fluid.bodies.get(body).map_or([None; 3], |body| {
        let rotation = DQuat::from_mat3(&body.pose.rotation).to_scaled_axis();
        let [place, velocity] = body.motion();
        [Some(place), Some(rotation), Some(velocity)]
    });
    components(place, axes.clone()).chain(components(turn, turns)).chain(components(velocity, axes)).collect()
}

fn components(vector: Option<DVec3>, axes: Range<usize>) -> impl Iterator<Item = Option<f64>> {
    axes.map(move |axis| vector.map(|vector| vector[axis]))
}

/// Mass (kg; kg/m in two dimensions) of the particles in `region`, and their mean pressure (Pa), density (kg/m³) and velocity (m/s), weighted by
/// mass; means are `None` without particles.
fn region_readings(fluid: &View<'_>, region: &Solid) -> Vec<Option<f64>> {
    let particles = fluid.particles;
    let [mass, pressure, density, x, y, z] = sum_particles(particles.len(), |i| {
        if !region.contains(particles.positions[i]) {
            return [0.0; 6];
        }
        let mass = fluid.mass_of(i);
        let velocity = particles.velocities[i].as_dvec3();
        let (pressure, density) = (fluid.acting_pressure(i), f64::from(particles.densities[i]));
        [mass, mass * pressure, mass * density, mass * velocity.x, mass * velocity.y, mass * velocity.z]
    });
    let axes = fluid.discretization.dimensions.count();
    let means = [pressure, density, x, y, z].into_iter().take(2 + axes).map(|sum| (mass > 0.0).then(|| sum / mass));
    [Some(mass)].into_iter().chain(means).collect()
}
