//! The pressure solver: which, how long it iterates, and what it does.

use crate::session::Snapshot;
use crate::ui::widgets::{Number, choice_ui, format, number_ui, value_ui};
use egui::Ui;
use sph_core::{
    DensityDiffusion, Integration, Iterations, Method, NegativePressure, Parameters, StateEquation, WallPressure,
    WcsphParameters,
};
use std::ops::RangeInclusive;

/// The choice of the solver, and the parameters of the one that is chosen. Density diffusion, of WCSPH only, is among the fluid's.
pub fn solver_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters) {
    let Parameters { solver, fluid, .. } = parameters;
    let methods = Method::ALL.map(|method| (method, name(method)));
    let tooltip = "How pressure is found. Can be changed while the fluid moves: WCSPH takes short steps without iterations, the \
                   others take long ones and iterate.";
    choice_ui(ui, "Solver", tooltip, &mut solver.method, &methods);
    ui.add_space(4.0);
    let walls = [
        (WallPressure::Extrapolated, "Extrapolated"),
        (WallPressure::Mls, "Fitted (MLS)"),
        (WallPressure::OneSided, "One-sided"),
    ];
    let tooltip = "Where walls have their pressure from. Extrapolated: the mean of the fluid in reach, continued into the wall. Fitted: a linear \
                   field through the same, by moving least squares. One-sided: from nowhere; the fluid's own pressure alone pushes back, \
                   and is about twice what it should be next to walls.";
    choice_ui(ui, "Pressure of walls", tooltip, &mut solver.walls, &walls);
    ui.add_space(4.0);
    let (iterations, from_scene, divergence) = match solver.method {
        Method::Wcsph => {
            let diffusion = (&mut fluid.density_diffusion, scene.fluid.density_diffusion);
            wcsph_ui(ui, &mut solver.wcsph, &scene.solver.wcsph, diffusion);
            return;
        }
        Method::Pcisph => (&mut solver.pcisph, scene.solver.pcisph, None),
        Method::Iisph => (&mut solver.iisph, scene.solver.iisph, None),
        Method::Dfsph => (&mut solver.dfsph, scene.solver.dfsph, Some(&mut solver.dfsph_divergence)),
        Method::Pbf => (&mut solver.pbf, scene.solver.pbf, None),
    };
    let density = "Mean compression that the iterations may leave. Smaller keeps the volume better and costs iterations.";
    tolerance_ui(ui, "Density tolerance", density, iterations, from_scene);
    if let Some(divergence) = divergence {
        let tooltip = "Mean compression in one step that velocities may be about to cause.";
        tolerance_ui(ui, "Divergence tolerance", tooltip, divergence, scene.solver.dfsph_divergence);
    }
    counts_ui(ui, iterations, from_scene);
}

/// The parts of WCSPH.
fn wcsph_ui(ui: &mut Ui, wcsph: &mut WcsphParameters, scene: &WcsphParameters, (strength, usual): (&mut f32, f32)) {
    let equations = [(StateEquation::Tait, "Tait"), (StateEquation::Linear, "Linear")];
    let tooltip = "From density to pressure: Tait's equation grows stiffer the denser the fluid is, the linear one does not.";
    choice_ui(ui, "Equation of state", tooltip, &mut wcsph.equation_of_state, &equations);
    let integrations =
        [(Integration::SymplecticEuler, "Symplectic Euler"), (Integration::PredictorCorrector, "Predictor–corrector")];
    let tooltip = "Symplectic Euler looks at the forces once a step; predictor–corrector twice, and is of second order.";
    choice_ui(ui, "Integration", tooltip, &mut wcsph.integration, &integrations);
    let forms = [
        (DensityDiffusion::Molteni, "Molteni"),
        (DensityDiffusion::Fourtakas, "Fourtakas"),
        (DensityDiffusion::Antuono, "Antuono"),
    ];
    let tooltip = "Which differences of density are noise to be smoothed: all of them (Molteni), all but the hydrostatic one \
                   (Fourtakas), or all but the gradient around the particle (Antuono; one more pass).";
    choice_ui(ui, "Density diffusion", tooltip, &mut wcsph.diffusion, &forms);
    ui.add_space(4.0);
    let number = Number {
        label: "Diffusion δ",
        tooltip: "Strength of the density diffusion; usually 0.1, no unit. 0 switches it off, and the pressure grows noisy.",
        unit: "",
        slider: 0.0..=0.5,
        allowed: 0.0..=1.0,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(usual),
        format: |value| format!("{value:.3}"),
    };
    number_ui(ui, &number, strength);
    pulls_ui(ui, wcsph, scene);
}

/// Pressure below zero, and pressure that is added everywhere.
fn pulls_ui(ui: &mut Ui, wcsph: &mut WcsphParameters, scene: &WcsphParameters) {
    let ways = [(NegativePressure::None, "None"), (NegativePressure::TensileControl, "Tensile control")];
    let tooltip = "None: fluid pushes and never pulls, for splashing. Tensile control: it pulls where it is surrounded by fluid, for vortices \
                   and flows without a surface.";
    choice_ui(ui, "Pressure below zero", tooltip, &mut wcsph.negative_pressure, &ways);
    ui.add_space(4.0);
    let background = Number {
        label: "Background pressure",
        tooltip: "Added between all particles; evens out their distances. Only for fluid without a free surface, which it would blow away.",
        unit: " Pa",
        slider: 0.0..=1e6,
        allowed: 0.0..=1e9,
        logarithmic: true,
        finest: 1e-3,
        scene: f64::from(scene.background_pressure),
        format: format::significant,
    };
    number_ui(ui, &background, &mut wcsph.background_pressure);
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

fn counts_ui(ui: &mut Ui, iterations: &mut Iterations, scene: Iterations) {
    let least = "Iterations for the density go on at least so long, even if the tolerance is reached at once.";
    let (lowest, highest) = (1, iterations.maximum.min(50));
    count_ui(ui, ("Fewest iterations", least), lowest..=highest, &mut iterations.minimum, scene.minimum);
    let most = "Iterations for the density end here even if the tolerance is not reached. If they do in every step, a smaller \
                time-step factor serves better than more of them.";
    count_ui(ui, ("Most iterations", most), iterations.minimum..=1000, &mut iterations.maximum, scene.maximum);
}

fn count_ui(ui: &mut Ui, (label, tooltip): (&str, &str), allowed: RangeInclusive<u32>, count: &mut u32, scene: u32) {
    let (least, most) = (f64::from(*allowed.start()), f64::from(*allowed.end()));
    let number = Number {
        label,
        tooltip,
        unit: "",
        slider: least..=most.min(300.0),
        allowed: least..=most,
        logarithmic: true,
        finest: 1.0,
        scene: f64::from(scene),
        format: |value| format::count(value.round() as u64),
    };
    let mut value = f64::from(*count);
    if number.ui(ui, &mut value) {
        // In range by the field; the conversion saturates.
        *count = (value.round() as u32).clamp(*allowed.start(), *allowed.end());
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
