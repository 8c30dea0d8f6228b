//! The loop of the simulation thread: handle events and requests, step, publish; sleep while no step is due.

mod files;
mod parts;
mod seeking;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::loader::{Job, Loader, Watcher};
use super::playback::Playback;
use super::running::{Crashed, Running};
use super::{Event, Publisher};
use crate::session::inspection::Inspectors;
use crate::session::tuning::Tuner;
use crate::session::{Notice, Options, Rates, Request, SearchGrid, Subject, notice};
use anyhow::Context as _;
use files::StatsOutput;
use parts::{Clocks, Outputs, Pending, Scenes};
use seeking::TimeTravel;
use sph_core::{Engine, Input, InputError, Parameters};

/// Longest wait for a state that is being packed before the way back to it begins; its arrival ends the wait.
const PACKING: Duration = Duration::from_millis(5);

/// The state of the simulation thread.
pub(in crate::session) struct Runner {
    pool: rayon::ThreadPool,
    events: Receiver<Event>,
    sender: Sender<Event>,
    publisher: Publisher,
    outputs: Outputs,
    tuner: Tuner,
    inspectors: Inspectors,

    scenes: Scenes,
    running: Option<Running>,
    /// What is left of a scene whose engine has panicked.
    crashed: Option<Crashed>,
    playing: bool,
    /// Single steps requested and not made yet.
    pending_steps: u32,
    travel: TimeTravel,
    /// Parameters to use from the next step on.
    parameters: Pending<Parameters>,
    /// Grid to compare with from the next step on, or `None` for no comparison.
    second_grid: Pending<Option<SearchGrid>>,
    /// Revision of the last change of the search of a point set.
    point_revision: u64,
    clocks: Clocks,
    /// True if something has changed since the last snapshot.
    changed: bool,
}

/// Start of the next step.
enum Due {
    Now,
    In(Duration),
    Never,
}

impl Runner {
    pub(in crate::session) fn new(
        options: &Options,
        sender: Sender<Event>,
        events: Receiver<Event>,
        publisher: Publisher,
    ) -> anyhow::Result<Self> {
        let packer = sender.clone();
        let packed = move |packed| packer.send(Event::Packed(Box::new(packed))).is_ok();
        let watcher = |changed| Watcher::start(sender.clone(), changed).context("cannot start the thread that watches files");
        let watchers = [watcher(|| Event::FilesChanged)?, watcher(|| Event::FailedFilesChanged)?];
        let loader = Loader::start(options.engine, sender.clone()).context("cannot start the thread that loads scenes")?;
        let playback = Playback::start(packed).context("cannot start the thread that keeps moments")?;
        Ok(Self {
            pool: super::pool(options.threads)?,
            events,
            sender,
            publisher,
            outputs: Outputs { stats: StatsOutput::open(options.stats.as_deref())?, recording: options.record.clone() },
            tuner: Tuner::default(),
            inspectors: Inspectors::default(),
            scenes: Scenes::new(loader, watchers),
            running: None,
            crashed: None,
            playing: true,
            pending_steps: 0,
            travel: TimeTravel::new(playback),
            parameters: Pending::new(),
            second_grid: Pending::new(),
            point_revision: 0,
            clocks: Clocks::new(),
            changed: true,
        })
    }

