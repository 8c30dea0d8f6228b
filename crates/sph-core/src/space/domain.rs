//! Simulation domain: open or periodic along each axis; differences and images of points across periodic faces.

use crate::parameters::{Dimensions, Discretization};
use crate::report::held;
use crate::simd::{Lanes, Vec3Lanes};
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
    #[error("the period of the domain is {extent} m along {axis}, less than three support radii ({least} m)")]
    Short {
        /// `x`, `y` or `z`.
        axis: char,
        /// Period along that axis, m.
        extent: f32,
        /// Least period, m.
        least: f32,
    },
    /// The period is not a whole number of particles.
    #[error("the period of the domain is {extent} m along {axis}, which is not a whole number of particles of {spacing} m")]
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

// Minimum-image convention: differences of positions in a periodic domain.

/// Periods of a domain, prepared for passes over pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrap {
    period: Vec3,
    half: Vec3,
    repeats: bool,
}

impl Wrap {
    pub fn new(domain: &Domain) -> Self {
        let period = domain.period();
        Self { period, half: 0.5 * period, repeats: domain.repeats() }
    }

    /// True if any axis is periodic.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// `a − b` (m) for the image of b that is nearest to a. Valid for positions inside the domain, or beyond a face by less
    /// than half a period. `minimum_image(b, a)` is exactly the negative.
    #[inline(always)]
    pub fn minimum_image(&self, a: Vec3, b: Vec3) -> Vec3 {
        let direct = a - b;
        // The branch is the same for all pairs of a pass, and so costs almost nothing in an open domain.
        if self.repeats { self.shortened(direct) } else { direct }
    }

    /// [`Wrap::minimum_image`] of a and every lane of b.
    #[inline(always)]
    pub fn minimum_image_lanes<L: Lanes>(&self, a: Vec3, b: Vec3Lanes<L>) -> Vec3Lanes<L> {
        let direct = Vec3Lanes::splat(a) - b;
        if !self.repeats {
            return direct;
        }
        let shortened = |direct: L, half: f32, period: f32| {
            let low = direct.select_below(L::splat(-half), direct + period, direct);
            L::splat(half).select_below(direct, direct - period, low)
        };
        Vec3Lanes {
            x: shortened(direct.x, self.half.x, self.period.x),
            y: shortened(direct.y, self.half.y, self.period.y),
            z: shortened(direct.z, self.half.z, self.period.z),
        }
    }

    /// Image of `b` that is nearest to `a`, m.
    pub fn image(&self, a: Vec3, b: Vec3) -> Vec3 {
        if self.repeats { b + self.shift(a - b) } else { b }
    }

    #[inline(always)]
    fn shortened(&self, direct: Vec3) -> Vec3 {
        direct - self.shift(direct)
    }

    /// Periods to subtract from the difference `direct` to make it the shortest.
    #[inline(always)]
    fn shift(&self, direct: Vec3) -> Vec3 {
        Vec3::select(direct.abs().cmpgt(self.half), self.period.copysign(direct), Vec3::ZERO)
    }
}

// Periodic images of points, for search structures without support for periodic domains.

/// Points followed by their periodic images: copies, shifted by periods, of the points near periodic faces, as far as queries
/// inside the domain reach. An open domain has no images, and its points are not copied.
#[derive(Clone, Debug, Default)]
pub struct Images {
    points: Vec<Vec3>,
    ids: Vec<u32>,
    sources: Vec<u32>,
}

