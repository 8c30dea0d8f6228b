//! Data of one frame: what is drawn, and how: colours and clipping of particles, arrows of velocity.

use super::{CellBox, Mesh};
use crate::camera::Camera;
use glam::Vec3;
use sph_color::{Backdrop, ColorField, ColorMap, Scale};
use sph_core::probes::Ellipsoid;
use sph_core::{FoamParticle, Pose, Rounded};
use sph_io::{ClipPlane, Look, Scene};

/// Data of one frame. Every input is accepted: particles without a finite position are skipped, particles without a value are
/// grey.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Look of the particles; [`Look::Surface`] is that of `meshes`, and a flat scene has spheres for water.
    pub look: Look,
    /// Positions of the particles, m.
    pub positions: &'a [Vec3],
    /// Positions of other particles that cast shadows but are not drawn, m: those of bodies that are meshes.
    pub shades: &'a [Vec3],
    /// Centres and radii of balls that cast shadows, m; meshes draw them.
    pub balls: &'a [(Vec3, f32)],
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
    /// Triangle meshes of glass, drawn over all that they lie before.
    pub glass: &'a [Mesh<'a>],
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
    /// True for a single tank that is a round cylinder that stands upright, and has the sides of the scene.
    pub is_round: bool,
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

    /// Its lightness, which decides the colours before it.
    pub fn backdrop(self) -> Backdrop {
        match self {
            Self::Room => Backdrop::Dark,
            Self::LightRoom => Backdrop::Light,
            Self::Plain(level) if level > 0.5 => Backdrop::Light,
            Self::Plain(_) => Backdrop::Dark,
        }
    }
}

impl<'a> Frame<'a> {
    /// Grey spheres of this `radius` (m) at these positions (m), and nothing else.
    pub fn new(positions: &'a [Vec3], radius: f32, camera: &'a Camera) -> Self {
        Self {
            look: Look::Spheres,
            positions,
            shades: &[],
            balls: &[],
            values: &[],
            range: [0.0, 1.0],
            color_map: ColorMap::Water,
            tints: &[],
            palette: &[],
            slab: None,
            fluids: &[],
            ellipsoids: &[],
            fluid_colors: &[],
            radius,
            meshes: &[],
            glass: &[],
            foam: &[],
            arrows: None,
            boxes: &[],
            poses: &[],
            show_boxes: true,
            shaped: &[],
            is_round: false,
            outlines: &[],
            cells: &[],
            camera,
            background: Background::Room,
        }
    }

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
        (0..self.positions.len()).filter(takes).map(|index| self.positions[index]).chain(self.shades.iter().copied())
    }
}

// Colouring and clipping of particles: by the colour map, by a palette, faint, hidden; slab and plane that clip the fluid.

/// Maximum number of colours in a palette.
pub const PALETTE: usize = 16;
/// Radius of a faint particle relative to the others; the same value as in `shaders/particles.wgsl`.
pub const FAINT_SIZE: f32 = 0.26;
/// Radius of a small particle relative to the others; the same value as in `shaders/particles.wgsl`.
pub const SMALL_SIZE: f32 = 0.45;
/// sRGB-encoded colour of faint particles and points.
pub const FAINT_COLOR: [u8; 3] = [96, 108, 124];
/// That of faint particles before a light background.
pub const FAINT_ON_LIGHT: [u8; 3] = [172, 180, 192];

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

// Arrows of velocity, and their scale.

/// Largest number of arrows: more would hide each other.
pub const MOST: usize = 1500;
/// Length of an arrow at the speed of the scale, mean distances between arrows.
const LENGTH: f32 = 1.5;
/// Speeds of reference arrows, as parts of the speed of the scale: the first that is long enough, or else short enough, is taken.
const PARTS: [f32; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
const SMALL_PARTS: [f32; 3] = [0.5, 0.2, 0.1];
/// Least length of a reference arrow, as a part of the most.
const LEAST: f32 = 0.15;

/// Velocities to draw as arrows.
#[derive(Clone, Copy, Debug)]
pub struct Arrows<'a> {
    /// Velocity of each particle, m/s.
    pub velocities: &'a [Vec3],
    /// Stable id of each particle: the same ones keep their arrows.
    pub ids: &'a [u32],
    /// Speed of an arrow of full length, m/s.
    pub speed: f32,
}

/// Number of ids of which one has an arrow, among `count` particles.
pub fn stride(count: usize) -> usize {
    count.div_ceil(MOST).max(1)
}

