//! Balls that are poured from an opening while time passes.

use super::random::Random;
use super::step::SPIN;
use glam::Vec3;
use sph_core::point_sets::{ColumnValues, PointSet};
use std::f32::consts::PI;
use std::sync::Arc;

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
    /// Radii of all balls in their order, m.
    pub radii: Arc<[f32]>,
    /// Density of the balls, kg/m³.
    pub density: f32,
    /// Seed of their places.
    pub seed: u64,
}

impl Pour {
    /// Number of balls that should have entered by `time`, s.
    pub fn due(&self, time: f64) -> usize {
        let passed = (time - self.start).max(0.0);
        // Saturates.
        if time < self.start { 0 } else { ((passed * self.rate) as usize).saturating_add(1).min(self.radii.len()) }
    }

    /// Time at which the last ball enters if none has to wait, s.
    pub fn end(&self) -> f64 {
        self.start + self.radii.len().saturating_sub(1) as f64 / self.rate
    }

    /// Adds to `set` the balls that are due at `time` (s) and have room.
    pub fn release(&self, set: &mut PointSet, time: f64) {
        let first = set.ids.last().map_or(0, |&id| id as usize + 1);
        let due = self.due(time);
        if first >= due {
            return;
        }
        let is_near = |&(center, radius): &(Vec3, f32)| {
            (center + radius).cmpge(self.min).all() && (center - radius).cmple(self.max).all()
        };
        let mut near: Vec<(Vec3, f32)> = set.positions.iter().copied().zip(set.radii.iter().copied()).filter(is_near).collect();
        for ball in first..due {
            let radius = self.radii[ball];
            let (low, high) = (self.min + radius, self.max - radius);
            // A flat opening has its middle.
            let middle = 0.5 * (self.min + self.max);
            let (low, high) = (low.min(middle), high.max(middle));
            let places = (1..=ATTEMPTS).map(|attempt| Random::new(self.seed, ball as u64, attempt).point(low, high));
            let has_room =
                |center: &Vec3| near.iter().all(|(other, other_radius)| center.distance(*other) >= radius + other_radius);
            let Some(center) = places.into_iter().find(has_room) else { return };
            near.push((center, radius));
            self.add(set, ball, center);
        }
    }

    fn add(&self, set: &mut PointSet, ball: usize, center: Vec3) {
        let mut spins = match set.column_mut(SPIN) {
            Some(ColumnValues::Vectors(spins)) => std::mem::take(spins),
            _ => Vec::new(),
        };
        spins.resize(set.len(), Vec3::ZERO);
        spins.push(self.spin);
        set.set_column(SPIN, "rad/s", ColumnValues::Vectors(spins));
        set.rounding_errors.resize(set.len(), Vec3::ZERO);
        set.rounding_errors.push(Vec3::ZERO);
        set.positions.push(center);
        set.velocities.push(self.velocity);
        set.radii.push(self.radii[ball]);
        set.masses.push(mass(self.radii[ball], self.density));
        set.ids.push(ball as u32);
    }
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
            radii: vec![0.05, 0.1, 0.02, 0.1].into(),
            density: 1000.0,
            seed: 1,
        }
    }

    #[test]
    fn balls_enter_at_their_times() {
        let pour = pour();
        let times = [0.99, 1.0, 1.099, 1.101, 1.21, 1.31, 100.0];
        assert_eq!(times.map(|time| pour.due(time)), [0, 1, 1, 2, 3, 4, 4]);
        assert!((pour.end() - 1.3).abs() < 1e-12);
        let mut set = PointSet::default();
        pour.release(&mut set, 1.25);
        assert_eq!((set.ids.clone(), set.radii.clone()), (vec![0, 1, 2], vec![0.05, 0.1, 0.02]));
        pour.release(&mut set, 1.25);
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
        let narrow = Pour { max: Vec3::new(0.2, 1.2, 0.2), radii: vec![0.1; 3].into(), ..pour() };
        let mut set = PointSet::default();
        narrow.release(&mut set, 2.0);
        assert_eq!(set.len(), 1);
        narrow.release(&mut set, 2.0);
        assert_eq!(set.len(), 1);
        set.positions[0].y -= 0.3;
        narrow.release(&mut set, 2.0);
        assert_eq!(set.ids, [0, 1]);
    }
}
