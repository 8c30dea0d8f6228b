//! A falling column of very viscous fluid, at the time step of water (Weiler2018), compared with the theory of slender columns.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::at;
use crate::figure::{Curve, DATA, Figure, Style, our_curve};
use crate::runs::RunRecord;

/// Height of the column, its height above the floor, m; gravity, m/s².
const HEIGHT: f64 = 0.5;
const GAP: f64 = 0.05;
const GRAVITY: f64 = 9.81;
/// Kinematic viscosity, m²/s.
const VISCOSITY: f64 = 0.1;

/// Times of the comparison, s: before contact with the floor, and after it.
const FALLING: f64 = 0.095;
const SPREADING: [f64; 2] = [0.2, 0.3];

pub const CASE: Case = Case {
    name: "viscous_column",
    title: "Falling viscous column, ν = 0.1 m²/s",
    about: "A column 0.1 m wide and 0.5 m high falls 50 mm onto a floor without friction, with implicit viscosity (Weiler and others \
            2018), in steps of 0.6 ms. Until contact it falls freely: viscosity must not brake motion without strain. Then it is \
            squashed: a slender column under its weight obeys dv/dt = −g + ∂(3ν λ⁻² ∂v/∂X)/∂X with the stretch λ = ∂y/∂X, which is \
            solved by differences. The mean step is compared with the longest one allowed.",
    remarks: "The theory has one velocity per level: towards the end the foot is as wide as the column is high, and no longer slender. The \
              variant without viscosity takes the same steps.",
    scene: scene!("viscous_column"),
    interval: 0.005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "5 across", set: &["particles.spacing=0.02"], quick: false },
            Resolution { label: "8 across", set: &[], quick: true },
        ],
        judged: Judged::Finest,
        variants: &[Setting { label: "8 across, ν = 0", set: &["fluid.kinematic_viscosity=0"] }],
    },
    measure,
    draw,
};

/// Height of the top over time by the theory of slender columns, m: `count` elements of mass, by the implicit Euler method in
/// steps of `dt`.
fn slender(viscosity: f64, gap: f64, count: usize, dt: f64, until: f64) -> Vec<[f64; 2]> {
    let length = HEIGHT / count as f64;
    let mut heights: Vec<f64> = (0..=count).map(|node| gap + node as f64 * length).collect();
    let mut velocities = vec![0.0; count + 1];
    let mut top = vec![[0.0, heights[count]]];
    let mut time = 0.0;
    while time < until {
        time += dt;
        // Element e resists with stiffness[e] (v_{e+1} − v_e), per mass of an element.
        let stiffness: Vec<f64> =
            heights.windows(2).map(|ends| 3.0 * viscosity * dt / (length * ((ends[1] - ends[0]) / length)).powi(2)).collect();
        // Row n of the system: −s_{n−1} v_{n−1} + (m + s_{n−1} + s_n) v_n − s_n v_{n+1} = m (v − g dt); the ends have half the mass.
        let on_floor = heights[0] <= 0.0;
        let (mut upper, mut right) = (vec![0.0; count + 1], vec![0.0; count + 1]);
        for node in 0..=count {
            let mass = if node == 0 || node == count { 0.5 } else { 1.0 };
            let below = if node == 0 { 0.0 } else { stiffness[node - 1] };
            let above = stiffness.get(node).copied().unwrap_or(0.0);
            let (diagonal, load) = (mass + below + above, mass * (velocities[node] - GRAVITY * dt));
            if node == 0 {
                (upper[0], right[0]) = if on_floor { (0.0, 0.0) } else { (-above / diagonal, load / diagonal) };
            } else {
                let pivot = diagonal + below * upper[node - 1];
                upper[node] = -above / pivot;
                right[node] = (load + below * right[node - 1]) / pivot;
            }
        }
        for node in (0..=count).rev() {
            velocities[node] = right[node] - velocities.get(node + 1).map_or(0.0, |above| upper[node] * above);
            heights[node] = (heights[node] + dt * velocities[node]).max(0.0);
        }
        top.push([time, heights[count]]);
    }
    top
}

/// Height of the top by the theory, m.
fn theory(run: &RunRecord) -> Vec<[f64; 2]> {
    slender(VISCOSITY, GAP, 100, 1e-4, run.scene.duration)
}

/// Height of the centre of mass over time, m.
fn center(run: &RunRecord) -> Vec<[f64; 2]> {
    let weight = (0..run.particles()).map(|particle| run.fluid().mass_of(particle)).sum::<f64>() * GRAVITY;
    run.series("energy.potential", [1.0, weight])
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let fluid = run.fluid();
    let mean = fluid.time / fluid.steps as f64;
    let center = center(run);
    let start = center.first().map_or(f64::NAN, |point| point[1]);
    let fall = at(&center, FALLING).map_or(f64::NAN, |height| start - height);
    let (top, expected) = (run.series("top", [1.0, 1.0]), theory(run));
    let height = |time: f64| {
        let ratio = at(&top, time).zip(at(&expected, time)).map_or(f64::NAN, |(ours, expected)| ours / expected);
        Measure::new(format!("height at {time} s / slender column"), ratio, Unit::Plain(3))
            .accept(Criterion::Between(0.9, 1.1))
            .compare(Source::Theory(""), 1.0)
            .converges_to(1.0)
    };
    let mut measures = vec![
        Measure::new("mean step / longest allowed", mean / f64::from(fluid.parameters.time_step.max_dt), Unit::Plain(3))
            .accept(Criterion::AtLeast(0.99)),
        Measure::new(format!("fall until {FALLING} s / ½gt²"), fall / (0.5 * GRAVITY * FALLING * FALLING), Unit::Plain(3))
            .accept(Criterion::Between(0.98, 1.02))
            .compare(Source::Theory(""), 1.0)
            .converges_to(1.0),
    ];
    measures.extend(SPREADING.map(height));
    measures
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let milliseconds = |curve: Vec<[f64; 2]>| curve.into_iter().map(|[time, height]| [1e3 * time, height]).collect();
    let ours = |(index, run): (usize, &&RunRecord)| {
        our_curve(index, runs.len(), &run.label, milliseconds(run.series("top", [1.0, 1.0])))
    };
    let expected = runs.first().map_or_else(Vec::new, |run| theory(run));
    let expected =
        Curve { name: "slender column".to_owned(), color: DATA, style: Style::Dashed, points: milliseconds(expected) };
    vec![Figure {
        name: "viscous_column_height".to_owned(),
        title: "Falling column: height".to_owned(),
        caption: "Height of the top over time, beside the theory of slender columns".to_owned(),
        x: "t, ms",
        y: "height, m",
        range: [0.0, 400.0],
        curves: runs.iter().enumerate().map(ours).chain([expected]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theory_falls_freely_and_then_has_the_closed_form_without_inertia() {
        let falling = at(&slender(VISCOSITY, GAP, 40, 1e-5, 0.1), 0.09).expect("a height");
        assert!((HEIGHT + GAP - falling - 0.5 * GRAVITY * 0.0081).abs() < 1e-4, "{falling}");
        // So viscous that inertia does not matter: h = 3ν/(gt) ln(1 + gHt/(3ν)).
        let (viscosity, time) = (30.0, 20.0);
        let squashed = at(&slender(viscosity, 0.0, 200, 1e-3, 20.1), time).expect("a height");
        let scale = 3.0 * viscosity / (GRAVITY * time);
        let expected = scale * (1.0 + HEIGHT / scale).ln();
        assert!((squashed / expected - 1.0).abs() < 5e-3, "{squashed} {expected}");
    }
}
