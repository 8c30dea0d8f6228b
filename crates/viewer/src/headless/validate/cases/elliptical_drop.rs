//! A 2D disc of fluid that its own motion stretches (Monaghan1994).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, Figure};
use crate::headless::validate::numbers::at;
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};
use glam::Vec3;
use std::f64::consts::PI;

pub const CASE: Case = Case {
    name: "elliptical_drop",
    title: "Elliptical drop",
    about: "A disc of fluid of radius R = 1 m starts with v = (−100 x, 100 y) 1/s, without gravity and walls, and stretches \
            into an ellipse (Monaghan 1994). Its axes obey an ordinary differential equation, and its kinetic energy is \
            constant. The axes are measured at the outermost particles.",
    remarks: "",
    scene: scene!("elliptical_drop"),
    interval: 0.00005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "R/20", set: &[], quick: false },
            Resolution { label: "R/40", set: &["particles.spacing=0.025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure,
    draw,
};

const EXACT: &str = reference!("elliptical_drop.csv");

/// Times at which the axes are compared, s, and their text.
const TIMES: [(f64, &str); 2] = [(0.0038, "3.8 ms"), (0.0076, "7.6 ms")];

/// Relative error of an axis at the time, read by `probe`.
fn axis_error(run: &RunRecord, probe: &str, column: &str, time: f64) -> f64 {
    let (ours, exact) = (run.series(probe, [1.0, 1.0]), points(EXACT, "t_s", column));
    at(&ours, time).zip(at(&exact, time)).map_or(f64::NAN, |(ours, exact)| (ours / exact - 1.0).abs())
}

/// Area of the ellipse with the second moments of these particles, 4π√(det), where the moments are means over the particles.
fn area(positions: &[Vec3]) -> f64 {
    let mean = |of: fn(Vec3) -> f64| positions.iter().map(|position| of(*position)).sum::<f64>() / positions.len() as f64;
    let [xx, yy, xy] =
        [mean(|at| f64::from(at.x).powi(2)), mean(|at| f64::from(at.y).powi(2)), mean(|at| f64::from(at.x) * f64::from(at.y))];
    4.0 * PI * (xx * yy - xy * xy).sqrt()
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let axis =
        |name: String, error, most| Measure::new(name, error, Unit::Percent).accept(Criterion::AtMost(most)).converges_to(0.0);
    let major = TIMES.map(|(time, text)| {
        let error = axis_error(run, "top", "b_major_y", time);
        axis(format!("major axis at {text}, error"), error, 0.015).compare_range(Source::OwnPrototype("WCSPH"), [0.001, 0.01])
    });
    let minor = TIMES.map(|(time, text)| {
        let error = axis_error(run, "side", "a_minor_x", time);
        axis(format!("minor axis at {text}, error"), error, 0.02)
            .if_missed("the flow squeezes the lattice, and its rows repel each other: the drop swells, as its area shows")
            .compare_range(Source::OwnPrototype("WCSPH"), [0.07, 0.08])
    });
    let energy =
        Measure::new("kinetic energy at 7.6 ms / at the start", at(&run.energy(), 0.0076).unwrap_or(f64::NAN), Unit::Plain(3))
            .accept(Criterion::AtLeast(0.93))
            .compare(Source::Theory("Monaghan1994"), 1.0)
            .compare_range(Source::OwnPrototype("WCSPH"), [0.94, 0.99])
            .converges_to(1.0);
    let area =
        Measure::new("area at the end, by second moments / πR²", area(&run.fluid().particles.positions) / PI, Unit::Plain(3))
            .compare(Source::Theory(""), 1.0)
            .converges_to(1.0);
    major.into_iter().chain(minor).chain([energy, area]).collect()
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let axes = |(index, run): (usize, &&RunRecord)| {
        let ours = |column| Curve::ours(index, runs.len(), &run.label, run.series(column, [1e-3, 1.0]));
        // Both axes have the same colour, and one entry in the legend.
        [ours("top"), Curve { name: String::new(), ..ours("side") }]
    };
    let exact = |column| points(EXACT, "t_s", column).into_iter().map(|[time, axis]| [1e3 * time, axis]).collect();
    let data = [Curve::data("exact", exact("b_major_y")), Curve::data("", exact("a_minor_x"))];
    vec![Figure {
        name: "elliptical_drop_axes".to_owned(),
        title: "Elliptical drop: major and minor axis".to_owned(),
        caption: "Both half axes over time, beside the exact solution".to_owned(),
        x: "t, ms",
        y: "half axis / R",
        range: [0.0, 7.7],
        curves: runs.iter().enumerate().flat_map(axes).chain(data).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretched_and_turned_disc_has_its_area() {
        let lattice = (-200..=200).flat_map(|y| (-200..=200).map(move |x| Vec3::new(x as f32, y as f32, 0.0) / 200.0));
        let disc: Vec<Vec3> = lattice.filter(|at| at.length() <= 1.0).collect();
        // Stretched to half axes 2 and 1/4, and turned by a right angle's half.
        let turned = |at: &Vec3| Vec3::new(2.0 * at.x - 0.25 * at.y, 2.0 * at.x + 0.25 * at.y, 0.0) / 2f32.sqrt();
        let ellipse: Vec<Vec3> = disc.iter().map(turned).collect();
        assert!((area(&disc) / PI - 1.0).abs() < 1e-2 && (area(&ellipse) / PI - 0.5).abs() < 5e-3);
    }
}
