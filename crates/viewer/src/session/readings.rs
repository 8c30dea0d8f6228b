//! Readings over simulated time, thinned to a bounded number of samples: of the scene's probes, and of the motion of the whole fluid.

use std::time::{Duration, Instant};

use super::statistics::STATISTICS;
use sph_core::probes::{Instruments, Reading, momentum};
use sph_core::{Dimensions, StepStats, View};
use sph_io::{NamedProbe, Scene};

/// Most curves that are kept.
const MAX_CURVES: usize = 256;

/// Most curves of an overview.
const MAX_OVERVIEW: usize = 12;

/// Most samples that are kept; even, so that thinning keeps their distances even.
const CAPACITY: usize = 1024;

/// A reading of a probe, which is plotted as a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// Name, `probe.label`, and unit.
    pub reading: Reading,
    /// Index among the readings of all probes.
    pub index: usize,
}

/// Samples of the first readings of each probe since the scene was loaded or reset, the oldest first.
#[derive(Debug, Default)]
pub struct Readings {
    curves: Vec<Curve>,
    /// Numbers of the curves that are shown unless others are chosen.
    overview: Vec<usize>,
    /// Number of readings that are not in the overview.
    omitted: usize,
    /// Simulated times of the samples, s.
    times: Vec<f64>,
    /// Values of the samples, one row of all curves a sample; NaN without fluid.
    values: Vec<f64>,
    /// Number of samples added since the start.
    added: u64,
    /// Every sample whose number is a multiple of 2 to this power is kept, and the latest.
    thinnings: u32,
    /// True if the latest sample gives way to the next.
    is_provisional: bool,
}

impl Readings {
    /// No samples yet of `probes`. If there are more readings than curves, each probe has as many as the others, as far as it has them.
    pub fn of(probes: &[NamedProbe], dimensions: Dimensions) -> Self {
        let mut candidates = Vec::new();
        for probe in probes {
            for (rank, reading) in probe.readings(dimensions).enumerate() {
                let index = candidates.len();
                candidates.push((rank, Curve { reading, index }));
            }
        }
        // Stable: the first readings of all probes, then their second ones.
        candidates.sort_by_key(|(rank, _)| *rank);
        let omitted = candidates.len().saturating_sub(MAX_OVERVIEW);
        let first: Vec<usize> = candidates.iter().take(MAX_OVERVIEW).map(|(_, curve)| curve.index).collect();
        candidates.truncate(MAX_CURVES);
        let mut curves: Vec<Curve> = candidates.into_iter().map(|(_, curve)| curve).collect();
        curves.sort_by_key(|curve| curve.index);
        let overview = (0..curves.len()).filter(|&number| first.contains(&curves[number].index)).collect();
        Self { curves, overview, omitted, ..Self::default() }
    }

    /// No samples yet of `curves`, the first of which, this many, are the overview.
    pub fn with_curves(curves: Vec<Curve>, overview: usize) -> Self {
        Self { overview: (0..overview.min(curves.len())).collect(), curves, ..Self::default() }
    }

    /// These samples as those of `curves`, each with the values of the present curve that `before` names, or with none.
    pub(in crate::session) fn rearranged(&self, curves: Vec<Curve>, before: impl Fn(usize) -> Option<usize>) -> Self {
        let sources: Vec<Option<usize>> = (0..curves.len()).map(before).collect();
        if sources.iter().all(Option::is_none) {
            return Self::with_curves(curves, 0);
        }
        let rows = self.values.chunks_exact(self.curves.len().max(1));
        let values = rows.flat_map(|row| sources.iter().map(|source| source.map_or(f64::NAN, |source| row[source])));
        let (values, times) = (values.collect(), self.times.clone());
        let Self { added, thinnings, is_provisional, .. } = *self;
        Self { values, times, added, thinnings, is_provisional, ..Self::with_curves(curves, 0) }
    }

    /// Numbers of the curves that are shown unless others are chosen.
    pub fn overview(&self) -> &[usize] {
        &self.overview
    }

    /// Value of the curve of this number in the sample next to `time`, s; NaN without one, and before the first.
    pub fn at(&self, curve: usize, time: f64) -> f64 {
        if self.times.first().is_some_and(|&first| time < first) {
            return f64::NAN;
        }
        let after = self.times.partition_point(|&sample| sample < time);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten().filter(|&index| index < self.times.len());
        let nearest = around.min_by(|&a, &b| (self.times[a] - time).abs().total_cmp(&(self.times[b] - time).abs()));
        nearest.map_or(f64::NAN, |index| self.values[index * self.curves.len() + curve])
    }

    /// The curves, in the order of the probes.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// Number of readings that are not in the overview.
    pub fn omitted(&self) -> usize {
        self.omitted
    }

