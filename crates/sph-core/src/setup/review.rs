//! Review of a valid setup: what can be simulated, but is likely not meant.

use std::fmt;
use std::ops::RangeInclusive;

use super::{BlockShape, Rigid, Setup};
use crate::boundary::{Body, Container, Face, Joint, JointKind};
use crate::parameters::{Method, WallSampling};
use crate::point_sets::LEAST_WIDTH;
use crate::solver::{StepBound, TimeStepLimit};
use glam::{UVec3, Vec3};

/// A remark on a valid setup.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// The spacing does not divide a block.
    UnevenBlock {
        /// Index of the block.
        block: usize,
        /// Axis, extent along it (m), and particles in a row, for each axis that the spacing does not divide.
        rows: Vec<(char, f32, u32)>,
        /// Spacing of the particles, m.
        spacing: f32,
        /// Initial density over rest density, less 1.
        compression: f32,
    },
    /// The spacing does not divide a container.
    UnevenContainer {
        /// Index of the container.
        container: usize,
        /// Axis.
        axis: char,
        /// Extent along the axis, m.
        extent: f32,
        /// Spacing of the particles, m.
        spacing: f32,
        /// Spacing of the container's wall particles along the axis, m.
        of_walls: f32,
    },
    /// A block is one particle thick.
    ThinBlock {
        /// Index of the block.
        block: usize,
        /// Axis.
        axis: char,
    },
    /// The particles of a set are not a spacing apart.
    ParticleSpacing {
        /// Index of the set.
        set: usize,
        /// Median distance of the nearest neighbours, m; no more than two and a half spacings.
        found: f32,
        /// Spacing of the particles, m.
        spacing: f32,
    },
    /// Particles of a set are in a body.
    ParticlesInBody {
        /// Index of the set.
        set: usize,
        /// Index of the body.
        body: usize,
        /// Number of the particles.
        count: usize,
    },
    /// A body is thinner than a particle.
    ThinBody {
        /// Index of the body.
        body: usize,
        /// Axis.
        axis: char,
        /// Extent along the axis, m.
        extent: f32,
        /// Spacing of the particles, m.
        spacing: f32,
    },
    /// Two bodies overlap at the start.
    BodiesOverlap {
        /// Index of the first body.
        first: usize,
        /// Index of the second body.
        second: usize,
    },
    /// A body overlaps a wall at the start.
    BodyInWall {
        /// Index of the body.
        body: usize,
        /// Index of the container.
        container: usize,
    },
    /// The walls of two containers stand inside each other.
    ContainersOverlap {
        /// Index of the first container.
        first: usize,
        /// Index of the second container.
        second: usize,
    },
    /// A body is outside every container.
    BodyOutside {
        /// Index of the body.
        body: usize,
    },
    /// The opening of an emitter is outside every container.
    EmitterOutside {
        /// Index of the emitter.
        emitter: usize,
    },
    /// A body that moves by forces is lighter or heavier than coupling with the fluid is known to bear.
    UnusualDensity {
        /// Index of the body.
        body: usize,
        /// Its density over the lightest fluid's if it is lighter than that, else over the heaviest fluid's.
        ratio: f32,
    },
    /// Balls are so small that the fluid flows through them.
    SmallBalls {
        /// Name of their set.
        set: String,
        /// Their number.
        count: usize,
        /// Number of all balls of the set.
        all: usize,
        /// Spacing of the particles, m.
        spacing: f32,
    },
    /// Balls start in a block of fluid that does not leave them out.
    BallsInFluid {
        /// Name of their set.
        set: String,
        /// Index of the block.
        block: usize,
        /// Their number.
        count: usize,
    },
    /// A joint is not as it should be at the start, and pulls.
    StrainedJoint {
        /// Index of the joint.
        joint: usize,
        /// Distance (m) of the ends of a rope; `None` for limits that exclude the start.
        distance: Option<f32>,
    },
    /// The fluid is too fast for the speed of sound.
    FastFluid {
        /// Highest initial speed, m/s.
        speed: f32,
        /// Speed of sound c₀, m/s.
        sound_speed: f32,
    },
    /// The fluid is going to be too fast for the speed of sound.
    SoftFluid {
        /// Speed to expect, m/s.
        speed: f32,
        /// Speed of sound c₀, m/s.
        sound_speed: f32,
    },
    /// The fixed time step is longer than a limit allows.
    LongStep {
        /// Fixed time step, s.
        dt: f32,
        /// The limit, and the longest step that it allows.
        allowed: StepBound,
    },
    /// A solid is too fast for the speed of sound.
    FastSolid {
        /// The solid.
        of: Rigid,
        /// Its highest speed at any time, m/s.
        speed: f32,
        /// Speed of sound c₀, m/s.
        sound_speed: f32,
    },
}

