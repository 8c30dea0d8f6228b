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
