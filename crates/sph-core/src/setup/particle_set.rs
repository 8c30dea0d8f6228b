//! Fluid of given particles: the state of another run, or the sampling of another program.

use std::sync::Arc;

use super::{MAX_SPEED, Setup};
use crate::boundary::{Container, Face};
use crate::space::geometry::PointGrid;
use glam::Vec3;

/// Particles of fluid with given positions and velocities. They start without pressure, and each has the mass that the spacing of the
/// setup gives it. Copies share the particles.
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleSet {
    /// Index of their fluid in [`Setup::fluids`](super::Setup::fluids); 0 in a setup with one fluid.
    pub fluid: usize,
    particles: Arc<Arrays>,
}

#[derive(Debug, PartialEq)]
struct Arrays {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    /// Lowest and highest corner, m.
    bounds: [Vec3; 2],
}

impl ParticleSet {
    /// Particles of the fluid of that index at `positions` (m), with `velocities` (m/s): as many, or none for particles at rest.
    pub fn new(fluid: usize, positions: Vec<Vec3>, mut velocities: Vec<Vec3>) -> Self {
        velocities.resize(positions.len(), Vec3::ZERO);
        let join = |[low, high]: [Vec3; 2], &at: &Vec3| [low.min(at), high.max(at)];
        let bounds = positions.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], join);
        Self { fluid, particles: Arc::new(Arrays { positions, velocities, bounds }) }
    }

    /// Positions, m; in two dimensions z is ignored.
    pub fn positions(&self) -> &[Vec3] {
        &self.particles.positions
    }

    /// Velocities, m/s; in two dimensions z is ignored.
    pub fn velocities(&self) -> &[Vec3] {
        &self.particles.velocities
    }

    /// Lowest and highest corner of the box around the particles, m.
    pub fn bounds(&self) -> [Vec3; 2] {
        self.particles.bounds
    }
}

/// Reasons why a set of particles cannot be simulated. Particles are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ParticleSetError {
    /// There is no particle.
    #[error("it has no particles")]
    Empty,
    /// Its fluid is not in the table.
    #[error("its fluid is not in the table of fluids")]
    Fluid,
    /// A position or velocity is not finite, or beyond [`MAX_SPEED`].
    #[error("particle {0} has a position or a velocity that is not finite, or is faster than {MAX_SPEED:e} m/s")]
    NotFinite(usize),
    /// A particle beyond a periodic face.
    #[error("it extends beyond the periodic domain along {0}")]
    ThroughFace(char),
    /// A particle outside every container.
    #[error("particle {particle} at {at} m is outside every container")]
    Outside {
        /// Index of the particle.
        particle: usize,
        /// Position, m.
        at: Vec3,
    },
}

impl Setup {
    /// Boxes around the fluid at the start, m: of each block and of each set of particles.
    pub fn fluid_boxes(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        let sets = self.particle_sets.iter().map(|set| set.bounds().into());
        self.blocks.iter().map(|block| (block.min, block.max)).chain(sets)
    }

    /// Checks a set of particles.
    pub(super) fn validate_particle_set(&self, set: &ParticleSet) -> Result<(), ParticleSetError> {
        if set.positions().is_empty() {
            return Err(ParticleSetError::Empty);
        }
        if set.fluid >= self.fluids.len().max(1) {
            return Err(ParticleSetError::Fluid);
        }
        // Negated, so that NaN is refused.
        let is_wrong = |(at, velocity): (&Vec3, &Vec3)| !(at.is_finite() && velocity.length() <= MAX_SPEED);
        if let Some(particle) = set.positions().iter().zip(set.velocities()).position(is_wrong) {
            return Err(ParticleSetError::NotFinite(particle));
        }
        let domain = self.domain.flat(self.discretization.dimensions);
        let [min, max] = set.bounds();
        if let Some(axis) = domain.exceeded_axis(min, max, self.slack()) {
            return Err(ParticleSetError::ThroughFace(['x', 'y', 'z'][axis]));
        }
        let is_outside = |at: &Vec3| !self.containers.is_empty() && !self.containers.iter().any(|of| self.holds(of, *at));
        match set.positions().iter().position(is_outside) {
            Some(particle) => Err(ParticleSetError::Outside { particle, at: self.flat(set.positions()[particle]) }),
            None => Ok(()),
        }
    }

    /// True if `at` (m) is within the walls of a container; open faces are none.
    fn holds(&self, container: &Container, at: Vec3) -> bool {
        let (at, slack) = (self.flat(at), self.slack());
        if let Some(region) = &container.region {
            return region.signed_distance(at) <= slack;
        }
        let faces = container.faces_within(&self.domain.flat(self.discretization.dimensions));
        let axes = self.discretization.dimensions.count();
        Face::ALL.into_iter().take(2 * axes).filter(|&face| faces.contains(face)).all(|face| {
            let axis = face as usize / 2;
            match face as usize % 2 {
                0 => at[axis] >= container.min[axis] - slack,
                _ => at[axis] <= container.max[axis] + slack,
            }
        })
    }
}

// Distances between the particles of a set, for a remark on sets of another spacing.

