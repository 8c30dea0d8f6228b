//! Balls: an oblique impact, a rack that is struck, and what fluid, cloth and balls exchange.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Setting, Unit, scene};
use crate::runs::RunRecord;
use glam::DVec3;
use sph_core::point_sets::{ColumnValues, PENDING_IMPULSE, PointSet};
use sph_core::probes::momentum;

// An oblique impact.

/// Restitution, and sine of the angle between the velocity and the line of centres: the offset over the diameter.
const RESTITUTION: f64 = 0.9;
const SINE: f64 = 0.6;

pub const OBLIQUE_IMPACT: Case = Case {
    name: "oblique_impact",
    title: "Oblique impact of two balls",
    about: "A ball strikes an equal one at rest, without gravity and friction, so that the line of centres is at an angle φ with sin φ = 0.6 to its \
            velocity v. With a restitution e of 0.9 the struck ball leaves along that line with (1 + e)/2 v cos φ; the other keeps v sin φ across it and \
            (1 − e)/2 v cos φ along it.",
    remarks: "",
    scene: scene!("oblique_impact"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "two balls", set: &[], quick: true }],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_impact,
    draw: |_| Vec::new(),
};

/// Velocities of the striking and the struck ball after the impact, over that before it.
fn after_impact() -> [DVec3; 2] {
    let cosine = (1.0 - SINE * SINE).sqrt();
    let (line, across) = (DVec3::new(cosine, SINE, 0.0), DVec3::new(SINE, -cosine, 0.0));
    let along = |share: f64| share * cosine * line;
    [along(0.5 * (1.0 - RESTITUTION)) + SINE * across, along(0.5 * (1.0 + RESTITUTION))]
}

/// Momentum of a set over its mass at the end, m/s.
fn velocity(set: &PointSet) -> DVec3 {
    let mass: f64 = set.masses.iter().map(|&mass| f64::from(mass)).sum();
    momentum_of(set) / mass
}

/// Momentum of a set, with impulses of the fluid that have yet to act on it, kg m/s.
fn momentum_of(set: &PointSet) -> DVec3 {
    let moving = set.masses.iter().zip(&set.velocities).filter(|(mass, _)| mass.is_finite());
    let sum: DVec3 = moving.map(|(&mass, velocity)| f64::from(mass) * velocity.as_dvec3()).sum();
    match set.column(PENDING_IMPULSE) {
        Some(ColumnValues::Vectors(pending)) => sum + pending.iter().map(|impulse| impulse.as_dvec3()).sum::<DVec3>(),
        _ => sum,
    }
}

fn measure_impact(run: &RunRecord) -> Vec<Measure> {
    let [ours, expected] = [run.fluid().sets.iter().map(velocity).collect(), after_impact().to_vec()];
    let angle = |velocities: &[DVec3], ball: usize| {
        let velocity = velocities.get(ball).copied().unwrap_or(DVec3::NAN);
        velocity.y.atan2(velocity.x).to_degrees()
    };
    let total: DVec3 = ours.iter().sum();
    let turned = |name: &str, ball: usize| {
        let difference = (angle(&ours, ball) - angle(&expected, ball)).abs();
        Measure::new(format!("direction of {name}, difference in degrees"), difference, Unit::Plain(3))
            .accept(Criterion::AtMost(0.5))
            .converges_to(0.0)
    };
    let speed = |name: &str, ball: usize| {
        let ratio = ours.get(ball).map_or(f64::NAN, |velocity| velocity.length() / expected[ball].length());
        Measure::new(format!("speed of {name} / closed form"), ratio, Unit::Plain(4)).accept(Criterion::Between(0.99, 1.01))
    };
    let drift = (total - DVec3::X).length();
    vec![
        turned("the striking ball", 0),
        turned("the struck ball", 1),
        speed("the striking ball", 0),
        speed("the struck ball", 1),
        Measure::new("change of the total momentum, 1e-6 of it", 1e6 * drift, Unit::Plain(2)).accept(Criterion::AtMost(1.0)),
    ]
}

// A rack that is struck, against impacts computed one after the other.

