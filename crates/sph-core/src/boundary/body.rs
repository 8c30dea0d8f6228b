//! Solid bodies in the fluid: their shape, the particles that sample and fill them, their mass, and how they keep particles out.

use std::f32::consts::{PI, TAU};

use super::{BoundaryParticles, Dynamics, Motion};
use crate::parameters::{Dimensions, Discretization, Slip, WallSampling};
use crate::setup::BlockShape;
use crate::space::geometry::{Layers, Nearest, Side, Solid, Triangulation, clear_step, sample_layers};
use crate::space::{lattice_counts, product};
use glam::{DMat3, DVec3, Mat3, U64Vec3, Vec3};

/// A solid box, the ellipsoid inside one, or any solid. In two dimensions z is ignored. The default is an empty box, which cannot be
/// simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Lowest corner before any rotation, at time 0, m.
    pub min: Vec3,
    /// Highest corner before any rotation, at time 0, m.
    pub max: Vec3,
    /// Shape: the whole box, the ellipsoid that touches its faces, or the solid whose bounds it is.
    pub shape: BlockShape,
    /// Slip condition at the surface.
    pub slip: Slip,
    /// Prescribed motion.
    pub motion: Motion,
    /// Density, kg/m³.
    pub density: f32,
    /// Properties of a body that moves by forces, which has no prescribed motion; `None` for one whose motion is prescribed.
    pub dynamics: Option<Dynamics>,
}

impl Default for Body {
    fn default() -> Self {
        let (min, max, density) = (Vec3::ZERO, Vec3::ZERO, 1000.0);
        Self {
            min,
            max,
            shape: BlockShape::default(),
            slip: Slip::default(),
            motion: Motion::default(),
            density,
            dynamics: None,
        }
    }
}

/// Supporting plane of a body next to a point: all of the body lies behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    /// Unit normal, out of the body.
    pub normal: Vec3,
    /// Signed distance of the point from the plane, m; negative inside the body.
    pub distance: f32,
}

impl Body {
    /// `solid` at rest, with the density of water.
    pub fn solid(solid: Solid) -> Self {
        let [min, max] = solid.bounds().map(|corner| corner.as_vec3());
        Self { min, max, shape: BlockShape::Solid(solid), ..Self::default() }
    }

    /// Centre of its box at time 0, m.
    pub fn middle(&self) -> Vec3 {
        0.5 * (self.min + self.max)
    }

    /// Half the extent along each axis, m.
    pub fn half_extent(&self) -> Vec3 {
        0.5 * (self.max - self.min)
    }

    /// Surface in three dimensions before any motion, m.
    pub fn triangulation(&self) -> Triangulation {
        match &self.shape {
            BlockShape::Box => Triangulation::of_box(self.min, self.max),
            BlockShape::Ellipsoid => Triangulation::of_ellipsoid(self.min, self.max),
            BlockShape::Solid(solid) => Triangulation::of_solid(solid),
        }
    }

    /// True if any point of it ever moves, or may.
    pub fn moves(&self) -> bool {
        self.dynamics.is_some() || self.motion.moves()
    }

    /// Highest speed of any of its points at any time, m/s: an upper bound. That at the start for a body that moves by forces.
    pub fn top_speed(&self) -> f32 {
        let turning = |of: &Dynamics| of.angular_velocity.length() * self.half_extent().length();
        let free = self.dynamics.as_ref().map_or(0.0, |of| of.velocity.length() + turning(of));
        free + self.motion.top_speed(self.min, self.max)
    }

    /// Distance (m) of `position` (m) from the surface at time 0, to a supporting plane; negative inside the body.
    pub(crate) fn distance_at_start(&self, dimensions: Dimensions, position: Vec3) -> f32 {
        let described = match self.motion.rotation() {
            Some(_) => self.motion.pose(0.0).start(position.as_dvec3()).as_vec3(),
            None => position,
        };
        self.distance(dimensions, described)
    }

