//! Bodies and emitters outside every container.

use super::Remark;
use crate::setup::Setup;
use glam::Vec3;

impl Setup {
    /// Bodies that reach into no container, and emitters whose opening has its middle in none; nothing in scenes without containers.
    pub(super) fn outsiders(&self) -> impl Iterator<Item = Remark> {
        let bodies = self.bodies.iter().map(|body| body.bounds_at_start()).enumerate();
        let bodies = bodies.filter(|&(_, bounds)| self.is_outside(bounds)).map(|(body, _)| Remark::BodyOutside { body });
        let emitters = self.openings.emitters.iter().map(|emitter| emitter.center).enumerate();
        let emitters =
            emitters.filter(|&(_, at)| self.is_outside((at, at))).map(|(emitter, _)| Remark::EmitterOutside { emitter });
        bodies.chain(emitters)
    }

    /// True if a box overlaps no container's box; along periodic axes it always does.
    fn is_outside(&self, (min, max): (Vec3, Vec3)) -> bool {
        let periodic = self.domain.flat(self.discretization.dimensions).periodic;
        let axes = || (0..self.discretization.dimensions.count()).filter(|&axis| !periodic.test(axis));
        let overlaps = |low: Vec3, high: Vec3| axes().all(|axis| min[axis] <= high[axis] && low[axis] <= max[axis]);
        !self.containers.is_empty() && !self.containers.iter().any(|container| overlaps(container.min, container.max))
    }
}
