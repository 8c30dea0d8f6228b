//! Rayleigh–Taylor instability of two viscous fluids in a box.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::at;
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Times of the comparison, √(H/g).
const TIMES: [f64; 3] = [1.0, 2.0, 3.0];

/// Height of the interface without its wave, H.
const MIDDLE: f64 = 1.0;

pub const CASE: Case = Case {
    name: "rayleigh_taylor",
    title: "Rayleigh–Taylor instability, 1.8 : 1, Re 420",
    about: "A heavy fluid lies on a light one in a closed box, H wide and 2 H high, with no-slip walls; densities 1.8 : 1, Re = \
            √(gH³)/ν = 420 in both, interface y/H = 1 − 0.15 sin(2πx/H). The heights of the bubble, the highest point of the light \
            fluid, and of the spike, the lowest of the heavy one, are compared at t √(g/H) = 1, 2 and 3, as distances from \
            the middle of the box. The papers that show this case (Grenier2009 and others) print pictures, no heights: the \
            reference is a computation of our own on a staggered grid of 256 × 512 cells with a chain of markers, whose heights \
            change by less than 0.001 H when the grid is halved.",
    remarks: "The support radius is four spacings. With three, bubble and spike fall behind, at both resolutions alike: the pressure of the depth, much \
              higher than that of the flow, makes the lattice of particles stiff, and fewer neighbours make it stiffer.",
    scene: scene!("rayleigh_taylor"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "H/40", set: &["particles.spacing=0.025"], quick: false },
            Resolution { label: "H/80", set: &[], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "H/40, 3 spacings", set: &["particles.spacing=0.025", "particles.support_radius=3.0"] },
            Setting { label: "H/80, 3 spacings", set: &["particles.support_radius=3.0"] },
        ],
    },
    measure,
    draw,
};

const EXPECTED: &str = reference!("rayleigh_taylor_own_256.csv");

/// Distance of a front from the middle over time, H.
fn distances(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    curve.iter().map(|[time, height]| [*time, (height - MIDDLE).abs()]).collect()
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let of_front = |front: &'static str| {
        let (ours, expected) = (distances(&run.series(front, [1.0, 1.0])), distances(&points(EXPECTED, "t", front)));
        TIMES.map(|time| {
            Measure::new(
                format!("{front} at t √(g/H) = {time}, distance from the middle / reference"),
                at(&ours, time).zip(at(&expected, time)).map_or(f64::NAN, |(ours, expected)| ours / expected),
                Unit::Plain(3),
            )
            .accept(Criterion::Between(0.9, 1.1))
            .converges_to(1.0)
        })
    };
    [of_front("bubble"), of_front("spike")].concat()
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().flat_map(|(index, run)| {
        ["bubble", "spike"]
            .map(|front| Curve::ours(index, runs.len(), &format!("{front}, {}", run.label), run.series(front, [1.0, 1.0])))
    });
    let data = ["bubble", "spike"].map(|front| Curve::data(&format!("{front}, on a grid"), points(EXPECTED, "t", front)));
    vec![Figure {
        name: "rayleigh_taylor_heights".to_owned(),
        title: "Rayleigh–Taylor instability: bubble and spike".to_owned(),
        caption: "Heights of the highest point of the light fluid and of the lowest point of the heavy one over time"
            .to_owned(),
        x: "t √(g/H)",
        y: "height / H",
        range: [0.0, 3.0],
        curves: curves.chain(data).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_begins_with_the_wave_and_has_every_time() {
        for (front, amplitude) in [("bubble", 0.15), ("spike", 0.15)] {
            let expected = distances(&points(EXPECTED, "t", front));
            assert!((expected[0][1] - amplitude).abs() < 1e-6, "{front}: {:?}", expected[0]);
            assert!(TIMES.iter().all(|&time| at(&expected, time).is_some_and(|distance| distance > 0.2)));
        }
    }
}
