//! The pressure of fluid at the moment when it is let go, with nothing around it but walls.
//!
//! Water behind a gate presses on it. Once the gate is gone that face has no pressure, and because sound is fast there is another pressure
//! in all of the water at once: the one that does not let it be compressed. From `∇·(dv/dt) = 0` follows Poisson's equation
//! `Δp = −ρ ∂_i v_j ∂_j v_i`, with `p = 0` on free faces and `∂p/∂n = ρ g·n` on walls (Colagrossi2005), g with everything else that pulls alike everywhere. Fluid that starts with any
//! other pressure rings with sound.
//!
//! The equation is discretised on the blocks' own lattices, one unknown a particle, and solved by conjugate gradients.

use super::cells::BlockCells;
use super::conjugate_gradients;
use crate::boundary::{Container, Face};
use crate::forces::ExternalForces;
use crate::passes::sweep;
use crate::setup::{InitialPressure, Setup};
use glam::{Mat3, Vec3};

/// Most iterations, whatever the residual.
const MOST_ITERATIONS: u64 = 20_000;

/// What lies beyond a face of a cell, where it is no other particle.
const WALL: u32 = u32::MAX;
const AIR: u32 = u32::MAX - 1;

/// Block of a particle whose pressure is not asked for.
const GIVEN: u32 = u32::MAX;

/// One particle's equation.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    block: u32,
    /// What lies beyond the low and the high face along x, y, z: a particle, a wall, or air.
    beyond: [u32; 6],
}

/// The equations of all particles: `Σ_faces (p_i − p_j)/d² = b`.
struct Poisson<'a> {
    setup: &'a Setup,
    blocks: &'a [BlockCells],
    positions: &'a [Vec3],
    /// Gravity and what else pulls everywhere alike at the beginning, m/s².
    pull: Vec3,
    axes: usize,
    rows: Vec<Row>,
}

