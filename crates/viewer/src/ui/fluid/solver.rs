//! Pressure solver: bounds of its iterations, and those of the latest step.

use crate::session::Snapshot;
use crate::ui::widgets::value_ui;
use egui::Ui;
use sph_core::parameters::{Parameter, Parameters, Value};

/// Keeps the minimum number of iterations ≤ the maximum: moves the bound that was not edited.
pub fn keep_bounds_in_order(edited: &Parameter<Parameters>, parameters: &mut Parameters) {
    for (least, most) in Parameters::iteration_bounds() {
        let (Value::Count(low), Value::Count(high)) = (least.get(parameters), most.get(parameters)) else { continue };
        if low > high && edited.key == least.key {
            most.set(parameters, Value::Count(low));
        } else if low > high && edited.key == most.key {
            least.set(parameters, Value::Count(high));
        }
    }
}

/// Lays out iterations and residual of the latest step.
pub fn iteration_numbers_ui(ui: &mut Ui, snapshot: &Snapshot) {
    let Some(stats) = snapshot.stats.as_ref().filter(|stats| stats.density_solve.iterations > 0) else { return };
    let (density, divergence) = (stats.density_solve, stats.divergence_solve);
    let count = match divergence.iterations {
        0 => density.iterations.to_string(),
        before => format!("{before} + {}", density.iterations),
    };
    let tooltip = "Pressure iterations of the latest step; with two numbers: divergence solve + density solve.";
    value_ui(ui, "Iterations", &count, tooltip);
    let residual = format!("{:.4} %, at most {:.2} %", 100.0 * density.error, 100.0 * density.max_error);
    value_ui(
        ui,
        "Residual",
        &residual,
        "Relative density error after the iterations of the density solve: mean and maximum over the particles.",
    );
}
