//! Patches of fluid in empty space: a disc that is stretched, a drop that swings, a square that rotates; holes inside them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::f64::consts::PI;

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::{at, largest, mean, points, reference, within};
use crate::figure::{Curve, DATA, Figure, Style, data_curve, our_curve};
use crate::runs::RunRecord;
use glam::{DVec3, Vec3};

// A 2D disc of fluid that its own motion stretches (Monaghan1994).

pub const ELLIPTICAL_DROP: Case = Case {
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
    measure: measure_ellipse,
    draw: draw_ellipse,
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

fn measure_ellipse(run: &RunRecord) -> Vec<Measure> {
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

fn draw_ellipse(runs: &[&RunRecord]) -> Vec<Figure> {
    let axes = |(index, run): (usize, &&RunRecord)| {
        let ours = |column| our_curve(index, runs.len(), &run.label, run.series(column, [1e-3, 1.0]));
        // Both axes have the same colour, and one entry in the legend.
        [ours("top"), Curve { name: String::new(), ..ours("side") }]
    };
    let exact = |column| points(EXACT, "t_s", column).into_iter().map(|[time, axis]| [1e3 * time, axis]).collect();
    let data = [data_curve("exact", exact("b_major_y")), data_curve("", exact("a_minor_x"))];
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

// Oscillation of a 2D drop under surface tension (Rayleigh's second mode).

/// Time scale √(ρR³/σ), s, and radius R, m.
const TIME: f64 = 1.0;
const RADIUS: f64 = 1.0;

pub const SWINGING_DROP: Case = Case {
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
    measure: measure_swing,
    draw: draw_swing,
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

fn measure_swing(run: &RunRecord) -> Vec<Measure> {
    vec![
        Measure::new("period / theory", mean_period(&zeros(&length_less_height(run))) / period(), Unit::Plain(3))
            .accept(Criterion::Between(0.95, 1.05)),
    ]
}

fn draw_swing(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, length_less_height(run)));
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

// A square patch of fluid in free rotation (Colagrossi2005).

/// Pressure scale of the series, ρ ω² L², Pa.
const PRESSURE: f64 = 1000.0;
/// Initial distance of the corners from the centre, m.
const CORNER: f64 = std::f64::consts::FRAC_1_SQRT_2;

pub const ROTATING_SQUARE: Case = Case {
    name: "rotating_square",
    title: "Rotating square patch",
    about: "A square of fluid of side L starts in rigid rotation at ω, without gravity and walls (Colagrossi 2005). Its \
            pressure is negative everywhere inside, and its corners stretch into arms. The pressure at four points is \
            compared with the series solution of Poisson's equation. A hole is an empty disc that cannot leave the patch \
            without touching a particle; its radius is 0.71 spacings in a square lattice, and 1 at a vacancy.",
    remarks: "Variants without shifting, or that set negative pressures to zero, have wider holes. Tensile control acts by forces that are not \
              opposite, and conserves neither energy nor angular momentum.",
    scene: scene!("rotating_square"),
    interval: 0.005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "L/50", set: &[], quick: false },
            Resolution { label: "L/100", set: &["particles.spacing=0.01"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "L/50, no shifting", set: &["solver.shifting=0"] },
            Setting { label: "L/50, negative pressure none", set: &["solver.wcsph.negative_pressure=none"] },
            Setting { label: "L/50, tensile control", set: &["solver.wcsph.negative_pressure=tensile_control"] },
        ],
    },
    measure: measure_rotation,
    draw: draw_rotation,
};

const SERIES: &str = reference!("rotating_square_initial_pressure.csv");

/// Probes, their positions along the midline or the diagonal, in units of L, and the column of the series.
const PROBES: [(&str, f64, &str); 4] = [
    ("center", 0.0, "p_midline_over_rho_w2_L2"),
    ("midline_2", 0.2, "p_midline_over_rho_w2_L2"),
    ("midline_4", 0.4, "p_midline_over_rho_w2_L2"),
    ("diagonal_3", 0.3, "p_diagonal_over_rho_w2_L2"),
];

/// The largest relative error at the probes of the pressure that `value` makes of a series over time.
fn pressure_error(run: &RunRecord, value: fn(&[[f64; 2]]) -> f64) -> f64 {
    let error = |&(probe, position, column): &(&str, f64, &str)| {
        let expected = at(&points(SERIES, "x_over_L_from_centre", column), position).unwrap_or(f64::NAN);
        (value(&run.series(probe, [1.0, PRESSURE])) / expected - 1.0).abs()
    };
    largest(PROBES.iter().map(error))
}

/// Growth of a conserved quantity until the end, relative to its initial value.
fn growth(curve: &[[f64; 2]]) -> f64 {
    curve.first().zip(curve.last()).map_or(f64::NAN, |(first, last)| last[1] / first[1] - 1.0)
}

fn measure_rotation(run: &RunRecord) -> Vec<Measure> {
    let positions: Vec<DVec3> = run.fluid().particles.positions.iter().map(|position| position.as_dvec3()).collect();
    let spacing = f64::from(run.fluid().discretization.particle_spacing);
    let farthest = positions.iter().map(|position| position.length()).fold(0.0, f64::max);
    let initial = |curve: &[[f64; 2]]| curve.first().map_or(f64::NAN, |point| point[1]);
    let early = |curve: &[[f64; 2]]| mean(&within(curve, 0.0, 0.1));
    let conserved = |name, value, most: f64| {
        Measure::new(name, value, Unit::Percent)
            .accept(Criterion::Between(-most, most))
            .compare(Source::Theory(""), 0.0)
            .converges_to(0.0)
    };
    vec![
        Measure::new("pressure at the start, largest error of four points", pressure_error(run, initial), Unit::Percent)
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0),
        Measure::new(
            "mean pressure over t ω = 0 to 0.1, largest difference from the start",
            pressure_error(run, early),
            Unit::Percent,
        ),
        conserved("growth of the kinetic energy until t ω = 2", growth(&run.energy()), 0.02),
        conserved("growth of the angular momentum until t ω = 2", growth(&run.angular_momentum), 0.01),
        Measure::new("radius of the largest hole at t ω = 2 / spacing", widest_hole(&positions, spacing), Unit::Plain(2))
            .accept(Criterion::AtMost(1.25)),
        Measure::new("reach of the arms at t ω = 2 / of the corners", farthest / CORNER, Unit::Plain(2))
            .accept(Criterion::AtLeast(1.5)),
    ]
}

