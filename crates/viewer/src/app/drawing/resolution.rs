//! Resolution of the 3D views on a software driver: lower while the fluid moves, as far as frames would take too long, and full as soon as
//! it rests.

use std::time::Duration;

/// Lengths of the picture relative to its place in the window.
const SCALES: [f32; 3] = [1.0, 0.71, 0.5];

/// Time for the 3D view and the composition in a frame: a quarter of a frame at 20 a second, so that three quarters of the processor's time
/// are left to the simulation.
const BUDGET: Duration = Duration::from_micros(12_500);

/// Frames measured at a scale before it is judged.
const FRAMES: u32 = 6;

/// Frames before a larger picture is tried again: it would not be used if it turned out too slow, but it would be seen to flicker.
const PATIENCE: u32 = 60;

/// Chooses a scale from the time of the frames.
#[derive(Debug)]
pub struct Resolution {
    software: bool,
    /// Index into [`SCALES`].
    level: usize,
    /// Frames at this level so far, and the sum of the times of the latest of them.
    frames: u32,
    spent: Duration,
    counted: u32,
}

impl Resolution {
    /// Full resolution; it stays so unless `software`.
    pub fn new(software: bool) -> Self {
        Self { software, level: 0, frames: 0, spent: Duration::ZERO, counted: 0 }
    }

    /// Size of the picture that is shown with `size` pixels, in motion or at rest.
    pub fn size(&self, size: [u32; 2], moving: bool) -> [u32; 2] {
        if !moving || self.level == 0 {
            return size;
        }
        size.map(|length| ((length as f32 * SCALES[self.level]).round() as u32).max(1))
    }

    /// Takes note of a frame of the moving fluid, whose 3D view and composition took `time`.
    pub fn drawn(&mut self, time: Duration) {
        if !self.software {
            return;
        }
        self.frames += 1;
        self.spent += time;
        self.counted += 1;
        if self.counted < FRAMES {
            return;
        }
        let mean = self.spent / self.counted;
        (self.spent, self.counted) = (Duration::ZERO, 0);
        if mean > BUDGET && self.level + 1 < SCALES.len() {
            self.set(self.level + 1);
        } else if self.level > 0 && self.frames >= PATIENCE {
            // At worst, time is proportional to the number of pixels.
            let growth = (SCALES[self.level - 1] / SCALES[self.level]).powi(2);
            if mean.mul_f32(growth) < BUDGET {
                self.set(self.level - 1);
            }
        }
    }

    fn set(&mut self, level: usize) {
        *self = Self { level, ..Self::new(self.software) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws `frames` frames, each of which takes `full` at full resolution and in proportion to its pixels.
    fn draw(resolution: &mut Resolution, full: Duration, frames: u32) {
        for _ in 0..frames {
            let [width, height] = resolution.size([1000, 1000], true);
            resolution.drawn(full.mul_f32(width as f32 * height as f32 / 1e6));
        }
    }

    #[test]
    fn slow_frames_become_smaller_until_they_fit_and_do_not_swing() {
        let mut resolution = Resolution::new(true);
        draw(&mut resolution, Duration::from_millis(40), 3 * FRAMES);
        let size = resolution.size([1000, 1000], true);
        assert_eq!(size, [500, 500]);
        for _ in 0..20 {
            draw(&mut resolution, Duration::from_millis(40), FRAMES);
            assert_eq!(resolution.size([1000, 1000], true), size);
        }
        assert_eq!(resolution.size([1000, 1000], false), [1000, 1000], "at rest");
    }

    #[test]
    fn fast_frames_become_full_again_after_a_while() {
        let mut resolution = Resolution::new(true);
        draw(&mut resolution, Duration::from_secs(1), 10 * FRAMES);
        assert_eq!(resolution.size([1000, 1000], true), [500, 500]);
        draw(&mut resolution, Duration::from_millis(5), 4 * PATIENCE);
        assert_eq!(resolution.size([1000, 1000], true), [1000, 1000]);
    }

    #[test]
    fn hardware_always_draws_all_pixels() {
        let mut resolution = Resolution::new(false);
        draw(&mut resolution, Duration::from_secs(1), 10 * FRAMES);
        assert_eq!(resolution.size([123, 45], true), [123, 45]);
    }
}