    /// Runs until a quit event.
    ///
    /// # Errors
    /// If the statistics file could not be completed.
    pub(in crate::session) fn run(mut self) -> anyhow::Result<()> {
        loop {
            let due = self.due();
            let event = match due {
                // Trials go on while no step is due.
                _ if self.tuner.is_active() => self.events.try_recv().ok(),
                Due::Now => self.events.try_recv().ok(),
                // The loading thread holds a sender too, so no event means that the wait is over.
                Due::In(wait) => self.events.recv_timeout(wait).ok(),
                Due::Never => {
                    self.prepare_to_sleep();
                    Some(self.events.recv().expect("a session says that it ends before it goes"))
                }
            };
            if let Some(Event::Quit) = event {
                break;
            }
            // What has panicked is dropped; all else is consistent between two turns.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.turn(event, matches!(due, Due::Now)))) {
                self.crash(&*panic);
            }
        }
        let recorded = self.finish_recording();
        self.outputs.stats.finish().and(recorded)
    }

    /// Handles an event; without one makes a step, or a trial, of which a step `is_due` now.
    fn turn(&mut self, event: Option<Event>, is_due: bool) {
        match event {
            Some(Event::Quit) => {}
            Some(Event::Request(request)) => self.handle(request),
            Some(Event::Loaded(loaded)) => self.handle_loaded(loaded),
            Some(Event::FilesChanged) => self.reload(),
            Some(Event::FailedFilesChanged) => self.load_again(),
            Some(Event::Packed(packed)) => {
                if let Err(message) = self.travel.playback.take(*packed) {
                    self.publisher.notify(notice::not_kept(&message));
                }
                self.changed = true;
            }
            Some(Event::Notice(notice)) => self.publisher.notify(notice),
            None if self.tuner.is_active() => {
                if is_due {
                    self.step();
                }
                self.tune();
            }
            None => self.step(),
        }
        if self.travel.seek.is_none() {
            for request in std::mem::take(&mut self.travel.deferred) {
                self.handle(request);
            }
        }
    }

    fn due(&mut self) -> Due {
        let Some(running) = &self.running else { return Due::Never };
        if self.pending_steps == 0
            && self.travel.seek.is_some_and(|seek| !seek.is_under_way)
            && self.travel.playback.is_packing()
        {
            return Due::In(PACKING);
        }
        if self.pending_steps > 0 || self.travel.seek.is_some() {
            return Due::Now;
        }
        if !self.playing {
            return Due::Never;
        }
        let wait = self.clocks.pacer.wait(Instant::now(), running.engine.time());
        if wait.is_zero() { Due::Now } else { Due::In(wait) }
    }

    /// Brings everything up to date before a sleep of unknown length.
    fn prepare_to_sleep(&mut self) {
        self.apply_parameters();
        self.clocks.pause();
        if let Err(notice) = self.outputs.stats.flush() {
            self.publisher.notify(notice);
        }
        if self.changed {
            self.publish();
        }
    }

    /// Makes one trial, which takes the time of a few steps.
    fn tune(&mut self) {
        self.apply_parameters();
        let Self { pool, tuner, .. } = self;
        pool.install(|| tuner.advance());
        self.changed = true;
        if self.publisher.is_due(Instant::now()) || !self.tuner.is_active() {
            self.publish();
        }
    }

    fn set_playing(&mut self, playing: bool) {
        self.pending_steps = 0;
        self.travel.seek = None;
        if playing != self.playing {
            self.playing = playing;
            self.clocks.restart();
        }
    }

    fn start(&mut self, job: Job) {
        self.scenes.loader.submit(job);
        // The window shows that a scene is being loaded.
        self.publish();
    }

    fn replace(&mut self, mut running: Running) {
        self.pending_steps = 0;
        running.record_start(&self.pool);
        self.travel.begin(&running);
        self.running = Some(running);
        self.clocks.measuring.clear();
        self.inspectors.start_over();
        self.clocks.restart();
    }

    fn apply_parameters(&mut self) {
        // Without a scene they stay pending until one is loaded.
        let Some(running) = &mut self.running else { return };
        let (mut refused, mut is_changed) = (None, false);
        if let Some(parameters) = self.parameters.take() {
            self.changed = true;
            let before = *running.engine.parameters();
            refused = running.apply(&Input::Parameters(Box::new(parameters)), &self.pool).err();
            is_changed = *running.engine.parameters() != before;
        }
        if let Some(grid) = self.second_grid.take() {
            self.changed = true;
            refused = running.compare(grid).err().map(InputError::from).or(refused);
            // The compared simulation may be another one now.
            self.inspectors.invalidate();
        }
        if is_changed {
            self.clocks.measuring.clear();
            self.log_parameters();
        }
        if let Some(error) = refused {
            self.publisher.notify(Notice::warning("That value was refused", error.to_string()));
        }
    }

    fn step(&mut self) {
        if self.travel.seek.is_some() && !self.begin_seek() {
            return;
        }
        if self.travel.seek.is_none() {
            self.pending_steps = self.pending_steps.saturating_sub(1);
        }
        self.apply_parameters();
        self.enter_step();
        let Some(running) = &mut self.running else { return };
        let is_repeated = self.travel.playback.is_past(&*running.engine);
        let start = self.clocks.start_of_step();
        let stats = running.step(&self.pool);
        self.inspectors.invalidate();
        let elapsed = self.clocks.end_step(start, stats);
        self.changed = true;
        if !is_repeated && let Err(notice) = self.outputs.stats.write(stats) {
            self.publisher.notify(notice);
        }
        running.add_step_cost(elapsed);
        if let Some(stats) = running.stats() {
            self.clocks.add_point_searches(running.point_searches(), stats, elapsed);
        }
        if running.failure().is_none() {
            self.leave_step();
        }
        self.report_failure();
        if !self.hides_steps() && self.publisher.is_due(Instant::now()) {
            self.publish();
        }
    }
}

