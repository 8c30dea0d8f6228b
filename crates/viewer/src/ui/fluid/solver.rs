//! The pressure solver: its choice, its parameters, and the iterations of the latest step.

use crate::session::Snapshot;
use crate::ui::widgets::{ParameterRow, value_ui};
use egui::Ui;
use sph_core::Method;
use sph_core::parameters::{Kind, Parameters, Value};

/// The choice of the solver, and the parameters of the one that is chosen.
pub fn solver_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    for key in ["solver.method", "solver.walls"] {
        ParameterRow::of(key).ui(ui, parameters, scene);
        ui.add_space(4.0);
    }
    let table = format!("solver.{}", parameters.solver.method);
    let of_method = |kind: fn(&Kind) -> bool| {
        Parameters::table().iter().filter(move |parameter| parameter.table() == table && kind(&parameter.kind))
    };
    for parameter in of_method.clone()(|kind| matches!(kind, Kind::Choice(_))) {
        ParameterRow::new(parameter).ui(ui, parameters, scene);
    }
    if parameters.solver.method == Method::Wcsph {
        ui.add_space(4.0);
        ParameterRow::of("fluid.density_diffusion").ui(ui, parameters, scene);
    }
    for parameter in of_method(|kind| !matches!(kind, Kind::Choice(_))) {
        if ParameterRow::new(parameter).ui(ui, parameters, scene) {
            keep_bounds_in_order(parameter.key, parameters);
        }
    }
}

/// Moves the other bound of the iterations along with the one that has just been edited.
fn keep_bounds_in_order(edited: &str, parameters: &mut Parameters) {
    let other = if edited.contains(".min_") { edited.replace(".min_", ".max_") } else { edited.replace(".max_", ".min_") };
    if other == edited {
        return;
    }
    let (edited, other) = (Parameters::entry(edited), Parameters::entry(&other));
    let (least, most) = if edited.name().starts_with("min_") { (edited, other) } else { (other, edited) };
    if let (Value::Count(low), Value::Count(high)) = (least.get(parameters), most.get(parameters))
        && low > high
    {
        other.set(parameters, edited.get(parameters));
    }
}

/// What the iterations of the latest step took and left.
pub fn iteration_numbers_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let Some(stats) = snapshot.stats.as_ref().filter(|stats| stats.density_solve.iterations > 0) else { return };
    let (density, divergence) = (stats.density_solve, stats.divergence_solve);
    let count = match divergence.iterations {
        0 => density.iterations.to_string(),
        before => format!("{before} + {}", density.iterations),
    };
    let tooltip = "Pressure iterations of the latest step; with two numbers, those for the divergence come first.";
    value_ui(ui, "Iterations", &count, tooltip);
    let left = format!("{:.4} %, at most {:.2} %", 100.0 * density.error, 100.0 * density.max_error);
    value_ui(
        ui,
        "Residual",
        &left,
        "Relative compression that is left after the iterations: mean over the particles, and the largest.",
    );
}
