//! Two fluids: at rest, one on the other, and turning over.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::curves::{at, largest, mean, points, reference, within};
use crate::figure::{Curve, DATA, Figure, Style, data_curve, our_curve};
use crate::runs::RunRecord;

// Oil at rest on water: hydrostatic pressure in two fluids, and a level interface.

/// Height of the interface and depth of the oil, m; gravity, m/s².
const INTERFACE: f64 = 0.5;
const OIL: f64 = 0.5;
const GRAVITY: f64 = 9.81;
/// Rest densities of water and oil, kg/m³.
const DENSITIES: [f64; 2] = [1000.0, 800.0];

pub const LAYERS: Case = Case {
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
    measure: measure_layers,
    draw: draw_layers,
};

/// Weight of both layers on the bed, and of the oil on the interface, Pa.
fn weights() -> [f64; 2] {
    let [water, oil] = DENSITIES;
    [GRAVITY * (water * INTERFACE + oil * OIL), GRAVITY * oil * OIL]
}

fn measure_layers(run: &RunRecord) -> Vec<Measure> {
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

fn draw_layers(runs: &[&RunRecord]) -> Vec<Figure> {
    let [bed, _] = weights();
    let exact = Curve { name: "weight".to_owned(), color: DATA, style: Style::Dashed, points: vec![[0.0, 1.0], [100.0, 1.0]] };
    let ours =
        runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, run.series("bed", [1.0, bed])));
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

// Rayleigh–Taylor instability of two viscous fluids in a box.

/// Times of the comparison, √(H/g).
const TIMES: [f64; 3] = [1.0, 2.0, 3.0];

/// Height of the interface without its wave, H.
const MIDDLE: f64 = 1.0;

pub const RAYLEIGH_TAYLOR: Case = Case {
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
    measure: measure_turnover,
    draw: draw_turnover,
};

const EXPECTED: &str = reference!("rayleigh_taylor_own_256.csv");

/// Distance of a front from the middle over time, H.
fn distances(curve: &[[f64; 2]]) -> Vec<[f64; 2]> {
    curve.iter().map(|[time, height]| [*time, (height - MIDDLE).abs()]).collect()
}

fn measure_turnover(run: &RunRecord) -> Vec<Measure> {
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

fn draw_turnover(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().flat_map(|(index, run)| {
        ["bubble", "spike"]
            .map(|front| our_curve(index, runs.len(), &format!("{front}, {}", run.label), run.series(front, [1.0, 1.0])))
    });
    let data = ["bubble", "spike"].map(|front| data_curve(&format!("{front}, on a grid"), points(EXPECTED, "t", front)));
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