    /// Distance of `position` (m), before any motion, from the surface, m: outside at most the true one, to a supporting plane; negative inside.
    pub fn distance(&self, dimensions: Dimensions, position: Vec3) -> f32 {
        self.support(dimensions, position - self.middle()).distance
    }

    /// True if it has no concave corner.
    pub(crate) fn is_convex(&self) -> bool {
        match &self.shape {
            BlockShape::Box | BlockShape::Ellipsoid => true,
            BlockShape::Solid(solid) => matches!(solid.union(), Some([shape]) if shape.is_convex()),
        }
    }

    /// Supporting plane next to `position` (m from the centre, along the axes of the box).
    pub(crate) fn support(&self, dimensions: Dimensions, position: Vec3) -> Support {
        let (position, half) = flat(dimensions, position, self.half_extent());
        match &self.shape {
            BlockShape::Box => {
                let outside = position - position.clamp(-half, half);
                let distance = outside.length();
                if distance > 0.0 {
                    return Support { normal: outside / distance, distance };
                }
                // The nearest face.
                let depths = half - position.abs();
                let axis = (0..dimensions.count()).min_by(|&a, &b| depths[a].total_cmp(&depths[b])).unwrap_or(0);
                let mut normal = Vec3::ZERO;
                normal[axis] = if position[axis] < 0.0 { -1.0 } else { 1.0 };
                Support { normal, distance: -depths[axis] }
            }
            BlockShape::Ellipsoid => {
                let scaled = (position / half).length();
                let normal = (position / (half * half)).try_normalize().unwrap_or(Vec3::Y);
                // The surface point on the ray from the centre through `position`; the normal there is the same.
                let surface = if scaled > 0.0 { position / scaled } else { half * Vec3::Y };
                Support { normal, distance: (position - surface).dot(normal) }
            }
            BlockShape::Solid(solid) => {
                let Nearest { distance, normal } = solid.nearest((self.middle() + position).as_dvec3());
                Support { normal: normal.as_vec3(), distance: distance as f32 }
            }
        }
    }

    /// True if the segment from `position` (m from the centre) by `step` (m) enters the body enlarged by `clearance` (m) along
    /// each axis: exact beside faces, an estimate around corners and ellipsoids.
    fn is_hit(&self, dimensions: Dimensions, clearance: f32, position: Vec3, step: Vec3) -> bool {
        let (position, half) = flat(dimensions, position, self.half_extent() + clearance);
        match self.shape {
            // A solid may be anywhere in its box.
            BlockShape::Box | BlockShape::Solid(_) => {
                let (mut enter, mut leave) = (0.0f32, 1.0f32);
                for axis in 0..dimensions.count() {
                    if step[axis] == 0.0 {
                        if position[axis].abs() > half[axis] {
                            return false;
                        }
                        continue;
                    }
                    let ends = [-1.0, 1.0].map(|side: f32| (side * half[axis] - position[axis]) / step[axis]);
                    enter = enter.max(ends[0].min(ends[1]));
                    leave = leave.min(ends[0].max(ends[1]));
                }
                enter <= leave
            }
            BlockShape::Ellipsoid => {
                let (start, scaled) = (position / half, step / half);
                // The part of the segment up to the point closest to the centre.
                let part =
                    if scaled == Vec3::ZERO { 0.0 } else { (-start.dot(scaled) / scaled.length_squared()).clamp(0.0, 1.0) };
                (start + part * scaled).length_squared() <= 1.0
            }
        }
    }

