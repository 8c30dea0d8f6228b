//! Sloshing in a tank that has been tipped: the period of the first mode.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::within;
use crate::headless::validate::record::RunRecord;
use std::f64::consts::{PI, TAU};

/// Length of the tank and depth of the water, m; gravity, m/s².
const LENGTH: f64 = 1.0;
const DEPTH: f64 = 0.5;
const GRAVITY: f64 = 9.81;

/// Time from which the tank is at rest, s.
const AT_REST: f64 = 0.3;

pub const CASE: Case = Case {
    name: "sloshing",
    title: "Sloshing",
    about: "A tank 1 m long with water 0.5 m deep, on a rocker 1.5 m below, is tipped by a degree within 0.3 s and stays so. Linear theory \
            gives the first mode the frequency ω² = (π g/L) tanh(π h/L). Our period is the mean time between \
            upward zeros of the horizontal velocity deep in the middle of the tank, where the higher modes do not reach.",
    remarks: "The pivot is far below so that the tank mostly moves sideways. Tipped about its own centre, this tank hardly makes waves: \
              floor and side walls drive the first mode in opposite directions.",
    scene: scene!("sloshing"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "25 rows", set: &[], quick: true },
            Resolution { label: "25 rows, DFSPH", set: &["solver.method=dfsph", "time_step.max_dt=2e-3"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure,
    draw,
};

/// Period of the first mode by linear theory, s.
fn linear_period() -> f64 {
    TAU / (PI * GRAVITY / LENGTH * (PI * DEPTH / LENGTH).tanh()).sqrt()
}

/// Mean time between the first and the last upward zero of a curve; NaN with fewer than two.
fn period(curve: &[[f64; 2]]) -> f64 {
    let zeros: Vec<f64> = curve
        .windows(2)
        .filter(|pair| pair[0][1] < 0.0 && pair[1][1] >= 0.0)
        .map(|pair| pair[0][0] - pair[0][1] * (pair[1][0] - pair[0][0]) / (pair[1][1] - pair[0][1]))
        .collect();
    match zeros[..] {
        [first, .., last] => (last - first) / (zeros.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// Horizontal velocity deep in the middle over time, m/s.
fn ours(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("middle.0.x", [1.0, 1.0])
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    vec![
        Measure::new(
            "period / linear theory",
            period(&within(&ours(run), AT_REST, f64::INFINITY)) / linear_period(),
            Unit::Plain(3),
        )
        .accept(Criterion::Between(0.98, 1.02))
        .compare(Source::Theory("Lighthill2001"), 1.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, ours(run)));
    let rest = Curve { name: "rest".to_owned(), color: DATA, style: Style::Dashed, points: vec![[0.0, 0.0], [100.0, 0.0]] };
    vec![Figure {
        name: "sloshing_velocity".to_owned(),
        title: "Sloshing: horizontal velocity deep in the middle".to_owned(),
        caption: "Horizontal velocity 0.1 m above the middle of the floor over time".to_owned(),
        x: "t, s",
        y: "velocity, m/s",
        range: [0.0, 7.0],
        curves: curves.chain([rest]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_is_that_between_zeros() {
        assert!((linear_period() - 1.182).abs() < 5e-4, "{}", linear_period());
        let wave: Vec<[f64; 2]> = (0..700).map(|n| 0.01 * f64::from(n)).map(|t| [t, (TAU * t / 1.3 + 0.4).sin()]).collect();
        assert!((period(&wave) - 1.3).abs() < 1e-4, "{}", period(&wave));
        assert!(period(&wave[..50]).is_nan());
    }
}
