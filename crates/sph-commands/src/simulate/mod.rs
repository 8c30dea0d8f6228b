//! A run without a window, shared by all commands: the loop and its goal, interruption, and the schedule of the frames. `outcome`
//! says how it ended, `replay` repeats a recorded session.

mod outcome;
mod replay;

pub use crate::progress::Progress;
pub use replay::Replay;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::Failure;
use crate::arguments::ThreadArgs;
use crate::{console, engine};
use outcome::{Outcome, explain};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sph_core::neighbors::GridParameters;
use sph_core::{CancelFlag, Engine, Parameters, Remark, State, StepError, StepStats};
use sph_io::{Scene, grouped};

// The loop shared by every command without a window: step until the goal, and call an observer with each state.

/// End of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// The end of the first step at or after this time, s.
    Time(f64),
    /// This many steps.
    Steps(u64),
}

impl Goal {
    /// Completed fraction, 0 to 1.
    pub fn fraction(self, time: f64, steps: u64) -> f64 {
        let done = match self {
            Self::Time(until) => time / until,
            Self::Steps(count) => steps as f64 / count as f64,
        };
        done.min(1.0)
    }
}

/// Starts as many threads as `threads` says, one per core if it does not.
///
/// # Errors
/// If the operating system refuses them.
pub fn start_threads(threads: ThreadArgs) -> Result<ThreadPool, Failure> {
    let builder = ThreadPoolBuilder::new().num_threads(threads.threads.map_or(0, usize::from));
    let named = builder.thread_name(|index| format!("sph {index}"));
    named.build().map_err(|error| Failure::Run(format!("cannot start the threads: {error}")))
}

/// An engine and the threads that it runs on.
pub struct Simulator {
    pool: Arc<ThreadPool>,
    engine: Box<dyn Engine>,
    replay: Option<Replay>,
}

impl Simulator {
    /// Starts the engine of `scene`.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the scene cannot be simulated.
    pub fn new(scene: &Scene, threads: ThreadArgs) -> Result<Self, Failure> {
        Self::start(scene, threads, || {
            engine::start(&scene.setup).map_err(|error| Failure::Input(format!("scene {}: {error}", scene.name)))
        })
    }

    /// Resumes the engine of `scene` from `state`, which was saved at `path`.
    ///
    /// # Errors
    /// If the operating system refuses the threads, or the state cannot be resumed.
    pub fn resume(scene: &Scene, state: State, path: &Path, threads: ThreadArgs) -> Result<Self, Failure> {
        Self::start(scene, threads, || {
            engine::resume(&scene.setup, state)
                .map_err(|error| Failure::Input(format!("cannot resume {}: {error}", path.display())))
        })
    }

    fn start(
        scene: &Scene,
        threads: ThreadArgs,
        engine: impl FnOnce() -> Result<Box<dyn Engine>, Failure> + Send,
    ) -> Result<Self, Failure> {
        let pool = start_threads(threads)?;
        let mut engine = pool.install(engine)?;
        engine.set_wall_reaction(scene.measures_walls());
        Ok(Self { pool: Arc::new(pool), engine, replay: None })
    }