    /// Velocity (m/s) closest to `velocity` with which a particle at `position` (m from the centre, along the axes of the box)
    /// stays at least `clearance` (m) away for `dt` (s), while the body moves at `own` (m/s) without rotation. A particle that
    /// is too close already comes no closer.
    pub(crate) fn confine(
        &self,
        dimensions: Dimensions,
        clearance: f32,
        dt: f32,
        (position, own): (Vec3, Vec3),
        velocity: Vec3,
    ) -> Vec3 {
        let relative = velocity - own;
        if !self.is_hit(dimensions, clearance, position, dt * relative) {
            return velocity;
        }
        if let BlockShape::Solid(solid) = &self.shape {
            let (start, step) = ((self.middle() + position).as_dvec3(), (dt * relative).as_dvec3());
            let planar = dimensions == Dimensions::Two;
            let clear = clear_step(|at| solid.nearest(at), clearance.into(), planar, start, step);
            return if clear == step { velocity } else { own + (clear / f64::from(dt)).as_vec3() };
        }
        let Support { normal, distance } = self.support(dimensions, position);
        let room = (distance - clearance).max(0.0);
        let excess = -room / dt - relative.dot(normal);
        if excess > 0.0 { velocity + excess * normal } else { velocity }
    }

    /// True if a box (m) overlaps the body at time 0 by more than `slack` (m). For a body that is turned then, its bounding box
    /// counts.
    pub(crate) fn overlaps_box(&self, dimensions: Dimensions, min: Vec3, max: Vec3, slack: f32) -> bool {
        if let Some(turned) = self.turned_bounds() {
            return turned.overlaps_box(dimensions, min, max, slack);
        }
        let middle = self.middle();
        let (nearest, half) = flat(dimensions, middle.clamp(min, max.max(min)) - middle, self.half_extent() - slack);
        match self.shape {
            BlockShape::Box | BlockShape::Solid(_) => (0..dimensions.count()).all(|axis| nearest[axis].abs() < half[axis]),
            BlockShape::Ellipsoid => (nearest / half).length_squared() < 1.0,
        }
    }

    /// Lowest and highest corner of the box around the body at time 0, m.
    pub(crate) fn bounds_at_start(&self) -> (Vec3, Vec3) {
        self.turned_bounds().map_or((self.min, self.max), |turned| (turned.min, turned.max))
    }

    /// Box around the body at time 0, if it is turned then.
    fn turned_bounds(&self) -> Option<Self> {
        let pose = self.motion.pose(0.0);
        if pose.rotation == DMat3::IDENTITY {
            return None;
        }
        let (min, max) = pose.bounds(self.min, self.max);
        Some(Self { min, max, ..Self::default() })
    }
}

/// In two dimensions, `position` with z = 0 and `half` with z = 1, so that z has no effect; unchanged in three.
fn flat(dimensions: Dimensions, position: Vec3, half: Vec3) -> (Vec3, Vec3) {
    match dimensions {
        Dimensions::Two => (position.with_z(0.0), half.with_z(1.0)),
        Dimensions::Three => (position, half),
    }
}

// Sampling of bodies with layers of boundary particles.

/// Layers at the surface of a body that is a solid. Those of shells have no depth to be shifted to.
fn layers_of(solid: &Solid, discretization: &Discretization, sampling: WallSampling) -> Layers {
    let layers = Layers::of(discretization, sampling, Side::Inside);
    Layers { shift: if solid.has_shells() { 0.0 } else { layers.shift }, ..layers }
}

impl Body {
    /// Upper bound on the number of boundary particles of this body; saturates.
    pub fn particle_count(&self, discretization: &Discretization) -> u64 {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        if let BlockShape::Solid(solid) = &self.shape {
            return layers_of(solid, discretization, WallSampling::Layers).estimate(solid);
        }
        let counts = lattice_counts(self.min, self.max, particle_spacing, dimensions);
        if self.shape == BlockShape::Ellipsoid {
            // Rings may hold a few more than the lattice.
            return product(counts).saturating_add(100);
        }
        let layers = 2 * u64::from(WallSampling::Layers.layers(discretization));
        let axes = dimensions.count();
        let hollow: [u64; 3] = std::array::from_fn(|axis| if axis < axes { counts[axis].saturating_sub(layers) } else { 1 });
        product(counts).saturating_sub(product(hollow))
    }