/// Radius (m), restitution, and speed of the cue ball (m/s).
const RADIUS: f64 = 0.02858;
const RACK_RESTITUTION: f64 = 0.94;
const CUE_SPEED: f64 = 7.0;

pub const RACK: Case = Case {
    name: "rack_of_fifteen",
    title: "Break of fifteen balls",
    about: "A ball of 7 m/s strikes fifteen equal ones that are 1.5 to 2.4 mm apart, without gravity and friction, with a restitution of 0.94. The balls meet \
            two at a time, so that the impacts can be computed one after the other, each in closed form at the moment when it happens. After 0.1 s the \
            velocities must be those of that computation.",
    remarks: "A ball that meets two others within one substep takes these impacts in the order of the pairs, not of time: substeps must be short against \
              the time between two impacts. With longer ones, some impacts are not those of the computation, and all that follow from them.",
    scene: scene!("rack_of_fifteen"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[Resolution { label: "substeps of 0.01 ms", set: &[], quick: true }],
        judged: Judged::Each,
        variants: &[
            Setting { label: "substeps of 0.05 ms", set: &["ball.substep=0.00005"] },
            Setting { label: "substeps of 1 ms", set: &["ball.substep=0.001"] },
        ],
    },
    measure: measure_rack,
    draw: |_| Vec::new(),
};

/// Ball that an impact changes: centre (m) and velocity (m/s).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Flying {
    center: DVec3,
    velocity: DVec3,
}

/// Time until two balls of the rack's radius meet, s; `None` if they do not.
fn time_to_impact(a: &Flying, b: &Flying) -> Option<f64> {
    let (offset, velocity) = (b.center - a.center, b.velocity - a.velocity);
    let along = offset.dot(velocity);
    if along >= 0.0 {
        return None;
    }
    let beyond = offset.length_squared() - 4.0 * RADIUS * RADIUS;
    let root = (along * along - velocity.length_squared() * beyond).sqrt();
    (root >= 0.0).then(|| (beyond / (root - along)).max(0.0))
}

/// Lets balls of equal masses fly for a time (s), impact by impact. Returns the number of impacts.
fn fly(balls: &mut [Flying], duration: f64) -> usize {
    let (mut left, mut impacts) = (duration, 0);
    loop {
        let pairs = (0..balls.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let meetings = pairs.filter_map(|(a, b)| Some((time_to_impact(&balls[a], &balls[b])?, a, b)));
        let next = meetings.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|&(time, ..)| time < left);
        let time = next.map_or(left, |(time, ..)| time);
        balls.iter_mut().for_each(|ball| ball.center += time * ball.velocity);
        let Some((_, a, b)) = next else { return impacts };
        let normal = (balls[b].center - balls[a].center).normalize();
        let change = 0.5 * (1.0 + RACK_RESTITUTION) * (balls[b].velocity - balls[a].velocity).dot(normal) * normal;
        balls[a].velocity += change;
        balls[b].velocity -= change;
        (left, impacts) = (left - time, impacts + 1);
    }
}

/// The balls of all sets.
fn flying(sets: &[PointSet]) -> Vec<Flying> {
    let balls = |set: &PointSet| -> Vec<Flying> {
        (0..set.len()).map(|i| Flying { center: set.exact_position(i), velocity: set.velocities[i].as_dvec3() }).collect()
    };
    sets.iter().flat_map(balls).collect()
}

fn measure_rack(run: &RunRecord) -> Vec<Measure> {
    let Some(points) = &run.scene.setup.points else { return Vec::new() };
    let (ours, mut expected) = (flying(run.fluid().sets), flying(&points.source().sets()));
    let impacts = fly(&mut expected, run.fluid().time);
    let energy = |balls: &[Flying]| balls.iter().map(|ball| ball.velocity.length_squared()).sum::<f64>();
    let differences =
        ours.iter().zip(&expected).map(|(ours, expected)| (ours.velocity - expected.velocity).length() / CUE_SPEED);
    vec![
        Measure::new(
            "largest difference of a velocity, % of the cue ball's",
            100.0 * differences.fold(0.0, f64::max),
            Unit::Plain(5),
        )
        .accept(Criterion::AtMost(0.01))
        .converges_to(0.0),
        Measure::new("kinetic energy / that of the computation", energy(&ours) / energy(&expected), Unit::Plain(4))
            .accept(Criterion::Between(0.999, 1.001))
            .converges_to(1.0),
        Measure::new("impacts", impacts as f64, Unit::Plain(0)),
    ]
}

