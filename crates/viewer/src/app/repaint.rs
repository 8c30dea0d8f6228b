//! When the window is drawn again: on news and on input, and never so often that drawing would starve the simulation.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Shortest time between two frames that only show news, where the processor draws.
const SOFTWARE_INTERVAL: Duration = Duration::from_millis(55);

/// Longest time that the panels stay as they are while there is news, where the processor draws.
const PANELS_INTERVAL: Duration = Duration::from_millis(330);

/// What asks for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The simulation moved on.
    News,
    /// The user did something, or something in the panels moves.
    Input,
}

/// Plans the frames and counts them.
#[derive(Debug)]
pub struct Repaint {
    /// Whether the processor draws, whose time the simulation needs.
    software: bool,
    /// When each kind of frame is wanted.
    wanted: [Option<Instant>; 2],
    /// When the panels were last laid out.
    panels: Option<Instant>,
    /// Start and cost of the latest frame.
    latest: Option<(Instant, Duration)>,
    /// Starts of the frames of the last second.
    starts: VecDeque<Instant>,
}

impl Repaint {
    /// A plan with one frame, at once.
    pub fn new(software: bool) -> Self {
        Self { software, wanted: [None, Some(Instant::now())], panels: None, latest: None, starts: VecDeque::new() }
    }

    /// Asks for a frame at `when`, or soon after.
    pub fn request(&mut self, cause: Cause, when: Instant) {
        let wanted = &mut self.wanted[cause as usize];
        *wanted = Some(wanted.map_or(when, |earlier| earlier.min(when)));
    }

    /// When the next frame is due; `None` when nothing asks for one.
    pub fn due(&self) -> Option<Instant> {
        let due = |cause: Cause| Some(self.wanted[cause as usize]?.max(self.earliest(cause)?));
        match (due(Cause::News), due(Cause::Input)) {
            (Some(news), Some(input)) => Some(news.min(input)),
            (news, input) => news.or(input),
        }
    }

    /// When a frame may start at the earliest. A real GPU waits for the screen by itself.
    fn earliest(&self, cause: Cause) -> Option<Instant> {
        let Some((start, cost)) = self.latest else { return Some(Instant::now()) };
        let interval = match (self.software, cause) {
            (false, _) => Duration::ZERO,
            // Half of the time, at least, is the simulation's.
            (true, Cause::News) => SOFTWARE_INTERVAL.max(2 * cost),
            // A drag has to feel alive.
            (true, Cause::Input) => cost * 5 / 4,
        };
        Some(start + interval)
    }

    /// Notes a frame that started at `start` and is done now.
    pub fn drawn(&mut self, start: Instant) {
        self.latest = Some((start, start.elapsed()));
        self.starts.push_back(start);
        while self.starts.len() > 2 && start - self.starts[0] > Duration::from_secs(1) {
            self.starts.pop_front();
        }
    }

    /// Forgets what asked for the frame that starts now; whether the panels have to be laid out anew for it.
    pub fn begin(&mut self, now: Instant) -> bool {
        let due = |cause: Cause| self.wanted[cause as usize].is_some_and(|when| when <= now);
        // Water has to flow; numbers that change three times a second can be read, ones that change faster cannot.
        let stale = !self.software || self.panels.is_none_or(|drawn| now - drawn >= PANELS_INTERVAL);
        let panels = stale || due(Cause::Input);
        if panels {
            self.panels = Some(now);
        }
        for wanted in &mut self.wanted {
            *wanted = wanted.filter(|&when| when > now);
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
    fn news_waits_where_the_processor_draws_and_input_hardly() {
        let mut repaint = Repaint::new(true);
        let start = Instant::now();
        repaint.begin(start + Duration::from_millis(1));
        assert_eq!(repaint.due(), None);
        repaint.latest = Some((start, Duration::from_millis(40)));
        repaint.request(Cause::News, start);
        assert_eq!(repaint.due(), Some(start + Duration::from_millis(80)));
        repaint.request(Cause::Input, start);
        assert_eq!(repaint.due(), Some(start + Duration::from_millis(50)));
    }
}
