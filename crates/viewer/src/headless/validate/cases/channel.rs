//! Flow between two plates, from rest: driven by a body force along them (Poiseuille), or by one of them (Couette); after
//! Morris1997.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, OURS, Style};
use crate::headless::validate::numbers::at;
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Velocity scale, m/s: on the axis of the Poiseuille profile, and of the moving plate.
const SPEED: f64 = 1.25e-5;
/// Times of the profiles, s; equal to ν t / L², as in the names of the tables' columns.
const TIMES: [&str; 5] = ["0.0225", "0.045", "0.1125", "0.225", "1"];
/// Number of points from plate to plate.
const POINTS: usize = 21;

const RESOLUTIONS: &[Resolution] = &[
    Resolution { label: "L/20", set: &["particles.spacing=5e-5"], quick: false },
    Resolution { label: "L/40", set: &[], quick: true },
];

pub const POISEUILLE: Case = Case {
    name: "poiseuille",
    title: "Poiseuille flow",
    about: "Fluid at rest between two plates a distance L apart is driven along them by a body force from t = 0 on, until \
            the velocity profile is parabolic; Re = 0.0125, as in Morris and others. The velocity across the channel is \
            compared with the series solution at five times.",
    remarks: "",
    scene: scene!("poiseuille"),
    interval: 0.0025,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: |run| measure(run, &exact(POISEUILLE_SERIES, "u_over_V_t")),
    draw: |runs| draw("poiseuille", "Poiseuille flow", runs, &exact(POISEUILLE_SERIES, "u_over_V_t")),
};

pub const COUETTE: Case = Case {
    name: "couette",
    title: "Couette flow",
    about: "One of two plates a distance L apart, with fluid at rest between them, moves from t = 0 on, until the velocity \
            profile is linear; Re = 0.0125, as in Morris and others. The velocity across the channel is compared with the \
            series solution at five times.",
    remarks: "",
    scene: scene!("couette"),
    interval: 0.0025,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: |run| measure(run, &exact(COUETTE_SERIES, "u_over_V0_t")),
    draw: |runs| draw("couette", "Couette flow", runs, &exact(COUETTE_SERIES, "u_over_V0_t")),
};

const POISEUILLE_SERIES: &str = reference!("poiseuille_transient.csv");
const COUETTE_SERIES: &str = reference!("couette_transient.csv");

/// The profiles of the table, y / L against velocity, in the order of [`TIMES`].
fn exact(table: &str, column: &str) -> Vec<Vec<[f64; 2]>> {
    TIMES.iter().map(|time| points(table, "y_over_L", &format!("{column}{time}"))).collect()
}

/// Our profile at `time`, y / L against velocity.
fn profile(run: &RunRecord, time: f64) -> Vec<[f64; 2]> {
    let place = |point: usize| point as f64 / (POINTS - 1) as f64;
    let value = |point: usize| at(&run.series(&format!("profile.{point}.x"), [1.0, SPEED]), time);
    (0..POINTS).filter_map(|point| Some([place(point), value(point)?])).collect()
}

fn seconds(time: &str) -> f64 {
    time.parse().unwrap_or(f64::NAN)
}

/// Relative L2 difference of two profiles at the same points, √(Σ(a − b)²/Σb²); NaN if points are missing.
fn relative(ours: &[[f64; 2]], exact: &[[f64; 2]]) -> f64 {
    if ours.len() != exact.len() {
        return f64::NAN;
    }
    let difference: f64 = ours.iter().zip(exact).map(|(ours, exact)| (ours[1] - exact[1]).powi(2)).sum();
    (difference / exact.iter().map(|exact| exact[1].powi(2)).sum::<f64>()).sqrt()
}

fn measure(run: &RunRecord, exact: &[Vec<[f64; 2]>]) -> Vec<Measure> {
    let at_time = |(time, exact): (&&str, &Vec<[f64; 2]>)| {
        Measure::new(format!("relative L2 error at t = {time} s"), relative(&profile(run, seconds(time)), exact), Unit::Percent)
            .accept(Criterion::AtMost(0.01))
            .converges_to(0.0)
    };
    TIMES.iter().zip(exact).map(at_time).collect()
}

fn draw(name: &str, title: &str, runs: &[&RunRecord], exact: &[Vec<[f64; 2]>]) -> Vec<Figure> {
    let Some(run) = runs.last() else { return Vec::new() };
    let series = exact.iter().enumerate().map(|(index, points)| Curve {
        name: if index == 0 { "series".to_owned() } else { String::new() },
        color: DATA,
        style: Style::Dashed,
        points: points.clone(),
    });
    let ours = TIMES.iter().map(|time| Curve {
        name: format!("{}, t = {time} s", run.label),
        color: OURS[2],
        style: Style::Line,
        points: profile(run, seconds(time)),
    });
    vec![Figure {
        name: format!("{name}_profiles"),
        title: format!("{title}: velocity across the channel"),
        caption: "Velocity from plate to plate at five times, beside the series".to_owned(),
        x: "y / L",
        y: "velocity / V",
        range: [0.0, 1.0],
        curves: series.chain(ours).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_tables_are_complete() {
        for (table, column) in [(POISEUILLE_SERIES, "u_over_V_t"), (COUETTE_SERIES, "u_over_V0_t")] {
            let profiles = exact(table, column);
            assert!(profiles.iter().all(|profile| profile.len() == POINTS), "{column}");
            assert_eq!(relative(&profiles[0], &profiles[0]), 0.0);
        }
        let twice = [[0.0, 2.0], [1.0, 4.0]];
        assert_eq!(relative(&twice, &[[0.0, 1.0], [1.0, 2.0]]), 1.0);
    }
}
