//! Panels "Fluid", "Solver" and "Time step": parameters in groups, and the numbers of the latest steps.

mod parameters;
mod presets;
mod steps;

pub use steps::{Stiffness, solver_panel_ui, stiffness, time_step_panel_ui};

use super::point_search::has_fluid;
use super::widgets::{format, greyed_ui, hint_ui, outline, value_ui};
use super::{Action, Model, State, theme};
use crate::session::{ShownFoam, Snapshot};
use egui::{CollapsingHeader, Color32, Label, RichText, Sense, Sides, TextEdit, Ui, vec2};
use parameters::{has_panel, row_ui, rows};
use presets::presets_ui;
use sph_color;
use sph_core::parameters::{Group, Parameter, Parameters, Value};
use sph_core::{Dimensions, Fluid, FoamModel, Setup, StepStats};
use sph_io::Scene;

// Fluid panel: groups of parameters with a search over all, and the numbers of the latest step.

/// Width of the choice between basic and all, points.
const CHOICE_WIDTH: f32 = 96.0;

/// Lays out the contents of the panel.
pub fn fluid_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let (Some(mut parameters), Some(scene)) = (state.edited.parameters, &snapshot.scene) else {
        hint_ui(ui, "No scene is open.");
        return;
    };
    let before = parameters;
    let from_scene = &state.edited.scene_parameters(scene);
    no_fluid_ui(ui, snapshot);
    search_ui(ui, state);
    fluids_ui(ui, &scene.setup);
    curves_ui(ui, state, actions);
    let is_searched = outline::is_searched(ui.ctx()) || !state.fluid.search.trim().is_empty();
    let mut is_empty = true;
    let groups = Group::ALL.into_iter().filter(|&group| group != Group::Grid && (is_searched || !has_panel(group)));
    for group in groups {
        let rows = rows(group, &parameters, &state.fluid);
        if rows.is_empty() {
            continue;
        }
        is_empty = false;
        let header = CollapsingHeader::new(RichText::new(group.title()).strong()).id_salt(("group", group.title()));
        let header = header.default_open(is_open_at_first(group, from_scene)).open(is_searched.then_some(true));
        header.show_unindented(ui, |ui| {
            for parameter in rows {
                row_ui(ui, parameter, &mut parameters, from_scene, snapshot, scene);
            }
            if group == Group::Forces && parameters.forces.vorticity_transfer > 0.0 {
                hint_ui(ui, "The spin starts at zero and grows with the vorticity of the flow.");
            }
            if group == Group::Foam {
                foam_numbers_ui(ui, &parameters, &snapshot.foam);
            }
        });
    }
    if is_empty {
        hint_ui(ui, "No matching parameters.");
    }
    reset_ui(ui, state, &mut parameters, scene, actions);
    CollapsingHeader::new(RichText::new("Latest step").strong()).default_open(true).show_unindented(ui, |ui| {
        numbers_ui(ui, snapshot);
    });
    if parameters != before {
        state.edited.edit(parameters, actions);
    }
}

/// Lays out the search over the parameters, and the choice of those shown without one.
fn search_ui(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - CHOICE_WIDTH - theme::SPACE).max(60.0);
        let field = TextEdit::singleline(&mut state.fluid.search).hint_text("Search").desired_width(width);
        let field = ui.add(field);
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search parameters"));
        if field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            state.fluid.search.clear();
        }
        let tooltip = "Basic: the parameters that most users change. All: every one that has an effect.\n\
                       The search includes the panels Solver and Time step.";
        let basic = ui.selectable_value(&mut state.fluid.all, false, "Basic").on_hover_text(tooltip);
        let all = ui.selectable_value(&mut state.fluid.all, true, "All").on_hover_text(tooltip);
        if basic.clicked() || all.clicked() {
            state.fluid.row_shown_once = None;
        }
    });
    ui.add_space(0.5 * theme::SPACE);
}

