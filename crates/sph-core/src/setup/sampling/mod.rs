//! Fluid particles of a setup: those of its sets, and of its blocks on a lattice of the block, or filling a solid, with initial velocities, densities and pressures,
//! which for released fluid are solved for.

mod filling;
mod released;

pub(super) use filling::count as solid_count;

use super::{BlockShape, FluidBlock, InitialPressure, Setup};
use crate::parameters::Dimensions;
use crate::particles::Particles;
use crate::solver::EquationOfState;
use crate::space::geometry::Solid;
use crate::space::lattice_counts;
use glam::{U64Vec3, Vec3};

/// Fluid particles of a valid `setup`: cell centres of each block's lattice, then those of the sets; ids in this order.
pub(crate) fn sample_fluid(setup: &Setup) -> Particles {
    let Setup { discretization, parameters, blocks, particle_sets, domain, fluids, .. } = setup;
    let gravity = domain.flat(discretization.dimensions).balanced(parameters.gravity);
    let mut particles = Particles::default();
    let (mut cells, mut first) = (Vec::new(), Vec::new());
    for block in blocks {
        first.push(particles.positions.len());
        let (lattice, positions) = BlockCells::new(block, setup, particles.positions.len());
        cells.push(lattice);
        particles.velocities.extend(positions.iter().map(|&position| velocity(block, setup, position)));
        particles.pressures.extend(positions.iter().map(|&position| match block.initial_pressure {
            InitialPressure::Hydrostatic => hydrostatic_pressure(setup, block, gravity, position),
            InitialPressure::Zero | InitialPressure::Released => 0.0,
        }));
        if !fluids.is_empty() {
            particles.fluids.extend(positions.iter().map(|&position| block.fluid_at(position) as u8));
        }
        particles.positions.extend(positions);
    }
    if blocks.iter().any(|block| block.initial_pressure == InitialPressure::Released) {
        released::release(setup, &cells, &particles.positions, &first, &mut particles.pressures);
    }
    for set in particle_sets {
        particles.positions.extend(set.positions().iter().map(|&position| setup.flat(position)));
        particles.velocities.extend(set.velocities().iter().map(|&velocity| setup.flat(velocity)));
    }
    let count = particles.positions.len();
    particles.pressures.resize(count, 0.0);
    if !fluids.is_empty() {
        let of_sets = particle_sets.iter().flat_map(|set| std::iter::repeat_n(set.fluid as u8, set.positions().len()));
        particles.fluids.extend(of_sets);
    }
    let state = EquationOfState::of(discretization, parameters);
    let rest_density = |i: usize| particles.fluids.get(i).map(|&fluid| setup.rest_density(fluid.into()));
    let density = |(i, &pressure): (usize, &f32)| {
        let reference = state.density(pressure);
        rest_density(i).map_or(reference, |rest| reference / discretization.rest_density * rest)
    };
    particles.densities = particles.pressures.iter().enumerate().map(density).collect();
    particles.rounding_errors = vec![Vec3::ZERO; count];
    particles.ids = (0..count as u32).collect();
    particles
}

/// Initial velocity of a particle of `block` at `position` (m), m/s.
fn velocity(block: &FluidBlock, setup: &Setup, position: Vec3) -> Vec3 {
    let velocity = block.velocity + block.field.at(position, block.water(setup.parameters.gravity));
    match setup.discretization.dimensions {
        Dimensions::Two => velocity.with_z(0.0),
        Dimensions::Three => velocity,
    }
}

/// Hydrostatic pressure of `block` at `position` (m), Pa: `ρ₀ |g|` times the depth below its upper face, and, if there are
/// several fluids, the weight of the hydrostatic blocks that lie on it, straight above `position`.
fn hydrostatic_pressure(setup: &Setup, block: &FluidBlock, gravity: Vec3, position: Vec3) -> f32 {
    let head = head(block, gravity, position);
    let (Some(up), false) = ((-gravity).try_normalize(), setup.fluids.is_empty()) else {
        return setup.rest_density(block.fluid) * head;
    };
    // The point of the upper face straight above `position`.
    let top = position + head / gravity.length() * up;
    let spacing = setup.discretization.particle_spacing;
    let density = block.interface.map_or(setup.rest_density(block.fluid), |interface| {
        let [below, above] = [interface.below, block.fluid].map(|fluid| setup.rest_density(fluid));
        above + (below - above) * interface.part_below(position, top, spacing)
    });
    let covers = |other: &&FluidBlock| {
        let (min, max) = (setup.flat(other.min), setup.flat(other.max));
        let above = top + 0.25 * spacing * up;
        let in_box = above.cmpge(min).all() && above.cmple(max).all();
        other.initial_pressure == InitialPressure::Hydrostatic && in_box && is_inside(&other.shape, above, min, max)
    };
    let weight_above = setup.blocks.iter().find(covers).map(|other| hydrostatic_pressure(setup, other, gravity, top));
    density * head + weight_above.unwrap_or(0.0)
}

/// Hydrostatic p/ρ₀ at `position` (m): |g| × depth below the block's upper face, m²/s².
fn head(block: &FluidBlock, gravity: Vec3, position: Vec3) -> f32 {
    // The highest corner of the block, against gravity.
    let top = Vec3::select(gravity.cmpgt(Vec3::ZERO), block.min, block.max);
    let flat = Vec3::select(gravity.cmpeq(Vec3::ZERO), Vec3::ZERO, position - top);
    gravity.dot(flat)
}

// Lattice cells of a block.

/// Entry of a cell without a particle.
const EMPTY: u32 = u32::MAX;

