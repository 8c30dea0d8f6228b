//! Fields of the fluid read in space: at a point, at many points at even distances, by a pressure gauge, through an opening.

use crate::boundary::{Aperture, Container, Face, Pose, plane_axes};
use crate::kernel::{Kernel, SmoothingKernel};
use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
use crate::passes::sum_particles;
use crate::simulation::View;
use crate::space::{Domain, Wrap};
use glam::{DMat4, DVec3, DVec4, Vec3};

/// Least variance of the particle positions around a point, as a geometric mean over the axes, in support radii squared, for
/// which a linear fit is made. Beside a wall, with half of the neighbourhood filled, it is 0.01 to 0.05; for particles in a
/// row, 0.
const LEAST_SPREAD: f64 = 0.002;

/// Pressure at `point` (m), Pa: `[Σ_f p_f W + Σ_f ρ_f g·(x − x_f) W] / Σ_f W` over fluid particles, as for wall pressure
/// (Adami2012, eq. 27), so that it is also accurate at a wall, with fluid on one side only. p_f is the [acting](View::acting_pressure)
/// pressure. Boundary particles are left out, because their pressures are clamped. `None` without fluid in reach.
pub fn pressure_at(fluid: &View<'_>, point: Vec3) -> Option<f64> {
    let (mut weighted, mut weight) = (0.0, 0.0);
    for (f, x, w) in neighbors(fluid, point) {
        weighted += extrapolated_pressure(fluid, f, x) * w;
        weight += w;
    }
    (weight > 0.0).then(|| weighted / weight)
}

/// Acting pressure of particle f, extrapolated by `x` (m) along the hydrostatic gradient, Pa: `p_f + ρ_f g·x`.
fn extrapolated_pressure(fluid: &View<'_>, f: usize, x: DVec3) -> f64 {
    let Particles { positions, densities, .. } = fluid.particles;
    fluid.acting_pressure(f) + f64::from(densities[f] * fluid.external.along(positions[f], x.as_vec3()))
}

/// Density at `point` (m), kg/m³: `Σ_f ρ_f W / Σ_f W` over fluid particles. `None` without fluid in reach.
pub fn density_at(fluid: &View<'_>, point: Vec3) -> Option<f64> {
    let (mut weighted, mut weight) = (0.0, 0.0);
    for (f, _, w) in neighbors(fluid, point) {
        weighted += f64::from(fluid.particles.densities[f]) * w;
        weight += w;
    }
    (weight > 0.0).then(|| weighted / weight)
}

/// Velocity at `point` (m), m/s, by moving least squares: a linear fit weighted with W, which reproduces linear fields exactly,
/// also at a wall. With too few particles in reach for a fit, the Shepard mean; `None` without fluid in reach.
pub fn velocity_at(fluid: &View<'_>, point: Vec3) -> Option<DVec3> {
    let velocities = &fluid.particles.velocities;
    fitted_velocity(fluid.discretization, neighbors(fluid, point).map(|(f, x, w)| (velocities[f], x, w)))
}

/// The fit of [`velocity_at`] to `neighbors` of a point: the velocity of each, m/s, then what [`Around::see`] gives. Its bits depend on their order.
pub(crate) fn fitted_velocity(
    discretization: &Discretization,
    neighbors: impl Iterator<Item = (Vec3, DVec3, f64)>,
) -> Option<DVec3> {
    let scale = 1.0 / f64::from(discretization.support_radius);
    let planar = discretization.dimensions == Dimensions::Two;
    let mut moments = DMat4::ZERO;
    // Right sides of the normal equations, one for each component of the velocity.
    let mut right = [DVec4::ZERO; 3];
    for (velocity, x, w) in neighbors {
        let offset = (-scale * x).extend(1.0);
        moments += DMat4::from_cols(offset.x * offset, offset.y * offset, offset.z * offset, offset) * w;
        let velocity = velocity.as_dvec3();
        for (axis, right) in right.iter_mut().enumerate() {
            *right += w * velocity[axis] * offset;
        }
    }
    let weight = moments.w_axis.w;
    if weight <= 0.0 {
        return None;
    }
    if planar {
        // In two dimensions all offsets along z are 0; any positive moment makes the matrix invertible.
        moments.z_axis.z = weight;
    }
    let fitted = moments * (1.0 / weight);
    if fitted.determinant() < LEAST_SPREAD.powi(discretization.dimensions.count() as i32) {
        return Some(DVec3::from_array(right.map(|right| right.w / weight)));
    }
    let inverse = fitted.inverse() * (1.0 / weight);
    let value = |right: DVec4| inverse.w_axis.dot(right);
    Some(DVec3::from_array(right.map(value)))
}