impl Setup {
    /// Remarks on a valid setup: spacings that do not divide extents, shapes thinner than a particle, solids that overlap or are outside
    /// the containers, bodies and joints that pull too hard, and speeds that are too high for the speed of sound.
    pub fn review(&self) -> Vec<Remark> {
        self.uneven_blocks()
            .chain(self.uneven_containers())
            .chain(self.thin_shapes())
            .chain(self.unusual_particle_sets())
            .chain(self.overlapping_solids())
            .chain(self.outsiders())
            .chain(self.unusual_densities())
            .chain(self.unmet_balls())
            .chain(self.strained_joints())
            .chain(self.fast_motions())
            .chain(self.long_step())
            .collect()
    }
}

impl Remark {
    /// True for remarks on the motion as a whole, which are worth saying before a run: speeds and steps with which it is likely to fail.
    pub fn is_of_motion(&self) -> bool {
        matches!(self, Self::FastFluid { .. } | Self::SoftFluid { .. } | Self::LongStep { .. } | Self::ParticleSpacing { .. })
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnevenBlock { block, rows, spacing, compression } => {
                write!(f, "fluid block {block}: the spacing of {spacing} m does not divide it: ")?;
                for (axis, extent, count) in rows {
                    let fitted = rounded(extent / *count as f32);
                    write!(f, "{count} particles {fitted} m apart along {axis}, ")?;
                }
                let (percent, more) = (100.0 * compression.abs(), if *compression < 0.0 { "less dense" } else { "denser" });
                write!(f, "so that it starts {percent:.1} % {more}")
            }
            Self::UnevenContainer { container, axis, extent, spacing, of_walls } => {
                let of_walls = rounded(*of_walls);
                write!(f, "container {container}: the spacing of {spacing} m does not divide its {extent} m along {axis}: ")?;
                write!(f, "its wall particles are {of_walls} m apart, those of the fluid are not, so fluid at rest ")?;
                write!(f, "rearranges itself")
            }
            Self::ThinBlock { block, axis } => {
                write!(f, "fluid block {block} is a single particle thick along {axis}")
            }
            Self::ParticleSpacing { set, found, spacing } => {
                let (found, denser) = (rounded(*found), if found < spacing { "much denser" } else { "much less dense" });
                write!(f, "particle file {set}: its particles are about {found} m apart, those of the scene {spacing} m: ")?;
                write!(f, "the fluid starts {denser} than at rest: is `particles.spacing` that of the file?")
            }
            Self::ParticlesInBody { set, body, count } => {
                write!(f, "particle file {set}: {count} of its particles are in body {body}, which pushes them out")
            }
            Self::ThinBody { body, axis, extent, spacing } => {
                write!(
                    f,
                    "body {body} is {extent} m thick along {axis}, less than a particle ({spacing} m): the fluid on one "
                )?;
                write!(f, "side feels that on the other")
            }
            Self::BodiesOverlap { first, second } => {
                write!(f, "bodies {first} and {second} overlap at the start: both have boundary particles there, which ")?;
                write!(f, "count twice in the fluid's density")
            }
            Self::BodyInWall { body, container } => {
                write!(f, "body {body} reaches into a wall of container {container} at the start: both have boundary ")?;
                write!(f, "particles there, which count twice in the fluid's density")
            }
            Self::ContainersOverlap { first, second } => {
                write!(f, "containers {first} and {second} overlap: walls of one lie inside the other or in its walls")
            }
            Self::BodyOutside { body } => write!(f, "body {body} is outside every container: no fluid reaches it"),
            Self::EmitterOutside { emitter } => {
                write!(f, "the opening of emitter {emitter} is outside every container: its fluid appears beyond the walls")
            }
            Self::UnusualDensity { body, ratio } => {
                let (ratio, bound) = (rounded(*ratio), if *ratio < 1.0 { "at least 0.1" } else { "at most 10" });
                write!(
                    f,
                    "body {body} has {ratio} times the density of the fluid: only bodies of {bound} times are known to be stable"
                )
            }
            Self::SmallBalls { set, count, all, spacing } => {
                let width = rounded(LEAST_WIDTH * spacing);
                let are = if *all == 1 { "ball is" } else { "balls are" };
                write!(f, "{set}: {count} of {all} {are} less than two particle spacings ({width} m) wide: fluid flows ")?;
                write!(f, "through without moving anything")
            }
            Self::BallsInFluid { set, block, count } => {
                let throws = if *count == 1 { "ball starts" } else { "balls start" };
                write!(f, "{set}: {count} {throws} in fluid block {block}, and the fluid inside is thrown out; ")?;
                write!(f, "with `around_bodies = true` the block has no fluid there")
            }
            Self::StrainedJoint { joint, distance: Some(distance) } => {
                write!(f, "joint {joint}: its ends are {} m apart at the start, more than its length", rounded(*distance))
            }
            Self::StrainedJoint { joint, distance: None } => {
                write!(f, "joint {joint}: its limits exclude 0, its initial value")
            }
            Self::FastFluid { speed, sound_speed } => {
                write!(f, "the fluid starts at up to {} m/s, ", rounded(*speed))?;
                too_fast(f, *speed, *sound_speed)
            }
            Self::SoftFluid { speed, sound_speed } => {
                write!(f, "the fluid is going to reach about {} m/s, ", rounded(*speed))?;
                too_fast(f, *speed, *sound_speed)
            }
            Self::LongStep { dt, allowed: StepBound { limit, dt: allowed } } => {
                let (dt, allowed, limit) = (rounded(*dt), rounded(*allowed), limit.label());
                write!(
                    f,
                    "the fixed time step of {dt} s is longer than the {allowed} s that the {limit} allows: the fluid may "
                )?;
                write!(f, "fly apart; without `time_step.fixed_dt` steps follow the limits")
            }
            Self::FastSolid { of, speed, sound_speed } => {
                write!(f, "{of} moves at up to {} m/s, ", rounded(*speed))?;
                too_fast(f, *speed, *sound_speed)
            }
        }
    }
}