// Requests of the window.

/// True for a request that would act on an intermediate moment, never shown, or that takes over the edits which wait for its end.
fn waits_for_arrival(request: &Request) -> bool {
    matches!(
        request,
        Request::SetParameters { .. }
            | Request::SetPointGrid { .. }
            | Request::SetOffCurve { .. }
            | Request::LoadAtSpacing(_)
            | Request::DropBody { .. }
            | Request::TakeBackBody { .. }
            | Request::Compare { .. }
            | Request::SaveState(_)
            | Request::Tune { .. }
            | Request::Play
            | Request::StepOnce
    )
}

/// True for a request by which a user goes on with the running scene.
fn goes_on(request: &Request) -> bool {
    matches!(
        request,
        Request::SetParameters { .. }
            | Request::SetPointGrid { .. }
            | Request::SetOffCurve { .. }
            | Request::UseHand { hand: Some(_), .. }
            | Request::DropBody { .. }
            | Request::Play
            | Request::StepOnce
            | Request::StepBack(_)
            | Request::Seek(_)
            | Request::Reset
    )
}

impl Runner {
    /// Carries out a request, or defers it to the end of the way to another moment.
    fn handle(&mut self, request: Request) {
        self.changed = true;
        if self.is_replaying() && waits_for_arrival(&request) {
            self.travel.deferred.push(request);
            return;
        }
        if self.running.is_some() && goes_on(&request) {
            // A file that is mended later must not take the place of this work.
            self.scenes.give_up();
        }
        match request {
            Request::Load(source) => {
                self.scenes.is_other_spacing = false;
                self.scenes.want(source.clone());
                self.start(Job::Load(source));
            }
            Request::LoadAtSpacing(source) => {
                self.scenes.is_other_spacing = self.running.is_some();
                self.scenes.give_up();
                self.start(Job::Load(source));
            }
            Request::SetParameters { parameters, generation, revision } if generation == self.scenes.generation => {
                self.parameters.set(parameters, revision);
            }
            // Meant for the scene before: handled by ignoring it.
            Request::SetParameters { revision, .. } => self.parameters.revision = revision,
            Request::SaveState(path) => self.save_state(path),
            Request::SaveRecording(path) => self.save_recording(path),
            Request::SaveResult(path) => self.save_result(path),
            Request::Follow { ids, generation } => {
                if let Some(running) = self.running.as_mut().filter(|_| generation == self.scenes.generation) {
                    running.follow(&ids);
                    self.publish();
                }
            }
            Request::Measure(is_wanted) => {
                self.clocks.measuring.is_wanted = is_wanted;
                self.publish();
            }
            Request::UseHand { hand, generation } => {
                if let Some(running) = self.running.as_mut().filter(|_| generation == self.scenes.generation) {
                    running.use_hand(hand);
                }
            }
            Request::DropBody { body, generation } if generation == self.scenes.generation => self.drop_body(body),
            Request::TakeBackBody { generation } if generation == self.scenes.generation => self.take_back_body(),
            // Meant for the scene before.
            Request::DropBody { .. } | Request::TakeBackBody { .. } => {}
            Request::SetPointGrid { set, grid, generation, revision } => {
                self.point_revision = revision;
                if let Some(running) = self.running.as_mut().filter(|_| generation == self.scenes.generation) {
                    // The panel offers the values that are possible; any other leaves the search as it is.
                    let _ = running.set_point_grid(set, grid);
                }
            }
            Request::SetOffCurve { keys, generation } => {
                if generation == self.scenes.generation {
                    self.apply_parameters();
                    self.set_off_curve(keys);
                }
            }
            Request::Compare { grid, generation, revision } if generation == self.scenes.generation => {
                self.second_grid.set(grid, revision);
            }
            Request::Compare { revision, .. } => self.second_grid.revision = revision,
            Request::Play => self.set_playing(true),
            Request::Pause => self.set_playing(false),
            Request::StepOnce => {
                if self.playing {
                    self.set_playing(false);
                }
                // The loop makes the steps, so that requests that arrive meanwhile need not wait for all of them.
                self.pending_steps += u32::from(self.running.is_some());
            }
            Request::Seek(goal) => self.seek(goal),
            Request::StepBack(steps) => self.step_back(steps),
            Request::SetPlaybackMemory(limit) => self.travel.playback.set_limit(limit),
            Request::Reset => {
                self.apply_parameters();
                if let Some(running) = &self.running {
                    self.start(Job::Restart(running.scene.clone(), *running.engine.parameters()));
                } else if let Some(Crashed { scene, parameters, .. }) = &self.crashed {
                    self.start(Job::Restart(scene.clone(), *parameters));
                }
            }
            Request::Inspect(inspect) => self.inspectors.set_parts(inspect),
            Request::SetSpeedLimit(limit) => self.clocks.pacer.restart(limit),
            Request::Saved { scene, saved } => self.rebase(&scene, saved),
            Request::Tune { set, structures } => {
                self.apply_parameters();
                let Self { pool, tuner, running, playing, .. } = self;
                if let Some(running) = running {
                    let (fluid, stats, plays) = (running.engine.view(), running.stats(), *playing);
                    pool.install(|| tuner.start((&fluid, &running.scene.setup), (set, structures), stats, plays));
                    self.publish();
                }
            }
            Request::CancelTune => {
                self.tuner.cancel();
                self.publish();
            }
        }
    }
}

