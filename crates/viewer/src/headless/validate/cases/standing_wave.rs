//! A viscously damped standing wave, compared with linear theory (Lighthill2001).

use crate::headless::validate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::headless::validate::figure::{Curve, DATA, Figure, Style};
use crate::headless::validate::numbers::{slope, within};
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::reference::{points, reference};
use std::f64::consts::PI;

/// Wavenumber k, 1/m; the wavelength is 2 m. Depth (m) and gravity (m/s²) are 1.
const WAVENUMBER: f64 = PI;
/// Kinematic viscosity ν, m²/s: Re = 250.
const VISCOSITY: f64 = 0.004;
/// Decay rate of the energy and period by the whole dispersion relation of viscous waves (Lamb1932), over those of its first term.
const WHOLE: [f64; 2] = [0.8936, 1.0047];
/// Number of maxima of the kinetic energy that are evaluated: two per period.
const PEAKS: u32 = 8;

pub const CASE: Case = Case {
    name: "standing_wave",
    title: "Standing wave, Re 250",
    about: "Water of depth H in a tank 2H long, one wavelength, oscillates between free-slip walls, damped by its viscosity, \
            Re = H √(gH)/ν = 250. By linear theory ω² = g k tanh(kH), and the kinetic energy is cos²(ωt) exp(−4νk²t) of that \
            at the start. Period and decay rate are fitted to eight maxima of the kinetic energy.",
    remarks: "The scene uses `viscosity_model = \"central\"`. With `\"morris\"`, which dissipates ν |∇v|² instead of twice ν times the square of the \
              strain rate, and so half as much in a flow without rotation, the decay rate is about half. Theory's rate is the first term of a \
              series in the viscosity; by the whole dispersion relation (Lamb1932) the decay is slower, and a finer resolution of WCSPH tends \
              to that.",
    scene: scene!("standing_wave"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "H/25", set: &[], quick: false },
            Resolution { label: "H/50", set: &["particles.spacing=0.02"], quick: false },
            Resolution {
                label: "H/25, DFSPH, 3 spacings",
                set: &["solver.method=dfsph", "particles.support_radius=3.0"],
                quick: false,
            },
            Resolution {
                label: "H/25, IISPH, 3 spacings",
                set: &["solver.method=iisph", "particles.support_radius=3.0"],
                quick: false,
            },
        ],
        judged: Judged::Each,
        variants: &[
            Setting { label: "H/25, Morris", set: &["fluid.viscosity_model=morris"] },
            Setting { label: "H/25, WCSPH, 3 spacings", set: &["particles.support_radius=3.0"] },
            Setting { label: "H/25, DFSPH, 4 spacings", set: &["solver.method=dfsph"] },
        ],
    },
    measure,
    draw,
};

const THEORY: &str = reference!("standing_wave_decay.csv");

/// Period by linear theory, s.
fn period() -> f64 {
    2.0 * PI / (WAVENUMBER * WAVENUMBER.tanh()).sqrt()
}

/// The maximum of each half period after the first.
fn peaks(energy: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let half = 0.5 * period();
    let peak = |number: u32| {
        let middle = f64::from(number) * half;
        within(energy, middle - 0.5 * half, middle + 0.5 * half).into_iter().max_by(|a, b| a[1].total_cmp(&b[1]))
    };
    (1..=PEAKS).map_while(peak).collect()
}

/// Period and decay rate of the energy, both divided by those of linear theory.
pub fn ratios(run: &RunRecord) -> [f64; 2] {
    let peaks = peaks(&run.energy());
    let times: Vec<[f64; 2]> = peaks.iter().zip(1u32..).map(|(peak, number)| [f64::from(number), peak[0]]).collect();
    let heights: Vec<[f64; 2]> = peaks.iter().map(|[time, height]| [*time, height.ln()]).collect();
    let decay = 4.0 * VISCOSITY * WAVENUMBER * WAVENUMBER;
    [2.0 * slope(&times) / period(), -slope(&heights) / decay]
}

