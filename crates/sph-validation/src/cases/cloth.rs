//! Cloth: a pendulum, a catenary, and a sheet that bears water.

use std::f64::consts::TAU;

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::curves::{highest, largest, within};
use crate::figure::{Curve, DATA, Figure, Style, our_curve};
use crate::runs::RunRecord;
use glam::Vec3;
use sph_core::point_sets::PointSet;

const GRAVITY: f64 = 9.81;

// A pendulum.

/// Length, m, and angle at the start.
const LENGTH: f64 = 0.5;
const ANGLE: f64 = TAU / 12.0;

pub const PENDULUM: Case = Case {
    name: "cloth_pendulum",
    title: "Pendulum of cloth",
    about: "The smallest sheet has four vertices: the lower two swing about the upper two, which are pinned, from an angle of 30°. The \
            mean period of all swings in 15 s is compared with that of a pendulum of finite amplitude, T = 4 √(L/g) K(sin 15°).",
    remarks: "",
    scene: scene!("cloth_pendulum"),
    interval: 0.005,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "four vertices", set: &[], quick: true }],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_pendulum,
    draw: draw_pendulum,
};

/// Period of a pendulum of finite amplitude, s: `2π √(L/g) / M(1, cos(θ/2))` with the arithmetic-geometric mean M.
fn period() -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * ANGLE).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    TAU * (LENGTH / GRAVITY).sqrt() / a
}

/// Times at which a curve comes from below zero to above it.
fn upward_crossings(curve: &[[f64; 2]]) -> Vec<f64> {
    let pairs = curve.windows(2).filter(|pair| pair[0][1] < 0.0 && pair[1][1] >= 0.0);
    pairs.map(|pair| pair[0][0] - pair[0][1] * (pair[1][0] - pair[0][0]) / (pair[1][1] - pair[0][1])).collect()
}

fn measure_pendulum(run: &RunRecord) -> Vec<Measure> {
    let swing = run.series("bob.position.x", [1.0; 2]);
    let crossings = upward_crossings(&swing);
    let mean = match crossings.as_slice() {
        [first, .., last] => (last - first) / (crossings.len() - 1) as f64,
        _ => f64::NAN,
    };
    let late = swing.iter().filter(|point| point[0] > 15.0 - 1.5 * period()).map(|point| point[1]);
    vec![
        Measure::new("period / closed form", mean / period(), Unit::Plain(4))
            .accept(Criterion::Between(0.99, 1.01))
            .converges_to(1.0),
        Measure::new("amplitude of the last swing / first", late.fold(f64::NAN, f64::max) / swing[0][1], Unit::Plain(3)),
    ]
}

fn draw_pendulum(runs: &[&RunRecord]) -> Vec<Figure> {
    let swing = |run: &RunRecord| run.series("bob.position.x", [period(), LENGTH]);
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, swing(run)));
    vec![Figure {
        name: "cloth_pendulum".to_owned(),
        title: "Pendulum of cloth: place of the lower edge".to_owned(),
        caption: "Horizontal place of the lower edge over time; each period of the closed form is a unit".to_owned(),
        x: "t/T",
        y: "x/L",
        range: [0.0, 10.0],
        curves: curves.collect(),
    }]
}

// A sheet that hangs by its ends.

/// Half of the distance of the ends, their height, and the length of the sheet, m.
const HALF_SPAN: f64 = 0.4;
const HEIGHT: f64 = 1.0;
const SHEET: f64 = 1.2;

pub const HANGING_SHEET: Case = Case {
    name: "hanging_sheet",
    title: "Hanging sheet",
    about: "A sheet 1.2 m long that does not stretch is held by its ends, which come together to 0.8 m, and hangs at rest after 20 s. Its vertices must lie on a \
            catenary of its length; the largest vertical distance is given over the sag.",
    remarks: "The sheet is stretched where its whole weight hangs, beside the ends: each substep passes once over its edges. Shorter substeps stretch it less.",
    scene: scene!("hanging_sheet"),
    interval: 0.1,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "substeps of 0.52 ms", set: &["cloth.substep=0.00052"], quick: true }],
        judged: Judged::Each,
        variants: &[Setting { label: "the usual 1.04 ms", set: &[] }],
    },
    measure: measure_sheet,
    draw: draw_sheet,
};

/// Parameter a of the catenary `a cosh(x/a)` of the sheet's length, m.
fn catenary() -> f64 {
    let (mut low, mut high) = (0.05, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        // The flatter, the shorter.
        (low, high) = if 2.0 * a * (HALF_SPAN / a).sinh() > SHEET { (a, high) } else { (low, a) };
    }
    low
}

/// Height of the catenary at x (m), m.
fn catenary_height(a: f64, x: f64) -> f64 {
    HEIGHT + a * ((x / a).cosh() - (HALF_SPAN / a).cosh())
}

/// Vertices of the sheet at the end, along and up, m.
fn profile(run: &RunRecord) -> Vec<[f64; 2]> {
    let sheet = run.fluid().sets.first().map_or(&[][..], |set: &PointSet| &set.positions);
    let mut profile: Vec<[f64; 2]> = sheet.iter().map(|place| [place.x.into(), place.y.into()]).collect();
    profile.sort_by(|a, b| a[0].total_cmp(&b[0]));
    profile
}

