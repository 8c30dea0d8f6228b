//! The running scene, and its part of a snapshot.

use super::playback::SessionState;
use super::recorder::Recorder;
use crate::session::comparison::ComparedSimulation;
use crate::session::followed::Followed;
use crate::session::inspection::Inspectors;
use crate::session::readings::{Meters, Motion};
use crate::session::{Audits, SearchGrid, Snapshot, notice};
use sph_core::neighbors::{GridParameters, SearchStats};
use sph_core::remedies::Refusal;
use sph_core::{
    DropSite, DroppedBody, Engine, Foam, Hand, Input, InputError, ParameterError, Parameters, PopulationError, State, StepStats,
};
use sph_io::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The running scene.
pub(super) struct Running {
    pub(super) scene: Arc<Scene>,
    pub(super) engine: Box<dyn Engine>,
    stats: Option<StepStats>,
    /// All spot checks since the scene was loaded or reset.
    audits: Audits,
    /// Reason why the latest step was refused, if it was.
    failure: Option<String>,
    /// Account of it.
    refusal: Option<Arc<Refusal>>,
    /// The second simulation, while two grids are compared.
    compared: Option<ComparedSimulation>,
    /// The probes.
    meters: Meters,
    /// Foam that the fluid carries.
    foam: Foam,
    /// Motion of the whole fluid over time.
    motion: Motion,
    /// Particles that are followed.
    followed: Followed,
    /// Hand of the next steps.
    hand: Option<Hand>,
    recorder: Recorder,
}

/// What is left of a scene whose engine has panicked: enough to start it anew.
#[derive(Debug)]
pub(super) struct Crashed {
    pub(super) scene: Arc<Scene>,
    pub(super) parameters: Parameters,
    pub(super) off_curve: Vec<&'static str>,
    /// One sentence.
    pub(super) reason: String,
}

impl Running {
    /// A scene before its first step.
    pub(super) fn new(scene: Arc<Scene>, engine: Box<dyn Engine>) -> Self {
        let meters = Meters::of(&scene);
        Self {
            meters,
            motion: Motion::new(),
            recorder: Recorder::new(&scene.name, &*engine),
            scene,
            engine,
            stats: None,
            audits: Audits::default(),
            failure: None,
            refusal: None,
            compared: None,
            foam: Foam::default(),
            followed: Followed::default(),
            hand: None,
        }
    }

    /// The same scene from its start, with `engine` in place of the old one; the compared simulation restarts too.
    pub(super) fn restarted(self, engine: Box<dyn Engine>) -> Self {
        // The second grid was in force, and the discretisation is the scene's: nothing is refused.
        let compared = self.compared.and_then(|compared| compared.restart(&*engine).ok());
        let mut followed = Followed::default();
        followed.follow(self.followed.ids());
        Self { compared, followed, ..Self::new(self.scene, engine) }
    }

    /// The report of the latest step, if there was one.
    pub(super) fn stats(&self) -> Option<&StepStats> {
        self.stats.as_ref()
    }

    /// Searches of point sets in the latest step, each with its first set; none if that was refused.
    pub(super) fn point_searches(&self) -> impl Iterator<Item = (usize, &SearchStats)> {
        let points = self.scene.setup.points.as_ref().filter(|_| self.failure.is_none());
        let found = self.engine.view().set_searches;
        let firsts = points.into_iter().flat_map(|points| points.searches()).map(|sets| sets.start);
        firsts.filter_map(|first| Some((first, &found.get(first)?.stats)))
    }

    /// State of the session that is kept with that of the engine.
    pub(super) fn session_state(&self) -> SessionState {
        SessionState { averages: self.meters.memory(), audits: self.audits.clone(), stats: self.stats.clone() }
    }

    /// Goes to a kept state of engine and session; the compared simulation starts anew from there.
    ///
    /// # Errors
    /// The engine refuses the state; nothing has changed then.
    pub(super) fn restore(&mut self, state: State, session: &SessionState) -> Result<(), PopulationError> {
        // How points are searched is not history.
        let grids = self.engine.view().set_grids.to_vec();
        self.engine.restore(state)?;
        search_points_with(&mut *self.engine, &grids);
        self.meters.restore(&session.averages);
        (self.audits, self.stats) = (session.audits.clone(), session.stats.clone());
        (self.failure, self.refusal) = (None, None);
        // Foam is not kept: it begins anew.
        self.foam = Foam::default();
        // As after a reset, nothing is refused.
        self.compared = self.compared.take().and_then(|compared| compared.restart(&*self.engine).ok());
        Ok(())
    }