    /// Positions of its boundary particles before any motion, m; its [`Pose`](crate::Pose) takes them to where they are.
    pub fn particles(&self, discretization: &Discretization) -> Vec<Vec3> {
        let mut particles = BoundaryParticles::default();
        self.sample(discretization, WallSampling::Layers, discretization.particle_volume(), &mut particles);
        particles.positions
    }

    /// Appends this body's boundary particles before any motion. A particle of a lattice with the particle spacing has the volume
    /// `volume` (m³).
    pub(crate) fn sample(
        &self,
        discretization: &Discretization,
        sampling: WallSampling,
        volume: f32,
        particles: &mut BoundaryParticles,
    ) {
        let (layers, first) = (sampling.layers(discretization), particles.positions.len());
        if let BlockShape::Solid(solid) = &self.shape {
            let (positions, volumes) = sample_layers(solid, layers_of(solid, discretization, sampling));
            particles.velocities.resize(particles.velocities.len() + positions.len(), self.motion.velocity(0.0));
            particles.extend(positions, volumes, volume / discretization.particle_volume(), self.slip);
            return;
        }
        self.sample_convex(discretization, layers, volume, particles);
        let shift = sampling.shift(discretization);
        if shift > 0.0 {
            let (middle, half) = (self.middle(), self.half_extent());
            let shrink = ((half - shift) / half).max(Vec3::ZERO);
            for position in &mut particles.positions[first..] {
                *position = middle + shrink * (*position - middle);
            }
        }
        particles.velocities.resize(particles.positions.len(), self.motion.velocity(0.0));
        particles.complete(volume, self.slip);
    }

    /// Samples a box or an ellipsoid with this many layers.
    fn sample_convex(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        match (&self.shape, discretization.dimensions) {
            (BlockShape::Ellipsoid, Dimensions::Two) => self.sample_rings(discretization, layers, volume, particles),
            _ => self.sample_lattice(discretization, layers, volume, particles),
        }
    }

    /// Samples the body at the cell centres of a lattice that fills its box.
    fn sample_lattice(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let Discretization { dimensions, particle_spacing, .. } = *discretization;
        let counts = U64Vec3::from_array(lattice_counts(self.min, self.max, particle_spacing, dimensions));
        let axes = dimensions.count();
        let spacing = (self.max - self.min) / counts.as_vec3();
        let stretch: f32 = (0..axes).map(|axis| spacing[axis] / particle_spacing).product();
        let is_deep = |axis: usize, cell: u64| axis >= axes || cell.min(counts[axis] - 1 - cell) >= u64::from(layers);
        let solid = |cell: U64Vec3, position: Vec3| match self.shape {
            BlockShape::Box | BlockShape::Solid(_) => (0..axes).any(|axis| !is_deep(axis, cell[axis])),
            BlockShape::Ellipsoid => {
                let (position, half) = flat(dimensions, position - self.middle(), self.half_extent());
                let hollow = half - (layers as f32 + 0.5) * particle_spacing;
                let deep = hollow.min_element() > 0.0 && (position / hollow).length_squared() < 1.0;
                (position / half).length_squared() <= 1.0 && !deep
            }
        };
        let end = u64::from(layers);
        for z in 0..counts.z {
            for y in 0..counts.y {
                // Rows through the inside of a box have cells at their ends only: a long walk between them would bring nothing.
                let is_hollow = self.shape == BlockShape::Box && is_deep(1, y) && is_deep(2, z) && counts.x > 2 * end;
                let [first, last] = if is_hollow { [end, counts.x - end] } else { [counts.x; 2] };
                for x in (0..first).chain(last..counts.x) {
                    let cell = U64Vec3::new(x, y, z);
                    let position = self.min + (cell.as_vec3() + 0.5) * spacing;
                    if solid(cell, position) {
                        particles.positions.push(if dimensions == Dimensions::Two { position.with_z(0.0) } else { position });
                        particles.volumes.push(stretch * volume);
                    }
                }
            }
        }
    }

