//! Times of the window's frames, which `sph --frame-stats` prints once a second.

use crate::render::Gpu;
use crate::session::Snapshot;
use std::fmt::Write;
use std::time::{Duration, Instant};

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
