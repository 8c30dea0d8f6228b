//! The limits on dt, and which of them binds.

use crate::parameters::{Dimensions, Discretization, FluidParameters, Parameters, TimeStepParameters};
use crate::surroundings::Surroundings;

/// What keeps the time step from being longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeStepLimit {
    /// Sound and approaching particles must not cross the smoothing length.
    Sound,
    /// The largest acceleration.
    Force,
    /// Particles must not pass each other: of solvers without sound.
    Courant,
    /// Diffusion of momentum by viscosity.
    Viscous,
    /// The user's `max_dt`.
    Maximum,
}

impl TimeStepLimit {
    /// Name for tables and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Force => "force",
            Self::Courant => "courant",
            Self::Viscous => "viscous",
            Self::Maximum => "maximum",
        }
    }
}

/// What the particles do that bounds the time step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion {
    /// max |h v_ij·x_ij / (r² + η²)| over all pairs, m/s, with h = half the support radius.
    pub approach_speed: f32,
    /// Largest acceleration, m/s².
    pub acceleration: f32,
}

/// The longest step of weakly compressible SPH that every limit allows, s, and the limit that binds.
///
/// With h = half the support radius: sound `cfl·h/(c₀ + approach speed)`, force `cfl·√(h/a)`, viscous `0.125 h²/ν`
/// (Monaghan1992, Morris1997). To the laminar viscosity the last adds what the artificial one amounts to, `α c₀ h / 2(d + 2)`
/// (Monaghan2005).
pub(crate) fn time_step(around: &Surroundings<'_>, motion: Motion) -> (f32, TimeStepLimit) {
    let Parameters { fluid, time_step, .. } = around.parameters;
    limits(around.discretization.dimensions, around.smoothing_length(), motion, fluid, time_step)
}

/// The longest step of an incompressible solver, s, for particles of `speed` (m/s) before pressure, and the limit that binds: Courant
/// `½ cfl·dx/speed`, which at the usual factor of 0.4 is the 0.4 · 0.5 of Bender2017's code, and viscous as above.
pub(crate) fn courant_step(around: &Surroundings<'_>, speed: f32) -> (f32, TimeStepLimit) {
    let Parameters { fluid, time_step, .. } = around.parameters;
    let Discretization { dimensions, particle_spacing, .. } = *around.discretization;
    let courant = 0.5 * time_step.cfl_factor * particle_spacing / speed;
    let viscous = viscous_limit(dimensions, around.smoothing_length(), fluid);
    shortest([(courant, TimeStepLimit::Courant), (viscous, TimeStepLimit::Viscous)], time_step)
}

fn limits(
    dimensions: Dimensions,
    h: f32,
    motion: Motion,
    fluid: &FluidParameters,
    bounds: &TimeStepParameters,
) -> (f32, TimeStepLimit) {
    let cfl = bounds.cfl_factor;
    let limits = [
        (cfl * h / (fluid.sound_speed + motion.approach_speed), TimeStepLimit::Sound),
        (cfl * (h / motion.acceleration).sqrt(), TimeStepLimit::Force),
        (viscous_limit(dimensions, h, fluid), TimeStepLimit::Viscous),
    ];
    shortest(limits, bounds)
}

fn viscous_limit(dimensions: Dimensions, h: f32, fluid: &FluidParameters) -> f32 {
    let artificial = fluid.artificial_viscosity * fluid.sound_speed * h / (2 * (dimensions.count() + 2)) as f32;
    0.125 * h * h / (fluid.kinematic_viscosity + artificial)
}

fn shortest<const N: usize>(limits: [(f32, TimeStepLimit); N], bounds: &TimeStepParameters) -> (f32, TimeStepLimit) {
    limits.into_iter().fold((bounds.max_dt, TimeStepLimit::Maximum), |best, limit| if limit.0 < best.0 { limit } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::ViscosityModel;

    const BOUNDS: TimeStepParameters = TimeStepParameters { cfl_factor: 0.25, max_dt: 1.0 };

    fn limit(sound_speed: f32, kinematic_viscosity: f32, motion: Motion) -> (f32, TimeStepLimit) {
        let fluid = FluidParameters {
            sound_speed,
            kinematic_viscosity,
            viscosity_model: ViscosityModel::Morris,
            artificial_viscosity: 0.0,
            density_diffusion: 0.0,
        };
        limits(Dimensions::Three, 0.02, motion, &fluid, &BOUNDS)
    }

    #[test]
    fn each_limit_binds_where_it_should() {
        let rest = Motion { approach_speed: 0.0, acceleration: 0.0 };
        assert_eq!(limit(10.0, 0.0, rest), (0.25 * 0.02 / 10.0, TimeStepLimit::Sound));
        assert_eq!(limit(10.0, 1.0, rest), (0.125 * 0.02 * 0.02, TimeStepLimit::Viscous));
        let pushed = Motion { approach_speed: 0.0, acceleration: 1e6 };
        assert_eq!(limit(10.0, 0.0, pushed).1, TimeStepLimit::Force);
        assert_eq!(limit(1e-4, 0.0, rest), (1.0, TimeStepLimit::Maximum));
    }

    #[test]
    fn artificial_viscosity_counts() {
        let fluid = FluidParameters {
            sound_speed: 10.0,
            kinematic_viscosity: 0.0,
            viscosity_model: ViscosityModel::Morris,
            artificial_viscosity: 10.0,
            density_diffusion: 0.0,
        };
        let rest = Motion { approach_speed: 0.0, acceleration: 0.0 };
        // 0.125 h² / (α c₀ h / 10) in three dimensions.
        let (dt, limit) = limits(Dimensions::Three, 0.02, rest, &fluid, &BOUNDS);
        assert_eq!(limit, TimeStepLimit::Viscous);
        assert!((dt / (0.125 * 0.02 * 10.0 / 100.0) - 1.0).abs() < 1e-6, "{dt}");
    }
}