/// Most particles whose neighbours are looked for.
const MOST_PROBED: usize = 500;

/// Distance of a neighbour that is close enough to end the search for a closer one, in spacings.
const CLOSE: f64 = 0.2;

/// Distance within which neighbours are looked for, in spacings.
const REACH: f64 = 2.5;

impl ParticleSet {
    /// Median distance of particles to their nearest neighbour in units of `spacing` (m), up to [`REACH`]; none of a single particle.
    pub(super) fn relative_spacing(&self, setup: &Setup, spacing: f32) -> Option<f64> {
        let count = self.positions().len();
        if count < 2 {
            return None;
        }
        let spacing = f64::from(spacing);
        let place = |&at: &Vec3| setup.flat(at).as_dvec3();
        let points: Vec<_> = self.positions().iter().map(place).collect();
        let grid = PointGrid::of(REACH * spacing, &points);
        let step = count.div_ceil(MOST_PROBED);
        let nearest = |index: usize| {
            let mut least = REACH;
            for (other, at) in grid.near(points[index]) {
                if other as usize != index {
                    least = least.min(points[index].distance(at) / spacing);
                }
                if least < CLOSE {
                    break;
                }
            }
            least
        };
        let mut distances: Vec<f64> = (0..count).step_by(step).map(nearest).collect();
        distances.sort_by(f64::total_cmp);
        Some(distances[distances.len() / 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulation;
    use crate::parameters::{Dimensions, Discretization};
    use crate::setup::{FluidBlock, Remark, SetupError, sample_fluid};

    /// A tank of 1 m with particles of 0.1 m, with this fluid in it.
    fn tank(blocks: Vec<FluidBlock>, particle_sets: Vec<ParticleSet>) -> Setup {
        let discretization = Discretization::new(Dimensions::Two, 0.1);
        let mut setup = Setup::new(discretization, blocks, vec![Container::new(Vec3::ZERO, Vec3::ONE)]);
        setup.particle_sets = particle_sets;
        setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
        setup
    }

    fn lattice(spacing: f32) -> Vec<Vec3> {
        let at = |n: u8| spacing * Vec3::new(f32::from(n % 5) + 0.5, f32::from(n / 5) + 0.5, 0.0);
        (0..25).map(at).collect()
    }

    /// A set with the particles that a block has moves as the block does, to the bit.
    #[test]
    fn a_set_moves_as_the_block_with_its_particles() {
        let mut block = FluidBlock::new(Vec3::ZERO, Vec3::splat(0.5));
        block.initial_pressure = crate::InitialPressure::Zero;
        block.velocity = Vec3::new(1.0, -0.5, 0.0);
        let of_block = tank(vec![block], Vec::new());
        let sampled = sample_fluid(&of_block);
        let set = ParticleSet::new(0, sampled.positions.clone(), sampled.velocities.clone());
        let mut of_set = tank(Vec::new(), vec![set]);
        of_set.parameters = of_block.parameters;
        assert_eq!(of_set.validate(), Ok(()));
        assert_eq!((of_set.particle_counts(), of_set.review()), (of_block.particle_counts(), Vec::new()));
        let [mut a, mut b] = [&of_block, &of_set].map(|setup| Simulation::new(setup).unwrap());
        for _ in 0..20 {
            a.step();
            b.step();
        }
        assert_eq!(a.particles().positions, b.particles().positions);
    }

    #[test]
    fn impossible_sets_are_refused_with_their_particle() {
        let error = |change: &dyn Fn(&mut Vec<Vec3>, &mut Vec<Vec3>)| {
            let (mut positions, mut velocities) = (lattice(0.1), vec![Vec3::ZERO; 25]);
            change(&mut positions, &mut velocities);
            match tank(Vec::new(), vec![ParticleSet::new(0, positions, velocities)]).validate() {
                Err(SetupError::Particles { set: 0, error }) => error,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(error(&|positions, _| positions.clear()), ParticleSetError::Empty);
        assert_eq!(error(&|positions, _| positions[7].y = f32::NAN), ParticleSetError::NotFinite(7));
        assert_eq!(error(&|_, velocities| velocities[3].x = 2e6), ParticleSetError::NotFinite(3));
        let at = Vec3::new(0.5, 1.2, 0.0);
        assert_eq!(error(&|positions, _| positions[4] = at), ParticleSetError::Outside { particle: 4, at });
    }

    #[test]
    fn another_spacing_is_remarked_on() {
        let found = |spacing: f32| {
            let setup = tank(Vec::new(), vec![ParticleSet::new(0, lattice(spacing), Vec::new())]);
            setup.validate().unwrap();
            setup.review()
        };
        assert_eq!(found(0.1), []);
        let [Remark::ParticleSpacing { set: 0, found: narrow, .. }] = found(0.05)[..] else { panic!("{:?}", found(0.05)) };
        assert!((narrow - 0.05).abs() < 1e-6, "{narrow}");
        assert!(matches!(found(0.15)[..], [Remark::ParticleSpacing { .. }]), "{:?}", found(0.15));
    }
}
