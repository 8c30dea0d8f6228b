//! Unions and differences of shapes, sides of their surface, and steps that stay clear of it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::measure::Moments;
use super::sampling::Layers;
use super::{Nearest, Shape};
use crate::parameters::Dimensions;
use glam::{DVec3, Vec3};

/// A solid: the union of shapes, less other shapes. Copies share the shapes.
///
/// The distance is exact for one shape. For several it is a lower bound of the distance with the right sign, so a step as long as it
/// never passes the surface.
#[derive(Clone, Debug)]
pub struct Solid(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    united: Vec<Shape>,
    subtracted: Vec<Shape>,
    /// Half-spaces that belong to the solid but not to its bounds: outward normals of the planes, and their distances from the
    /// origin, m.
    openings: Vec<(DVec3, f64)>,
    /// Volume integrals in two and in three dimensions, once somebody has asked for them.
    moments: [OnceLock<Moments>; 2],
    /// Numbers of points of layers that somebody has asked for.
    estimates: Mutex<Vec<(Layers, u64)>>,
}

impl Solid {
    /// The union of `united` without `subtracted`.
    pub fn new(united: impl IntoIterator<Item = Shape>, subtracted: impl IntoIterator<Item = Shape>) -> Self {
        let (united, subtracted) = (united.into_iter().collect(), subtracted.into_iter().collect());
        Self(Arc::new(Parts {
            united,
            subtracted,
            openings: Vec::new(),
            moments: Default::default(),
            estimates: Mutex::default(),
        }))
    }

    /// Returns the inside of a container without its wall at a face of its bounds, normal to the axis `axis`: beyond it everything is
    /// inside.
    pub(crate) fn opened(&self, axis: usize, is_upper: bool) -> Self {
        let Parts { united, subtracted, openings, .. } = &*self.0;
        let [min, max] = self.bounds();
        let opening = if is_upper { (-DVec3::AXES[axis], -max[axis]) } else { (DVec3::AXES[axis], min[axis]) };
        let openings = openings.iter().copied().chain([opening]).collect();
        let (united, subtracted) = (united.clone(), subtracted.clone());
        Self(Arc::new(Parts { united, subtracted, openings, moments: Default::default(), estimates: Mutex::default() }))
    }

    /// The solid as it is without its openings: what is drawn, whose open faces are then left out.
    #[must_use]
    pub fn closed(&self) -> Self {
        let Parts { united, subtracted, .. } = &*self.0;
        Self::new(united.iter().cloned(), subtracted.iter().cloned())
    }

    /// Surface next to `at`, m. Without any shape all of space is outside.
    pub fn nearest(&self, at: DVec3) -> Nearest {
        let nowhere = Nearest { distance: f64::INFINITY, normal: DVec3::Y };
        let lesser = |a: Nearest, b: Nearest| if b.distance < a.distance { b } else { a };
        let greater = |a: Nearest, b: Nearest| if b.distance > a.distance { b } else { a };
        let united = self.0.united.iter().map(|shape| shape.nearest(at)).fold(nowhere, lesser);
        let solid = self.0.subtracted.iter().map(|shape| shape.nearest(at).flipped()).fold(united, greater);
        let half_space = |&(normal, offset): &(DVec3, f64)| Nearest { distance: at.dot(normal) - offset, normal };
        self.0.openings.iter().map(half_space).fold(solid, lesser)
    }

    /// Signed distance of `at` (m) from the surface, m; negative inside.
    pub fn signed_distance(&self, at: Vec3) -> f32 {
        self.nearest(at.as_dvec3()).distance as f32
    }

    /// True if `at` (m) is inside or on the surface.
    pub fn contains(&self, at: Vec3) -> bool {
        self.nearest(at.as_dvec3()).distance <= 0.0
    }

    /// True if shells are among its shapes: their surface is as deep as they are.
    pub(crate) fn has_shells(&self) -> bool {
        self.0.united.iter().any(Shape::is_shell)
    }

