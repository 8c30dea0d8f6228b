//! Balls that are poured while time passes: from the opening of a scene, or by a user's hand.

use super::dynamics::BallSet;
use super::random::Random;
use super::setup::MAX_BALLS;
use super::step::SPIN;
use glam::{Quat, Vec2, Vec3};
use sph_core::point_sets::{ColumnValues, PointSet, PourDisc};
use std::f32::consts::{PI, TAU};

/// Column of the ids of balls that a hand has poured, ascending.
pub(crate) const POURED_BY_HAND: &str = "poured_by_hand";

/// Places in the opening that are tried for a ball in each step.
const ATTEMPTS: u64 = 16;

/// Balls that enter through an opening, one after the other. A ball for which there is no room waits, and all later ones with it. The
/// next ball follows from the set, so that a run can go on from any state.
#[derive(Clone, Debug, PartialEq)]
pub struct Pour {
    /// Lowest corner of the opening, a box in which balls appear, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Time of the first ball, s.
    pub start: f64,
    /// Balls per second.
    pub rate: f64,
    /// Velocity with which balls appear, m/s.
    pub velocity: Vec3,
    /// Angular velocity with which they appear, rad/s.
    pub spin: Vec3,
}

impl Pour {
    /// Number of `count` balls that should have entered by `time`, s.
    pub fn due(&self, count: usize, time: f64) -> usize {
        let passed = (time - self.start).max(0.0);
        // Saturates.
        if time < self.start { 0 } else { ((passed * self.rate) as usize).saturating_add(1).min(count) }
    }

    /// Adds to `set` the `balls` that are due at `time` (s) and have room.
    pub(super) fn release(&self, balls: &BallSet, set: &mut PointSet, time: f64) {
        let first = set.len() - by_hand(set).len();
        let due = self.due(balls.radii.len(), time);
        if first >= due {
            return;
        }
        let is_near = |&(center, radius): &(Vec3, f32)| {
            (center + radius).cmpge(self.min).all() && (center - radius).cmple(self.max).all()
        };
        let mut near: Vec<(Vec3, f32)> = set.positions.iter().copied().zip(set.radii.iter().copied()).filter(is_near).collect();
        for ball in first..due {
            let radius = balls.radii[ball];
            let (low, high) = (self.min + radius, self.max - radius);
            // A flat opening has its middle.
            let middle = 0.5 * (self.min + self.max);
            let (low, high) = (low.min(middle), high.max(middle));
            let places = (1..=ATTEMPTS).map(|attempt| Random::new(balls.seed, ball as u64, attempt).point(low, high));
            let has_room =
                |center: &Vec3| near.iter().all(|(other, other_radius)| center.distance(*other) >= radius + other_radius);
            let Some(center) = places.into_iter().find(has_room) else { return };
            near.push((center, radius));
            add(set, (center, radius), [self.velocity, self.spin], balls.density);
        }
    }
}

// Balls that a hand pours: each has the radius of one of the set's, drawn anew.

/// Adds to `set` one of its `balls` where there is room in the `disc`, and returns true; false if there is none.
pub(super) fn pour_by_hand(balls: &BallSet, set: &mut PointSet, disc: &PourDisc<'_>) -> bool {
    if set.len() >= MAX_BALLS {
        return false;
    }
    let PourDisc { center, radius: reach, velocity, steps, has_room } = *disc;
    // Streams of their own, beside those of the balls of the scene; others in each step, so that a ball without room blocks no later one.
    let seed = !balls.seed ^ steps.rotate_left(32);
    let stream = |attempt: u64| Random::new(seed, set.len() as u64, attempt);
    let mut random = stream(0);
    let drawn = (random.unit() * balls.radii.len() as f32) as usize;
    let Some(&radius) = balls.radii.get(drawn.min(balls.radii.len().saturating_sub(1))) else { return false };
    let turn = Quat::from_rotation_arc(Vec3::Y, velocity.normalize_or(Vec3::Y));
    let place = |attempt: u64| {
        let mut random = stream(attempt);
        let from_center = (reach - radius).max(0.0) * random.unit().sqrt() * Vec2::from_angle(TAU * random.unit());
        center + turn * Vec3::new(from_center.x, 0.0, from_center.y)
    };
    let Some(center) = (1..=ATTEMPTS).map(place).find(|&at| has_room(at, radius)) else { return false };
    let id = set.len() as u32;
    match set.column_mut(POURED_BY_HAND) {
        Some(ColumnValues::Integers(ids)) => ids.push(id),
        _ => set.set_column(POURED_BY_HAND, "", ColumnValues::Integers(vec![id])),
    }
    add(set, (center, radius), [velocity, Vec3::ZERO], balls.density);
    true
}

/// Ids of the balls of `set` that a hand has poured, ascending.
pub(crate) fn by_hand(set: &PointSet) -> &[u32] {
    match set.column(POURED_BY_HAND) {
        Some(ColumnValues::Integers(ids)) => ids,
        _ => &[],
    }
}

/// Appends a ball to `set`, with the next id: centre (m) and radius (m), velocity (m/s) and angular velocity (rad/s), and density, kg/m³.
fn add(set: &mut PointSet, (center, radius): (Vec3, f32), [velocity, spin]: [Vec3; 2], density: f32) {
    let mut spins = match set.column_mut(SPIN) {
        Some(ColumnValues::Vectors(spins)) => std::mem::take(spins),
        _ => Vec::new(),
    };
    spins.resize(set.len(), Vec3::ZERO);
    spins.push(spin);
    set.set_column(SPIN, "rad/s", ColumnValues::Vectors(spins));
    set.rounding_errors.resize(set.len(), Vec3::ZERO);
    set.rounding_errors.push(Vec3::ZERO);
    set.ids.push(set.len() as u32);
    set.positions.push(center);
    set.velocities.push(velocity);
    set.radii.push(radius);
    set.masses.push(mass(radius, density));
}

