//! Data of one frame.

use super::{Arrows, CellBox, Mesh, Slab, Tint};
use crate::camera::Camera;
use crate::color::ColorMap;
use glam::Vec3;
use sph_core::probes::Ellipsoid;
use sph_core::{FoamParticle, Pose};
use sph_io::Look;

/// Data of one frame. Every input is accepted: particles without a finite position are skipped, particles without a value are
/// grey.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Look of the particles; [`Look::Surface`] is that of `meshes`, and a flat scene has spheres for water.
    pub look: Look,
    /// Positions of the particles, m.
    pub positions: &'a [Vec3],
    /// One value per particle, in the unit of `range`.
    pub values: &'a [f32],
    /// Values at the two ends of the colour map.
    pub range: [f32; 2],
    /// Colour map.
    pub color_map: ColorMap,
    /// Tint of each particle; particles beyond the end are coloured by value.
    pub tints: &'a [Tint],
    /// Colours of [`Tint::Color`], at most 16.
    pub palette: &'a [[u8; 3]],
    /// Slab that the particles are clipped to.
    pub slab: Option<Slab>,
    /// Fluid of each particle in the look of water; particles beyond the end are of fluid 0.
    pub fluids: &'a [u8],
    /// Ellipsoid of each particle in the look of water, in its order; particles beyond the end are spheres.
    pub ellipsoids: &'a [Ellipsoid],
    /// sRGB-encoded colour that light takes in each fluid; fluids beyond the end are clear water.
    pub fluid_colors: &'a [[u8; 3]],
    /// Radius of the spheres, m: usually half the particle spacing.
    pub radius: f32,
    /// Triangle meshes beside the particles.
    pub meshes: &'a [Mesh<'a>],
    /// Foam, spray and bubbles, drawn over the particles.
    pub foam: &'a [FoamParticle],
    /// Velocities of the particles, if they are drawn as arrows.
    pub arrows: Option<Arrows<'a>>,
    /// Tanks: lowest and highest corners, m; flat in two dimensions (see [`scene_boxes`](super::scene_boxes)).
    pub boxes: &'a [(Vec3, Vec3)],
    /// Poses of the tanks, in their order; tanks beyond the end are where `boxes` says.
    pub poses: &'a [Pose],
    /// True to draw the edges of the tanks. Floor and haze follow the tanks in either case.
    pub show_boxes: bool,
    /// True for each tank that is no box: its box is not drawn. Tanks beyond the end are boxes.
    pub shaped: &'a [bool],
    /// Outlines of tanks that are no boxes, and of bodies, m.
    pub outlines: &'a [[Vec3; 2]],
    /// Cell boxes drawn over the particles.
    pub cells: &'a [CellBox],
    /// Camera.
    pub camera: &'a Camera,
    /// Background.
    pub background: Background,
}

/// Background of a frame. The look of water has surroundings of its own in place of either room.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Background {
    /// Gradient and floor, dark.
    #[default]
    Room,
    /// Gradient and floor, light.
    LightRoom,
    /// One grey level, 0 to 1.
    Plain(f32),
}

impl Background {
    /// True for a gradient with a floor.
    pub fn is_room(self) -> bool {
        matches!(self, Self::Room | Self::LightRoom)
    }
}

impl Frame<'_> {
    /// Tint of particle `index`; [`Tint::Hidden`] outside the slab.
    pub fn tint(&self, index: usize) -> Tint {
        if self.slab.is_some_and(|slab| !slab.contains(self.positions[index])) {
            return Tint::Hidden;
        }
        self.tints.get(index).copied().unwrap_or_default()
    }

    /// Positions of the particles that cast shadows, m.
    pub fn shading(&self) -> impl Iterator<Item = Vec3> {
        let takes = |index: &usize| matches!(self.tint(*index), Tint::Value | Tint::Color(_));
        (0..self.positions.len()).filter(takes).map(|index| self.positions[index])
    }
}
