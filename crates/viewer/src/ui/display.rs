//! The scene as the window shows it: camera, look, colours, walls and bodies; what a scene file has in its `[view]`.

use std::time::Instant;

use super::point_search::has_fluid;
use super::scene_view::{Aids, looks};
use crate::session::{Inspection, Snapshot};
use glam::Vec3;
use sph_color::{ColorField, FittedRange, Scale};
use sph_io::{Look, PointColors, Scene, SolidStyle, View};
use sph_render::camera::{Camera, Pane};
use sph_render::{self, Background};

/// Factor on the distance of a scene's own eye, in a view of [`FILE_ASPECT`], up to which the camera backs away to show the whole scene;
/// beyond it, the scene wants a close view of a part.
const CLOSE_VIEW: f32 = 1.4;

/// Width over height of the view that scenes name their eye for: that of the pictures of the gallery.
const FILE_ASPECT: f32 = 1.6;

/// Origin of the camera's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Initial camera of the scene.
    #[default]
    First,
    /// The whole scene, from the user's direction.
    All,
    /// Set by the user.
    Free,
}

/// What the ends of the colours have been fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FittedTo {
    field: ColorField,
    generation: u64,
    /// Number of jumps to other moments.
    jumps: u64,
    steps: u64,
}

/// View of the scene: camera, look, colours, walls and bodies.
#[derive(Clone, Debug)]
pub struct Display {
    /// Camera of the 3D view.
    pub camera: Camera,
    /// Origin of the camera's view, which decides what a resized window shows.
    pub framing: Framing,
    /// Parts of the 3D view that no control covers, each as large as it can be.
    pub panes: Vec<Pane>,
    /// Field that colours the particles.
    pub color: ColorField,
    /// Their colour map and its ends.
    pub scale: Scale,
    /// Ends that follow the particles, for a quantity that has outliers, while none are chosen.
    fitted: FittedRange,
    /// Moment of the particles that they follow, and the time at which it was shown.
    followed: Option<(FittedTo, Instant)>,
    /// Look of the fluid.
    pub look: Look,
    /// Look of scenes that name none; the graphics driver decides.
    pub usual_look: Look,
    /// Background of the 3D view, which goes with the theme.
    pub background: Background,
    /// True to draw pictures between two states, where a step takes longer than a frame.
    pub smooth: bool,
    /// Clip plane, arrows of velocity, styles of walls and bodies.
    pub aids: Aids,
    /// View that the scene's file has; `None` before the first scene.
    file_view: Option<View>,
    /// Look in which the scene was opened, or which its file has been given since.
    opened_look: Look,
    /// Look that the user has chosen, for scenes that name none.
    chosen_look: Option<Look>,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            framing: Framing::default(),
            panes: Vec::new(),
            color: ColorField::default(),
            scale: Scale::default(),
            fitted: FittedRange::default(),
            followed: None,
            look: Look::Spheres,
            usual_look: Look::Spheres,
            background: Background::default(),
            smooth: true,
            aids: Aids::default(),
            file_view: None,
            opened_look: Look::Spheres,
            chosen_look: None,
        }
    }
}

impl Display {
    /// Shows another scene as its file asks; `None` after one that could not be loaded.
    pub(in crate::ui) fn open(&mut self, scene: Option<&Scene>) {
        self.framing = Framing::First;
        if let Some(scene) = scene {
            self.aids.enter(scene);
            self.color = scene.view.color;
            self.scale = Scale::of(&scene.view);
            if self.file_view.is_some() && self.look != self.opened_look {
                self.chosen_look = Some(self.look);
            }
            self.opened_look = self.first_look(scene);
            self.look = self.opened_look;
            self.file_view = Some(scene.view);
        }
    }

    /// Shows `field` in the colours, as a user has chosen it: cloth and balls without a fluid show it too, in a look that has colours.
    pub(in crate::ui) fn choose_color(&mut self, field: ColorField, snapshot: &Snapshot) {
        self.scale.choose(&mut self.color, field);
        if !self.has_colors(Look::Spheres, snapshot) {
            self.aids.points = Some(PointColors::Quantity);
        }
        if !sph_color::is_shown(field, self.look, None) {
            self.look = Look::Spheres;
        }
    }

