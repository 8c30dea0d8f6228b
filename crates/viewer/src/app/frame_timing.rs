//! Schedule of the window's frames, after news and input, and rarely enough to leave time for the simulation; their times, for
//! `sph --frame-stats`.

use std::collections::VecDeque;
use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::session::Snapshot;
use sph_render::Gpu;

/// Shortest time between two frames that only show news, on a software renderer: 20 frames a second, some of
/// which start late.
const SOFTWARE_INTERVAL: Duration = Duration::from_millis(48);

/// Shortest time between two frames that only show the next part of a slow step, on a GPU, so that fast screens take no more of it.
const FLOW_INTERVAL: Duration = Duration::from_millis(16);

/// Longest time between two layouts of the panels while there is news, on a software renderer.
const PANELS_INTERVAL: Duration = Duration::from_millis(330);

/// Cause of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The simulation has a new state.
    News,
    /// The user did something, or something in the panels moves.
    Input,
    /// The 3D view shows the next part of a slow step.
    Flow,
}

/// Schedules and counts frames.
#[derive(Debug)]
pub struct Repaint {
    /// True on a software renderer, which shares the processor with the simulation.
    software: bool,
    /// Requested time of each kind of frame.
    wanted: [Option<Instant>; 3],
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
            wanted: [None, Some(Instant::now()), None],
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
        [Cause::News, Cause::Input, Cause::Flow].into_iter().filter_map(due).min()
    }

    /// Earliest start of a frame. A hardware GPU waits for the screen by itself.
    fn earliest(&self, cause: Cause) -> Option<Instant> {
        let Some((start, cost)) = self.latest else { return Some(Instant::now()) };
        let interval = match (self.software, cause) {
            (false, Cause::Flow) => FLOW_INTERVAL,
            (false, _) => Duration::ZERO,
            // At least half of the time is left to the simulation.
            (true, Cause::News | Cause::Flow) => SOFTWARE_INTERVAL.max(2 * self.mean),
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
        let only_flows = due(Cause::Flow) && !due(Cause::News) && !due(Cause::Input);
        let interval = if self.software || only_flows { PANELS_INTERVAL } else { Duration::ZERO };
        let stale = self.panels.is_none_or(|drawn| now - drawn >= interval);
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

// Times of the window's frames, which `sph --frame-stats` prints once a second.

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(1);

/// Stage of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Layout and tessellation of the panels.
    Layout,
    /// Drawing of the 3D views.
    Scene,
    /// Painting of the panels.
    Panels,
    /// Composition with the panels, and presentation.
    Present,
}

const STAGES: [(Stage, &str); 4] =
    [(Stage::Layout, "layout"), (Stage::Scene, "3D view"), (Stage::Panels, "panels"), (Stage::Present, "present")];

/// Sums over the frames since the latest line. Does nothing unless it is switched on.
#[derive(Debug)]
pub struct FrameTimes {
    on: bool,
    since: Instant,
    /// Steps made before the latest line.
    steps: u64,
    frames: u32,
    layouts: u32,
    spent: [Duration; STAGES.len()],
    lap: Instant,
    /// Time of the first input that no frame has answered yet.
    input: Option<Instant>,
    slowest_answer: Option<Duration>,
}

impl FrameTimes {
    /// Prints lines if `on`.
    pub fn new(on: bool) -> Self {
        let now = Instant::now();
        Self {
            on,
            since: now,
            steps: 0,
            frames: 0,
            layouts: 0,
            spent: Default::default(),
            lap: now,
            input: None,
            slowest_answer: None,
        }
    }

    /// Notes input that the next frame with a layout answers.
    pub fn input(&mut self) {
        self.input.get_or_insert_with(Instant::now);
    }

    /// Starts a frame.
    pub fn begin(&mut self) {
        self.lap = Instant::now();
    }

    /// Ends a stage of the frame. Waits for the graphics device, so that its work shows in the stage that demanded it.
    pub fn end(&mut self, stage: Stage, gpu: &Gpu) {
        if self.on {
            // A lost device is reported by its own handler.
            let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
            self.spent[stage as usize] += self.lap.elapsed();
            self.lap = Instant::now();
        }
    }

    /// Ends a frame of `snapshot`, with or without a layout, whose 3D view has `pixels` of `full`. Returns the line that is due.
    pub fn finish(&mut self, layout: bool, [pixels, full]: [[u32; 2]; 2], snapshot: &Snapshot) -> Option<String> {
        if layout && let Some(input) = self.input.take() {
            self.slowest_answer = self.slowest_answer.max(Some(input.elapsed()));
        }
        self.frames += 1;
        self.layouts += u32::from(layout);
        let elapsed = self.since.elapsed();
        if !self.on || elapsed < INTERVAL {
            return None;
        }
        let Snapshot { steps, timeline, .. } = snapshot;
        let mut line = self.line(elapsed, pixels, full, *steps);
        let [kept, limit] = [timeline.bytes, timeline.limit].map(|bytes| bytes as f64 / f64::from(1 << 20));
        let _ = write!(line, "; kept {kept:.1} of {limit:.0} MiB");
        let (on, input) = (self.on, self.input);
        *self = Self { steps: *steps, input, ..Self::new(on) };
        Some(line)
    }

    fn line(&self, elapsed: Duration, pixels: [u32; 2], full: [u32; 2], steps: u64) -> String {
        let Self { frames, layouts, .. } = *self;
        let a_second = |count: f64| count / elapsed.as_secs_f64();
        let [frame_rate, layout_rate] = [frames, layouts].map(|count| a_second(f64::from(count)));
        let step_rate = a_second(steps.saturating_sub(self.steps) as f64);
        let mut text = format!("{frame_rate:.1} frames/s, {layout_rate:.1} layouts/s, {step_rate:.0} steps/s; ms a frame:");
        for ((_, name), spent) in STAGES.iter().zip(self.spent) {
            let _ = write!(text, " {name} {:.2}", 1e3 * spent.as_secs_f64() / f64::from(frames));
        }
        let [[width, height], [full_width, full_height]] = [pixels, full];
        let _ = write!(text, "; 3D view {width}x{height} of {full_width}x{full_height}");
        if let Some(answer) = self.slowest_answer {
            let _ = write!(text, "; slowest answer to input {:.0} ms", 1e3 * answer.as_secs_f64());
        }
        text
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

    /// Panels show states, which do not change within a step.
    #[test]
    fn a_flowing_picture_leaves_the_panels_as_they_are() {
        for software in [false, true] {
            let mut repaint = Repaint::new(software);
            let start = Instant::now();
            let at = |ms| start + Duration::from_millis(ms);
            assert!(repaint.begin(at(1)), "the first frame");
            repaint.request(Cause::Flow, at(60));
            assert_eq!(repaint.due(), Some(at(60)));
            assert!(!repaint.begin(at(60)), "software: {software}");
            assert_eq!(repaint.due(), None);
            repaint.request(Cause::Flow, at(90));
            repaint.request(Cause::News, at(80));
            assert_eq!(repaint.begin(at(95)), !software);
        }
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

    #[test]
    fn a_line_has_rates_times_and_the_slowest_answer() {
        let mut times = FrameTimes::new(true);
        times.spent[Stage::Scene as usize] = Duration::from_millis(30);
        times.slowest_answer = Some(Duration::from_millis(42));
        (times.frames, times.layouts, times.steps) = (10, 4, 100);
        let line = times.line(Duration::from_secs(2), [480, 300], [960, 600], 160);
        let expected = "5.0 frames/s, 2.0 layouts/s, 30 steps/s; ms a frame: layout 0.00 3D view 3.00 panels 0.00 present 0.00; \
                        3D view 480x300 of 960x600; slowest answer to input 42 ms";
        assert_eq!(line, expected);
    }

    #[test]
    fn nothing_is_said_unless_it_is_asked_for() {
        let mut times = FrameTimes::new(false);
        times.since -= Duration::from_secs(10);
        assert_eq!(times.finish(true, [[1, 1]; 2], &Snapshot::default()), None);
    }
}
