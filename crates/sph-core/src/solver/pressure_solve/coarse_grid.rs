//! Coarse-grid correction: the smooth part of a pressure, which iterations over neighbours take long to find.
//!
//! A change e of the unknown changes the residual r of `τ Ak = s` by `−τ ∇·(b∇e)`, with the lightness b. Nodes are the corners of cubes of
//! two support radii; between them e is trilinear, `e = Σ_c e_c φ_c` with hats φ_c. Galerkin's equation, with the particles as points of
//! quadrature, is
//!
//! - `K_cd = Σ_i τ b_i (∇φ_c·∇φ_d + κ g_i φ_c φ_d)`,
//! - `K e = −Σ_i φ_c r_i`.
//!
//! The sums are over a set of particles: those inside the fluid that have pressure or are compressed. Beyond its edge e is 0: towards
//! that `g_i = −2 Σ_j V W′/r` pulls, over the neighbours outside of the set. At walls e has no slope, which needs no term.

use crate::kernel::SmoothingKernel;
use crate::neighbors::{CellOrder, ListRows, NeighborLists};
use crate::parameters::Dimensions;
use crate::passes::{Gather, StepContext, gather, sweep};
use crate::report::held;
use crate::simd::{Lanes, Vec3Lanes};
use glam::{IVec3, Vec3, Vec4};
use rayon::prelude::*;

/// Particles' cells, whose side is the support radius, along the edge of a cube.
const CELLS_PER_EDGE: i32 = 2;

/// κ, the strength of the pull at the edge of the set. From 0.35 to 0.6 is as good; 0.2 does not converge.
const EDGE_PULL: f32 = 0.4;

/// Residual on the grid, over the first one, at which its solution has converged.
const TOLERANCE: f64 = 1e-4;

/// Most iterations on the grid.
const MAX_ITERATIONS: u32 = 400;

/// Least diagonal of K in the preconditioner, over the largest one. Nodes with few particles near would otherwise rule the norm.
const LEAST_DIAGONAL: f32 = 1e-4;

/// Corners of a cube. Bit 0 of a corner is set at the upper ones along x, bit 1 along y, bit 2 along z.
const CORNERS: usize = 8;

/// Coordinates of a cube or a node, in edges, z first: in the order of the particles' cells.
type Place = [i32; 3];

/// Grid of cubes around the particles of the set, and the equation on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoarseGrid {
    cubes: Vec<Cube>,
    /// Cells in the order of their cubes.
    cells: Vec<u32>,
    /// Cube of each cell; of one without particles of the set, any number.
    cube_of: Vec<u32>,
    /// Corners of all cubes, in the order of their nodes: eight times the number of the cube, plus that of the corner.
    corners: Vec<u32>,
    /// First entry of each node in `corners`, and the number of entries.
    nodes: Vec<u32>,
    /// Places of cells or corners, to sort them.
    places: Vec<(Place, u32)>,
    solver: ConjugateGradients,
}

/// Cube and its part of the equation.
#[derive(Clone, Copy, Debug, Default)]
struct Cube {
    place: Place,
    /// Range in [`CoarseGrid::cells`].
    first_cell: u32,
    end_cell: u32,
    nodes: [u32; CORNERS],
    /// Its terms of K, m²/s² over those of r.
    matrix: [[f32; CORNERS]; CORNERS],
    /// Its terms of the right-hand side.
    load: [f32; CORNERS],
}

/// Input of a correction.
#[derive(Clone, Copy)]
pub(crate) struct CoarseProblem<'a> {
    pub ctx: &'a StepContext<'a>,
    /// τ, as in [`super::Problem`].
    pub tau: f32,
    /// Positions of the particles, m, in the order of `ctx.cells`; w is 0 in the set and 1 outside.
    pub set: &'a [Vec4],
    /// Residuals r.
    pub residuals: &'a [f32],
}

impl CoarseProblem<'_> {
    /// True if particle i is in the set.
    fn has(&self, i: usize) -> bool {
        self.set[i].w == 0.0
    }

    /// Edge of a cube, m.
    fn edge(&self) -> f32 {
        CELLS_PER_EDGE as f32 * self.ctx.discretization.support_radius
    }
}

