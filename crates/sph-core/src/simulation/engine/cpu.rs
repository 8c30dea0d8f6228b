//! The engine on processor cores.

use super::{Engine, View};
use crate::parameters::{ParameterError, Parameters};
use crate::passes::CancelFlag;
use crate::report::{Memory, StepStats, Timeline};
use crate::simulation::{DroppedBody, Hand, HandError};
use crate::simulation::{NewParticle, PopulationError, Simulation, State};
use std::ops::Range;

impl Engine for Simulation {
    fn step(&mut self) -> StepStats {
        Simulation::step(self)
    }

    fn time(&self) -> f64 {
        Simulation::time(self)
    }

    fn steps(&self) -> u64 {
        Simulation::steps(self)
    }

    fn parameters(&self) -> &Parameters {
        Simulation::parameters(self)
    }

    fn view(&self) -> View<'_> {
        View {
            discretization: self.discretization(),
            parameters: self.parameters(),
            domain: self.domain(),
            containers: self.containers(),
            external: self.external_forces(),
            fluids: self.fluids(),
            mass: self.particle_mass(),
            particles: self.particles(),
            walls: self.boundary(),
            planes: self.planes(),
            bodies: self.bodies(),
            dropped: &self.state().dropped,
            wall_reaction: self.wall_reaction(),
            time: self.time(),
            steps: self.steps(),
            last_dt: self.last_dt(),
        }
    }

    fn snapshot(&self) -> State {
        self.state().clone()
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn restore(&mut self, state: State) -> Result<(), PopulationError> {
        Simulation::restore(self, state)
    }

    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        Simulation::set_parameters(self, parameters)
    }

    fn set_off_curve(&mut self, keys: &[&'static str]) {
        Simulation::set_off_curve(self, keys);
    }

    fn off_curve(&self) -> &[&'static str] {
        Simulation::off_curve(self)
    }

    fn add(&mut self, particles: &[NewParticle]) -> Result<Range<u32>, PopulationError> {
        Simulation::add(self, particles)
    }

    fn remove(&mut self, ids: &[u32]) -> Result<(), PopulationError> {
        Simulation::remove(self, ids)
    }

    fn apply_hand(&mut self, hand: &Hand) -> Result<usize, HandError> {
        Simulation::apply_hand(self, hand)
    }

    fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), HandError> {
        Simulation::drop_body(self, dropped)
    }

    fn set_audit(&mut self, queries: usize) {
        Simulation::set_audit(self, queries);
    }

    fn set_cancel_flag(&mut self, flag: CancelFlag) {
        Simulation::set_cancel_flag(self, flag);
    }

    fn set_wall_reaction(&mut self, wanted: bool) {
        Simulation::set_wall_reaction(self, wanted);
    }

    fn set_timeline(&mut self, wanted: bool) {
        Simulation::set_timeline(self, wanted);
    }

    fn timeline(&self) -> Option<&Timeline> {
        Simulation::timeline(self)
    }

    fn memory(&self) -> Memory {
        Simulation::memory(self)
    }
}