    /// The engine in its present state.
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// The engine's threads.
    pub fn pool(&self) -> Arc<ThreadPool> {
        Arc::clone(&self.pool)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs `work` on the engine's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Sets the neighbour search from the next step on.
    ///
    /// # Errors
    /// If a value is outside its range.
    pub fn set_grid(&mut self, grid: GridParameters) -> Result<(), Failure> {
        let parameters = Parameters { grid, ..*self.engine.parameters() };
        self.engine.set_parameters(parameters).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Replaces the search of point set `set`.
    ///
    /// # Errors
    /// A parameter is invalid.
    pub fn set_point_grid(&mut self, set: usize, grid: GridParameters) -> Result<(), Failure> {
        self.engine.set_point_grid(set, grid).map_err(|error| Failure::Input(error.to_string()))
    }

    /// Records the time span of each phase from the next step on; see [`Engine::timeline`].
    pub fn record_timeline(&mut self) {
        self.engine.set_timeline(true);
    }

    /// Replays a recording from the next step on.
    ///
    /// # Errors
    /// If the recording is of another fluid.
    pub fn set_replay(&mut self, replay: Replay) -> Result<(), Failure> {
        replay.check_start(&*self.engine)?;
        self.replay = Some(replay);
        Ok(())
    }

    /// Result of the replay in words, if there is one and it has reached its end.
    ///
    /// # Errors
    /// If the fluid differs from that recorded.
    pub fn verdict(&self) -> Result<Option<String>, Failure> {
        self.replay.as_ref().map_or(Ok(None), |replay| replay.verdict(&*self.engine))
    }

    /// Makes one step.
    pub fn step(&mut self) -> StepStats {
        let Self { pool, engine, .. } = self;
        pool.install(|| engine.step())
    }

    /// Makes `steps` steps that are not measured.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn warm_up(&mut self, steps: u32) -> Result<(), Failure> {
        for _ in 0..steps {
            if let Some(error) = self.step().error {
                return Err(Failure::Run(format!("the simulation failed: {error}")));
            }
        }
        Ok(())
    }

    /// Steps until the goal, an interruption, or a failure of the simulation or of `observe`, which is called with the initial
    /// state, without statistics, and with the state after every step; the statistics of a refused step come with the state
    /// before it.
    pub fn run(
        &mut self,
        goal: Goal,
        interrupt: Interrupt,
        mut observe: impl FnMut(&dyn Engine, Option<&StepStats>) -> Result<(), Failure>,
    ) -> Outcome {
        let started = Instant::now();
        self.engine.set_cancel_flag(interrupt.cancel_flag());
        let mut outcome = Outcome::default();
        if let Err(failure) = observe(&*self.engine, None) {
            outcome.fail(failure);
        }
        while !outcome.is_ended() && goal.fraction(self.engine.time(), self.engine.steps()) < 1.0 {
            if interrupt.requested() {
                outcome.interrupt();
                break;
            }
            let Self { pool, engine, replay } = self;
            if let Some(replay) = replay
                && let Err(failure) = pool.install(|| replay.apply(&mut **engine))
            {
                outcome.fail(failure);
                break;
            }
            let stats = self.step();
            if stats.error == Some(StepError::Cancelled) {
                outcome.interrupt();
                break;
            }
            outcome.add(&stats);
            if let Some(error) = stats.error {
                outcome.fail(explain(error, &stats, self.engine.parameters()));
            }
            if let Err(failure) = observe(&*self.engine, Some(&stats)) {
                outcome.fail(failure);
            }
        }
        outcome.wall = started.elapsed();
        outcome
    }
}

/// Prints the scene's title, its numbers of particles and the number of threads.
pub fn announce(scene: &Scene, simulator: &Simulator) {
    let of_setup = scene.setup.review().into_iter().filter(Remark::is_of_motion).map(|remark| remark.to_string());
    scene.remarks.iter().cloned().chain(of_setup).for_each(|remark| console::say(&format!("  remark: {remark}")));
    let view = simulator.engine().view();
    let (fluid, walls) = (view.particles.len() as u64, view.walls.len() as u64);
    let threads = console::counted(simulator.threads() as u64, "thread");
    console::say(&format!("{}: {}, {threads}", scene.title, console::particles(fluid, "", walls, &scene.setup)));
}

// Schedule of frames: frame k is due at the first step at or after k intervals of simulated time.
//
// Steps are not shortened to end at a frame, so that the outputs do not change the simulation. Of several frames within one
// step only the last is due: all would show the same state.

/// Schedule that yields frame numbers, each at most once.
#[derive(Clone, Debug)]
pub struct Schedule {
    interval: f64,
    next: u64,
    skipped: u64,
}

impl Schedule {
    /// A frame every `interval` seconds of simulated time (positive), the first at 0.
    pub fn every(interval: f64) -> Self {
        Self { interval, next: 0, skipped: 0 }
    }

    /// The same schedule after the frame that was due at `time` s or before, in a run that was resumed there.
    pub fn after(mut self, time: f64) -> Self {
        self.next = self.latest(time).saturating_add(1);
        self
    }

    /// Number of the frame due at `time` s, if any; its time is number × interval.
    pub fn due(&mut self, time: f64) -> Option<u64> {
        let latest = self.latest(time);
        if latest < self.next {
            return None;
        }
        self.skipped += latest - self.next;
        self.next = latest.saturating_add(1);
        Some(latest)
    }

    /// Number of frames skipped because a later one fell into the same step.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Note on skipped frames, to append to the number of frames written.
    pub fn skipped_note(&self) -> String {
        match self.skipped() {
            0 => String::new(),
            skipped => format!(", {} skipped: steps were longer than the time between frames", grouped(skipped)),
        }
    }

