//! Rows of the parameters in each group of the table.

use std::ops::RangeInclusive;

use super::FluidView;
use super::steps::{Stiffness, stiffness};
use crate::session::Snapshot;
use crate::ui::theme;
use crate::ui::widgets::{self, NumberRow, ParameterRow, format, hint_ui, outline};
use egui::{DragValue, RichText, Sides, Ui};
use glam::Vec3;
use sph_core::parameters::{Group, Parameter, Parameters, Value};
use sph_core::{Dimensions, FluidParameters};
use sph_io::Scene;

/// True if the group has a panel of its own; the Fluid panel shows it in a search only, that of the grid never.
pub(super) fn has_panel(group: Group) -> bool {
    matches!(group, Group::Solver | Group::TimeStep)
}

/// Parameters of the group that have an effect with the values of the others and are asked for by `view`.
pub(super) fn rows(group: Group, parameters: &Parameters, view: &FluidView) -> Vec<&'static Parameter<Parameters>> {
    let mut rows = Parameters::of_group(group);
    rows.retain(|parameter| parameter.is_effective(parameters) && is_asked_for(parameter, view));
    rows
}

/// True if a search finds the parameter, or without a search, if it is among those shown.
fn is_asked_for(parameter: &Parameter<Parameters>, view: &FluidView) -> bool {
    let search = view.search.trim().to_lowercase();
    if search.is_empty() {
        return view.all || parameter.basic || view.row_shown_once == Some(parameter.key);
    }
    let texts = [parameter.label, parameter.key, &parameter.documentation];
    search.split_whitespace().all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
}

// Rows of the parameters, with those that need more than the table says.

/// Least and highest speed of sound that the number field accepts, m/s.
const MIN_SOUND_SPEED: f64 = 0.1;
const MAX_SOUND_SPEED: f64 = 10_000.0;

/// Lays out the row of a parameter.
pub(super) fn row_ui(
    ui: &mut Ui,
    parameter: &'static Parameter<Parameters>,
    parameters: &mut Parameters,
    from_scene: &Parameters,
    snapshot: &Snapshot,
    scene: &Scene,
) {
    outline::row_ui(ui, parameter.key, |ui| match parameter.key {
        "gravity" => {
            let dimensions = scene.setup.discretization.dimensions;
            gravity_ui(ui, &mut parameters.gravity, from_scene.gravity, dimensions);
        }
        "fluid.sound_speed" => sound_speed_ui(ui, parameters, from_scene, snapshot),
        "time_step.min_dt" => min_dt_ui(ui, parameters, from_scene),
        "time_step.fixed_dt" => fixed_dt_ui(ui, parameters, from_scene, snapshot),
        _ => {
            if ParameterRow::new(parameter).part_ui(ui, parameters, from_scene) {
                keep_bounds_in_order(parameter, parameters);
            }
        }
    });
}

fn sound_speed_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, snapshot: &Snapshot) {
    let allowed = MIN_SOUND_SPEED..=MAX_SOUND_SPEED;
    let row = ParameterRow::of("fluid.sound_speed").slider(sound_speed_slider(&scene.fluid)).allowed(allowed);
    row.part_ui(ui, parameters, scene);
    let Some((found, ratio)) = stiffness(parameters, snapshot.stats.as_ref()) else {
        hint_ui(ui, "Recommended: 10 × the maximum speed of the fluid");
        return;
    };
    let (verdict, color) = match found {
        Stiffness::Sufficient => ("sufficient", theme::of(ui).text_quiet),
        Stiffness::WithoutCompression => ("sufficient, little compression", theme::of(ui).text_quiet),
        Stiffness::SomewhatLow => ("somewhat low", theme::of(ui).text_quiet),
        Stiffness::TooLow => ("too low, try 10 ×", theme::of(ui).warning),
        Stiffness::Unstable => ("unstable, increase it", theme::of(ui).error),
    };
    // A fluid nearly at rest has no speed to compare with.
    let ratio = if ratio < 1000.0 { format!("{ratio:.1}") } else { "over 1,000".to_owned() };
    ui.label(RichText::new(format!("{ratio} × the maximum speed: {verdict}")).small().color(color));
    ui.add_space(4.0);
}

