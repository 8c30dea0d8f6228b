//! A frame as data: everything that one picture shows.

use super::{CellBox, Slab, Tint};
use crate::camera::Camera;
use crate::color::ColorMap;
use glam::Vec3;

/// Everything that a picture shows. Anything is accepted: particles without a finite position are left out, those without a value
/// are grey.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Where the particles are, m.
    pub positions: &'a [Vec3],
    /// One value a particle, in the unit of `range`.
    pub values: &'a [f32],
    /// The values at the two ends of the colour map.
    pub range: [f32; 2],
    /// How values become colours.
    pub color_map: ColorMap,
    /// How each particle is drawn; the particles beyond the end by their values.
    pub tints: &'a [Tint],
    /// The colours of [`Tint::Color`], at most 16.
    pub palette: &'a [[u8; 3]],
    /// Where the fluid is cut open, if it is.
    pub slab: Option<Slab>,
    /// Radius at which particles are drawn, m: usually half the particle spacing.
    pub radius: f32,
    /// The tanks: lowest and highest corners, m. In two dimensions of no depth (see [`scene_boxes`](super::scene_boxes)).
    pub boxes: &'a [(Vec3, Vec3)],
    /// Whether the edges of the tanks are drawn. Floor and haze go by the tanks in either case.
    pub show_boxes: bool,
    /// Boxes drawn over the particles.
    pub cells: &'a [CellBox],
    /// From where it is seen.
    pub camera: &'a Camera,
}

impl Frame<'_> {
    /// How particle `index` is drawn, the slab considered.
    pub fn tint(&self, index: usize) -> Tint {
        if self.slab.is_some_and(|slab| !slab.contains(self.positions[index])) {
            return Tint::Hidden;
        }
        self.tints.get(index).copied().unwrap_or_default()
    }

    /// Where the particles are that take light from others.
    pub fn shading(&self) -> impl Iterator<Item = Vec3> {
        let takes = |index: &usize| matches!(self.tint(*index), Tint::Value | Tint::Color(_));
        (0..self.positions.len()).filter(takes).map(|index| self.positions[index])
    }
}
