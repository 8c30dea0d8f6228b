//! Interface between two fluids in one block.

use glam::Vec3;
use std::f32::consts::TAU;

/// Interface between two fluids in one block, `y = height + amplitude sin(2π x/wavelength)`: the particles below it are of
/// another fluid than the block. A plane if the amplitude is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interface {
    /// Index of the fluid below it in [`Setup::fluids`](super::Setup::fluids).
    pub below: usize,
    /// Mean height, m.
    pub height: f32,
    /// Amplitude, m; negative for a wave that begins with a trough.
    pub amplitude: f32,
    /// Wavelength along x, m.
    pub wavelength: f32,
}

impl Interface {
    /// True if its numbers are finite, and the wavelength positive.
    pub(super) fn is_valid(&self) -> bool {
        let Self { height, amplitude, wavelength, .. } = *self;
        height.is_finite() && amplitude.is_finite() && wavelength.is_finite() && wavelength > 0.0
    }

    /// Height of `position` above the interface, m; negative below.
    pub(super) fn height_above(&self, position: Vec3) -> f32 {
        position.y - self.height - self.amplitude * (TAU * position.x / self.wavelength).sin()
    }

    /// Part of the straight line between two points that is below the interface, from 0 to 1, by pieces of about `step` (m).
    ///
    /// It is exact on vertical lines, along which the height above the interface is linear.
    pub(super) fn part_below(&self, from: Vec3, to: Vec3, step: f32) -> f32 {
        let pieces = ((to - from).length() / step).ceil().max(1.0);
        let height_at = |piece: u32| self.height_above(from.lerp(to, piece as f32 / pieces));
        let of_piece = |piece: u32| {
            let (start, end) = (height_at(piece), height_at(piece + 1));
            let (below, both) = (start.min(0.0) + end.min(0.0), start.abs() + end.abs());
            if both > 0.0 { -below / both } else { 0.0 }
        };
        (0..pieces as u32).map(of_piece).sum::<f32>() / pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_divided_where_it_crosses() {
        let wave = Interface { below: 0, height: 1.0, amplitude: -0.15, wavelength: 1.0 };
        // Troughs at a quarter of the wavelength, crests at three quarters.
        for (x, height) in [(0.0, 1.0), (0.25, 0.85), (0.75, 1.15)] {
            let part = wave.part_below(Vec3::new(x, 0.5, 0.0), Vec3::new(x, 2.0, 0.0), 0.02);
            assert!((part - (height - 0.5) / 1.5).abs() < 1e-4, "{part} at {x}");
        }
        // Along the level of the mean height, half of each wavelength is below.
        let part = wave.part_below(Vec3::new(0.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0), 0.02);
        assert!((part - 0.5).abs() < 1e-3, "{part}");
        let plane = Interface { amplitude: 0.0, ..wave };
        assert_eq!(plane.part_below(Vec3::new(0.0, 1.2, 0.0), Vec3::new(0.0, 1.4, 0.0), 0.02), 0.0);
        assert_eq!(plane.part_below(Vec3::ZERO, Vec3::Y * 0.7, 0.02), 1.0);
    }
}