    /// True if anything of `snapshot` has the colours of the quantity in this look.
    pub(in crate::ui) fn has_colors(&self, look: Look, snapshot: &Snapshot) -> bool {
        let Some(scene) = &snapshot.scene else { return false };
        let of_points = sph_color::is_shown(self.color, look, self.aids.points)
            && sph_color::colors_any_points(self.color, self.aids.points, &scene.setup);
        of_points || look.has_colors() && has_fluid(snapshot)
    }

    /// Values at the ends of the colour map: those chosen, or else those that suit most particles or the scene.
    pub fn range(&self, scene: &Scene) -> [f32; 2] {
        let fitted = self.fitted.range(self.color, scene).filter(|_| self.scale.range.is_none());
        fitted.unwrap_or_else(|| self.scale.range(self.color, scene))
    }

    /// Lets the colours follow the particles, or the cloth, of `snapshot`, which is shown at the instant `now`. `inspection` has what is computed of
    /// them.
    pub fn follow_values(&mut self, snapshot: &Snapshot, inspection: Option<&Inspection>, now: Instant) {
        let (Some(scene), field) = (&snapshot.scene, self.color) else { return };
        if !sph_color::is_fitted(field) {
            self.followed = None;
            return;
        }
        let to = FittedTo { field, generation: snapshot.generation, jumps: snapshot.timeline.jumps, steps: snapshot.steps };
        let before = self.followed.filter(|(before, _)| FittedTo { steps: to.steps, ..*before } == to);
        if before.is_some_and(|(before, _)| before.steps == to.steps) {
            return;
        }
        let elapsed = before.map(|(_, shown)| now.saturating_duration_since(shown).as_secs_f64());
        let mut values = Vec::new();
        let values = if field == ColorField::Stretch {
            values = snapshot.sets.stretches(&scene.setup);
            &values
        } else if sph_color::is_computed(field) {
            let Some(values) = inspection.and_then(|inspection| inspection.values_of(field)) else { return };
            values
        } else {
            let rest_density = scene.setup.discretization.rest_density;
            sph_color::values(field, &snapshot.particles, &scene.setup.fluids, rest_density, &mut values);
            &values
        };
        self.fitted.follow(field, values, scene, elapsed);
        self.followed = Some((to, now));
    }

    /// Positions the camera as the framing demands, in a view of `aspect` (width over height).
    pub fn frame(&mut self, scene: &Scene, aspect: f32) {
        let View { eye, target, .. } = scene.view;
        let bounds @ [min, max]: [Vec3; 2] = sph_render::scene_bounds(&scene.setup).into();
        match self.framing {
            Framing::First => {
                let first = sph_render::first_camera(&scene.setup, eye, target, aspect);
                let keeps = (eye.is_some() || target.is_some())
                    && (is_close(first, bounds) || self.panes.iter().any(|&pane| first.sees_in(pane, min, max, aspect)));
                self.camera = if keeps { first } else { self.framed(first, bounds, aspect) };
            }
            Framing::All => self.camera = self.framed(self.camera, bounds, aspect),
            Framing::Free => {}
        }
    }

    /// `camera`, moved to where the box between the corners of `bounds` (m) is largest and not covered by a control.
    fn framed(&self, camera: Camera, [min, max]: [Vec3; 2], aspect: f32) -> Camera {
        let framed = |pane: Option<&Pane>| {
            let mut camera = camera;
            match pane {
                Some(&pane) => camera.reframe_in(pane, min, max, aspect),
                None => camera.reframe(min, max, aspect),
            }
            camera
        };
        let nearest = self.panes.iter().map(|pane| framed(Some(pane))).min_by(|a, b| a.distance.total_cmp(&b.distance));
        nearest.unwrap_or_else(|| framed(None))
    }

    /// Look in which a scene that names none will open: the one that the user has chosen, or else the driver's.
    pub fn next_look(&self) -> Look {
        if self.look == self.opened_look { self.chosen_look.unwrap_or(self.usual_look) } else { self.look }
    }

    /// Look in which `scene` opens: its own, or else the one that the user has chosen.
    fn first_look(&self, scene: &Scene) -> Look {
        looks::first_look(scene, self.chosen_look.unwrap_or(self.usual_look))
    }

