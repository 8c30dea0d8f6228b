//! Oil at rest on water: hydrostatic pressure in two fluids, and a level interface.

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::{largest, mean, within};
use crate::headless::validate::record::RunRecord;

/// Height of the interface and depth of the oil, m; gravity, m/s².
const INTERFACE: f64 = 0.5;
const OIL: f64 = 0.5;
const GRAVITY: f64 = 9.81;
/// Rest densities of water and oil, kg/m³.
const DENSITIES: [f64; 2] = [1000.0, 800.0];

pub const CASE: Case = Case {
    name: "two_layers",
    title: "Oil on water",
    about: "A layer of oil (800 kg/m³) rests on a layer of water (1000 kg/m³), each 0.5 m deep, for 4 s. The pressure must be the \
            weight of what lies above, and the interface must stay level. Pressures and the height of the interface are \
            evaluated over the second half of the run.",
    remarks: "",
    scene: scene!("two_layers"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "25 rows each", set: &[], quick: true },
            Resolution { label: "25 rows, DFSPH", set: &["solver.method=dfsph", "time_step.max_dt=2e-3"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure,
    draw,
};

/// Weight of both layers on the bed, and of the oil on the interface, Pa.
fn weights() -> [f64; 2] {
    let [water, oil] = DENSITIES;
    [GRAVITY * (water * INTERFACE + oil * OIL), GRAVITY * oil * OIL]
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let end = run.scene.duration;
    let late = |name: &str, scale: f64| within(&run.series(name, [1.0, scale]), 0.5 * end, f64::INFINITY);
    let [bed, interface] = weights();
    let spacing = f64::from(run.scene.setup.discretization.particle_spacing);
    let level = late("level", 1.0);
    let pressure =
        |name, value| Measure::new(name, value, Unit::Plain(3)).accept(Criterion::Between(0.98, 1.02)).converges_to(1.0);
    let distance = largest(level.iter().map(|point| (point[1] - INTERFACE).abs() / spacing));
    vec![
        pressure("pressure on the bed, mean / weight", mean(&late("bed", bed))),
        pressure("pressure at the interface, mean / weight", mean(&late("interface", interface))),
        Measure::new("interface, largest distance from its level / spacing", distance, Unit::Plain(2))
            .accept(Criterion::AtMost(1.0)),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let [bed, _] = weights();
    let exact = Curve { name: "weight".to_owned(), color: DATA, style: Style::Dashed, points: vec![[0.0, 1.0], [100.0, 1.0]] };
    let ours =
        runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, run.series("bed", [1.0, bed])));
    vec![Figure {
        name: "two_layers_bed".to_owned(),
        title: "Oil on water: pressure on the bed".to_owned(),
        caption: "Pressure in the middle of the bed over time, beside the weight of both layers".to_owned(),
        x: "t, s",
        y: "p / weight",
        range: [0.0, 4.0],
        curves: ours.chain([exact]).collect(),
    }]
}
