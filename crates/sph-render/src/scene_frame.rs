//! The one builder of a [`Frame`] from the state of a scene. The window, `sph render` and `sph bench --render` all use it, so that their
//! pictures of one state are equal.

use std::sync::Arc;

use crate::camera::Camera;
use crate::caption::{self, Legend};
use crate::frame::arrow_speed;
use crate::sets::{QuantityColors, SetMeshes, SetOrigin, ShownSets};
use crate::solids::BODY_COLOR;
use crate::{
    Arrows, Background, Bodies, BodyForm, CellBox, Frame, Gpu, Mesh, Picture, ReadError, ReferenceArrow, Renderer, Scenery,
    SceneryStyle, Slab, Tint, scene_boxes, tank_poses,
};
use glam::Vec3;
use sph_color::{CATEGORIES, ColorField, PointColors, Scale, VERDICT_COLORS, VERDICTS};
use sph_core::probes::Ellipsoid;
use sph_core::{DroppedBody, FoamParticle, Particles, Pose};
use sph_io::{ClipPlane, Look, Scene, SolidStyle};

/// Colours of tints: those of the verdicts of a query, then that of bodies.
pub(crate) const COLORS: [[u8; 3]; VERDICTS.len() + 1] = {
    let mut colors = [BODY_COLOR; VERDICTS.len() + 1];
    let (verdicts, _) = colors.split_at_mut(VERDICTS.len());
    verdicts.copy_from_slice(&VERDICT_COLORS);
    colors
};
/// Tint of the particles of bodies.
const BODY_TINT: Tint = Tint::Color(VERDICTS.len() as u8);

/// Everything that a picture of a scene shows.
#[derive(Clone, Copy, Debug)]
pub struct PictureContents<'a> {
    /// State of the fluid and the bodies.
    pub fluid: ShownFluid<'a>,
    /// How they are drawn.
    pub style: ViewStyle,
    /// The grid over them.
    pub overlay: &'a Overlay,
    /// Camera.
    pub camera: Camera,
}

/// State of a fluid with its bodies: an engine's, or a copy of it.
#[derive(Clone, Copy, Debug)]
pub struct ShownFluid<'a> {
    /// The particles.
    pub particles: &'a Particles,
    /// Poses of the bodies: those of the scene, then those that have been dropped.
    pub poses: &'a [Pose],
    /// Bodies that have been dropped, as they were at that moment.
    pub dropped: &'a [DroppedBody],
    /// Cloths and balls.
    pub sets: &'a ShownSets,
    /// Simulated time, s.
    pub time: f64,
    /// Foam, spray and bubbles.
    pub foam: &'a [FoamParticle],
    /// Value of each particle for the colours. `None` takes those that follow from the particles alone, as `sph_color::values` does.
    pub values: Option<&'a [f32]>,
    /// Ellipsoid of each particle in the look of water. The window has none while they would take too long; particles without one are
    /// spheres.
    pub ellipsoids: &'a [Ellipsoid],
    /// Surfaces of the fluid, drawn in place of the particles in the look of that name.
    pub surfaces: &'a [Mesh<'a>],
}

/// How a scene is drawn: what its file or the user chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewStyle {
    /// Look of the fluid, as [drawn](crate::drawn_look).
    pub look: Look,
    /// Quantity that the colours show.
    pub color: ColorField,
    /// Colour map and the values at its ends.
    pub scale: Scale,
    /// Plane that clips the fluid.
    pub clip: Option<ClipPlane>,
    /// True to draw velocities as arrows.
    pub arrows: bool,
    /// Style of the walls.
    pub walls: SolidStyle,
    /// Style of the bodies; `None` for surfaces, or particles in a slice of the grid.
    pub bodies: Option<SolidStyle>,
    /// Colours of cloth and balls, as the view chooses.
    pub point_colors: Option<PointColors>,
    /// Background.
    pub background: Background,
}

impl ViewStyle {
    /// The style that `view` asks for, with the fluid in `look`.
    pub fn of(view: &sph_io::View, look: Look) -> Self {
        let &sph_io::View { color, clip, arrows, walls, bodies, point_colors, .. } = view;
        let walls = walls.unwrap_or(SolidStyle::Wireframe);
        let (scale, background) = (Scale::of(view), Background::Room);
        Self { look, color, scale, clip, arrows, walls, bodies, point_colors, background }
    }

    /// True if a picture of `scene` shows colours by the quantity.
    pub fn has_colors(&self, scene: &Scene) -> bool {
        let setup = &scene.setup;
        let of_fluid = self.look.has_colors() && setup.has_fluid();
        let of_points = sph_color::is_shown(self.color, self.look, self.point_colors)
            && sph_color::colors_any_points(self.color, self.point_colors, setup);
        of_fluid || of_points || self.numbers_bodies()
    }

