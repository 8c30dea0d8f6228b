//! A square that sets off through a closed box full of fluid: the sixth benchmark test of SPHERIC.

use crate::headless::validate::case::{Bar, Case, Judged, Measure, Resolution, Unit, scene};
use crate::headless::validate::evidence::Evidence;
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::{largest, mean, within};
use crate::headless::validate::reference::{points, reference};

/// When the drag is compared, D/U.
const FROM: f64 = 1.0;
const TO: f64 = 8.0;
/// Windows over which drag is averaged before it is compared, each a little longer than sound takes for the length of the box and back,
/// 20/15 D/U: it rings.
const WINDOWS: usize = 5;
/// Windows over which it is averaged before it is drawn.
const DRAWN: usize = 28;
/// ½ ρ U² D, N/m, by which forces are divided.
const FORCE: f64 = 0.5;

pub const CASE: Case = Case {
    name: "moving_square",
    title: "Moving square in a box, Re 100",
    about: "A square of side D gathers speed up to U within D/U and crosses a closed box, 10 D long and 5 D high, full of fluid at rest; Re = UD/ν = 100 \
            (SPHERIC's benchmark test 6). Its drag, pressure and friction, over ½ρU²D, is compared with a computation on a grid that follows \
            the surface (Colicchio and others), from 1 to 8 D/U, each averaged over fifths of that time.",
    remarks: "The box is closed and the fluid a little compressible, with a speed of sound of 15 U: what the square's start sends out runs to and fro \
              and takes 1.33 D/U for the length of the box and back. The fifths are a little longer. The plot has averages over 0.25 D/U, \
              in which the ringing is seen. The drag is 3 to 6 % too high at each of the spacings, and from D/20 to D/40 it comes no nearer: why is not known.",
    scene: scene!("moving_square"),
    interval: 0.01,
    resolutions: &[
        Resolution { label: "D/10", set: &["particles.spacing=0.1"], quick: false },
        Resolution { label: "D/20", set: &[], quick: false },
        Resolution { label: "D/40", set: &["particles.spacing=0.025"], quick: false },
    ],
    judged: Judged::Finest,
    measure,
    draw,
};

const EXPECTED: &str = reference!("spheric6_moving_square_Re100_force.csv");

/// Means of a curve over windows side by side, at their middles.
fn averaged(curve: &[[f64; 2]], windows: usize) -> Vec<[f64; 2]> {
    let length = (TO - FROM) / windows as f64;
    let window = |window: usize| {
        let begin = FROM + window as f64 * length;
        [begin + 0.5 * length, mean(&within(curve, begin, begin + length))]
    };
    (0..windows).map(window).collect()
}

/// Drag of the reference, pressure and friction together.
fn expected() -> Vec<[f64; 2]> {
    let (pressure, friction) = (points(EXPECTED, "t", "Cd_p"), points(EXPECTED, "t", "Cd_v"));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// Our drag: the square moves along x, the fluid pushes against it.
fn ours(run: &Evidence) -> Vec<[f64; 2]> {
    let (pressure, friction) = (run.series("drag.pressure.x", [1.0, -FORCE]), run.series("drag.viscous.x", [1.0, -FORCE]));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// The largest difference of two curves at the same times, in shares of the second.
fn difference(ours: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    largest(ours.iter().zip(expected).map(|(ours, expected)| (ours[1] / expected[1] - 1.0).abs()))
}

fn measure(run: &Evidence) -> Vec<Measure> {
    let (ours, expected) = (averaged(&ours(run), WINDOWS), averaged(&expected(), WINDOWS));
    vec![
        Measure {
            name: "drag, largest difference in a fifth".to_owned(),
            value: difference(&ours, &expected),
            bar: Bar::AtMost(0.1),
            unit: Unit::Percent,
            elsewhere: "",
        },
        Measure {
            name: "mean drag / reference".to_owned(),
            value: mean(&ours) / mean(&expected),
            bar: Bar::Between(0.9, 1.1),
            unit: Unit::Plain(3),
            elsewhere: "",
        },
    ]
}

fn draw(runs: &[&Evidence]) -> Vec<Figure> {
    let curves =
        runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), run.label, averaged(&ours(run), DRAWN)));
    vec![Figure {
        name: "moving_square_drag".to_owned(),
        title: "Moving square: drag".to_owned(),
        caption: "Drag of the square over time, averaged over windows of 0.25 D/U, beside the reference".to_owned(),
        x: "t U/D",
        y: "drag / ½ρU²D",
        range: [FROM, TO],
        curves: curves.chain([Curve::data("Colicchio and others", averaged(&expected(), DRAWN))]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_there() {
        let expected = averaged(&expected(), WINDOWS);
        assert!(expected.iter().all(|point| (1.7..2.4).contains(&point[1])), "{expected:?}");
        assert_eq!(difference(&expected, &expected), 0.0);
        assert_eq!(difference(&[[1.0, 3.0]], &[[1.0, 2.0]]), 0.5);
        assert!(difference(&[[1.0, f64::NAN]], &[[1.0, 2.0]]).is_nan());
    }
}
