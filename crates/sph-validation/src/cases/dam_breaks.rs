//! Dam breaks: front and height of the water, pressure of the impact, and fifty perturbed and twenty thin ones that must not fail.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Source, Unit, scene};
use crate::curves::{at, first_above, highest, mean, points, reference, rms, slope, within};
use crate::figure::{Curve, DATA, Figure, OTHERS, Style, data_curve, our_curve};
use crate::runs::RunRecord;

// Dam breaks on a dry bed, compared with the experiments of Martin and Moyce (MartinMoyce1952).

/// Width of the column, m, and gravity, m/s².
const BASE: f64 = 0.05715;
const GRAVITY: f64 = 9.81;

/// Largest allowed shift of the time origin, in units of T: the gate of the experiment took some time to open.
const MAX_SHIFT: f64 = 0.30;

const RESOLUTIONS: &[Resolution] = &[
    Resolution { label: "a/20", set: &[], quick: true },
    Resolution { label: "a/40", set: &["particles.spacing=0.00142875"], quick: false },
];

/// A column twice as high as wide.
pub const TALL: Case = Case {
    name: "dam_break_n2",
    title: "Dam break, n² = 2",
    about: "A column of width a = 57 mm and height 2a collapses on a dry bed (Martin and Moyce 1952, tables 2 and 6). The \
            front position Z, in units of a, is compared over T = t √(2g/a) from 0.8 to 3.33, after one constant shift of \
            time of at most 0.30: the gate of the experiment took some time to open. The height H of the water at the back \
            wall, in units of 2a, is compared over τ = t √(g/a) without a shift.",
    remarks: "",
    scene: scene!("dam_break_n2"),
    interval: 0.0005,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: measure_tall,
    draw: draw_tall,
};

/// A column as high as wide.
pub const SQUARE: Case = Case {
    name: "dam_break_n1",
    title: "Dam break, n² = 1",
    about: "A square column of width a = 57 mm collapses on a dry bed (Martin and Moyce 1952). Only the height H of the \
            water at the back wall, in units of a, is compared, over τ = t √(g/a): the front of a square column is too fast \
            in every computation without bed friction.",
    remarks: "",
    scene: scene!("dam_break_n1"),
    interval: 0.001,
    plan: Plan::Resolutions { resolutions: RESOLUTIONS, judged: Judged::Finest, variants: &[] },
    measure: measure_square,
    draw: draw_square,
};

const TALL_FRONT: &str = reference!("mm1952_n2_2_a2p25in_front_table.csv");
const TALL_HEIGHT: &str = reference!("mm1952_n2_2_a2p25in_height_table.csv");
const SQUARE_HEIGHT: &str = reference!("mm1952_n2_1_a2p25in_height_table.csv");

/// Front position Z over T, dimensionless.
fn front(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("front", [(BASE / (2.0 * GRAVITY)).sqrt(), BASE])
}

/// Height at the back wall over τ, dimensionless; `column` is the initial height, in units of a.
fn height(run: &RunRecord, column: f64) -> Vec<[f64; 2]> {
    run.series("height", [(BASE / GRAVITY).sqrt(), column * BASE])
}

/// Rms of the relative difference between the front, shifted by `shift` in T, and the experiment.
fn front_error(ours: &[[f64; 2]], data: &[[f64; 2]], shift: f64) -> f64 {
    rms(data.iter().map(|&[time, place]| at(ours, time - shift).map_or(f64::NAN, |ours| ours / place - 1.0)))
}

/// The allowed shift with the least error, and that error.
fn best_shift(ours: &[[f64; 2]], data: &[[f64; 2]]) -> (f64, f64) {
    let shifts = (-60..=60).map(|step| f64::from(step) / 60.0 * MAX_SHIFT);
    let errors = shifts.map(|shift| (shift, front_error(ours, data, shift)));
    errors.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::NAN))
}