    /// True if each body has the colour of its number.
    fn numbers_bodies(&self) -> bool {
        self.look.has_colors() && self.color == ColorField::Body
    }
}

/// The grid in a picture: nothing by default.
#[derive(Debug, Default)]
pub struct Overlay {
    /// Boxes of cells.
    pub cells: Vec<CellBox>,
    /// Tint of each particle; particles beyond the end are coloured by value. Colours are those of the verdicts of a query.
    pub tints: Vec<Tint>,
    /// Tints of the points of each set; sets beyond the end, and those without any, have their own colours.
    pub set_tints: Vec<Vec<Tint>>,
    /// Slab that the particles are clipped to, in place of the clip plane.
    pub slab: Option<Slab>,
}

/// Options of pictures besides what they show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureOptions {
    /// True to leave out the background.
    pub transparent: bool,
    /// True to burn in the legend and the time.
    pub captions: bool,
}

/// Builds the frames of a scene. What does not change with time is kept from one to the next.
#[derive(Debug)]
pub struct SceneFrame {
    scene: Arc<Scene>,
    boxes: Vec<(Vec3, Vec3)>,
    bodies: Bodies,
    scenery: Scenery,
    sets: SetMeshes,
    /// Colours of the fluids in the look of water.
    fluid_colors: Vec<[u8; 3]>,
    values: Vec<f32>,
    tints: Vec<Tint>,
    /// True if values of the latest frame lie below, and above, the range of the colours.
    beyond: [bool; 2],
}

impl SceneFrame {
    /// A builder for pictures of `scene`.
    pub fn new(scene: Arc<Scene>) -> Self {
        let setup = &scene.setup;
        Self {
            boxes: scene_boxes(setup),
            bodies: Bodies::new(setup),
            scenery: Scenery::new(setup),
            sets: SetMeshes::new(SetOrigin::of(setup)),
            fluid_colors: sph_color::fluid_tints(&setup.fluids),
            values: Vec::new(),
            tints: Vec::new(),
            beyond: [false; 2],
            scene,
        }
    }

    /// The scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// True if values of the latest frame lie below, and above, the range of the colours.
    pub fn beyond_range(&self) -> [bool; 2] {
        self.beyond
    }