impl Images {
    /// Points to register in a search structure, m, and their ids: `points` and `ids`, followed by the images in reach of
    /// queries of `radius` (m) inside `domain`. The ids of images follow the largest of `ids`.
    pub fn behind<'a>(
        &'a mut self,
        domain: &Domain,
        radius: f32,
        points: &'a [Vec3],
        ids: &'a [u32],
    ) -> (&'a [Vec3], &'a [u32]) {
        self.points.clear();
        self.ids.clear();
        self.sources.clear();
        if !domain.repeats() {
            return (points, ids);
        }
        self.points.extend_from_slice(points);
        self.add(domain, radius);
        self.ids.extend_from_slice(ids);
        let first = ids.iter().max().map_or(0, |&id| id + 1);
        self.ids.extend((first..).take(self.points.len() - points.len()));
        (&self.points, &self.ids)
    }

    /// Index of the original point of each image.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// Index of the original point of entry `index` among `count` points followed by their images.
    pub fn source(&self, index: u32, count: usize) -> u32 {
        let image = (index as usize).checked_sub(count);
        image.and_then(|image| self.sources.get(image)).copied().unwrap_or(index)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        held(&self.points) + held(&self.ids) + held(&self.sources)
    }

    /// Adds images axis by axis. Images of images give those across edges and corners.
    fn add(&mut self, domain: &Domain, radius: f32) {
        let count = self.points.len();
        for axis in (0..3).filter(|&axis| domain.periodic.test(axis)) {
            let (min, max) = (domain.min[axis], domain.max[axis]);
            // The reach allows for rounding of images and distances: images too many are harmless, a missing one is not.
            let reach = 1.001 * radius + 8.0 * f32::EPSILON * min.abs().max(max.abs());
            for index in 0..self.points.len() {
                let point = self.points[index];
                let source = if index < count { index as u32 } else { self.sources[index - count] };
                for (near, shift) in [(point[axis] - min < reach, max - min), (max - point[axis] < reach, min - max)] {
                    if near {
                        let mut image = point;
                        image[axis] += shift;
                        self.points.push(image);
                        self.sources.push(source);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{self, Available, WIDTH};
    use glam::BVec3;

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

    const PARTLY_PERIODIC: Domain =
        Domain { periodic: BVec3::new(true, false, true), min: Vec3::new(-1.0, 0.0, 0.25), max: Vec3::new(2.0, 1.0, 1.0) };

    #[test]
    fn differences_are_shortest_and_antisymmetric() {
        let wrap = Wrap::new(&PARTLY_PERIODIC);
        let (a, b) = (Vec3::new(-0.9, 0.1, 0.3), Vec3::new(1.95, 0.9, 0.95));
        let difference = wrap.minimum_image(a, b);
        assert!(difference.abs_diff_eq(Vec3::new(0.15, -0.8, 0.1), 1e-6), "{difference}");
        assert_eq!(wrap.minimum_image(b, a), -difference);
        assert_eq!(wrap.image(a, b), Vec3::new(1.95 - 3.0, 0.9, 0.95 - 0.75));
        assert_eq!(Wrap::new(&Domain::default()).minimum_image(a, b), a - b);
    }

    /// Differences to one position in all lanes.
    struct Differences([Vec3; WIDTH]);

    impl simd::Work for Differences {
        type Output = [Vec3; WIDTH];

        #[inline(always)]
        fn run<L: Lanes>(self) -> [Vec3; WIDTH] {
            let [x, y, z] = [0, 1, 2].map(|axis| L::from_array(self.0.map(|position| position[axis])));
            let minimum_image =
                Wrap::new(&PARTLY_PERIODIC).minimum_image_lanes(Vec3::new(-0.9, 0.1, 0.3), Vec3Lanes { x, y, z });
            let (x, y, z) = (minimum_image.x.to_array(), minimum_image.y.to_array(), minimum_image.z.to_array());
            std::array::from_fn(|k| Vec3::new(x[k], y[k], z[k]))
        }
    }

    #[test]
    fn lanes_agree_with_single_differences() {
        let points = std::array::from_fn(|k| Vec3::new(-1.0 + 0.2 * k as f32, 0.05 * k as f32, 1.0 - 0.045 * k as f32));
        let alone = points.map(|point| Wrap::new(&PARTLY_PERIODIC).minimum_image(Vec3::new(-0.9, 0.1, 0.3), point));
        for available in Available::all() {
            assert_eq!(simd::on(available, Differences(points)), alone, "{available:?}");
        }
    }

    #[test]
    fn a_corner_has_images_at_the_other_corners() {
        let domain = Domain { periodic: BVec3::new(true, true, false), min: Vec3::ZERO, max: Vec3::splat(4.0) };
        let mut images = Images::default();
        let points = [Vec3::new(2.0, 2.0, 0.0), Vec3::new(0.5, 3.5, 0.0), Vec3::new(0.5, 2.0, 0.0)];
        let (registered, ids) = images.behind(&domain, 1.0, &points, &[7, 0, 1]);
        let expected = [
            points[0],
            points[1],
            points[2],
            Vec3::new(4.5, 3.5, 0.0),
            Vec3::new(4.5, 2.0, 0.0),
            Vec3::new(0.5, -0.5, 0.0),
            Vec3::new(4.5, -0.5, 0.0),
        ];
        assert_eq!(registered, expected);
        assert_eq!(ids, [7, 0, 1, 8, 9, 10, 11]);
        assert_eq!(images.sources(), [1, 2, 1, 1]);
        assert_eq!([0, 2, 3, 4, 6, 9].map(|index| images.source(index, 3)), [0, 2, 1, 2, 1, 9]);
    }

    #[test]
    fn an_open_domain_has_none() {
        let mut images = Images::default();
        let points = [Vec3::ZERO];
        let (registered, ids) = images.behind(&Domain::default(), 1.0, &points, &[0]);
        assert_eq!((registered, ids), (&points[..], &[0][..]));
        assert!(images.sources().is_empty());
    }
}