/// The measures of the front of the tall column.
pub fn front_measures(run: &RunRecord) -> [Measure; 2] {
    let ours = front(run);
    let data = within(&points(TALL_FRONT, "T", "Z"), 0.8, 3.33);
    let (_, error) = best_shift(&ours, &data);
    let experiment = Source::Experiment("MartinMoyce1952");
    [
        Measure::new("front, rms difference after the shift", error, Unit::Percent)
            .accept(Criterion::AtMost(0.025))
            .compare_range(Source::OwnPrototype("δ-SPH, DFSPH"), [0.01, 0.014])
            .converges_to(0.0),
        Measure::new("front, slope dZ/dT over T = 1.8 to 3.3", slope(&within(&ours, 1.8, 3.3)), Unit::Plain(3))
            .accept(Criterion::Between(1.33, 1.50))
            .compare(experiment, slope(&within(&data, 1.8, 3.33)))
            .compare_range(Source::OwnPrototype("δ-SPH"), [1.40, 1.46]),
    ]
}

/// The measures of front and height of the tall column.
pub fn measure_tall(run: &RunRecord) -> Vec<Measure> {
    let height = height_measure(&height(run, 2.0), TALL_HEIGHT, [0.012, 0.021]);
    front_measures(run).into_iter().chain([height]).collect()
}

fn measure_square(run: &RunRecord) -> Vec<Measure> {
    vec![height_measure(&height(run, 1.0), SQUARE_HEIGHT, [0.022; 2])]
}

fn height_measure(ours: &[[f64; 2]], data: &str, prototype: [f64; 2]) -> Measure {
    let end = ours.last().map_or(0.0, |point| point[0]);
    let data = within(&points(data, "tau", "H"), 0.0, end);
    let difference = |&[time, height]: &[f64; 2]| at(ours, time).map(|ours| (ours - height).abs());
    // A height that cannot be computed counts as NaN.
    let largest = data.iter().map(difference).try_fold(0.0, |largest: f64, difference| Some(largest.max(difference?)));
    Measure::new("height at the back wall, largest difference", largest.unwrap_or(f64::NAN), Unit::Plain(3))
        .accept(Criterion::AtMost(0.03))
        .converges_to(0.0)
        .compare_range(Source::OwnPrototype("δ-SPH"), prototype)
}

fn draw_tall(runs: &[&RunRecord]) -> Vec<Figure> {
    let data = points(TALL_FRONT, "T", "Z");
    let ours = runs.iter().enumerate().map(|(index, run)| {
        let ours = front(run);
        let (shift, _) = best_shift(&ours, &within(&data, 0.8, 3.33));
        let shifted = ours.into_iter().map(|[time, place]| [time + shift, place]).collect();
        our_curve(index, runs.len(), &format!("{}, T {shift:+.2}", run.label), shifted)
    });
    let figure = Figure {
        name: "dam_break_n2_front".to_owned(),
        title: "Dam break, n² = 2: the front".to_owned(),
        caption: "Place of the front over time, each run with its shift, beside the experiment".to_owned(),
        x: "T = t √(2g/a)",
        y: "Z = x / a",
        range: [0.0, 3.5],
        curves: ours.chain([data_curve("Martin and Moyce", data.clone())]).collect(),
    };
    vec![figure, height_figure(runs, "dam_break_n2_height", "2", 2.0, TALL_HEIGHT)]
}

fn draw_square(runs: &[&RunRecord]) -> Vec<Figure> {
    vec![height_figure(runs, "dam_break_n1_height", "1", 1.0, SQUARE_HEIGHT)]
}

fn height_figure(runs: &[&RunRecord], name: &str, n_squared: &str, column: f64, data: &str) -> Figure {
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, height(run, column)));
    let end = runs.iter().filter_map(|run| height(run, column).last().map(|point| point[0])).fold(1.0, f64::max);
    Figure {
        name: name.to_owned(),
        title: format!("Dam break, n² = {n_squared}: height at the back wall"),
        caption: "Height of the water at the back wall over time, beside the experiment".to_owned(),
        x: "τ = t √(g/a)",
        y: if column > 1.5 { "H = height / 2a" } else { "H = height / a" },
        range: [0.0, end],
        curves: ours.chain([data_curve("Martin and Moyce", points(data, "tau", "H"))]).collect(),
    }
}