impl CoarseGrid {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { cubes, cells, cube_of, corners, nodes, places, solver } = self;
        held(cubes) + [cells, cube_of, corners, nodes].into_iter().map(held).sum::<usize>() + held(places) + solver.memory()
    }

    /// Computes the correction e of every particle, m²/s², 0 outside of the set. Returns false, and leaves `corrections`
    /// without meaning, if the set or a part of it has no edge, as e is then known up to a constant only, or the step is cancelled.
    pub fn solve<K: SmoothingKernel>(&mut self, kernel: K, problem: CoarseProblem<'_>, corrections: &mut Vec<f32>) -> bool {
        let CoarseProblem { ctx, set, .. } = problem;
        let pulls = &mut *corrections;
        gather(set.len(), pulls, &EdgePull { kernel, problem });
        if sweep::max(set.len(), |i| pulls[i]) == 0.0 {
            return false;
        }
        self.place_cubes(&problem);
        self.place_nodes();
        self.assemble(&problem, pulls);
        if !self.solve_nodes(ctx) {
            return false;
        }
        // e = Σ_c e_c φ_c.
        let edge = problem.edge();
        let Self { cubes, cube_of, solver, .. } = self;
        sweep::map_cells(ctx.cells, corrections, |cell, i| {
            if !problem.has(i) {
                return 0.0;
            }
            let cube = &cubes[cube_of[cell] as usize];
            let hats = hats(cube.coordinates(set[i].truncate(), edge));
            hats.iter().zip(cube.nodes).map(|(hat, node)| hat * solver.solution[node as usize]).sum()
        });
        true
    }

    /// Finds the cubes that hold particles of the set, and their cells.
    fn place_cubes(&mut self, problem: &CoarseProblem<'_>) {
        let CoarseProblem { ctx, set, .. } = *problem;
        let Self { cubes, cells, cube_of, places, .. } = self;
        places.clear();
        for (cell, [first, end]) in (0..).zip(ctx.cells.array_windows()) {
            if (*first as usize..*end as usize).any(|i| problem.has(i)) {
                let at = CellOrder::cell_of(set[*first as usize].truncate(), ctx.discretization.support_radius);
                let [x, y, z] = at.to_array().map(|cell| cell.div_euclid(CELLS_PER_EDGE));
                places.push(([z, y, x], cell));
            }
        }
        places.par_sort_unstable();
        cubes.clear();
        cells.clear();
        cube_of.resize(ctx.cells.len(), 0);
        for &(place, cell) in &*places {
            if cubes.last().is_none_or(|cube| cube.place != place) {
                cubes.push(Cube { place, first_cell: cells.len() as u32, ..Cube::default() });
            }
            cells.push(cell);
            cube_of[cell as usize] = cubes.len() as u32 - 1;
            if let Some(cube) = cubes.last_mut() {
                cube.end_cell = cells.len() as u32;
            }
        }
    }

    /// Finds the nodes at the corners of the cubes.
    fn place_nodes(&mut self) {
        let Self { cubes, corners, nodes, places, .. } = self;
        places.clear();
        for (number, cube) in cubes.iter().enumerate() {
            let [z, y, x] = cube.place;
            places.extend((0..CORNERS).map(|corner| {
                let upper = |axis: usize| i32::from(is_upper(corner, axis));
                ([z + upper(2), y + upper(1), x + upper(0)], (CORNERS * number + corner) as u32)
            }));
        }
        places.par_sort_unstable();
        corners.clear();
        nodes.clear();
        let mut last = None;
        for &(place, corner) in &*places {
            if last != Some(place) {
                last = Some(place);
                nodes.push(corners.len() as u32);
            }
            cubes[corner as usize / CORNERS].nodes[corner as usize % CORNERS] = nodes.len() as u32 - 1;
            corners.push(corner);
        }
        nodes.push(corners.len() as u32);
    }

    /// Adds up the terms of each cube.
    fn assemble(&mut self, problem: &CoarseProblem<'_>, pulls: &[f32]) {
        let CoarseProblem { ctx, tau, set, residuals } = *problem;
        let Self { cubes, cells, .. } = self;
        let edge = problem.edge();
        cubes.par_iter_mut().for_each(|cube| {
            let (mut slopes, mut pull) = (Products::default(), Products::default());
            cube.load = [0.0; CORNERS];
            let cells = cells[cube.first_cell as usize..cube.end_cell as usize].iter().map(|&cell| cell as usize);
            let particles = cells.flat_map(|cell| ctx.cells[cell] as usize..ctx.cells[cell + 1] as usize);
            for i in particles.filter(|&i| problem.has(i)) {
                let at = cube.coordinates(set[i].truncate(), edge);
                let weight = tau * ctx.lightness(i);
                slopes.add(at, weight / (edge * edge));
                if pulls[i] > 0.0 {
                    pull.add(at, weight * EDGE_PULL * pulls[i]);
                }
                cube.load.iter_mut().zip(hats(at)).for_each(|(load, hat)| *load -= hat * residuals[i]);
            }
            cube.matrix = matrix(&slopes, &pull, ctx.discretization.dimensions);
        });
    }

    /// Solves `K e = load`. Returns false if that has not converged, as where a part of the set has no edge, or is cancelled.
    fn solve_nodes(&mut self, ctx: &StepContext<'_>) -> bool {
        let Self { cubes, corners, nodes, solver, .. } = self;
        let (cubes, corners, nodes) = (&*cubes, &*corners, &*nodes);
        // Terms of a node: its corner of each cube.
        let terms = |node: usize| {
            let corners = &corners[nodes[node] as usize..nodes[node + 1] as usize];
            corners.iter().map(|&corner| (&cubes[corner as usize / CORNERS], corner as usize % CORNERS))
        };
        solver.solve(
            nodes.len() - 1,
            || ctx.is_cancelled(),
            |node| terms(node).map(|(cube, corner)| cube.load[corner]).sum(),
            |node| terms(node).map(|(cube, corner)| cube.matrix[corner][corner]).sum(),
            |node, e| {
                let row = |(cube, corner): (&Cube, usize)| -> f32 {
                    cube.matrix[corner].iter().zip(cube.nodes).map(|(entry, node)| entry * e[node as usize]).sum()
                };
                terms(node).map(row).sum()
            },
        )
    }
}

