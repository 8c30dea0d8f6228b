//! Tuning between steps: the trials, and their state in a snapshot.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sph_core::neighbors::Structure;
use sph_core::point_sets::SetSearch;
use sph_core::tuning::{Results, Sweep, expected_trial_time};
use sph_core::{Phase, Setup, StepStats, View};

/// Multiple of the forecast after which the trials end with what they have found.
const MOST_OVERRUN: u32 = 3;

/// Time for which trials go on whatever the forecast was.
const LEAST_BOUND: Duration = Duration::from_secs(60);

/// Trials after which the time that they take is known without a forecast.
const LEAST_TRIALS: f64 = 5.0;

/// Share of all trials for which the forecast counts.
const FORECAST_SHARE: f64 = 0.05;

/// A series of trials in a snapshot.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// First point set of the search that the trials make; `None` for that of the fluid.
    pub set: Option<usize>,
    /// The results so far.
    pub results: Arc<Results>,
    /// Progress of the series.
    pub stage: Stage,
    /// Simulated time of the state that the trials use, s.
    pub time: f64,
    /// Wall-clock time since the start, up to the end.
    pub elapsed: Duration,
    /// Time that all trials were expected to take at the start; `None` before the first step.
    pub forecast: Option<Duration>,
}

impl Tuning {
    /// Trials made, and trials in all.
    pub fn progress(&self) -> (usize, usize) {
        (self.results.done(), self.results.total.max(1))
    }

    /// Time left while the trials run, from those made so far. The forecast counts like a share of all trials, so that the first ones do not
    /// decide alone.
    pub fn time_left(&self) -> Option<Duration> {
        let (done, total) = self.progress();
        let (done, total) = (done as f64, total as f64);
        let (of_forecast, trials) = match self.forecast {
            Some(forecast) => (forecast.mul_f64(FORECAST_SHARE), FORECAST_SHARE * total),
            None if done < LEAST_TRIALS => return None,
            None => (Duration::ZERO, 0.0),
        };
        Some((of_forecast + self.elapsed).mul_f64((total - done).max(0.0) / (trials + done)))
    }
}

/// Time of the search that trials make in the latest step: the fluid's, or that of the point sets from `set` on, of which `searches` were made.
pub fn search_time(set: Option<usize>, searches: &[SetSearch], stats: &StepStats) -> Duration {
    match set {
        None => stats.phases[Phase::Build] + stats.phases[Phase::Query],
        Some(set) => searches.get(set).map_or(Duration::ZERO, |search| search.stats.build + search.stats.query),
    }
}

/// Time that this number of trials takes, about, if one search takes `search`, by the latest step. The simulation takes a step between two trials if
/// it `plays`.
pub fn forecast(trials: usize, search: Duration, stats: &StepStats, plays: bool) -> Duration {
    let trial = expected_trial_time(search);
    let step = if plays { stats.phases.total() } else { Duration::ZERO };
    (trial + step).mul_f64(trials as f64)
}

/// Progress of a series of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Trials are being made.
    Running,
    /// The series was cancelled.
    Cancelled,
    /// The series took much longer than forecast, and ended with what it had.
    Overrun,
    /// All trials have been made.
    Done,
}

// Tuning between steps: trials of grid configurations, one at a time, on the threads that steps run on.
//
// Trials never compete with steps for the cores, so that both are measured undisturbed; the fluid goes on, slower. They work
// on a copy of the state and do not affect the motion.

/// Trials under way, and the latest results.
#[derive(Debug, Default)]
pub(in crate::session) struct Tuner {
    sweep: Option<Sweep>,
    /// Start of the trials.
    start: Option<Instant>,
    /// Time spent in trials, and that after which they end; `None` before the first step. Steps in between do not count: the fluid may begin to
    /// play, or be compared, meanwhile.
    spent: Duration,
    bound: Option<Duration>,
    latest: Option<Tuning>,
}

