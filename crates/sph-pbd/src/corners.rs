//! Surfaces of solids around a point, in corners too.
//!
//! A solid reports its nearest surface alone, unless it is a box or convex; in a concave corner that is one of up to three. The others are the
//! nearest from a place that is moved away from those already found.

use glam::Vec3;
use sph_core::point_sets::{Surface, Surfaces};

/// Least cosine between two normals of one surface.
const SAME_SURFACE: f32 = 0.9;

/// How often the way to a place that is not in front of the solid, such as beyond the other side of a slot, or that is too far off, is halved.
const MOST_HALVINGS: u32 = 3;

/// Distance, in parts of the reach, by which another wall may seem to be nearer than the nearest, by rounding. The plane of an edge that is seen from
/// elsewhere may seem nearer by more, and is no wall.
const TOLERANCE: f32 = 0.05;

/// A question for the surfaces around a point.
#[derive(Clone, Copy)]
pub(crate) struct SurfaceQuery<'a> {
    pub surfaces: &'a dyn Surfaces,
    pub point: Vec3,
    /// Distance within which surfaces count, m.
    pub reach: f32,
    /// Part of the step that has passed, 0 to 1.
    pub part: f32,
}

impl SurfaceQuery<'_> {
    /// The surfaces that solids report by themselves.
    pub fn reported(&self) -> Vec<Surface> {
        let mut found = Vec::new();
        self.surfaces.each_near(self.point, self.reach, self.part, &mut |surface| found.push(surface));
        found
    }

    /// Adds those in the corners of the solids that are `found`, until there are `most`.
    pub fn add_corners(&self, found: &mut Vec<Surface>, most: usize) {
        for first in 0..found.len() {
            let Surface { solid, distance: least, normal, .. } = found[first];
            if self.surfaces.reports_all_surfaces(solid) {
                continue;
            }
            let mut away = normal * self.reach;
            for _ in 0..2 {
                if found.len() >= most {
                    return;
                }
                let Some(next) = self.further(found, first, away).filter(|next| next.distance > least - TOLERANCE * self.reach)
                else {
                    break;
                };
                away += next.normal * self.reach;
                found.push(next);
            }
        }
    }

    /// Surface of the solid of `found[first]` that is nearest from a place `away` (m) or less far, if it is another than those found.
    fn further(&self, found: &[Surface], first: usize, mut away: Vec3) -> Option<Surface> {
        let Self { surfaces, point, reach, part } = *self;
        let solid = found[first].solid;
        for _ in 0..=MOST_HALVINGS {
            let (mut is_in_front, mut next) = (false, None);
            surfaces.each_near(point + away, 2.0 * reach, part, &mut |surface| {
                if surface.solid == solid {
                    is_in_front |= surface.distance >= 0.0;
                    let distance = surface.distance - surface.normal.dot(away);
                    let is_new =
                        found.iter().all(|other| other.solid != solid || other.normal.dot(surface.normal) < SAME_SURFACE);
                    if is_new && distance < reach {
                        next = Some(Surface { distance, ..surface });
                    }
                }
            });
            if is_in_front {
                return next;
            }
            away *= 0.5;
        }
        None
    }
}
