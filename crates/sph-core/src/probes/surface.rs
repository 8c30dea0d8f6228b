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

/// Height y (m) of the water surface on the line through `point` (m) along y; the y of `point` is ignored.
///
/// The surface is the highest point where fluid fills half of the volume that walls leave free:
/// `Σ_f V W / (1 − Σ_b V_b W) = ½`. The line may run along a wall. Single droplets stay below ½ and are ignored. `None` if the
/// line meets no fluid.
///
/// With `of`, the index of one of several fluids, the surface of this fluid below others, where it fills half of that volume.
pub fn water_height(fluid: &View<'_>, point: Vec3, of: Option<usize>) -> Option<f64> {
    height_on(&Line::new(fluid, fluid.flat(point), of, None), fluid)
}

/// Height of the water surface as [`water_height`], in the axes of a container: `point` (m) and the height are those that they had at time 0,
/// and the line moves and turns with the container of this index.
pub fn water_height_in(fluid: &View<'_>, container: usize, point: Vec3, of: Option<usize>) -> Option<f64> {
    let pose = fluid.containers.get(container).map(|tank| tank.motion.pose(fluid.time));
    height_on(&Line::new(fluid, fluid.flat(point), of, pose), fluid)
}

fn height_on(line: &Line<'_>, fluid: &View<'_>) -> Option<f64> {
    let step = fluid.discretization.particle_spacing / POINTS_PER_SPACING;
    // The highest particle inside the water, and from there up to the surface.
    let inside = line.fluid.iter().map(|particle| particle.y).find(|&y| line.filling(y) >= SURFACE)?;
    let steps = (fluid.discretization.support_radius / step).ceil() as u32 + 1;
    let (mut below, mut filled) = (inside, line.filling(inside));
    for number in 1..=steps {
        let above = inside + number as f32 * step;
        let filling = line.filling(above);
        if filling < SURFACE {
            let part = (filled - SURFACE) / (filled - filling);
            return Some(f64::from(below) + part * f64::from(above - below));
        }
        (below, filled) = (above, filling);
    }
    Some(f64::from(below))
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
    rest_volume: f64,
    /// Fluid particles, the highest first, m.
    fluid: Vec<Vec3>,
    /// Wall particles with their volumes, m and m³.
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
        let mut particles: Vec<Vec3> = wanted.map(image).filter(near).collect();
        particles.sort_by(|a, b| b.y.total_cmp(&a.y));
        let walls = fluid.walls.positions.iter().copied().map(image).zip(fluid.walls.volumes.iter().copied());
        Self {
            kernel: fluid.kernel(),
            radius,
            foot,
            rest_volume: fluid.rest_volume(),
            fluid: particles,
            walls: walls.filter(|(position, _)| near(position)).collect(),
            planes: fluid.planes,
        }
    }

    /// Volume fraction of fluid at height `y` (m) in the volume that walls leave free, 0 to about 1; 0 inside walls.
    fn filling(&self, y: f32) -> f64 {
        let point = self.foot.with_y(y);
        let weight = |position: Vec3| {
            let distance = position.distance(point);
            if distance < self.radius { f64::from(self.kernel.w(distance)) } else { 0.0 }
        };
        // Particles in reach by height; they are sorted.
        let first = self.fluid.partition_point(|position| position.y >= y + self.radius);
        let last = self.fluid.partition_point(|position| position.y > y - self.radius);
        let fluid: f64 = self.fluid[first..last].iter().map(|&position| weight(position)).sum();
        let walls: f64 = self.walls.iter().map(|&(position, volume)| f64::from(volume) * weight(position)).sum();
        let room = 1.0 - walls - f64::from(self.planes.density(point));
        if room < LEAST_ROOM { 0.0 } else { self.rest_volume * fluid / room }
    }
}