fn measure(run: &RunRecord) -> Vec<Measure> {
    let [period, decay] = ratios(run);
    vec![
        Measure::new("period / theory", period, Unit::Plain(3))
            .accept(Criterion::Between(0.985, 1.015))
            .compare(Source::Theory("Lighthill2001"), 1.0)
            .converges_to(1.0),
        Measure::new("decay rate of the energy / theory", decay, Unit::Plain(3))
            .accept(Criterion::Between(0.9, 1.1))
            .compare(Source::Theory("Lighthill2001"), 1.0)
            .converges_to(1.0),
        Measure::new("decay rate of the energy / whole dispersion relation", decay / WHOLE[0], Unit::Plain(3))
            .compare(Source::Theory("Lamb1932"), 1.0)
            .converges_to(1.0),
    ]
}

fn draw(runs: &[&RunRecord]) -> Vec<Figure> {
    let scaled = |run: &&RunRecord| run.energy().into_iter().map(|[time, energy]| [time / period(), energy]).collect();
    let ours = runs.iter().enumerate().map(|(index, run)| Curve::ours(index, runs.len(), &run.label, scaled(run)));
    let envelope = points(THEORY, "t_over_T", "env_Re250");
    let envelope = Curve { name: "theory, envelope".to_owned(), color: DATA, style: Style::Dashed, points: envelope };
    let theory = Curve::data("theory", points(THEORY, "t_over_T", "Ek_norm_Re250"));
    vec![Figure {
        name: "standing_wave_energy".to_owned(),
        title: "Standing wave: kinetic energy".to_owned(),
        caption: "Kinetic energy over time, beside linear theory".to_owned(),
        x: "t / T",
        y: "kinetic energy / at the start",
        range: [0.0, 4.0],
        curves: ours.chain([envelope, theory]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    type Complex = [f64; 2];

    fn times([a, b]: Complex, [c, d]: Complex) -> Complex {
        [a * c - b * d, a * d + b * c]
    }

    /// `(n + 2νk²)² + σ² = 4ν²k³ m tanh(kH)`, `m² = k² + n/ν`, for waves ∝ exp(nt) on water of depth 1 over a floor without friction.
    #[test]
    fn the_whole_dispersion_relation_holds() {
        let (k, nu) = (WAVENUMBER, VISCOSITY);
        let [decay, period_ratio] = WHOLE;
        let n = [-2.0 * nu * k * k * decay, 2.0 * PI / period() / period_ratio];
        let shifted = [n[0] + 2.0 * nu * k * k, n[1]];
        let square = [k * k + n[0] / nu, n[1] / nu];
        let modulus = square[0].hypot(square[1]);
        let root = [(0.5 * (modulus + square[0])).sqrt(), (0.5 * (modulus - square[0])).sqrt()];
        let left = times(shifted, shifted);
        let factor = 4.0 * nu * nu * k.powi(3) * k.tanh();
        let difference = [left[0] + k * k.tanh() - factor * root[0], left[1] - factor * root[1]];
        assert!(difference[0].hypot(difference[1]) < 1e-3, "{difference:?}");
        // Without viscosity's higher terms it does not.
        let first = times([0.0, 2.0 * PI / period()], [0.0, 2.0 * PI / period()]);
        assert!((first[0] + k * k.tanh() - factor * root[0]).hypot(first[1] - factor * root[1]) > 1e-2);
    }

    #[test]
    fn theory_has_its_own_period() {
        let theory = (0..=1450).map(|step| {
            let time = 0.01 * f64::from(step);
            let swing = (2.0 * PI / period() * time).cos();
            [time, swing * swing * (-4.0 * VISCOSITY * WAVENUMBER * WAVENUMBER * time).exp()]
        });
        let peaks = peaks(&theory.collect::<Vec<_>>());
        assert_eq!(peaks.len(), 8);
        for (peak, number) in peaks.iter().zip(1..) {
            assert!((peak[0] - 0.5 * period() * f64::from(number)).abs() < 0.03, "{peaks:?}");
        }
    }
}