impl Tuner {
    /// Starts trials of `structures` on the present state of `fluid`, of its search or of that of the point sets that are searched with `set`, in place
    /// of any that are under way. The forecast follows from the latest step, if there was one, and whether the fluid `plays`. Does nothing if there is no
    /// such set.
    pub(in crate::session) fn start(
        &mut self,
        (fluid, setup): (&View<'_>, &Setup),
        (set, structures): (Option<usize>, Vec<Structure>),
        stats: Option<&StepStats>,
        plays: bool,
    ) {
        let Some(sweep) = Sweep::of(fluid, setup, set, structures) else { return };
        let results = sweep.results().clone();
        let forecast =
            |plays: bool| stats.map(|stats| forecast(results.total, search_time(set, fluid.set_searches, stats), stats, plays));
        self.bound = forecast(false).map(bound);
        let forecast = forecast(plays);
        self.latest = Some(Tuning { set, results, stage: Stage::Running, time: fluid.time, elapsed: Duration::ZERO, forecast });
        (self.sweep, self.start, self.spent) = (Some(sweep), Some(Instant::now()), Duration::ZERO);
    }

    /// Ends the trials; their results stay.
    pub(in crate::session) fn cancel(&mut self) {
        if self.sweep.take().is_some()
            && let Some(latest) = &mut self.latest
        {
            latest.stage = Stage::Cancelled;
        }
    }

    /// Ends the trials and discards the results: they were for another scene.
    pub(in crate::session) fn clear(&mut self) {
        *self = Self::default();
    }

    /// True if there are trials to make.
    pub(in crate::session) fn is_active(&self) -> bool {
        self.sweep.is_some()
    }

    /// Makes one trial, on the current rayon pool.
    pub(in crate::session) fn advance(&mut self) {
        let (Some(sweep), Some(latest)) = (&mut self.sweep, &mut self.latest) else { return };
        let begin = Instant::now();
        let more = sweep.next_trial() && !sweep.results().is_complete();
        self.spent += begin.elapsed();
        latest.results = sweep.results().clone();
        latest.elapsed = self.start.map_or(Duration::ZERO, |start| start.elapsed());
        if !more {
            latest.stage = Stage::Done;
        } else if self.bound.is_some_and(|bound| self.spent > bound) {
            latest.stage = Stage::Overrun;
        }
        if latest.stage != Stage::Running {
            self.sweep = None;
        }
    }

    /// The state for the snapshot.
    pub(in crate::session) fn latest(&self) -> Option<&Tuning> {
        self.latest.as_ref()
    }
}

/// Time after which trials with this forecast end.
fn bound(forecast: Duration) -> Duration {
    (MOST_OVERRUN * forecast).max(LEAST_BOUND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::Engine as _;

    const SCENE: &str = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n";

    /// A tuner that has just started on a small fluid that plays, and the report of its latest step.
    fn started() -> (Tuner, StepStats) {
        let scene = sph_io::parse(SCENE, "block", &[]).expect("the scene is valid");
        let mut engine = sph_core::Simulation::new(&scene.setup).expect("the scene can be simulated");
        let stats = engine.step();
        let mut tuner = Tuner::default();
        tuner.start((&engine.view(), &scene.setup), (None, vec![Structure::SpatialHash]), Some(&stats), true);
        (tuner, stats)
    }

    #[test]
    fn the_time_left_follows_from_the_trials_made() {
        let (mut tuner, stats) = started();
        let state = |tuner: &Tuner| tuner.latest().expect("trials").clone();
        let total = state(&tuner).progress().1;
        let first = state(&tuner).forecast.expect("there was a step");
        let search = search_time(None, &[], &stats);
        assert_eq!(first, forecast(total, search, &stats, true));
        assert!(first > forecast(total, search, &stats, false), "steps in between take time");
        let left = |tuning: Tuning| tuning.time_left().map(|left| left.as_secs_f64() / first.as_secs_f64());
        assert!(left(state(&tuner)).is_some_and(|left| (left - 1.0).abs() < 1e-3));
        for _ in 0..5 {
            tuner.advance();
        }
        let now = state(&tuner);
        let (done, others) = (5.0 / total as f64, 1.0 - 5.0 / total as f64);
        // Trials as slow as forecast, and ten times slower: the forecast still counts.
        let after = |elapsed: f64| left(Tuning { elapsed: first.mul_f64(elapsed), ..now.clone() }).expect("known");
        assert!((after(done) - others).abs() < 1e-3, "{}", after(done));
        let expected = others * (FORECAST_SHARE + 10.0 * done) / (FORECAST_SHARE + done);
        assert!((after(10.0 * done) - expected).abs() < 1e-3, "{}", after(10.0 * done));
        let unknown = Tuning { forecast: None, elapsed: Duration::from_secs(5), ..now };
        let each = unknown.time_left().expect("five trials are known").as_secs_f64() / (total - 5) as f64;
        assert!((each - 1.0).abs() < 1e-6, "{each}");
    }

    #[test]
    fn trials_that_take_much_longer_than_forecast_end_with_what_they_have() {
        let (mut tuner, _) = started();
        tuner.advance();
        assert!(tuner.is_active());
        tuner.spent = tuner.bound.expect("there was a step");
        tuner.advance();
        let latest = tuner.latest().expect("trials");
        assert_eq!((tuner.is_active(), latest.stage, latest.progress().0), (false, Stage::Overrun, 2));
        assert_eq!(bound(Duration::from_secs(100)), Duration::from_secs(300));
        assert_eq!(bound(Duration::from_secs(1)), LEAST_BOUND);
    }
}