/// Fluid particles in reach of `point`: index f, `point − x_f` (m), and W.
fn neighbors<'a>(fluid: &View<'a>, point: Vec3) -> impl Iterator<Item = (usize, DVec3, f64)> + 'a {
    let around = Around::new(fluid.discretization, fluid.domain, fluid.flat(point));
    let positions = fluid.particles.positions.iter().enumerate();
    positions.filter_map(move |(f, &position)| around.see(position).map(|(x, w)| (f, x, w)))
}

/// The support of the kernel around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    point: Vec3,
    /// Support radius, m.
    radius: f32,
    kernel: Kernel,
    wrap: Wrap,
}

impl Around {
    /// That around `point` (m), a point of `domain`.
    pub fn new(discretization: &Discretization, domain: &Domain, point: Vec3) -> Self {
        let Discretization { kernel, dimensions, support_radius: radius, .. } = *discretization;
        Self { point, radius, kernel: Kernel::new(kernel, dimensions, radius), wrap: Wrap::new(domain) }
    }

    /// Vector from `position` to the point, m, and W; `None` for a position that is not in the support.
    pub fn see(&self, position: Vec3) -> Option<(DVec3, f64)> {
        let x = self.wrap.minimum_image(self.point, position);
        let distance = x.length();
        (distance < self.radius).then(|| (x.as_dvec3(), f64::from(self.kernel.w(distance))))
    }
}

/// Points at even distances: one, a line, or a plane of lines beside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointGrid {
    /// First point, m.
    pub from: Vec3,
    /// Last point of the first line, m.
    pub to: Vec3,
    /// Number of points on a line, at least 1.
    pub points: u32,
    /// First point of the last line, m.
    pub across: Vec3,
    /// Number of lines, at least 1.
    pub rows: u32,
}

impl PointGrid {
    /// A point, m.
    pub fn point(at: Vec3) -> Self {
        Self::line(at, at, 1)
    }

    /// Points of a line, both ends included, m.
    pub fn line(from: Vec3, to: Vec3, points: u32) -> Self {
        Self { from, to, points, across: from, rows: 1 }
    }

    /// Number of points.
    pub fn count(&self) -> usize {
        self.points as usize * self.rows as usize
    }

    /// Point of this index, m: those of the first line come first.
    pub fn at(&self, index: usize) -> Vec3 {
        let part = |index: usize, count: u32| index as f32 / count.saturating_sub(1).max(1) as f32;
        let (row, point) = (index / self.points as usize, index % self.points as usize);
        self.from.lerp(self.to, part(point, self.points)) + part(row, self.rows) * (self.across - self.from)
    }

    /// Label of this index: the number of the point on its line, before it that of the line, if there are several; empty for one point.
    pub fn label(&self, index: usize) -> String {
        let (row, point) = (index / self.points as usize, index % self.points as usize);
        match (self.count(), self.rows) {
            (1, _) => String::new(),
            (_, 1) => point.to_string(),
            _ => format!("{row}.{point}"),
        }
    }
}

// Pressure gauges: instruments of finite size and finite rate.

/// Points along the diameter of a gauge at which its pressure is read.
const POINTS: u32 = 5;

/// Size and rate of a pressure gauge. The default is a point that reads at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gauge {
    /// Face of the tank whose wall the gauge is let into: its disc lies in that plane.
    pub face: Option<Face>,
    /// Diameter of the disc, m, in two dimensions the length of a line; 0 for a point.
    pub diameter: f32,
    /// Index of the container that the gauge moves with; `None` for a gauge that is fixed in space.
    pub container: Option<usize>,
    /// Averaging time, s: a reading is the mean over this time up to now. 0 for the present pressure.
    pub averaging: f32,
}

impl Gauge {
    /// Mean over the gauge, with its middle at `at` (m) at time 0, Pa: of the force on the wall per area if it lies in the face of a
    /// container, else of [`pressure_at`]. A part of the gauge that is dry counts as 0; `None` if all of it is dry.
    pub fn read(self, fluid: &View<'_>, at: Vec3) -> Option<f64> {
        let pose = self.container.and_then(|index| fluid.containers.get(index)).map(|tank| tank.motion.pose(fluid.time));
        let place = |start: Vec3| pose.map_or(start, |pose| pose.point(start.as_dvec3()).as_vec3());
        let walls = self.walls(fluid, at);
        let (mut sum, mut count, mut is_wet) = (0.0, 0u32, false);
        self.points(fluid.discretization.dimensions, |offset| {
            let point = place(at + offset);
            let pressure = walls.as_ref().map_or_else(|| pressure_at(fluid, point), |walls| walls.pressure_at(fluid, point));
            sum += pressure.unwrap_or(0.0);
            count += 1;
            is_wet |= pressure.is_some();
        });
        is_wet.then(|| sum / f64::from(count))
    }

