//! Panel "Scene": what the scene is, what is in it, and its files.

use super::edits::Latest;
use super::gallery::SceneNeeds;
use super::point_search::has_fluid;
use super::widgets::{NumberRow, format, hint_ui, value_ui};
use super::{Action, Model, State, theme};
use crate::command::Command;
use crate::session::Snapshot;
use egui::{Button, Label, RichText, Ui};
use glam::Vec3;
use sph_core::{Dimensions, Setup};
use sph_io::Scene;
use sph_render::scene_bounds;

/// Lays out the contents of the panel.
pub fn scene_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is open.");
        buttons_ui(ui, None, false, actions);
        return;
    };
    ui.label(RichText::new(&scene.title).strong());
    if !scene.description.is_empty() {
        ui.label(RichText::new(&scene.description).color(theme::of(ui).text_quiet));
    }
    ui.add_space(0.5 * theme::SPACE);
    buttons_ui(ui, Some(scene), !state.edited.unsaved(scene).is_empty(), actions);
    ui.add_space(0.5 * theme::SPACE);
    ui.spacing_mut().item_spacing.y = 2.0;
    let before = state.spacing.chosen;
    spacing_ui(ui, &mut state.spacing, scene, model.snapshot, actions);
    if state.spacing.chosen != before {
        (state.spacing.after, state.spacing.taken_back) = (state.edited.edits.latest(), None);
    }
    contents_ui(ui, scene, model.snapshot);
    files_ui(ui, scene);
}

/// Lays out the buttons that open, save and reload.
fn buttons_ui(ui: &mut Ui, scene: Option<&Scene>, is_changed: bool, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        if ui.button("Open…").on_hover_text(Command::Open.tooltip()).clicked() {
            actions.push(Action::Command(Command::Open));
        }
        let Some(path) = scene.and_then(|scene| scene.path.clone()) else { return };
        if ui.add_enabled(is_changed, Button::new("Save")).on_hover_text(Command::Save.tooltip()).clicked() {
            actions.push(Action::Command(Command::Save));
        }
        let tooltip = "Reload the file and restart. Asks before discarding unsaved changes.";
        if ui.button("Reload").on_hover_text(tooltip).clicked() {
            actions.push(Action::Load(path));
        }
    });
}

// Particle spacing, and what another one would cost.

/// Finest and coarsest spacings that the row offers, over the scene's.
const SPACINGS: [f64; 2] = [0.25, 4.0];

/// Spacing that the user considers, and its forecast.
#[derive(Clone, Debug, Default)]
pub struct SpacingChoice {
    /// Spacing chosen, m; `None` without a choice.
    chosen: Option<f64>,
    /// What was done last when it was chosen, or taken back.
    after: Latest,
    /// Choice that was taken back last, m, to be made again.
    taken_back: Option<f64>,
    /// Spacing of the latest forecast, m, and the forecast.
    forecast: Option<(f64, SceneNeeds)>,
}

impl SpacingChoice {
    /// True if a spacing is chosen.
    pub(in crate::ui) fn is_made(&self) -> bool {
        self.chosen.is_some()
    }

    /// Takes back the choice if nothing has been done since; `latest` is what was done last. Returns true if so.
    pub(in crate::ui) fn take_back(&mut self, latest: Latest) -> bool {
        let can = self.is_made() && self.after == latest;
        if can {
            *self = Self { after: latest, taken_back: self.chosen, ..Self::default() };
        }
        can
    }

    /// Makes the choice again that was taken back, if that is possible. Returns true if so.
    pub(in crate::ui) fn make_again(&mut self, latest: Latest) -> bool {
        let can = self.can_be_made_again(latest);
        if can {
            self.chosen = self.taken_back.take();
        }
        can
    }

    /// True if a choice was taken back, and nothing has been done since.
    pub(in crate::ui) fn can_be_made_again(&self, latest: Latest) -> bool {
        self.taken_back.is_some() && !self.is_made() && self.after == latest
    }
}

/// Lays out the particle spacing, and for another than the scene's the forecast, with a button that reloads the scene with it.
fn spacing_ui(ui: &mut Ui, choice: &mut SpacingChoice, scene: &Scene, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let present = f64::from(scene.setup.discretization.particle_spacing);
    let of_file = scene.file_spacing;
    let mut spacing = choice.chosen.unwrap_or(present);
    // Of the file's spacing, so that the handle stays where it is when the scene restarts.
    let [fine, coarse] = [(SPACINGS[0] * of_file).min(present), (SPACINGS[1] * of_file).max(present)];
    let row = NumberRow {
        label: "Particle spacing",
        tooltip: "Initial distance between neighbouring particles. The scene restarts with another one.",
        unit: " m",
        slider: fine..=coarse,
        allowed: fine..=coarse,
        logarithmic: true,
        finest: 1e-6,
        scene: of_file,
        usual: None,
        format: format::length,
    };
    row.ui(ui, &mut spacing);
    if scene.has_spacing(spacing) {
        choice.chosen = None;
        if !scene.has_spacing(of_file) {
            way_back_ui(ui, of_file, actions);
        }
        return;
    }
    choice.chosen = Some(spacing);
    let forecast = match choice.forecast.take() {
        Some((of, forecast)) if of == spacing => forecast,
        _ => forecast(scene, spacing, snapshot),
    };
    let text = format!(
        "With this spacing: {}, {} of memory, about {} per step",
        forecast.counts_text(),
        format::bytes(forecast.memory as usize).replace(' ', NO_BREAK),
        format::rough_seconds(forecast.step).replace(' ', NO_BREAK)
    );
    choice.forecast = Some((spacing, forecast));
    ui.label(RichText::new(text).color(theme::of(ui).text_quiet));
    let tooltip =
        "Restart the scene with this spacing. Changed parameters stay. Its file keeps the old spacing until you save.";
    if ui.button(RESTART).on_hover_text(tooltip).clicked() {
        actions.push(Action::LoadAtSpacing(spacing));
    }
    ui.add_space(0.5 * theme::SPACE);
}

