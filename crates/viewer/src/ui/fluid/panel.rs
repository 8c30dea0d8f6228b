//! Fluid panel: groups of parameters with a search over all, and the numbers of the latest step.

use super::groups::Group;
use super::rows::row_ui;
use super::{curves, fluids, foam};
use crate::session::Snapshot;
use crate::ui::widgets::{format, found, hint_ui, value_ui};
use crate::ui::{Action, Model, State, theme};
use egui::{CollapsingHeader, RichText, TextEdit, Ui};
use sph_core::ForceParameters;
use sph_core::parameters::Parameters;
use sph_io::Scene;

/// Width of the choice between basic and all, points.
const CHOICE_WIDTH: f32 = 96.0;

/// Lays out the contents of the panel.
pub fn fluid_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let (Some(mut parameters), Some(scene)) = (state.parameters, &snapshot.scene) else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    let before = parameters;
    let from_scene = &state.scene_parameters(scene);
    search_ui(ui, state);
    fluids::fluids_ui(ui, &scene.setup);
    curves::curves_ui(ui, state, actions);
    let is_searched = found::is_searched(ui.ctx()) || !state.fluid.search.trim().is_empty();
    let mut is_empty = true;
    let groups = Group::ALL.into_iter().filter(|group| is_searched || !group.has_panel());
    for group in groups {
        let rows = group.rows(&parameters, &state.fluid);
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
                foam::numbers_ui(ui, &parameters, &snapshot.foam);
            }
        });
    }
    if is_empty {
        hint_ui(ui, "No parameter in use has this in its name or description.");
    }
    reset_ui(ui, state, &mut parameters, scene, actions);
    CollapsingHeader::new(RichText::new("Latest step").strong()).default_open(true).show_unindented(ui, |ui| {
        numbers_ui(ui, snapshot);
    });
    if parameters != before {
        state.edit(parameters, actions);
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
        let tooltip = "Basic: the parameters that most users change. All: all that have an effect.\n\
                       The search finds those of the panels Solver and Time step too.";
        let basic = ui.selectable_value(&mut state.fluid.all, false, "Basic").on_hover_text(tooltip);
        let all = ui.selectable_value(&mut state.fluid.all, true, "All").on_hover_text(tooltip);
        if basic.clicked() || all.clicked() {
            state.fluid.guest = None;
        }
    });
    ui.add_space(0.5 * theme::SPACE);
}

/// True if the group is open in a scene that has just been opened: optional forces are, where the scene uses one.
fn is_open_at_first(group: Group, scene: &Parameters) -> bool {
    let ForceParameters { surface_tension, vorticity_transfer, xsph, .. } = scene.forces;
    let is_used = [surface_tension, vorticity_transfer, xsph, scene.solver.shifting].iter().any(|&value| value > 0.0);
    group != Group::Forces || is_used
}

fn reset_ui(ui: &mut Ui, state: &mut State, parameters: &mut Parameters, scene: &Scene, actions: &mut Vec<Action>) {
    let scene_fluid = Parameters { grid: parameters.grid, ..state.scene_parameters(scene) };
    ui.add_space(4.0);
    ui.add_enabled_ui(*parameters != scene_fluid || !state.off_curve.is_empty(), |ui| {
        let button = ui
            .button("Reset fluid parameters to scene")
            .on_hover_text("All parameters except the grid. The simulation continues.");
        if button.clicked() {
            state.set_off_curve(Vec::new(), actions);
            *parameters = Parameters { grid: parameters.grid, ..state.scene_parameters(scene) };
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
            "Held at walls",
            format!("{} ({} N)", format::count(stats.held_particles as u64), format::significant(stats.held_force)),
            "Particles held back by walls and bodies where pressure alone would not stop them, and the force that this takes \
             (N/m in 2D). Splashes are held for a moment; fluid at rest should not be.",
        ),
    ];
    for (label, value, tooltip) in rows {
        value_ui(ui, label, &value, tooltip);
    }
}