    /// The walls around a gauge with its middle at `at` (m) at time 0: those of the container in whose face it lies, if it lies in one.
    fn walls(self, fluid: &View<'_>, at: Vec3) -> Option<FlatWalls> {
        let face = self.face?;
        let (axis, side) = (face as usize / 2, face as usize % 2);
        let tolerance = 0.5 * fluid.discretization.particle_spacing;
        let holds =
            |tank: &&Container| tank.faces.contains(face) && ([tank.min, tank.max][side][axis] - at[axis]).abs() <= tolerance;
        let tank = match self.container {
            Some(index) => fluid.containers.get(index).filter(holds),
            None => fluid.containers.iter().find(holds),
        }?;
        // Of a container that is no box only the face of the gauge is a plane for certain.
        let axes = fluid.discretization.dimensions.count();
        let is_plane =
            |other: Face| tank.faces.contains(other) && other as usize / 2 < axes && (tank.region.is_none() || other == face);
        let plane = |axis: usize, side: usize| {
            is_plane(Face::ALL[2 * axis + side]).then(|| f64::from([tank.min, tank.max][side][axis]))
        };
        let planes = std::array::from_fn(|axis| [plane(axis, 0), plane(axis, 1)]);
        Some(FlatWalls { planes, pose: tank.motion.pose(fluid.time) })
    }

    /// Label of its readings, such as `disc_4.2mm.mean_10ms`; empty for a point that reads at once.
    pub fn label(self) -> String {
        let thousandths = |value: f32| (1e6 * f64::from(value)).round() / 1e3;
        let disc = (self.diameter > 0.0).then(|| format!("disc_{}mm", thousandths(self.diameter)));
        let mean = (self.averaging > 0.0).then(|| format!("mean_{}ms", thousandths(self.averaging)));
        disc.into_iter().chain(mean).collect::<Vec<_>>().join(".")
    }

    /// Calls `visit` with the offset of every point from the middle, m: a square lattice cut to the disc.
    fn points(self, dimensions: Dimensions, mut visit: impl FnMut(Vec3)) {
        let Some(face) = self.face.filter(|_| self.diameter > 0.0) else { return visit(Vec3::ZERO) };
        let (first, second) = face.tangents(dimensions);
        let place = |n: u32| self.diameter * ((n as f32 + 0.5) / POINTS as f32 - 0.5);
        let across = if second.is_some() { POINTS } else { 1 };
        for m in 0..across {
            for n in 0..POINTS {
                let offset = place(n) * first + second.map_or(Vec3::ZERO, |second| place(m) * second);
                if offset.length() <= 0.5 * self.diameter {
                    visit(offset);
                }
            }
        }
    }
}

/// Planes of a tank's walls: the lower and the upper one along each axis at time 0, m, and how the tank has moved since.
struct FlatWalls {
    planes: [[Option<f64>; 2]; 3],
    pose: Pose,
}

impl FlatWalls {
    /// Force of the fluid on the wall per area around `point` (m), Pa: `Σ_f V_f [p_f + ρ_f g·(x − x_f)] Σ W`, over the fluid particles and,
    /// of each, over itself and its images behind the walls. `None` without fluid in reach.
    ///
    /// p_f is the [acting](View::acting_pressure) pressure. Unlike the mean of [`pressure_at`] the sum is not divided by that of the weights: fluid that
    /// strikes a wall stops before it has come as near as fluid at rest, and pushes by as much less than its pressure.
    fn pressure_at(&self, fluid: &View<'_>, point: Vec3) -> Option<f64> {
        let kernel = fluid.kernel();
        let at = self.pose.start(point.as_dvec3());
        let (mut force, mut is_wet) = (0.0, false);
        for (f, x, _) in neighbors(fluid, point) {
            is_wet = true;
            let place = self.pose.start(point.as_dvec3() - x);
            let volume = fluid.mass_of(f) / f64::from(fluid.particles.densities[f]);
            force += volume * extrapolated_pressure(fluid, f, x) * self.weight(kernel, place - at, at);
        }
        is_wet.then_some(force)
    }

