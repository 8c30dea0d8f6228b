//! Waves in tanks: a standing wave, and water that sloshes in tanks that have been tipped or that pitch.

use std::f64::consts::{PI, TAU};

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::{largest, points, reference, slope, within};
use crate::figure::{Curve, DATA, Figure, Style, data_curve, our_curve};
use crate::runs::RunRecord;

// A viscously damped standing wave, compared with linear theory (Lighthill2001).

/// Wavenumber k, 1/m; the wavelength is 2 m. Depth (m) and gravity (m/s²) are 1.
const WAVENUMBER: f64 = PI;
/// Kinematic viscosity ν, m²/s: Re = 250.
const VISCOSITY: f64 = 0.004;
/// Decay rate of the energy and period by the whole dispersion relation of viscous waves (Lamb1932), over those of its first term.
const WHOLE: [f64; 2] = [0.8936, 1.0047];
/// Number of maxima of the kinetic energy that are evaluated: two per period.
const PEAKS: u32 = 8;

pub const STANDING_WAVE: Case = Case {
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
    measure: measure_standing,
    draw: draw_standing,
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

fn measure_standing(run: &RunRecord) -> Vec<Measure> {
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

fn draw_standing(runs: &[&RunRecord]) -> Vec<Figure> {
    let scaled = |run: &&RunRecord| run.energy().into_iter().map(|[time, energy]| [time / period(), energy]).collect();
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, scaled(run)));
    let envelope = points(THEORY, "t_over_T", "env_Re250");
    let envelope = Curve { name: "theory, envelope".to_owned(), color: DATA, style: Style::Dashed, points: envelope };
    let theory = data_curve("theory", points(THEORY, "t_over_T", "Ek_norm_Re250"));
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

// Sloshing in a tank that has been tipped: the period of the first mode.

/// Length of the tank and depth of the water, m; gravity, m/s².
const LENGTH: f64 = 1.0;
const DEPTH: f64 = 0.5;
const GRAVITY: f64 = 9.81;

/// Time from which the tank is at rest, s.
const AT_REST: f64 = 0.3;

pub const TIPPED_TANK: Case = Case {
    name: "sloshing",
    title: "Sloshing",
    about: "A tank 1 m long with water 0.5 m deep, on a rocker 1.5 m below, is tipped by a degree within 0.3 s and stays so. Linear theory \
            gives the first mode the frequency ω² = (π g/L) tanh(π h/L). Our period is the mean time between \
            upward zeros of the horizontal velocity deep in the middle of the tank, where the higher modes do not reach.",
    remarks: "The pivot is far below so that the tank mostly moves sideways. Tipped about its own centre, this tank hardly makes waves: \
              floor and side walls drive the first mode in opposite directions.",
    scene: scene!("sloshing"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "25 rows", set: &[], quick: true },
            Resolution { label: "25 rows, DFSPH", set: &["solver.method=dfsph", "time_step.max_dt=2e-3"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_tipped,
    draw: draw_tipped,
};

/// Period of the first mode by linear theory, s.
fn linear_period() -> f64 {
    TAU / (PI * GRAVITY / LENGTH * (PI * DEPTH / LENGTH).tanh()).sqrt()
}

/// Mean time between the first and the last upward zero of a curve; NaN with fewer than two.
fn mean_period(curve: &[[f64; 2]]) -> f64 {
    let zeros: Vec<f64> = curve
        .windows(2)
        .filter(|pair| pair[0][1] < 0.0 && pair[1][1] >= 0.0)
        .map(|pair| pair[0][0] - pair[0][1] * (pair[1][0] - pair[0][0]) / (pair[1][1] - pair[0][1]))
        .collect();
    match zeros[..] {
        [first, .., last] => (last - first) / (zeros.len() - 1) as f64,
        _ => f64::NAN,
    }
}

/// Horizontal velocity deep in the middle over time, m/s.
fn tipped_level(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("middle.0.x", [1.0, 1.0])
}

fn measure_tipped(run: &RunRecord) -> Vec<Measure> {
    vec![
        Measure::new(
            "period / linear theory",
            mean_period(&within(&tipped_level(run), AT_REST, f64::INFINITY)) / linear_period(),
            Unit::Plain(3),
        )
        .accept(Criterion::Between(0.98, 1.02))
        .compare(Source::Theory("Lighthill2001"), 1.0),
    ]
}

fn draw_tipped(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, tipped_level(run)));
    let rest = Curve { name: "rest".to_owned(), color: DATA, style: Style::Dashed, points: vec![[0.0, 0.0], [100.0, 0.0]] };
    vec![Figure {
        name: "sloshing_velocity".to_owned(),
        title: "Sloshing: horizontal velocity deep in the middle".to_owned(),
        caption: "Horizontal velocity 0.1 m above the middle of the floor over time".to_owned(),
        x: "t, s",
        y: "velocity, m/s",
        range: [0.0, 7.0],
        curves: curves.chain([rest]).collect(),
    }]
}

// Pressure in a tank that pitches slowly: the experiment of Akyıldız and Ünal (Akyildiz2006).

/// Gauges: name of the probe, data, and the times between which each later peak lies, s. The first peak of each is left out: the
/// experiment's tank does not begin to move at full speed, as its formula does.
const GAUGES: [(&str, &str, [[f64; 2]; 2]); 2] = [
    ("gauge_2", reference!("akyildiz2006_pitch_p2.csv"), [[3.0, 5.0], [6.2, 8.2]]),
    ("gauge_8", reference!("akyildiz2006_pitch_p8.csv"), [[4.6, 6.6], [7.8, 9.4]]),
];

/// Reading of the experiment's gauges in air, kPa: gauge 8 between its peaks.
const DRY: f64 = 0.247;

pub const PITCHING_TANK: Case = Case {
    name: "pitching_tank",
    title: "Pitching tank",
    about: "A tank 0.92 m long with water 0.465 m deep pitches about its middle by 4° sin(2 t), t in s, a third of the frequency of its first mode \
            (Akyıldız and Ünal 2006). Gauge 2 is 0.17 m above the floor in the right wall, gauge 8 0.45 m above it in the left wall, where it is \
            wet for half of the time. The times and the heights of the second and the third peak are compared. The experiment's gauges \
            read 0.247 kPa in air, which is taken off their readings.",
    remarks: "The experiment is three-dimensional and coarsely sampled; its peaks are those of a parabola through the three highest samples.",
    scene: scene!("pitching_tank"),
    interval: 0.02,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "30 rows", set: &[], quick: false },
            Resolution { label: "30 rows, DFSPH", set: &["solver.method=dfsph", "time_step.max_dt=2e-3"], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_pitching,
    draw: |runs| pitching_figures(runs, "pitching_tank", "Pitching tank"),
};

pub const PITCHING_TANK_IN_SPACE: Case = Case {
    name: "pitching_tank_in_space",
    title: "Pitching tank in space",
    about: "The pitching tank of the case before in space, 0.46 m wide as in the experiment, its gauges in the middle of the walls, with the kernel, \
            support radius, speed of sound, viscosity and steps of a scene that names none, by WCSPH and DFSPH.",
    remarks: "Whole numbers of particles along all three axes make about a percent less water than the experiment has: its surface is some \
              millimetres lower, which the upper gauge, just below the surface, reads as about a tenth less. Why DFSPH reads still less is not \
              known.",
    scene: scene!("pitching_tank_in_space"),
    interval: 0.02,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "15 rows", set: &[], quick: false },
            Resolution { label: "20 rows", set: &["particles.spacing=0.023"], quick: false },
            Resolution { label: "15 rows, DFSPH", set: &["solver.method=dfsph"], quick: false },
            Resolution { label: "20 rows, DFSPH", set: &["solver.method=dfsph", "particles.spacing=0.023"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure: measure_pitching,
    draw: |runs| pitching_figures(runs, "pitching_tank_in_space", "Pitching tank in space"),
};

/// Pressure at a gauge over time, kPa.
fn pitching_pressure(run: &RunRecord, gauge: &str) -> Vec<[f64; 2]> {
    run.series(&format!("{gauge}.mean_50ms"), [1.0, 1e3])
}

/// The experiment's, less the reading in air.
fn experiment(data: &str) -> Vec<[f64; 2]> {
    points(data, "t_s", "p_kPa").into_iter().map(|[time, pressure]| [time, pressure - DRY]).collect()
}

/// Time and height of the peak between two times: the vertex of the parabola through the highest point and its neighbours; NaN without one.
fn peak(curve: &[[f64; 2]], [from, to]: [f64; 2]) -> [f64; 2] {
    let inside = within(curve, from, to);
    let highest = inside.windows(3).max_by(|a, b| a[1][1].total_cmp(&b[1][1]));
    let Some([[t0, p0], [t1, p1], [t2, p2]]) = highest.and_then(|points| <[_; 3]>::try_from(points).ok()) else {
        return [f64::NAN; 2];
    };
    let (rise, fall) = ((p1 - p0) / (t1 - t0), (p2 - p1) / (t2 - t1));
    let curvature = (fall - rise) / (t2 - t0);
    let time = 0.5 * (t0 + t1) - 0.5 * rise / curvature;
    [time, p0 + (time - t0) * (rise + curvature * (time - t1))]
}

fn measure_pitching(run: &RunRecord) -> Vec<Measure> {
    let mut errors = [Vec::new(), Vec::new()];
    for (gauge, data, peaks) in GAUGES {
        let (ours, experiment) = (pitching_pressure(run, gauge), experiment(data));
        for between in peaks {
            let (found, expected) = (peak(&ours, between), peak(&experiment, between));
            (0..2).for_each(|n| errors[n].push((found[n] / expected[n] - 1.0).abs()));
        }
    }
    let [times, heights] = errors.map(|errors| largest(errors.into_iter()));
    vec![
        Measure::new("time of a peak, largest error", times, Unit::Percent)
            .accept(Criterion::AtMost(0.03))
            .if_missed("not known; the error is less than the interval between the experiment's samples")
            .compare(Source::Experiment("Akyildiz2006"), 0.0),
        Measure::new("height of a peak, largest error", heights, Unit::Percent)
            .accept(Criterion::AtMost(0.20))
            .compare(Source::Experiment("Akyildiz2006"), 0.0),
    ]
}

/// A figure for each gauge; their names begin with `name`, their headings with `title`.
fn pitching_figures(runs: &[&RunRecord], name: &str, title: &str) -> Vec<Figure> {
    let figure = |(gauge, data, _): (&str, &str, _)| {
        let curves =
            runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, pitching_pressure(run, gauge)));
        let number = gauge.trim_start_matches("gauge_");
        Figure {
            name: format!("{name}_{gauge}"),
            title: format!("{title}: pressure at gauge {number}"),
            caption: format!("Pressure at gauge {number} over time, beside the experiment"),
            x: "t, s",
            y: "pressure, kPa",
            range: [0.0, 9.5],
            curves: curves.chain([data_curve("experiment", experiment(data))]).collect(),
        }
    };
    GAUGES.into_iter().map(figure).collect()
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

    #[test]
    fn the_period_is_that_between_zeros() {
        assert!((linear_period() - 1.182).abs() < 5e-4, "{}", linear_period());
        let wave: Vec<[f64; 2]> = (0..700).map(|n| 0.01 * f64::from(n)).map(|t| [t, (TAU * t / 1.3 + 0.4).sin()]).collect();
        assert!((mean_period(&wave) - 1.3).abs() < 1e-4, "{}", mean_period(&wave));
        assert!(mean_period(&wave[..50]).is_nan());
    }

    #[test]
    fn a_peak_is_the_vertex_of_its_parabola() {
        let curve: Vec<[f64; 2]> = [0.0, 0.4, 0.9, 1.3].map(|t: f64| [t, 2.0 - 3.0 * (t - 0.8).powi(2)]).into();
        let [time, height] = peak(&curve, [0.0, 2.0]);
        assert!((time - 0.8).abs() < 1e-12 && (height - 2.0).abs() < 1e-12, "{time}, {height}");
        assert!(peak(&curve, [0.0, 0.5])[0].is_nan());
    }

    /// Less that reading, the wet gauge's mean is about the hydrostatic pressure of the tank at rest; with it, a tenth more.
    #[test]
    fn the_reading_in_air_explains_the_mean_of_the_wet_gauge() {
        let curve = within(&experiment(GAUGES[0].1), 0.8, 7.3);
        let mean = curve.iter().map(|[_, pressure]| pressure).sum::<f64>() / curve.len() as f64;
        assert!((mean / (9.81 * (0.465 - 0.17)) - 1.0).abs() < 0.05, "{mean} kPa");
    }
}
