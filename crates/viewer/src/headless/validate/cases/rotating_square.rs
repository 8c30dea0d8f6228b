//! A square patch of fluid in free rotation (Colagrossi2005).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::holes::widest_hole;
use crate::headless::validate::numbers::{at, largest, mean, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};
use glam::DVec3;

/// Pressure scale of the series, ρ ω² L², Pa.
const PRESSURE: f64 = 1000.0;
/// Initial distance of the corners from the centre, m.
const CORNER: f64 = std::f64::consts::FRAC_1_SQRT_2;

pub const CASE: Case = Case {
    name: "rotating_square",
    title: "Rotating square patch",
    about: "A square of fluid of side L starts in rigid rotation at ω, without gravity and walls (Colagrossi 2005). Its \
            pressure is negative everywhere inside, and its corners stretch into arms. The pressure at four points is \
            compared with the series solution of Poisson's equation. A hole is an empty disc that cannot leave the patch \
            without touching a particle; its radius is 0.71 spacings in a square lattice, and 1 at a vacancy.",
    remarks: "Variants without shifting, or that set negative pressures to zero, have wider holes. Tensile control acts by forces that are not \
              opposite, and conserves neither energy nor angular momentum.",
    scene: scene!("rotating_square"),
    interval: 0.005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "L/50", set: &[], quick: false },
            Resolution { label: "L/100", set: &["particles.spacing=0.01"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "L/50, no shifting", set: &["solver.shifting=0"] },
            Setting { label: "L/50, negative pressure none", set: &["solver.wcsph.negative_pressure=none"] },
            Setting { label: "L/50, tensile control", set: &["solver.wcsph.negative_pressure=tensile_control"] },
        ],
    },
    measure,
    draw,
};

const SERIES: &str = reference!("rotating_square_initial_pressure.csv");

/// Probes, their positions along the midline or the diagonal, in units of L, and the column of the series.
const PROBES: [(&str, f64, &str); 4] = [
    ("center", 0.0, "p_midline_over_rho_w2_L2"),
    ("midline_2", 0.2, "p_midline_over_rho_w2_L2"),
    ("midline_4", 0.4, "p_midline_over_rho_w2_L2"),
    ("diagonal_3", 0.3, "p_diagonal_over_rho_w2_L2"),
];

/// The largest relative error at the probes of the pressure that `value` makes of a series over time.
fn pressure_error(run: &RunRecord, value: fn(&[[f64; 2]]) -> f64) -> f64 {
    let error = |&(probe, position, column): &(&str, f64, &str)| {
        let expected = at(&points(SERIES, "x_over_L_from_centre", column), position).unwrap_or(f64::NAN);
        (value(&run.series(probe, [1.0, PRESSURE])) / expected - 1.0).abs()
    };
    largest(PROBES.iter().map(error))
}

/// Growth of a conserved quantity until the end, relative to its initial value.
fn growth(curve: &[[f64; 2]]) -> f64 {
    curve.first().zip(curve.last()).map_or(f64::NAN, |(first, last)| last[1] / first[1] - 1.0)
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let positions: Vec<DVec3> = run.fluid().particles.positions.iter().map(|position| position.as_dvec3()).collect();
    let spacing = f64::from(run.fluid().discretization.particle_spacing);
    let farthest = positions.iter().map(|position| position.length()).fold(0.0, f64::max);
    let initial = |curve: &[[f64; 2]]| curve.first().map_or(f64::NAN, |point| point[1]);
    let early = |curve: &[[f64; 2]]| mean(&within(curve, 0.0, 0.1));
    let conserved = |name, value, most: f64| {
        Measure::new(name, value, Unit::Percent)
            .accept(Criterion::Between(-most, most))
            .compare(Source::Theory(""), 0.0)
            .converges_to(0.0)
    };
    vec![
        Measure::new("pressure at the start, largest error of four points", pressure_error(run, initial), Unit::Percent)
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0),
        Measure::new(
            "mean pressure over t ω = 0 to 0.1, largest difference from the start",
            pressure_error(run, early),
            Unit::Percent,
        ),
        conserved("growth of the kinetic energy until t ω = 2", growth(&run.energy()), 0.02),
        conserved("growth of the angular momentum until t ω = 2", growth(&run.angular_momentum), 0.01),
        Measure::new("radius of the largest hole at t ω = 2 / spacing", widest_hole(&positions, spacing), Unit::Plain(2))
            .accept(Criterion::AtMost(1.25)),
        Measure::new("reach of the arms at t ω = 2 / of the corners", farthest / CORNER, Unit::Plain(2))
            .accept(Criterion::AtLeast(1.5)),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let exact = points(SERIES, "x_over_L_from_centre", "p_midline_over_rho_w2_L2").first().map_or(f64::NAN, |point| point[1]);
    let exact = Curve {
        name: "series, at the start".to_owned(),
        color: DATA,
        style: Style::Dashed,
        points: vec![[0.0, exact], [2.0, exact]],
    };
    let ours = runs
        .iter()
        .enumerate()
        .map(|(index, run)| Curve::ours(index, runs.len(), &run.label, run.series("center", [1.0, PRESSURE])));
    vec![Figure {
        name: "rotating_square_pressure".to_owned(),
        title: "Rotating square: pressure in the middle".to_owned(),
        caption: "Pressure in the middle of the patch over time".to_owned(),
        x: "t ω",
        y: "p / ρω²L²",
        range: [0.0, 2.0],
        curves: ours.chain([exact]).collect(),
    }]
}