fn measure_sheet(run: &RunRecord) -> Vec<Measure> {
    let a = catenary();
    let sag = HEIGHT - catenary_height(a, 0.0);
    let distance = largest(profile(run).into_iter().map(|[x, y]| (y - catenary_height(a, x)).abs()));
    vec![
        Measure::new("distance from the catenary / sag", distance / sag, Unit::Percent)
            .accept(Criterion::AtMost(0.01))
            .converges_to(0.0),
    ]
}

fn draw_sheet(runs: &[&RunRecord]) -> Vec<Figure> {
    let a = catenary();
    let places = (-40..=40).map(|step| 0.01 * f64::from(step));
    let catenary = Curve {
        name: "catenary".to_owned(),
        points: places.map(|x| [x, catenary_height(a, x)]).collect(),
        style: Style::Line,
        color: DATA,
    };
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, profile(run)));
    vec![Figure {
        name: "hanging_sheet".to_owned(),
        title: "Hanging sheet".to_owned(),
        caption: "Vertices of the sheet at rest, seen from the side, beside the catenary".to_owned(),
        x: "x [m]",
        y: "y [m]",
        range: [-HALF_SPAN, HALF_SPAN],
        curves: [catenary].into_iter().chain(curves).collect(),
    }]
}

// A sheet that bears water.

/// Depth of the water, and width of the tank, m.
const DEPTH: f64 = 0.3;
const TANK: f64 = 0.4;

pub const HELD_SHEET: Case = Case {
    name: "held_sheet",
    title: "Sheet held along the walls of a tank",
    about: "A slack sheet of 2 kg/m² is held by its edges along the walls of an open tank 0.4 m wide, and bears water 0.3 m deep for 10 s. No particle may pass \
            below it, or leave the tank over the walls.",
    remarks: "The water weighs far more than the sheet. A sheet that feels the weight too late throws the water off.",
    scene: scene!("held_sheet"),
    interval: 0.05,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "12 rows", set: &[], quick: false },
            Resolution { label: "12 rows, DFSPH", set: &["solver.method=dfsph"], quick: true },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_held,
    draw: |_| Vec::new(),
};

fn measure_held(run: &RunRecord) -> Vec<Measure> {
    let fluid = run.fluid();
    let heights = fluid.sets.first().into_iter().flat_map(|set| &set.positions).map(|vertex| vertex.y);
    let lowest = heights.fold(f32::INFINITY, f32::min);
    let count = |is_lost: &dyn Fn(Vec3) -> bool| fluid.particles.positions.iter().filter(|&&at| is_lost(at)).count() as f64;
    let is_out = |at: Vec3| [at.x, at.z].into_iter().any(|along| !(0.0..=TANK).contains(&f64::from(along)));
    let last = within(&run.speeds, run.scene.duration - 1.0, f64::INFINITY);
    vec![
        Measure::new("particles below the lowest vertex", count(&|at| at.y < lowest), Unit::Plain(0))
            .accept(Criterion::AtMost(0.0)),
        Measure::new("particles outside the walls", count(&is_out), Unit::Plain(0)).accept(Criterion::AtMost(0.0)),
        Measure::new("fastest particle in the last second / √(gH)", highest(&last) / (GRAVITY * DEPTH).sqrt(), Unit::Plain(3))
            .accept(Criterion::AtMost(0.05)),
        Measure::new("sag / width", (f64::from(SHEET_HEIGHT) - f64::from(lowest)) / TANK, Unit::Plain(3)),
    ]
}

/// Height of the edges of the sheet, m.
const SHEET_HEIGHT: f32 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_swings_would_take_two_pi_and_these_take_longer() {
        // 1 + θ²/16 + 11 θ⁴/3072, the series of the period.
        let series = 1.0 + ANGLE.powi(2) / 16.0 + 11.0 * ANGLE.powi(4) / 3072.0;
        assert!((period() / (TAU * (LENGTH / GRAVITY).sqrt()) - series).abs() < 1e-4);
        let swing: Vec<[f64; 2]> = (0..500).map(|k| [0.01 * f64::from(k), (TAU * 0.01 * f64::from(k) / 1.25).cos()]).collect();
        let crossings = upward_crossings(&swing);
        assert!(crossings.windows(2).all(|pair| (pair[1] - pair[0] - 1.25).abs() < 1e-4), "{crossings:?}");
    }

    #[test]
    fn the_catenary_has_the_length_of_the_sheet() {
        let a = catenary();
        let length: f64 = (0..4000)
            .map(|k| {
                let x = |k: f64| -HALF_SPAN + k * 2.0 * HALF_SPAN / 4000.0;
                let (left, right) = (x(f64::from(k)), x(f64::from(k) + 1.0));
                (right - left).hypot(catenary_height(a, right) - catenary_height(a, left))
            })
            .sum();
        assert!((length - SHEET).abs() < 1e-5, "{length}");
        assert!((catenary_height(a, HALF_SPAN) - HEIGHT).abs() < 1e-12);
    }
}