    /// Applies an input on the threads of `pool`, to the compared simulation too.
    ///
    /// # Errors
    /// The engine refuses it; nothing has changed then.
    pub(super) fn apply(&mut self, input: &Input, pool: &rayon::ThreadPool) -> Result<(), InputError> {
        let Self { engine, compared, .. } = self;
        pool.install(|| {
            input.apply(&mut **engine)?;
            if let Some(compared) = compared {
                compared.apply(input);
            }
            Ok(())
        })
    }

    /// Adds an input that has been applied to the present state to the recording.
    pub(super) fn record(&mut self, input: &Input) {
        self.recorder.add(&*self.engine, input);
    }

    /// File of the scene that is at `path`, if there is one.
    pub(super) fn input_at(&self, path: &Path) -> Option<&Path> {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut inputs = self.scene.path.iter().map(PathBuf::as_path).chain(self.scene.files.paths());
        inputs.find(|input| whole(input) == whole(path))
    }

    /// Begins the comparison with `grid`, goes on with this grid, or ends the comparison.
    ///
    /// # Errors
    /// A value outside its range; nothing has changed then.
    pub(super) fn compare(&mut self, grid: Option<SearchGrid>) -> Result<(), ParameterError> {
        match (grid, &mut self.compared) {
            (Some(grid), Some(compared)) => compared.set_grid(&*self.engine, grid)?,
            (Some(grid), None) => self.compared = Some(ComparedSimulation::start(&*self.engine, grid)?),
            (None, _) => self.compared = None,
        }
        Ok(())
    }

    /// Searches point set `set` with `grid`, in the compared simulation too, but for the search that is compared.
    ///
    /// # Errors
    /// A value outside its range; nothing has changed then.
    pub(super) fn set_point_grid(&mut self, set: usize, grid: GridParameters) -> Result<(), ParameterError> {
        self.engine.set_point_grid(set, grid)?;
        if let Some(compared) = &mut self.compared {
            compared.set_point_grid(set, grid);
        }
        Ok(())
    }

    /// Lets `hand` act in every new step from the next one on; `None` lets go.
    pub(super) fn use_hand(&mut self, hand: Option<Hand>) {
        self.hand = hand;
    }

    /// True while a hand is to act.
    pub(super) fn has_hand(&self) -> bool {
        self.hand.is_some()
    }

    /// The body at the place `wanted`, or at the first free one above. Without a free place it stays: the engine says what is in the way.
    pub(super) fn place(&self, wanted: DroppedBody) -> DroppedBody {
        let view = self.engine.view();
        let bodies = view.bodies.iter().map(|placed| (&placed.body, placed.pose));
        DropSite::of(&view).place(wanted, bodies).unwrap_or(wanted)
    }

    /// Takes back the body that was dropped last, before any step has followed, and its record; out of the compared simulation too, which starts anew.
    ///
    /// # Errors
    /// The engine refuses the state without it; nothing has changed then.
    pub(super) fn take_back_drop(&mut self, pool: &rayon::ThreadPool) -> Result<(), PopulationError> {
        let mut state = self.engine.snapshot();
        // Nothing else of the state has been changed by the drop.
        state.dropped.pop();
        state.bodies.pop();
        pool.install(|| self.engine.restore(state))?;
        self.compared = self.compared.take().and_then(|compared| compared.restart(&*self.engine).ok());
        self.recorder.take_back_drop(&*self.engine);
        Ok(())
    }