impl Cube {
    /// Coordinates of a position (m) in the cube, 0 to 1.
    fn coordinates(&self, position: Vec3, edge: f32) -> Vec3 {
        let [z, y, x] = self.place;
        // A position near a face may be rounded to either side.
        (position / edge - IVec3::new(x, y, z).as_vec3()).clamp(Vec3::ZERO, Vec3::ONE)
    }
}

/// True if `corner` is one of the upper ones along `axis`.
fn is_upper(corner: usize, axis: usize) -> bool {
    corner >> axis & 1 == 1
}

/// Hats of the corners of a cube at these coordinates in it.
fn hats(at: Vec3) -> [f32; CORNERS] {
    let [x, y, z] = at.to_array().map(|u| [1.0 - u, u]);
    std::array::from_fn(|corner| x[corner & 1] * y[corner >> 1 & 1] * z[corner >> 2])
}

/// Sums over particles of the products of two hats. Along an axis with the coordinate u the hats of two corners have the product (1 −
/// u)², u (1 − u) or u², where none, one or both are upper ones; the sums are of products of these along all axes, by z, y and x.
#[derive(Default)]
struct Products([[[f32; 3]; 3]; 3]);

impl Products {
    fn add(&mut self, at: Vec3, weight: f32) {
        let [x, y, z] = at.to_array().map(|u| [(1.0 - u) * (1.0 - u), u * (1.0 - u), u * u]);
        for (sums, z) in self.0.iter_mut().zip(z) {
            for (sums, y) in sums.iter_mut().zip(y) {
                sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += weight * z * y * x);
            }
        }
    }

    /// Sum for two corners with so many upper ones, 0 to 2, along x, y and z.
    fn of(&self, [x, y, z]: [usize; 3]) -> f32 {
        self.0[z][y][x]
    }

    /// Sum for two corners, with the product of the slopes along an axis, ±1, in place of that of the hats: as `(1 − u + u)² = 1`, it is
    /// the sum over all products along the axis.
    fn slope(&self, axis: usize, mut upper: [usize; 3]) -> f32 {
        let sign = if upper[axis] == 1 { -1.0 } else { 1.0 };
        let sum = [(0, 1.0), (1, 2.0), (2, 1.0)].map(|(count, times)| {
            upper[axis] = count;
            times * self.of(upper)
        });
        sign * sum.iter().sum::<f32>()
    }
}