/// Mass of a ball, kg.
pub(super) fn mass(radius: f32, density: f32) -> f32 {
    4.0 / 3.0 * PI * radius.powi(3) * density
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pour() -> Pour {
        Pour {
            min: Vec3::new(0.0, 1.0, 0.0),
            max: Vec3::new(1.0, 1.2, 1.0),
            start: 1.0,
            rate: 10.0,
            velocity: Vec3::NEG_Y,
            spin: Vec3::X,
        }
    }

    fn balls(radii: &[f32]) -> BallSet {
        BallSet { radii: radii.into(), density: 1000.0, seed: 1, ..BallSet::default() }
    }

    const RADII: [f32; 4] = [0.05, 0.1, 0.02, 0.1];

    #[test]
    fn balls_enter_at_their_times() {
        let (pour, balls) = (pour(), balls(&RADII));
        let times = [0.99, 1.0, 1.099, 1.101, 1.21, 1.31, 100.0];
        assert_eq!(times.map(|time| pour.due(4, time)), [0, 1, 1, 2, 3, 4, 4]);
        let mut set = PointSet::default();
        pour.release(&balls, &mut set, 1.25);
        assert_eq!((set.ids.clone(), set.radii.clone()), (vec![0, 1, 2], vec![0.05, 0.1, 0.02]));
        pour.release(&balls, &mut set, 1.25);
        assert_eq!(set.len(), 3);
        assert_eq!(set.column(SPIN), Some(&ColumnValues::Vectors(vec![Vec3::X; 3])));
        assert!((set.masses[1] - 4.18879).abs() < 1e-4);
        for (i, (center, radius)) in set.positions.iter().zip(&set.radii).enumerate() {
            assert!((center - radius).cmpge(pour.min - 1e-6).all() && (center + radius).cmple(pour.max + 1e-6).all());
            assert!((0..i).all(|j| center.distance(set.positions[j]) >= radius + set.radii[j]));
        }
    }

    #[test]
    fn a_ball_without_room_waits() {
        let narrow = Pour { max: Vec3::new(0.2, 1.2, 0.2), ..pour() };
        let (balls, mut set) = (balls(&[0.1; 3]), PointSet::default());
        narrow.release(&balls, &mut set, 2.0);
        assert_eq!(set.len(), 1);
        narrow.release(&balls, &mut set, 2.0);
        assert_eq!(set.len(), 1);
        set.positions[0].y -= 0.3;
        narrow.release(&balls, &mut set, 2.0);
        assert_eq!(set.ids, [0, 1]);
    }

    /// The hand's balls lie in its disc, and those of the scene come as if there were none.
    #[test]
    fn balls_of_the_hand_come_between_those_of_the_scene() {
        let (pour, balls) = (pour(), balls(&RADII));
        let [mut alone, mut both] = [PointSet::default(), PointSet::default()];
        let (center, reach, velocity) = (Vec3::new(5.0, 5.0, 5.0), 0.4, Vec3::new(1.0, -2.0, 0.5));
        for step in 0..5 {
            let time = 1.001 + 0.1 * f64::from(step);
            for set in [&mut alone, &mut both] {
                pour.release(&balls, set, time);
            }
            let near: Vec<(Vec3, f32)> = both.positions.iter().copied().zip(both.radii.iter().copied()).collect();
            let has_room = |at: Vec3, radius: f32| near.iter().all(|(other, own)| at.distance(*other) >= radius + own);
            assert!(pour_by_hand(
                &balls,
                &mut both,
                &PourDisc { center, radius: reach, velocity, steps: 0, has_room: &has_room }
            ));
        }
        assert_eq!((both.len(), by_hand(&both)), (9, &[1, 3, 5, 7, 8][..]));
        assert!(both.ids.iter().copied().eq(0..9));
        let mut of_scene = (0..9).filter(|&ball| !by_hand(&both).contains(&(ball as u32)));
        assert!(alone.positions.iter().all(|&at| of_scene.next().is_some_and(|ball| both.positions[ball] == at)));
        for ball in by_hand(&both).iter().map(|&id| id as usize) {
            let from_center = both.positions[ball] - center;
            assert!(from_center.dot(velocity).abs() < 1e-5 && from_center.length() + both.radii[ball] <= reach + 1e-5);
            assert!(RADII.contains(&both.radii[ball]) && both.velocities[ball] == velocity);
        }
        let full = PourDisc { center, radius: reach, velocity, steps: 0, has_room: &|_, _| false };
        assert!(!pour_by_hand(&balls, &mut both, &full) && both.len() == 9);
        // A hole that few places and the smallest ball alone fit in is found in time.
        let is_hole = |at: Vec3, radius: f32| at.distance(center + 0.3 * Vec3::Z) < 0.1 && radius < 0.03;
        let narrow = |steps: u64| PourDisc { center, radius: reach, velocity, steps, has_room: &is_hole };
        assert!((0..500).any(|steps| pour_by_hand(&balls, &mut both, &narrow(steps))));
    }
}
