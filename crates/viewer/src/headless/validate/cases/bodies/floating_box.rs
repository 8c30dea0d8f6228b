//! A held box and a floating one.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::{mean, within};
use crate::headless::validate::record::RunRecord;

/// Side of the boxes, m, and weight of the water that the held one displaces, N/m.
const SIDE: f64 = 0.4;
const WEIGHT: f64 = 1000.0 * 9.81 * SIDE * SIDE;

/// Time from which means are taken, s, and the end of the run.
const FROM: f64 = 2.0;
const END: f64 = 4.0;

pub const CASE: Case = Case {
    name: "floating_box",
    title: "Held and floating box",
    about: "Two boxes of side 0.4 m in water 1 m deep. One is held below the surface: the force on it must be the weight of the water that it displaces. The \
            other has half the density of water, is released a little too low, and must come to rest half immersed. Both are means from 2 to 4 s.",
    remarks: "The floating box may not turn: a square of half the density of water is stable with a diagonal upright.",
    scene: scene!("floating"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "side/10", set: &["particles.spacing=0.04"], quick: true },
            Resolution { label: "side/20", set: &[], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[Setting { label: "side/20, DFSPH", set: &["solver.method=dfsph"] }],
    },
    measure,
    draw,
};

/// Immersed depth of the floating box over its side, by time.
fn immersion(run: &RunRecord) -> Vec<[f64; 2]> {
    let (heights, levels) = (run.series("floating.position.y", [1.0; 2]), run.series("level", [1.0; 2]));
    heights.iter().zip(&levels).map(|(height, level)| [height[0], (level[1] - height[1] + 0.5 * SIDE) / SIDE]).collect()
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let late = |curve: Vec<[f64; 2]>| mean(&within(&curve, FROM, END));
    let held = late(run.series("held.pressure.y", [1.0, WEIGHT]));
    vec![
        Measure::new("force on the held box / displaced weight", held, Unit::Plain(3))
            .accept(Criterion::Between(0.98, 1.02))
            .converges_to(1.0),
        Measure::new("immersion of the floating box / half", 2.0 * late(immersion(run)), Unit::Plain(3))
            .accept(Criterion::Between(0.98, 1.02))
            .converges_to(1.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, immersion(run)));
    let half = Curve { name: "half".to_owned(), points: vec![[0.0, 0.5], [END, 0.5]], style: Style::Line, color: DATA };
    vec![Figure {
        name: "floating_box".to_owned(),
        title: "Floating box: immersion".to_owned(),
        caption: "Immersed part of the floating box over time".to_owned(),
        x: "t [s]",
        y: "depth / side",
        range: [0.0, END],
        curves: curves.chain([half]).collect(),
    }]
}