    /// The shapes of a union; `None` if something is taken away from it.
    pub(crate) fn union(&self) -> Option<&[Shape]> {
        let Parts { united, subtracted, openings, .. } = &*self.0;
        (subtracted.is_empty() && openings.is_empty()).then_some(united.as_slice())
    }

    /// Lowest and highest corner of a box around the solid, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        let bounds = self.0.united.iter().map(Shape::bounds);
        bounds.reduce(|[low, high], [min, max]| [low.min(min), high.max(max)]).unwrap_or([DVec3::ZERO; 2])
    }

    /// Volume, m³ (area, m², in two dimensions), within about a thousandth.
    pub fn volume(&self, dimensions: Dimensions) -> f64 {
        self.moments(dimensions).volume
    }

    /// Volume integrals, computed once.
    pub(crate) fn moments(&self, dimensions: Dimensions) -> &Moments {
        self.0.moments[dimensions.count() - 2]
            .get_or_init(|| Moments::new(self.bounds(), dimensions, |at| self.nearest(at).distance))
    }
}

impl Solid {
    /// The estimate of the number of points of `layers`, computed once.
    pub(super) fn estimate(&self, layers: &Layers, compute: impl FnOnce() -> u64) -> u64 {
        let known = || self.0.estimates.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().iter().find(|(other, _)| other == layers).map(|&(_, count)| count);
        found.unwrap_or_else(|| {
            // Not locked: it may be computed on several threads.
            let count = compute();
            known().push((*layers, count));
            count
        })
    }
}

impl From<Shape> for Solid {
    fn from(shape: Shape) -> Self {
        Self::new([shape], [])
    }
}

impl PartialEq for Solid {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || {
            let parts = |solid: &Self| (solid.0.united.clone(), solid.0.subtracted.clone(), solid.0.openings.clone());
            parts(self) == parts(other)
        }
    }
}

/// Side of a surface on which a wall lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// Within the solid: it is a body.
    Inside,
    /// Around the solid: it is the inside of a container.
    Outside,
}

impl Side {
    /// Depth behind the surface on this side, m, for a signed distance, m; and the other way round.
    pub fn depth(self, distance: f64) -> f64 {
        match self {
            Self::Inside => -distance,
            Self::Outside => distance,
        }
    }
}

// Steps that stay clear of a surface.

/// Most corrections of one step: three planes meet in a corner.
const CORRECTIONS: u32 = 8;
/// Error of the clearance that is left, as a part of it.
const TOLERANCE: f64 = 1e-4;
/// Most places along a step that are looked at.
const PLACES: f64 = 8.0;

/// The step (m) closest to `step` from `start` (m) that stays at least `clearance` (m) in front of a surface; a point that is closer
/// already comes no closer. `front` is the surface next to a point, with positive distances in front of it. In a `planar` step z
/// stays as it is.
///
/// Each place where the step comes too close pushes it out along the normal there. A step that stays too close, in a corner, is
/// given up.
pub(crate) fn clear_step(front: impl Fn(DVec3) -> Nearest, clearance: f64, planar: bool, start: DVec3, step: DVec3) -> DVec3 {
    let before = front(start).distance;
    if before - clearance > step.length() {
        return step;
    }
    let tolerance = TOLERANCE * clearance;
    // A little more than now, so that the errors of many steps do not add up.
    let least = (before + 2.0 * tolerance).min(clearance);
    let mut clear = step;
    for _ in 0..CORRECTIONS {
        // Dense enough that no step passes through a wall that is thicker than the clearance on both sides.
        let places = (clear.length() / (2.0 * clearance)).ceil().clamp(1.0, PLACES);
        let too_close = (1..=places as u32).map(|place| f64::from(place) / places).find_map(|part| {
            let near = front(start + part * clear);
            (near.distance < least - tolerance).then(|| (least - near.distance) / part * near.normal)
        });
        match too_close {
            None => return clear,
            Some(push) => clear += if planar { push.with_z(0.0) } else { push },
        }
    }
    DVec3::ZERO
}