// Impact pressure of a dam break, compared with the experiment of Lobovský and others (Lobovsky2014) and a fine 2D computation
// (DeCourcy2024).

/// Height of the column, m, gravity, m/s², and density, kg/m³.
const HEIGHT: f64 = 0.3;

const LOBOVSKY_GRAVITY: f64 = 9.81;

const DENSITY: f64 = 1000.0;

pub const LOBOVSKY: Case = Case {
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
    measure: measure_lobovsky,
    draw: draw_lobovsky,
};

const EXPERIMENT: &str = reference!("lobovsky2014_H300_sensor2_percentiles.csv");
const COMPUTATION: &str = reference!("decourcy2024_2d_P2.csv");

/// Units of t* and p*: √(H/g), s, and ρ g H, Pa.
fn scales() -> [f64; 2] {
    [(HEIGHT / LOBOVSKY_GRAVITY).sqrt(), DENSITY * LOBOVSKY_GRAVITY * HEIGHT]
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

fn measure_lobovsky(run: &RunRecord) -> Vec<Measure> {
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

/// Median of the experiments, p* over t*.
fn curve_of_experiment() -> Curve {
    let (name, points) = ("experiment".to_owned(), points(EXPERIMENT, "t_star", "median"));
    Curve { name, color: DATA, style: Style::Line, points }
}

fn draw_lobovsky(runs: &[&RunRecord]) -> Vec<Figure> {
    let ours = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, pressure(run)));
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
        curves: ours.chain([computation, curve_of_experiment()]).collect(),
    }]
}

// The same in space, with the defaults of a scene.

/// Time after the arrival of the wave over which its impulse is taken, s.
const IMPULSE_TIME: f64 = 0.02;

const FREE_SLIP: &str = "free slip of the default walls: where they drag the front, as in the variants, it is met";

pub const LOBOVSKY_IN_SPACE: Case = Case {
    name: "lobovsky_in_space",
    title: "Dam break in space, pressure of the impact",
    about: "The dam break of the case before in space, in the experiment's tank 0.15 m wide, with the kernel, support radius, speed of sound and \
            viscosity of a scene that names none, by WCSPH and DFSPH. The gauge is a disc of 4.2 mm in the middle of the wall. The wave must arrive \
            within the range of 95 of 100 experiments (Lobovský and others 2014), the first peak of the gauge's mean over 10 ms must lie in \
            their range, and the gauge's impulse over the 20 ms after the arrival within 15 % of that of their median.",
    remarks: "The gauge is let into the wall and reads the force on it per area. The pressure at a point is the mean of the particles near: after an impact \
              these stand off from the wall, and the mean exceeds the force. With DFSPH most of the wave is stopped by the divergence solve, \
              whose pressure counts too. The pressure rises more slowly than measured, and its highest value comes late, most with DFSPH. With free \
              slip, the default, nothing holds back the front: the finer the resolution, the earlier it comes, as in the inviscid computation of the \
              case before. In the variants the walls drag it with ten times the viscosity of water, in place of the turbulence near the floor: it \
              then arrives as in the experiment, and the first peak is higher: within the range with DFSPH, above it with WCSPH. The impulse is larger with \
              WCSPH, but not with DFSPH.",
    scene: scene!("lobovsky_in_space"),
    interval: 0.0005,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "H/20", set: &[], quick: false },
            Resolution { label: "H/30", set: &["particles.spacing=0.01"], quick: false },
            Resolution { label: "H/40", set: &["particles.spacing=0.0075"], quick: false },
            Resolution { label: "H/20, DFSPH", set: &["solver.method=dfsph"], quick: false },
            Resolution { label: "H/30, DFSPH", set: &["solver.method=dfsph", "particles.spacing=0.01"], quick: false },
            Resolution { label: "H/40, DFSPH", set: &["solver.method=dfsph", "particles.spacing=0.0075"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "H/20, Wendland C2", set: &["particles.kernel=wendland_c2"] },
            Setting { label: "H/20, DFSPH, signed pressure", set: &["solver.method=dfsph", "solver.dfsph.pressure=signed"] },
            Setting {
                label: "H/40, walls that drag",
                set: &["particles.spacing=0.0075", "containers.0.slip=no_slip", "fluid.kinematic_viscosity=1e-5"],
            },
            Setting {
                label: "H/40, DFSPH, walls that drag",
                set: &[
                    "solver.method=dfsph",
                    "particles.spacing=0.0075",
                    "containers.0.slip=no_slip",
                    "fluid.kinematic_viscosity=1e-5",
                ],
            },
        ],
    },
    measure: measure_in_space,
    draw: draw_in_space,
};

