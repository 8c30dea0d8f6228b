//! Kept moments of the running scene, to which the window can go back.

use std::sync::Arc;

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
    /// True while steps are made again to reach a moment between two kept ones, or made to reach a later one.
    pub seeking: bool,
    /// Number of times that the fluid has gone to another moment other than by a step.
    pub jumps: u64,
}

impl Timeline {
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