fn too_fast(f: &mut fmt::Formatter<'_>, speed: f32, sound_speed: f32) -> fmt::Result {
    let (ratio, sound_speed, enough) = (rounded(speed / sound_speed), rounded(sound_speed), rounded(10.0 * speed));
    write!(
        f,
        "{ratio} times the speed of sound ({sound_speed} m/s): impacts would compress the fluid by the square of that; "
    )?;
    write!(f, "`fluid.sound_speed = {enough}` keeps it near 1 %")
}

/// Value with three significant digits.
fn rounded(value: f32) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value.into())
}

// Extents that the spacing does not divide, and those of less than a particle.

/// Largest relative difference in spacing that goes without a remark.
const TOLERANCE: f32 = 5e-3;

/// Median distances of nearest neighbours that go without a remark, in spacings: from 0.8 in moving fluid to 1.12 in the densest packing.
const USUAL_GAPS: RangeInclusive<f64> = 0.7..=1.3;

impl Setup {
    /// Blocks on a lattice that is strained to fit them.
    fn uneven_blocks(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        self.blocks.iter().enumerate().filter_map(move |(block, of)| {
            if matches!(of.shape, BlockShape::Solid(_)) {
                return None;
            }
            let rows = self.extents(of.min, of.max).map(|(axis, extent)| (axis, extent, self.row(extent)));
            let (mut compression, mut uneven) = (1.0, Vec::new());
            for (axis, extent, count) in rows {
                let strain = count as f32 * spacing / extent;
                compression *= strain;
                if (strain - 1.0).abs() > TOLERANCE {
                    uneven.push((axis, extent, count));
                }
            }
            let compression = compression - 1.0;
            (!uneven.is_empty()).then_some(Remark::UnevenBlock { block, rows: uneven, spacing, compression })
        })
    }

