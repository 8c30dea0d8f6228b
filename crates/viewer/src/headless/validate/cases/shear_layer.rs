//! Shear layers decelerated by implicit viscosity.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::{slope, within};
use crate::headless::validate::record::RunRecord;
use std::f64::consts::TAU;

/// Kinematic viscosity ν, m²/s.
const VISCOSITY: f64 = 0.1;

pub const CASE: Case = Case {
    name: "shear_layer",
    title: "Decay of shear layers",
    about: "Shear layers in a periodic square of side L, v_x = U sin kx cos ky and v_y = −U cos kx sin ky with k = 2π/L, so \
            slow that particles hardly move. Implicit viscosity, ν = 0.1 m²/s, dissipates their energy as exp(−4νk²t). The \
            rate is fitted over 0.25 s.",
    remarks: "The central form is anisotropic while particles form a lattice: with fewer neighbours the rate is off by some percent. The explicit \
              forms of viscosity would need steps below an eighth of h²/ν.",
    scene: scene!("shear_layer"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "L/25", set: &["particles.spacing=0.04"], quick: false },
            Resolution { label: "L/50", set: &[], quick: true },
            Resolution { label: "L/100", set: &["particles.spacing=0.01"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "L/50, 3 spacings", set: &["particles.support_radius=3.0"] },
            Setting {
                label: "L/50, 3 spacings, Wendland C2",
                set: &["particles.support_radius=3.0", "particles.kernel=wendland_c2"],
            },
        ],
    },
    measure,
    draw,
};

/// Decay rate of the energy, 4νk², 1/s.
fn rate() -> f64 {
    4.0 * VISCOSITY * TAU * TAU
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let logarithms: Vec<[f64; 2]> = run.energy().iter().map(|[time, energy]| [*time, energy.ln()]).collect();
    let fluid = run.fluid();
    let mean_step = fluid.time / fluid.steps as f64;
    let smoothing_length = 0.5 * f64::from(fluid.discretization.support_radius);
    let explicit_step = 0.125 * smoothing_length * smoothing_length / VISCOSITY;
    vec![
        Measure::new("rate of decay / theory", -slope(&within(&logarithms, 0.02, 0.27)) / rate(), Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .compare(Source::Theory(""), 1.0)
            .converges_to(1.0),
        Measure::new("mean step / longest of the explicit forms", mean_step / explicit_step, Unit::Plain(2)),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let logarithm = |run: &&RunRecord| run.energy().into_iter().map(|[time, energy]| [time, energy.log10()]).collect();
    let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, logarithm(run)));
    let exact =
        (0..=30).map(|step| 0.01 * f64::from(step)).map(|time| [time, -rate() * time / std::f64::consts::LN_10]).collect();
    let theory = Curve { name: "theory".to_owned(), color: DATA, style: Style::Dashed, points: exact };
    vec![Figure {
        name: "shear_layer_energy".to_owned(),
        title: "Shear layers: kinetic energy".to_owned(),
        caption: "Kinetic energy over time, beside theory".to_owned(),
        x: "t, s",
        y: "log₁₀ of the kinetic energy / at the start",
        range: [0.0, 0.3],
        curves: ours.chain([theory]).collect(),
    }]
}