/// Replaces the `pressures` (Pa) of the particles in blocks that are [`InitialPressure::Released`]; those of the others are what they meet at
/// faces in common. `first[b]` is the first particle of block b.
///
/// Where nothing fixes its level, as in a box that is full, the pressure is 0 on average.
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
        let mut poisson = Self { setup, blocks, positions, pull: external.uniform(), axes, rows: Vec::new() };
        let mut rows = Vec::new();
        sweep::map(positions.len(), &mut rows, |i| {
            let block = first.partition_point(|&first| first <= i) - 1;
            let released = setup.blocks[block].initial_pressure == InitialPressure::Released;
            if released { poisson.row(i, block) } else { Row { block: GIVEN, beyond: [WALL; 6] } }
        });
        poisson.rows = rows;
        poisson
    }

    fn row(&self, i: usize, block: usize) -> Row {
        let mut beyond = [WALL; 6];
        for (face, beyond) in beyond.iter_mut().enumerate().take(2 * self.axes) {
            *beyond = self.beyond(i, block, face);
        }
        Row { block: block as u32, beyond }
    }

    /// What lies beyond a face of particle i's cell.
    fn beyond(&self, i: usize, block: usize, face: usize) -> u32 {
        let place = self.positions[i];
        let other = place + outward(face) * self.blocks[block].spacing;
        if let Some(j) = self.particle_at(other) {
            // Lattices of two blocks need not fit: what flows out of one cell would not flow into another.
            let back = self.positions[j as usize] - outward(face) * self.blocks[block].spacing;
            return if self.particle_at(back) == Some(i as u32) { j } else { WALL };
        }
        let reach = 0.75 * self.blocks[block].spacing[face / 2];
        let stops = |container: &Container| container.has_wall_within(reach, place, Face::ALL[face], self.axes);
        if self.setup.containers.iter().any(stops) { WALL } else { AIR }
    }

    /// The particle whose cell contains `place` (m), or where that is in a space that repeats.
    fn particle_at(&self, place: Vec3) -> Option<u32> {
        let place = self.setup.domain.flat(self.setup.discretization.dimensions).wrap(place);
        self.blocks.iter().find_map(|block| block.particle_at(place))
    }

    /// 1/d² between the cells of two blocks along an axis, 1/m².
    fn coefficient(&self, block: u32, other: u32, axis: usize) -> f64 {
        let spacing = |block: u32| self.blocks.get(block as usize).map(|block| f64::from(block.spacing[axis]));
        let own = spacing(block).unwrap_or(1.0);
        1.0 / (own * spacing(other).unwrap_or(own))
    }

    /// The left side of particle i's equation for the pressures `p`, Pa/m².
    fn apply(&self, p: &[f64], i: usize) -> f64 {
        let Row { block, beyond } = self.rows[i];
        self.faces(block, beyond, |coefficient, other| coefficient * (p[i] - other.map_or(0.0, |j| p[j])))
    }

    /// Sum over the faces of a cell that are no walls: `term(1/d², particle beyond)`.
    fn faces(&self, block: u32, beyond: [u32; 6], term: impl Fn(f64, Option<usize>) -> f64) -> f64 {
        if block == GIVEN {
            return 0.0;
        }
        let of_face = |(face, j): (usize, u32)| match j {
            WALL => 0.0,
            // The surface is half a cell away.
            AIR => term(2.0 * self.coefficient(block, block, face / 2), None),
            j => term(self.coefficient(block, self.rows[j as usize].block, face / 2), Some(j as usize)),
        };
        (0..).zip(beyond).take(2 * self.axes).map(of_face).sum()
    }

    /// The right side, Pa/m²: what keeps the flow from running together, and gravity on the walls.
    fn right_side(&self, i: usize) -> f64 {
        let Row { block, beyond } = self.rows[i];
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
            sum += f64::from(self.pull.dot(outward(face)) / spacing[face / 2]);
        }
        f64::from(discretization.rest_density) * sum
    }

    /// Solves them, from the pressures of the other blocks and none in these.
    fn solve(&self, mut p: Vec<f64>) -> Vec<f64> {
        let count = self.rows.len();
        sweep::update(&mut p, |i, p| *p = if self.is_given(i as u32) { *p } else { 0.0 });
        let (mut diagonal, mut residual) = (Vec::new(), Vec::new());
        sweep::map(count, &mut diagonal, |i| self.faces(self.rows[i].block, self.rows[i].beyond, |coefficient, _| coefficient));
        sweep::map(count, &mut residual, |i| self.right_side(i) - self.apply(&p, i));
        let floats = !self.rows.iter().any(|row| self.is_open(row));
        if floats {
            // Without a free face there is a solution only if nothing flows in or out on the whole.
            self.center(&mut residual);
        }
        let longest = self.blocks.iter().map(BlockCells::longest).fold(0, u64::saturating_add);
        let most = longest.saturating_mul(20).min(MOST_ITERATIONS);
        conjugate_gradients::solve(|p, i| self.apply(p, i), &diagonal, residual, &mut p, most);
        if floats {
            self.center(&mut p);
        }
        p
    }

    /// Whether something beyond a face of this cell fixes the pressure's level.
    fn is_open(&self, row: &Row) -> bool {
        row.block != GIVEN && row.beyond.iter().any(|&j| j == AIR || j != WALL && self.is_given(j))
    }

    fn is_given(&self, i: u32) -> bool {
        self.rows.get(i as usize).is_some_and(|row| row.block == GIVEN)
    }

    /// Takes the mean over the particles that are asked for off their values.
    fn center(&self, values: &mut [f64]) {
        let asked = self.rows.iter().filter(|row| row.block != GIVEN).count();
        let mean = sweep::sum(values.len(), |i| if self.is_given(i as u32) { 0.0 } else { values[i] }) / asked.max(1) as f64;
        sweep::update(values, |i, value| *value -= if self.is_given(i as u32) { 0.0 } else { mean });
    }
}

/// The unit vector out of a cell through one of its faces.
fn outward(face: usize) -> Vec3 {
    Vec3::AXES[face / 2] * if face.is_multiple_of(2) { -1.0 } else { 1.0 }
}
