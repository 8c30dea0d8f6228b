//! Extent of the fluid: water surface on a vertical line, and front.

use crate::boundary::{Face, Planes, Pose};
use crate::kernel::{Kernel, SmoothingKernel};
use crate::simulation::View;
use glam::Vec3;

/// Volume fraction of fluid at the surface.
const SURFACE: f64 = 0.5;

/// Volume fraction that walls leave free, below which a point counts as inside them.
const LEAST_ROOM: f64 = 0.1;

/// Particles of the same fluid in reach that make a particle part of its front.
const LEAST_NEIGHBORS: usize = 3;

/// Sampling points in one particle spacing.
const POINTS_PER_SPACING: f32 = 8.0;

/// Part of the room beside the water, which may be along a wall, that the ground leaves at most.
const GROUND: f64 = 0.75;

/// Height y (m) of the water surface on the line through `point` (m) along y; the y of `point` is ignored.
///
/// Water is where fluid fills half of the volume that walls leave free: `Σ_f V W / (1 − Σ_b V_b W) ≥ ½`. The surface is the upper end of the water that
/// stands on the ground, up to the first gap of a support radius: splashes and jets above it do not count, as with the gauges of experiments. The line
/// may run along a wall. `None` if no water stands there; without ground, the lowest water counts.
///
/// With `of`, the index of one of several fluids, the surface of this fluid below others, where it fills half of that volume.
pub fn water_height(fluid: &View<'_>, point: Vec3, of: Option<usize>) -> Option<f64> {
    height_on(fluid, fluid.flat(point), of, None)
}

/// Height of the water surface as [`water_height`], in the axes of a container: `point` (m) and the height are those that they had at time 0,
/// and the line moves and turns with the container of this index.
pub fn water_height_in(fluid: &View<'_>, container: usize, point: Vec3, of: Option<usize>) -> Option<f64> {
    let pose = fluid.containers.get(container).map(|tank| tank.motion.pose(fluid.time));
    height_on(fluid, fluid.flat(point), of, pose)
}

fn height_on(fluid: &View<'_>, foot: Vec3, of: Option<usize>, pose: Option<Pose>) -> Option<f64> {
    let spacing = fluid.discretization.particle_spacing;
    let line = Line::new(fluid, foot, None, pose);
    let top = line.top(spacing)?;
    if of.is_none() {
        return Some(line.surface_above(top, spacing));
    }
    // What stands on the ground is of all fluids.
    let own = Line::new(fluid, foot, of, pose);
    let inside = own.heights().find(|&y| y <= top + spacing && own.filling(y) >= SURFACE)?;
    Some(own.surface_above(inside, spacing))
}

/// Coordinate of the fluid's front towards `face`, along its normal axis, m: that of the farthest particle, plus half a
/// particle spacing for its extent. `None` without fluid.
///
/// With `of`, the index of one of several fluids, the front of this fluid; particles that have strayed into another, with
/// fewer than three of their own kind in reach, do not count.
pub fn front(fluid: &View<'_>, face: Face, of: Option<usize>) -> Option<f64> {
    let (axis, sign) = (face as usize / 2, if (face as usize).is_multiple_of(2) { -1.0 } else { 1.0 });
    let positions = &fluid.particles.positions;
    let reach = |position: &Vec3| sign * position[axis];
    let farthest = match of {
        None => positions.iter().map(reach).max_by(f32::total_cmp)?,
        Some(_) => {
            let own = (0..positions.len()).filter(|&i| fluid.is_of(i, of)).map(|i| positions[i]);
            reach(&farthest_in_company(fluid, own.collect(), reach)?)
        }
    };
    let half = 0.5 * fluid.discretization.particle_spacing;
    Some(f64::from(sign) * (f64::from(farthest) + f64::from(half)))
}

/// The position of the farthest `reach` among those with at least [`LEAST_NEIGHBORS`] others within a support radius.
fn farthest_in_company(fluid: &View<'_>, positions: Vec<Vec3>, reach: impl Fn(&Vec3) -> f32) -> Option<Vec3> {
    let (radius, wrap) = (fluid.discretization.support_radius, fluid.wrap());
    let has_company = |position: Vec3| {
        let near = positions.iter().filter(|other| wrap.minimum_image(position, **other).length() < radius);
        // The particle itself is one of them.
        near.take(LEAST_NEIGHBORS + 1).count() > LEAST_NEIGHBORS
    };
    let mut candidates = positions.clone();
    loop {
        let (index, _) = candidates.iter().enumerate().max_by(|(_, a), (_, b)| reach(a).total_cmp(&reach(b)))?;
        let farthest = candidates.swap_remove(index);
        if has_company(farthest) {
            return Some(farthest);
        }
    }
}

/// Fluid and walls in reach of a vertical line.
struct Line<'a> {
    kernel: Kernel,
    radius: f32,
    foot: Vec3,
    /// Fluid particles with their volumes at rest, the highest first, m and m³.
    fluid: Vec<(Vec3, f32)>,
    /// Wall particles with their volumes, the highest first, m and m³.
    walls: Vec<(Vec3, f32)>,
    planes: &'a Planes,
}

