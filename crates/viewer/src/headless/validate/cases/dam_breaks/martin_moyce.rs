//! Dam breaks on a dry bed, compared with the experiments of Martin and Moyce (MartinMoyce1952).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{at, rms, slope, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Width of the column, m, and gravity, m/s².
const BASE: f64 = 0.05715;
const GRAVITY: f64 = 9.81;

/// Largest allowed shift of the time origin, in units of T: the gate of the experiment took some time to open.
const MAX_SHIFT: f64 = 0.30;

const RESOLUTIONS: &[Resolution] = &[
    Resolution { label: "a/20", set: &[], quick: true },
    Resolution { label: "a/40", set: &["particles.spacing=0.00142875"], quick: false },
];

/// A column twice as high as wide.
pub const TALL: Case = Case {
    name: "dam_break_n2",
    title: "Dam break, n² = 2",
    about: "A column of width a = 57 mm and height 2a collapses on a dry bed (Martin and Moyce 1952, tables 2 and 6). The \
            front position Z, in units of a, is compared over T = t √(2g/a) from 0.8 to 3.33, after one constant shift of \
            time of at most 0.30: the gate of the experiment took some time to open. The height H of the water at the back \
            wall, in units of 2a, is compared over τ = t √(g/a) without a shift.",
    remarks: "",
    scene: scene!("dam_break_n2"),
    interval: 0.0005,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: measure_tall,
    draw: draw_tall,
};

/// A column as high as wide.
pub const SQUARE: Case = Case {
    name: "dam_break_n1",
    title: "Dam break, n² = 1",
    about: "A square column of width a = 57 mm collapses on a dry bed (Martin and Moyce 1952). Only the height H of the \
            water at the back wall, in units of a, is compared, over τ = t √(g/a): the front of a square column is too fast \
            in every computation without bed friction.",
    remarks: "",
    scene: scene!("dam_break_n1"),
    interval: 0.001,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: measure_square,
    draw: draw_square,
};

const TALL_FRONT: &str = reference!("mm1952_n2_2_a2p25in_front_table.csv");
const TALL_HEIGHT: &str = reference!("mm1952_n2_2_a2p25in_height_table.csv");
const SQUARE_HEIGHT: &str = reference!("mm1952_n2_1_a2p25in_height_table.csv");

/// Front position Z over T, dimensionless.
fn front(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("front", [(BASE / (2.0 * GRAVITY)).sqrt(), BASE])
}

/// Height at the back wall over τ, dimensionless; `column` is the initial height, in units of a.
fn height(run: &RunRecord, column: f64) -> Vec<[f64; 2]> {
    run.series("height", [(BASE / GRAVITY).sqrt(), column * BASE])
}

/// Rms of the relative difference between the front, shifted by `shift` in T, and the experiment.
fn front_error(ours: &[[f64; 2]], data: &[[f64; 2]], shift: f64) -> f64 {
    rms(data.iter().map(|&[time, place]| at(ours, time - shift).map_or(f64::NAN, |ours| ours / place - 1.0)))
}

/// The allowed shift with the least error, and that error.
fn best_shift(ours: &[[f64; 2]], data: &[[f64; 2]]) -> (f64, f64) {
    let shifts = (-60..=60).map(|step| f64::from(step) / 60.0 * MAX_SHIFT);
    let errors = shifts.map(|shift| (shift, front_error(ours, data, shift)));
    errors.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::NAN))
}

/// The measures of the front of the tall column.
pub fn front_measures(run: &RunRecord) -> [Measure; 2] {
    let ours = front(run);
    let data = within(&points(TALL_FRONT, "T", "Z"), 0.8, 3.33);
    let (_, error) = best_shift(&ours, &data);
    let experiment = Source::Experiment("MartinMoyce1952");
    [
        Measure::new("front, rms difference after the shift", error, Unit::Percent)
            .accept(Criterion::AtMost(0.025))
            .compare_range(Source::OwnPrototype("δ-SPH, DFSPH"), [0.01, 0.014])
            .converges_to(0.0),
        Measure::new("front, slope dZ/dT over T = 1.8 to 3.3", slope(&within(&ours, 1.8, 3.3)), Unit::Plain(3))
            .accept(Criterion::Between(1.33, 1.50))
            .compare(experiment, slope(&within(&data, 1.8, 3.33)))
            .compare_range(Source::OwnPrototype("δ-SPH"), [1.40, 1.46]),
    ]
}

