//! A 2D disc of fluid that its own motion stretches (Monaghan1994).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
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
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "R/20", set: &[], quick: false },
            Resolution { label: "R/40", set: &["particles.spacing=0.025"], quick: true },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure,
    draw,
};

const EXACT: &str = reference!("elliptical_drop.csv");

/// Times at which the axes are compared, s, and their text.
const TIMES: [(f64, &str); 2] = [(0.0038, "3.8 ms"), (0.0076, "7.6 ms")];

/// Relative error of an axis at the time, read by `probe`.
fn axis_error(run: &RunRecord, probe: &str, column: &str, time: f64) -> f64 {
    let (ours, exact) = (run.series(probe, [1.0, 1.0]), points(EXACT, "t_s", column));
    at(&ours, time).zip(at(&exact, time)).map_or(f64::NAN, |(ours, exact)| (ours / exact - 1.0).abs())
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let axis =
        |name: String, error, most| Measure::new(name, error, Unit::Percent).accept(Criterion::AtMost(most)).converges_to(0.0);
    let major = TIMES.map(|(time, text)| {
        let error = axis_error(run, "top", "b_major_y", time);
        axis(format!("major axis at {text}, error"), error, 0.015).compare_range(Source::OwnPrototype("WCSPH"), [0.001, 0.01])
    });
    let minor = TIMES.map(|(time, text)| {
        let error = axis_error(run, "side", "a_minor_x", time);
        axis(format!("minor axis at {text}, error"), error, 0.02).compare_range(Source::OwnPrototype("WCSPH"), [0.07, 0.08])
    });
    let energy =
        Measure::new("kinetic energy at 7.6 ms / at the start", at(&energy(run), 0.0076).unwrap_or(f64::NAN), Unit::Plain(3))
            .accept(Criterion::AtLeast(0.93))
            .compare(Source::Theory("Monaghan1994"), 1.0)
            .compare_range(Source::OwnPrototype("WCSPH"), [0.94, 0.99])
            .converges_to(1.0);
    major.into_iter().chain(minor).chain([energy]).collect()
}

/// Kinetic energy divided by its initial value.
fn energy(run: &RunRecord) -> Vec<[f64; 2]> {
    let first = run.series("energy.kinetic", [1.0, 1.0]).first().map_or(f64::NAN, |point| point[1]);
    run.series("energy.kinetic", [1.0, first])
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let axes = |(index, run): (usize, &&RunRecord)| {
        let ours = |column| Curve::ours(index, runs.len(), &run.label, run.series(column, [1e-3, 1.0]));
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
