//! Flows between walls: between two plates, and in a cavity under a lid that moves.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::curves::{at, largest, mean, points, reference, within};
use crate::figure::{Curve, DATA, Figure, OURS, Style, data_curve, our_curve};
use crate::runs::RunRecord;

// Flow between two plates, from rest: driven by a body force along them (Poiseuille), or by one of them (Couette); after
// Morris1997.

/// Velocity scale, m/s: on the axis of the Poiseuille profile, and of the moving plate.
const SPEED: f64 = 1.25e-5;
/// Times of the profiles, s; equal to ν t / L², as in the names of the tables' columns.
const TIMES: [&str; 5] = ["0.0225", "0.045", "0.1125", "0.225", "1"];
/// Number of points from plate to plate.
const CHANNEL_POINTS: usize = 21;

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
    measure: |run| measure_channel(run, &exact(POISEUILLE_SERIES, "u_over_V_t")),
    draw: |runs| draw_channel("poiseuille", "Poiseuille flow", runs, &exact(POISEUILLE_SERIES, "u_over_V_t")),
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
    measure: |run| measure_channel(run, &exact(COUETTE_SERIES, "u_over_V0_t")),
    draw: |runs| draw_channel("couette", "Couette flow", runs, &exact(COUETTE_SERIES, "u_over_V0_t")),
};

const POISEUILLE_SERIES: &str = reference!("poiseuille_transient.csv");
const COUETTE_SERIES: &str = reference!("couette_transient.csv");

/// The profiles of the table, y / L against velocity, in the order of [`TIMES`].
fn exact(table: &str, column: &str) -> Vec<Vec<[f64; 2]>> {
    TIMES.iter().map(|time| points(table, "y_over_L", &format!("{column}{time}"))).collect()
}

