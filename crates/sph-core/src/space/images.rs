//! Images of points: what a periodic domain shows beyond its faces, for structures that know nothing of periods.

use crate::report::held;
use crate::space::Domain;
use glam::Vec3;

/// Points and, behind them, the shifted copies of those near a periodic face: one for each other place at which a query between the
/// faces can meet them. An open domain has none, and its points are not even copied.
#[derive(Clone, Debug, Default)]
pub struct Images {
    points: Vec<Vec3>,
    names: Vec<u32>,
    sources: Vec<u32>,
}

impl Images {
    /// The points to register in a structure, m, and their names: `points` and `names` themselves, and behind them the images that
    /// queries of `radius` (m) from between the faces of `domain` can meet. Images are named by their places.
    pub fn behind<'a>(
        &'a mut self,
        domain: &Domain,
        radius: f32,
        points: &'a [Vec3],
        names: &'a [u32],
    ) -> (&'a [Vec3], &'a [u32]) {
        self.points.clear();
        self.names.clear();
        self.sources.clear();
        if !domain.repeats() {
            return (points, names);
        }
        self.points.extend_from_slice(points);
        self.add(domain, radius);
        self.names.extend_from_slice(names);
        self.names.extend(points.len() as u32..self.points.len() as u32);
        (&self.points, &self.names)
    }

    /// Index of the point that each image, in order, is one of.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// Index of the point that the `index`-th of `count` points and their images is one of.
    pub fn source(&self, index: u32, count: usize) -> u32 {
        let image = (index as usize).checked_sub(count);
        image.and_then(|image| self.sources.get(image)).copied().unwrap_or(index)
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        held(&self.points) + held(&self.names) + held(&self.sources)
    }

    /// Axis by axis, so that images of images at an edge and a corner come of themselves.
    fn add(&mut self, domain: &Domain, radius: f32) {
        let count = self.points.len();
        for axis in (0..3).filter(|&axis| domain.periodic.test(axis)) {
            let (min, max) = (domain.min[axis], domain.max[axis]);
            // Images and distances are rounded: a few too many are harmless, one too few is not.
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
    use glam::BVec3;

    #[test]
    fn a_corner_has_images_at_the_other_corners() {
        let domain = Domain { periodic: BVec3::new(true, true, false), min: Vec3::ZERO, max: Vec3::splat(4.0) };
        let mut images = Images::default();
        let points = [Vec3::new(2.0, 2.0, 0.0), Vec3::new(0.5, 3.5, 0.0), Vec3::new(0.5, 2.0, 0.0)];
        let (registered, names) = images.behind(&domain, 1.0, &points, &[2, 0, 1]);
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
        assert_eq!(names, [2, 0, 1, 3, 4, 5, 6]);
        assert_eq!(images.sources(), [1, 2, 1, 1]);
        assert_eq!([0, 2, 3, 4, 6, 9].map(|index| images.source(index, 3)), [0, 2, 1, 2, 1, 9]);
    }

    #[test]
    fn an_open_domain_has_none() {
        let mut images = Images::default();
        let points = [Vec3::ZERO];
        let (registered, names) = images.behind(&Domain::default(), 1.0, &points, &[0]);
        assert_eq!((registered, names), (&points[..], &[0][..]));
        assert!(images.sources().is_empty());
    }
}