    /// The last k with k intervals ≤ `time`. The quotient may be off by one through rounding; the product decides.
    fn latest(&self, time: f64) -> u64 {
        let quotient = (time / self.interval) as u64;
        let reached = |number: u64| number as f64 * self.interval <= time;
        match quotient.saturating_add(1) {
            above if reached(above) => above,
            _ if reached(quotient) => quotient,
            _ => quotient.saturating_sub(1),
        }
    }
}

// Ctrl-C and termination signals: the first requests a clean end, the second exits at once.

/// Number of the first signal; 0 before it. Static, like the others, because signal handlers belong to the process.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Flag that the first signal raises.
static CANCEL: LazyLock<CancelFlag> = LazyLock::new(CancelFlag::default);

/// True while there is nothing to complete: a signal then exits at once.
static SETTING_UP: AtomicBool = AtomicBool::new(false);

/// Exit status of a program that a signal has ended: this plus its number.
const SIGNALLED: i32 = 128;

/// Signals closer together count as one: `timeout`, for example, signals the program and then its whole process group.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Proof that the handler is in place.
#[derive(Clone, Copy, Debug)]
pub struct Interrupt(());

impl Interrupt {
    /// Handles Ctrl-C, and SIGTERM and SIGHUP where they exist.
    ///
    /// # Errors
    /// If the operating system refuses the handler.
    pub fn install() -> Result<Self, Failure> {
        let mut first: Option<Instant> = None;
        let handle = move |signal: i32| {
            if SIGNAL.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                CANCEL.raise();
            }
            let is_second = first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL;
            if is_second || SETTING_UP.load(Ordering::Relaxed) {
                // Only complete files have their final names, so that only temporary files are left behind.
                std::process::exit(SIGNALLED + signal);
            }
        };
        listen(handle).map_err(|error| Failure::Run(format!("cannot handle Ctrl-C: {error}")))?;
        Ok(Self(()))
    }

    /// Runs `work`, during which a signal ends the program at once: nothing has been written yet.
    pub fn while_setting_up<T>(self, work: impl FnOnce() -> T) -> T {
        SETTING_UP.store(true, Ordering::Relaxed);
        let result = work();
        SETTING_UP.store(false, Ordering::Relaxed);
        result
    }

    /// True if a clean end was requested.
    pub fn requested(self) -> bool {
        CANCEL.is_raised()
    }

    /// Flag that is raised when a clean end is requested.
    pub fn cancel_flag(self) -> CancelFlag {
        CANCEL.clone()
    }

    /// Exit status of the program after a signal, 128 and its number; `None` without one.
    pub fn exit_status() -> Option<u8> {
        let signal = SIGNAL.load(Ordering::Relaxed);
        (signal > 0).then(|| (SIGNALLED + signal) as u8)
    }
}

/// Calls `handle` on a thread of its own with the number of each signal.
#[cfg(unix)]
fn listen(mut handle: impl FnMut(i32) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // A program started by `nohup` ignores the end of its terminal. The others are obeyed even where a shell that starts the program
    // in the background has them ignored: whoever sends them by name means it.
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || signals.forever().for_each(&mut handle))?;
    Ok(())
}

/// True if the program was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null pointer sets no new action, and the present one is written to memory that is valid for it.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all bytes are zero at first, which is a valid `sigaction`.
    asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Calls `handle` on a thread of its own for Ctrl-C, Ctrl-Break and the closing of the console, as number 2.
#[cfg(not(unix))]
fn listen(mut handle: impl FnMut(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(move || handle(SIGINT))
}

#[cfg(test)]
mod tests {
    use super::Schedule;

    #[test]
    fn frames_are_due_at_the_first_step_at_or_after_their_time() {
        let mut schedule = Schedule::every(0.25);
        let due = [0.0, 0.2, 0.25, 0.49, 0.51].map(|time| schedule.due(time));
        assert_eq!(due, [Some(0), None, Some(1), None, Some(2)]);
        assert_eq!(schedule.skipped(), 0);
    }

    #[test]
    fn of_the_frames_within_a_step_the_last_is_due() {
        let mut schedule = Schedule::every(0.25);
        assert_eq!(schedule.due(0.0), Some(0));
        assert_eq!(schedule.due(1.1), Some(4));
        assert_eq!(schedule.due(1.1), None);
        assert_eq!(schedule.skipped(), 3);
        assert!(schedule.due(1e300).is_some(), "however long the step");
    }

    #[test]
    fn a_resumed_schedule_goes_on_after_the_last_frame() {
        let (mut whole, mut resumed) = (Schedule::every(0.25), Schedule::every(0.25).after(0.6));
        whole.due(0.6);
        for time in [0.7, 0.76, 1.0] {
            assert_eq!(resumed.due(time), whole.due(time));
        }
    }

    #[test]
    fn rounded_quotients_lose_no_frame() {
        let mut schedule = Schedule::every(0.1);
        for number in 0..100_000 {
            assert_eq!(schedule.due(number as f64 * 0.1), Some(number));
        }
    }
}