/// Our profile at `time`, y / L against velocity.
fn profile(run: &RunRecord, time: f64) -> Vec<[f64; 2]> {
    let place = |point: usize| point as f64 / (CHANNEL_POINTS - 1) as f64;
    let value = |point: usize| at(&run.series(&format!("profile.{point}.x"), [1.0, SPEED]), time);
    (0..CHANNEL_POINTS).filter_map(|point| Some([place(point), value(point)?])).collect()
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

fn measure_channel(run: &RunRecord, exact: &[Vec<[f64; 2]>]) -> Vec<Measure> {
    let at_time = |(time, exact): (&&str, &Vec<[f64; 2]>)| {
        Measure::new(format!("relative L2 error at t = {time} s"), relative(&profile(run, seconds(time)), exact), Unit::Percent)
            .accept(Criterion::AtMost(0.01))
            .converges_to(0.0)
    };
    TIMES.iter().zip(exact).map(at_time).collect()
}

fn draw_channel(name: &str, title: &str, runs: &[&RunRecord], exact: &[Vec<[f64; 2]>]) -> Vec<Figure> {
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

// Lid-driven cavity until the flow is steady.

/// Number of points of each probe line, from wall to wall, which are 1 m apart.
const CAVITY_POINTS: usize = 101;

/// Fraction of the run, at its end, over which velocities are averaged.
const STEADY: f64 = 0.2;

pub const CAVITY_SLOW: Case = Case {
    name: "cavity_re100",
    title: "Lid-driven cavity, Re 100",
    about: "The lid of a square box of side L moves with velocity U and drags the fluid along; Re = UL/ν = 100. The steady \
            velocity, in units of U, on the vertical centre line (horizontal component) and on the horizontal one (vertical \
            component), averaged over the last fifth of 15 L/U, is compared with our own computation on grids of up to 512² \
            cells, at the points that Ghia and others (1982) list.",
    remarks: "",
    scene: scene!("cavity_re100"),
    interval: 0.1,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "50²", set: &["particles.spacing=0.02"], quick: true },
            Resolution { label: "100²", set: &[], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: |run| measure_cavity(run, "Re100", 0.02),
    draw: |runs| draw_cavity(runs, "cavity_re100", "Lid-driven cavity, Re 100", "Re100"),
};

pub const CAVITY_FAST: Case = Case {
    name: "cavity_re1000",
    title: "Lid-driven cavity, Re 1000",
    about: "The same cavity with a tenth of the viscosity: Re = 1000. Velocities are averaged over the last fifth of 40 L/U.",
    remarks: "",
    scene: scene!("cavity_re1000"),
    interval: 0.1,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "50²", set: &["particles.spacing=0.02"], quick: false },
            Resolution { label: "100²", set: &[], quick: false },
            Resolution { label: "200²", set: &["particles.spacing=0.005"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure: |run| measure_cavity(run, "Re1000", 0.03),
    draw: |runs| draw_cavity(runs, "cavity_re1000", "Lid-driven cavity, Re 1000", "Re1000"),
};

/// A line through the middle of the cavity.
struct Line {
    probe: &'static str,
    component: char,
    table: &'static str,
    /// The table's coordinate along the line.
    coordinate: &'static str,
    quantity: &'static str,
}

const LINES: [Line; 2] = [
    Line {
        probe: "upright",
        component: 'x',
        table: reference!("ldc_own_reference_u.csv"),
        coordinate: "y",
        quantity: "velocity along the lid, on the vertical centreline",
    },
    Line {
        probe: "across",
        component: 'y',
        table: reference!("ldc_own_reference_v.csv"),
        coordinate: "x",
        quantity: "vertical velocity, on the horizontal centreline",
    },
];

impl Line {
    /// The reference profile, sorted by the coordinate.
    fn expected(&self, column: &str) -> Vec<[f64; 2]> {
        let mut points = points(self.table, self.coordinate, column);
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    }

    /// Our velocity profile from wall to wall, averaged over the end of the run.
    fn profile(&self, run: &RunRecord) -> Vec<[f64; 2]> {
        let (begin, end) = ((1.0 - STEADY) * run.scene.duration, run.scene.duration);
        let value = |point: usize| {
            let series = run.series(&format!("{}.{point}.{}", self.probe, self.component), [1.0, 1.0]);
            mean(&within(&series, begin, end))
        };
        (0..CAVITY_POINTS).map(|point| [point as f64 / (CAVITY_POINTS - 1) as f64, value(point)]).collect()
    }
}

/// The largest difference between a profile and the reference; NaN if a value is missing.
fn difference(profile: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    largest(expected.iter().map(|&[place, value]| at(profile, place).map_or(f64::NAN, |ours| (ours - value).abs())))
}

fn measure_cavity(run: &RunRecord, column: &str, tolerance: f64) -> Vec<Measure> {
    let of = |line: &Line| {
        Measure::new(
            format!("{}, largest difference / U", line.quantity),
            difference(&line.profile(run), &line.expected(column)),
            Unit::Plain(3),
        )
        .accept(Criterion::AtMost(tolerance))
        .converges_to(0.0)
    };
    LINES.iter().map(of).collect()
}

fn draw_cavity(runs: &[&RunRecord], name: &str, title: &str, column: &str) -> Vec<Figure> {
    let figure = |line: &Line| {
        let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, line.profile(run)));
        Figure {
            name: format!("{name}_{}", line.probe),
            title: format!("{title}: {}", line.quantity),
            caption: format!("The {}, beside a computation on a fine grid", line.quantity),
            x: if line.component == 'x' { "y / L" } else { "x / L" },
            y: "velocity / U",
            range: [0.0, 1.0],
            curves: ours.chain([data_curve("fine grid", line.expected(column))]).collect(),
        }
    };
    LINES.iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_channel_are_complete() {
        for (table, column) in [(POISEUILLE_SERIES, "u_over_V_t"), (COUETTE_SERIES, "u_over_V0_t")] {
            let profiles = exact(table, column);
            assert!(profiles.iter().all(|profile| profile.len() == CHANNEL_POINTS), "{column}");
            assert_eq!(relative(&profiles[0], &profiles[0]), 0.0);
        }
        let twice = [[0.0, 2.0], [1.0, 4.0]];
        assert_eq!(relative(&twice, &[[0.0, 1.0], [1.0, 2.0]]), 1.0);
    }

    #[test]
    fn the_tables_of_the_cavity_are_complete() {
        for (line, reynolds) in LINES.iter().flat_map(|line| [(line, "Re100"), (line, "Re1000")]) {
            let expected = line.expected(reynolds);
            assert_eq!(expected.len(), 17, "{reynolds} {}", line.probe);
            assert_eq!(difference(&expected, &expected), 0.0);
        }
    }

    #[test]
    fn missing_values_give_nan() {
        let expected = [[0.0, 1.0], [1.0, 2.0]];
        assert_eq!(difference(&[[0.0, 1.5], [1.0, 2.25]], &expected), 0.5);
        assert!(difference(&[[0.0, f64::NAN], [1.0, 2.0]], &expected).is_nan());
        assert!(difference(&[[0.0, 1.0]], &expected).is_nan());
    }
}