fn draw_rotation(runs: &[&RunRecord]) -> Vec<Figure> {
    let exact = points(SERIES, "x_over_L_from_centre", "p_midline_over_rho_w2_L2").first().map_or(f64::NAN, |point| point[1]);
    let exact = Curve {
        name: "series, at the start".to_owned(),
        color: DATA,
        style: Style::Dashed,
        points: vec![[0.0, exact], [2.0, exact]],
    };
    let ours = runs
        .iter()
        .enumerate()
        .map(|(index, run)| our_curve(index, runs.len(), &run.label, run.series("center", [1.0, PRESSURE])));
    vec![Figure {
        name: "rotating_square_pressure".to_owned(),
        title: "Rotating square: pressure in the middle".to_owned(),
        caption: "Pressure in the middle of the patch over time".to_owned(),
        x: "t ω",
        y: "p / ρω²L²",
        range: [0.0, 2.0],
        curves: ours.chain([exact]).collect(),
    }]
}

// Holes in a 2D fluid: enclosed empty discs.

/// Raster points per particle spacing.
const POINTS_PER_SPACING: usize = 6;
/// Largest clearance that is measured, in spacings.
const MAX_CLEARANCE: usize = 3;
/// Least difference between clearance and bottleneck of an enclosed disc, in spacings: the error of the raster.
const TOLERANCE: f64 = 0.1;
/// Largest number of raster points.
const MAX_POINTS: usize = 50_000_000;

/// Radius, in particle spacings, of the largest disc that fits between the particles and cannot leave the fluid without
/// touching one; 0 if there is none, NaN if the particles are scattered too far. The value is 0.71 for a square lattice, and 1
/// for a lattice with one vacancy.
pub fn widest_hole(positions: &[DVec3], spacing: f64) -> f64 {
    let Some(raster) = Raster::new(positions, spacing) else { return f64::NAN };
    let bottlenecks = raster.bottlenecks();
    let enclosed =
        raster.clearance.iter().zip(bottlenecks).filter(|&(&clearance, bottleneck)| clearance > bottleneck + TOLERANCE);
    enclosed.map(|(&clearance, _)| clearance).fold(0.0, f64::max)
}

/// Raster of points neighbors the particles, row by row.
struct Raster {
    columns: usize,
    rows: usize,
    /// Distance from each point to the nearest particle, in spacings, at most [`MAX_CLEARANCE`].
    clearance: Vec<f64>,
}

/// A raster point in the queue, with its bottleneck.
struct Candidate {
    bottleneck: f64,
    point: usize,
}

