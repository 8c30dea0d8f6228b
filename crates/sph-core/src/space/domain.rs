//! Simulation domain: open or periodic along each axis.

use crate::parameters::{Dimensions, Discretization};
use glam::{BVec3, Vec3};

/// Least period, in support radii. No particle then is a neighbour of itself or of two images of another one; more than two,
/// because some solvers use a slightly larger radius and predicted positions.
pub(crate) const LEAST_PERIOD: f32 = 3.0;

/// Largest relative difference between a period and a whole number of particle spacings: it is a relative error in density.
pub(crate) const MAX_MISFIT: f32 = 1e-3;

/// Periodic domain. The default is open along every axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Domain {
    /// Periodic axes; z is ignored in two dimensions.
    pub periodic: BVec3,
    /// Lowest corner, m; unused along open axes.
    pub min: Vec3,
    /// Highest corner, m; unused along open axes.
    pub max: Vec3,
}

/// Error in the period along an axis.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DomainError {
    /// The period is not finite, or shorter than three support radii.
    #[error("the domain repeats after {extent} m along {axis}, less than three support radii ({least} m)")]
    Short {
        /// `x`, `y` or `z`.
        axis: char,
        /// Period along that axis, m.
        extent: f32,
        /// Least period, m.
        least: f32,
    },
    /// The period is not a whole number of particles.
    #[error("the domain repeats after {extent} m along {axis}, which is not a whole number of particles of {spacing} m")]
    Uneven {
        /// `x`, `y` or `z`.
        axis: char,
        /// Period along that axis, m.
        extent: f32,
        /// Particle spacing, m.
        spacing: f32,
    },
}

impl Domain {
    /// Returns the domain without a period along z in two dimensions.
    #[must_use]
    pub fn flat(self, dimensions: Dimensions) -> Self {
        let z = self.periodic.z && dimensions == Dimensions::Three;
        Self { periodic: BVec3::new(self.periodic.x, self.periodic.y, z), ..self }
    }

    /// True if any axis is periodic.
    pub fn repeats(&self) -> bool {
        self.periodic.any()
    }

    /// Periods, m; infinite along open axes.
    pub fn period(&self) -> Vec3 {
        Vec3::select(self.periodic, self.max - self.min, Vec3::INFINITY)
    }

    /// First periodic axis along which the box from `low` to `high` (m) reaches beyond the domain by more than `slack` (m), if
    /// any.
    pub(crate) fn exceeded_axis(&self, low: Vec3, high: Vec3, slack: f32) -> Option<usize> {
        (0..3).find(|&axis| {
            let inside = low[axis] >= self.min[axis] - slack && high[axis] <= self.max[axis] + slack;
            self.periodic.test(axis) && !inside
        })
    }

    /// Part of `gravity`, m/s², that pressure can balance: the components along open axes.
    pub fn balanced(&self, gravity: Vec3) -> Vec3 {
        Vec3::select(self.periodic, Vec3::ZERO, gravity)
    }

    /// Periodic image of `position` in `min..max` along periodic axes, m. Components that are not finite stay so.
    pub fn wrap(&self, position: Vec3) -> Vec3 {
        if !self.repeats() {
            return position;
        }
        let wrapped = |axis: usize| {
            let (min, max, at) = (self.min[axis], self.max[axis], position[axis]);
            if !self.periodic.test(axis) || (min..max).contains(&at) {
                return at;
            }
            let inside = min + (at - min).rem_euclid(max - min);
            // Just below the lower face, the remainder can round up to the period.
            if inside >= max { min } else { inside }
        };
        Vec3::new(wrapped(0), wrapped(1), wrapped(2))
    }

    /// Checks the periods.
    ///
    /// # Errors
    /// The period along an axis is too short or not a whole number of particles.
    pub(crate) fn validate(&self, discretization: &Discretization) -> Result<(), DomainError> {
        let Discretization { dimensions, particle_spacing: spacing, support_radius, .. } = *discretization;
        let least = LEAST_PERIOD * support_radius;
        for (index, axis) in "xyz".char_indices().take(dimensions.count()) {
            if !self.periodic.test(index) {
                continue;
            }
            let extent = self.max[index] - self.min[index];
            // Written so that NaN is refused.
            if !(extent >= least && extent.is_finite()) {
                return Err(DomainError::Short { axis, extent, least });
            }
            let particles = (extent / spacing).round();
            if (particles * spacing / extent - 1.0).abs() > MAX_MISFIT {
                return Err(DomainError::Uneven { axis, extent, spacing });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: Domain =
        Domain { periodic: BVec3::new(true, false, true), min: Vec3::new(-1.0, 0.0, 0.25), max: Vec3::new(2.0, 1.0, 1.0) };

    #[test]
    fn wraps_into_the_half_open_box() {
        assert_eq!(DOMAIN.wrap(Vec3::new(2.5, 7.0, 0.0)), Vec3::new(-0.5, 7.0, 0.75));
        assert_eq!(DOMAIN.wrap(Vec3::new(2.0, -7.0, 0.25)), Vec3::new(-1.0, -7.0, 0.25));
        // Positions inside are unchanged to the bit, though min + (x − min) would differ from x.
        let inside = Vec3::new(1.0e-8, 0.0, 0.3);
        assert_eq!(DOMAIN.wrap(inside), inside);
        assert!(DOMAIN.wrap(Vec3::NAN).is_nan());
        let open = Domain::default();
        assert_eq!(open.wrap(Vec3::splat(1e9)), Vec3::splat(1e9));
    }

    /// `min − ε` would round to `max` itself, which is outside.
    #[test]
    fn a_little_below_the_lower_face_is_not_the_upper_face() {
        let domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max: Vec3::ONE };
        for tiny in [-f32::MIN_POSITIVE, -1e-30, -1e-9, -f32::EPSILON / 4.0, -f32::EPSILON] {
            let wrapped = domain.wrap(Vec3::splat(tiny));
            assert!(wrapped.cmpge(domain.min).all() && wrapped.cmplt(domain.max).all(), "{tiny:e} goes to {wrapped}");
        }
    }

    #[test]
    fn gravity_is_balanced_only_where_there_is_a_floor() {
        assert_eq!(DOMAIN.balanced(Vec3::new(1.0, -9.0, 2.0)), Vec3::new(0.0, -9.0, 0.0));
        assert_eq!(DOMAIN.flat(Dimensions::Two).periodic, BVec3::new(true, false, false));
    }
}