    /// Takes over what has been changed in the view of the file of `scene`, by another program; what a user has changed in the window too
    /// stays as it is shown.
    pub(in crate::ui) fn adopt(&mut self, scene: &Scene) {
        let (now, Some(before)) = (scene.view, self.file_view.replace(scene.view)) else { return };
        if now.color != before.color && self.color == before.color {
            self.color = now.color;
        }
        if Scale::of(&now) != Scale::of(&before) && self.scale == Scale::of(&before) {
            self.scale = Scale::of(&now);
        }
        if now.look != before.look {
            let first = self.first_look(scene);
            let before = std::mem::replace(&mut self.opened_look, first);
            if self.look == before {
                self.look = self.opened_look;
            }
        }
        let of =
            |view: &View| (view.clip, view.arrows, view.walls.unwrap_or(SolidStyle::Wireframe), view.bodies, view.point_colors);
        let Aids { arrows, walls, bodies, points, .. } = self.aids;
        if of(&now) != of(&before) && (self.aids.clip(), arrows, walls, bodies, points) == of(&before) {
            self.aids.enter(scene);
        }
    }

    /// The view of `scene` with what is shown at present, to be saved; its camera stays.
    pub fn scene_view(&self, scene: &Scene) -> View {
        let is_first = self.look == self.opened_look;
        let is_usual = scene.view.walls.is_none() && self.aids.walls == SolidStyle::Wireframe;
        View {
            color: self.color,
            color_map: self.scale.map,
            range: self.scale.range,
            look: if is_first { scene.view.look } else { Some(self.look) },
            clip: self.aids.clip(),
            arrows: self.aids.arrows,
            walls: if is_usual { None } else { Some(self.aids.walls) },
            bodies: self.aids.bodies,
            point_colors: self.aids.points,
            ..scene.view
        }
    }
}

