//! Pressure in a tank that pitches slowly: the experiment of Akyıldız and Ünal (Akyildiz2006).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{largest, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Gauges: name of the probe, data, and the times between which each later peak lies, s. The first peak of each is left out: the
/// experiment's tank does not begin to move at full speed, as its formula does.
const GAUGES: [(&str, &str, [[f64; 2]; 2]); 2] = [
    ("gauge_2", reference!("akyildiz2006_pitch_p2.csv"), [[3.0, 5.0], [6.2, 8.2]]),
    ("gauge_8", reference!("akyildiz2006_pitch_p8.csv"), [[4.6, 6.6], [7.8, 9.4]]),
];

/// Reading of the experiment's gauges in air, kPa: gauge 8 between its peaks.
const DRY: f64 = 0.247;

pub const CASE: Case = Case {
    name: "pitching_tank",
    title: "Pitching tank",
    about: "A tank 0.92 m long with water 0.465 m deep pitches about its middle by 4° sin(2 t), t in s, a third of the frequency of its first mode \
            (Akyıldız and Ünal 2006). Gauge 2 is 0.17 m above the floor in the right wall, gauge 8 0.45 m above it in the left wall, where it is \
            wet for half of the time. The times and the heights of the second and the third peak are compared. The experiment's gauges \
            read 0.247 kPa in air, which is taken off their readings.",
    remarks: "The experiment is three-dimensional and coarsely sampled; its peaks are those of a parabola through the three highest samples.",
    scene: scene!("pitching_tank"),
    interval: 0.02,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "30 rows", set: &[], quick: false },
            Resolution { label: "30 rows, DFSPH", set: &["solver.method=dfsph", "time_step.max_dt=2e-3"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure,
    draw,
};

/// Pressure at a gauge over time, kPa.
fn ours(run: &RunRecord, gauge: &str) -> Vec<[f64; 2]> {
    run.series(&format!("{gauge}.mean_50ms"), [1.0, 1e3])
}

/// The experiment's, less the reading in air.
fn experiment(data: &str) -> Vec<[f64; 2]> {
    points(data, "t_s", "p_kPa").into_iter().map(|[time, pressure]| [time, pressure - DRY]).collect()
}

/// Time and height of the peak between two times: the vertex of the parabola through the highest point and its neighbours; NaN without one.
fn peak(curve: &[[f64; 2]], [from, to]: [f64; 2]) -> [f64; 2] {
    let inside = within(curve, from, to);
    let highest = inside.windows(3).max_by(|a, b| a[1][1].total_cmp(&b[1][1]));
    let Some([[t0, p0], [t1, p1], [t2, p2]]) = highest.and_then(|points| <[_; 3]>::try_from(points).ok()) else {
        return [f64::NAN; 2];
    };
    let (rise, fall) = ((p1 - p0) / (t1 - t0), (p2 - p1) / (t2 - t1));
    let curvature = (fall - rise) / (t2 - t0);
    let time = 0.5 * (t0 + t1) - 0.5 * rise / curvature;
    [time, p0 + (time - t0) * (rise + curvature * (time - t1))]
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let mut errors = [Vec::new(), Vec::new()];
    for (gauge, data, peaks) in GAUGES {
        let (ours, experiment) = (ours(run, gauge), experiment(data));
        for between in peaks {
            let (found, expected) = (peak(&ours, between), peak(&experiment, between));
            (0..2).for_each(|n| errors[n].push((found[n] / expected[n] - 1.0).abs()));
        }
    }
    let [times, heights] = errors.map(|errors| largest(errors.into_iter()));
    vec![
        Measure::new("time of a peak, largest error", times, Unit::Percent)
            .accept(Criterion::AtMost(0.03))
            .if_missed("not known; the error is less than the interval between the experiment's samples")
            .compare(Source::Experiment("Akyildiz2006"), 0.0),
        Measure::new("height of a peak, largest error", heights, Unit::Percent)
            .accept(Criterion::AtMost(0.20))
            .compare(Source::Experiment("Akyildiz2006"), 0.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let figure = |(gauge, data, _): (&str, &str, _)| {
        let curves = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, ours(run, gauge)));
        let number = gauge.trim_start_matches("gauge_");
        Figure {
            name: format!("pitching_tank_{gauge}"),
            title: format!("Pitching tank: pressure at gauge {number}"),
            caption: format!("Pressure at gauge {number} over time, beside the experiment"),
            x: "t, s",
            y: "pressure, kPa",
            range: [0.0, 9.5],
            curves: curves.chain([Curve::data("experiment", experiment(data))]).collect(),
        }
    };
    GAUGES.into_iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_the_vertex_of_its_parabola() {
        let curve: Vec<[f64; 2]> = [0.0, 0.4, 0.9, 1.3].map(|t: f64| [t, 2.0 - 3.0 * (t - 0.8).powi(2)]).into();
        let [time, height] = peak(&curve, [0.0, 2.0]);
        assert!((time - 0.8).abs() < 1e-12 && (height - 2.0).abs() < 1e-12, "{time}, {height}");
        assert!(peak(&curve, [0.0, 0.5])[0].is_nan());
    }

    /// Less that reading, the wet gauge's mean is about the hydrostatic pressure of the tank at rest; with it, a tenth more.
    #[test]
    fn the_reading_in_air_explains_the_mean_of_the_wet_gauge() {
        let curve = within(&experiment(GAUGES[0].1), 0.8, 7.3);
        let mean = curve.iter().map(|[_, pressure]| pressure).sum::<f64>() / curve.len() as f64;
        assert!((mean / (9.81 * (0.465 - 0.17)) - 1.0).abs() < 0.05, "{mean} kPa");
    }
}
