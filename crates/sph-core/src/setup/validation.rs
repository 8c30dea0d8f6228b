//! Validation of a setup, of its solids of any shape, and of its fluids.

use super::block::{BlockShape, Filling, FluidBlock, InitialPressure};
use super::error::{MotionObstacle, Rigid, SetupError};
use super::sampling::is_inside;
use super::{MAX_PARTICLES, MAX_SPEED, Setup};
use crate::boundary::{Body, Container, Dynamics, Face, Faces, Motion, OpeningError};
use crate::parameters::{Dimensions, Fluid, MAX_DENSITY_RATIO, MAX_FLUIDS, REST_DENSITIES, Slip, WallSampling};
use crate::passes::sweep;
use crate::space::geometry::{Solid, centred_cells};
use glam::{DMat3, DVec2, DVec3, I64Vec3, Vec3};

/// Largest relative strain of a block's lattice along an axis, made to fit a whole number of particles. Particles keep their
/// mass, so the strain is an initial error in density.
const MAX_STRAIN: f32 = 0.06;

impl Setup {
    /// Checks the setup before the first step.
    ///
    /// # Errors
    /// The first error that makes a simulation impossible or meaningless.
    pub fn validate(&self) -> Result<(), SetupError> {
        self.discretization.validate()?;
        self.parameters.validate(&self.discretization)?;
        self.validate_curves()?;
        self.domain.validate(&self.discretization)?;
        self.validate_fluids()?;
        for (index, container) in self.containers.iter().enumerate() {
            self.validate_container(index, container)?;
        }
        for (index, body) in self.bodies.iter().enumerate() {
            self.validate_body(index, body)?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.validate_block(index, block)?;
        }
        for (set, particles) in self.particle_sets.iter().enumerate() {
            self.validate_particle_set(particles).map_err(|error| SetupError::Particles { set, error })?;
        }
        if let Some(force) = self.external_forces.iter().position(|force| !force.is_valid(self.discretization.dimensions)) {
            return Err(SetupError::ExternalForce { force });
        }
        let is_free: Vec<bool> = self.bodies.iter().map(|body| body.dynamics.is_some()).collect();
        for (joint, of) in self.joints.iter().enumerate() {
            of.validate(&is_free).map_err(|error| SetupError::Joint { joint, error })?;
        }
        self.validate_openings()?;
        if self.points.is_some() && self.discretization.dimensions == Dimensions::Two {
            return Err(SetupError::PlanarPoints);
        }
        if !self.has_fluid() && self.points.is_none() {
            return Err(SetupError::NoFluid);
        }
        let count = self.particle_counts().total();
        if count > MAX_PARTICLES {
            return Err(SetupError::TooManyParticles { count, limit: MAX_PARTICLES });
        }
        self.validate_solids()
    }

    fn validate_openings(&self) -> Result<(), SetupError> {
        for (emitter, opening) in self.openings.emitters.iter().enumerate() {
            let result = opening.validate(&self.discretization);
            let result = result.and_then(|()| {
                if opening.fluid >= self.fluids.len().max(1) {
                    Err(OpeningError::Fluid)
                } else if opening.top_speed(&self.discretization) > MAX_SPEED {
                    Err(OpeningError::Rate)
                } else {
                    Ok(())
                }
            });
            result.map_err(|error| SetupError::Emitter { emitter, error })?;
        }
        for (drain, opening) in self.openings.drains.iter().enumerate() {
            let result = opening.validate(&self.discretization);
            let is_slow = opening.velocity.is_none_or(|velocity| velocity.length() <= MAX_SPEED);
            let result = result.and(if is_slow { Ok(()) } else { Err(OpeningError::Velocity) });
            result.map_err(|error| SetupError::Drain { drain, error })?;
        }
        Ok(())
    }

