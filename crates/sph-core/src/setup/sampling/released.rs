//! Initial pressure of released fluid, from Poisson's equation.
//!
//! When the gate of a dam is removed, the pressure on that face becomes zero, and the incompressible pressure field in the
//! water changes at once. From `∇·(dv/dt) = 0` follows Poisson's equation `∇·(∇p/ρ) = −∂_i v_j ∂_j v_i`, with `p = 0` on free faces
//! and `∂p/∂n = ρ g·n` on walls (Colagrossi2005); g includes all uniform external forces. Any other initial pressure would
//! start acoustic waves.
//!
//! The equation is discretised on the blocks' own lattices, one unknown for each particle, and solved by conjugate gradients.

use super::BlockCells;
use crate::boundary::{Container, Face};
use crate::forces::ExternalForces;
use crate::passes::sweep;
use crate::setup::{InitialPressure, Setup};
use glam::{Mat3, Vec3};

/// Largest number of iterations.
const MAX_ITERATIONS: u64 = 20_000;

/// Neighbour of a cell across a face that is a wall.
const WALL: u32 = u32::MAX;
/// Neighbour of a cell across a free face.
const AIR: u32 = u32::MAX - 1;

/// Block index of a particle whose pressure is given, not solved for.
const GIVEN: u32 = u32::MAX;

/// Equation of one particle.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    block: u32,
    /// Rest density of the particle over that of the reference fluid.
    density: f32,
    /// Neighbour across the low and the high face along x, y, z: a particle, [`WALL`] or [`AIR`].
    beyond: [u32; 6],
}

/// Discrete Poisson equation of all particles: `Σ_faces (p_i − p_j)/d² = b`.
struct Poisson<'a> {
    setup: &'a Setup,
    blocks: &'a [BlockCells],
    positions: &'a [Vec3],
    /// Uniform external acceleration at the beginning, gravity included, m/s².
    uniform: Vec3,
    axes: usize,
    rows: Vec<Row>,
}

/// Replaces the `pressures` (Pa) of particles in blocks with [`InitialPressure::Released`]; those of other blocks are boundary
/// values at common faces. `first[b]` is the index of the first particle of block b.
///
/// With walls only, as in a full box, p is determined up to a constant; its mean is then 0.
pub(super) fn release(setup: &Setup, blocks: &[BlockCells], positions: &[Vec3], first: &[usize], pressures: &mut [f32]) {
    let poisson = Poisson::new(setup, blocks, positions, first);
    let solution = poisson.solve(pressures.iter().map(|&pressure| f64::from(pressure)).collect());
    for (pressure, solution) in pressures.iter_mut().zip(solution) {
        *pressure = solution as f32;
    }
}

impl<'a> Poisson<'a> {
    fn new(setup: &'a Setup, blocks: &'a [BlockCells], positions: &'a [Vec3], first: &[usize]) -> Self {
        let axes = setup.discretization.dimensions.count();
        let external = ExternalForces::new(setup.parameters.gravity, &setup.external_forces, 0.0, &setup.domain);
        let mut poisson = Self { setup, blocks, positions, uniform: external.uniform(), axes, rows: Vec::new() };
        let mut rows = Vec::new();
        sweep::map(positions.len(), &mut rows, |i| {
            let block = first.partition_point(|&first| first <= i) - 1;
            let released = setup.blocks[block].initial_pressure == InitialPressure::Released;
            if released { poisson.row(i, block) } else { poisson.row_of_given(i, block) }
        });
        poisson.rows = rows;
        poisson
    }

    fn row(&self, i: usize, block: usize) -> Row {
        let mut beyond = [WALL; 6];
        for (face, beyond) in beyond.iter_mut().enumerate().take(2 * self.axes) {
            *beyond = self.beyond(i, block, face);
        }
        Row { block: block as u32, beyond, ..self.row_of_given(i, block) }
    }

    /// Row without an equation.
    fn row_of_given(&self, i: usize, block: usize) -> Row {
        let fluid = self.setup.blocks[block].fluid_at(self.positions[i]);
        let density = self.setup.rest_density(fluid) / self.setup.discretization.rest_density;
        Row { block: GIVEN, density, beyond: [WALL; 6] }
    }