    /// Simulated times of the first and the latest sample, s; `None` without samples.
    pub fn span(&self) -> Option<(f64, f64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }

    /// Samples of the curve of this number: simulated time, s, and value in the unit of its reading, NaN without fluid.
    pub fn samples(&self, curve: usize) -> impl DoubleEndedIterator<Item = [f64; 2]> + '_ {
        let rows = self.values.chunks_exact(self.curves.len().max(1));
        self.times.iter().zip(rows).map(move |(time, row)| [*time, row[curve]])
    }

    /// Adds the `readings` of all probes at `time`, s, unless the latest sample is of this time. Samples of later times give way.
    pub fn add(&mut self, time: f64, readings: &[Option<f64>]) {
        if self.has(time) {
            return;
        }
        self.forget_after(time);
        let width = self.curves.len();
        if self.is_provisional {
            self.times.pop();
            self.values.truncate(self.times.len() * width);
        }
        if self.times.len() == CAPACITY {
            self.thin();
        }
        self.is_provisional = !self.added.is_multiple_of(1 << self.thinnings);
        self.added += 1;
        self.times.push(time);
        let value = |curve: &Curve| readings.get(curve.index).copied().flatten().unwrap_or(f64::NAN);
        self.values.extend(self.curves.iter().map(value));
    }

    /// True if the latest sample is of `time`, s.
    pub fn has(&self, time: f64) -> bool {
        self.times.last() == Some(&time)
    }

    /// Removes the samples of later times than `time`, s.
    pub fn forget_after(&mut self, time: f64) {
        let kept = self.times.partition_point(|&sample| sample <= time);
        if kept < self.times.len() {
            self.times.truncate(kept);
            self.values.truncate(kept * self.curves.len());
            // All but the latest were to stay: the next is numbered as after them.
            (self.added, self.is_provisional) = ((kept as u64) << self.thinnings, false);
        }
    }

    /// Removes every other sample, and keeps half as many from now on.
    fn thin(&mut self) {
        let width = self.curves.len();
        for kept in 0..CAPACITY / 2 {
            self.times[kept] = self.times[2 * kept];
            self.values.copy_within(2 * kept * width..(2 * kept + 1) * width, kept * width);
        }
        self.times.truncate(CAPACITY / 2);
        self.values.truncate(CAPACITY / 2 * width);
        self.thinnings += 1;
    }
}

/// Copies into the memory that is there: snapshots are made many times a second.
impl Clone for Readings {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { curves, overview, omitted, times, values, added, thinnings, is_provisional } = source;
        if self.curves != *curves {
            self.curves.clone_from(curves);
        }
        self.overview.clone_from(overview);
        self.times.clone_from(times);
        self.values.clone_from(values);
        (self.omitted, self.added, self.thinnings, self.is_provisional) = (*omitted, *added, *thinnings, *is_provisional);
    }
}

// The probes of the running scene, read for the window.

/// Wall-clock time between two samples, in times of the sample before: reading takes at most a twentieth of the thread's time.
const PROBE_REST: u32 = 20;

/// Instruments of a scene and what they have read.
#[derive(Debug)]
pub(in crate::session) struct Meters {
    instruments: Instruments,
    readings: Readings,
    throttle: Throttle,
}

impl Meters {
    /// Instruments for the probes of `scene`.
    pub(in crate::session) fn of(scene: &Scene) -> Self {
        let readings = Readings::of(&scene.probes, scene.setup.discretization.dimensions);
        let instruments = Instruments::new(scene.probes.iter().map(|probe| probe.probe.clone()));
        Self { instruments, readings, throttle: Throttle::new(PROBE_REST) }
    }

    /// True if the scene has no probes.
    pub(in crate::session) fn is_empty(&self) -> bool {
        self.readings.curves().is_empty()
    }

    /// Records the state of `fluid` for averages and totals: to be called with the initial state and after every step.
    pub(in crate::session) fn record(&mut self, fluid: &View<'_>) {
        self.instruments.record(fluid);
    }

    /// Reads the probes in the state of `fluid`, unless the last readings have taken so long that steps would become slow.
    pub(in crate::session) fn sample(&mut self, fluid: &View<'_>) {
        let Self { instruments, readings, throttle } = self;
        if !readings.has(fluid.time) {
            throttle.attempt(|| readings.add(fluid.time, &instruments.read(fluid)));
        }
    }

    /// Forgets what was read after `time`, s.
    pub(in crate::session) fn forget_after(&mut self, time: f64) {
        self.readings.forget_after(time);
    }

    /// Memory of averages and totals as numbers.
    pub(in crate::session) fn memory(&self) -> Vec<f64> {
        self.instruments.memory()
    }

    /// Restores the numbers of [`Meters::memory`].
    pub(in crate::session) fn restore(&mut self, memory: &[f64]) {
        let restored = self.instruments.restore(memory);
        debug_assert!(restored, "they are of these probes");
        self.throttle.reset();
    }