/// True if the group is open in a scene that has just been opened: optional forces are, where the scene uses one.
fn is_open_at_first(group: Group, scene: &Parameters) -> bool {
    let usual = Parameters::default();
    let is_used = |parameter: &&Parameter<Parameters>| {
        parameter.get(&usual) == Value::Number(0.0) && parameter.get(scene) != Value::Number(0.0)
    };
    group != Group::Forces || Parameters::of_group(group).iter().any(is_used)
}

fn reset_ui(ui: &mut Ui, state: &mut State, parameters: &mut Parameters, scene: &Scene, actions: &mut Vec<Action>) {
    let scene_fluid = Parameters { grid: parameters.grid, ..state.edited.scene_parameters(scene) };
    ui.add_space(4.0);
    let is_scene_s = *parameters == scene_fluid && state.edited.off_curve.is_empty();
    greyed_ui(ui, is_scene_s.then_some("All values are the scene's."), |ui| {
        let button = ui
            .button("Reset fluid parameters to scene")
            .on_hover_text("All parameters except the grid. The simulation continues.");
        if button.clicked() {
            state.edited.set_off_curve(Vec::new(), actions);
            *parameters = Parameters { grid: parameters.grid, ..state.edited.scene_parameters(scene) };
        }
    });
    ui.add_space(4.0);
}

/// Lays out the numbers of the latest step.
fn numbers_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let Some(stats) = &snapshot.stats else { return };
    ui.spacing_mut().item_spacing.y = 2.0;
    let rows = [
        ("Maximum speed", format!("{} m/s", format::significant(f64::from(stats.max_speed))), "Maximum over all particles."),
        (
            "Density error",
            format!("{:.3} %", 100.0 * stats.density_error),
            "Mean relative excess of the density over the rest density ρ₀.",
        ),
        (
            "Stopped at walls",
            held_text(stats, snapshot),
            "Particles that walls and bodies stop because pressure alone would not, and the force needed. Normal \
                for a moment in splashes; there should be none in fluid at rest.",
        ),
    ];
    for (label, value, tooltip) in rows {
        value_ui(ui, label, &value, tooltip);
    }
}

/// Number of particles that walls and bodies stop, and the force.
fn held_text(stats: &StepStats, snapshot: &Snapshot) -> String {
    let is_flat = |scene: &std::sync::Arc<Scene>| scene.setup.discretization.dimensions == Dimensions::Two;
    let unit = if snapshot.scene.as_ref().is_some_and(is_flat) { "N/m" } else { "N" };
    let held = format::counted(stats.held_particles as u64, "particle");
    format!("{held}, {} {unit}", format::grouped(stats.held_force))
}

/// State of the Fluid panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FluidView {
    /// Text that the parameters shown must have in their name, key or description.
    pub search: String,
    /// True to show all parameters that have an effect; false for those that most users change.
    pub all: bool,
    /// Key of a parameter that is shown among the basic ones, because it was chosen in the palette.
    pub row_shown_once: Option<&'static str>,
}

/// Lays out the fluids with their densities and viscosities, if there are several.
fn fluids_ui(ui: &mut Ui, setup: &Setup) {
    if setup.fluids.is_empty() {
        return;
    }
    for (fluid, (_, color)) in setup.fluids.iter().zip(sph_color::named_fluids(setup)) {
        fluid_ui(ui, fluid, color);
    }
    hint_ui(ui, "Edit fluids in the scene file, under [[fluids]]. The values below apply to fluids without their own.");
    ui.add_space(4.0);
}

fn fluid_ui(ui: &mut Ui, fluid: &Fluid, [r, g, b]: [u8; 3]) {
    let density = format!("{} kg/m³", format::grouped(f64::from(fluid.rest_density)));
    let own = |label: &str, value: Option<f32>, unit: &str| {
        value.map(|value| format!("\n{label}: {} {unit}", format::significant(f64::from(value))))
    };
    let viscosity = own("Kinematic viscosity", fluid.kinematic_viscosity, "m²/s");
    let tension = own("Surface tension", fluid.surface_tension, "N/m");
    let own_values: String = [viscosity, tension].into_iter().flatten().collect();
    let tooltip = if own_values.is_empty() { "\nViscosity and surface tension: as below" } else { &own_values };
    let (heading, ()) = Sides::new().shrink_left().truncate().show(
        ui,
        |ui| {
            let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 5.0, Color32::from_rgb(r, g, b));
            ui.add(Label::new(&fluid.name).truncate())
        },
        |ui| {
            ui.monospace(&density);
        },
    );
    heading.on_hover_text(format!("{}: rest density {density}{tooltip}", fluid.name));
    if let Some(viscosity) = fluid.kinematic_viscosity {
        let text = format!("own viscosity {} m²/s", format::significant(f64::from(viscosity)));
        ui.label(RichText::new(text).small().color(theme::of(ui).text_quiet));
    }
}