/// Lays out the spacing that the scene's file has, m, and a button that restarts the scene with it.
fn way_back_ui(ui: &mut Ui, of_file: f64, actions: &mut Vec<Action>) {
    let text = format!("The scene runs with this spacing. The file has {}{NO_BREAK}m until you save.", format::length(of_file));
    ui.label(RichText::new(text).color(theme::of(ui).text_quiet));
    // The button that was clicked stays in its place: a second click must not undo the first.
    let again = ui.add_enabled(false, Button::new(RESTART));
    again.on_disabled_hover_text("The scene runs with this spacing.");
    let tooltip = "Restart the scene with the particle spacing of its file. Changed parameters stay.";
    if ui.button("Restart with the file's spacing").on_hover_text(tooltip).clicked() {
        actions.push(Action::LoadAtSpacing(of_file));
    }
    ui.add_space(0.5 * theme::SPACE);
}

/// Label of the button that restarts the scene with another spacing.
const RESTART: &str = "Restart with this spacing";

/// Space at which no line ends.
const NO_BREAK: &str = "\u{a0}";

/// Size and cost of `scene` at another `spacing`, m; the time of a step follows from that of the latest steps.
fn forecast(scene: &Scene, spacing: f64, snapshot: &Snapshot) -> SceneNeeds {
    let present = &scene.setup;
    let mut setup = present.clone();
    let discretization = &mut setup.discretization;
    let ratio = spacing / f64::from(discretization.particle_spacing);
    discretization.particle_spacing = spacing as f32;
    discretization.support_radius = (f64::from(discretization.support_radius) * ratio) as f32;
    let (before, after) = (SceneNeeds::of(present, scene.duration), SceneNeeds::of(&setup, scene.duration));
    let measured = snapshot.step_costs.recent().map(|sample| 1e-3 * f64::from(sample.phase_ms.iter().sum::<f32>()));
    // The forecast is for any machine; the latest steps are from this one, but of fewer particles where emitters add some.
    let factor =
        measured.filter(|&time| time > 0.0 && before.step > 0.0 && !before.grows).map_or(1.0, |time| time / before.step);
    SceneNeeds { step: factor * after.step, ..after }
}

/// Lays out what is in the scene.
fn contents_ui(ui: &mut Ui, scene: &Scene, snapshot: &Snapshot) {
    let setup = &scene.setup;
    let (min, max) = scene_bounds(setup);
    for (count, kind) in snapshot.counts_by_kind() {
        value_ui(ui, &format::capitalized(kind), &format::count(count as u64), &format!("Current number of {kind}."));
    }
    let rows = [
        ("Fluids", fluids_text(setup, snapshot), "Fluids with their own densities; the Fluid panel lists them."),
        ("Bodies", bodies_text(setup, snapshot), "Current number of solid bodies, including those that you dropped."),
        ("Containers", setup.containers.len().to_string(), "Boxes and other shapes whose faces are walls."),
        ("Extent", extent_text(max - min, setup.discretization.dimensions), "Size of the box around tank and fluid, m."),
        ("Periodic", periodic_text(setup), "Axes along which the domain repeats."),
        ("Probes", scene.probes.len().to_string(), "Instruments; their readings are in the Performance panel."),
    ];
    for (label, value, tooltip) in rows {
        value_ui(ui, label, &value, tooltip);
    }
}

/// Number of fluids; a scene that names none has one, if it has any particles of fluid.
fn fluids_text(setup: &Setup, snapshot: &Snapshot) -> String {
    let unnamed = usize::from(has_fluid(snapshot));
    setup.fluids.len().max(unnamed).to_string()
}

/// Number of bodies now, and of those among them that forces move, as forces move each dropped one.
fn bodies_text(setup: &Setup, snapshot: &Snapshot) -> String {
    let dropped = snapshot.dropped.len();
    let moved = setup.bodies.iter().filter(|body| body.dynamics.is_some()).count() + dropped;
    let bodies = format::count((setup.bodies.len() + dropped) as u64);
    if moved == 0 { bodies } else { format!("{bodies}, {moved} moved by forces") }
}

fn extent_text(size: Vec3, dimensions: Dimensions) -> String {
    let lengths = &size.to_array()[..dimensions.count()];
    let texts: Vec<String> = lengths.iter().map(|&length| format::significant(f64::from(length))).collect();
    format!("{} m", texts.join(" × "))
}

fn periodic_text(setup: &Setup) -> String {
    let periodic = setup.domain.periodic;
    let names = ["x", "y", "z"].into_iter().zip([periodic.x, periodic.y, periodic.z]);
    let used = names.take(setup.discretization.dimensions.count()).filter(|(_, is_periodic)| *is_periodic);
    let axes: Vec<&str> = used.map(|(name, _)| name).collect();
    if axes.is_empty() { "no".to_owned() } else { axes.join(", ") }
}

/// Lays out the names of the files that the scene was read from, with their paths as tooltips.
fn files_ui(ui: &mut Ui, scene: &Scene) {
    ui.add_space(0.5 * theme::SPACE);
    ui.label(RichText::new("Files").strong());
    let mut paths: Vec<_> = scene.files.paths().collect();
    if let Some(path) = scene.path.as_deref().filter(|path| !paths.contains(path)) {
        paths.insert(0, path);
    }
    if paths.is_empty() {
        hint_ui(ui, "None: this scene is built into the program.");
    }
    for path in paths {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        ui.add(Label::new(RichText::new(name).monospace()).truncate()).on_hover_text(path.display().to_string());
    }
}