    /// Neighbour of particle i's cell across a face: a particle, [`WALL`] or [`AIR`].
    fn beyond(&self, i: usize, block: usize, face: usize) -> u32 {
        let position = self.positions[i];
        let other = position + outward(face) * self.blocks[block].spacing;
        if let Some(j) = self.particle_at(other) {
            // Lattices of two blocks may not match; the matrix would not be symmetric, so such a face is a wall.
            let back = self.positions[j as usize] - outward(face) * self.blocks[block].spacing;
            return if self.particle_at(back) == Some(i as u32) { j } else { WALL };
        }
        let reach = 0.75 * self.blocks[block].spacing[face / 2];
        let has_wall = |container: &Container| container.has_wall_within(reach, position, Face::ALL[face], self.axes);
        if self.setup.containers.iter().any(has_wall) { WALL } else { AIR }
    }

    /// Particle whose cell contains `position` (m) or its periodic image inside the domain.
    fn particle_at(&self, position: Vec3) -> Option<u32> {
        let position = self.setup.domain.flat(self.setup.discretization.dimensions).wrap(position);
        self.blocks.iter().find_map(|block| block.particle_at(position))
    }

    /// Coefficient `ρ_ref/(ρ d²)` between two cells along an axis, 1/m², with the mean density ρ of their fluids.
    fn coefficient(&self, row: &Row, other: &Row, axis: usize) -> f64 {
        let spacing = |row: &Row| self.blocks.get(row.block as usize).map(|block| f64::from(block.spacing[axis]));
        let own = spacing(row).unwrap_or(1.0);
        let mean_density = 0.5 * (f64::from(row.density) + f64::from(other.density));
        1.0 / (mean_density * own * spacing(other).unwrap_or(own))
    }

    /// Left side of particle i's equation for the pressures `p`, Pa/m².
    fn apply(&self, p: &[f64], i: usize) -> f64 {
        self.faces(&self.rows[i], |coefficient, other| coefficient * (p[i] - other.map_or(0.0, |j| p[j])))
    }

    /// Sum of `term(1/d², neighbouring particle)` over the faces of a cell that are not walls.
    fn faces(&self, row: &Row, term: impl Fn(f64, Option<usize>) -> f64) -> f64 {
        if row.block == GIVEN {
            return 0.0;
        }
        let of_face = |(face, j): (usize, u32)| match j {
            WALL => 0.0,
            // The free surface is half a cell away.
            AIR => term(2.0 * self.coefficient(row, row, face / 2), None),
            j => term(self.coefficient(row, &self.rows[j as usize], face / 2), Some(j as usize)),
        };
        (0..).zip(row.beyond).take(2 * self.axes).map(of_face).sum()
    }

    /// Right side of particle i's equation, Pa/m²: `ρ ∂_i v_j ∂_j v_i`, and `ρ g·n` on walls.
    fn right_side(&self, i: usize) -> f64 {
        let Row { block, beyond, .. } = self.rows[i];
        if block == GIVEN {
            return 0.0;
        }
        let block = block as usize;
        let Setup { discretization, parameters, blocks, .. } = self.setup;
        let spacing = self.blocks[block].spacing;
        let water = blocks[block].water(parameters.gravity);
        let step = 0.5 * discretization.particle_spacing;
        let mut gradient = blocks[block].field.gradient(self.positions[i], water, step);
        if self.axes == 2 {
            gradient = Mat3::from_cols(gradient.x_axis.with_z(0.0), gradient.y_axis.with_z(0.0), Vec3::ZERO);
        }
        let product = gradient * gradient;
        let mut sum = f64::from(product.x_axis.x + product.y_axis.y + product.z_axis.z);
        for (face, _) in beyond.iter().enumerate().take(2 * self.axes).filter(|(_, j)| **j == WALL) {
            sum += f64::from(self.uniform.dot(outward(face)) / spacing[face / 2]);
        }
        f64::from(discretization.rest_density) * sum
    }