    fn validate_container(&self, index: usize, container: &Container) -> Result<(), SetupError> {
        let least = 2.0 * self.discretization.support_radius;
        for (axis, extent) in self.extents(container.min, container.max) {
            if !(extent >= least && extent.is_finite()) {
                return Err(SetupError::SmallContainer { container: index, axis, extent, least });
            }
        }
        for face in Face::ALL {
            let velocity = container.face_velocities[face as usize];
            if !velocity.is_finite() || velocity[face as usize / 2] != 0.0 {
                return Err(SetupError::FaceVelocity { container: index, face });
            }
        }
        if container.slip == Slip::NoSlip && self.wall_sampling == WallSampling::Analytic {
            return Err(SetupError::NoSlipPlanes { container: index });
        }
        if container.region.is_some() && self.wall_sampling == WallSampling::Analytic {
            return Err(SetupError::ShapePlanes { container: index });
        }
        self.validate_motion(Rigid::Container(index), &container.motion, container.top_speed())?;
        let slack = self.slack();
        let domain = self.domain.flat(self.discretization.dimensions);
        let tilted = container.motion.pose(0.0).rotation != DMat3::IDENTITY;
        let obstacles = [
            (self.wall_sampling == WallSampling::Analytic, MotionObstacle::AnalyticWalls),
            (domain.repeats(), MotionObstacle::Periodic),
            (container.face_velocities != [Vec3::ZERO; 6], MotionObstacle::MovingFaces),
            (tilted, MotionObstacle::Tilted),
        ];
        let obstacle = obstacles.into_iter().find(|&(holds, _)| holds && (tilted || container.motion.moves()));
        if let Some((_, obstacle)) = obstacle {
            return Err(SetupError::ContainerMotion { container: index, obstacle });
        }
        let apart = |end: Vec3, face: Vec3| (end - face).abs().cmpgt(Vec3::splat(slack));
        let misfits = domain.periodic & (apart(container.min, domain.min) | apart(container.max, domain.max));
        match "xyz".char_indices().find(|&(axis, _)| misfits.test(axis)) {
            Some((_, axis)) => Err(SetupError::ContainerPeriod { container: index, axis }),
            None => Ok(()),
        }
    }

    /// In two dimensions everything turns about z.
    fn validate_motion(&self, of: Rigid, motion: &Motion, top_speed: f32) -> Result<(), SetupError> {
        if top_speed > MAX_SPEED || top_speed.is_nan() {
            return Err(SetupError::TooFast { of, speed: top_speed });
        }
        let planar = self.discretization.dimensions == Dimensions::Two;
        match motion.rotation() {
            Some(rotation) if planar && rotation.axis().truncate() != DVec2::ZERO => Err(SetupError::RotationAxis { of }),
            _ => Ok(()),
        }
    }

    fn validate_body(&self, index: usize, body: &Body) -> Result<(), SetupError> {
        let spacing = self.discretization.particle_spacing;
        for (axis, extent) in self.extents(body.min, body.max) {
            if !(extent >= 0.5 * spacing && extent.is_finite()) {
                return Err(SetupError::EmptyBody { body: index, axis, extent, spacing });
            }
        }
        if !(body.density > 0.0 && body.density.is_finite()) {
            return Err(SetupError::BodyDensity { body: index });
        }
        let is_possible = |dynamics: &Dynamics| dynamics.is_valid() && body.motion == Motion::default();
        if !body.dynamics.as_ref().is_none_or(is_possible) {
            return Err(SetupError::Dynamics { body: index });
        }
        self.validate_motion(Rigid::Body(index), &body.motion, body.top_speed())
    }

    fn validate_block(&self, index: usize, block: &FluidBlock) -> Result<(), SetupError> {
        let spacing = self.discretization.particle_spacing;
        for (axis, extent) in self.extents(block.min, block.max) {
            // Half a spacing rounds to one particle. Negated, so that NaN is refused.
            if !(extent >= 0.5 * spacing && extent.is_finite()) {
                return Err(SetupError::EmptyBlock { block: index, axis, extent, spacing });
            }
            let particles = (extent / spacing).round();
            let is_lattice = !matches!(block.shape, BlockShape::Solid(_));
            if is_lattice && (particles * spacing / extent - 1.0).abs() > MAX_STRAIN {
                return Err(SetupError::UnevenBlock { block: index, axis, extent, spacing });
            }
        }
        let slow = block.velocity.abs().cmple(Vec3::splat(MAX_SPEED)).all();
        let corners = [self.flat(block.min), self.flat(block.max)];
        let top_speed = block.field.top_speed(corners, block.water(self.parameters.gravity));
        if !slow || !block.field.is_valid() || top_speed > MAX_SPEED || top_speed.is_nan() {
            return Err(SetupError::BlockVelocity { block: index });
        }
        let domain = self.domain.flat(self.discretization.dimensions);
        if let Some(axis) = domain.exceeded_axis(block.min, block.max, self.slack()) {
            return Err(SetupError::BlockThroughFace { block: index, axis: ['x', 'y', 'z'][axis] });
        }
        let slack = Vec3::splat(self.slack());
        let (low, high) = (self.flat(block.min), self.flat(block.max));
        let contains = |container: &Container| {
            low.cmpge(self.flat(container.min) - slack).all() && high.cmple(self.flat(container.max) + slack).all()
        };
        if !self.containers.is_empty() && !self.containers.iter().any(contains) {
            return Err(SetupError::BlockOutside { block: index });
        }
        let walls = Vec3::splat(self.discretization.support_radius);
        for (container, other) in
            self.containers.iter().enumerate().filter(|(_, other)| other.region.is_none() && !contains(other))
        {
            let (outer_low, outer_high) = (self.flat(other.min) - walls, self.flat(other.max) + walls);
            let (low, high) = (low.max(outer_low), high.min(outer_high));
            let apart = self.extents(low, high).any(|(_, extent)| extent <= slack.x);
            if !apart && other.faces_within(&domain) != Faces::NONE {
                return Err(SetupError::BlockInWall { block: index, container });
            }
        }
        let dimensions = self.discretization.dimensions;
        let is_box = |shape: &BlockShape| !matches!(shape, BlockShape::Solid(_));
        let overlaps = |body: &Body| {
            let by_corners = !block.around_bodies && is_box(&block.shape) && is_box(&body.shape);
            by_corners && body.overlaps_box(dimensions, block.min, block.max, slack.x)
        };
        if let Some(body) = self.bodies.iter().position(overlaps) {
            return Err(SetupError::BlockInBody { block: index, body });
        }
        for (first, other) in self.blocks[..index].iter().enumerate() {
            if !(is_box(&block.shape) && is_box(&other.shape)) {
                continue;
            }
            let mut overlap = self.extents(block.min.max(other.min), block.max.min(other.max));
            if overlap.all(|(_, extent)| extent > 1e-3 * spacing) {
                return Err(SetupError::BlocksOverlap { first, second: index });
            }
        }
        Ok(())
    }

