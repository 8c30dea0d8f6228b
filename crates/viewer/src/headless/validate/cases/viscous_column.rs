//! A falling column of very viscous fluid, at the time step of water (Weiler2018).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::record::RunRecord;

pub const CASE: Case = Case {
    name: "viscous_column",
    title: "Falling viscous column, ν = 0.1 m²/s",
    about: "A column of 8 × 40 × 8 particles falls upright onto a floor: once as a fluid without viscosity, once with ν = \
            0.1 m²/s and implicit viscosity (Weiler and others 2018). Both may take steps of 0.6 ms; the explicit forms of \
            viscosity would need steps of 0.125 h²/ν = 0.2 ms. The mean step is compared with the longest one allowed.",
    remarks: "",
    scene: scene!("viscous_column"),
    interval: 0.005,
    resolutions: &[
        Resolution { label: "ν = 0", set: &["fluid.kinematic_viscosity=0"], quick: false },
        Resolution { label: "ν = 0.1", set: &[], quick: true },
    ],
    judged: Judged::Finest,
    measure,
    draw,
};

fn measure(run: &RunRecord) -> Vec<Measure> {
    let fluid = run.fluid();
    let mean = fluid.time / fluid.steps as f64;
    vec![Measure {
        name: "mean step / longest allowed".to_owned(),
        value: mean / f64::from(fluid.parameters.time_step.max_dt),
        criterion: Criterion::AtLeast(0.99),
        unit: Unit::Plain(3),
        literature: "",
    }]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| {
        let energy = run.series("energy.kinetic", [1e-3, 1.0]);
        Curve::ours(index, runs.len(), run.label, energy)
    });
    vec![Figure {
        name: "viscous_column_energy".to_owned(),
        title: "Falling column: kinetic energy".to_owned(),
        caption: "Kinetic energy over time, without and with viscosity".to_owned(),
        x: "t, ms",
        y: "kinetic energy, J",
        range: [0.0, 400.0],
        curves: ours.collect(),
    }]
}