    /// Begins a step that has not been made before, and lets the hand act, which is returned. A hand that cannot act lets go.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub(super) fn begin_step(&mut self, pool: &rayon::ThreadPool) -> Result<Option<Hand>, InputError> {
        let hand = self.hand;
        self.recorder.begin_step(&*self.engine, hand);
        let applied = if hand.is_some() { self.apply(&Input::Hand(hand), pool) } else { Ok(()) };
        if applied.is_err() {
            self.hand = None;
        }
        self.recorder.add_hand(&*self.engine, self.hand);
        applied.map(|()| hand)
    }

    /// Recording up to the present step, or to its end, and the reason of the latter.
    pub(super) fn recording(&self) -> (sph_io::Recording, Option<&'static str>) {
        self.recorder.finished(&*self.engine)
    }

    /// Makes one step on the threads of `pool`, and one of the compared simulation; returns the simulation's report.
    pub(super) fn step(&mut self, pool: &rayon::ThreadPool) -> &StepStats {
        let Self { engine, compared, meters, foam, .. } = self;
        let stats = pool.install(|| {
            let stats = match compared {
                Some(compared) => compared.step(&mut **engine),
                None => engine.step(),
            };
            if stats.error.is_none() {
                meters.record(&engine.view());
                if foam.follows(engine.parameters()) {
                    foam.follow(&engine.view());
                }
            }
            stats
        });
        self.refusal = stats.error.as_ref().map(|error| Arc::new(Refusal::new(error, &stats, engine.parameters())));
        self.failure = self.refusal.as_deref().map(notice::advice);
        if self.failure.is_some() {
            self.hand = None;
            self.recorder.refuse(&**engine);
        }
        self.audits.add(&stats, self.engine.view().set_searches);
        self.stats.insert(stats)
    }

    /// Records the initial state for averages of the probes and for foam, on the threads of `pool`: to be called once, before the first step.
    pub(super) fn record_start(&mut self, pool: &rayon::ThreadPool) {
        let fluid = self.engine.view();
        pool.install(|| {
            self.meters.record(&fluid);
            self.foam.follow(&fluid);
        });
    }

    /// Reads the motion of the whole fluid at the measured `speed`, and, on the threads of `pool`, the probes, if it is time to.
    pub(super) fn sample(&mut self, pool: &rayon::ThreadPool, speed: f64) {
        if let Some(stats) = self.stats.as_ref().filter(|stats| stats.error.is_none()) {
            let fluid = self.engine.view();
            pool.install(|| self.motion.sample(&fluid, stats, speed));
        }
        let fluid = self.engine.view();
        pool.install(|| self.followed.sample(&fluid));
        if !self.meters.is_empty() {
            let fluid = self.engine.view();
            pool.install(|| self.meters.sample(&fluid));
        }
    }

    /// Reads these particles over time.
    pub(super) fn follow(&mut self, ids: &[u32]) {
        self.followed.follow(ids);
    }

    /// Forgets what has been read of later states than the present one.
    pub(super) fn forget_later_readings(&mut self) {
        let time = self.engine.time();
        self.motion.forget_after(time);
        self.followed.forget_after(time);
        self.meters.forget_after(time);
    }

    /// Adds the latest step of the compared simulation to its history; it ended `elapsed` of running time after the one before.
    pub(super) fn add_step_cost(&mut self, elapsed: Duration) {
        if let Some(compared) = &mut self.compared {
            compared.add_step_cost(elapsed);
        }
    }

    /// Reason why the latest step was refused, if it was.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Inspects the fluid, and that of the compared simulation, on the threads of `pool`; whether they move matters to what takes long.
    pub(super) fn inspect(
        &self,
        pool: &rayon::ThreadPool,
        (inspectors, moves): (&mut Inspectors, bool),
        snapshot: &mut Snapshot,
    ) {
        let (own, grid_b) = (self.engine.view(), self.compared.as_ref().map(ComparedSimulation::view));
        let second;
        [snapshot.inspection, second] = {
            let points = self.scene.setup.points.as_ref();
            pool.install(|| inspectors.inspect((&own, points), grid_b.as_ref(), moves))
        };
        if let Some(grid_b) = &mut snapshot.grid_b {
            grid_b.inspection = second;
        }
    }

    /// Writes the parts of `snapshot` that concern the scene.
    pub(super) fn write_to(&self, snapshot: &mut Snapshot) {
        snapshot.copy_fluid(&self.engine.view());
        snapshot.scene = Some(self.scene.clone());
        snapshot.stats.clone_from(&self.stats);
        snapshot.audits.clone_from(&self.audits);
        snapshot.readings.clone_from(self.meters.readings());
        snapshot.foam.particles.clear();
        snapshot.foam.particles.extend_from_slice(self.foam.particles());
        snapshot.foam.held_back = self.foam.held_back();
        snapshot.off_curve.clear();
        snapshot.off_curve.extend_from_slice(self.engine.off_curve());
        snapshot.failure.clone_from(&self.failure);
        snapshot.refusal.clone_from(&self.refusal);
        snapshot.motion.clone_from(self.motion.readings());
        snapshot.followed.clear();
        snapshot.followed.extend_from_slice(self.followed.ids());
        snapshot.followed_readings.clone_from(self.followed.readings());
        match &self.compared {
            Some(compared) => compared.write_to(&mut snapshot.grid_b),
            None => snapshot.grid_b = None,
        }
    }
}

/// Searches the point sets of `engine` with `grids`, of another moment of the same scene.
pub(super) fn search_points_with(engine: &mut dyn Engine, grids: &[GridParameters]) {
    for (set, grid) in grids.iter().enumerate() {
        // They were in force, so none is refused.
        let _ = engine.set_point_grid(set, *grid);
    }
}
