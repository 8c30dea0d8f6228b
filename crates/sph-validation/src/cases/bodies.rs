//! Bodies in the fluid, prescribed and free.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::curves::{at, largest, mean, points, reference, within};
use crate::figure::{Curve, DATA, Figure, Style, data_curve, our_curve};
use crate::runs::RunRecord;

// A square that moves through a closed box full of fluid (SPHERIC benchmark test 6).

/// First and last time of the comparison of drag, D/U.
const BEGIN: f64 = 1.0;

const SQUARE_END: f64 = 8.0;

/// Number of windows over which drag is averaged before it is compared, each a little longer than the 20/15 D/U that sound
/// takes for the length of the box and back, because the drag oscillates with that period.
const WINDOWS: usize = 5;
/// Number of windows over which drag is averaged before it is plotted.
const PLOT_WINDOWS: usize = 28;
/// Force scale, ½ ρ U² D, N/m.
const FORCE: f64 = 0.5;

pub const MOVING_SQUARE: Case = Case {
    name: "moving_square",
    title: "Moving square in a box, Re 100",
    about: "A square of side D accelerates up to U within D/U and crosses a closed box, 10 D long and 5 D high, full of \
            fluid at rest; Re = UD/ν = 100 (SPHERIC benchmark test 6). Its drag, pressure and friction, over ½ρU²D, is \
            compared with a computation on a grid that follows the surface (Colicchio and others), from 1 to 8 D/U, each \
            averaged over fifths of that time.",
    remarks: "The box is closed and the fluid slightly compressible: the sound waves of the start are reflected, and the fifths are a little longer than they \
              take for the length of the box and back. The plot has averages over shorter windows, in which the oscillation is visible. From the second \
              resolution to the third the drag does not converge; why is not known.",
    scene: scene!("moving_square"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "D/10", set: &["particles.spacing=0.1"], quick: false },
            Resolution { label: "D/20", set: &[], quick: false },
            Resolution { label: "D/40", set: &["particles.spacing=0.025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure: measure_square,
    draw: draw_square,
};

const SQUARE_EXPECTED: &str = reference!("spheric6_moving_square_Re100_force.csv");

/// Means of a curve over successive windows, at the windows' centres.
fn averaged(curve: &[[f64; 2]], windows: usize) -> Vec<[f64; 2]> {
    let length = (SQUARE_END - BEGIN) / windows as f64;
    let window = |window: usize| {
        let begin = BEGIN + window as f64 * length;
        [begin + 0.5 * length, mean(&within(curve, begin, begin + length))]
    };
    (0..windows).map(window).collect()
}

/// Drag of the reference, pressure and friction together.
fn expected() -> Vec<[f64; 2]> {
    let (pressure, friction) = (points(SQUARE_EXPECTED, "t", "Cd_p"), points(SQUARE_EXPECTED, "t", "Cd_v"));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// Our drag: the square moves along x, and the fluid's force on it is negative.
fn square_drag(run: &RunRecord) -> Vec<[f64; 2]> {
    let (pressure, friction) = (run.series("drag.pressure.x", [1.0, -FORCE]), run.series("drag.viscous.x", [1.0, -FORCE]));
    pressure.iter().zip(&friction).map(|(pressure, friction)| [pressure[0], pressure[1] + friction[1]]).collect()
}

/// The largest relative difference of two curves at the same times.
fn drag_difference(ours: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    largest(ours.iter().zip(expected).map(|(ours, expected)| (ours[1] / expected[1] - 1.0).abs()))
}

fn measure_square(run: &RunRecord) -> Vec<Measure> {
    let (ours, expected) = (averaged(&square_drag(run), WINDOWS), averaged(&expected(), WINDOWS));
    vec![
        Measure::new("drag, largest difference in a fifth", drag_difference(&ours, &expected), Unit::Percent)
            .accept(Criterion::AtMost(0.1))
            .converges_to(0.0),
        Measure::new("mean drag / reference", mean(&ours) / mean(&expected), Unit::Plain(3))
            .accept(Criterion::Between(0.9, 1.1))
            .converges_to(1.0),
    ]
}

fn draw_square(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs
        .iter()
        .enumerate()
        .map(|(index, run)| our_curve(index, runs.len(), &run.label, averaged(&square_drag(run), PLOT_WINDOWS)));
    vec![Figure {
        name: "moving_square_drag".to_owned(),
        title: "Moving square: drag".to_owned(),
        caption: "Drag of the square over time, averaged over windows of 0.25 D/U, beside the reference".to_owned(),
        x: "t U/D",
        y: "drag / ½ρU²D",
        range: [BEGIN, SQUARE_END],
        curves: curves.chain([data_curve("Colicchio and others", averaged(&expected(), PLOT_WINDOWS))]).collect(),
    }]
}

// A held box and a floating one.

/// Side of the boxes, m, and weight of the water that the held one displaces, N/m.
const SIDE: f64 = 0.4;
const WEIGHT: f64 = 1000.0 * 9.81 * SIDE * SIDE;

/// Time from which means are taken, s, and the end of the run.
const BOX_FROM: f64 = 2.0;

const BOX_END: f64 = 4.0;

pub const FLOATING_BOX: Case = Case {
    name: "floating_box",
    title: "Held and floating box",
    about: "Two boxes of side 0.4 m in water 1 m deep. One is held below the surface: the force on it must be the weight of the water that it displaces. The \
            other has half the density of water, is released a little too low, and must come to rest half immersed. Both are means from 2 to 4 s.",
    remarks: "The floating box may not turn: a square of half the density of water is stable with a diagonal upright.",
    scene: scene!("floating"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "side/10", set: &["particles.spacing=0.04"], quick: true },
            Resolution { label: "side/20", set: &[], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[Setting { label: "side/20, DFSPH", set: &["solver.method=dfsph"] }],
    },
    measure: measure_box,
    draw: draw_box,
};

/// Immersed depth of the floating box over its side, by time.
fn box_immersion(run: &RunRecord) -> Vec<[f64; 2]> {
    let (heights, levels) = (run.series("floating.position.y", [1.0; 2]), run.series("level", [1.0; 2]));
    heights.iter().zip(&levels).map(|(height, level)| [height[0], (level[1] - height[1] + 0.5 * SIDE) / SIDE]).collect()
}

fn measure_box(run: &RunRecord) -> Vec<Measure> {
    let late = |curve: Vec<[f64; 2]>| mean(&within(&curve, BOX_FROM, BOX_END));
    let held = late(run.series("held.pressure.y", [1.0, WEIGHT]));
    vec![
        Measure::new("force on the held box / displaced weight", held, Unit::Plain(3))
            .accept(Criterion::Between(0.98, 1.02))
            .converges_to(1.0),
        Measure::new("immersion of the floating box / half", 2.0 * late(box_immersion(run)), Unit::Plain(3))
            .accept(Criterion::Between(0.98, 1.02))
            .converges_to(1.0),
    ]
}

fn draw_box(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, box_immersion(run)));
    let half = Curve { name: "half".to_owned(), points: vec![[0.0, 0.5], [BOX_END, 0.5]], style: Style::Line, color: DATA };
    vec![Figure {
        name: "floating_box".to_owned(),
        title: "Floating box: immersion".to_owned(),
        caption: "Immersed part of the floating box over time".to_owned(),
        x: "t [s]",
        y: "depth / side",
        range: [0.0, BOX_END],
        curves: curves.chain([half]).collect(),
    }]
}

// A floating sphere.

/// Diameter, m, and the immersed part of it, the root of 3 x² − 2 x³ = 0.9.
const DIAMETER: f64 = 0.4;
const DEPTH: f64 = 0.804_200;

/// Time from which the mean is taken, s, and the end of the run.
const SPHERE_FROM: f64 = 2.0;

const SPHERE_END: f64 = 3.0;

pub const FLOATING_SPHERE: Case = Case {
    name: "floating_sphere",
    title: "Floating sphere",
    about: "A sphere of diameter 0.4 m and nine tenths of the density of water in a tank 0.8 m wide and 0.64 m deep is released half a diameter too low. At rest \
            it must displace its weight: 3 x² − 2 x³ = 0.9 for the immersed part x of the diameter, 0.804. The mean is from 2 to 3 s.",
    remarks: "",
    scene: scene!("floating_sphere"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "diameter/10", set: &[], quick: false },
            Resolution { label: "diameter/16", set: &["particles.spacing=0.025"], quick: false },
        ],
        judged: Judged::Finest,
        variants: &[],
    },
    measure: measure_sphere,
    draw: draw_sphere,
};

