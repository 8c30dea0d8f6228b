//! A square patch of fluid that spins freely (Colagrossi2005).

use crate::headless::validate::case::{Bar, Case, Judged, Measure, Resolution, Unit, scene};
use crate::headless::validate::evidence::Evidence;
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::holes::widest_hole;
use crate::headless::validate::numbers::at;
use crate::headless::validate::reference::{points, reference};
use glam::DVec3;

/// Pressures of the series are in units of ρ ω² L², Pa.
const UNIT: f64 = 1000.0;
/// Distance of the corners from the middle at the start, m.
const CORNER: f64 = std::f64::consts::FRAC_1_SQRT_2;

pub const CASE: Case = Case {
    name: "rotating_square",
    title: "Rotating square patch",
    about: "A square of fluid of side L starts as if it were rigid, turning at ω, without gravity and walls (Colagrossi 2005). Its pressure is \
            negative everywhere inside, and its corners stretch into arms. The pressure at four points is compared with the series that solves \
            Poisson's equation. A hole is an empty disc that cannot leave the patch without \
            touching a particle; a lattice leaves room for one of 0.71 spacings in radius, a particle missing from it for one of 1.",
    remarks: "Over t ω = 0 to 0.1 the mean pressure at the four points is within 8.4 % (L/50) and 5.1 % (L/100) of the series at the start, worst near \
              the edge. Until t ω = 2 the kinetic energy grows by 3.6 % and 1.1 %, the angular momentum by 5.6 % and 2.2 %: likely the price of forces \
              that are not quite equal and opposite. Without shifting the largest hole is 1.8 spacings in radius (L/50), with \
              `negative_pressure = \"none\"` 1.6.",
    scene: scene!("rotating_square"),
    interval: 0.005,
    resolutions: &[
        Resolution { label: "L/50", set: &[], quick: true },
        Resolution { label: "L/100", set: &["particles.spacing=0.01"], quick: false },
    ],
    judged: Judged::Finest,
    measure,
    draw,
};

const SERIES: &str = reference!("rotating_square_initial_pressure.csv");

/// Probes, their places along the midline or the diagonal, in L, and the column of the series.
const PROBES: [(&str, f64, &str); 4] = [
    ("center", 0.0, "p_midline_over_rho_w2_L2"),
    ("midline_2", 0.2, "p_midline_over_rho_w2_L2"),
    ("midline_4", 0.4, "p_midline_over_rho_w2_L2"),
    ("diagonal_3", 0.3, "p_diagonal_over_rho_w2_L2"),
];

/// The largest relative error of the pressure at the probes at the start.
fn pressure_error(run: &Evidence) -> f64 {
    let error = |&(probe, place, column): &(&str, f64, &str)| {
        let expected = at(&points(SERIES, "x_over_L_from_centre", column), place).unwrap_or(f64::NAN);
        let ours = run.series(probe, [1.0, UNIT]).first().map_or(f64::NAN, |point| point[1]);
        (ours / expected - 1.0).abs()
    };
    // What cannot be read is no small error.
    PROBES.iter().map(error).fold(0.0, |most, error| if error <= most { most } else { error })
}

fn measure(run: &Evidence) -> Vec<Measure> {
    let places: Vec<DVec3> = run.simulation().particles().positions.iter().map(|place| place.as_dvec3()).collect();
    let spacing = f64::from(run.simulation().discretization().particle_spacing);
    let farthest = places.iter().map(|place| place.length()).fold(0.0, f64::max);
    let measure = |name: &str, value, bar, unit| Measure { name: name.to_owned(), value, bar, unit, elsewhere: "" };
    vec![
        measure("pressure at the start, largest error of four points", pressure_error(run), Bar::AtMost(0.05), Unit::Percent),
        measure(
            "radius of the largest hole at t ω = 2 / spacing",
            widest_hole(&places, spacing),
            Bar::AtMost(1.25),
            Unit::Plain(2),
        ),
        measure("reach of the arms at t ω = 2 / of the corners", farthest / CORNER, Bar::AtLeast(1.5), Unit::Plain(2)),
    ]
}

fn draw(runs: &[&Evidence]) -> Vec<Figure> {
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
        .map(|(index, run)| Curve::ours(index, runs.len(), run.label, run.series("center", [1.0, UNIT])));
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
