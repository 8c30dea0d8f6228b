//! A floating sphere.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::{mean, within};
use crate::headless::validate::record::RunRecord;

/// Diameter, m, and the immersed part of it, the root of 3 x² − 2 x³ = 0.9.
const DIAMETER: f64 = 0.4;
const DEPTH: f64 = 0.804_200;

/// Time from which the mean is taken, s, and the end of the run.
const FROM: f64 = 2.0;
const END: f64 = 3.0;

pub const CASE: Case = Case {
    name: "floating_sphere",
    title: "Floating sphere",
    about: "A sphere of diameter 0.4 m and nine tenths of the density of water in a tank 0.8 m wide and 0.64 m deep is released half a diameter too low. At rest \
            it must displace its weight: 3 x² − 2 x³ = 0.9 for the immersed part x of the diameter, 0.804. The mean is from 2 to 3 s.",
    remarks: "",
    scene: scene!("floating_sphere"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "diameter/10", set: &[], quick: false },
            Resolution { label: "diameter/16", set: &["particles.spacing=0.025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure,
    draw,
};

/// Immersed depth over the diameter, by time.
fn immersion(run: &RunRecord) -> Vec<[f64; 2]> {
    let (heights, levels) = (run.series("sphere.position.y", [1.0; 2]), run.series("level", [1.0; 2]));
    heights.iter().zip(&levels).map(|(height, level)| [height[0], (level[1] - height[1]) / DIAMETER + 0.5]).collect()
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let depth = mean(&within(&immersion(run), FROM, END));
    vec![
        Measure::new("immersion / theory", depth / DEPTH, Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .converges_to(1.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, immersion(run)));
    let theory = Curve { name: "theory".to_owned(), points: vec![[0.0, DEPTH], [END, DEPTH]], style: Style::Line, color: DATA };
    vec![Figure {
        name: "floating_sphere".to_owned(),
        title: "Floating sphere: immersion".to_owned(),
        caption: "Immersed part of the diameter over time".to_owned(),
        x: "t [s]",
        y: "depth / diameter",
        range: [0.0, END],
        curves: curves.chain([theory]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_immersed_cap_has_nine_tenths_of_the_volume() {
        assert!((3.0 * DEPTH.powi(2) - 2.0 * DEPTH.powi(3) - 0.9).abs() < 1e-5);
    }
}