    /// Samples an ellipse with rings a spacing apart, the first half a spacing inside the surface, so that the surface has no
    /// lattice steps. The particles of a ring share its area.
    fn sample_rings(&self, discretization: &Discretization, layers: u32, volume: f32, particles: &mut BoundaryParticles) {
        let spacing = discretization.particle_spacing;
        let (middle, half) = (self.middle(), self.half_extent());
        for layer in 0..layers {
            let axes = |depth: f32| [half.x - depth * spacing, half.y - depth * spacing].map(|axis| axis.max(0.0));
            let ([a, b], [outer, inner]) = (axes(layer as f32 + 0.5), [0.0, 1.0].map(|side| axes(layer as f32 + side)));
            if a <= 0.0 || b <= 0.0 {
                return;
            }
            let area = PI * (outer[0] * outer[1] - inner[0] * inner[1]);
            let points = ring([a, b], spacing);
            let share = volume * area / (points.len() as f32 * spacing * spacing);
            particles.volumes.resize(particles.volumes.len() + points.len(), share);
            particles.positions.extend(points.into_iter().map(|position| (middle + position).with_z(0.0)));
        }
    }
}

/// Points on an ellipse around the origin, equidistant along it, about `spacing` (m) apart.
fn ring([a, b]: [f32; 2], spacing: f32) -> Vec<Vec3> {
    let at = |angle: f32| Vec3::new(a * angle.cos(), b * angle.sin(), 0.0);
    // Chords much shorter than the spacing.
    let chords = ((16.0 * TAU * a.max(b) / spacing) as usize).clamp(64, 1 << 20);
    let angle = |chord: usize| TAU * chord as f32 / chords as f32;
    let mut lengths = vec![0.0f64; chords + 1];
    for chord in 0..chords {
        lengths[chord + 1] = lengths[chord] + f64::from(at(angle(chord)).distance(at(angle(chord + 1))));
    }
    let count = ((lengths[chords] / f64::from(spacing)).round() as usize).max(1);
    let position = |number: usize| {
        let length = lengths[chords] * number as f64 / count as f64;
        let chord = lengths.partition_point(|&end| end <= length).clamp(1, chords) - 1;
        let share = (length - lengths[chord]) / (lengths[chord + 1] - lengths[chord]);
        at(TAU * (chord as f32 + share as f32) / chords as f32)
    };
    (0..count).map(position).collect()
}

// Particles that fill a body, for pictures.

/// Largest number of cells in the box around a body that is filled.
const MOST_CELLS: u64 = 1 << 18;

impl Body {
    /// Positions of the particles that show this body before any motion, m: its boundary particles, and in two dimensions others in its middle,
    /// where it needs none and would look like a ring. A body of more than 262,144 particles stays a ring.
    pub fn shown_particles(&self, discretization: &Discretization) -> Vec<Vec3> {
        let Discretization { dimensions, particle_spacing: spacing, .. } = *discretization;
        let [min, max] = match &self.shape {
            BlockShape::Solid(solid) => solid.bounds().map(|corner| corner.as_vec3()),
            BlockShape::Box | BlockShape::Ellipsoid => [self.min, self.max],
        };
        let counts = lattice_counts(min, max, spacing, dimensions);
        if dimensions == Dimensions::Three || product(counts) > MOST_CELLS {
            return self.particles(discretization);
        }
        let BlockShape::Solid(solid) = &self.shape else {
            let mut particles = BoundaryParticles::default();
            self.sample_convex(discretization, u32::MAX, discretization.particle_volume(), &mut particles);
            return particles.positions;
        };
        let mut particles = self.particles(discretization);
        // Where the surface is curved, lattice and layers overlap rather than leave a slit.
        let deep = -(WallSampling::Layers.layers(discretization) as f32 - 0.5) * spacing;
        let [columns, rows, _] = counts;
        let place = |row: u64, column: u64| (min + spacing * Vec3::new(column as f32 + 0.5, row as f32 + 0.5, 0.0)).with_z(0.0);
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| place(row, column)));
        particles.extend(places.filter(|&at| solid.signed_distance(at) <= deep));
        particles
    }
}

