//! Balls at rest: one that floats, a pyramid, and balls that are poured.

use std::f64::consts::PI;

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Source, Unit, scene};
use crate::curves::{largest, mean, within};
use crate::figure::{Curve, DATA, Figure, Style, our_curve};
use crate::runs::RunRecord;
use sph_core::point_sets::PointSet;

// A ball that floats.

/// Radius of the ball and width of the pool, m.
const RADIUS: f64 = 0.2;
const POOL: f64 = 0.8;

/// Time of the mean, s.
const FLOATS: [f64; 2] = [4.0, 8.0];

pub const FLOATING_BALL: Case = Case {
    name: "floating_ball",
    title: "Floating ball",
    about: "A ball of radius 0.2 m and half the density of water falls 0.04 m into a pool 0.8 m wide and 0.6 m deep. It must float half immersed. The level is \
            that at which the volume of the water and the immersed part fill the pool; the mean is from 4 to 8 s.",
    remarks: "",
    scene: scene!("floating_ball"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "diameter/10", set: &[], quick: false },
            Resolution { label: "diameter/10, DFSPH", set: &["solver.method=dfsph"], quick: true },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_floating,
    draw: draw_floating,
};

/// Part of the volume of the ball that is less than `depth` (m) above its lowest point.
fn part_below(depth: f64) -> f64 {
    let depth = depth.clamp(0.0, 2.0 * RADIUS);
    0.25 * (depth / RADIUS).powi(2) * (3.0 - depth / RADIUS)
}

/// Immersed part of the ball with its centre at `height` (m), in a pool with `water`, m³.
fn immersed(height: f64, water: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let part = 0.5 * (low + high);
        let level = (water + part * 4.0 / 3.0 * PI * RADIUS.powi(3)) / (POOL * POOL);
        // The more is taken to be immersed, the higher the level.
        (low, high) = if part_below(level - height + RADIUS) > part { (part, high) } else { (low, part) };
    }
    low
}

/// Immersed part by time.
fn immersion(run: &RunRecord) -> Vec<[f64; 2]> {
    let water = run.particles() as f64 * f64::from(run.scene.setup.discretization.particle_spacing).powi(3);
    run.series("ball.position.y", [1.0; 2]).into_iter().map(|[time, height]| [time, immersed(height, water)]).collect()
}

fn measure_floating(run: &RunRecord) -> Vec<Measure> {
    let part = mean(&within(&immersion(run), FLOATS[0], FLOATS[1]));
    vec![
        Measure::new("immersed part, mean / half", part / 0.5, Unit::Plain(3))
            .accept(Criterion::Between(0.97, 1.03))
            .converges_to(1.0)
            .compare(Source::Theory(""), 1.0),
    ]
}

fn draw_floating(runs: &[&RunRecord]) -> Vec<Figure> {
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, immersion(run)));
    let theory =
        Curve { name: "theory".to_owned(), points: vec![[0.0, 0.5], [FLOATS[1], 0.5]], style: Style::Line, color: DATA };
    vec![Figure {
        name: "floating_ball".to_owned(),
        title: "Floating ball: immersed part".to_owned(),
        caption: "Immersed part of the volume of the ball over time".to_owned(),
        x: "t [s]",
        y: "immersed part",
        range: [0.0, FLOATS[1]],
        curves: curves.chain([theory]).collect(),
    }]
}

// A pyramid.

pub const PYRAMID: Case = Case {
    name: "pyramid",
    title: "Pyramid of balls",
    about: "A pyramid of 14 square levels, 1,015 equal balls with a friction of 0.5, stands for 10 s; the lowest level is framed by walls. Every ball must stay \
            within 2 % of its radius of its place, and overlap no other by more.",
    remarks: "",
    scene: scene!("pyramid"),
    interval: 0.05,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "14 levels", set: &[], quick: true }],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_pyramid,
    draw: |_| Vec::new(),
};

fn measure_pyramid(run: &RunRecord) -> Vec<Measure> {
    let fluid = run.fluid();
    let start = run.scene.setup.points.as_ref().map(|points| points.source().sets()).unwrap_or_default();
    let way = largest(fluid.sets.iter().zip(&start).flat_map(|(now, before)| {
        let ways = now.positions.iter().zip(&before.positions).zip(&now.radii);
        ways.map(|((now, before), &radius)| f64::from(now.distance(*before) / radius))
    }));
    vec![
        Measure::new("farthest way of a ball from its place / radius", way, Unit::Percent).accept(Criterion::AtMost(0.02)),
        Measure::new("largest overlap / radius", largest_overlap(&fluid.sets[0]), Unit::Percent)
            .accept(Criterion::AtMost(0.02)),
        Measure::new("fastest ball at the end, mm/s", 1e3 * fastest(&fluid.sets[0]), Unit::Plain(2)),
    ]
}

// Balls that are poured.

/// Speed below which a ball is at rest, m/s, and the part of the balls that may still trickle through gaps.
const AT_REST: f32 = 0.01;
const TRICKLING: f64 = 0.01;

