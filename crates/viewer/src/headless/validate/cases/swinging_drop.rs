//! Oscillation of a 2D drop under surface tension (Rayleigh's second mode).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};

/// Time scale √(ρR³/σ), s, and radius R, m.
const TIME: f64 = 1.0;
const RADIUS: f64 = 1.0;

pub const CASE: Case = Case {
    name: "swinging_drop",
    title: "Swinging drop, surface tension",
    about: "A weightless 2D drop, initially elongated by 10 %, oscillates. By Rayleigh's theory the period of its second \
            mode is 2.565 √(ρR³/σ). The period is measured between times at which both axes are equal. The three resolutions \
            are three radii in spacings: a surface tension coefficient should have the same effect at each.",
    remarks: "The strength of the attraction was calibrated with this period, so that at the coarsest and at the finest resolution it is about \
              equally far from theory. The case therefore shows only if the tension is the same at all sizes.",
    scene: scene!("swinging_drop"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "R/30", set: &["particles.spacing=0.0333333333", "fluid.sound_speed=25"], quick: false },
            Resolution { label: "R/40", set: &[], quick: false },
            Resolution { label: "R/60", set: &["particles.spacing=0.0166666667", "fluid.sound_speed=36"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure,
    draw,
};

/// Frequencies of free drops, and their periods in √(ρR³/σ).
const MODES: &str = reference!("rayleigh_droplet_modes.csv");

/// Period of the second mode in 2D: the first row of the table.
fn period() -> f64 {
    points(MODES, "n", "T_over_sqrt_rhoR3_sigma").first().map_or(f64::NAN, |mode| mode[1])
}

/// Length minus height of the drop, divided by the diameter of the disc.
fn length_less_height(run: &RunRecord) -> Vec<[f64; 2]> {
    let [right, left, up, down] = ["right", "left", "up", "down"].map(|name| run.series(name, [TIME, 2.0 * RADIUS]));
    let sides = right.iter().zip(&left).zip(up.iter().zip(&down));
    sides.map(|((right, left), (up, down))| [right[0], right[1] - left[1] - (up[1] - down[1])]).collect()
}

/// Times at which a curve crosses zero.
fn zeros(curve: &[[f64; 2]]) -> Vec<f64> {
    let crossing = |pair: &[[f64; 2]]| {
        let [[from, before], [to, after]] = [pair[0], pair[1]];
        (before * after < 0.0).then(|| from + (to - from) * before / (before - after))
    };
    curve.windows(2).filter_map(crossing).collect()
}

/// Mean period over the complete oscillations; NaN if there is none.
fn mean_period(zeros: &[f64]) -> f64 {
    let oscillations = zeros.len().saturating_sub(1) / 2;
    if oscillations == 0 { f64::NAN } else { (zeros[2 * oscillations] - zeros[0]) / oscillations as f64 }
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    vec![
        Measure::new("period / theory", mean_period(&zeros(&length_less_height(run))) / period(), Unit::Plain(3))
            .accept(Criterion::Between(0.95, 1.05)),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, length_less_height(run)));
    // Damping exponent β R²/ν = 4 in 2D: last column of the reference.
    let theory_at = |index: i32| {
        let time = 0.02 * f64::from(index);
        [time, 0.095 * (std::f64::consts::TAU * time / period()).cos() * (-4.0 * 0.005 * time).exp() * 2.0]
    };
    let theory =
        Curve { name: "theory".to_owned(), color: DATA, style: Style::Dashed, points: (0..=300).map(theory_at).collect() };
    vec![Figure {
        name: "swinging_drop".to_owned(),
        title: "Swinging drop: length less height".to_owned(),
        caption: "Length less height of the drop over time, beside linear theory".to_owned(),
        x: "t / √(ρR³/σ)",
        y: "length less height / 2R",
        range: [0.0, 6.0],
        curves: ours.chain([theory]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_has_two_zeros() {
        let curve: Vec<[f64; 2]> =
            (0..100).map(|n| 0.1 * f64::from(n)).map(|time| [time, (0.25 * std::f64::consts::TAU * time).cos()]).collect();
        let zeros = zeros(&curve);
        assert!((zeros[0] - 1.0).abs() < 1e-2 && (mean_period(&zeros) - 4.0).abs() < 1e-2, "{zeros:?}");
        assert!(mean_period(&zeros[..2]).is_nan());
        assert!((period() - 2.565).abs() < 1e-3);
    }
}
