//! A 2D disc of fluid that its own motion stretches (Monaghan1994).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::at;
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

pub const CASE: Case = Case {
    name: "elliptical_drop",
    title: "Elliptical drop",
    about: "A disc of fluid of radius R = 1 m starts with v = (−100 x, 100 y) 1/s, without gravity and walls, and stretches \
            into an ellipse (Monaghan 1994). Its axes obey an ordinary differential equation, and its kinetic energy is \
            constant. The axes are measured at the outermost particles.",
    remarks: "",
    scene: scene!("elliptical_drop"),
    interval: 0.00005,
    resolutions: &[
        Resolution { label: "R/20", set: &[], quick: false },
        Resolution { label: "R/40", set: &["particles.spacing=0.025"], quick: true },
    ],
    judged: Judged::Finest,
    measure,
    draw,
};

const EXACT: &str = reference!("elliptical_drop.csv");

fn measure(run: &RunRecord) -> Vec<Measure> {
    let (major, energy) = (run.series("top", [1.0, 1.0]), energy(run));
    let exact = points(EXACT, "t_s", "b_major_y");
    let axis = |time: f64, name: &str| {
        let error = at(&major, time).zip(at(&exact, time)).map(|(ours, exact)| (ours / exact - 1.0).abs());
        Measure {
            name: name.to_owned(),
            value: error.unwrap_or(f64::NAN),
            criterion: Criterion::AtMost(0.015),
            unit: Unit::Percent,
            literature: "0.1 to 1.0 % (WCSPH)",
        }
    };
    vec![
        axis(0.0038, "major axis at 3.8 ms, error"),
        axis(0.0076, "major axis at 7.6 ms, error"),
        Measure {
            name: "kinetic energy at 7.6 ms / at the start".to_owned(),
            value: at(&energy, 0.0076).unwrap_or(f64::NAN),
            criterion: Criterion::AtLeast(0.93),
            unit: Unit::Plain(3),
            literature: "0.94 to 0.99 (WCSPH)",
        },
    ]
}

/// Kinetic energy divided by its initial value.
fn energy(run: &RunRecord) -> Vec<[f64; 2]> {
    let first = run.series("energy.kinetic", [1.0, 1.0]).first().map_or(f64::NAN, |point| point[1]);
    run.series("energy.kinetic", [1.0, first])
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let axes = |(index, run): (usize, &&RunRecord)| {
        let ours = |column| Curve::ours(index, runs.len(), run.label, run.series(column, [1e-3, 1.0]));
        // Both axes have the same colour, and one entry in the legend.
        [ours("top"), Curve { name: String::new(), ..ours("side") }]
    };
    let exact = |column| points(EXACT, "t_s", column).into_iter().map(|[time, axis]| [1e3 * time, axis]).collect();
    let data = [Curve::data("exact", exact("b_major_y")), Curve::data("", exact("a_minor_x"))];
    vec![Figure {
        name: "elliptical_drop_axes".to_owned(),
        title: "Elliptical drop: major and minor axis".to_owned(),
        caption: "Both half axes over time, beside the exact solution".to_owned(),
        x: "t, ms",
        y: "half axis / R",
        range: [0.0, 7.7],
        curves: runs.iter().enumerate().flat_map(axes).chain(data).collect(),
    }]
}