/// Mean p* of the gauge from `arrival`, t*, on: of its two means over 10 ms, so that every step counts.
fn gauge_impulse(gauge: &[[f64; 2]], arrival: f64) -> f64 {
    let mean_at = |time: f64| at(gauge, arrival + time / scales()[0]).unwrap_or(f64::NAN);
    0.5 * (mean_at(0.5 * IMPULSE_TIME) + mean_at(IMPULSE_TIME))
}

/// Mean p* of a curve over the same time after its arrival.
fn curve_impulse(pressure: &[[f64; 2]]) -> f64 {
    let arrival = arrival(pressure);
    mean(&within(pressure, arrival, arrival + IMPULSE_TIME / scales()[0]))
}

fn measure_in_space(run: &RunRecord) -> Vec<Measure> {
    let (ours, gauge) = (pressure(run), gauge(run));
    let experiment = |column| points(EXPERIMENT, "t_star", column);
    let (median, low, high) = (experiment("median"), experiment("p2p5"), experiment("p97p5"));
    let peak = |curve: &[[f64; 2]]| highest(&within(curve, 2.2, 3.2));
    let impulse = gauge_impulse(&gauge, arrival(&ours)) / curve_impulse(&median);
    let source = Source::Experiment("Lobovsky2014");
    vec![
        Measure::new("arrival t* (p* above 0.3)", arrival(&ours), Unit::Plain(3))
            // The earliest wave is that of the highest pressures.
            .accept(Criterion::Between(arrival(&high), arrival(&low)))
            .if_missed(FREE_SLIP)
            .compare(source, arrival(&median)),
        Measure::new("first peak of p*, by the gauge", peak(&gauge), Unit::Plain(2))
            .accept(Criterion::Between(1.76, 2.01))
            .if_missed("not known; where the walls drag the front, as in the variants, it is higher")
            .compare(source, peak(&median)),
        Measure::new("impulse over 20 ms, by the gauge / experiment", impulse, Unit::Plain(3))
            .accept(Criterion::Between(0.85, 1.15))
            .if_missed(
                "probably the slow rise of the pressure; where the walls drag the front the impulse is larger with WCSPH alone",
            )
            .compare_range(source, [curve_impulse(&low), curve_impulse(&high)].map(|impulse| impulse / curve_impulse(&median))),
        Measure::new("first peak of p*, at a point and an instant", peak(&ours), Unit::Plain(2)),
        Measure::new("highest compression", run.compression, Unit::Percent),
    ]
}

/// The finest run of each solver: more curves could not be told apart.
fn draw_in_space(runs: &[&RunRecord]) -> Vec<Figure> {
    let finest: Vec<&&RunRecord> = runs.iter().filter(|run| run.label.starts_with("H/40")).collect();
    let ours = finest.iter().enumerate().map(|(index, run)| our_curve(index, finest.len(), &run.label, gauge(run)));
    vec![Figure {
        name: "lobovsky_in_space_gauge".to_owned(),
        title: "Dam break in space: pressure by the gauge".to_owned(),
        caption: "Mean over 10 ms of the pressure at sensor 2, beside the experiment's pressure".to_owned(),
        x: "t* = t √(g/H)",
        y: "p* = p / ρgH",
        range: [2.2, 3.4],
        curves: ours.chain([curve_of_experiment()]).collect(),
    }]
}

// Fifty perturbed dam breaks, 2D and 3D: no step may be refused, and the fluid must not be compressed much.

/// Number of dam breaks.
const COUNT: u64 = 50;
/// Particle spacing of the scene, m, and gravity, m/s².
const SPACING: f64 = 0.01;