    /// What has been read.
    pub(in crate::session) fn readings(&self) -> &Readings {
        &self.readings
    }
}

// Motion of the whole fluid over simulated time: what its density, its energy and its momentum are, and how long the steps. Then all
// statistics of a step.

/// Wall-clock time between two samples, in times of the sample before: a hundredth of the thread's time at most.
const MOTION_REST: u32 = 100;

/// Labels and units, in the order of [`values`].
const CURVES: [(&str, &str); 10] = [
    ("Density error, maximum", "%"),
    ("Density error, mean", "%"),
    ("Kinetic energy", "J"),
    ("Potential energy", "J"),
    ("Total energy", "J"),
    ("Momentum x", "kg m/s"),
    ("Momentum y", "kg m/s"),
    ("Momentum z", "kg m/s"),
    ("Time step", "ms"),
    ("Real-time factor", "×"),
];

/// Readings of the motion.
#[derive(Debug)]
pub(in crate::session) struct Motion {
    readings: Readings,
    throttle: Throttle,
}

impl Motion {
    /// No samples yet.
    pub(in crate::session) fn new() -> Self {
        let curve = |(index, (label, unit)): (usize, (&str, &'static str))| Curve {
            reading: Reading { label: label.to_owned(), unit },
            index,
        };
        let all = CURVES.into_iter().chain(STATISTICS.iter().map(|statistic| (statistic.label, statistic.unit)));
        let readings = Readings::with_curves(all.enumerate().map(curve).collect(), CURVES.len());
        Self { readings, throttle: Throttle::new(MOTION_REST) }
    }

    /// What has been read.
    pub(in crate::session) fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Reads `fluid` after the step of `stats`, at the measured `speed`, if it is time to. The energies are those of the step's report;
    /// only the momentum is a sum of its own, which does not depend on threads.
    pub(in crate::session) fn sample(&mut self, fluid: &View<'_>, stats: &StepStats, speed: f64) {
        let Self { readings, throttle } = self;
        if !readings.has(fluid.time) {
            throttle.attempt(|| readings.add(fluid.time, &values(fluid, stats, speed).map(Some).collect::<Vec<_>>()));
        }
    }

    /// Forgets what was read after `time`, s.
    pub(in crate::session) fn forget_after(&mut self, time: f64) {
        self.readings.forget_after(time);
    }
}

/// Values of the curves.
fn values(fluid: &View<'_>, stats: &StepStats, speed: f64) -> impl Iterator<Item = f64> {
    let momentum = momentum(fluid);
    let StepStats { kinetic_energy, potential_energy, .. } = *stats;
    let motion: [f64; CURVES.len()] = [
        100.0 * f64::from(stats.max_density_error),
        100.0 * f64::from(stats.density_error),
        kinetic_energy,
        potential_energy,
        kinetic_energy + potential_energy,
        momentum.x,
        momentum.y,
        momentum.z,
        1e3 * f64::from(stats.dt),
        // Unknown before two steps have been made.
        if speed > 0.0 { speed } else { f64::NAN },
    ];
    motion.into_iter().chain(STATISTICS.iter().map(|statistic| (statistic.value)(stats)))
}

/// A throttle for readings of single particles.
pub(in crate::session) fn new_throttle() -> Throttle {
    Throttle::new(PROBE_REST)
}

// Throttle: work beside the steps takes at most a set part of the thread's time.

/// Longest rest.
const LONGEST: Duration = Duration::from_secs(60);

/// Throttle of one kind of work.
#[derive(Debug)]
pub struct Throttle {
    /// Rest after work, in times of what it took: of the shorter of the last two, since other programs may interrupt one.
    rest: u32,
    /// How long the last work took.
    took: Duration,
    /// Earliest time of the next work; `None` for any.
    next: Option<Instant>,
}

impl Throttle {
    /// A throttle that lets work begin at once twice, and then after `rest` times what it took.
    pub fn new(rest: u32) -> Self {
        Self { rest, took: Duration::ZERO, next: None }
    }

    /// Does `work`, unless it is too early.
    pub fn attempt(&mut self, work: impl FnOnce()) {
        let start = Instant::now();
        if self.next.is_none_or(|next| start >= next) {
            work();
            let end = Instant::now();
            let took = std::mem::replace(&mut self.took, end - start).min(end - start);
            self.next = Some(end + took.saturating_mul(self.rest).min(LONGEST));
        }
    }

