//! Periodic images of points, for search structures without support for periodic domains.

use crate::report::held;
use crate::space::Domain;
use glam::Vec3;

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
    use glam::BVec3;

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