/// Length of an arrow at the speed of the scale among `count` particles of `radius` (m), m.
pub fn longest(count: usize, radius: f32) -> f32 {
    // A sheet of particles has arrows √stride spacings apart.
    LENGTH * 2.0 * radius * (stride(count) as f32).sqrt()
}

/// Reference arrow: the length of a speed in the picture, at the distance of the camera's target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceArrow {
    /// Speed, m/s.
    pub speed: f32,
    /// Length, in the unit of the picture's height.
    pub length: f32,
}

/// Speed of an arrow of full length in pictures of `scene`, m/s: the upper end of the colours of speed, if these are shown.
pub fn arrow_speed(scene: &Scene, (color, scale): (ColorField, Scale)) -> f32 {
    let shown = if color == ColorField::Speed { scale } else { Scale::default() };
    let [_, speed] = shown.range(ColorField::Speed, scene);
    // A range may be below 0 as a whole.
    if speed > 0.0 { speed } else { sph_color::auto_range(ColorField::Speed, scene)[1] }
}

impl ReferenceArrow {
    /// The arrow that [fits](Self::fitting) a picture of `scene` with `count` particles.
    pub fn of_scene(
        scene: &Scene,
        colors: (ColorField, Scale),
        count: usize,
        camera: &Camera,
        [most, height]: [f32; 2],
    ) -> Option<Self> {
        let radius = 0.5 * scene.setup.discretization.particle_spacing;
        Self::fitting(most, height, camera, arrow_speed(scene, colors), (count, radius))
    }

    /// The arrow at the speed of the scale, or at a multiple or a part of it that is well seen and at most `most` long in a picture
    /// `height` high, where `speed` (m/s) is that of the scale and `count` particles have this `radius` (m). `None` if even a tenth of the speed is longer.
    pub fn fitting(most: f32, height: f32, camera: &Camera, speed: f32, (count, radius): (usize, f32)) -> Option<Self> {
        let seen = 2.0 * camera.distance * (0.5 * camera.fov_y).tan();
        let full = longest(count, radius) / seen * height;
        let arrow = |part| Self { speed: part * speed, length: part * full };
        let long = PARTS.into_iter().map(arrow).find(|arrow| arrow.length >= LEAST * most);
        let short = || SMALL_PARTS.into_iter().map(arrow).find(|arrow| arrow.length <= most);
        long.filter(|arrow| arrow.length <= most).or_else(short)
    }

    /// Its speed, with the unit.
    pub fn label(self) -> String {
        format!("{} m/s", Rounded(self.speed))
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

    #[test]
    fn arrows_follow_the_range_of_the_speeds_that_are_shown() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
        let scene = sph_io::parse(text, "arrows", &[]).expect("the scene is valid");
        let [_, usual] = sph_color::auto_range(ColorField::Speed, &scene);
        let speed = |color, range| arrow_speed(&scene, (color, Scale { range, ..Scale::default() }));
        assert_eq!(speed(ColorField::Speed, None), usual);
        assert_eq!(speed(ColorField::Speed, Some([0.0, 0.2])), 0.2);
        assert_eq!(speed(ColorField::Pressure, Some([0.0, 0.2])), usual);
        assert_eq!(speed(ColorField::Speed, Some([-2.0, -1.0])), usual);
    }

    #[test]
    fn a_reference_arrow_has_the_length_of_its_speed() {
        // Two metres are seen at the target.
        let camera = Camera { distance: 1.0, fov_y: std::f32::consts::FRAC_PI_2, ..Camera::default() };
        let arrow = |most| ReferenceArrow::fitting(most, 400.0, &camera, 3.0, (1000, 0.05)).expect("an arrow");
        // 1.5 · 2 · 0.05 m = 30 of 400 pixels for 3 m/s.
        assert!((arrow(40.0).length - 30.0).abs() < 1e-3 && arrow(40.0).label() == "3 m/s");
        assert!((arrow(300.0).length - 60.0).abs() < 1e-3 && arrow(300.0).label() == "6 m/s");
        assert_eq!(arrow(7.0).label(), "0.6 m/s");
        let labels = [1.0 / 3.0, 3e-5, 2e6].map(|speed| ReferenceArrow { speed, length: 1.0 }.label());
        assert_eq!(labels, ["0.333 m/s", "3e-5 m/s", "2e6 m/s"]);
        assert_eq!(ReferenceArrow::fitting(1.0, 400.0, &camera, 3.0, (1000, 0.05)), None);
        assert_eq!((stride(MOST), stride(MOST + 1)), (1, 2));
    }
}
