//! Minimum-image convention: differences of positions in a periodic domain.

use super::domain::Domain;
use crate::simd::{Lanes, Vec3Lanes};
use glam::Vec3;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{self, Available, WIDTH};
    use glam::BVec3;

    const DOMAIN: Domain =
        Domain { periodic: BVec3::new(true, false, true), min: Vec3::new(-1.0, 0.0, 0.25), max: Vec3::new(2.0, 1.0, 1.0) };

    #[test]
    fn differences_are_shortest_and_antisymmetric() {
        let wrap = Wrap::new(&DOMAIN);
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
            let minimum_image = Wrap::new(&DOMAIN).minimum_image_lanes(Vec3::new(-0.9, 0.1, 0.3), Vec3Lanes { x, y, z });
            let (x, y, z) = (minimum_image.x.to_array(), minimum_image.y.to_array(), minimum_image.z.to_array());
            std::array::from_fn(|k| Vec3::new(x[k], y[k], z[k]))
        }
    }

    #[test]
    fn lanes_agree_with_single_differences() {
        let points = std::array::from_fn(|k| Vec3::new(-1.0 + 0.2 * k as f32, 0.05 * k as f32, 1.0 - 0.045 * k as f32));
        let alone = points.map(|point| Wrap::new(&DOMAIN).minimum_image(Vec3::new(-0.9, 0.1, 0.3), point));
        for available in Available::all() {
            assert_eq!(simd::on(available, Differences(points)), alone, "{available:?}");
        }
    }
}