// Mass and moments of inertia of bodies.

impl Body {
    /// Mass, kg (kg/m in two dimensions).
    pub fn mass(&self, dimensions: Dimensions) -> f32 {
        let half = self.half_extent();
        let volume = match (&self.shape, dimensions) {
            (BlockShape::Box, Dimensions::Two) => 4.0 * half.x * half.y,
            (BlockShape::Box, Dimensions::Three) => 8.0 * half.element_product(),
            (BlockShape::Ellipsoid, Dimensions::Two) => PI * half.x * half.y,
            (BlockShape::Ellipsoid, Dimensions::Three) => 4.0 / 3.0 * PI * half.element_product(),
            (BlockShape::Solid(solid), _) => solid.volume(dimensions) as f32,
        };
        self.density * volume
    }

    /// Centre of mass at time 0, before any rotation, m.
    pub fn center_of_mass(&self, dimensions: Dimensions) -> Vec3 {
        match &self.shape {
            BlockShape::Box | BlockShape::Ellipsoid => self.middle(),
            BlockShape::Solid(solid) => solid.moments(dimensions).center.as_vec3(),
        }
    }

    /// Centre of mass at time 0, m; in two dimensions in the plane z = 0.
    pub(crate) fn pivot(&self, dimensions: Dimensions) -> DVec3 {
        let center = self.center_of_mass(dimensions).as_dvec3();
        if dimensions == Dimensions::Two { center.with_z(0.0) } else { center }
    }