/// Immersed depth over the diameter, by time.
fn sphere_immersion(run: &RunRecord) -> Vec<[f64; 2]> {
    let (heights, levels) = (run.series("sphere.position.y", [1.0; 2]), run.series("level", [1.0; 2]));
    heights.iter().zip(&levels).map(|(height, level)| [height[0], (level[1] - height[1]) / DIAMETER + 0.5]).collect()
}

fn measure_sphere(run: &RunRecord) -> Vec<Measure> {
    let depth = mean(&within(&sphere_immersion(run), SPHERE_FROM, SPHERE_END));
    vec![
        Measure::new("immersion / theory", depth / DEPTH, Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .converges_to(1.0),
    ]
}

fn draw_sphere(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, sphere_immersion(run)));
    let theory =
        Curve { name: "theory".to_owned(), points: vec![[0.0, DEPTH], [SPHERE_END, DEPTH]], style: Style::Line, color: DATA };
    vec![Figure {
        name: "floating_sphere".to_owned(),
        title: "Floating sphere: immersion".to_owned(),
        caption: "Immersed part of the diameter over time".to_owned(),
        x: "t [s]",
        y: "depth / diameter",
        range: [0.0, SPHERE_END],
        curves: curves.chain([theory]).collect(),
    }]
}

// A cylinder that falls through the surface.

