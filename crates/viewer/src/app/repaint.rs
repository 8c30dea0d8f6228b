//! Schedule of the window's frames: after news and input, and rarely enough to leave time for the simulation.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Shortest time between two frames that only show news, on a software renderer: 20 frames a second, some of
/// which start late.
const SOFTWARE_INTERVAL: Duration = Duration::from_millis(48);

/// Longest time between two layouts of the panels while there is news, on a software renderer.
const PANELS_INTERVAL: Duration = Duration::from_millis(330);

/// Cause of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The simulation has a new state.
    News,
    /// The user did something, or something in the panels moves.
    Input,
}

/// Schedules and counts frames.
#[derive(Debug)]
pub struct Repaint {
    /// True on a software renderer, which shares the processor with the simulation.
    software: bool,
    /// Requested time of each kind of frame.
    wanted: [Option<Instant>; 2],
    /// Time of the latest layout of the panels.
    panels: Option<Instant>,
    /// Start and cost of the latest frame.
    latest: Option<(Instant, Duration)>,
    /// Mean cost of the latest frames: those with panels cost more than the others between them.
    mean: Duration,
    /// Starts of the frames of the last second.
    starts: VecDeque<Instant>,
}

impl Repaint {
    /// A schedule with one frame, at once.
    pub fn new(software: bool) -> Self {
        Self {
            software,
            wanted: [None, Some(Instant::now())],
            panels: None,
            latest: None,
            mean: Duration::ZERO,
            starts: VecDeque::new(),
        }
    }

    /// Requests a frame at `when`, or soon after.
    pub fn request(&mut self, cause: Cause, when: Instant) {
        let wanted = &mut self.wanted[cause as usize];
        *wanted = Some(wanted.map_or(when, |earlier| earlier.min(when)));
    }

    /// Time of the next frame; `None` if none is requested.
    pub fn due(&self) -> Option<Instant> {
        let due = |cause: Cause| Some(self.wanted[cause as usize]?.max(self.earliest(cause)?));
        match (due(Cause::News), due(Cause::Input)) {
            (Some(news), Some(input)) => Some(news.min(input)),
            (news, input) => news.or(input),
        }
    }

    /// Earliest start of a frame. A hardware GPU waits for the screen by itself.
    fn earliest(&self, cause: Cause) -> Option<Instant> {
        let Some((start, cost)) = self.latest else { return Some(Instant::now()) };
        let interval = match (self.software, cause) {
            (false, _) => Duration::ZERO,
            // At least half of the time is left to the simulation.
            (true, Cause::News) => SOFTWARE_INTERVAL.max(2 * self.mean),
            // A drag must be responsive.
            (true, Cause::Input) => cost * 5 / 4,
        };
        Some(start + interval)
    }

    /// Records a frame that started at `start` and is done now.
    pub fn drawn(&mut self, start: Instant) {
        let cost = start.elapsed();
        self.latest = Some((start, cost));
        self.mean = if self.mean.is_zero() { cost } else { (7 * self.mean + cost) / 8 };
        self.starts.push_back(start);
        while self.starts.len() > 2 && start - self.starts[0] > Duration::from_secs(1) {
            self.starts.pop_front();
        }
    }

    /// Removes the requests that the frame starting now fulfils; returns true if the panels must be laid out again for it.
    pub fn begin(&mut self, now: Instant) -> bool {
        let due = |cause: Cause| self.wanted[cause as usize].is_some_and(|when| when <= now);
        // The water must flow in every frame; numbers that change more than three times a second cannot be read.
        let stale = !self.software || self.panels.is_none_or(|drawn| now - drawn >= PANELS_INTERVAL);
        let panels = stale || due(Cause::Input);
        if panels {
            self.panels = Some(now);
        }
        let is_behind = !panels && due(Cause::News);
        for wanted in &mut self.wanted {
            *wanted = wanted.filter(|&when| when > now);
        }
        if is_behind && let Some(drawn) = self.panels {
            // This may have been the last news for long: the panels must show it too.
            self.request(Cause::News, drawn + PANELS_INTERVAL);
        }
        panels
    }

    /// Frames per second over the last second.
    pub fn frames_per_second(&self) -> f32 {
        match (self.starts.front(), self.starts.back()) {
            (Some(&first), Some(&last)) if last > first => (self.starts.len() - 1) as f32 / (last - first).as_secs_f32(),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_costly_frame_among_cheap_ones_delays_none() {
        let mut repaint = Repaint::new(true);
        let start = Instant::now();
        repaint.begin(start + Duration::from_millis(1));
        repaint.latest = Some((start, Duration::from_millis(60)));
        repaint.mean = Duration::from_millis(20);
        repaint.request(Cause::News, start);
        assert_eq!(repaint.due(), Some(start + SOFTWARE_INTERVAL));
        repaint.mean = Duration::from_millis(50);
        assert_eq!(repaint.due(), Some(start + Duration::from_millis(100)));
    }

    #[test]
    fn the_last_news_reaches_the_panels() {
        let mut repaint = Repaint::new(true);
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        assert!(repaint.begin(at(1)), "the first frame");
        repaint.request(Cause::News, at(100));
        assert!(!repaint.begin(at(100)));
        let due = repaint.due().expect("another frame");
        assert!(due > at(300) && repaint.begin(due));
        assert_eq!(repaint.due(), None, "and no more");
    }

    #[test]
    fn a_software_renderer_delays_news_more_than_input() {
        let mut repaint = Repaint::new(true);
        let start = Instant::now();
        repaint.begin(start + Duration::from_millis(1));
        assert_eq!(repaint.due(), None);
        (repaint.latest, repaint.mean) = (Some((start, Duration::from_millis(40))), Duration::from_millis(40));
        repaint.request(Cause::News, start);
        assert_eq!(repaint.due(), Some(start + Duration::from_millis(80)));
        repaint.request(Cause::Input, start);
        assert_eq!(repaint.due(), Some(start + Duration::from_millis(50)));
    }
}