// Snapshots and notices of the runner, for the window.

impl Runner {
    /// Publishes a refused step and says so, if the latest step was refused.
    fn report_failure(&mut self) {
        let Some(details) = self.running.as_ref().and_then(Running::failure).map(str::to_owned) else { return };
        self.set_playing(false);
        // A reader of the notice must find the failure in the snapshot: the notice disappears with the failure.
        self.publish();
        let notice = Notice::error("The simulation stopped: a step was refused", details);
        self.publisher.notify(notice.about(Subject::Step));
    }

    /// Publishes a snapshot of the present state.
    fn publish(&mut self) {
        let Self { publisher, running, crashed, pool, inspectors, tuner, .. } = self;
        let (paused, speed_limit) = (!self.playing, self.clocks.pacer.limit());
        let moves = self.playing || self.travel.seek.is_some();
        // Single steps have no speed.
        let rates = if moves { self.clocks.rates.rates() } else { Rates::default() };
        let loading = self.scenes.loader.is_busy();
        let timeline = self.travel.playback.timeline(self.travel.seek.map(|seek| seek.goal));
        let is_past = running.as_ref().is_some_and(|running| self.travel.playback.is_past(&*running.engine));
        publisher.publish(|snapshot| {
            snapshot.generation = self.scenes.generation;
            snapshot.opened = self.scenes.opened;
            snapshot.loading = loading;
            snapshot.revision = self.parameters.revision;
            snapshot.comparison_revision = self.second_grid.revision;
            snapshot.point_revision = self.point_revision;
            snapshot.paused = paused;
            snapshot.speed_limit = speed_limit;
            snapshot.rates = rates;
            snapshot.threads = pool.current_num_threads();
            snapshot.step_costs.clone_from(&self.clocks.step_costs);
            snapshot.point_costs.clone_from(&self.clocks.point_costs);
            snapshot.timeline = timeline;
            snapshot.tuning = tuner.latest().cloned();
            let threads = pool.current_num_threads();
            let measured =
                running.as_ref().and_then(|running| self.clocks.measuring.shown(&running.scene, &*running.engine, threads));
            snapshot.result = measured;
            if let Some(running) = running {
                // Readings of later moments stay until the fluid runs on from here.
                if !is_past {
                    running.sample(pool, rates.speed);
                }
                running.write_to(snapshot);
                self.travel.shown_steps = snapshot.steps;
                running.inspect(pool, (inspectors, moves), snapshot);
            } else if let Some(crashed) = crashed {
                snapshot.failure = Some(crashed.reason.clone());
                snapshot.refusal = None;
            }
        });
        self.changed = false;
    }
}