    /// Moments of inertia about its centre of mass, along the axes of its box before any rotation, kg m² (kg m in two dimensions,
    /// where that about z is the polar one). With the second moments `∫ ρ x_k² dV = m f h_k²` of half extents h, f = 1/3 for
    /// boxes, 1/4 for ellipses and 1/5 for ellipsoids; of other solids sums over cells.
    pub fn inertia(&self, dimensions: Dimensions) -> Mat3 {
        let (factor, half) = match (&self.shape, dimensions) {
            (BlockShape::Solid(solid), _) => return (f64::from(self.density) * solid.moments(dimensions).inertia).as_mat3(),
            (BlockShape::Box, Dimensions::Two) => (1.0 / 3.0, self.half_extent().with_z(0.0)),
            (BlockShape::Box, Dimensions::Three) => (1.0 / 3.0, self.half_extent()),
            (BlockShape::Ellipsoid, Dimensions::Two) => (0.25, self.half_extent().with_z(0.0)),
            (BlockShape::Ellipsoid, Dimensions::Three) => (0.2, self.half_extent()),
        };
        let second = self.mass(dimensions) * factor * half * half;
        Mat3::from_diagonal(Vec3::new(second.y + second.z, second.x + second.z, second.x + second.y))
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;
    use crate::boundary::BoundaryParticles;
    use crate::parameters::{Discretization, KernelKind, WallSampling};

    /// Mass and moments of inertia summed over a lattice of `cells` along each axis.
    fn summed(body: &Body, dimensions: Dimensions, cells: u16) -> (f32, Mat3) {
        let half = body.half_extent().as_dvec3();
        let planar = dimensions == Dimensions::Two;
        let centres = |half: f64| (0..cells).map(move |cell| half * (f64::from(2 * cell + 1) / f64::from(cells) - 1.0));
        let depths: Vec<f64> = if planar { vec![0.0] } else { centres(half.z).collect() };
        let side = |half: f64| 2.0 * half / f64::from(cells);
        let volume = side(half.x) * side(half.y) * if planar { 1.0 } else { side(half.z) };
        let (mut mass, mut inertia) = (0.0, glam::DMat3::ZERO);
        for &z in &depths {
            for y in centres(half.y) {
                for x in centres(half.x) {
                    let at = glam::DVec3::new(x, y, z);
                    if body.shape == BlockShape::Box || (at / half.with_z(half.z.max(1e-9))).length_squared() <= 1.0 {
                        let part = f64::from(body.density) * volume;
                        mass += part;
                        let outer = glam::DMat3::from_cols(x * at, y * at, z * at);
                        inertia += part * (glam::DMat3::from_diagonal(glam::DVec3::splat(at.length_squared())) - outer);
                    }
                }
            }
        }
        (mass as f32, inertia.as_mat3())
    }

    #[test]
    fn mass_and_inertia_are_sums_over_a_fine_lattice() {
        for shape in [BlockShape::Box, BlockShape::Ellipsoid] {
            for (dimensions, cells) in [(Dimensions::Two, 400), (Dimensions::Three, 100)] {
                let (min, max) = (Vec3::new(-1.0, 0.2, 0.5), Vec3::new(0.4, 1.2, 1.1));
                let body = Body { min, max, shape: shape.clone(), density: 700.0, ..Body::default() };
                let (mass, inertia) = summed(&body, dimensions, cells);
                assert!((body.mass(dimensions) / mass - 1.0).abs() < 2e-3, "{} of {mass} kg", body.mass(dimensions));
                let error =
                    (body.inertia(dimensions) - inertia).to_cols_array().into_iter().fold(0.0, |a: f32, b| a.max(b.abs()));
                assert!(error < 3e-3 * inertia.z_axis.z, "{}, where the sum is {inertia}", body.inertia(dimensions));
            }
        }
    }

    // Bodies: their particles fill a shell behind the surface, and confined particles stay outside.

    const SPACING: f32 = 0.1;

    fn discretization(dimensions: Dimensions) -> Discretization {
        let kernel = KernelKind::WendlandC2;
        Discretization { dimensions, particle_spacing: SPACING, kernel, support_radius: 3.0 * SPACING, rest_density: 1000.0 }
    }

    fn body(shape: BlockShape) -> Body {
        Body { min: Vec3::new(-1.0, -0.6, -0.8), max: Vec3::new(1.0, 0.6, 0.8), shape, ..Body::default() }
    }

    fn each() -> impl Iterator<Item = (Body, Dimensions)> {
        let shapes = [BlockShape::Box, BlockShape::Ellipsoid];
        shapes
            .into_iter()
            .flat_map(|shape| [Dimensions::Two, Dimensions::Three].map(|dimensions| (body(shape.clone()), dimensions)))
    }

    #[test]
    fn layers_fill_a_shell_of_a_support_radius() {
        for (body, dimensions) in each() {
            let mut particles = BoundaryParticles::default();
            let volume = SPACING.powi(dimensions.count() as i32);
            body.sample(&discretization(dimensions), WallSampling::Layers, volume, &mut particles);
            let count = particles.len();
            assert!(count > 0 && count as u64 <= body.particle_count(&discretization(dimensions)), "{body:?} {count}");
            assert!([particles.volumes.len(), particles.velocities.len(), particles.pressures.len()] == [count; 3]);
            for (index, &position) in particles.positions.iter().enumerate() {
                let depth = -body.support(dimensions, position).distance;
                assert!((0.0..4.0 * SPACING).contains(&depth), "{position} is {depth} m deep in {body:?}");
                let close = particles.positions[..index].iter().any(|other| other.distance(position) < 0.5 * SPACING);
                assert!(!close, "{position} twice");
            }
            // A shell three layers thick, by area or volume of the box or ellipsoid and of the hollow.
            let half = body.half_extent();
            let shape = |half: Vec3| match (&body.shape, dimensions) {
                (BlockShape::Box, Dimensions::Two) => 4.0 * half.x * half.y,
                (BlockShape::Box, Dimensions::Three) => 8.0 * half.element_product(),
                (BlockShape::Ellipsoid, Dimensions::Two) => PI * half.x * half.y,
                (BlockShape::Ellipsoid, Dimensions::Three) => 4.0 / 3.0 * PI * half.element_product(),
                (BlockShape::Solid(_), _) => unreachable!("its layers are tested with the geometry"),
            };
            let expected = shape(half) - shape(half - 3.0 * SPACING);
            let total: f32 = particles.volumes.iter().sum();
            // The shell of an ellipsoid on a lattice is up to half a layer thicker, on both sides.
            let slack = if body.shape == BlockShape::Ellipsoid && dimensions == Dimensions::Three { 0.15 } else { 1e-3 };
            assert!((total / expected - 1.0).abs() < slack, "{body:?} {dimensions:?}: {total} of {expected}");
        }
    }

    #[test]
    fn rings_are_even() {
        let points = ring([1.0, 0.6], SPACING);
        let gaps = (0..points.len()).map(|index| points[index].distance(points[(index + 1) % points.len()]));
        let (least, most) = gaps.fold((f32::INFINITY, 0.0f32), |(least, most), gap| (least.min(gap), most.max(gap)));
        assert!(least > 0.97 * SPACING && most < 1.03 * SPACING, "{least} to {most}");
    }

    #[test]
    fn confined_particles_stay_outside() {
        let own = Vec3::new(0.3, -0.2, 0.0);
        for (body, dimensions) in each() {
            let (clearance, dt, mut stopped) = (0.01, 0.5, 0);
            for n in 0..5000u16 {
                let random = |factor: f32| 2.0 * (f32::from(n) * factor).fract() - 1.0;
                let depth = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
                let position = 2.0 * Vec3::new(random(0.819_172_5), random(0.671_043_6), depth * random(0.549_700_5));
                let velocity = 5.0 * Vec3::new(random(0.754_877_7), random(0.569_840_3), depth * random(0.430_159_7));
                let before = body.support(dimensions, position).distance;
                if before <= clearance {
                    continue;
                }
                let confined = body.confine(dimensions, clearance, dt, (position, own), velocity);
                // Along the whole path, relative to the body.
                let nearest = (0..=50u16).map(|share| position + f32::from(share) / 50.0 * dt * (confined - own));
                let least = nearest.map(|at| body.support(dimensions, at).distance).fold(f32::INFINITY, f32::min);
                assert!(least > 0.9 * clearance, "{body:?}: {position} with {velocity}, then {confined}, comes to {least}");
                if !body.is_hit(dimensions, clearance, position, dt * (velocity - own)) {
                    assert_eq!(confined, velocity);
                }
                stopped += usize::from(confined != velocity);
            }
            assert!(stopped > 100, "{stopped} of 5000 would have got into {body:?}");
        }
    }

    #[test]
    fn boxes_that_touch_do_not_overlap() {
        let solid = body(BlockShape::Box);
        let round = body(BlockShape::Ellipsoid);
        let overlaps = |body: &Body, min: [f32; 2], max: [f32; 2]| {
            let at = |[x, y]: [f32; 2]| Vec3::new(x, y, 0.0);
            body.overlaps_box(Dimensions::Two, at(min), at(max), 1e-4)
        };
        assert!(!overlaps(&solid, [1.0, -1.0], [2.0, 1.0]) && overlaps(&solid, [0.99, -1.0], [2.0, 1.0]));
        // The ellipse leaves the corners of its box free.
        assert!(overlaps(&solid, [0.9, 0.5], [2.0, 1.0]) && !overlaps(&round, [0.9, 0.5], [2.0, 1.0]));
        assert!(overlaps(&round, [0.6, 0.4], [2.0, 1.0]) && overlaps(&round, [-2.0, -2.0], [2.0, 2.0]));
    }

    /// Without a walk through its inside, which would take hours for the largest body that has few enough particles.
    #[test]
    fn a_large_box_is_sampled_as_fast_as_its_shell_is_large() {
        let half = Vec3::new(2e4, 2e4, 0.0);
        let body = Body { min: -half, max: half, ..Body::default() };
        let discretization = discretization(Dimensions::Two);
        assert_eq!(body.particles(&discretization).len() as u64, body.particle_count(&discretization));
    }
}
