//! Lid-driven cavity until the flow is steady.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{at, largest, mean, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Number of points of each probe line, from wall to wall, which are 1 m apart.
const POINTS: usize = 101;
/// Fraction of the run, at its end, over which velocities are averaged.
const STEADY: f64 = 0.2;

pub const SLOW: Case = Case {
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
    measure: |run| measure(run, "Re100", 0.02),
    draw: |runs| draw(runs, "cavity_re100", "Lid-driven cavity, Re 100", "Re100"),
};

pub const FAST: Case = Case {
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
    measure: |run| measure(run, "Re1000", 0.03),
    draw: |runs| draw(runs, "cavity_re1000", "Lid-driven cavity, Re 1000", "Re1000"),
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
        quantity: "velocity along the lid, on the upright line",
    },
    Line {
        probe: "across",
        component: 'y',
        table: reference!("ldc_own_reference_v.csv"),
        coordinate: "x",
        quantity: "velocity upwards, on the level line",
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
        (0..POINTS).map(|point| [point as f64 / (POINTS - 1) as f64, value(point)]).collect()
    }
}

/// The largest difference between a profile and the reference; NaN if a value is missing.
fn difference(profile: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    largest(expected.iter().map(|&[place, value]| at(profile, place).map_or(f64::NAN, |ours| (ours - value).abs())))
}

fn measure(run: &RunRecord, column: &str, tolerance: f64) -> Vec<Measure> {
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

fn draw(runs: &[&RunRecord], name: &str, title: &str, column: &str) -> Vec<Figure> {
    let figure = |line: &Line| {
        let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, line.profile(run)));
        Figure {
            name: format!("{name}_{}", line.probe),
            title: format!("{title}: {}", line.quantity),
            caption: format!("The {}, beside a computation on a fine grid", line.quantity),
            x: if line.component == 'x' { "y / L" } else { "x / L" },
            y: "velocity / U",
            range: [0.0, 1.0],
            curves: ours.chain([Curve::data("fine grid", line.expected(column))]).collect(),
        }
    };
    LINES.iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_tables_are_complete() {
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