    /// Names of the axes and extents of a box along them, m.
    pub(super) fn extents(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = (char, f32)> {
        "xyz".chars().zip((max - min).to_array()).take(self.discretization.dimensions.count())
    }

    /// Tolerance for faces that touch, m: a thousandth of a spacing, for the rounding of decimal coordinates.
    pub(super) fn slack(&self) -> f32 {
        1e-3 * self.discretization.particle_spacing
    }
}

// Validation of blocks and bodies that are solids of any shape: by their cells, where those of boxes are checked by their corners.

impl Setup {
    /// Checks the solids among blocks and bodies, once all else is valid and the particles are not too many.
    pub(super) fn validate_solids(&self) -> Result<(), SetupError> {
        for (body, solid) in self.bodies.iter().enumerate().filter(|(_, body)| is_solid(&body.shape)) {
            if f64::from(solid.mass(self.discretization.dimensions) / solid.density) < self.particle_volume() {
                return Err(SetupError::SmallSolid { body });
            }
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.validate_walls(index, block)?;
            if let BlockShape::Solid(solid) = &block.shape {
                if solid.volume(self.discretization.dimensions) < self.particle_volume() {
                    return Err(SetupError::EmptySolid { block: index });
                }
                if block.initial_pressure == InitialPressure::Released && block.filling != Filling::Lattice {
                    return Err(SetupError::ReleasedFilling { block: index });
                }
                let [min, max] = solid.bounds();
                let cells = self.cells(min, max).0.as_dvec3().element_product();
                if cells > 10.0 * MAX_PARTICLES as f64 {
                    return Err(SetupError::SparseBlock { block: index });
                }
            }
            for (body, other) in self.bodies.iter().enumerate().filter(|_| !block.around_bodies) {
                let is_checked = !is_solid(&block.shape) && !is_solid(&other.shape);
                if !is_checked && self.meet(block, (other.bounds_at_start(), |at| self.is_in(other, at))) {
                    return Err(SetupError::BlockInBody { block: index, body });
                }
            }
            for (first, other) in self.blocks[..index].iter().enumerate() {
                let is_checked = !is_solid(&block.shape) && !is_solid(&other.shape);
                let is_inside = |at| is_inside(&other.shape, at, self.flat(other.min), self.flat(other.max));
                if !is_checked && self.meet(block, ((other.min, other.max), is_inside)) {
                    return Err(SetupError::BlocksOverlap { first, second: index });
                }
            }
        }
        Ok(())
    }

    /// Checks that a block is in no wall of a container that is not a box, and that if there are only such containers it is in one.
    fn validate_walls(&self, index: usize, block: &FluidBlock) -> Result<(), SetupError> {
        let slack = self.slack();
        let in_box = |container: &Container| {
            let low = self.flat(block.min).cmpge(self.flat(container.min) - slack).all();
            container.region.is_none() && low && self.flat(block.max).cmple(self.flat(container.max) + slack).all()
        };
        let regions = || self.containers.iter().enumerate().filter_map(|(at, other)| Some((at, other.region.as_ref()?)));
        let everywhere = (block.min, block.max);
        let in_region = |region: &Solid| !self.meet(block, (everywhere, |at| region.signed_distance(at) > slack));
        let is_free = self.containers.is_empty() || self.containers.iter().any(in_box);
        if !is_free && !regions().any(|(_, region)| in_region(region)) {
            return Err(SetupError::BlockOutside { block: index });
        }
        let wall = self.discretization.support_radius;
        let in_wall = |region: &Solid| self.meet(block, (everywhere, |at| (slack..wall).contains(&region.signed_distance(at))));
        match regions().find(|(_, region)| in_wall(region)) {
            Some((container, _)) => Err(SetupError::BlockInWall { block: index, container }),
            None => Ok(()),
        }
    }

