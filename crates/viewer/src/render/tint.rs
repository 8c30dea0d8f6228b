//! Which particles of a frame are drawn, and how: all of them by the colour map, some picked out, the fluid cut open.

use glam::Vec3;

/// Most colours of a palette.
pub const PALETTE: usize = 16;
/// Radius of a faint particle as a share of the others'; `shaders/particles.wgsl` has the same.
pub const FAINT_SIZE: f32 = 0.26;
/// Encoded colour of faint particles.
pub const FAINT_COLOR: [u8; 3] = [96, 108, 124];

/// How a particle is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// In the colour of its value.
    #[default]
    Value,
    /// In the colour of this number in [`Frame::palette`](super::Frame::palette); where there is none, in the colour of its value.
    Color(u8),
    /// Small, grey and quiet, behind all that is not faint: one sees past it and still senses the fluid. Casts no shadow.
    Faint,
    /// Not at all. Casts no shadow.
    Hidden,
}

/// The part of the fluid between two planes across an axis: particles with their middle outside are not drawn and cast no shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Lowest coordinate, m.
    pub low: f32,
    /// Highest coordinate, m.
    pub high: f32,
}

impl Slab {
    /// Whether a particle is in it. NaN is not, and no place is when there is no such axis.
    pub fn contains(&self, position: Vec3) -> bool {
        position.to_array().get(self.axis).is_some_and(|&place| place >= self.low && place <= self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slab_holds_its_planes_and_nothing_odd() {
        let slab = Slab { axis: 1, low: 0.25, high: 0.5 };
        let at = |y: f32| slab.contains(Vec3::new(9.0, y, f32::NAN));
        assert_eq!([0.2, 0.25, 0.5, 0.6, f32::NAN].map(at), [false, true, true, false, false]);
        assert!(!Slab { axis: 3, ..slab }.contains(Vec3::ZERO));
        assert!(!Slab { high: f32::NAN, ..slab }.contains(Vec3::splat(0.3)));
    }
}