impl Raster {
    fn new(positions: &[DVec3], spacing: f64) -> Option<Self> {
        let low = positions.iter().copied().reduce(DVec3::min)?;
        let high = positions.iter().copied().reduce(DVec3::max)?;
        let step = spacing / POINTS_PER_SPACING as f64;
        let margin = (MAX_CLEARANCE + 1) * POINTS_PER_SPACING;
        let cells = ((high - low) / step).ceil();
        // False for NaN as well.
        let fits = cells.x * cells.y < MAX_POINTS as f64;
        if !fits {
            return None;
        }
        let (columns, rows) = (cells.x as usize + 2 * margin + 1, cells.y as usize + 2 * margin + 1);
        let mut clearance = vec![MAX_CLEARANCE as f64; columns * rows];
        let reach = MAX_CLEARANCE * POINTS_PER_SPACING;
        for position in positions {
            let at = (*position - low) / step + margin as f64;
            let (column, row) = (at.x as usize, at.y as usize);
            for y in row - reach..=row + reach {
                for x in column - reach..=column + reach {
                    let distance = (at.x - x as f64).hypot(at.y - y as f64) / POINTS_PER_SPACING as f64;
                    let clearance = &mut clearance[y * columns + x];
                    *clearance = clearance.min(distance);
                }
            }
        }
        Some(Self { columns, rows, clearance })
    }

    /// Bottleneck of each point: radius of the largest disc that can move from there to the outside (widest path, by Dijkstra's
    /// algorithm).
    fn bottlenecks(&self) -> Vec<f64> {
        let mut bottlenecks = vec![-1.0; self.clearance.len()];
        let mut open = BinaryHeap::from([Candidate { bottleneck: MAX_CLEARANCE as f64, point: 0 }]);
        while let Some(Candidate { bottleneck, point }) = open.pop() {
            if bottlenecks[point] >= bottleneck {
                continue;
            }
            bottlenecks[point] = bottleneck;
            for next in self.neighbors(point) {
                let bottleneck = bottleneck.min(self.clearance[next]);
                if bottleneck > bottlenecks[next] {
                    open.push(Candidate { bottleneck, point: next });
                }
            }
        }
        bottlenecks
    }

    fn neighbors(&self, point: usize) -> impl Iterator<Item = usize> {
        let (x, y) = (point % self.columns, point / self.columns);
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < self.columns).then_some(point + 1);
        let below = (y > 0).then(|| point - self.columns);
        let above = (y + 1 < self.rows).then_some(point + self.columns);
        [left, right, below, above].into_iter().flatten()
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bottleneck.total_cmp(&other.bottleneck).then(self.point.cmp(&other.point))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

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

    #[test]
    fn a_period_has_two_zeros() {
        let curve: Vec<[f64; 2]> =
            (0..100).map(|n| 0.1 * f64::from(n)).map(|time| [time, (0.25 * std::f64::consts::TAU * time).cos()]).collect();
        let zeros = zeros(&curve);
        assert!((zeros[0] - 1.0).abs() < 1e-2 && (mean_period(&zeros) - 4.0).abs() < 1e-2, "{zeros:?}");
        assert!(mean_period(&zeros[..2]).is_nan());
        assert!((period() - 2.565).abs() < 1e-3);
    }

    /// A lattice of 12 × 12 particles, 0.1 apart, without those for which `keep` is false.
    fn lattice(keep: impl Fn(i32, i32) -> bool) -> Vec<DVec3> {
        let all = (0..12).flat_map(|y| (0..12).map(move |x| (x, y)));
        all.filter(|&(x, y)| keep(x, y)).map(|(x, y)| 0.1 * DVec3::new(x.into(), y.into(), 0.0)).collect()
    }

    #[test]
    fn holes_have_their_radius() {
        let near = |radius: f64, expected: f64| assert!((radius - expected).abs() < 0.12, "{radius}, expected {expected}");
        near(widest_hole(&lattice(|_, _| true), 0.1), std::f64::consts::FRAC_1_SQRT_2);
        near(widest_hole(&lattice(|x, y| (x, y) != (5, 6)), 0.1), 1.0);
        // A vacancy of 3 × 3 particles: the nearest one is two spacings away.
        near(widest_hole(&lattice(|x, y| (x - 5).abs() > 1 || (y - 6).abs() > 1), 0.1), 2.0);
        // An equally wide bay is open to the outside.
        near(widest_hole(&lattice(|x, y| x > 2 || (y - 6).abs() > 1), 0.1), std::f64::consts::FRAC_1_SQRT_2);
    }

    #[test]
    fn no_particles_or_scattered_ones_give_nan() {
        assert!(widest_hole(&[], 0.1).is_nan());
        assert!(widest_hole(&[DVec3::ZERO, DVec3::splat(1e9)], 0.1).is_nan());
    }
}