/// True if a scene's own camera shows a part of the box between the corners of `bounds`, m.
fn is_close(first: Camera, [min, max]: [Vec3; 2]) -> bool {
    let mut whole = first;
    whole.reframe_in(Pane::WHOLE, min, max, FILE_ASPECT);
    whole.distance > CLOSE_VIEW * first.distance
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ui::State;
    use sph_core::{Engine as _, Simulation};
    use sph_io::ColorField;

    /// The generation stays if nothing but the view has changed.
    #[test]
    fn an_editor_s_view_is_taken_over_but_for_what_the_window_has_changed() {
        let open = |view: &str| {
            let head = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[view]\n";
            let scene = Arc::new(sph_io::parse(&format!("{head}{view}"), "view", &[]).expect("the scene is valid"));
            Snapshot { scene: Some(scene), generation: 1, opened: 1, ..Snapshot::default() }
        };
        let mut state = State::default();
        state.follow(&open("color = 'speed'\n"));
        state.follow(&open("color = 'pressure'\nwalls = 'shaded'\nrange = [0, 7]\n"));
        assert_eq!(
            (state.display.color, state.display.aids.walls, state.display.scale.range),
            (ColorField::Pressure, SolidStyle::Shaded, Some([0.0, 7.0]))
        );
        state.display.color = ColorField::Density;
        state.display.aids.walls = SolidStyle::Hidden;
        state.follow(&open("color = 'speed'\nwalls = 'wireframe'\n"));
        assert_eq!(
            (state.display.color, state.display.aids.walls, state.display.scale.range),
            (ColorField::Density, SolidStyle::Hidden, None)
        );
    }

    #[test]
    fn the_range_of_pressure_follows_the_particles_until_it_is_locked() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
        let scene = Arc::new(sph_io::parse(text, "block", &[]).expect("the scene is valid"));
        let mut snapshot = Snapshot { scene: Some(scene.clone()), generation: 1, ..Snapshot::default() };
        snapshot.particles.pressures = (0..1000).map(|number| number as f32).chain([1e8]).collect();
        let (mut display, now) = (Display { color: ColorField::Pressure, ..Display::default() }, Instant::now());
        let of_scene = display.range(&scene);
        display.follow_values(&snapshot, None, now);
        assert_eq!((of_scene, display.range(&scene)), ([0.0, 10_000.0], [0.0, 1000.0]));
        assert_eq!(display.scene_view(&scene).range, None, "it is not saved");
        // Another step, in which most particles have more.
        snapshot.steps = 1;
        snapshot.particles.pressures.iter_mut().for_each(|pressure| *pressure *= 4.0);
        display.follow_values(&snapshot, None, now + std::time::Duration::from_millis(20));
        assert!(display.range(&scene)[1] < 2000.0, "it is steady: {:?}", display.range(&scene));
        display.scale.range = Some([0.0, 7.0]);
        assert_eq!(display.range(&scene), [0.0, 7.0]);
        display.scale.choose(&mut display.color, ColorField::Speed);
        display.follow_values(&snapshot, None, now);
        assert_eq!(display.range(&scene), sph_color::auto_range(ColorField::Speed, &scene));
    }

    #[test]
    fn the_range_of_stretch_follows_the_cloth() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[cloths]]\nname = 'sheet'\ncorner = [0, 1, 0]\nalong = [1, 0, 0]\n\
                    across = [0, -1, 0]\nspacing = 0.1\nstretch_compliance = 1e-3\n\
                    [[cloths.pins]]\nmin = [-0.1, 0.95, -0.1]\nmax = [1.1, 1.05, 0.1]\n";
        let scene = Arc::new(sph_io::parse(text, "sheet", &[]).expect("the scene is valid"));
        let mut simulation = Simulation::new(&scene.setup).expect("it can be simulated");
        (0..30).for_each(|_| assert!(simulation.step().error.is_none()));
        let mut snapshot = Snapshot { scene: Some(scene.clone()), generation: 1, ..Snapshot::default() };
        snapshot.copy_fluid(&simulation.view());
        let mut display = Display { color: ColorField::Stretch, ..Display::default() };
        display.follow_values(&snapshot, None, Instant::now());
        let (stretches, [low, high]) = (snapshot.sets.stretches(&scene.setup), display.range(&scene));
        let inside = stretches.iter().filter(|stretch| (low..=high).contains(stretch)).count();
        assert_eq!(stretches.len(), 121);
        assert!(high > 0.0 && 10 * inside >= 9 * stretches.len(), "{inside} in {low} to {high}");
        assert_ne!([low, high], sph_color::auto_range(ColorField::Stretch, &scene));
    }

    #[test]
    fn a_chosen_look_is_kept_for_scenes_that_name_none() {
        let open = |opened: u64, dimensions: u32, view: &str| {
            let text = format!(
                "format = 1\ndimensions = {dimensions}\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\n\
                 max = [1, 1, 1]\n[view]\n{view}\n"
            );
            let scene = Arc::new(sph_io::parse(&text, "look", &[]).expect("the scene is valid"));
            Snapshot { scene: Some(scene), generation: opened, opened, ..Snapshot::default() }
        };
        let mut state = State::default();
        state.display.usual_look = Look::Spheres;
        let steps = [(3, "", Look::Spheres), (3, "", Look::Water), (2, "", Look::Spheres), (3, "", Look::Water)];
        for (opened, (dimensions, view, expected)) in (1..).zip(steps) {
            let snapshot = open(opened, dimensions, view);
            state.follow(&snapshot);
            assert_eq!(state.display.look, expected, "scene {opened}");
            assert_eq!(state.display.next_look(), if opened == 1 { Look::Spheres } else { Look::Water }, "after {opened}");
            let scene = snapshot.scene.as_ref().expect("a scene");
            assert_eq!(state.display.scene_view(scene).look, None, "scene {opened}: a look from another scene is not saved");
            if opened == 1 {
                state.display.look = Look::Water;
                assert_eq!(state.display.scene_view(scene).look, Some(Look::Water));
            }
        }
        state.follow(&open(9, 3, "look = 'points'"));
        assert_eq!(state.display.look, Look::Points, "its file names one");
        state.follow(&open(10, 3, ""));
        assert_eq!(state.display.look, Look::Water);
    }

    /// A view that is saved without a change is the one that was opened.
    #[test]
    fn a_view_that_nobody_changed_is_the_scene_s() {
        let head = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[view]\n";
        let views =
            ["", "clip = { axis = 'x', position = 0.4, flipped = true }\narrows = true\nrange = [0, 3]\nwalls = 'shaded'\n"];
        for view in views {
            let scene = sph_io::parse(&format!("{head}{view}"), "view", &[]).expect("the scene is valid");
            let scene = Arc::new(scene);
            let snapshot = Snapshot { scene: Some(scene.clone()), generation: 1, opened: 1, ..Snapshot::default() };
            let mut state = State::default();
            state.follow(&snapshot);
            assert_eq!(state.display.scene_view(&scene), scene.view);
            let shown = state.display.aids.walls;
            for expected in [SolidStyle::Hidden, shown, SolidStyle::Hidden] {
                state.display.aids.toggle_walls();
                assert_eq!(state.display.aids.walls, expected);
            }
            assert_eq!(state.display.scene_view(&scene).walls, Some(SolidStyle::Hidden));
        }
    }
}
