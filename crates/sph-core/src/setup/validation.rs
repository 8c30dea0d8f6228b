//! Validation of a setup.

use super::block::{BlockShape, FluidBlock};
use super::error::{MotionObstacle, Rigid, SetupError};
use super::{MAX_PARTICLES, MAX_SPEED, Setup};
use crate::boundary::OpeningError;
use crate::boundary::{Body, Container, Dynamics, Face, Faces, Motion};
use crate::parameters::{Dimensions, Slip, WallSampling};
use glam::{DMat3, DVec2, Vec3};

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
        if let Some(force) = self.external_forces.iter().position(|force| !force.is_valid(self.discretization.dimensions)) {
            return Err(SetupError::ExternalForce { force });
        }
        let is_free: Vec<bool> = self.bodies.iter().map(|body| body.dynamics.is_some()).collect();
        for (joint, of) in self.joints.iter().enumerate() {
            of.validate(&is_free).map_err(|error| SetupError::Joint { joint, error })?;
        }
        self.validate_openings()?;
        if self.blocks.is_empty() && self.openings.emitters.is_empty() {
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
