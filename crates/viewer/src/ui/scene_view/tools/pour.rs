//! What the tool *Pour* pours in the present scene, and how fast.

use std::f32::consts::PI;

use super::use_tool::{bounds, gravity_of, radius_of};
use super::{RATE, Setting, Tools};
use crate::session::Snapshot;
use crate::ui::widgets::list_entry_ui;
use crate::ui::{Model, State};
use egui::{ComboBox, Role, Ui, WidgetInfo};
use glam::Vec3;
use sph_core::{BallPour, Body, DroppedBody, Hand, Pose, Pour, Setup};
use sph_io::Scene;
use sph_render::camera::Ray;
use sph_render::picking;

/// Most layers of what lies above the pointer that the circle is moved over, one after the other.
const MOST_RISES: u32 = 256;

/// What can be poured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Poured {
    /// The fluid with this index.
    Fluid(usize),
    /// Balls of the set with this index.
    Balls(usize),
}

/// What can be poured into a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pourables {
    /// [`Snapshot::generation`](crate::session::Snapshot::generation) of the scene.
    generation: u64,
    /// Without fluid at the start, balls come first.
    all: Vec<Pourable>,
}

/// One of the fluids or sets of balls of a scene.
#[derive(Clone, Debug, PartialEq)]
struct Pourable {
    what: Poured,
    name: String,
    /// Mean volume (m³) and largest radius (m) of balls.
    size: Option<[f32; 2]>,
}

impl Pourables {
    fn new(generation: u64, setup: &Setup) -> Self {
        let source = setup.points.as_ref().map(|points| points.source());
        let sets =
            source.into_iter().flat_map(|source| (0..).zip(source.sets()).map(move |(set, points)| (source, set, points)));
        let balls = sets.filter_map(|(source, set, points)| {
            let radii = source.balls(set)?;
            let volume = radii.iter().map(|radius| 4.0 / 3.0 * PI * radius.powi(3)).sum::<f32>() / radii.len() as f32;
            let largest = radii.iter().copied().fold(0.0, f32::max);
            Some(Pourable { what: Poured::Balls(set), name: points.name, size: Some([volume, largest]) })
        });
        let fluid = |index: usize, name: &str| Pourable { what: Poured::Fluid(index), name: name.to_owned(), size: None };
        let mut fluids: Vec<Pourable> = setup.fluids.iter().enumerate().map(|(index, of)| fluid(index, &of.name)).collect();
        if fluids.is_empty() {
            fluids.push(fluid(0, "fluid"));
        }
        let balls: Vec<Pourable> = balls.collect();
        let all = if setup.has_fluid() { [fluids, balls].concat() } else { [balls, fluids].concat() };
        Self { generation, all }
    }

    /// What is poured: what the user has chosen, `poured`, if it is there, or else the first.
    fn chosen(&self, poured: Option<Poured>) -> Option<&Pourable> {
        self.all.iter().find(|of| Some(of.what) == poured).or_else(|| self.all.first())
    }

    /// Width of the list of them, points; 0 where there is no choice.
    pub fn width(&self) -> f32 {
        if self.all.len() > 1 { 170.0 } else { 0.0 }
    }
}

/// Takes note of what can be poured into the present scene, and of how much the whole circle pours.
pub(in crate::ui::scene_view) fn follow_pour(state: &mut State, model: &Model<'_>) {
    let Some(scene) = model.snapshot.scene.as_deref() else { return };
    let (tools, generation) = (&mut state.tools, model.snapshot.generation);
    if tools.pourables.generation != generation || tools.pourables.all.is_empty() {
        (tools.pourables, tools.poured) = (Pourables::new(generation, &scene.setup), None);
    }
    let gravity = gravity_of(state.edited.parameters.as_ref());
    tools.full_rate = pour(tools, scene, gravity, Vec3::ZERO).1;
}

