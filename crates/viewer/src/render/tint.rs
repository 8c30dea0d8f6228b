//! Colouring and clipping of particles: by the colour map, by a palette, faint, hidden; slab and plane that clip the fluid.

use glam::Vec3;
use sph_io::ClipPlane;

/// Maximum number of colours in a palette.
pub const PALETTE: usize = 16;
/// Radius of a faint particle relative to the others; the same value as in `shaders/particles.wgsl`.
pub const FAINT_SIZE: f32 = 0.26;
/// Radius of a small particle relative to the others; the same value as in `shaders/particles.wgsl`.
pub const SMALL_SIZE: f32 = 0.45;
/// sRGB-encoded colour of faint particles.
pub const FAINT_COLOR: [u8; 3] = [96, 108, 124];

/// Colouring of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// Coloured by value.
    #[default]
    Value,
    /// Colour of this index in [`Frame::palette`](super::Frame::palette); coloured by value if the palette has no such index.
    Color(u8),
    /// The same colour on a small sphere, behind which others are seen. Casts no shadow.
    Small(u8),
    /// Small and grey, drawn behind all other particles so that it never hides them. Casts no shadow.
    Faint,
    /// Not drawn. Casts no shadow.
    Hidden,
}

/// Slab between two planes normal to an axis: particles with their centre outside are not drawn and cast no shadow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// Normal of the planes: 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Lowest coordinate, m.
    pub low: f32,
    /// Highest coordinate, m.
    pub high: f32,
}

impl Slab {
    /// True if `position` is within the slab; false for NaN or an invalid axis.
    pub fn contains(&self, position: Vec3) -> bool {
        position.to_array().get(self.axis).is_some_and(|&coordinate| coordinate >= self.low && coordinate <= self.high)
    }
}

/// The half-space that a plane shows.
impl From<ClipPlane> for Slab {
    fn from(ClipPlane { axis, position, flipped }: ClipPlane) -> Self {
        let [low, high] = if flipped { [position, f32::INFINITY] } else { [f32::NEG_INFINITY, position] };
        Self { axis, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slab_includes_its_planes_and_excludes_nan() {
        let slab = Slab { axis: 1, low: 0.25, high: 0.5 };
        let at = |y: f32| slab.contains(Vec3::new(9.0, y, f32::NAN));
        assert_eq!([0.2, 0.25, 0.5, 0.6, f32::NAN].map(at), [false, true, true, false, false]);
        assert!(!Slab { axis: 3, ..slab }.contains(Vec3::ZERO));
        assert!(!Slab { high: f32::NAN, ..slab }.contains(Vec3::splat(0.3)));
    }

    #[test]
    fn a_plane_shows_one_side_and_flipped_the_other() {
        let plane = ClipPlane { axis: 1, position: 0.5, flipped: false };
        let [below, above] = [Vec3::new(9.0, 0.25, 9.0), Vec3::new(9.0, 0.75, 9.0)];
        let shows = |plane: ClipPlane| [below, above].map(|point| Slab::from(plane).contains(point));
        assert_eq!(shows(plane), [true, false]);
        assert_eq!(shows(ClipPlane { flipped: true, ..plane }), [false, true]);
    }
}
