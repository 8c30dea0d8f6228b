//! What is in the way of sheets: walls and bodies, and solids that yield.

use super::movers::Movers;
use crate::corners::SurfaceQuery;
use crate::substep::Substep;
use glam::Vec3;
use sph_core::point_sets::{SolidId, Surface, Surfaces};

/// Solids around sheets, of which some yield.
pub(crate) trait Obstacles: Sync {
    /// Those that do, where they are now.
    fn movers(&self) -> &Movers;

    fn movers_mut(&mut self) -> &mut Movers;

    /// Calls `visit` for the surfaces that are closer to `point` (m) than `reach` (m) after `part` of the step, of each body the nearest first, and
    /// for the nearest surface of each other solid that is as close at its end; all as they are after that part. Solids that yield are among them
    /// that may come as close without a new [surprise](Movers::surprises).
    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface));

    /// The nearest surface of `solid`, if it is closer to `point` (m) than `reach` (m) after `part` of the step.
    fn surface(&self, solid: SolidId, point: Vec3, reach: f32, part: f32) -> Option<Surface>;

    /// Ends a substep of the sheets: corrects those that yield by what else has moved them.
    fn end_substep(&mut self, _: &Substep) {}
}

/// Solids that do not yield.
pub(super) struct Unyielding<'a> {
    pub surfaces: &'a dyn Surfaces,
    pub none: Movers,
}

/// Most surfaces that a vertex meets at once, those of its corners included.
const MOST: usize = 8;

/// Calls `visit` for `surfaces` that are near `point` now or at the end of the step; see [`Obstacles::each_near`].
pub(crate) fn each_near_until_end(surfaces: &dyn Surfaces, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
    let query = SurfaceQuery { surfaces, point, reach, part };
    let mut seen = query.reported();
    query.add_corners(&mut seen, MOST);
    seen.iter().copied().for_each(&mut *visit);
    if !surfaces.may_move() {
        return;
    }
    let mut later = Vec::new();
    surfaces.each_near(point, reach, 1.0, &mut |surface| {
        if seen.iter().all(|seen| seen.solid != surface.solid) && !later.contains(&surface.solid) {
            later.push(surface.solid);
        }
    });
    later.into_iter().filter_map(|solid| surface_of(surfaces, solid, point, f32::INFINITY, part)).for_each(visit);
}

/// The nearest of the `surfaces` of `solid` that is closer to `point` than `reach`; see [`Obstacles::surface`].
pub(crate) fn surface_of(surfaces: &dyn Surfaces, solid: SolidId, point: Vec3, reach: f32, part: f32) -> Option<Surface> {
    let mut nearest: Option<Surface> = None;
    surfaces.each_near(point, reach, part, &mut |surface| {
        if surface.solid == solid && nearest.is_none_or(|nearest| surface.distance < nearest.distance) {
            nearest = Some(surface);
        }
    });
    nearest
}

impl Obstacles for Unyielding<'_> {
    fn movers(&self) -> &Movers {
        &self.none
    }

    fn movers_mut(&mut self) -> &mut Movers {
        &mut self.none
    }

    fn each_near(&self, point: Vec3, reach: f32, part: f32, visit: &mut dyn FnMut(Surface)) {
        each_near_until_end(self.surfaces, point, reach, part, visit);
    }

    fn surface(&self, solid: SolidId, point: Vec3, reach: f32, part: f32) -> Option<Surface> {
        surface_of(self.surfaces, solid, point, reach, part)
    }
}
