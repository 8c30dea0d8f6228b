//! Impact pressure of a dam break, compared with the experiment of Lobovský and others (Lobovsky2014) and a fine 2D computation
//! (DeCourcy2024).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, OTHERS, Style};
use crate::headless::validate::numbers::{first_above, highest, mean, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Height of the column, m, gravity, m/s², and density, kg/m³.
const HEIGHT: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 1000.0;

pub const CASE: Case = Case {
    name: "lobovsky",
    title: "Dam break, pressure of the impact",
    about: "A column of 0.6 × 0.3 m (H = 0.3 m) collapses in a tank 1.61 m long, and its wave hits the far wall: pressure at \
            sensor 2, 15 mm above the floor (Lobovský and others 2014, median of 100 experiments). The arrival time of the \
            wave must be within 2 % of the experiment's, or within 1 % of that of a fine 2D computation; the first peak is that of a gauge of the \
            experiment's size, 4.2 mm, averaged over 10 ms; the plateau after the impact is compared with the fine computation (De Courcy and \
            others 2024), because in the experiment side walls and air lower it.",
    remarks: "Our wave arrives earlier than the experiment's, and a finer resolution does not delay it; so does that of the fine 2D computation, without bed \
              friction as ours. The initial state is not the cause: the variants begin with the hydrostatic pressure of water behind a gate and with the \
              pressure of water just after the gate is removed. More artificial viscosity delays the wave, but that is numerical damping \
              and is not used. At a point and an instant the front of the particles, about as blunt as their spacing, strikes harder than water does, the \
              shorter the finer they are; the gauge's mean, over which the experiment's pressure hardly changes about its peak, is what converges.",
    scene: scene!("lobovsky"),
    interval: 0.0005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "H/40", set: &[], quick: false },
            Resolution { label: "H/80", set: &["particles.spacing=0.00375"], quick: false },
            Resolution { label: "H/120", set: &["particles.spacing=0.0025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "H/40, hydrostatic start", set: &["fluid.blocks.0.initial_pressure=hydrostatic"] },
            Setting { label: "H/40, released start", set: &["fluid.blocks.0.initial_pressure=released"] },
            Setting { label: "H/40, artificial viscosity 0.05", set: &["fluid.artificial_viscosity=0.05"] },
        ],
    },
    measure,
    draw,
};

const EXPERIMENT: &str = reference!("lobovsky2014_H300_sensor2_percentiles.csv");
const COMPUTATION: &str = reference!("decourcy2024_2d_P2.csv");

/// Units of t* and p*: √(H/g), s, and ρ g H, Pa.
fn scales() -> [f64; 2] {
    [(HEIGHT / GRAVITY).sqrt(), DENSITY * GRAVITY * HEIGHT]
}

/// p* over t*, without the times at which the sensor is in air.
fn pressure(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("sensor_2", scales())
}

/// p* over t* as the gauge reads it.
fn gauge(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("gauge.disc_4.2mm.mean_10ms", scales())
}

/// Time t* at which the wave reaches the sensor: the first with p* above 0.3.
fn arrival(pressure: &[[f64; 2]]) -> f64 {
    first_above(pressure, 0.3).unwrap_or(f64::NAN)
}

/// Mean p* after the impact, over t* = 3.2 to 5.5.
fn plateau(pressure: &[[f64; 2]]) -> f64 {
    mean(&within(pressure, 3.2, 5.5))
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let (ours, gauge) = (pressure(run), gauge(run));
    let (experiment, computation) = (points(EXPERIMENT, "t_star", "median"), points(COMPUTATION, "t_star", "p_star"));
    let peak = |curve: &[[f64; 2]]| highest(&within(curve, 2.2, 3.2));
    vec![
        Measure::new("arrival t* (p* above 0.3)", arrival(&ours), Unit::Plain(3))
            .accept(Criterion::Between(0.99 * arrival(&computation), 2.515))
            .compare(Source::Experiment("Lobovsky2014"), arrival(&experiment))
            .compare(Source::Publication("DeCourcy2024"), arrival(&computation))
            .compare(Source::OwnPrototype("δ-SPH"), 2.449),
        Measure::new("mean p* over t* = 3.2 to 5.5", plateau(&ours), Unit::Plain(3))
            .accept(Criterion::Between(0.95 * 0.896, 1.05 * 0.896))
            .compare(Source::Publication("DeCourcy2024"), plateau(&computation))
            .compare(Source::Experiment("Lobovsky2014"), plateau(&experiment)),
        Measure::new("first peak of p*, by the gauge", peak(&gauge), Unit::Plain(2))
            .accept(Criterion::Between(1.76, 2.01))
            .compare(Source::Experiment("Lobovsky2014"), peak(&experiment))
            .compare(Source::Publication("DeCourcy2024"), peak(&computation))
            .if_missed("the front of the particles is as blunt as they are coarse"),
        Measure::new("first peak of p*, at a point and an instant", peak(&ours), Unit::Plain(2)),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, pressure(run)));
    let experiment = Curve {
        name: "experiment".to_owned(),
        color: DATA,
        style: Style::Line,
        points: points(EXPERIMENT, "t_star", "median"),
    };
    let computation = Curve {
        name: "De Courcy, 2D".to_owned(),
        color: OTHERS,
        style: Style::Line,
        points: points(COMPUTATION, "t_star", "p_star"),
    };
    vec![Figure {
        name: "lobovsky_sensor_2".to_owned(),
        title: "Dam break: pressure at sensor 2".to_owned(),
        caption: "Pressure at sensor 2 over time, beside the experiment and a fine computation in the plane".to_owned(),
        x: "t* = t √(g/H)",
        y: "p* = p / ρgH",
        range: [2.2, 5.6],
        curves: ours.chain([computation, experiment]).collect(),
    }]
}