/// Range of the slider of the speed of sound, m/s: a tenth to ten times the scene's value, so that the handle moves by hand only.
fn sound_speed_slider(scene: &FluidParameters) -> RangeInclusive<f64> {
    let [low, high] = [0.1, 10.0].map(|factor| (factor * f64::from(scene.sound_speed)).clamp(MIN_SOUND_SPEED, MAX_SOUND_SPEED));
    low..=high
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
        format: |value| format::fixed(value, 2),
    };
    let mut strength = f64::from(gravity.length());
    if number.ui(ui, &mut strength) {
        // Zero gravity has no direction: use the scene's, or −y.
        let down = gravity.try_normalize().or(scene.try_normalize()).unwrap_or(Vec3::NEG_Y);
        // Adding 0 turns -0 into 0.
        *gravity = strength as f32 * down + Vec3::ZERO;
    }
    Sides::new().shrink_left().truncate().show(
        ui,
        |ui| {
            ui.label(RichText::new("Vector").color(theme::of(ui).text_quiet))
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
                let field = ui.add(field);
                let name = format!("Gravity along {}", prefix.trim_end());
                field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SpinButton, true, &name));
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
        ParameterRow::of("time_step.fixed_dt").slider(0.0..=longest).part_ui(ui, parameters, scene);
    }
}

fn min_dt_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let longest = f64::from(parameters.time_step.max_dt);
    ParameterRow::of("time_step.min_dt").slider(0.0..=longest).allowed(0.0..=longest).part_ui(ui, parameters, scene);
    let time_step = &mut parameters.time_step;
    time_step.min_dt = time_step.min_dt.min(time_step.max_dt);
}

/// Keeps the minimum number of iterations ≤ the maximum: moves the bound that was not edited.
fn keep_bounds_in_order(edited: &Parameter<Parameters>, parameters: &mut Parameters) {
    for (least, most) in Parameters::iteration_bounds() {
        let (Value::Count(low), Value::Count(high)) = (least.get(parameters), most.get(parameters)) else { continue };
        if low > high && edited.key == least.key {
            most.set(parameters, Value::Count(low));
        } else if low > high && edited.key == most.key {
            least.set(parameters, Value::Count(high));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::FoamModel;

    #[test]
    fn every_parameter_has_one_place() {
        let all = FluidView { all: true, ..FluidView::default() };
        let mut parameters = Parameters::default();
        parameters.forces.vorticity_transfer = 1.0;
        parameters.foam.model = FoamModel::Ihmsen;
        let shown: Vec<_> = Group::ALL.into_iter().flat_map(|group| rows(group, &parameters, &all)).collect();
        for parameter in Parameters::table().iter().filter(|parameter| parameter.is_effective(&parameters)) {
            let count = shown.iter().filter(|row| row.key == parameter.key).count();
            assert_eq!(count, 1, "{}", parameter.key);
        }
    }

    #[test]
    fn rows_are_those_of_the_table_in_its_order() {
        let shown = |group, all| {
            let view = FluidView { all, ..FluidView::default() };
            rows(group, &Parameters::default(), &view).into_iter().map(|row| row.key).collect::<Vec<_>>()
        };
        let basic: Vec<_> = Group::ALL.into_iter().flat_map(|group| shown(group, false)).collect();
        let expected = ["gravity", "fluid.kinematic_viscosity", "fluid.sound_speed", "fluid.surface_tension", "foam.model"];
        assert_eq!(basic, expected);
        let fluid = ["viscosity", "viscosity_model", "artificial_viscosity", "sound_speed"];
        assert!(shown(Group::Fluid, true)[1..].iter().zip(fluid).all(|(key, end)| key.ends_with(end)));
        let solver = ["method", "equation_of_state", "integration", "diffusion", "density_diffusion", "acoustic_damping"];
        assert!(shown(Group::Solver, true).iter().zip(solver).all(|(key, end)| key.ends_with(end)));
        // With a fixed step its bounds have no effect; viscosity iterates only if it is implicit.
        assert!(!shown(Group::Fluid, true).contains(&"fluid.viscosity_tolerance"));
        assert_eq!(shown(Group::Foam, true), ["foam.model"]);
    }

    #[test]
    fn a_search_finds_names_keys_and_descriptions() {
        let found = |search: &str| {
            let view = FluidView { search: search.to_owned(), ..FluidView::default() };
            let parameters = Parameters::default();
            Group::ALL.into_iter().flat_map(|group| rows(group, &parameters, &view)).map(|row| row.key).collect::<Vec<_>>()
        };
        assert!(found("visco").contains(&"fluid.artificial_viscosity"));
        assert_eq!(found("cfl_fac"), ["time_step.cfl_factor"]);
        assert!(found("monaghan1992").contains(&"fluid.artificial_viscosity"));
        assert!(found("no such thing").is_empty());
    }
}