impl<'a> Line<'a> {
    /// The line through `foot` (m), where it was before the motion `pose`.
    fn new(fluid: &View<'a>, foot: Vec3, of: Option<usize>, pose: Option<Pose>) -> Self {
        let radius = fluid.discretization.support_radius;
        let wrap = fluid.wrap();
        // Nearest periodic images, but for the height.
        let image = |position: Vec3| {
            let start = pose.map_or(position, |pose| pose.start(position.as_dvec3()).as_vec3());
            wrap.image(foot, start).with_y(start.y)
        };
        let near = |position: &Vec3| (*position - foot).with_y(0.0).length() < radius;
        let positions = &fluid.particles.positions;
        let wanted = (0..positions.len()).filter(|&i| fluid.is_of(i, of)).map(|i| positions[i]);
        let volume = fluid.rest_volume() as f32;
        let walls = fluid.walls.positions.iter().copied().map(image).zip(fluid.walls.volumes.iter().copied());
        let mut fluid_near: Vec<_> =
            wanted.map(|position| (image(position), volume)).filter(|(place, _)| near(place)).collect();
        let mut walls: Vec<_> = walls.filter(|(place, _)| near(place)).collect();
        for particles in [&mut fluid_near, &mut walls] {
            particles.sort_by(|(a, _), (b, _)| b.y.total_cmp(&a.y));
        }
        Self { kernel: fluid.kernel(), radius, foot, fluid: fluid_near, walls, planes: fluid.planes }
    }

    /// Heights of the fluid particles, the highest first, m.
    fn heights(&self) -> impl DoubleEndedIterator<Item = f32> {
        self.fluid.iter().map(|(particle, _)| particle.y)
    }

    /// Height (m) inside the water that stands on the ground, less than a particle spacing below its surface.
    fn top(&self, spacing: f32) -> Option<f32> {
        let mut top: Option<f32> = None;
        for y in self.heights().rev() {
            // Two points in each spacing tell where there is water.
            if top.is_some_and(|top| y < top + 0.5 * spacing) || self.filling(y) < SURFACE {
                continue;
            }
            match top {
                None if !self.stands(y, spacing) => return None,
                Some(top) if self.has_gap(top, y, spacing) => break,
                _ => top = Some(y),
            }
        }
        top
    }

    /// True if water whose lowest point is at height `y` (m) lies on something solid, or if there is nothing solid below.
    fn stands(&self, y: f32, spacing: f32) -> bool {
        let has_ground =
            self.walls.last().is_some_and(|(lowest, _)| lowest.y < y) || self.planes.has_floor(self.foot.with_y(y));
        let points = (0..).map(|number| y - 0.5 * spacing * number as f32).take_while(|&below| below > y - self.radius);
        let beside = self.room(y + self.radius);
        !has_ground || points.map(|below| self.room(below)).any(|room| room <= GROUND * beside)
    }

    /// True if a support radius between two heights (m) is free of water and walls.
    fn has_gap(&self, low: f32, high: f32, spacing: f32) -> bool {
        let step = 0.5 * spacing;
        let (least, mut count) = ((self.radius / step) as u32, 0);
        let points = (1..).map(|number| low + number as f32 * step).take_while(|&y| y < high);
        let mut counts = points.map(|y| {
            let is_free = self.room(y) >= LEAST_ROOM && self.filling(y) < SURFACE;
            count = if is_free { count + 1 } else { 0 };
            count
        });
        high - low > self.radius && counts.any(|count| count >= least)
    }

    /// Height (m) at which water ends above a point in it, at height `inside`, m.
    fn surface_above(&self, inside: f32, spacing: f32) -> f64 {
        let step = spacing / POINTS_PER_SPACING;
        let steps = (self.radius / step).ceil() as u32 + 1;
        let (mut below, mut filled) = (inside, self.filling(inside));
        for number in 1..=steps {
            let above = inside + number as f32 * step;
            let filling = self.filling(above);
            if filling < SURFACE {
                let part = (filled - SURFACE) / (filled - filling);
                return f64::from(below) + part * f64::from(above - below);
            }
            (below, filled) = (above, filling);
        }
        f64::from(below)
    }

    /// Volume fraction of fluid at height `y` (m) in the volume that walls leave free, 0 to about 1; 0 inside walls.
    fn filling(&self, y: f32) -> f64 {
        let room = self.room(y);
        if room < LEAST_ROOM { 0.0 } else { self.part(&self.fluid, y) / room }
    }

    /// Volume fraction that walls leave free at height `y` (m), 0 to 1.
    fn room(&self, y: f32) -> f64 {
        1.0 - self.part(&self.walls, y) - f64::from(self.planes.density(self.foot.with_y(y)))
    }

    /// Volume fraction `Σ V W` of `particles`, the highest first, at height `y` (m).
    fn part(&self, particles: &[(Vec3, f32)], y: f32) -> f64 {
        let point = self.foot.with_y(y);
        let first = particles.partition_point(|(position, _)| position.y >= y + self.radius);
        let last = particles.partition_point(|(position, _)| position.y > y - self.radius);
        let near = particles[first..last].iter().map(|&(position, volume)| (position.distance(point), volume));
        near.filter(|(distance, _)| *distance < self.radius)
            .map(|(distance, volume)| f64::from(volume * self.kernel.w(distance)))
            .sum()
    }
}
