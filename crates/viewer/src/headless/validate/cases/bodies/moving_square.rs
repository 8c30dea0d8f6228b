//! A square that moves through a closed box full of fluid (SPHERIC benchmark test 6).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{largest, mean, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// First and last time of the comparison of drag, D/U.
const BEGIN: f64 = 1.0;
const END: f64 = 8.0;
/// Number of windows over which drag is averaged before it is compared, each a little longer than the 20/15 D/U that sound
/// takes for the length of the box and back, because the drag oscillates with that period.
const WINDOWS: usize = 5;
/// Number of windows over which drag is averaged before it is plotted.
const PLOT_WINDOWS: usize = 28;
/// Force scale, ½ ρ U² D, N/m.
const FORCE: f64 = 0.5;

pub const CASE: Case = Case {
    name: "moving_square",
    title: "Moving square in a box, Re 100",
    about: "A square of side D accelerates up to U within D/U and crosses a closed box, 10 D long and 5 D high, full of \
            fluid at rest; Re = UD/ν = 100 (SPHERIC benchmark test 6). Its drag, pressure and friction, over ½ρU²D, is \
            compared with a computation on a grid that follows the surface (Colicchio and others), from 1 to 8 D/U, each \
            averaged over fifths of that time.",
    remarks: "The box is closed and the fluid slightly compressible: the sound waves of the start are reflected, and the fifths are a little longer than they \
              take for the length of the box and back. The plot has averages over shorter windows, in which the oscillation is visible. From the second \
              resolution to the third the drag does not converge; why is not known.",
    scene: scene!("moving_square"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "D/10", set: &["particles.spacing=0.1"], quick: false },
            Resolution { label: "D/20", set: &[], quick: false },
            Resolution { label: "D/40", set: &["particles.spacing=0.025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure,
    draw,
};

const EXPECTED: &str = reference!("spheric6_moving_square_Re100_force.csv");

/// Means of a curve over successive windows, at the windows' centres.
fn averaged(curve: &[[f64; 2]], windows: usize) -> Vec<[f64; 2]> {
    let length = (END - BEGIN) / windows as f64;
    let window = |window: usize| {
        let begin = BEGIN + window as f64 * length;
        [begin + 0.5 * length, mean(&within(curve, begin, begin + length))]
    };
    (0..windows).map(window).collect()
}

/// Drag of the reference, pressure and friction together.
fn expected() -> Vec<[f64; 2]> {
    let (pressure, friction) = (points(EXPECTED, "t", "Cd_p"), points(EXPECTED, "t", "Cd_v"));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// Our drag: the square moves along x, and the fluid's force on it is negative.
fn ours(run: &RunRecord) -> Vec<[f64; 2]> {
    let (pressure, friction) = (run.series("drag.pressure.x", [1.0, -FORCE]), run.series("drag.viscous.x", [1.0, -FORCE]));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// The largest relative difference of two curves at the same times.
fn difference(ours: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    largest(ours.iter().zip(expected).map(|(ours, expected)| (ours[1] / expected[1] - 1.0).abs()))
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let (ours, expected) = (averaged(&ours(run), WINDOWS), averaged(&expected(), WINDOWS));
    vec![
        Measure::new("drag, largest difference in a fifth", difference(&ours, &expected), Unit::Percent)
            .accept(Criterion::AtMost(0.1))
            .converges_to(0.0),
        Measure::new("mean drag / reference", mean(&ours) / mean(&expected), Unit::Plain(3))
            .accept(Criterion::Between(0.9, 1.1))
            .converges_to(1.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs
        .iter()
        .enumerate()
        .map(|(index, run)| Curve::ours(index, runs.len(), &run.label, averaged(&ours(run), PLOT_WINDOWS)));
    vec![Figure {
        name: "moving_square_drag".to_owned(),
        title: "Moving square: drag".to_owned(),
        caption: "Drag of the square over time, averaged over windows of 0.25 D/U, beside the reference".to_owned(),
        x: "t U/D",
        y: "drag / ½ρU²D",
        range: [BEGIN, END],
        curves: curves.chain([Curve::data("Colicchio and others", averaged(&expected(), PLOT_WINDOWS))]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_table_is_complete() {
        let expected = averaged(&expected(), WINDOWS);
        assert!(expected.iter().all(|point| (1.7..2.4).contains(&point[1])), "{expected:?}");
        assert_eq!(difference(&expected, &expected), 0.0);
        assert_eq!(difference(&[[1.0, 3.0]], &[[1.0, 2.0]]), 0.5);
        assert!(difference(&[[1.0, f64::NAN]], &[[1.0, 2.0]]).is_nan());
    }
}
