//! Recordings of the window, and the instants at which their pictures are due.

use crate::app::window::Shot;
use crate::render::recording::Recorder;

/// Pictures that one state may stand for, where several were due since the one before.
const MOST_REPEATED: u64 = 50;

/// Pictures that have become due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Pictures of the present state.
    pub pictures: u64,
    /// Pictures that are left out, because one state would have to stand for too many.
    pub left_out: u64,
}

/// Recordings: the present one, and those that are being completed.
#[derive(Debug, Default)]
pub struct Film {
    pub current: Option<Current>,
    /// Recordings that write what waits.
    pub ending: Vec<Recorder>,
}

/// A film in progress.
#[derive(Debug)]
pub struct Current {
    /// Where the pictures go.
    pub recorder: Recorder,
    /// Name of the output.
    pub name: String,
    /// Options of the pictures.
    pub shot: Shot,
    /// When pictures are due.
    pub clock: Clock,
}

/// Instants of simulated time at which pictures are due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Time of the first picture, s.
    start: f64,
    fps: f64,
    /// Pictures so far.
    count: u64,
}

impl Clock {
    /// Pictures from `start` (s) on, `fps` a second.
    pub fn new(start: f64, fps: f64) -> Self {
        Self { start, fps, count: 0 }
    }

    /// Pictures due at `time` (s). A fluid that has gone back in time starts again.
    pub fn due(&mut self, time: f64) -> Due {
        let elapsed = (time - self.start) * self.fps;
        if elapsed + 1.0 < self.count as f64 {
            *self = Self { start: time, count: 0, ..*self };
            return self.due(time);
        }
        // Steps end a little beside the instant.
        let wanted = (elapsed + 1e-6).floor().max(-1.0) as i64 + 1;
        let due = (wanted.max(0) as u64).saturating_sub(self.count);
        self.count += due;
        let pictures = due.min(MOST_REPEATED);
        Due { pictures, left_out: due - pictures }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_due_at_equal_instants_of_simulated_time() {
        let mut clock = Clock { start: 1.0, fps: 10.0, count: 0 };
        let due = [1.0, 1.05, 1.1, 1.1, 1.35, 1.39, 1.4].map(|time| clock.due(time));
        assert_eq!(due, [1, 0, 1, 0, 2, 0, 1].map(|pictures| Due { pictures, left_out: 0 }));
        // 100 s later, of 1000 pictures, one state stands for some, and the rest is accounted for.
        assert_eq!(clock.due(101.4), Due { pictures: MOST_REPEATED, left_out: 1000 - MOST_REPEATED });
        assert_eq!(clock.due(101.5), Due { pictures: 1, left_out: 0 });
    }

    #[test]
    fn a_reset_fluid_is_recorded_from_its_start() {
        let mut clock = Clock { start: 0.0, fps: 10.0, count: 0 };
        assert_eq!([0.0, 0.5, 0.0, 0.1].map(|time| clock.due(time).pictures), [1, 5, 1, 1]);
    }
}