/// K of a cube, from sums with the weights of slopes and of the pull.
fn matrix(slopes: &Products, pull: &Products, dimensions: Dimensions) -> [[f32; CORNERS]; CORNERS] {
    std::array::from_fn(|c| {
        std::array::from_fn(|d| {
            let upper = [0, 1, 2].map(|axis| usize::from(is_upper(c, axis)) + usize::from(is_upper(d, axis)));
            (0..dimensions.count()).map(|axis| slopes.slope(axis, upper)).sum::<f32>() + pull.of(upper)
        })
    })
}

/// Pass that computes `g_i = −2 Σ_j V W′/r` over the neighbours outside of the set, 1/m²; 0 for particles that are themselves outside.
struct EdgePull<'a, K> {
    kernel: K,
    problem: CoarseProblem<'a>,
}

impl<K: SmoothingKernel> Gather for EdgePull<'_, K> {
    type Value = f32;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.problem.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> f32 {
        let Self { kernel, problem } = *self;
        let CoarseProblem { ctx, set, .. } = problem;
        if !problem.has(i) {
            return 0.0;
        }
        let position = set[i].truncate();
        let mut sum = L::splat(0.0);
        for (block, left) in rows.blocks(i) {
            let [x, y, z, outside] = L::gather(set, block);
            // There are no corrections in periodic domains.
            let x_ij = Vec3Lanes::splat(position) - Vec3Lanes { x, y, z };
            sum = sum + (outside * kernel.dw_over_r(x_ij.length_squared().sqrt())).keep(left);
        }
        -2.0 * ctx.rest_volume() * sum.sum()
    }
}

/// Conjugate gradients, with the diagonal as preconditioner.
#[derive(Clone, Debug, Default)]
struct ConjugateGradients {
    solution: Vec<f32>,
    residuals: Vec<f32>,
    directions: Vec<f32>,
    products: Vec<f32>,
    /// Inverse diagonal; 0 for nodes without an equation.
    inverses: Vec<f32>,
}

impl ConjugateGradients {
    /// Bytes on the heap.
    fn memory(&self) -> usize {
        let Self { solution, residuals, directions, products, inverses } = self;
        [solution, residuals, directions, products, inverses].into_iter().map(held).sum()
    }

    /// Solves the symmetric equation of `count` nodes with this right-hand side, diagonal and product with a vector, from the guess 0. A
    /// node whose diagonal is 0 has no equation, and the solution 0. Returns false if the solution has not converged or
    /// is cancelled.
    fn solve(
        &mut self,
        count: usize,
        is_cancelled: impl Fn() -> bool,
        load: impl Fn(usize) -> f32 + Sync,
        diagonal: impl Fn(usize) -> f32 + Sync,
        product: impl Fn(usize, &[f32]) -> f32 + Sync,
    ) -> bool {
        let Self { solution, residuals, directions, products, inverses } = self;
        sweep::map(count, inverses, diagonal);
        let least = LEAST_DIAGONAL * sweep::max(count, |node| inverses[node]);
        sweep::update(inverses, |_, d| *d = if *d > 0.0 { d.max(least).recip() } else { 0.0 });
        sweep::map(count, solution, |_| 0.0);
        sweep::map(count, residuals, load);
        sweep::map(count, directions, |node| inverses[node] * residuals[node]);
        let dot = |a: &[f32], b: &[f32]| sweep::sum(count, |node| f64::from(a[node]) * f64::from(b[node]));
        let mut size = dot(residuals, directions);
        let enough = TOLERANCE * TOLERANCE * size;
        for _ in 0..MAX_ITERATIONS {
            if size <= enough {
                return true;
            }
            sweep::map(count, products, |node| product(node, directions));
            let curvature = dot(directions, products);
            if curvature <= 0.0 || curvature.is_nan() || is_cancelled() {
                return false;
            }
            let step = (size / curvature) as f32;
            sweep::update(solution, |node, e| *e += step * directions[node]);
            sweep::update(residuals, |node, r| *r -= step * products[node]);
            let last = size;
            size = sweep::sum(count, |node| f64::from(residuals[node]) * f64::from(inverses[node] * residuals[node]));
            let share = (size / last) as f32;
            sweep::update(directions, |node, d| *d = inverses[node] * residuals[node] + share * *d);
        }
        false
    }
}

#[cfg(test)]
mod tests;