    /// True if a cell's centre within `bounds` (m) is in the block and in the other solid.
    fn meet(&self, block: &FluidBlock, (bounds, other): ((Vec3, Vec3), impl Fn(Vec3) -> bool + Sync)) -> bool {
        let [min, max] = [block.min.max(bounds.0), block.max.min(bounds.1)].map(|corner| self.flat(corner).as_dvec3());
        let axes = self.discretization.dimensions.count();
        if (0..axes).any(|axis| max[axis] - min[axis] <= f64::from(self.slack())) {
            return false;
        }
        let (counts, corner) = self.cells(min, max);
        let spacing = f64::from(self.discretization.particle_spacing);
        let is_shared = |cell: usize| {
            let (cell, row) = (cell as i64, counts.x);
            let cell = I64Vec3::new(cell % row, cell / row % counts.y, cell / (row * counts.y));
            let at = self.flat((corner + spacing * (cell.as_dvec3() + 0.5)).as_vec3());
            let in_block = is_inside(&block.shape, at, self.flat(block.min), self.flat(block.max));
            (in_block && other(at)).then_some(())
        };
        sweep::find_first(counts.element_product() as usize, is_shared).is_some()
    }

    /// True if `at` (m) is in a body at time 0.
    fn is_in(&self, body: &Body, at: Vec3) -> bool {
        body.distance_at_start(self.discretization.dimensions, at) < -self.slack()
    }

    fn cells(&self, min: DVec3, max: DVec3) -> (I64Vec3, DVec3) {
        centred_cells(min, max, self.discretization.particle_spacing.into(), self.discretization.dimensions)
    }

    /// Volume of a particle, m³ (m² in two dimensions).
    fn particle_volume(&self) -> f64 {
        f64::from(self.discretization.particle_spacing).powi(self.discretization.dimensions.count() as i32)
    }
}

fn is_solid(shape: &BlockShape) -> bool {
    matches!(shape, BlockShape::Solid(_))
}

// Fluids of a setup with more than one: their reference, and their validation.

impl Setup {
    /// Returns the setup with these fluids, of which blocks name theirs by index. The densest becomes the reference: the rest
    /// density of the discretisation is its, and the speed of sound is meant for it.
    #[must_use]
    pub fn with_fluids(mut self, fluids: Vec<Fluid>) -> Self {
        if let Some(densest) = fluids.iter().map(|fluid| fluid.rest_density).reduce(f32::max) {
            self.discretization.rest_density = densest;
        }
        self.fluids = fluids;
        self
    }

    /// Checks the fluids, and that every block names one of them; and the interfaces in blocks.
    pub(super) fn validate_fluids(&self) -> Result<(), SetupError> {
        let within = |value: Option<f32>, most: f32| value.is_none_or(|value| (0.0..=most).contains(&value));
        let [lightest, densest] = REST_DENSITIES.map(|density| density as f32);
        for (index, fluid) in self.fluids.iter().enumerate() {
            if !((lightest..=densest).contains(&fluid.rest_density)
                && within(fluid.kinematic_viscosity, 1e6)
                && within(fluid.surface_tension, 1e3))
            {
                return Err(SetupError::Fluid { fluid: index });
            }
        }
        if self.fluids.len() > MAX_FLUIDS {
            return Err(SetupError::TooManyFluids { count: self.fluids.len(), limit: MAX_FLUIDS });
        }
        let densities = || self.fluids.iter().map(|fluid| fluid.rest_density);
        if let (Some(lightest), Some(densest)) = (densities().reduce(f32::min), densities().reduce(f32::max)) {
            // Rounding of decimal densities is no excess.
            if densest > (1.0 + 4.0 * f32::EPSILON) * MAX_DENSITY_RATIO * lightest {
                return Err(SetupError::DensityRatio { ratio: densest / lightest, limit: MAX_DENSITY_RATIO });
            }
            if self.discretization.rest_density != densest {
                return Err(SetupError::ReferenceDensity { found: self.discretization.rest_density, expected: densest });
            }
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let below = block.interface.map(|interface| interface.below);
            if let Some(fluid) = below.into_iter().chain([block.fluid]).find(|&fluid| fluid >= self.fluids.len().max(1)) {
                return Err(SetupError::UnknownFluid { block: index, fluid });
            }
            if block.interface.is_some_and(|interface| !interface.is_valid()) {
                return Err(SetupError::Interface { block: index });
            }
        }
        Ok(())
    }

    /// Rest density of the fluid of a block or particle, kg/m³.
    pub fn rest_density(&self, fluid: usize) -> f32 {
        self.fluids.get(fluid).map_or(self.discretization.rest_density, |fluid| fluid.rest_density)
    }
}