/// Lattice cells of a block's box and the particle at the centre of each, in the order of x, then y, then z.
#[derive(Clone, Debug)]
struct BlockCells {
    min: Vec3,
    /// Sides of a cell, m; z is unused in two dimensions.
    pub spacing: Vec3,
    counts: U64Vec3,
    particles: Vec<u32>,
}

impl BlockCells {
    /// Cells of `block`, and the centres, m, of those inside its shape, which are its particles, with indices from `first` on.
    pub fn new(block: &FluidBlock, setup: &Setup, first: usize) -> (Self, Vec<Vec3>) {
        if let BlockShape::Solid(solid) = &block.shape {
            return Self::of_solid(solid, block, setup, first);
        }
        let (min, max) = (setup.flat(block.min), setup.flat(block.max));
        let counts = lattice_counts(min, max, setup.discretization.particle_spacing, setup.discretization.dimensions);
        let [x, y, z] = counts;
        let counts = U64Vec3::from_array(counts);
        let mut cells = Self { min, spacing: (max - min) / counts.as_vec3(), counts, particles: Vec::new() };
        let solids = block.around_bodies.then(|| Obstacles::new(setup, [min, max]));
        let mut positions = Vec::new();
        for cell in (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| U64Vec3::new(x, y, z)))) {
            let position = min + (cell.as_vec3() + 0.5) * cells.spacing;
            let filled =
                is_inside(&block.shape, position, min, max) && !solids.as_ref().is_some_and(|solids| solids.meet(position));
            cells.particles.push(if filled { (first + positions.len()) as u32 } else { EMPTY });
            if filled {
                positions.push(position);
            }
        }
        (cells, positions)
    }

    /// Cells of a block that is a solid, filled with as many particles as its volume takes. Only for the initial pressure of
    /// released fluid somebody asks which particle is in a cell.
    fn of_solid(solid: &Solid, block: &FluidBlock, setup: &Setup, first: usize) -> (Self, Vec<Vec3>) {
        let filling::Filled { corner, counts, mut points } = filling::fill(solid, block.filling, &setup.discretization);
        if block.around_bodies {
            let solids = Obstacles::new(setup, [block.min, block.max]);
            points.retain(|point| !solids.meet(point.position.as_vec3()));
        }
        let mut particles = Vec::new();
        if block.initial_pressure == InitialPressure::Released {
            particles = vec![EMPTY; counts.element_product() as usize];
            for (number, point) in points.iter().enumerate() {
                let [x, y, z] = point.index.to_array();
                particles[((z * counts.y + y) * counts.x + x) as usize] = (first + number) as u32;
            }
        }
        let spacing = Vec3::splat(setup.discretization.particle_spacing);
        let cells = Self { min: setup.flat(corner.as_vec3()), spacing, counts: counts.as_u64vec3(), particles };
        (cells, points.into_iter().map(|point| setup.flat(point.position.as_vec3())).collect())
    }

    /// Particle whose cell contains `position` (m), if any.
    pub fn particle_at(&self, position: Vec3) -> Option<u32> {
        let cell = ((position - self.min) / self.spacing).floor();
        // In two dimensions, without an extent along z, the quotient is NaN.
        let cell = if self.spacing.z > 0.0 { cell } else { cell.with_z(0.0) };
        let inside = cell.cmpge(Vec3::ZERO).all() && cell.cmplt(self.counts.as_vec3()).all();
        if !inside {
            return None;
        }
        let [x, y, z] = cell.as_u64vec3().to_array();
        let particle = *self.particles.get(((z * self.counts.y + y) * self.counts.x + x) as usize)?;
        (particle != EMPTY).then_some(particle)
    }

    /// Number of cells along the longest side.
    pub fn longest(&self) -> u64 {
        self.counts.max_element()
    }
}

/// Bodies, and balls that the fluid meets, at the start.
struct Obstacles<'a> {
    setup: &'a Setup,
    /// Centres (m) and radii (m) of the balls that a block may meet.
    balls: Vec<(Vec3, f32)>,
    /// Distance from a surface within which there are no particles, m: half a spacing, less a thousandth for lattices that touch it.
    least: f32,
}

impl<'a> Obstacles<'a> {
    /// Those that a block between two corners (m) may meet.
    fn new(setup: &'a Setup, [min, max]: [Vec3; 2]) -> Self {
        let least = (0.5 - 1e-3) * setup.discretization.particle_spacing;
        let is_near = |&(center, radius): &(Vec3, f32)| center.distance(center.clamp(min, max.max(min))) < radius + least;
        Self { setup, balls: setup.coated_balls().into_iter().filter(is_near).collect(), least }
    }

    /// True if `position` (m) is in one of them, or within half a spacing of it.
    fn meet(&self, position: Vec3) -> bool {
        let Self { setup, balls, least } = self;
        setup.bodies.iter().any(|body| body.distance_at_start(setup.discretization.dimensions, position) < *least)
            || balls.iter().any(|(center, radius)| position.distance(*center) < radius + least)
    }
}

/// True if `position` (m), in the box from `min` to `max` (m), is in its shape.
pub(super) fn is_inside(shape: &BlockShape, position: Vec3, min: Vec3, max: Vec3) -> bool {
    let (middle, half) = (0.5 * (min + max), 0.5 * (max - min));
    // In two dimensions the extent along z is 0; any other value avoids the division by zero.
    let half = if half.z > 0.0 { half } else { half.with_z(1.0) };
    match shape {
        BlockShape::Box => true,
        BlockShape::Ellipsoid => ((position - middle) / half).length_squared() <= 1.0,
        BlockShape::Solid(solid) => solid.contains(position),
    }
}
