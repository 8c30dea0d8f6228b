//! Snapshots: copies of the simulation's state for the window; the kept moments, to which it can go back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Audits, ComparisonSnapshot, Inspection, Rates, Readings, Request, SpeedLimit, StepCosts, Tuning};
use sph_core::neighbors::{GridParameters, SearchStats};
use sph_core::point_sets::SetSearch;
use sph_core::remedies::Refusal;
use sph_core::{DroppedBody, FoamParticle, Parameters, Particles, Pose, StepStats, View};
use sph_io::{BenchResult, Scene};
use sph_render::ShownSets;

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
    /// Cloths and balls.
    pub sets: ShownSets,
    /// Parameters of the search of each of them.
    pub set_grids: Vec<GridParameters>,
    /// Their searches in the latest step; empty before the first.
    pub set_searches: Vec<SetSearch>,
    /// Revision of the last [`Request::SetPointGrid`](super::Request::SetPointGrid) handled.
    pub point_revision: u64,
    /// Foam, spray and bubbles.
    pub foam: ShownFoam,
    /// Simulated time, s.
    pub time: f64,
    /// Steps made since the scene was loaded or reset.
    pub steps: u64,
    /// The report of the latest step, if there was one since the scene was loaded or reset.
    pub stats: Option<StepStats>,
    /// Spot checks of neighbour searches since the scene was loaded or reset.
    pub audits: Audits,
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
    /// Cost of the last steps, with the fluid's search.
    pub step_costs: StepCosts,
    /// The same with the searches of point sets, by the first set of each.
    pub point_costs: BTreeMap<usize, StepCosts>,
    /// Motion of the whole fluid over time: density error, energy, momentum, length of the steps, speed; then every statistic of a step.
    pub motion: Readings,
    /// Particles that are followed, by their ids.
    pub followed: Vec<u32>,
    /// Their values: for each of them the quantities in the order of [`ParticleQuantity::ALL`](super::ParticleQuantity::ALL).
    pub followed_readings: Readings,
    /// Readings of the scene's probes.
    pub readings: Readings,
    /// The same fluid with another grid, while two are compared.
    pub grid_b: Option<ComparisonSnapshot>,
    /// Revision of the last [`Request::Compare`](super::Request::Compare) handled.
    pub comparison_revision: u64,
    /// Kept moments, to which the fluid can go back.
    pub timeline: Timeline,
    /// Trials of grids on this scene, running or ended; `None` before the first.
    pub tuning: Option<Tuning>,
    /// Result of the last steps, while it is [asked for](super::Request::Measure).
    pub result: Option<Arc<BenchResult>>,
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
    pub(crate) fn copy_fluid(&mut self, fluid: &View<'_>) {
        self.particles.copy_shown(fluid.particles);
        self.poses.clear();
        self.poses.extend(fluid.bodies.iter().map(|body| body.pose));
        self.dropped.clear();
        self.dropped.extend_from_slice(fluid.dropped);
        self.sets.copy(fluid);
        self.set_grids.clear();
        self.set_grids.extend_from_slice(fluid.set_grids);
        self.set_searches.clear();
        self.set_searches.extend_from_slice(fluid.set_searches);
        self.time = fluid.time;
        self.steps = fluid.steps;
        self.parameters = Some(*fluid.parameters);
    }

    /// True if no step follows: the simulation is paused, and not under way to another moment.
    pub fn stands_still(&self) -> bool {
        self.paused && !self.timeline.seeking()
    }

    /// Request that makes the simulation run if it stands still, and stop where it is otherwise.
    pub fn play_or_pause(&self) -> Request {
        if self.stands_still() { Request::Play } else { Request::Pause }
    }

    /// Latest search of point set `set`, or of the fluid; `None` before it.
    pub fn search_of(&self, set: Option<usize>) -> Option<&SearchStats> {
        match set {
            Some(set) => self.set_searches.get(set).map(|search| &search.stats),
            None => self.stats.as_ref().map(|stats| &stats.search),
        }
    }

    /// Cost of the last steps with the search of point set `set` and of those that are searched with it, or with the fluid's; `None` before the
    /// first such search.
    pub fn costs_of(&self, set: Option<usize>) -> Option<&StepCosts> {
        set.map_or(Some(&self.step_costs), |set| self.point_costs.get(&set))
    }

    /// Numbers of `particles`, `vertices` and `balls`, of the kinds that there are; an empty tank has 0 particles.
    pub fn counts_by_kind(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let balls = self.sets.balls().count();
        let has_points = self.sets.points() > 0;
        let kinds = [(self.particles.len(), "particles"), (self.sets.points() - balls, "vertices"), (balls, "balls")];
        kinds.into_iter().filter(move |&(count, kind)| count > 0 || kind == "particles" && !has_points)
    }
}

