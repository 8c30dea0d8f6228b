//! Fluid panel: groups of parameters with a search over them, and the numbers of the latest step.

use super::groups::Group;
use super::softness::{Stiffness, stiffness};
use super::{curves, fluids, foam, solver};
use crate::session::Snapshot;
use crate::ui::widgets::{self, NumberRow, ParameterRow, format, found, hint_ui, value_ui};
use crate::ui::{Action, Model, State, theme};
use egui::{CollapsingHeader, DragValue, RichText, Sides, TextEdit, Ui};
use glam::Vec3;
use sph_core::parameters::{Parameter, Parameters};
use sph_core::{Dimensions, FluidParameters, ForceParameters, TimeStepLimit};
use sph_io::Scene;

/// Highest speed of sound that the number field accepts, m/s.
const MAX_SOUND_SPEED: f64 = 10_000.0;

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
    for group in Group::ALL {
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
        time_step_numbers_ui(ui, snapshot);
        solver::iteration_numbers_ui(ui, snapshot);
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
        let tooltip = "Basic: the parameters that most users change. All: all that have an effect.";
        ui.selectable_value(&mut state.fluid.all, false, "Basic").on_hover_text(tooltip);
        ui.selectable_value(&mut state.fluid.all, true, "All").on_hover_text(tooltip);
    });
    ui.add_space(0.5 * theme::SPACE);
}

/// True if the group is open in a scene that has just been opened: optional forces are, where the scene uses one.
fn is_open_at_first(group: Group, scene: &Parameters) -> bool {
    let ForceParameters { surface_tension, vorticity_transfer, xsph, .. } = scene.forces;
    let is_used = [surface_tension, vorticity_transfer, xsph, scene.solver.shifting].iter().any(|&value| value > 0.0);
    group != Group::Forces || is_used
}

/// Lays out the row of a parameter.
fn row_ui(
    ui: &mut Ui,
    parameter: &'static Parameter<Parameters>,
    parameters: &mut Parameters,
    from_scene: &Parameters,
    snapshot: &Snapshot,
    scene: &Scene,
) {
    match parameter.key {
        "gravity" => {
            let dimensions = scene.setup.discretization.dimensions;
            gravity_ui(ui, &mut parameters.gravity, from_scene.gravity, dimensions);
        }
        "fluid.sound_speed" => sound_speed_ui(ui, parameters, from_scene, snapshot),
        "time_step.min_dt" => min_dt_ui(ui, parameters, from_scene),
        "time_step.fixed_dt" => fixed_dt_ui(ui, parameters, from_scene, snapshot),
        _ => {
            if ParameterRow::new(parameter).ui(ui, parameters, from_scene) {
                solver::keep_bounds_in_order(parameter, parameters);
            }
        }
    }
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

fn sound_speed_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, snapshot: &Snapshot) {
    let slider = 1.0..=max_slider_sound_speed(&scene.fluid, snapshot);
    ParameterRow::of("fluid.sound_speed").slider(slider).allowed(0.1..=MAX_SOUND_SPEED).ui(ui, parameters, scene);
    let Some((found, ratio)) = stiffness(parameters, snapshot.stats.as_ref()) else {
        hint_ui(ui, "Recommended: 10 × the maximum speed of the fluid");
        return;
    };
    let (verdict, color) = match found {
        Stiffness::Sufficient => ("sufficient", theme::TEXT_QUIET),
        Stiffness::WithoutCompression => ("sufficient, little compression", theme::TEXT_QUIET),
        Stiffness::SomewhatLow => ("somewhat low", theme::TEXT_QUIET),
        Stiffness::TooLow => ("too low, try 10 ×", theme::WARNING),
        Stiffness::Unstable => ("unstable, increase it", theme::ERROR),
    };
    // A fluid nearly at rest has no speed to compare with.
    let ratio = if ratio < 1000.0 { format!("{ratio:.1}") } else { "over 1,000".to_owned() };
    ui.label(RichText::new(format!("{ratio} × the maximum speed: {verdict}")).small().color(color));
    ui.add_space(4.0);
}

/// Upper end of the slider of the speed of sound, m/s: ten times the larger of the scene's value and the present maximum speed.
fn max_slider_sound_speed(scene: &FluidParameters, snapshot: &Snapshot) -> f64 {
    let usual = f64::from(scene.sound_speed * 10.0).max(10.0);
    let wanted = snapshot.stats.as_ref().map_or(0.0, |stats| 10.0 * f64::from(stats.max_speed));
    if wanted > usual && wanted.is_finite() {
        // A power of ten, so that the slider does not move as the speed changes.
        10f64.powf(wanted.log10().ceil()).min(MAX_SOUND_SPEED)
    } else {
        usual
    }
}

