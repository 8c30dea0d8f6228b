//! Balls: an oblique impact, and what fluid, cloth and balls exchange.

use crate::case::{Case, Criterion, Judged, Measure, Plan, Resolution, Unit, scene};
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

    #[test]
    fn the_closed_form_keeps_momentum_and_loses_what_the_restitution_takes() {
        let [striking, struck] = after_impact();
        assert!((striking + struck - DVec3::X).length() < 1e-12);
        let lost = 1.0 - striking.length_squared() - struck.length_squared();
        // Half of the energy of the approach along the line of centres, (v cos φ)²/2, is lost to (1 − e²).
        assert!((lost - 0.5 * (1.0 - RESTITUTION * RESTITUTION) * (1.0 - SINE * SINE)).abs() < 1e-12, "{lost}");
    }
}