const PERTURBED_GRAVITY: f64 = 9.81;

/// End of the labels of those with the default speed of sound and Courant factor.
const DEFAULTS: &str = "defaults";

pub const PERTURBED: Case = Case {
    name: "dam_breaks",
    title: "Fifty perturbed dam breaks",
    about: "Columns of water collapse and strike the far wall of a closed tank, for 8 √(H/g) from their depth H. Depth (5 to 40 spacings in \
            2D, 5 to 20 in 3D), width (half to twice the depth), and in 3D thickness (4 to 10 spacings) are drawn from a fixed generator. \
            Two in five have the default speed of sound and Courant factor, and must not be compressed by more than 10 % at any \
            particle in any step; the others have 0.75 to 2 times that speed of sound and Courant factors of 0.1 to 0.5. None may be refused a step.",
    remarks: "",
    scene: scene!("dam_breaks"),
    interval: 0.01,
    plan: Plan::List(dam_breaks),
    measure: measure_perturbed,
    draw: |_| Vec::new(),
};

/// A generator of uniform numbers: SplitMix64 (Steele2014).
struct Generator(u64);

impl Generator {
    /// A number in [0, 1).
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between `low` and `high`, each factor as likely.
    fn factor(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.uniform())
    }
}

/// Labels and overrides of all dam breaks.
fn dam_breaks() -> Vec<(String, Vec<String>)> {
    let mut generator = Generator(0);
    (1..=COUNT).map(|number| dam_break(number, &mut generator)).collect()
}

fn dam_break(number: u64, generator: &mut Generator) -> (String, Vec<String>) {
    let is_3d = number.is_multiple_of(3);
    let depth = generator.factor(5.0, if is_3d { 20.0 } else { 40.0 }).round();
    let width = (depth * generator.factor(0.5, 2.0)).round();
    let thickness = if is_3d { generator.factor(4.0, 10.0).round() } else { 1.0 };
    let (stiffness, cfl) = (generator.factor(0.75, 2.0), generator.factor(0.1, 0.5));
    let [x, y, z] = [width, depth, thickness].map(|count| count * SPACING);
    let mut set = vec![
        format!("dimensions={}", if is_3d { 3 } else { 2 }),
        format!("fluid.blocks.0.max=[{x:.3}, {y:.3}, {z:.3}]"),
        format!("containers.0.max=[{:.3}, {:.3}, {z:.3}]", 3.0 * x.max(y), 2.0 * y),
        format!("run.duration={:.3}", 8.0 * (y / PERTURBED_GRAVITY).sqrt()),
    ];
    let size = if is_3d { format!("{width} × {depth} × {thickness}") } else { format!("{width} × {depth}") };
    let label = if number % 5 < 2 {
        format!("{number}: {size}, {DEFAULTS}")
    } else {
        set.push(format!("fluid.sound_speed={:.3}", stiffness * 10.0 * (2.0 * PERTURBED_GRAVITY * y).sqrt()));
        set.push(format!("time_step.cfl_factor={cfl:.3}"));
        format!("{number}: {size}, {stiffness:.2} c₀, cfl {cfl:.2}")
    };
    (label, set)
}

fn measure_perturbed(run: &RunRecord) -> Vec<Measure> {
    let compression = Measure::new("highest compression", run.compression, Unit::Percent);
    let is_default = run.label.ends_with(DEFAULTS);
    vec![if is_default { compression.accept(Criterion::AtMost(0.1)) } else { compression }]
}

// Dam breaks in thin tanks: the shipped dam break, from 0.125 to 0.4 m thick, and with columns of other widths.

/// Width of the column along x and thickness of column and tank along z, m.
macro_rules! thin {
    ($x:literal, $z:literal) => {
        Setting {
            label: concat!($x, " × ", $z, " m"),
            set: &[concat!("fluid.blocks.0.max=[", $x, ", 0.45, ", $z, "]"), concat!("containers.0.max.2=", $z)],
        }
    };
}

