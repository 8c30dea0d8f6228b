//! Snapshots: copies of the simulation's state for the window.

use super::{History, Inspection, Rates, Readings, Rival, SpeedLimit, Timeline, Tuning};
use crate::session::remedies::Refusal;
use sph_core::neighbors::Audit;
use sph_core::{DroppedBody, FoamParticle, Parameters, Particles, Pose, StepStats, View};
use sph_io::Scene;
use std::sync::Arc;

/// The state of the session between two steps. The fields of one snapshot are consistent.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The scene that runs; `None` until the first has been loaded.
    pub scene: Option<Arc<Scene>>,
    /// Number of scenes loaded so far, reloads included.
    pub generation: u64,
    /// Number of scenes opened so far; a scene that is reloaded after its files have changed does not count again.
    pub opened: u64,
    /// True while another scene is read and built.
    pub loading: bool,
    /// The particles, with the attributes that can be [shown](Particles::copy_shown).
    pub particles: Particles,
    /// Places and orientations of the bodies: those of the scene, then those that have been dropped.
    pub poses: Vec<Pose>,
    /// Bodies that have been dropped, as they were at that moment.
    pub dropped: Vec<DroppedBody>,
    /// Foam, spray and bubbles.
    pub foam: ShownFoam,
    /// Simulated time, s.
    pub time: f64,
    /// Steps made since the scene was loaded or reset.
    pub steps: u64,
    /// The report of the latest step, if there was one since the scene was loaded or reset.
    pub stats: Option<StepStats>,
    /// Spot checks of neighbour lists since the scene was loaded or reset.
    pub audit: Audit,
    /// The parameters in force; `None` without a scene.
    pub parameters: Option<Parameters>,
    /// Keys of the parameters that have been taken off their curves.
    pub off_curve: Vec<&'static str>,
    /// Revision of the last [`Request::SetParameters`](super::Request::SetParameters) handled.
    pub revision: u64,
    /// True while the simulation is paused.
    pub paused: bool,
    /// The inspection of the grid over these particles, if asked for.
    pub inspection: Option<Arc<Inspection>>,
    /// Reason why the simulation stands still, if a step was refused.
    pub failure: Option<String>,
    /// Account of that step.
    pub refusal: Option<Arc<Refusal>>,
    /// The bound on speed in force.
    pub speed_limit: SpeedLimit,
    /// Measured speed.
    pub rates: Rates,
    /// Number of threads that compute a step.
    pub threads: usize,
    /// Cost of the last steps.
    pub history: History,
    /// Motion of the whole fluid over time: density error, energy, momentum, length of the steps, speed.
    pub motion: Readings,
    /// Readings of the scene's probes.
    pub readings: Readings,
    /// The same fluid with another grid, while two are compared.
    pub rival: Option<Rival>,
    /// Revision of the last [`Request::Compare`](super::Request::Compare) handled.
    pub rival_revision: u64,
    /// Kept moments, to which the fluid can go back.
    pub timeline: Timeline,
    /// Trials of grids on this scene, running or ended; `None` before the first.
    pub tuning: Option<Tuning>,
}

/// Foam of the simulation, as the window shows it.
#[derive(Clone, Debug, Default)]
pub struct ShownFoam {
    /// Its particles.
    pub particles: Vec<FoamParticle>,
    /// Number of particles that the limit has held back.
    pub held_back: u64,
}

impl Snapshot {
    /// Copies the state of `fluid`, reusing the memory of the snapshot overwritten.
    pub(super) fn copy_fluid(&mut self, fluid: &View<'_>) {
        self.particles.copy_shown(fluid.particles);
        self.poses.clear();
        self.poses.extend(fluid.bodies.iter().map(|body| body.pose));
        self.dropped.clear();
        self.dropped.extend_from_slice(fluid.dropped);
        self.time = fluid.time;
        self.steps = fluid.steps;
        self.parameters = Some(*fluid.parameters);
    }
}