    /// Sum of W over a place and its images, with the place at `offset` (m) from the point `at` (m), both at time 0.
    fn weight(&self, kernel: Kernel, offset: DVec3, at: DVec3) -> f64 {
        // Along an axis: the place itself, and its images in the lower and the upper plane.
        let along = |axis: usize| {
            let image = move |plane: f64| 2.0 * (plane - at[axis]) - offset[axis];
            let images = self.planes[axis].into_iter().flatten().map(image);
            std::iter::once(offset[axis]).chain(images)
        };
        let images = along(0).flat_map(|x| along(1).flat_map(move |y| along(2).map(move |z| DVec3::new(x, y, z))));
        images.map(|offset| f64::from(kernel.w(offset.length() as f32))).sum()
    }
}

// Flow through an opening in space.

/// Half the thickness of the slab in which flow is measured, in particle spacings.
const HALF_THICKNESS: f32 = 2.0;

/// An opening in space through which flow is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluxGate {
    /// Middle of the opening, m.
    pub center: Vec3,
    /// Direction in which flow counts as positive; its length does not matter.
    pub direction: Vec3,
    /// Shape of the opening.
    pub aperture: Aperture,
}

impl FluxGate {
    /// Flow of mass through the opening, kg/s (kg/(s m) in two dimensions): `Σ m (v·n) φ(s)`, where s is a particle's distance from the plane and φ
    /// a hat of integral 1, two spacings to either side. Over the passage of a particle the integral of its part is its mass.
    pub fn mass_flow(&self, fluid: &View<'_>) -> f64 {
        let normal = self.direction.normalize_or_zero();
        let dimensions = fluid.discretization.dimensions;
        let axes = plane_axes(normal, dimensions);
        let half = HALF_THICKNESS * fluid.discretization.particle_spacing;
        let (center, wrap) = (fluid.flat(self.center), fluid.wrap());
        let particles = fluid.particles;
        let [flow] = sum_particles(particles.len(), |i| {
            let offset = wrap.minimum_image(particles.positions[i], center);
            let distance = offset.dot(normal).abs();
            if distance >= half || !self.contains(axes.map(|axis| offset.dot(axis)), dimensions) {
                return [0.0];
            }
            let weight = f64::from((half - distance) / (half * half));
            [fluid.mass_of(i) * f64::from(particles.velocities[i].dot(normal)) * weight]
        });
        flow
    }

    fn contains(&self, [across, up]: [f32; 2], dimensions: Dimensions) -> bool {
        let up = if dimensions == Dimensions::Two { 0.0 } else { up };
        match self.aperture {
            Aperture::Round { radius } => across.hypot(up) <= radius,
            Aperture::Rectangle { size } => across.abs() <= 0.5 * size.x && up.abs() <= 0.5 * size.y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(gauge: Gauge, dimensions: Dimensions) -> Vec<Vec3> {
        let mut points = Vec::new();
        gauge.points(dimensions, |offset| points.push(offset));
        points
    }

    #[test]
    fn points_fill_the_disc_in_the_plane_of_the_face() {
        let gauge = Gauge { face: Some(Face::XMax), diameter: 2.0, ..Gauge::default() };
        let plane = offsets(gauge, Dimensions::Two);
        assert_eq!(plane.len(), 5);
        assert!(plane.iter().zip([-0.8, -0.4, 0.0, 0.4, 0.8]).all(|(point, y)| (point.y - y).abs() < 1e-6), "{plane:?}");
        let space = offsets(gauge, Dimensions::Three);
        assert_eq!(space.len(), 21, "25 less the corners");
        assert!(space.iter().chain(&plane).all(|point| point.x == 0.0 && point.length() <= 1.0));
        assert!(space.iter().copied().sum::<Vec3>().length() < 1e-5, "the middle is the middle");
        // The second moment of a uniform disc is d²/16.
        let moment = space.iter().map(|point| point.y * point.y).sum::<f32>() / space.len() as f32;
        assert!((moment / 0.25 - 1.0).abs() < 0.2, "{moment}");
        assert_eq!(offsets(Gauge::default(), Dimensions::Three), [Vec3::ZERO]);
    }

    #[test]
    fn the_label_says_size_and_time() {
        assert_eq!(Gauge::default().label(), "");
        let gauge = Gauge { face: Some(Face::XMax), diameter: 0.0042, averaging: 0.01, ..Gauge::default() };
        assert_eq!(gauge.label(), "disc_4.2mm.mean_10ms");
    }
}