pub const THIN: Case = Case {
    name: "thin_dam_breaks",
    title: "Twenty thin dam breaks",
    about: "The dam break that the program starts with (`scenes/dam_break.toml`), 0.125 to 0.4 m thick along z in place of 0.45 m, and some with a \
            narrower or wider column: with WCSPH and DFSPH as they are without a preset, and with the preset *live* of that scene. No run may be \
            refused a step, nor may any particle be compressed by more than 10 % in any step.",
    remarks: "With Wendland's kernel, or a larger support radius, WCSPH compresses single particles less than with the short support radius of the \
              cubic spline. The preset *live* bounds the mean compression that its solve leaves, whatever that of single particles.",
    scene: scene!("thin_dam_breaks"),
    interval: 0.01,
    plan: Plan::Matrix {
        corner: "Width × thickness",
        common: &[],
        rows: &[
            thin!("0.525", "0.125"),
            thin!("0.525", "0.15"),
            thin!("0.525", "0.175"),
            thin!("0.525", "0.2"),
            thin!("0.525", "0.225"),
            thin!("0.525", "0.25"),
            thin!("0.525", "0.275"),
            thin!("0.525", "0.3"),
            thin!("0.525", "0.325"),
            thin!("0.525", "0.35"),
            thin!("0.525", "0.375"),
            thin!("0.525", "0.4"),
            thin!("0.4", "0.125"),
            thin!("0.4", "0.2"),
            thin!("0.4", "0.3"),
            thin!("0.4", "0.4"),
            thin!("0.65", "0.125"),
            thin!("0.65", "0.2"),
            thin!("0.65", "0.3"),
            thin!("0.65", "0.4"),
        ],
        columns: &[
            Setting { label: "WCSPH", set: &["solver.method=wcsph"] },
            Setting { label: "DFSPH", set: &["solver.method=dfsph"] },
            Setting { label: "live", set: &["preset=live"] },
        ],
    },
    measure: measure_thin,
    draw: |_| Vec::new(),
};

fn measure_thin(run: &RunRecord) -> Vec<Measure> {
    vec![
        Measure::new("highest compression", run.compression, Unit::Percent).accept(Criterion::AtMost(0.1)),
        Measure::new("fastest particle, m/s", highest(&run.speeds), Unit::Plain(1)),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_shift_is_found() {
        let data = within(&points(TALL_FRONT, "T", "Z"), 0.8, 3.33);
        assert_eq!(data.len(), 14);
        // The experiment itself, delayed by 0.2, with an additional point at each end.
        let mut ours: Vec<[f64; 2]> = data.iter().map(|[time, place]| [time + 0.2, *place]).collect();
        ours.insert(0, [0.0, 1.0]);
        ours.push([4.0, 5.0]);
        let (shift, error) = best_shift(&ours, &data);
        assert!((shift + 0.2).abs() < 1e-9 && error < 1e-9, "{shift} {error}");
        assert!(front_error(&ours, &data, 0.0) > 0.03);
    }

    #[test]
    fn the_dam_breaks_are_fifty_different_ones_of_every_kind() {
        let all = dam_breaks();
        assert_eq!(all, dam_breaks());
        let sets: HashSet<&Vec<String>> = all.iter().map(|(_, set)| set).collect();
        assert_eq!((all.len(), sets.len()), (50, 50));
        let count = |text: &str| all.iter().filter(|(label, _)| label.ends_with(text)).count();
        assert_eq!(count(DEFAULTS), 20);
        assert_eq!(all.iter().filter(|(_, set)| set[0] == "dimensions=3").count(), 16);
    }

    #[test]
    fn numbers_are_those_of_the_generator() {
        // The first two outputs of SplitMix64 from 0 are e220a8397b1dcdaf and 6e789e6aa1b965f4.
        let mut generator = Generator(0);
        assert_eq!(generator.uniform(), (0xe220_a839_7b1d_cdaf_u64 >> 11) as f64 / (1u64 << 53) as f64);
        assert_eq!(generator.uniform(), (0x6e78_9e6a_a1b9_65f4_u64 >> 11) as f64 / (1u64 << 53) as f64);
        assert!((0..1000).map(|_| generator.factor(0.5, 2.0)).all(|factor| (0.5..2.0).contains(&factor)));
    }
}
