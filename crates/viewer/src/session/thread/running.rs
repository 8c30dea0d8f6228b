//! The running scene, and its part of a snapshot.

use super::playback::Beside;
use super::recorder::Recorder;
use crate::session::comparison::Contest;
use crate::session::inspection::Inspectors;
use crate::session::readings::{Meters, Motion};
use crate::session::{Snapshot, notice};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::remedies::Refusal;
use sph_core::{
    DropSite, DroppedBody, Engine, Foam, Hand, HandError, ParameterError, Parameters, PopulationError, State, StepStats,
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
    audit: Audit,
    /// Reason why the latest step was refused, if it was.
    failure: Option<String>,
    /// Account of it.
    refusal: Option<Arc<Refusal>>,
    /// The rival, while two grids are compared.
    contest: Option<Contest>,
    /// The probes.
    meters: Meters,
    /// Foam that the fluid carries.
    foam: Foam,
    /// Motion of the whole fluid over time.
    motion: Motion,
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
            audit: Audit::default(),
            failure: None,
            refusal: None,
            contest: None,
            foam: Foam::default(),
            hand: None,
        }
    }

    /// The same scene from its start, with `engine` in place of the old one; the rival restarts too.
    pub(super) fn restarted(self, engine: Box<dyn Engine>) -> Self {
        // The rival's grid was in force, and the discretisation is the scene's: nothing is refused.
        let contest = self.contest.and_then(|contest| contest.restart(&*engine).ok());
        Self { contest, ..Self::new(self.scene, engine) }
    }

    /// State of the session that is kept beside that of the engine.
    pub(super) fn beside(&self) -> Beside {
        Beside { averages: self.meters.memory(), audit: self.audit, stats: self.stats.clone() }
    }

    /// Goes to a kept state, with what was kept beside it; the rival starts anew from there.
    ///
    /// # Errors
    /// The engine refuses the state; nothing has changed then.
    pub(super) fn restore(&mut self, state: State, beside: &Beside) -> Result<(), PopulationError> {
        self.engine.restore(state)?;
        self.meters.restore(&beside.averages);
        (self.audit, self.stats) = (beside.audit, beside.stats.clone());
        (self.failure, self.refusal) = (None, None);
        // Foam is not kept: it begins anew.
        self.foam = Foam::default();
        // As after a reset, nothing is refused.
        self.contest = self.contest.take().and_then(|contest| contest.restart(&*self.engine).ok());
        Ok(())
    }

    /// Uses `parameters` from the next step on; all but the grid apply to the rival too.
    ///
    /// # Errors
    /// A value outside its range; the parameters in force then stay.
    pub(super) fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        self.engine.set_parameters(parameters)?;
        if let Some(contest) = &mut self.contest {
            contest.set_shared_parameters(&parameters);
        }
        Ok(())
    }

    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    pub(super) fn set_off_curve(&mut self, keys: &[&'static str]) {
        self.engine.set_off_curve(keys);
        if let Some(contest) = &mut self.contest {
            contest.set_off_curve(keys);
        }
    }

    /// File of the scene that is at `path`, if there is one.
    pub(super) fn input_at(&self, path: &Path) -> Option<&Path> {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut inputs = self.scene.path.iter().map(PathBuf::as_path).chain(self.scene.files.paths());
        inputs.find(|input| whole(input) == whole(path))
    }

    /// Starts a rival with `grid`, gives the existing rival this grid, or ends the comparison.
    ///
    /// # Errors
    /// A value outside its range; nothing has changed then.
    pub(super) fn compare(&mut self, grid: Option<GridParameters>) -> Result<(), ParameterError> {
        match (grid, &mut self.contest) {
            (Some(grid), Some(contest)) => contest.set_grid(&*self.engine, grid)?,
            (Some(grid), None) => self.contest = Some(Contest::start(&*self.engine, grid)?),
            (None, _) => self.contest = None,
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

    /// Lets `hand` act once, on the threads of `pool`, on the rival too.
    ///
    /// # Errors
    /// The reason why it cannot; nothing has changed then.
    pub(super) fn apply_hand(&mut self, hand: &Hand, pool: &rayon::ThreadPool) -> Result<(), HandError> {
        let Self { engine, contest, .. } = self;
        pool.install(|| {
            engine.apply_hand(hand)?;
            if let Some(contest) = contest {
                contest.apply_hand(hand);
            }
            Ok(())
        })
    }

    /// Drops a body at the place `wanted`, or at the first free one above, and returns it as it is dropped; into the rival too.
    ///
    /// # Errors
    /// The reason why it cannot; nothing has changed then.
    pub(super) fn drop_body(&mut self, wanted: &DroppedBody, pool: &rayon::ThreadPool) -> Result<DroppedBody, HandError> {
        let view = self.engine.view();
        let bodies = view.bodies.iter().map(|placed| (&placed.body, placed.pose));
        // Without a place for it, the engine says what is in the way.
        let dropped = DropSite::of(&view).place(*wanted, bodies).unwrap_or(*wanted);
        self.repeat_drop(&dropped, pool)?;
        self.recorder.add_drops(&*self.engine);
        Ok(dropped)
    }

    /// Drops a body exactly there, without a record of it; into the rival too.
    ///
    /// # Errors
    /// The reason why it cannot; nothing has changed then.
    pub(super) fn repeat_drop(&mut self, dropped: &DroppedBody, pool: &rayon::ThreadPool) -> Result<(), HandError> {
        let Self { engine, contest, .. } = self;
        pool.install(|| {
            engine.drop_body(dropped)?;
            if let Some(contest) = contest {
                contest.drop_body(dropped);
            }
            Ok(())
        })
    }

    /// Takes back the body that was dropped last, before any step has followed, and its record; out of the rival too, which starts anew.
    ///
    /// # Errors
    /// The engine refuses the state without it; nothing has changed then.
    pub(super) fn take_back_drop(&mut self, pool: &rayon::ThreadPool) -> Result<(), PopulationError> {
        let mut state = self.engine.snapshot();
        // Nothing else of the state has been changed by the drop.
        state.dropped.pop();
        state.bodies.pop();
        pool.install(|| self.engine.restore(state))?;
        self.contest = self.contest.take().and_then(|contest| contest.restart(&*self.engine).ok());
        self.recorder.take_back_drop(&*self.engine);
        Ok(())
    }

    /// Begins a step that has not been made before, and lets the hand act, which is returned if it has. A hand that cannot act lets go.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub(super) fn begin_step(&mut self, pool: &rayon::ThreadPool) -> Result<Option<Hand>, HandError> {
        let hand = self.hand;
        self.recorder.begin_step(&*self.engine, hand);
        let applied = hand.map_or(Ok(()), |hand| self.apply_hand(&hand, pool));
        if applied.is_err() {
            self.hand = None;
        }
        self.recorder.add_hand(&*self.engine, self.hand);
        applied.map(|()| hand)
    }

    /// Records the parameters in force, and those off their curves, which have been set.
    pub(super) fn record_parameters(&mut self) {
        self.recorder.add_off_curve(&*self.engine);
        self.recorder.add_parameters(&*self.engine);
    }

    /// Recording up to the present step, or to its end, and the reason of the latter.
    pub(super) fn recording(&self) -> (sph_io::Recording, Option<&'static str>) {
        self.recorder.finished(&*self.engine)
    }

    /// Makes one step on the threads of `pool`, and one of the rival; returns the simulation's report.
    pub(super) fn step(&mut self, pool: &rayon::ThreadPool) -> &StepStats {
        let Self { engine, contest, meters, foam, .. } = self;
        let stats = pool.install(|| {
            let stats = match contest {
                Some(contest) => contest.step(&mut **engine),
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
        self.audit = self.audit.join(stats.audit);
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
        if !self.meters.is_empty() {
            let fluid = self.engine.view();
            pool.install(|| self.meters.sample(&fluid));
        }
    }

    /// Forgets what has been read of later states than the present one.
    pub(super) fn forget_later_readings(&mut self) {
        let time = self.engine.time();
        self.motion.forget_after(time);
        self.meters.forget_after(time);
    }

    /// Adds the rival's latest step to its history; it ended `elapsed` of running time after the one before.
    pub(super) fn add_to_history(&mut self, elapsed: Duration) {
        if let Some(contest) = &mut self.contest {
            contest.add_to_history(elapsed);
        }
    }

    /// Reason why the latest step was refused, if it was.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Inspects the fluid and the rival's on the threads of `pool`; whether they move matters to what takes long.
    pub(super) fn inspect(
        &self,
        pool: &rayon::ThreadPool,
        (inspectors, moves): (&mut Inspectors, bool),
        snapshot: &mut Snapshot,
    ) {
        let (own, rival) = (self.engine.view(), self.contest.as_ref().map(Contest::view));
        let rivals;
        [snapshot.inspection, rivals] = pool.install(|| inspectors.inspect(&own, rival.as_ref(), moves));
        if let Some(rival) = &mut snapshot.rival {
            rival.inspection = rivals;
        }
    }

    /// Writes the parts of `snapshot` that concern the scene.
    pub(super) fn write_to(&self, snapshot: &mut Snapshot) {
        snapshot.copy_fluid(&self.engine.view());
        snapshot.scene = Some(self.scene.clone());
        snapshot.stats.clone_from(&self.stats);
        snapshot.audit = self.audit;
        snapshot.readings.clone_from(self.meters.readings());
        snapshot.foam.particles.clear();
        snapshot.foam.particles.extend_from_slice(self.foam.particles());
        snapshot.foam.held_back = self.foam.held_back();
        snapshot.off_curve.clear();
        snapshot.off_curve.extend_from_slice(self.engine.off_curve());
        snapshot.failure.clone_from(&self.failure);
        snapshot.refusal.clone_from(&self.refusal);
        snapshot.motion.clone_from(self.motion.readings());
        match &self.contest {
            Some(contest) => contest.write_to(&mut snapshot.rival),
            None => snapshot.rival = None,
        }
    }
}