// Fluid, cloth and a ball in free space.

pub const FREE_IMPACT: Case = Case {
    name: "free_impact",
    title: "Impact in free space",
    about: "Without gravity and walls, a cube of water strikes a free sheet, which strikes a ball. The change of the momentum of all together, over what the \
            fluid has lost, must vanish.",
    remarks: "Impulses of the fluid that have yet to act on light vertices count as theirs.",
    scene: scene!("free_impact"),
    interval: 0.01,
    plan: Plan::Resolutions {
        resolutions: &[
            Resolution { label: "10³ particles", set: &[], quick: false },
            Resolution { label: "10³ particles, DFSPH", set: &["solver.method=dfsph"], quick: true },
        ],
        judged: Judged::Each,
        variants: &[],
    },
    measure: measure_free,
    draw: |_| Vec::new(),
};

fn measure_free(run: &RunRecord) -> Vec<Measure> {
    let fluid = run.fluid();
    // The cube flew with 1 m/s along x.
    let start = (0..run.particles()).map(|i| fluid.mass_of(i)).sum::<f64>() * DVec3::X;
    let of_fluid = momentum(&fluid);
    let of_sets: Vec<DVec3> = fluid.sets.iter().map(momentum_of).collect();
    let exchanged = (start - of_fluid).length();
    let drift = (of_fluid + of_sets.iter().sum::<DVec3>() - start).length();
    let share = |set: usize| of_sets.get(set).map_or(f64::NAN, |momentum| momentum.x / start.x);
    vec![
        Measure::new("drift of the momentum, 1e-4 of what is exchanged", 1e4 * drift / exchanged, Unit::Plain(4))
            .accept(Criterion::AtMost(1.0))
            .converges_to(0.0),
        Measure::new("momentum of the sheet / of the cube at the start", share(0), Unit::Plain(3)),
        Measure::new("momentum of the ball / of the cube at the start", share(1), Unit::Plain(3)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a row that is struck centrally, each impact passes on (1 + e)/2 of the speed.
    #[test]
    fn impacts_pass_on_in_a_row() {
        let at = |x: f64, speed: f64| Flying { center: x * DVec3::X, velocity: speed * DVec3::X };
        let mut row = [at(0.0, 2.0), at(0.1, 0.0), at(0.2, 0.0)];
        assert_eq!(fly(&mut row, 0.1), 2);
        let passed = 0.5 * (1.0 + RACK_RESTITUTION);
        let expected = [2.0 * (1.0 - passed), 2.0 * passed * (1.0 - passed), 2.0 * passed * passed];
        for (ball, speed) in row.iter().zip(expected) {
            assert!((ball.velocity - speed * DVec3::X).length() < 1e-12, "{ball:?}");
        }
        // Two gaps are closed before the last ball is struck.
        let gap = 0.1 - 2.0 * RADIUS;
        let struck_at = gap / 2.0 + gap / (2.0 * passed);
        assert!((row[2].center.x - (0.2 + (0.1 - struck_at) * expected[2])).abs() < 1e-12);
    }

    #[test]
    fn the_closed_form_keeps_momentum_and_loses_what_the_restitution_takes() {
        let [striking, struck] = after_impact();
        assert!((striking + struck - DVec3::X).length() < 1e-12);
        let lost = 1.0 - striking.length_squared() - struck.length_squared();
        // Half of the energy of the approach along the line of centres, (v cos φ)²/2, is lost to (1 − e²).
        assert!((lost - 0.5 * (1.0 - RESTITUTION * RESTITUTION) * (1.0 - SINE * SINE)).abs() < 1e-12, "{lost}");
    }
}