// Parameters that follow curves of the scene.

/// Lays out a check box for each curve: on it, the parameter follows. Editing a parameter takes it off.
fn curves_ui(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    if state.edited.curves.is_empty() {
        return;
    }
    let mut off = state.edited.off_curve.clone();
    for &key in &state.edited.curves {
        let mut follows = !off.contains(&key);
        let label = format!("{} follows its curve", Parameters::entry(key).label);
        let tooltip = "The value follows a curve in the scene file. Editing it below detaches it.";
        if ui.checkbox(&mut follows, label).on_hover_text(tooltip).changed() {
            if follows { off.retain(|&other| other != key) } else { off.push(key) }
        }
    }
    state.edited.set_off_curve(off, actions);
    if !state.edited.off_curve.is_empty() {
        hint_ui(ui, "Saving replaces detached curves by the current values.");
    }
    ui.add_space(4.0);
}

/// Lays out the number of particles of foam, if there is any.
fn foam_numbers_ui(ui: &mut Ui, parameters: &Parameters, shown: &ShownFoam) {
    if parameters.foam.model == FoamModel::None {
        return;
    }
    let count = shown.particles.len() as u64;
    let number = format!("{} of {}", format::count(count), format::count(parameters.foam.limit.into()));
    value_ui(ui, "Particles", &number, "Current number of foam, spray and bubble particles, and the limit.");
    if shown.held_back > 0 {
        let text = format!("Withheld by the limit: {}.", format::count(shown.held_back));
        ui.label(RichText::new(text).small().color(theme::of(ui).warning));
    }
}

// Panel of one group: all its parameters that have an effect, and a button that restores the scene's.

/// Says so if there is no fluid for the parameters to act on.
fn no_fluid_ui(ui: &mut Ui, snapshot: &Snapshot) {
    if !has_fluid(snapshot) {
        hint_ui(ui, "There is no fluid in this scene: these parameters act on what you pour into it. Gravity acts on all.");
    }
}

/// Lays out the parameters of `group`; false, with a hint, without a scene.
fn group_panel_ui(ui: &mut Ui, group: Group, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) -> bool {
    let (Some(mut parameters), Some(scene)) = (state.edited.parameters, &model.snapshot.scene) else {
        hint_ui(ui, "No scene is open.");
        return false;
    };
    let (before, from_scene) = (parameters, state.edited.scene_parameters(scene));
    if group == Group::Solver {
        no_fluid_ui(ui, model.snapshot);
        presets_ui(ui, &mut parameters);
    }
    let rows = rows(group, &parameters, &FluidView { all: true, ..FluidView::default() });
    for &row in &rows {
        row_ui(ui, row, &mut parameters, &from_scene, model.snapshot, scene);
    }
    ui.add_space(4.0);
    let changed: Vec<_> = rows.into_iter().filter(|row| row.get(&parameters) != row.get(&from_scene)).collect();
    let name = format!("Reset {} to scene", group.title().to_lowercase());
    let button = ui.add_enabled(!changed.is_empty(), egui::Button::new(name));
    let button = button.on_hover_text("The parameters of this panel. The simulation continues.");
    if button.on_disabled_hover_text("All values are the scene's.").clicked() {
        for row in changed {
            row.set(&mut parameters, row.get(&from_scene));
        }
    }
    ui.add_space(4.0);
    if parameters != before {
        state.edited.edit(parameters, actions);
    }
    true
}