/// Unit of time, √(R/g), s, and height of the centre at the start, m; R = 1 m.
const UNIT: f64 = 0.319_275;
const START: f64 = 14.0;

/// Times of the comparison, √(R/g), after the splash has closed, and before the floor is near.
const TIMES: [f64; 3] = [2.0, 4.0, 6.0];

pub const FALLING_CYLINDER: Case = Case {
    name: "falling_cylinder",
    title: "Falling cylinder",
    about: "A cylinder of radius R, 1.2 times as dense as water, is released at rest with its centre at the surface of water 14 R deep and 10 R wide, and falls \
            freely. Its displacement is compared with a computation by the volume-of-fluid method (Fekken 2004) at 2, 4 and 6 √(R/g).",
    remarks: "The drag after the splash depends on the artificial viscosity: with the usual one the cylinder falls too fast later on, as a variant shows.",
    scene: scene!("falling_cylinder"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "R/10", set: &[], quick: false }],
        judged: Judged::Finest,
        variants: &[
            Setting { label: "R/10, usual viscosity", set: &["fluid.artificial_viscosity=0.05"] },
            Setting { label: "R/10, DFSPH", set: &["solver.method=dfsph"] },
        ],
    },
    measure: measure_cylinder,
    draw: draw_cylinder,
};

const CYLINDER_EXPECTED: &str = reference!("fekken2004_falling_cylinder_disp.csv");

/// Displacement over R, by time over √(R/g).
fn cylinder_path(run: &RunRecord) -> Vec<[f64; 2]> {
    run.series("cylinder.position.y", [UNIT, 1.0]).iter().map(|[time, height]| [*time, height - START]).collect()
}

/// Largest relative difference of two displacements at [`TIMES`].
fn displacement_difference(ours: &[[f64; 2]], expected: &[[f64; 2]]) -> f64 {
    let of = |curve: &[[f64; 2]], time: f64| at(curve, time).unwrap_or(f64::NAN);
    largest(TIMES.into_iter().map(|time| (of(ours, time) / of(expected, time) - 1.0).abs()))
}

fn measure_cylinder(run: &RunRecord) -> Vec<Measure> {
    let difference = displacement_difference(&cylinder_path(run), &points(CYLINDER_EXPECTED, "T", "y"));
    vec![
        Measure::new("displacement, largest difference", difference, Unit::Percent)
            .accept(Criterion::AtMost(0.05))
            .converges_to(0.0),
    ]
}

fn draw_cylinder(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, cylinder_path(run)));
    // Fewer points than the table has, or they would cover the curves.
    let expected = points(CYLINDER_EXPECTED, "T", "y").into_iter().step_by(12).collect();
    vec![Figure {
        name: "falling_cylinder".to_owned(),
        title: "Falling cylinder: displacement".to_owned(),
        caption: "Displacement of the cylinder over time, beside that of Fekken (2004)".to_owned(),
        x: "t √(g/R)",
        y: "y/R",
        range: [0.0, 8.0],
        curves: curves.chain([data_curve("Fekken (2004)", expected)]).collect(),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_table_is_complete() {
        let expected = averaged(&expected(), WINDOWS);
        assert!(expected.iter().all(|point| (1.7..2.4).contains(&point[1])), "{expected:?}");
        assert_eq!(drag_difference(&expected, &expected), 0.0);
        assert_eq!(drag_difference(&[[1.0, 3.0]], &[[1.0, 2.0]]), 0.5);
        assert!(drag_difference(&[[1.0, f64::NAN]], &[[1.0, 2.0]]).is_nan());
    }

    #[test]
    fn the_immersed_cap_has_nine_tenths_of_the_volume() {
        assert!((3.0 * DEPTH.powi(2) - 2.0 * DEPTH.powi(3) - 0.9).abs() < 1e-5);
    }

    #[test]
    fn the_reference_agrees_with_itself_only() {
        let expected = points(CYLINDER_EXPECTED, "T", "y");
        assert_eq!(displacement_difference(&expected, &expected), 0.0);
        let slower: Vec<_> = expected.iter().map(|[time, y]| [*time, 0.9 * y]).collect();
        assert!((displacement_difference(&slower, &expected) - 0.1).abs() < 1e-9);
    }
}