fn measure_tall(run: &RunRecord) -> Vec<Measure> {
    let height = height_measure(&height(run, 2.0), TALL_HEIGHT, [0.012, 0.021]);
    front_measures(run).into_iter().chain([height]).collect()
}

fn measure_square(run: &RunRecord) -> Vec<Measure> {
    vec![height_measure(&height(run, 1.0), SQUARE_HEIGHT, [0.022; 2])]
}

fn height_measure(ours: &[[f64; 2]], data: &str, prototype: [f64; 2]) -> Measure {
    let end = ours.last().map_or(0.0, |point| point[0]);
    let data = within(&points(data, "tau", "H"), 0.0, end);
    let difference = |&[time, height]: &[f64; 2]| at(ours, time).map(|ours| (ours - height).abs());
    // A height that cannot be computed counts as NaN.
    let largest = data.iter().map(difference).try_fold(0.0, |largest: f64, difference| Some(largest.max(difference?)));
    Measure::new("height at the back wall, largest difference", largest.unwrap_or(f64::NAN), Unit::Plain(3))
        .accept(Criterion::AtMost(0.03))
        .converges_to(0.0)
        .compare_range(Source::OwnPrototype("δ-SPH"), prototype)
}

fn draw_tall(runs: &[&RunRecord]) -> Vec<Figure> {
    let data = points(TALL_FRONT, "T", "Z");
    let ours = runs.iter().enumerate().map(|(index, run)| {
        let ours = front(run);
        let (shift, _) = best_shift(&ours, &within(&data, 0.8, 3.33));
        let shifted = ours.into_iter().map(|[time, place]| [time + shift, place]).collect();
        Curve::ours(index, runs.len(), &format!("{}, T {shift:+.2}", run.label), shifted)
    });
    let figure = Figure {
        name: "dam_break_n2_front".to_owned(),
        title: "Dam break, n² = 2: the front".to_owned(),
        caption: "Place of the front over time, each run with its shift, beside the experiment".to_owned(),
        x: "T = t √(2g/a)",
        y: "Z = x / a",
        range: [0.0, 3.5],
        curves: ours.chain([Curve::data("Martin and Moyce", data.clone())]).collect(),
    };
    vec![figure, height_figure(runs, "dam_break_n2_height", "2", 2.0, TALL_HEIGHT)]
}

fn draw_square(runs: &[&RunRecord]) -> Vec<Figure> {
    vec![height_figure(runs, "dam_break_n1_height", "1", 1.0, SQUARE_HEIGHT)]
}

fn height_figure(runs: &[&RunRecord], name: &str, n_squared: &str, column: f64, data: &str) -> Figure {
    let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, height(run, column)));
    let end = runs.iter().filter_map(|run| height(run, column).last().map(|point| point[0])).fold(1.0, f64::max);
    Figure {
        name: name.to_owned(),
        title: format!("Dam break, n² = {n_squared}: height at the back wall"),
        caption: "Height of the water at the back wall over time, beside the experiment".to_owned(),
        x: "τ = t √(g/a)",
        y: if column > 1.5 { "H = height / 2a" } else { "H = height / a" },
        range: [0.0, end],
        curves: ours.chain([Curve::data("Martin and Moyce", points(data, "tau", "H"))]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shift_is_found() {
        let data = within(&points(TALL_FRONT, "T", "Z"), 0.8, 3.33);
        assert_eq!(data.len(), 14);
        // The experiment itself, delayed by 0.2, with an additional point at each end.
        let mut ours: Vec<[f64; 2]> = data.iter().map(|[time, place]| [time + 0.2, *place]).collect();
        ours.insert(0, [0.0, 1.0]);
        ours.push([4.0, 5.0]);
        let (shift, error) = best_shift(&ours, &data);
        assert!((shift + 0.2).abs() < 1e-9 && error < 1e-9, "{shift} {error}");
        assert!(front_error(&ours, &data, 0.0) > 0.03);
    }
}