    /// Calls `draw` with the frame that shows `contents`.
    pub fn with_frame<T>(&mut self, contents: &PictureContents<'_>, draw: impl FnOnce(&Frame<'_>) -> T) -> T {
        let PictureContents { fluid, style, overlay, camera } = contents;
        let Self { scene, boxes, bodies, scenery, sets, fluid_colors, values, tints, beyond } = self;
        let setup = &scene.setup;
        let ShownFluid { particles, .. } = *fluid;
        bodies.set_dropped(fluid.dropped, &setup.discretization);
        scenery.set_dropped(fluid.dropped);

        let range = style.scale.range(style.color, scene);
        let color_map = style.scale.map(style.color, &setup.fluids, style.background.backdrop());
        let colors = QuantityColors { field: style.color, of: style.point_colors, map: color_map, range };
        sets.update(
            (fluid.sets, &overlay.set_tints),
            sph_color::is_shown(style.color, style.look, style.point_colors).then_some(&colors),
            camera.eye(),
            overlay.slab,
        );
        let numbered = style.numbers_bodies();
        let tank_poses = tank_poses(&setup.containers, fluid.time);
        let solids = SceneryStyle { walls: style.walls, bodies: style.bodies, numbered, sliced: overlay.slab.is_some() };
        let solids = scenery.shown(setup, solids, (&tank_poses, fluid.poses.iter().copied()), camera.eye());
        let has_beads = style.look.has_colors() && solids.bodies == BodyForm::Particles;
        let values = match fluid.values {
            _ if !style.look.has_colors() => &[],
            Some(given) if !numbered => given,
            _ => {
                sph_color::values(style.color, particles, &setup.fluids, setup.discretization.rest_density, values);
                if numbered && has_beads {
                    values.resize(particles.len(), f32::NAN);
                    values.extend(bodies.numbers().map(|number| (number % CATEGORIES) as f32));
                }
                &values[..]
            }
        };
        let of_points = sets.beyond_range();
        *beyond = [
            of_points[0] || values.iter().any(|&value| value < range[0]),
            of_points[1] || values.iter().any(|&value| value > range[1]),
        ];

        tints.clear();
        if has_beads && !numbered {
            tints.extend(overlay.tints.iter().copied().chain(std::iter::repeat(Tint::Value)).take(particles.len()));
            tints.extend(bodies.numbers().map(|_| BODY_TINT));
        }
        let poses = fluid.poses.iter().copied();
        // Fluid comes before the particles of bodies.
        let (positions, shades): (&[Vec3], &[Vec3]) = match (style.look, solids.bodies) {
            (Look::Surface, _) => (&[], &[]),
            _ if has_beads => (bodies.beside(&particles.positions, poses), &[]),
            (Look::Spheres | Look::Points, BodyForm::Mesh) => (&particles.positions, bodies.beside(&[], poses)),
            _ => (&particles.positions, &[]),
        };
        let balls: Vec<(Vec3, f32)> = fluid.sets.balls().collect();
        let mut meshes = fluid.surfaces.to_vec();
        meshes.extend(&solids.meshes);
        meshes.extend(sets.meshes());
        let arrows = Arrows {
            velocities: &particles.velocities,
            ids: &particles.ids,
            speed: arrow_speed(scene, (style.color, style.scale)),
        };
        draw(&Frame {
            look: style.look,
            positions,
            shades,
            balls: &balls,
            values,
            range,
            color_map,
            tints: if tints.is_empty() { &overlay.tints } else { tints },
            palette: &COLORS,
            slab: overlay.slab.or(style.clip.map(Slab::from)),
            fluids: &particles.fluids,
            ellipsoids: fluid.ellipsoids,
            fluid_colors,
            radius: 0.5 * setup.discretization.particle_spacing,
            meshes: &meshes,
            glass: &solids.glass,
            foam: fluid.foam,
            arrows: style.arrows.then_some(arrows),
            boxes,
            poses: &tank_poses,
            show_boxes: solids.boxes,
            shaped: solids.shaped,
            is_round: solids.is_round,
            outlines: &solids.outlines,
            cells: &overlay.cells,
            camera,
            background: style.background,
        })
    }

    /// Takes a picture of `size` pixels that shows `contents`.
    ///
    /// # Errors
    /// If the device is lost or out of memory.
    pub fn picture(
        &mut self,
        (renderer, gpu): (&mut Renderer, &Gpu),
        (size, options): ([u32; 2], PictureOptions),
        contents: &PictureContents<'_>,
    ) -> Result<Picture, ReadError> {
        let mut picture = self.with_frame(contents, |frame| renderer.picture(gpu, size, frame, options.transparent))?;
        if options.captions {
            let PictureContents { fluid, style, camera, .. } = contents;
            let backdrop = style.background.backdrop();
            let legend = style.has_colors(&self.scene).then(|| Legend::of(style.color, style.scale, &self.scene, backdrop));
            let height = picture.height as f32;
            let colors = (style.color, style.scale);
            let arrow = |most| ReferenceArrow::of_scene(&self.scene, colors, fluid.particles.len(), camera, [most, height]);
            caption::burn_in(&mut picture, legend.as_ref(), |most| arrow(most).filter(|_| style.arrows), fluid.time);
        }
        Ok(picture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` with the frame of a scene with a particle of fluid and a body in the look of spheres, and the overlay.
    fn with_frame(dimensions: u32, overlay: &Overlay, check: impl FnOnce(&Frame<'_>)) {
        let text = format!(
            "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
             [[bodies]]\nmin = [2, 0, 0]\nmax = [2.3, 0.3, 0.3]\n"
        );
        let scene = Arc::new(sph_io::parse(&text, "body", &[]).unwrap_or_else(|error| panic!("{error}")));
        let particles = Particles { positions: vec![Vec3::ZERO], ..Particles::default() };
        let fluid = ShownFluid {
            sets: &ShownSets::default(),
            particles: &particles,
            poses: &[Pose::default()],
            dropped: &[],
            time: 0.0,
            foam: &[],
            values: Some(&[0.0]),
            ellipsoids: &[],
            surfaces: &[],
        };
        let style = ViewStyle::of(&scene.view, Look::Spheres);
        let contents = PictureContents { fluid, style, overlay, camera: Camera::default() };
        SceneFrame::new(scene).with_frame(&contents, check);
    }

    #[test]
    fn bodies_are_surfaces_and_in_the_plane_or_a_slice_particles_of_their_own_color() {
        with_frame(3, &Overlay::default(), |frame| {
            assert_eq!((frame.meshes.len(), frame.meshes[0].color, frame.positions.len()), (1, BODY_COLOR, 1));
            assert!(frame.shading().count() > 20, "their particles cast the shadow");
        });
        let slab = Some(Slab { axis: 2, low: 0.0, high: 0.2 });
        for (dimensions, overlay) in [(2, Overlay::default()), (3, Overlay { slab, ..Overlay::default() })] {
            with_frame(dimensions, &overlay, |frame| {
                assert!(frame.meshes.is_empty() && frame.positions.len() > 8);
                let colors = frame.tints.iter().map(|tint| match tint {
                    Tint::Color(number) => Some(frame.palette[usize::from(*number)]),
                    _ => None,
                });
                assert!(colors.eq((0..frame.positions.len()).map(|index| (index > 0).then_some(BODY_COLOR))));
            });
        }
    }
}
