//! Forecast of a run before its first step: time step, number of steps, computing time.

use super::Setup;
use crate::parameters::{Dimensions, Method};
use crate::solver::{Solver, StepBound};
use std::f64::consts::PI;

/// Forecast of a run: orders of magnitude, for a decision before it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Time step to expect and the limit that sets it.
    pub step: StepBound,
    /// Computing time of a step on one processor core, s.
    pub seconds_per_step: f64,
}

impl Forecast {
    /// Number of steps of `duration`, s.
    pub fn steps(&self, duration: f64) -> f64 {
        (duration / f64::from(self.step.dt)).ceil()
    }
}

impl Setup {
    /// Forecast of a run of a valid setup.
    ///
    /// The time step is that of the limits at the highest speed to expect: the initial one, that of openings and moving solids, or that of
    /// a fall through the height of the fluid. The computing time is that of a current core.
    pub fn forecast(&self) -> Forecast {
        let discretization = &self.discretization;
        let solver = &self.parameters.solver;
        let speed = self.expected_speed();
        let radius = f64::from(Solver::search_radius(solver, discretization) / discretization.particle_spacing);
        let neighbors = match discretization.dimensions {
            Dimensions::Two => PI * radius.powi(2),
            Dimensions::Three => 4.0 / 3.0 * PI * radius.powi(3),
        };
        // Measured: 12 ns with WCSPH; with the others 48 ns in fluid at rest, more in a splash.
        let seconds_per_pair = match solver.method {
            Method::Wcsph => 12e-9,
            Method::Pcisph | Method::Iisph | Method::Dfsph | Method::Pbf => 60e-9,
        };
        Forecast {
            step: self.shortest_step(speed),
            seconds_per_step: self.particle_counts().fluid as f64 * neighbors * seconds_per_pair,
        }
    }

    /// Highest initial speed of the fluid, m/s: an upper bound.
    pub(super) fn initial_speed(&self) -> f32 {
        let speed = |block: &super::FluidBlock| {
            let corners = [block.min, block.max].map(|corner| self.flat(corner));
            self.flat(block.velocity).length() + block.field.top_speed(corners, block.water(self.parameters.gravity))
        };
        self.blocks.iter().map(speed).fold(0.0, f32::max)
    }

    /// Highest speed to expect, m/s: of the fluid at the start, of its fall, of openings and of solids.
    pub fn expected_speed(&self) -> f32 {
        let solids = self.containers.iter().map(|container| container.top_speed());
        let solids = solids.chain(self.bodies.iter().map(|body| body.top_speed())).fold(0.0, f32::max);
        // The usual speed of sound is ten times that of the fall and of the openings.
        self.initial_speed().max(solids).max(0.1 * self.usual_sound_speed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Discretization, ViscosityModel};
    use crate::setup::FluidBlock;
    use crate::{Container, Simulation, TimeStepLimit};
    use glam::Vec3;

    fn pool() -> Setup {
        let water = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 0.5, 0.0));
        let tank = Container::new(Vec3::ZERO, Vec3::ONE);
        Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![water], vec![tank])
    }

    #[test]
    fn the_first_step_is_as_long_as_forecast() {
        let viscous = |model| {
            let mut setup = pool();
            setup.parameters.fluid.kinematic_viscosity = 10.0;
            setup.parameters.fluid.viscosity_model = model;
            setup
        };
        for setup in [pool(), viscous(ViscosityModel::Morris), viscous(ViscosityModel::Implicit)] {
            let forecast = setup.forecast().step;
            let first = Simulation::new(&setup).unwrap().step();
            assert_eq!(first.dt_limit, forecast.limit);
            // The forecast counts in the speed of the fall, a tenth of the speed of sound.
            let ratio = forecast.dt / first.dt;
            assert!((0.85..=1.02).contains(&ratio), "{forecast:?} {}", first.dt);
        }
    }

    #[test]
    fn explicit_viscosity_is_forecast_to_take_the_most_steps() {
        let mut setup = pool();
        setup.parameters.fluid.kinematic_viscosity = 1e6;
        let forecast = setup.forecast();
        assert_eq!(forecast.step.limit, TimeStepLimit::Viscous);
        let h = f64::from(0.5 * setup.discretization.support_radius);
        // dt = 0.125 h²/ν.
        let steps = 2.0 / (0.125 * h * h / 1e6);
        assert!((forecast.steps(2.0) / steps - 1.0).abs() < 1e-4, "{}", forecast.steps(2.0));
    }
}