/// Time from the last pour to the end of a run, s.
const SETTLING: f64 = 5.0;

pub const POURED: Case = Case {
    name: "poured_balls",
    title: "Poured balls",
    about: "Balls of radii 1 to 10, spread evenly in their logarithm, pour into a basin 2.5 m wide, 2,000 a second. After the last has come, the energy may not grow \
            from one sixtieth of a second to the next by more than 10⁻⁵ of it; 5 s later at most one ball in a hundred may be faster than 1 cm/s, and none may \
            overlap another by more than 2 % of the smaller radius.",
    remarks: "",
    scene: scene!("poured_balls"),
    interval: 1.0 / 60.0,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "1,000 balls", set: &["balls.0.count=1000", "run.duration=5.5"], quick: true },
            Resolution { label: "10,000 balls", set: &[], quick: false },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_poured,
    draw: draw_poured,
};

/// Kinetic energy and energy in gravity by time, J.
fn energy(run: &RunRecord) -> Vec<[f64; 2]> {
    let [mass, height, kinetic] =
        ["balls.mass", "balls.position.y", "balls.kinetic"].map(|column| run.series(column, [1.0; 2]));
    let all = mass.iter().zip(&height).zip(&kinetic);
    all.map(|((mass, height), kinetic)| [mass[0], kinetic[1] + 9.81 * mass[1] * height[1]]).collect()
}

fn measure_poured(run: &RunRecord) -> Vec<Measure> {
    let set = &run.fluid().sets[0];
    let after = within(&energy(run), run.scene.duration - SETTLING + 0.02, f64::INFINITY);
    let scale = after.first().map_or(f64::NAN, |first| first[1]);
    let gain = largest(after.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / scale));
    let moving = set.velocities.iter().filter(|velocity| velocity.length() > AT_REST).count();
    vec![
        Measure::new("largest gain of energy, 10⁻⁵ of it", 1e5 * gain.max(0.0), Unit::Plain(3)).accept(Criterion::AtMost(1.0)),
        Measure::new("balls faster than 1 cm/s at the end", moving as f64 / set.len() as f64, Unit::Percent)
            .accept(Criterion::AtMost(TRICKLING)),
        Measure::new("largest overlap / smaller radius", largest_overlap(set), Unit::Percent).accept(Criterion::AtMost(0.02)),
        Measure::new("fastest ball at the end, mm/s", 1e3 * fastest(set), Unit::Plain(1)),
    ]
}

fn draw_poured(runs: &[&RunRecord]) -> Vec<Figure> {
    let shape = |run: &RunRecord| -> Vec<[f64; 2]> {
        let kinetic = run.series("balls.kinetic", [1.0; 2]);
        kinetic.into_iter().map(|[time, energy]| [time - run.scene.duration + SETTLING, energy.max(1e-9).log10()]).collect()
    };
    let curves = runs.iter().enumerate().map(|(index, run)| our_curve(index, runs.len(), &run.label, shape(run)));
    vec![Figure {
        name: "poured_balls".to_owned(),
        title: "Poured balls: kinetic energy".to_owned(),
        caption: "Kinetic energy of all balls, from the last pour on".to_owned(),
        x: "t since the last pour [s]",
        y: "log10 of the energy [J]",
        range: [0.0, SETTLING],
        curves: curves.collect(),
    }]
}

// What both ask for.

fn fastest(set: &PointSet) -> f64 {
    largest(set.velocities.iter().map(|velocity| f64::from(velocity.length())))
}

/// Largest overlap of two balls over the radius of the smaller one.
fn largest_overlap(set: &PointSet) -> f64 {
    let PointSet { positions, radii, .. } = set;
    let mut order: Vec<usize> = (0..set.len()).collect();
    order.sort_by(|&a, &b| positions[a].x.total_cmp(&positions[b].x));
    let largest_radius = radii.iter().copied().fold(0.0, f32::max);
    let mut most = 0.0_f32;
    for (place, &a) in order.iter().enumerate() {
        let beside = |b: usize| positions[b].x - positions[a].x < radii[a] + largest_radius;
        for &b in order[place + 1..].iter().take_while(|&&b| beside(b)) {
            let overlap = radii[a] + radii[b] - positions[a].distance(positions[b]);
            most = most.max(overlap / radii[a].min(radii[b]));
        }
    }
    most.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_ball_at_the_level_is_half_immersed() {
        let half = 2.0 / 3.0 * PI * RADIUS.powi(3);
        let water = POOL * POOL * 0.6;
        let level = (water + half) / (POOL * POOL);
        assert!((immersed(level, water) - 0.5).abs() < 1e-9);
        assert_eq!(immersed(level + 1.0, water), 0.0);
    }

    #[test]
    fn overlaps_are_those_of_the_nearest() {
        let positions = vec![Vec3::ZERO, 0.19 * Vec3::X, Vec3::Y];
        let set = PointSet { radii: vec![0.1; 3], ids: vec![0, 1, 2], positions, ..PointSet::default() };
        assert!((largest_overlap(&set) - 0.1).abs() < 1e-5);
    }
}