fn gravity_ui(ui: &mut Ui, gravity: &mut Vec3, scene: Vec3, dimensions: Dimensions) {
    let Parameter { label, bounds, slider, .. } = Parameters::entry("gravity");
    let number = NumberRow {
        label,
        tooltip: "Magnitude of gravity; the direction is kept. 9.81 m/s² on Earth, 1.62 m/s² on the Moon.",
        unit: " m/s²",
        slider: 0.0..=slider.high,
        allowed: 0.0..=bounds.high,
        logarithmic: false,
        finest: 0.01,
        scene: f64::from(scene.length()),
        usual: Parameters::entry("gravity").usual,
        format: |value| format!("{value:.2}"),
    };
    let mut strength = f64::from(gravity.length());
    if number.ui(ui, &mut strength) {
        // Zero gravity has no direction: use the scene's, or −y.
        let down = gravity.try_normalize().or(scene.try_normalize()).unwrap_or(Vec3::NEG_Y);
        // Adding 0 turns -0 into 0.
        *gravity = strength as f32 * down + Vec3::ZERO;
    }
    Sides::new().show(
        ui,
        |ui| {
            ui.label(RichText::new("Components").color(theme::TEXT_QUIET))
                .on_hover_text("Gravity along each axis, m/s². y is up.")
        },
        |ui| {
            // The layout runs from right to left.
            let axes = [("z ", &mut gravity.z), ("y ", &mut gravity.y), ("x ", &mut gravity.x)];
            let skipped = 3 - dimensions.count();
            for (prefix, component) in axes.into_iter().skip(skipped) {
                let field = DragValue::new(component)
                    .prefix(prefix)
                    .speed(0.05)
                    .range(bounds.low..=bounds.high)
                    .custom_formatter(|value, _| format::component(value))
                    .custom_parser(|text| widgets::parse(text, " m/s²", false))
                    .update_while_editing(false);
                ui.add(field);
            }
        },
    );
    ui.add_space(4.0);
}

/// Lays out the switch of the fixed time step, and its length.
fn fixed_dt_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, snapshot: &Snapshot) {
    let mut fixed = parameters.time_step.fixed_dt.is_some();
    let tooltip = "Constant time step that ignores the stability limits. Initially the latest time step.";
    if ui.checkbox(&mut fixed, "Fixed time step").on_hover_text(tooltip).changed() {
        let latest = snapshot.stats.as_ref().map(|stats| stats.dt).filter(|&dt| dt > 0.0);
        let time_step = &mut parameters.time_step;
        time_step.fixed_dt = fixed.then(|| latest.unwrap_or(time_step.max_dt).clamp(1e-9, 1.0));
    }
    ui.add_space(4.0);
    if fixed {
        let longest = f64::from(parameters.time_step.max_dt);
        ParameterRow::of("time_step.fixed_dt").slider(0.0..=longest).ui(ui, parameters, scene);
    }
}

fn min_dt_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let longest = f64::from(parameters.time_step.max_dt);
    ParameterRow::of("time_step.min_dt").slider(0.0..=longest).allowed(0.0..=longest).ui(ui, parameters, scene);
    let time_step = &mut parameters.time_step;
    time_step.min_dt = time_step.min_dt.min(time_step.max_dt);
}

fn time_step_numbers_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let Some(stats) = &snapshot.stats else { return };
    ui.spacing_mut().item_spacing.y = 2.0;
    let limit = limit_text(stats.dt_limit);
    let exceeds = stats.dt_exceeds.map(|bound| {
        let (limit, dt) = (limit_text(bound.limit), format::seconds(f64::from(bound.dt)));
        format!("Above a stability limit: {limit} allows {dt}. The simulation may become unstable.")
    });
    let rows = [
        ("Time step", format::seconds(f64::from(stats.dt)), "Time step Δt of the latest step."),
        ("Limited by", limit.to_owned(), "Criterion that limits the time step."),
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
        if let Some(warning) = exceeds.as_ref().filter(|_| label == "Limited by") {
            ui.label(RichText::new(warning).small().color(theme::WARNING));
        }
    }
}

/// Name of the criterion that limits the time step.
pub fn limit_text(limit: TimeStepLimit) -> &'static str {
    match limit {
        TimeStepLimit::Sound => "speed of sound",
        TimeStepLimit::Force => "acceleration",
        TimeStepLimit::Courant => "maximum speed",
        TimeStepLimit::Viscous => "viscosity",
        TimeStepLimit::Capillary => "surface tension",
        TimeStepLimit::Maximum => "maximum step",
        TimeStepLimit::Minimum => "minimum step",
        TimeStepLimit::Fixed => "fixed step",
        TimeStepLimit::Retry => "a step made again",
    }
}