    /// Containers whose wall particles are not a spacing apart.
    fn uneven_containers(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        let boxes = self.containers.iter().enumerate().filter(|(_, container)| container.region.is_none());
        boxes.filter(|_| self.wall_sampling != WallSampling::Analytic).flat_map(move |(container, of)| {
            self.extents(of.min, of.max).filter_map(move |(axis, extent)| {
                let of_walls = extent / self.row(extent) as f32;
                let remark = Remark::UnevenContainer { container, axis, extent, spacing, of_walls };
                ((of_walls / spacing - 1.0).abs() > TOLERANCE).then_some(remark)
            })
        })
    }

    /// Blocks and bodies of the thickness of a particle and less.
    fn thin_shapes(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        let blocks = self.blocks.iter().enumerate().flat_map(move |(block, of)| {
            let thin = self.extents(of.min, of.max).filter(move |&(_, extent)| self.row(extent) == 1);
            thin.map(move |(axis, _)| Remark::ThinBlock { block, axis })
        });
        let bodies = self.bodies.iter().enumerate().flat_map(move |(body, of)| {
            let thin = self.extents(of.min, of.max).filter(move |&(_, extent)| extent < spacing - self.slack());
            thin.map(move |(axis, extent)| Remark::ThinBody { body, axis, extent, spacing })
        });
        blocks.chain(bodies)
    }

    /// Sets of particles that are closer or farther apart than the spacing, and those with particles in bodies.
    fn unusual_particle_sets(&self) -> impl Iterator<Item = Remark> {
        let spacing = self.discretization.particle_spacing;
        self.particle_sets.iter().enumerate().flat_map(move |(set, of)| {
            let found = of.relative_spacing(self, spacing).filter(|ratio| !USUAL_GAPS.contains(ratio));
            let gaps = found.map(|ratio| Remark::ParticleSpacing { set, found: ratio as f32 * spacing, spacing });
            let in_bodies = self.bodies.iter().enumerate().filter_map(move |(body, solid)| {
                let count = of.positions().iter().filter(|&&at| self.depth_in(solid, at) > self.depth()).count();
                (count > 0).then_some(Remark::ParticlesInBody { set, body, count })
            });
            gaps.into_iter().chain(in_bodies)
        })
    }

    /// Particles in a row of this length, m.
    fn row(&self, extent: f32) -> u32 {
        ((extent / self.discretization.particle_spacing).round() as u32).max(1)
    }
}

// Solids that overlap at the start, where their boundary particles count twice.

/// Overlap that is remarked on, spacings: less is hardly more than touching.
const DEPTH: f32 = 0.25;

/// Most points along an axis at which an overlap is looked for.
const MAX_POINTS: f32 = 32.0;

impl Setup {
    /// Pairs of bodies, of bodies and walls, and of containers that overlap.
    fn overlapping_solids(&self) -> impl Iterator<Item = Remark> {
        let bodies = self.bodies.iter().enumerate().flat_map(move |(second, body)| {
            let others = self.bodies[..second].iter().enumerate();
            others
                .filter(move |(_, other)| self.bodies_overlap(body, other))
                .map(move |(first, _)| Remark::BodiesOverlap { first, second })
        });
        let walls = self.bodies.iter().enumerate().flat_map(move |(body, of)| {
            let containers = self.containers.iter().enumerate();
            containers
                .filter(move |(_, container)| self.is_in_wall(of, container))
                .map(move |(container, _)| Remark::BodyInWall { body, container })
        });
        let containers = self.containers.iter().enumerate().flat_map(move |(second, container)| {
            let others = self.containers[..second].iter().enumerate();
            others
                .filter(move |(_, other)| self.containers_overlap(container, other))
                .map(move |(first, _)| Remark::ContainersOverlap { first, second })
        });
        bodies.chain(walls).chain(containers)
    }