    /// Lets the next work begin at once.
    pub fn reset(&mut self) {
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probes(tables: &str) -> Vec<NamedProbe> {
        let fluid = "dimensions = 2\n[particles]\nspacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.3, 0.3]\n";
        let text = format!("format = 1\nprobes = [{tables}]\n{fluid}");
        sph_io::parse(&text, "drop", &[]).expect("the scene is well-formed").probes
    }

    #[test]
    fn a_long_run_is_thinned_evenly_and_ends_with_its_latest_sample() {
        let mut readings = Readings::of(&probes("{ name = 'all', kind = 'energy' }"), Dimensions::Two);
        for number in 0..5000_u32 {
            let time = f64::from(number);
            readings.add(time, &[Some(2.0 * time), None]);
            readings.add(time, &[None, None]);
            assert!(readings.times.len() <= CAPACITY);
            assert_eq!(readings.samples(0).next_back(), Some([time, 2.0 * time]));
        }
        let times: Vec<f64> = readings.samples(0).map(|[time, _]| time).collect();
        let (latest, kept) = times.split_last().expect("there are samples");
        // 5000 samples have been thinned three times, to every eighth.
        assert!(kept.iter().enumerate().all(|(index, &time)| time == 8.0 * index as f64), "{kept:?}");
        assert_eq!((*latest, kept.len()), (4999.0, 625));
        assert!(readings.samples(0).all(|[time, value]| value == 2.0 * time));
        assert!(readings.samples(1).all(|[_, value]| value.is_nan()));
    }

    #[test]
    fn samples_after_a_moment_are_forgotten_and_thinning_goes_on_evenly() {
        let mut readings = Readings::of(&probes("{ name = 'all', kind = 'energy' }"), Dimensions::Two);
        (0..3001).for_each(|number| readings.add(f64::from(number), &[None, None]));
        readings.forget_after(1001.5);
        assert_eq!(readings.span(), Some((0.0, 1000.0)));
        readings.forget_after(1000.0);
        (1004..1101).for_each(|number| readings.add(f64::from(number), &[None, None]));
        let times: Vec<f64> = readings.samples(0).map(|[time, _]| time).collect();
        let late: Vec<f64> = times.into_iter().filter(|time| *time > 999.0).collect();
        // Every fourth was kept.
        assert!(late.iter().zip(0..).all(|(time, number)| *time == 1000.0 + 4.0 * f64::from(number)), "{late:?}");
        assert_eq!(late.len(), 26);
    }

    #[test]
    fn a_probe_with_many_readings_leaves_room_for_others() {
        let tables = "{ name = 'line', kind = 'pressure', from = [0, 0], to = [0.3, 0], points = 50 }, \
                      { name = 'edge', kind = 'front', toward = 'x_max' }, { name = 'all', kind = 'energy' }";
        let readings = Readings::of(&probes(tables), Dimensions::Two);
        assert_eq!(readings.curves().len(), 53);
        let curves = readings.overview().iter().map(|&number| &readings.curves()[number]);
        let names: Vec<&str> = curves.map(|curve| &*curve.reading.label).collect();
        assert_eq!((names.len(), readings.omitted()), (12, 41));
        assert_eq!((names[0], names[8], &names[9..]), ("line.0", "line.8", &["edge", "all.kinetic", "all.potential"][..]));
    }

    #[test]
    fn samples_stay_with_their_curve_when_others_come_and_go() {
        let curve = |label: &str, index| Curve { reading: Reading { label: label.to_owned(), unit: "m" }, index };
        let mut readings = Readings::with_curves(vec![curve("a", 0), curve("b", 1)], 0);
        (0..10).for_each(|number| readings.add(f64::from(number), &[Some(1.0), Some(f64::from(number))]));
        let mut readings = readings.rearranged(vec![curve("b", 0), curve("c", 1)], |number| (number == 0).then_some(1));
        readings.add(10.0, &[Some(10.0), Some(5.0)]);
        assert!(readings.samples(0).all(|[time, value]| time == value) && readings.samples(0).count() == 11);
        assert!(readings.samples(1).all(|[time, value]| if time < 10.0 { value.is_nan() } else { value == 5.0 }));
        assert_eq!([3.4, 3.6, 99.0].map(|time| readings.at(0, time)), [3.0, 4.0, 10.0]);
        assert!(readings.at(0, -1.0).is_nan(), "there was no curve yet");
    }

    #[test]
    fn work_rests_in_proportion_to_its_length() {
        let (mut throttle, mut count) = (Throttle::new(1_000_000), 0);
        let work = || std::thread::sleep(Duration::from_millis(1));
        for _ in 0..5 {
            throttle.attempt(|| {
                work();
                count += 1;
            });
        }
        assert_eq!(count, 2, "the first, which may have been interrupted, and the second");
        throttle.reset();
        throttle.attempt(|| count += 1);
        assert_eq!(count, 3);
        let mut count = 0;
        let mut throttle = Throttle::new(0);
        (0..5).for_each(|_| throttle.attempt(|| count += 1));
        assert_eq!(count, 5);
    }
}
