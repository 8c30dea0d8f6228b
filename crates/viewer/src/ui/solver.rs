//! The pressure solver: which, how long it iterates, and what it does.

use super::format;
use super::widgets::{Number, choice_ui, value_ui};
use crate::session::Snapshot;
use egui::Ui;
use sph_core::{Iterations, Method, SolverParameters};

/// The choice of the solver, and the parameters of the one that is chosen.
pub fn solver_ui(ui: &mut Ui, solver: &mut SolverParameters, scene: &SolverParameters) {
    let methods = Method::ALL.map(|method| (method, name(method)));
    let tooltip = "How pressure is found. Can be changed while the fluid moves: WCSPH takes short steps without iterations, the \
                   others take long ones and iterate.";
    choice_ui(ui, "Solver", tooltip, &mut solver.method, &methods);
    ui.add_space(4.0);
    let (iterations, from_scene, divergence) = match solver.method {
        Method::Wcsph => return,
        Method::Pcisph => (&mut solver.pcisph, scene.pcisph, None),
        Method::Iisph => (&mut solver.iisph, scene.iisph, None),
        Method::Dfsph => (&mut solver.dfsph, scene.dfsph, Some(&mut solver.dfsph_divergence)),
        Method::Pbf => (&mut solver.pbf, scene.pbf, None),
    };
    let density = "Mean compression that the iterations may leave. Smaller keeps the volume better and costs iterations.";
    tolerance_ui(ui, "Density tolerance", density, iterations, from_scene);
    if let Some(divergence) = divergence {
        let tooltip = "Mean compression in one step that velocities may be about to cause.";
        tolerance_ui(ui, "Divergence tolerance", tooltip, divergence, scene.dfsph_divergence);
    }
    count_ui(ui, iterations, from_scene);
}

fn tolerance_ui(ui: &mut Ui, label: &str, tooltip: &str, iterations: &mut Iterations, scene: Iterations) {
    let number = Number {
        label,
        tooltip,
        unit: " %",
        slider: 1e-3..=1.0,
        allowed: 1e-4..=10.0,
        logarithmic: true,
        finest: 1e-4,
        scene: 100.0 * f64::from(scene.tolerance),
        format: format::significant,
    };
    let mut percent = 100.0 * f64::from(iterations.tolerance);
    if number.ui(ui, &mut percent) {
        iterations.tolerance = (percent / 100.0).clamp(1e-6, 0.1) as f32;
    }
}

fn count_ui(ui: &mut Ui, iterations: &mut Iterations, scene: Iterations) {
    let number = Number {
        label: "Most iterations",
        tooltip: "Iterations for the density end here even if the tolerance is not reached. If they do in every step, a smaller \
                  time-step factor serves better than more of them.",
        unit: "",
        slider: f64::from(iterations.minimum)..=300.0,
        allowed: f64::from(iterations.minimum)..=1000.0,
        logarithmic: true,
        finest: 1.0,
        scene: f64::from(scene.maximum),
        format: |value| format::count(value.round() as u64),
    };
    let mut most = f64::from(iterations.maximum);
    if number.ui(ui, &mut most) {
        // In range by the field; the conversion saturates.
        iterations.maximum = (most.round() as u32).clamp(iterations.minimum, 1000);
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
    value_ui(ui, "Left by them", &left, "Compression that the iterations left: mean over the particles, and the largest.");
}

fn name(method: Method) -> &'static str {
    match method {
        Method::Wcsph => "WCSPH",
        Method::Pcisph => "PCISPH",
        Method::Iisph => "IISPH",
        Method::Dfsph => "DFSPH",
        Method::Pbf => "PBF",
    }
}
