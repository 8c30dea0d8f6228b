//! Readings of point sets: a single point, and a whole set.

use crate::point_sets::{ColumnValues, PointSet, SPIN};
use glam::DVec3;

/// Position (m) and velocity (m/s) of the point with this id; `None` while the set has none.
pub(super) fn point(set: Option<&PointSet>, id: u32) -> [Option<DVec3>; 2] {
    let found = set.and_then(|set| Some((set, set.ids.binary_search(&id).ok()?)));
    found.map_or([None; 2], |(set, i)| [Some(position(set, i)), Some(set.velocities[i].as_dvec3())])
}

/// The points of a set that forces move, together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Whole {
    /// Mass, kg.
    pub mass: f64,
    /// `Σ m x`, kg m.
    moment: DVec3,
    /// Momentum, kg m/s.
    pub momentum: DVec3,
    /// Kinetic energy, with that of the spin of balls, J.
    pub kinetic: f64,
}

impl Whole {
    /// Sums in the order of the points.
    pub fn of(set: &PointSet) -> Self {
        let spins = match set.column(SPIN) {
            Some(ColumnValues::Vectors(spins)) => spins.as_slice(),
            _ => &[],
        };
        let mut whole = Self::default();
        for i in (0..set.len()).filter(|&i| set.masses[i].is_finite()) {
            let (mass, velocity) = (f64::from(set.masses[i]), set.velocities[i].as_dvec3());
            whole.mass += mass;
            whole.moment += mass * position(set, i);
            whole.momentum += mass * velocity;
            // That of a solid ball: ½ · 2/5 m r² ω².
            let turning =
                spins.get(i).map_or(0.0, |spin| 0.4 * f64::from(set.radii[i]).powi(2) * spin.as_dvec3().length_squared());
            whole.kinetic += 0.5 * mass * (velocity.length_squared() + turning);
        }
        whole
    }

    /// Centre of mass, m; `None` without points.
    pub fn center(&self) -> Option<DVec3> {
        (self.mass > 0.0).then(|| self.moment / self.mass)
    }
}

fn position(set: &PointSet, i: usize) -> DVec3 {
    set.positions[i].as_dvec3() + set.rounding_errors.get(i).map_or(DVec3::ZERO, |error| error.as_dvec3())
}