    fn bodies_overlap(&self, body: &Body, other: &Body) -> bool {
        let ((min, max), (other_min, other_max)) = (body.bounds_at_start(), other.bounds_at_start());
        let least = 0.5 * self.depth();
        self.any_point(min.max(other_min), max.min(other_max), |at| {
            self.depth_in(body, at) > least && self.depth_in(other, at) > least
        })
    }

    fn is_in_wall(&self, body: &Body, container: &Container) -> bool {
        let (min, max) = body.bounds_at_start();
        let wall = self.depth()..self.discretization.support_radius;
        if let Some(region) = &container.region {
            return self.any_point(min, max, |at| self.depth_in(body, at) > 0.0 && wall.contains(&region.signed_distance(at)));
        }
        let faces = container.faces_within(&self.domain.flat(self.discretization.dimensions));
        let axes = self.discretization.dimensions.count();
        Face::ALL.into_iter().take(2 * axes).filter(|&face| faces.contains(face)).any(|face| {
            let (axis, is_high) = (face as usize / 2, face as usize % 2 == 1);
            let (mut low, mut high) = (container.min, container.max);
            let (near, far) = (wall.start, wall.end);
            (low[axis], high[axis]) = match is_high {
                true => (container.max[axis] + near, container.max[axis] + far),
                false => (container.min[axis] - far, container.min[axis] - near),
            };
            self.any_point(min.max(low), max.min(high), |at| self.depth_in(body, at) > 0.0)
        })
    }

    /// True if the boxes overlap, unless one has room for the other with its walls.
    fn containers_overlap(&self, one: &Container, other: &Container) -> bool {
        let walls = self.discretization.support_radius;
        let periodic = self.domain.flat(self.discretization.dimensions).periodic;
        let axes = || (0..self.discretization.dimensions.count()).filter(move |&axis| !periodic.test(axis));
        let has_room = |outer: &Container, inner: &Container| {
            axes().all(|axis| outer.min[axis] + walls <= inner.min[axis] && inner.max[axis] + walls <= outer.max[axis])
        };
        let shared = |axis: usize| one.max[axis].min(other.max[axis]) - one.min[axis].max(other.min[axis]);
        axes().all(|axis| shared(axis) > self.depth()) && !has_room(one, other) && !has_room(other, one)
    }

    /// Overlap that is remarked on, m.
    fn depth(&self) -> f32 {
        DEPTH * self.discretization.particle_spacing
    }

    /// Depth of a point (m) below the surface of a body at time 0, m; negative outside.
    fn depth_in(&self, body: &Body, at: Vec3) -> f32 {
        -body.distance_at_start(self.discretization.dimensions, at)
    }

    /// True if the condition holds at any of the centres of a grid of cells in a box, m, a spacing wide or a fraction of the box.
    fn any_point(&self, min: Vec3, max: Vec3, holds: impl Fn(Vec3) -> bool) -> bool {
        let (min, max) = (self.flat(min), self.flat(max));
        let extent = max - min;
        if extent.to_array().into_iter().take(self.discretization.dimensions.count()).any(|extent| extent <= 0.0) {
            return false;
        }
        let cells = (extent / (0.5 * self.discretization.particle_spacing)).ceil().clamp(Vec3::ONE, Vec3::splat(MAX_POINTS));
        let counts: UVec3 = cells.as_uvec3();
        (0..counts.z)
            .flat_map(|z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| UVec3::new(x, y, z))))
            .any(|cell| holds(min + extent * (cell.as_vec3() + 0.5) / cells))
    }
}

// Bodies and emitters outside every container.

