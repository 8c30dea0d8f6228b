//! A cylinder that falls through the surface.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{at, largest};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Unit of time, √(R/g), s, and height of the centre at the start, m; R = 1 m.
const UNIT: f64 = 0.319_275;
const START: f64 = 14.0;

/// Times of the comparison, √(R/g), after the splash has closed, and before the floor is near.
const TIMES: [f64; 3] = [2.0, 4.0, 6.0];

pub const CASE: Case = Case {
    name: "falling_cylinder",
    title: "Falling cylinder",
    about: "A cylinder of radius R, 1.2 times as dense as water, is released at rest with its centre at the surface of water 14 R deep and 10 R wide, and falls \
            freely. Its displacement is compared with a computation by the volume-of-fluid method (Fekken 2004) at 2, 4 and 6 √(R/g).",
    remarks: "The drag after the splash depends on the artificial viscosity: with the usual one the cylinder falls too fast later on, as a variant shows.",
    scene: scene!("falling_cylinder"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "R/10", set: &[], quick: false }],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "R/10, usual viscosity", set: &["fluid.artificial_viscosity=0.05"] },
            Setting { label: "R/10, DFSPH", set: &["solver.method=dfsph"] },
        ],
    },
    measure,
    draw,
};

const EXPECTED: &str = reference!("fekken2004_falling_cylinder_disp.csv");

/// Displacement over R, by time over √(R/g).
fn ours(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("cylinder.position.y", [UNIT, 1.0]).iter().map(|[time, height]| [*time, height - START]).collect()
}

/// Largest relative difference of two displacements at [`TIMES`].
fn difference(ours: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    let of = |curve: &[[f64; 2]], time: f64| at(curve, time).unwrap_or(f64::NAN);
    largest(TIMES.into_iter().map(|time| (of(ours, time) / of(expected, time) - 1.0).abs()))
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let difference = difference(&ours(run), &points(EXPECTED, "T", "y"));
    vec![
        Measure::new("displacement, largest difference", difference, Unit::Percent)
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, ours(run)));
    // Fewer points than the table has, or they would cover the curves.
    let expected = points(EXPECTED, "T", "y").into_iter().step_by(12).collect();
    vec![Figure {
        name: "falling_cylinder".to_owned(),
        title: "Falling cylinder: displacement".to_owned(),
        caption: "Displacement of the cylinder over time, beside that of Fekken (2004)".to_owned(),
        x: "t √(g/R)",
        y: "y/R",
        range: [0.0, 8.0],
        curves: curves.chain([Curve::data("Fekken (2004)", expected)]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_agrees_with_itself_only() {
        let expected = points(EXPECTED, "T", "y");
        assert_eq!(difference(&expected, &expected), 0.0);
        let slower: Vec<_> = expected.iter().map(|[time, y]| [*time, 0.9 * y]).collect();
        assert!((difference(&slower, &expected) - 0.1).abs() < 1e-9);
    }
}
