//! Still water: hydrostatic pressure and residual motion.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::{highest, mean, rms, within};
use crate::figure::{Curve, DATA, Figure, OURS, Style};
use crate::runs::RunRecord;
use plotters::style::RGBColor;

/// Depth of the water, m, and gravity, m/s².
const DEPTH: f64 = 0.5;
const GRAVITY: f64 = 9.81;
/// Width of the tank, m.
const WIDTH: f64 = 1.0;
const DENSITY: f64 = 1000.0;

/// Scales of length, pressure and speed: H, ρgH, √(gH).
pub fn scales() -> [f64; 3] {
    [DEPTH, DENSITY * GRAVITY * DEPTH, (GRAVITY * DEPTH).sqrt()]
}

pub const CASE: Case = Case {
    name: "still_water",
    title: "Still water",
    about: "Water rests in a tank 1 m wide, 0.5 m = H deep, for 18 √(H/g). Pressure must be ρ g times depth. Bed pressure \
            and speed are evaluated over the second half of the run, the pressure of the particles at its end, a support \
            radius away from walls and surface.",
    remarks: "With DFSPH the bed pressure depends on details of the run: the variants differ in their longest step alone.",
    scene: scene!("still_water"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "25 rows", set: &[], quick: true },
            Resolution { label: "50 rows", set: &["particles.spacing=0.01"], quick: false },
            Resolution { label: "25 rows, DFSPH", set: &["solver.method=dfsph"], quick: false },
            Resolution { label: "50 rows, DFSPH", set: &["solver.method=dfsph", "particles.spacing=0.01"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[
            Setting { label: "25 rows, DFSPH, steps of 1.94 ms", set: &["solver.method=dfsph", "time_step.max_dt=0.00194"] },
            Setting { label: "25 rows, DFSPH, steps of 1.98 ms", set: &["solver.method=dfsph", "time_step.max_dt=0.00198"] },
            Setting { label: "25 rows, DFSPH, steps of 2 ms", set: &["solver.method=dfsph", "time_step.max_dt=0.002"] },
        ],
    },
    measure,
    draw,
};

fn measure(run: &RunRecord) -> Vec<Measure> {
    let [_, weight, speed] = scales();
    let end = run.scene.duration;
    let late = |series: &[[f64; 2]]| within(series, 0.5 * end, f64::INFINITY);
    let bed = mean(&late(&run.series("bed", [1.0, weight])));
    let error = rms(interior(run).into_iter().map(|[height, pressure]| pressure - (1.0 - height)));
    let held = highest(&late(&run.held));
    let fastest = highest(&late(&run.speeds)) / speed;
    vec![
        Measure::new("bed pressure, mean / ρgH", bed, Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .converges_to(1.0)
            .compare_range(Source::OwnPrototype("DFSPH"), [1.006, 1.018]),
        Measure::new("pressure inside, rms error / ρgH", error, Unit::Percent)
            .accept(Criterion::AtMost(if run.rows(DEPTH) >= 50 { 0.03 } else { 0.05 }))
            .converges_to(0.0)
            .compare_range(Source::OwnPrototype("DFSPH, 25 rows"), [0.02, 0.06]),
        Measure::new("fastest particle / √(gH)", fastest, Unit::Plain(3))
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0)
            .compare(Source::OwnPrototype("DFSPH, at most"), 0.05),
        Measure::new("most particles held by the clamp at walls", held, Unit::Plain(0)).accept(Criterion::AtMost(0.0)),
    ]
}

/// Height / H and pressure / ρgH of the particles away from walls and surface.
fn interior(run: &RunRecord) -> Vec<[f64; 2]> {
    let fluid = run.fluid();
    let margin = f64::from(fluid.discretization.support_radius);
    let [_, weight, _] = scales();
    let particles = fluid.particles;
    let samples = particles
        .positions
        .iter()
        .zip(&particles.pressures)
        .map(|(position, &pressure)| (position.as_dvec3(), f64::from(pressure)));
    let inside = samples.filter(|(position, _)| {
        (margin..=WIDTH - margin).contains(&position.x) && (margin..=DEPTH - margin).contains(&position.y)
    });
    inside.map(|(position, pressure)| [position.y / DEPTH, pressure / weight]).collect()
}

/// The curve of a run: one hue per solver, darker for the finer resolution.
fn curve(run: &RunRecord, points: Vec<[f64; 2]>) -> Curve {
    let iterative = run.scene.setup.parameters.solver.method.is_iterative();
    let color = match (iterative, run.rows(DEPTH) >= 50) {
        (false, false) => OURS[1],
        (false, true) => OURS[2],
        (true, false) => RGBColor(0x7f, 0xc9, 0xa9),
        (true, true) => RGBColor(0x00, 0x79, 0x5a),
    };
    Curve { name: run.label.to_owned(), color, style: Style::Line, points }
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let ([_, weight, wave_speed], time) = (scales(), (DEPTH / GRAVITY).sqrt());
    let exact = Curve { name: "ρ g H".to_owned(), color: DATA, style: Style::Dashed, points: vec![[0.0, 1.0], [100.0, 1.0]] };
    let ours = runs.iter().map(|run| curve(run, run.series("bed", [time, weight])));
    let speeds = runs.iter().map(|run| {
        let scaled = run.speeds.iter().map(|[at, speed]| [at / time, speed / wave_speed]);
        curve(run, scaled.collect())
    });
    vec![
        Figure {
            name: "still_water_bed".to_owned(),
            title: "Still water: pressure in the middle of the bed".to_owned(),
            caption: "Bed pressure over time, beside the weight of the water".to_owned(),
            x: "t √(g/H)",
            y: "p / ρgH",
            range: [0.0, 17.7],
            curves: ours.chain([exact]).collect(),
        },
        Figure {
            name: "still_water_speed".to_owned(),
            title: "Still water: the fastest particle".to_owned(),
            caption: "Highest speed of any particle over time".to_owned(),
            x: "t √(g/H)",
            y: "speed / √(gH)",
            range: [0.0, 17.7],
            curves: speeds.collect(),
        },
    ]
}