impl Setup {
    /// Bodies that reach into no container, and emitters whose opening has its middle in none; nothing in scenes without containers.
    fn outsiders(&self) -> impl Iterator<Item = Remark> {
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

// Speeds beyond what weakly compressible fluid bears.

/// Highest speed over the speed of sound without a remark: an impact compresses the fluid by up to 6 %, the square.
const MAX_MACH: f32 = 0.25;

impl Setup {
    /// Fluid and solids whose speed comes near the speed of sound, with WCSPH.
    fn fast_motions(&self) -> impl Iterator<Item = Remark> {
        let sound_speed = self.parameters.fluid.sound_speed;
        let has_sound = self.parameters.solver.method == Method::Wcsph;
        let is_fast = move |speed: f32| has_sound && speed > MAX_MACH * sound_speed;
        let speed = self.initial_speed();
        let lasting = self.lasting_speed();
        let fluid = if is_fast(speed) {
            Some(Remark::FastFluid { speed, sound_speed })
        } else {
            is_fast(lasting).then_some(Remark::SoftFluid { speed: lasting, sound_speed })
        };
        let containers =
            self.containers.iter().enumerate().map(|(index, container)| (Rigid::Container(index), container.top_speed()));
        let bodies = self.bodies.iter().enumerate().map(|(index, body)| (Rigid::Body(index), body.top_speed()));
        let fast = containers.chain(bodies).filter(move |&(_, speed)| is_fast(speed));
        fluid.into_iter().chain(fast.map(move |(of, speed)| Remark::FastSolid { of, speed, sound_speed }))
    }
}

/// Fixed time step over the longest that a limit allows, without a remark: the speed is an estimate.
const MAX_EXCESS: f32 = 1.2;

impl Setup {
    /// A fixed time step that is longer than the limits allow.
    fn long_step(&self) -> Option<Remark> {
        let dt = self.parameters.time_step.fixed_dt?;
        let mut free = self.parameters;
        (free.time_step.fixed_dt, free.time_step.min_dt, free.solver.wcsph.acoustic_steps) = (None, 0.0, 1);
        let allowed = self.step_to_expect(&free, self.lasting_speed());
        let is_long = allowed.limit != TimeStepLimit::Maximum && dt > MAX_EXCESS * allowed.dt;
        is_long.then_some(Remark::LongStep { dt, allowed })
    }
}

// Bodies that move by forces, and joints, that pull harder than is likely meant.

/// Densities of bodies over the fluid's for which the coupling is tested (`tests/integration/bodies.rs`), with room for rounding.
const TESTED_RATIOS: RangeInclusive<f32> = 0.099..=10.1;

/// Part of the length of a rope by which its ends may be farther apart at the start.
const SLACK: f32 = 1e-3;

impl Setup {
    /// Bodies that move by forces with densities beyond those that are tested.
    fn unusual_densities(&self) -> impl Iterator<Item = Remark> {
        let rest = self.discretization.rest_density;
        let densities = || self.fluids.iter().map(|fluid| fluid.rest_density);
        let [lightest, heaviest] = [densities().fold(f32::INFINITY, f32::min), densities().fold(0.0, f32::max)];
        let [lightest, heaviest] = if self.fluids.is_empty() { [rest; 2] } else { [lightest, heaviest] };
        let free = self.bodies.iter().enumerate().filter(|(_, body)| body.dynamics.is_some());
        free.filter_map(move |(body, of)| {
            let ratio = if of.density < lightest { of.density / lightest } else { (of.density / heaviest).max(1.0) };
            (!TESTED_RATIOS.contains(&ratio)).then_some(Remark::UnusualDensity { body, ratio })
        })
    }

    /// Ropes shorter than the distance of their ends, and limits that exclude the start.
    fn strained_joints(&self) -> impl Iterator<Item = Remark> {
        self.joints.iter().enumerate().filter_map(|(joint, of)| {
            let Joint { kind, anchor, to_anchor, length, limits, .. } = *of;
            let distance = anchor.distance(to_anchor);
            if kind == JointKind::Rope && distance > (1.0 + SLACK) * length {
                return Some(Remark::StrainedJoint { joint, distance: Some(distance) });
            }
            let excluded = limits.is_some_and(|[least, greatest]| !(least..=greatest).contains(&0.0));
            excluded.then_some(Remark::StrainedJoint { joint, distance: None })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Remark;
    use crate::boundary::{Aperture, Body, Container, Dynamics, Emitter, Joint, JointEnd, JointKind, Rate, Schedule};
    use crate::parameters::{Dimensions, Discretization};
    use crate::setup::{BlockShape, FluidBlock, Setup};
    use glam::Vec3;

    /// A pool of 10 by 5 particles of 0.1 m in a tank of 1 m by 1 m.
    fn pool() -> Setup {
        let water = FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.0));
        Setup::new(Discretization::new(Dimensions::Two, 0.1), vec![water], vec![Container::new(Vec3::ZERO, Vec3::ONE)])
    }

    fn body(min: [f32; 2], max: [f32; 2]) -> Body {
        let corner = |[x, y]: [f32; 2]| Vec3::new(x, y, 0.0);
        Body { min: corner(min), max: corner(max), ..Body::default() }
    }

    fn with_bodies(bodies: Vec<Body>) -> Vec<Remark> {
        let setup = Setup { bodies, ..pool() };
        setup.validate().unwrap();
        setup.review()
    }

    #[test]
    fn nothing_is_said_of_a_usual_setup() {
        assert_eq!(pool().review(), []);
        // Touching is no overlap.
        assert_eq!(with_bodies(vec![body([0.0, 0.5], [0.3, 0.7]), body([0.3, 0.5], [0.6, 0.7])]), []);
    }

    #[test]
    fn spacings_that_do_not_divide_are_named_with_their_effect() {
        let mut setup = pool();
        setup.blocks[0].max.x = 0.97;
        let [Remark::UnevenBlock { block: 0, rows, compression, .. }] = &setup.review()[..] else { panic!("{setup:?}") };
        assert_eq!(rows, &[('x', 0.97, 10)]);
        // Ten particles, each with the mass of 0.1 m, in 0.97 m.
        assert!((compression - (1.0 / 0.97 - 1.0)).abs() < 1e-5, "{compression}");
        let text = setup.review()[0].to_string();
        assert!(text.contains("10 particles 0.097 m apart along x, so that it starts 3.1 % denser"), "{text}");
        let mut setup = pool();
        setup.containers[0].max.y = 1.03;
        let [Remark::UnevenContainer { container: 0, axis: 'y', of_walls, .. }] = setup.review()[..] else {
            panic!("{setup:?}")
        };
        assert!((of_walls - 0.103).abs() < 1e-5);
    }

    #[test]
    fn shapes_thinner_than_a_particle_are_named() {
        let plate = with_bodies(vec![body([0.2, 0.6], [0.8, 0.66])]);
        assert!(matches!(plate[..], [Remark::ThinBody { body: 0, axis: 'y', .. }]), "{plate:?}");
        let mut setup = pool();
        setup.blocks[0].max.y = 0.1;
        assert!(matches!(setup.review()[..], [Remark::ThinBlock { block: 0, axis: 'y' }]));
    }

    #[test]
    fn solids_that_overlap_are_named() {
        let crossed = with_bodies(vec![body([0.1, 0.6], [0.4, 0.8]), body([0.3, 0.7], [0.6, 0.9])]);
        assert_eq!(crossed, [Remark::BodiesOverlap { first: 0, second: 1 }]);
        // The boxes of two discs overlap, the discs do not: their centres are 0.305 m apart, their radii 0.15 m.
        let disc = |[x, y]: [f32; 2]| Body { shape: BlockShape::Ellipsoid, ..body([x, y], [x + 0.3, y + 0.3]) };
        assert_eq!(with_bodies(vec![disc([0.1, 0.5]), disc([0.33, 0.7])]), []);
        let in_ceiling = with_bodies(vec![body([0.4, 0.6], [0.6, 1.05])]);
        assert_eq!(in_ceiling, [Remark::BodyInWall { body: 0, container: 0 }]);
        let mut setup = pool();
        setup.containers.push(Container::new(Vec3::new(0.5, 0.6, 0.0), Vec3::new(1.5, 1.6, 0.0)));
        assert_eq!(setup.review(), [Remark::ContainersOverlap { first: 0, second: 1 }]);
    }

    #[test]
    fn fluid_near_the_speed_of_sound_is_named() {
        let mut setup = pool();
        let sound_speed = setup.parameters.fluid.sound_speed;
        setup.blocks[0].velocity.x = 0.2 * sound_speed;
        assert_eq!(setup.review(), []);
        setup.blocks[0].velocity.x = 3.0 * sound_speed;
        assert!(matches!(setup.review()[..], [Remark::FastFluid { .. }]));
        assert!(setup.review()[0].to_string().contains("3 times the speed of sound"));
    }

    #[test]
    fn soft_fluid_and_fixed_steps_beyond_the_limits_are_named() {
        let mut setup = pool();
        setup.blocks[0].max.x = 0.3;
        assert_eq!(setup.review(), []);
        // The middle of the column is at 0.25 m, that of the water when it lies flat at 0.075 m.
        setup.parameters.fluid.sound_speed = 5.0;
        let [Remark::SoftFluid { speed, .. }] = setup.review()[..] else { panic!("{:?}", setup.review()) };
        assert!((speed - (4.0 * 9.81 * 0.175f32).sqrt()).abs() < 1e-2, "{speed}");
        // A fixed step is a single acoustic step.
        let mut setup = pool();
        setup.parameters.solver.wcsph.acoustic_steps = 1;
        let longest = setup.forecast().step;
        setup.parameters.solver.wcsph.acoustic_steps = 4;
        setup.parameters.time_step.fixed_dt = Some(longest.dt);
        assert_eq!(setup.review(), []);
        setup.parameters.time_step.fixed_dt = Some(2.0 * longest.dt);
        let [Remark::LongStep { dt, allowed }] = setup.review()[..] else { panic!("{:?}", setup.review()) };
        assert!(dt > 1.5 * allowed.dt && allowed.limit == longest.limit, "{allowed:?}");
    }

    #[test]
    fn solids_and_emitters_outside_the_containers_are_named() {
        assert_eq!(with_bodies(vec![body([2.0, 0.5], [2.3, 0.7])]), [Remark::BodyOutside { body: 0 }]);
        let mut setup = pool();
        let emitter = |center| Emitter {
            center,
            direction: Vec3::X,
            aperture: Aperture::Round { radius: 0.2 },
            rate: Rate::Speed(Schedule::constant(1.0).unwrap()),
            fluid: 0,
        };
        setup.openings.emitters = vec![emitter(Vec3::new(0.5, 0.8, 0.0)), emitter(Vec3::new(-0.5, 0.8, 0.0))];
        assert_eq!(setup.review(), [Remark::EmitterOutside { emitter: 1 }]);
    }

    #[test]
    fn bodies_and_joints_that_pull_too_hard_are_named() {
        let free = |density| Body { density, dynamics: Some(Dynamics::default()), ..body([0.3, 0.6], [0.6, 0.9]) };
        assert_eq!([100.0, 1000.0, 10_000.0].map(|density| with_bodies(vec![free(density)])), [vec![], vec![], vec![]]);
        assert_eq!(with_bodies(vec![free(20.0)]), [Remark::UnusualDensity { body: 0, ratio: 0.02 }]);
        assert_eq!(with_bodies(vec![free(20_000.0)]), [Remark::UnusualDensity { body: 0, ratio: 20.0 }]);
        let (anchor, to_anchor) = (Vec3::new(0.4, 0.7, 0.0), Vec3::new(0.4, 0.9, 0.0));
        let rope = |length| Joint {
            kind: JointKind::Rope,
            body: 0,
            to: JointEnd::Space,
            anchor,
            to_anchor,
            axis: Vec3::Z,
            limits: None,
            motor: None,
            length,
            stiffness: 0.0,
            damping: 0.0,
        };
        let hinge = Joint { kind: JointKind::Hinge, limits: Some([0.5, 1.0]), ..rope(0.0) };
        let setup = Setup { bodies: vec![free(500.0)], joints: vec![rope(0.2), rope(0.1), hinge], ..pool() };
        let [Remark::StrainedJoint { joint: 1, distance: Some(distance) }, Remark::StrainedJoint { joint: 2, distance: None }] =
            setup.review()[..]
        else {
            panic!("{:?}", setup.review())
        };
        assert!((distance - 0.2).abs() < 1e-6);
    }
}
