//! The loop of the simulation thread: handle the events, step, publish; sleep while no step is due.

mod crash;
mod publishing;
mod record;
mod recording;
mod requests;
mod scenes;
mod seeking;
#[cfg(test)]
mod tests;

use self::record::Record;
use super::event::Event;
use super::inspectors::Inspectors;
use super::loader::{Job, Loader};
use super::pacer::{Pacer, RateMeter};
use super::playback::{Playback, Seek};
use super::pool;
use super::publisher::Publisher;
use super::running::{Crashed, Running};
use super::tuner::Tuner;
use super::watcher::Watcher;
use crate::session::{History, Notice, Options, Request, SpeedLimit, notice};
use anyhow::Context as _;
use sph_core::Parameters;
use sph_core::neighbors::GridParameters;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// Longest wait for a state that is being packed before the way back to it begins; its arrival ends the wait.
const PACKING: Duration = Duration::from_millis(5);

/// The state of the simulation thread.
pub(in crate::session) struct Runner {
    pool: rayon::ThreadPool,
    events: Receiver<Event>,
    sender: Sender<Event>,
    loader: Loader,
    watcher: Watcher,
    publisher: Publisher,
    record: Record,
    /// File of the recording, written at the end.
    recording: Option<PathBuf>,
    tuner: Tuner,

    running: Option<Running>,
    /// What is left of a scene whose engine has panicked.
    crashed: Option<Crashed>,
    generation: u64,
    /// Number of scenes opened; a reload does not count.
    opened: u64,
    /// True if the files of the running scene have changed and cannot be used.
    reload_failed: bool,
    /// True if files of the running scene have changed while a scene was being read.
    files_changed: bool,
    playing: bool,
    /// Single steps requested and not made yet.
    pending_steps: u32,
    /// Kept moments, and the way to one of them.
    playback: Playback,
    seek: Option<Seek>,
    /// Completed steps in the latest snapshot.
    shown_steps: u64,
    /// Requests that wait for the end of that way.
    deferred: Vec<Request>,
    /// The parameters to use from the next step on, and their revision.
    pending: Option<(Parameters, u64)>,
    revision: u64,
    /// The rival's grid from the next step on (`None`: no rival), and its revision.
    pending_rival: Option<(Option<GridParameters>, u64)>,
    rival_revision: u64,

    pacer: Pacer,
    rates: RateMeter,
    history: History,
    inspectors: Inspectors,
    /// End of the latest step, if the simulation has not paused since.
    last_step: Option<Instant>,
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
        Ok(Self {
            pool: pool::pool(options.threads)?,
            events,
            watcher: Watcher::start(sender.clone()).context("cannot start the thread that watches files")?,
            loader: Loader::start(options.engine, sender.clone()).context("cannot start the thread that loads scenes")?,
            playback: Playback::start(packed).context("cannot start the thread that keeps moments")?,
            seek: None,
            shown_steps: 0,
            deferred: Vec::new(),
            sender,
            publisher,
            record: Record::open(options.stats.as_deref())?,
            recording: options.record.clone(),
            tuner: Tuner::default(),
            running: None,
            crashed: None,
            generation: 0,
            opened: 0,
            reload_failed: false,
            files_changed: false,
            playing: true,
            pending_steps: 0,
            pending: None,
            revision: 0,
            pending_rival: None,
            rival_revision: 0,
            pacer: Pacer::new(SpeedLimit::default()),
            rates: RateMeter::default(),
            history: History::default(),
            inspectors: Inspectors::default(),
            last_step: None,
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
        self.record.finish().and(recorded)
    }

    /// Handles an event; without one makes a step, or a trial, of which a step `is_due` now.
    fn turn(&mut self, event: Option<Event>, is_due: bool) {
        match event {
            Some(Event::Quit) => {}
            Some(Event::Request(request)) => self.handle(request),
            Some(Event::Loaded(loaded)) => self.handle_loaded(loaded),
            Some(Event::FilesChanged) => self.reload(),
            Some(Event::Packed(packed)) => {
                if let Err(message) = self.playback.take(*packed) {
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
        if self.seek.is_none() {
            for request in std::mem::take(&mut self.deferred) {
                self.handle(request);
            }
        }
    }

    fn due(&mut self) -> Due {
        let Some(running) = &self.running else { return Due::Never };
        if self.pending_steps == 0 && self.seek.is_some_and(|seek| !seek.is_under_way) && self.playback.is_packing() {
            return Due::In(PACKING);
        }
        if self.pending_steps > 0 || self.seek.is_some() {
            return Due::Now;
        }
        if !self.playing {
            return Due::Never;
        }
        let wait = self.pacer.wait(Instant::now(), running.engine.time());
        if wait.is_zero() { Due::Now } else { Due::In(wait) }
    }

    /// Brings everything up to date before a sleep of unknown length.
    fn prepare_to_sleep(&mut self) {
        self.apply_parameters();
        self.last_step = None;
        if let Err(notice) = self.record.flush() {
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
        self.seek = None;
        if playing != self.playing {
            self.playing = playing;
            self.reset_clocks();
        }
    }

    /// Resets the measurements that assume uninterrupted running.
    fn reset_clocks(&mut self) {
        self.pacer.restart(self.pacer.limit());
        self.rates.clear();
        self.last_step = None;
    }

    fn start(&mut self, job: Job) {
        self.loader.submit(job);
        // The window shows that a scene is being loaded.
        self.publish();
    }

    fn replace(&mut self, mut running: Running) {
        self.pending_steps = 0;
        running.record_start(&self.pool);
        self.seek = None;
        self.deferred.clear();
        self.playback.begin(&*running.engine, running.beside());
        self.running = Some(running);
        self.inspectors.start_over();
        self.reset_clocks();
    }

    fn apply_parameters(&mut self) {
        // Without a scene they stay pending until one is loaded.
        let Some(running) = &mut self.running else { return };
        let (mut refused, mut is_changed) = (None, false);
        if let Some((parameters, revision)) = self.pending.take() {
            self.revision = revision;
            self.changed = true;
            let before = *running.engine.parameters();
            refused = running.set_parameters(parameters).err();
            is_changed = *running.engine.parameters() != before;
        }
        if let Some((grid, revision)) = self.pending_rival.take() {
            self.rival_revision = revision;
            self.changed = true;
            refused = running.compare(grid).err().or(refused);
            // The rival may be another one now.
            self.inspectors.invalidate();
        }
        if is_changed {
            self.record_parameters();
        }
        if let Some(error) = refused {
            self.publisher.notify(Notice::warning("That value was refused", error.to_string()));
        }
    }

    fn step(&mut self) {
        if self.seek.is_some() && !self.begin_seek() {
            return;
        }
        if self.seek.is_none() {
            self.pending_steps = self.pending_steps.saturating_sub(1);
        }
        self.apply_parameters();
        self.enter_step();
        let Some(running) = &mut self.running else { return };
        let is_repeated = self.playback.is_past(&*running.engine);
        let start = self.last_step.unwrap_or_else(Instant::now);
        let stats = running.step(&self.pool);
        self.inspectors.invalidate();
        let now = Instant::now();
        self.changed = true;
        if stats.error.is_none() {
            self.history.add(stats, now - start);
            self.rates.add(now, stats.time);
        }
        self.last_step = Some(now);
        if !is_repeated && let Err(notice) = self.record.write(stats) {
            self.publisher.notify(notice);
        }
        running.add_to_history(now - start);
        if running.failure().is_none() {
            self.leave_step();
        }
        self.report_failure();
        if !self.hides_steps() && self.publisher.is_due(now) {
            self.publish();
        }
    }
}
