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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Three points, the last of which no force moves; the first two turn.
    fn set() -> PointSet {
        let mut set = PointSet {
            positions: vec![Vec3::X, Vec3::new(4.0, 3.0, 0.0), Vec3::splat(100.0)],
            rounding_errors: vec![Vec3::new(1e-9, 0.0, 0.0)],
            velocities: vec![Vec3::Y, Vec3::new(0.0, -1.0, 2.0), Vec3::splat(7.0)],
            radii: vec![0.5, 0.5, 0.5],
            masses: vec![1.0, 2.0, f32::INFINITY],
            ids: vec![2, 5, 9],
            ..PointSet::default()
        };
        set.set_column(SPIN, "rad/s", ColumnValues::Vectors(vec![2.0 * Vec3::X, Vec3::ZERO, Vec3::splat(3.0)]));
        set
    }

    #[test]
    fn a_point_is_read_by_its_id_with_its_rounding_error() {
        let set = set();
        let exact = DVec3::X + DVec3::new(f64::from(1e-9_f32), 0.0, 0.0);
        assert_eq!(point(Some(&set), 2), [Some(exact), Some(DVec3::Y)]);
        assert_eq!(point(Some(&set), 5), [Some(DVec3::new(4.0, 3.0, 0.0)), Some(DVec3::new(0.0, -1.0, 2.0))]);
        for missing in [0, 3, 10] {
            assert_eq!(point(Some(&set), missing), [None; 2], "{missing}");
        }
        assert_eq!(point(None, 2), [None; 2]);
    }

    #[test]
    fn a_whole_set_sums_what_forces_move() {
        let whole = Whole::of(&set());
        assert_eq!((whole.mass, whole.momentum), (3.0, DVec3::new(0.0, -1.0, 4.0)));
        let center = whole.center().expect("points with mass");
        assert!((center - DVec3::new(3.0, 2.0, 0.0)).length() < 1e-8, "{center}");
        // ½ · 1 · 1 + ½ · 2 · 5, and ½ · 2/5 · 1 kg · (0.5 m)² · (2 rad/s)².
        assert!((whole.kinetic - (5.5 + 0.2)).abs() < 1e-12, "{}", whole.kinetic);
    }

    #[test]
    fn a_set_that_no_force_moves_has_no_center() {
        let mut set = set();
        assert_eq!(Whole::of(&PointSet::default()), Whole::default());
        set.masses = vec![f32::INFINITY; 3];
        assert_eq!((Whole::of(&set), Whole::of(&set).center()), (Whole::default(), None));
    }

    #[test]
    fn points_without_spin_do_not_turn() {
        let mut set = set();
        set.columns.clear();
        assert_eq!(Whole::of(&set).kinetic, 5.5);
    }
}