// Kept moments of the running scene, to which the window can go back.

/// Largest part of the available memory that kept moments take unless told otherwise: one in this many.
const SHARE_OF_MEMORY: u64 = 10;

/// Most memory that they take unless told otherwise, bytes.
const MOST_MEMORY: u64 = 512 << 20;

/// A place on the time axis: where the fluid is after so many steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Simulated time, s.
    pub time: f64,
    /// Completed steps.
    pub steps: u64,
}

/// Moment to go to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// After this many steps.
    Steps(u64),
    /// The first moment at or after this simulated time, s.
    Time(f64),
}

impl Goal {
    /// True if the fluid is there at this instant, or later.
    pub fn is_reached(self, at: Moment) -> bool {
        match self {
            Self::Steps(steps) => at.steps >= steps,
            Self::Time(time) => at.time >= time,
        }
    }

    /// True if the fluid can get there from this instant by steps.
    pub fn is_after(self, at: Moment) -> bool {
        match self {
            Self::Steps(steps) => at.steps <= steps,
            Self::Time(time) => at.time <= time,
        }
    }
}

/// Kept moments, as a snapshot shows them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Kept moments, the earliest first: the start if it is kept, then those of the last seconds.
    pub kept: Arc<[Moment]>,
    /// Latest moment that has been computed; later than the present one after going back.
    pub end: Moment,
    /// Memory that the kept moments take, bytes.
    pub bytes: u64,
    /// Memory that they would take without compression, bytes.
    pub unpacked_bytes: u64,
    /// Bound on [`Timeline::bytes`].
    pub limit: u64,
    /// True once packing has failed: nothing more is kept until the scene starts anew.
    pub has_failed: bool,
    /// Moment to which the simulation is under way, while steps are made again to reach one between two kept ones, or made to reach a later one.
    pub goal: Option<Goal>,
    /// Number of times that the fluid has gone to another moment other than by a step.
    pub jumps: u64,
}

impl Timeline {
    /// True while the simulation is under way to another moment.
    pub fn seeking(&self) -> bool {
        self.goal.is_some()
    }

    /// Bound on the memory of kept moments unless told otherwise, bytes.
    pub fn default_limit() -> u64 {
        sph_io::available_memory().map_or(MOST_MEMORY, |bytes| (bytes / SHARE_OF_MEMORY).min(MOST_MEMORY))
    }

    /// The kept moment nearest to simulated `time`, s.
    pub fn nearest(&self, time: f64) -> Option<Moment> {
        let after = self.kept.partition_point(|kept| kept.time < time);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|index| self.kept.get(index));
        around.copied().min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_kept_moment_is_found() {
        let kept = [(0.0, 0), (1.0, 10), (1.5, 15)].map(|(time, steps)| Moment { time, steps });
        let timeline = Timeline { kept: kept.into(), ..Timeline::default() };
        let steps = |time| timeline.nearest(time).map(|kept| kept.steps);
        assert_eq!([-1.0, 0.4, 0.6, 1.2, 1.3, 9.0].map(steps), [0, 0, 10, 10, 15, 15].map(Some));
        assert_eq!(Timeline::default().nearest(1.0), None);
    }
}