// Panics of an engine, which are defects of the program: the scene stops, the session goes on.

impl Runner {
    /// Drops the running scene, in which something has panicked, and says so.
    fn crash(&mut self, panic: &(dyn Any + Send)) {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let reason = format!("This is a defect of the program: {message}");
        self.set_playing(false);
        self.tuner.clear();
        self.inspectors.invalidate();
        if let Some(running) = self.running.take() {
            let (parameters, off_curve) = (*running.engine.parameters(), running.engine.off_curve().to_vec());
            self.crashed = Some(Crashed { scene: running.scene, parameters, off_curve, reason: reason.clone() });
        }
        self.publish();
        let details = format!("{reason}\nReset to restart the scene with the current parameters, or open another.");
        self.publisher.notify(Notice::error("The simulation has crashed", details).about(Subject::Step));
    }

    /// Runs the scene that has crashed anew, with `engine`.
    fn restart_crashed(&mut self, mut engine: Box<dyn Engine>) {
        if let Some(Crashed { scene, off_curve, .. }) = self.crashed.take() {
            engine.set_off_curve(&off_curve);
            self.replace(Running::new(scene, engine));
            self.playing = true;
            self.publish();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::time::{Duration, Instant};

    use super::*;
    use crate::session::{Goal, SceneSource, Snapshot};

    // Tests of the loop without its thread.

    const SQUARE: &str = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\nsolver.wcsph.acoustic_steps = 1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.5, 0.5]";

    /// Makes steps until the fluid is at its goal.
    fn arrive(runner: &mut Runner) {
        while runner.travel.seek.is_some() {
            let event = runner.events.try_recv().ok();
            runner.turn(event, true);
        }
    }

    #[test]
    fn a_step_back_on_the_way_to_a_time_counts_from_the_step_shown() {
        let (input, mut snapshots) = triple_buffer::triple_buffer(&Snapshot::default());
        let ((sender, events), (notices, _)) = (mpsc::channel(), mpsc::channel());
        let publisher = Publisher::new(input, notices, Arc::new(|| ()));
        let mut runner = Runner::new(&Options::default(), sender, events, publisher).expect("threads start");
        runner.handle(Request::Load(SceneSource::Text("square", SQUARE, Vec::new())));
        // Until there is a scene, and its start is kept.
        while runner.travel.playback.timeline(None).kept.is_empty() {
            let event = runner.events.recv().expect("a scene comes");
            runner.turn(Some(event), false);
        }
        runner.seek(Goal::Steps(30));
        arrive(&mut runner);
        runner.seek(Goal::Steps(1));
        arrive(&mut runner);
        // Before the first moment that is kept after the start.
        runner.seek(Goal::Time(0.012));
        let shown = |snapshots: &mut triple_buffer::Output<Snapshot>| snapshots.read().steps;
        // Some steps are made again out of sight, however long that takes.
        for _ in 0..4 {
            if let Some(seek) = &mut runner.travel.seek {
                seek.since = Instant::now() + Duration::from_secs(60);
            }
            runner.turn(None, true);
        }
        let [made, shown] = [runner.running.as_ref().expect("a scene runs").engine.steps(), shown(&mut snapshots)];
        assert!(shown < made, "{made} steps made, {shown} shown");
        runner.step_back(1);
        arrive(&mut runner);
        assert_eq!(runner.running.as_ref().expect("a scene runs").engine.steps(), shown - 1);
    }
}
