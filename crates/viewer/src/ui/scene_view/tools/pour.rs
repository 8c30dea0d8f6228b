//! What the tool *Pour* pours in the present scene, and how fast.

use std::f32::consts::PI;

use super::use_tool::{bounds, gravity_of, radius_of};
use super::{RATE, Setting, Tools};
use crate::ui::widgets::list_entry_ui;
use crate::ui::{Model, State};
use egui::{ComboBox, Role, Ui, WidgetInfo};
use glam::Vec3;
use sph_core::{BallPour, Hand, Pour, Setup};
use sph_io::Scene;

/// Most balls above the pointer that the circle is moved over, one after the other.
const MOST_RISES: u32 = 64;

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

    /// What is poured if the user has chosen `poured`: the first, unless it is there.
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
        tools.pourables = Pourables::new(generation, &scene.setup);
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

/// Centre of the circle for the pointer at `place`, m: balls come out above those of the scene that are there, whose `places` (m) and radii (m) are
/// given.
pub(super) fn center(tools: &Tools, gravity: Vec3, place: Vec3, balls: impl Iterator<Item = (Vec3, f32)> + Clone) -> Vec3 {
    let Some([_, largest]) = tools.pourables.chosen(tools.poured).and_then(|of| of.size) else { return place };
    let up = -gravity.normalize_or(Vec3::NEG_Y);
    let mut center = place;
    for _ in 0..MOST_RISES {
        // Height at which a ball of the largest size just touches the other.
        let rise = |(other, radius): (Vec3, f32)| {
            let (offset, reach) = (other - center, radius + largest);
            let aside = offset.reject_from_normalized(up).length_squared();
            let way = offset.dot(up) + (reach * reach - aside).max(0.0).sqrt();
            (offset.length() < 0.999 * reach).then_some(way)
        };
        match balls.clone().filter_map(rise).reduce(f32::max) {
            Some(way) => center += way * up,
            None => break,
        }
    }
    center
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
            tooltip: "Balls poured per second of simulated time, from a hundredth of what the circle pours; as far as they find room.",
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

    #[test]
    fn balls_are_poured_above_the_heap_under_the_pointer() {
        let pourables = Pourables {
            generation: 1,
            all: vec![Pourable { what: Poured::Balls(0), name: "balls".into(), size: Some([1e-3, 0.1]) }],
        };
        let tools = Tools { pourables, ..Tools::default() };
        // A column of balls, the last of them aside, and one in the air above it.
        let balls = [(Vec3::ZERO, 0.1), (0.2 * Vec3::Y, 0.1), (Vec3::new(0.1, 0.4, 0.0), 0.1), (2.0 * Vec3::Y, 0.1)];
        let of = |gravity: Vec3, place: Vec3| center(&tools, gravity, place, balls.iter().copied());
        let found = of(Vec3::NEG_Y, 0.05 * Vec3::Y);
        assert!(found.x == 0.0 && (found - balls[2].0).length() > 0.199 && (0.5..0.6).contains(&found.y), "{found}");
        assert!(of(Vec3::Y, 0.05 * Vec3::Y).abs_diff_eq(0.2 * Vec3::NEG_Y, 1e-6), "gravity points up");
        let free = Vec3::new(0.0, 1.0, 0.0);
        assert_eq!(of(Vec3::NEG_Y, free), free);
    }
}