/// Pour at `center` (m) under `gravity` (m/s²), and what the whole circle would pour, in particles or balls per second.
pub(super) fn pour(tools: &Tools, scene: &Scene, gravity: Vec3, center: Vec3) -> (Hand, f32) {
    let (min, max) = bounds(&scene.setup);
    let discretization = &scene.setup.discretization;
    // As fast as after a fall of a fifth of the scene's height.
    let speed = (0.4 * gravity.length() * (max.y - min.y)).sqrt().max(discretization.particle_spacing);
    let velocity = speed * gravity.normalize_or(Vec3::NEG_Y);
    let radius = reach(tools, scene);
    match tools.pourables.chosen(tools.poured) {
        Some(Pourable { what: Poured::Balls(set), size: Some([volume, _]), .. }) => {
            let pour = BallPour { set: *set, center, radius, velocity, rate: BallPour::MAX_RATE };
            let full = pour.full_rate(*volume);
            (Hand::PourBalls(BallPour { rate: tools.rate * full, ..pour }), full)
        }
        chosen => {
            let fluid = if let Some(Pourable { what: Poured::Fluid(fluid), .. }) = chosen { *fluid } else { 0 };
            let pour = Pour { center, radius, velocity, fluid, rate: None };
            let full = pour.full_rate(discretization);
            (Hand::Pour(Pour { rate: (tools.rate < 1.0).then_some(tools.rate * full), ..pour }), full)
        }
    }
}

/// How far above the pointer at `place` (m) the circle is, m: balls need room, so that they come out above the fluid, balls, cloth and bodies that
/// are there.
pub(super) fn rise(tools: &Tools, (scene, snapshot): (&Scene, &Snapshot), gravity: Vec3, place: Vec3) -> f32 {
    let Some([_, largest]) = tools.pourables.chosen(tools.poured).and_then(|of| of.size) else { return 0.0 };
    let (up, discretization) = (-gravity.normalize_or(Vec3::NEG_Y), &scene.setup.discretization);
    let spacing = discretization.particle_spacing;
    // What lies on the way upwards, and touches a ball there.
    let fluid = snapshot.particles.positions.iter().map(|&position| (position, 0.5 * spacing));
    let sheets = snapshot.sets.triangles().filter_map(|triangle| {
        let ray = Ray { origin: place - largest * up, direction: up };
        Some((ray.origin + picking::triangle_entry(triangle, ray)? * up, 0.0))
    });
    let is_aside = |&(center, radius): &(Vec3, f32)| {
        let offset = center - place;
        let reach = radius + largest;
        offset.reject_from_normalized(up).length() < reach && offset.dot(up) > -reach
    };
    let spheres: Vec<(Vec3, f32)> = fluid.chain(snapshot.sets.balls()).chain(sheets).filter(is_aside).collect();
    let dropped: Vec<Body> = snapshot.dropped.iter().map(DroppedBody::body).collect();
    let bodies = || scene.setup.bodies.iter().chain(&dropped).zip(&snapshot.poses);
    let mut rise = 0.0;
    for _ in 0..MOST_RISES {
        let center = place + rise * up;
        // Way to where a ball of the largest size just touches the other.
        let above = |&(other, radius): &(Vec3, f32)| {
            let (offset, reach) = (other - center, radius + largest);
            let aside = offset.reject_from_normalized(up).length_squared();
            let way = offset.dot(up) + (reach * reach - aside).max(0.0).sqrt();
            (offset.length() < 0.999 * reach).then_some(way)
        };
        let out_of = |(body, pose): (&Body, &Pose)| {
            let distance = body.distance(discretization.dimensions, pose.start(center.as_dvec3()).as_vec3());
            (distance < 0.999 * largest).then(|| (largest - distance).max(0.1 * largest))
        };
        match spheres.iter().filter_map(above).chain(bodies().filter_map(out_of)).reduce(f32::max) {
            Some(way) => rise += way,
            None => break,
        }
    }
    // Those that float or lie there leave room for the next.
    if rise > 0.0 { rise + 2.0 * largest + spacing } else { 0.0 }
}

/// Radius of the circle, m: the largest ball fits in.
pub(super) fn reach(tools: &Tools, scene: &Scene) -> f32 {
    let largest = tools.pourables.chosen(tools.poured).and_then(|of| of.size).map_or(0.0, |[_, largest]| largest);
    radius_of(tools, scene).max(largest)
}

