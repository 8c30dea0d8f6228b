//! Flows in periodic domains, without walls: Taylor–Green vortices, and shear layers that viscosity decelerates.

use std::f64::consts::{PI, TAU};

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::{at, largest, points, reference, slope, within};
use crate::figure::{Curve, DATA, Figure, Style, our_curve};
use crate::runs::RunRecord;

// Taylor–Green vortices (TaylorGreen1937): in 2D compared with the exact solution, in 3D with a grid computation.

/// Reynolds number, and the end time, L/U.
const REYNOLDS: f64 = 100.0;
const END: f64 = 2.0;

pub const TAYLOR_GREEN_2D: Case = Case {
    name: "taylor_green_2d",
    title: "Taylor–Green vortices, 2D, Re 100",
    about: "Four vortices in a doubly periodic square of side L, with highest speed U and Re = UL/ν = 100. In the exact \
            solution the kinetic energy falls as exp(−16π² t/Re). The exponent is fitted to its logarithm over t = 0 to 2 \
            L/U.",
    remarks: "Particles leave their lattice at once, and sums over disordered neighbours are noisy; the noise dissipates energy. The variants have fewer \
              neighbours or Morris' viscosity, and lose more. DFSPH has pressure of either sign.",
    scene: scene!("taylor_green_2d"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "50²", set: &[], quick: true },
            Resolution { label: "100²", set: &["particles.spacing=0.01"], quick: false },
            Resolution { label: "50², DFSPH", set: &["solver.method=dfsph"], quick: false },
            Resolution {
                label: "100², DFSPH",
                set: &["solver.method=dfsph", "particles.spacing=0.01", "time_step.max_dt=1e-3"],
                quick: false,
            },
        ],
        judged: Judged::Each,
        variants: &[
            Setting {
                label: "50², 3 spacings, Morris",
                set: &["particles.support_radius=3.0", "fluid.viscosity_model=morris"],
            },
            Setting { label: "50², 3 spacings", set: &["particles.support_radius=3.0"] },
            Setting { label: "50², Morris", set: &["fluid.viscosity_model=morris"] },
        ],
    },
    measure: measure_2d,
    draw: draw_2d,
};

pub const TAYLOR_GREEN_3D: Case = Case {
    name: "taylor_green_3d",
    title: "Taylor–Green vortex, 3D, Re 100",
    about: "The same vortices in a triply periodic cube of side 2π L, without a vertical velocity; Re = UL/ν = 100. They \
            stretch each other and break up, so that the energy falls faster after a while. The kinetic energy up to t = 10 \
            L/U is compared with a finite-volume computation on 64³ cells (JAX-Fluids).",
    remarks: "As in 2D, disorder dissipates energy, most of it while the lattice breaks up. Shifting reduces the disorder; \
              the variants have less shifting, and fewer neighbours.",
    scene: scene!("taylor_green_3d"),
    interval: 0.05,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "16³", set: &["particles.spacing=0.3926990817"], quick: false },
            Resolution { label: "32³", set: &[], quick: false },
            Resolution { label: "64³", set: &["particles.spacing=0.0981747704"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "32³, shifting 2", set: &["solver.shifting=2.0"] },
            Setting { label: "32³, shifting 2, 3 spacings", set: &["solver.shifting=2.0", "particles.support_radius=3.0"] },
        ],
    },
    measure: measure_3d,
    draw: draw_3d,
};

const COMPUTED: &str = reference!("tgv3d_Re100_jaxfluids64.csv");

const EXACT: &str = reference!("tgv2d_Re100.csv");

fn measure_2d(run: &RunRecord) -> Vec<Measure> {
    let logarithms: Vec<[f64; 2]> = within(&run.energy(), 0.0, END).iter().map(|[time, energy]| [*time, energy.ln()]).collect();
    let tolerance = if run.rows(1.0) >= 100 { 0.03 } else { 0.05 };
    vec![
        Measure::new("decay exponent of the energy / exact", -slope(&logarithms) / (16.0 * PI * PI / REYNOLDS), Unit::Plain(3))
            .accept(Criterion::Between(1.0 - tolerance, 1.0 + tolerance))
            .compare(Source::Theory("TaylorGreen1937"), 1.0)
            .converges_to(1.0),
    ]
}

fn draw_2d(runs: &[&RunRecord]) -> Vec<Figure> {
    let logarithm = |curve: Vec<[f64; 2]>| curve.into_iter().map(|[time, energy]| [time, energy.log10()]).collect();
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, logarithm(run.energy())));
    let exact = logarithm(points(EXACT, "t", "Ek_over_Ek0"));
    let exact = Curve { name: "exact".to_owned(), color: DATA, style: Style::Dashed, points: within(&exact, 0.0, END) };
    vec![Figure {
        name: "taylor_green_2d_energy".to_owned(),
        title: "Taylor–Green vortices, 2D: kinetic energy".to_owned(),
        caption: "Kinetic energy over time, its logarithm, beside the exact solution".to_owned(),
        x: "t U/L",
        y: "log₁₀ of the kinetic energy / at the start",
        range: [0.0, END],
        curves: ours.chain([exact]).collect(),
    }]
}

/// Largest relative difference of our kinetic energy from the computed one.
fn measure_3d(run: &RunRecord) -> Vec<Measure> {
    let ours = run.energy();
    let difference = |[time, energy]: [f64; 2]| at(&ours, time).map_or(f64::NAN, |ours| (ours / energy - 1.0).abs());
    vec![
        Measure::new("kinetic energy, largest difference", largest(computed().into_iter().map(difference)), Unit::Percent)
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0),
    ]
}

/// Kinetic energy of the computation divided by its initial value, 1/8 ρU² per volume.
fn computed() -> Vec<[f64; 2]> {
    within(&points(COMPUTED, "t", "Ekin"), 0.0, 9.97).into_iter().map(|[time, energy]| [time, energy / 0.125]).collect()
}

fn draw_3d(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, run.energy()));
    let computed = Curve { name: "64³ cells".to_owned(), color: DATA, style: Style::Dashed, points: computed() };
    vec![Figure {
        name: "taylor_green_3d_energy".to_owned(),
        title: "Taylor–Green vortex, 3D: kinetic energy".to_owned(),
        caption: "Kinetic energy over time, beside a computation by finite volumes".to_owned(),
        x: "t U/L",
        y: "kinetic energy / at the start",
        range: [0.0, 10.0],
        curves: ours.chain([computed]).collect(),
    }]
}

// Shear layers decelerated by implicit viscosity.

/// Kinematic viscosity ν, m²/s.
const VISCOSITY: f64 = 0.1;

pub const SHEAR_LAYER: Case = Case {
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
    measure: measure_shear,
    draw: draw_shear,
};

/// Decay rate of the energy, 4νk², 1/s.
fn rate() -> f64 {
    4.0 * VISCOSITY * TAU * TAU
}

fn measure_shear(run: &RunRecord) -> Vec<Measure> {
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

fn draw_shear(runs: &[&RunRecord]) -> Vec<Figure> {
    let logarithm = |run: &&RunRecord| run.energy().into_iter().map(|[time, energy]| [time, energy.log10()]).collect();
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, logarithm(run)));
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