    /// Solves the equations; `p` has the given pressures of other blocks. The initial guess is zero.
    fn solve(&self, mut p: Vec<f64>) -> Vec<f64> {
        let count = self.rows.len();
        sweep::update(&mut p, |i, p| *p = if self.is_given(i as u32) { *p } else { 0.0 });
        let (mut diagonal, mut residual) = (Vec::new(), Vec::new());
        sweep::map(count, &mut diagonal, |i| self.faces(&self.rows[i], |coefficient, _| coefficient));
        sweep::map(count, &mut residual, |i| self.right_side(i) - self.apply(&p, i));
        let is_singular = !self.rows.iter().any(|row| self.fixes_level(row));
        if is_singular {
            // With Neumann conditions only, the equations have a solution only if the right side has mean 0.
            self.subtract_mean(&mut residual);
        }
        let longest = self.blocks.iter().map(BlockCells::longest).fold(0, u64::saturating_add);
        let max_iterations = longest.saturating_mul(20).min(MAX_ITERATIONS);
        solve_by_conjugate_gradients(|p, i| self.apply(p, i), &diagonal, residual, &mut p, max_iterations);
        if is_singular {
            self.subtract_mean(&mut p);
        }
        p
    }

    /// True if a face of this cell has a Dirichlet condition: air, or a particle whose pressure is given.
    fn fixes_level(&self, row: &Row) -> bool {
        row.block != GIVEN && row.beyond.iter().any(|&j| j == AIR || j != WALL && self.is_given(j))
    }

    fn is_given(&self, i: u32) -> bool {
        self.rows.get(i as usize).is_some_and(|row| row.block == GIVEN)
    }

    /// Subtracts from the values of the unknowns their mean.
    fn subtract_mean(&self, values: &mut [f64]) {
        let unknowns = self.rows.iter().filter(|row| row.block != GIVEN).count();
        let mean = sweep::sum(values.len(), |i| if self.is_given(i as u32) { 0.0 } else { values[i] }) / unknowns.max(1) as f64;
        sweep::update(values, |i, value| *value -= if self.is_given(i as u32) { 0.0 } else { mean });
    }
}

/// Outward unit normal of a face of a cell.
fn outward(face: usize) -> Vec3 {
    Vec3::AXES[face / 2] * if face.is_multiple_of(2) { -1.0 } else { 1.0 }
}

// Matrix-free conjugate gradients for symmetric positive semidefinite matrices.

/// Relative residual, in the preconditioned norm, at which the solve ends.
const TOLERANCE: f64 = 1e-6;

/// Solves `Ax = b` by conjugate gradients with the Jacobi preconditioner. `x` is the initial guess, with `residual = b − Ax`,
/// and becomes the solution. `apply(y, i)` is row i of Ay; `diagonal` is the diagonal of A, and rows where it is 0 are not
/// changed.
pub(super) fn solve_by_conjugate_gradients(
    apply: impl Fn(&[f64], usize) -> f64 + Sync + Send,
    diagonal: &[f64],
    mut residual: Vec<f64>,
    x: &mut [f64],
    max_iterations: u64,
) {
    let count = x.len();
    let precondition = |residual: &[f64], i: usize| if diagonal[i] > 0.0 { residual[i] / diagonal[i] } else { 0.0 };
    let (mut direction, mut applied) = (Vec::new(), Vec::new());
    sweep::map(count, &mut direction, |i| precondition(&residual, i));
    let mut product = sweep::sum(count, |i| residual[i] * direction[i]);
    let tolerated = TOLERANCE * TOLERANCE * product;
    for _ in 0..max_iterations {
        sweep::map(count, &mut applied, |i| apply(&direction, i));
        let curvature = sweep::sum(count, |i| direction[i] * applied[i]);
        // Negated, so that NaN ends the loop.
        if !(product > tolerated && curvature > 0.0) {
            break;
        }
        let alpha = product / curvature;
        sweep::update(x, |i, x| *x += alpha * direction[i]);
        sweep::update(&mut residual, |i, residual| *residual -= alpha * applied[i]);
        let before = product;
        product = sweep::sum(count, |i| residual[i] * precondition(&residual, i));
        let beta = product / before;
        sweep::update(&mut direction, |i, direction| *direction = precondition(&residual, i) + beta * *direction);
    }
}