/// The rate as a setting, for what is poured.
pub(super) fn rate(tools: &Tools) -> Setting {
    let (_, decimals, unit) = RATE.shown;
    let shown = (f64::from(tools.full_rate), decimals, unit);
    match tools.pourables.chosen(tools.poured) {
        Some(Pourable { size: Some(_), .. }) => Setting {
            tooltip: "Balls poured per second of simulated time, from a hundredth of what the circle pours; as far as \
                they find room.",
            shown,
            ..RATE
        },
        _ => Setting { shown, ..RATE },
    }
}

/// Lays out the choice of what is poured, where there is one.
pub(super) fn choice_ui(ui: &mut Ui, tools: &mut Tools) {
    let Tools { pourables, poured, .. } = tools;
    let Some(present) = pourables.chosen(*poured).filter(|_| pourables.all.len() > 1).cloned() else { return };
    let tooltip = "What is poured: a fluid, or balls of a set, with its sizes.";
    ui.label("Of").on_hover_text(tooltip);
    let list = ComboBox::from_id_salt("poured").selected_text(&present.name).width(120.0).truncate();
    let list = list.show_ui(ui, |ui| {
        for of in &pourables.all {
            if list_entry_ui(ui, of.what == present.what, &of.name).clicked() {
                *poured = Some(of.what);
            }
        }
    });
    list.response.on_hover_text(tooltip).widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, "Of"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Height at which balls of 0.1 m come out over a scene of this text, for a pointer at `place`, m.
    fn height(text: &str, gravity: Vec3, place: Vec3) -> f32 {
        let head = "format = 1\nparticles.spacing = 0.1\n[[containers]]\nmin = [-2, -2, -2]\nmax = [2, 2, 2]\n";
        let scene = sph_io::parse(&format!("{head}{text}"), "pour", &[]).expect("the scene is valid");
        let engine = sph_core::Simulation::new(&scene.setup).expect("the scene is valid");
        let mut snapshot = Snapshot::default();
        snapshot.copy_fluid(&sph_core::Engine::view(&engine));
        let all = vec![Pourable { what: Poured::Balls(0), name: "balls".into(), size: Some([1e-3, 0.1]) }];
        let tools = Tools { pourables: Pourables { generation: 1, all }, ..Tools::default() };
        let up = -gravity.normalize();
        (place + rise(&tools, (&scene, &snapshot), gravity, place) * up).dot(up)
    }

    #[test]
    fn balls_are_poured_above_what_is_under_the_pointer() {
        // A column of balls, the last of them aside, and one in the air above it.
        let balls = "[[balls]]\nradius = 0.1\ncenters = [[0, 0, 0], [0, 0.2, 0], [0.1, 0.4, 0], [0, 1.8, 0]]\n";
        let place = 0.05 * Vec3::Y;
        let found = height(balls, Vec3::NEG_Y, place);
        // A ball's width and a spacing above where a ball of the largest size touches what is there.
        let clear = 0.2 + 0.1;
        assert!((found - (0.4 + 0.03_f32.sqrt() + clear)).abs() < 1e-3, "{found}");
        assert!((height(balls, Vec3::Y, place) - 0.2 - clear).abs() < 1e-3, "gravity points up");
        assert_eq!(height(balls, Vec3::NEG_Y, Vec3::Y), 1.0, "the way is free");
        let water = "[[fluid.blocks]]\nmin = [-1, -1, -1]\nmax = [1, 0.5, 1]\n";
        let found = height(water, Vec3::NEG_Y, Vec3::new(1.0, -0.8, 0.0));
        assert!((0.55..0.62).contains(&(found - clear)), "{found}: above the water, at whose side it points");
        let body =
            "[[bodies]]\nmin = [-0.5, -0.5, -0.5]\nmax = [0.5, 0.5, 0.5]\n[[balls]]\nradius = 0.1\ncenters = [[1, 1, 1]]\n";
        let found = height(body, Vec3::NEG_Y, Vec3::new(0.0, -0.5, 0.0));
        assert!((0.599..0.65).contains(&(found - clear)), "{found}: above the body");
        let sheet =
            "[[cloths]]\ncorner = [-1, 0, -1]\nalong = [2, 0, 0]\nacross = [0, 0, 2]\nspacing = 0.2\nthickness = 0.15\n";
        let found = height(sheet, Vec3::NEG_Y, Vec3::new(0.05, 0.0, 0.03));
        assert!((0.099..0.101).contains(&(found - clear)), "{found}: above the sheet");
    }
}
