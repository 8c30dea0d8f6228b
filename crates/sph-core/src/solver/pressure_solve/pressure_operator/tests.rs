//! Pressure operator on irregular particles: symmetric, with the diagonal −D, and without net force.

mod free_surface;

use super::*;
use crate::boundary::{Container, Faces, PlanePressures, Planes, WallIntegral, WallNeighborLists};
use crate::forces::ExternalForces;
use crate::kernel::{Kernel, with_kernel};
use crate::neighbors::{NeighborLists, Pairing, Search};
use crate::parameters::{
    Dimensions, Discretization, FluidParameters, ForceParameters, GridParameters, HashFunction, KernelKind, Parameters,
    Structure, TimeStepParameters, ViscosityModel, WallSampling,
};
use crate::space::{Domain, Wrap};
use glam::DVec3;

/// Irregular particles in a box, and its walls if it has any.
pub(crate) struct Strewn {
    pub discretization: Discretization,
    pub parameters: Parameters,
    domain: Domain,
    rounding_errors: Vec<Vec3>,
    pub positions: Vec<Vec3>,
    pub walls: BoundaryParticles,
    lists: [NeighborLists; 2],
    wall_neighbors: WallNeighborLists,
    planes: Planes,
    wall_integrals: Vec<WallIntegral>,
    /// One cell, unless replaced.
    pub cells: Vec<u32>,
}

impl Strewn {
    pub fn new(dimensions: Dimensions, kernel: KernelKind, faces: Faces) -> Self {
        let discretization =
            Discretization { dimensions, particle_spacing: 0.1, kernel, support_radius: 0.23, rest_density: 1000.0 };
        let grid = GridParameters {
            structure: Structure::BruteForce,
            table_size: 1,
            cell_size: discretization.support_radius,
            hash: HashFunction::Muller,
            bucket_capacity: 1,
        };
        let parameters = Parameters {
            fluid: FluidParameters {
                sound_speed: 10.0,
                kinematic_viscosity: 0.0,
                viscosity_model: ViscosityModel::Morris,
                artificial_viscosity: 0.0,
                density_diffusion: 0.0,
            },
            forces: ForceParameters::default(),
            gravity: Vec3::ZERO,
            time_step: TimeStepParameters { max_dt: 1e-3, ..TimeStepParameters::default() },
            grid,
            ..Parameters::default()
        };
        // A low-discrepancy sequence: even, but without a lattice.
        let fraction = |x: f32| x.fract();
        let flat = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
        let position = |n: u16| {
            let n = f32::from(n);
            0.6 * Vec3::new(fraction(0.819_172_5 * n), fraction(0.671_043_6 * n), flat * fraction(0.549_700_5 * n))
        };
        let count = if dimensions == Dimensions::Two { 40 } else { 200 };
        let positions: Vec<Vec3> = (1..=count).map(position).collect();
        let mut walls = BoundaryParticles::default();
        let container = Container { min: Vec3::ZERO, max: Vec3::splat(0.6), faces, ..Container::default() };
        container.sample(
            &discretization,
            (&Domain::default(), WallSampling::Layers),
            discretization.particle_volume(),
            &mut walls,
        );
        let ids = |points: &[Vec3]| (0..points.len() as u32).collect::<Vec<_>>();
        let mut lists = [(); 2].map(|()| NeighborLists::default());
        let mut search = Search::new(&grid, discretization.support_radius);
        search.update(&positions, &ids(&positions)).expect("an unbounded structure");
        search.fill(&mut lists[0], &positions, Pairing::Within);
        search.update(&walls.positions, &ids(&walls.positions)).expect("an unbounded structure");
        search.fill(&mut lists[1], &positions, Pairing::Across);
        let mut wall_neighbors = WallNeighborLists::default();
        wall_neighbors.transpose(&lists[1], walls.len());
        Self {
            discretization,
            parameters,
            domain: Domain::default(),
            rounding_errors: vec![Vec3::ZERO; positions.len()],
            positions,
            walls,
            lists,
            wall_neighbors,
            planes: Planes::default(),
            wall_integrals: Vec::new(),
            cells: vec![0, count.into()],
        }
    }

    /// Replaces the particles by particles at `exact` positions, m, with rounding errors, and removes the walls.
    pub fn place(&mut self, exact: &[DVec3]) {
        self.positions = exact.iter().map(|position| position.as_vec3()).collect();
        let rounding_error = |(exact, rounded): (&DVec3, &Vec3)| (*exact - rounded.as_dvec3()).as_vec3();
        self.rounding_errors = exact.iter().zip(&self.positions).map(rounding_error).collect();
        self.cells = vec![0, exact.len() as u32];
        let ids: Vec<u32> = (0..exact.len() as u32).collect();
        let mut search = Search::new(&self.parameters.grid, self.discretization.support_radius);
        search.update(&self.positions, &ids).expect("an unbounded structure");
        search.fill(&mut self.lists[0], &self.positions, Pairing::Within);
        search.update(&[], &[]).expect("an unbounded structure");
        search.fill(&mut self.lists[1], &self.positions, Pairing::Across);
    }

    pub fn ctx(&self) -> StepContext<'_> {
        let Discretization { dimensions, kernel, support_radius, .. } = self.discretization;
        StepContext {
            cancel: None,
            discretization: &self.discretization,
            parameters: &self.parameters,
            kernel: Kernel::new(kernel, dimensions, support_radius),
            wrap: Wrap::new(&self.domain),
            rounding_errors: &self.rounding_errors,
            mass: 1000.0 * self.discretization.particle_volume(),
            has_fluid: true,
            mixture: None,
            external: ExternalForces::NONE,
            cells: &self.cells,
            fluid: &self.lists[0],
            walls: &self.lists[1],
            wall_neighbors: &self.wall_neighbors,
            planes: &self.planes,
            wall_integrals: &self.wall_integrals,
            last_dt: 0.0,
            density_age: 0.0,
        }
    }

    fn accelerations(&self, k: &[f32]) -> Vec<Vec3> {
        let ctx = self.ctx();
        let mut out = Vec::new();
        let planes = PlanePressures::new(&ctx, &self.walls, false);
        let pressures = Pressures { fluid: k, walls: &self.walls.pressures, planes };
        acceleration(&self.gradients(), &ctx, pressures, &mut out);
        out.iter().map(|acceleration| acceleration.truncate()).collect()
    }

    /// Applies the operator: A k, with one-sided walls.
    fn apply(&self, k: &[f32]) -> Vec<f32> {
        let (ctx, gradients) = (self.ctx(), self.gradients());
        let accelerations: Vec<Vec4> = self.accelerations(k).iter().map(|acceleration| acceleration.extend(0.0)).collect();
        let mut out = Vec::new();
        compression_rates(&gradients, &ctx, (&accelerations, None), &mut out, |_, rate| rate);
        out
    }

    fn gradients_density_and_alpha(&self) -> (Gradients, Vec<DensityAndAlpha>) {
        let ctx = self.ctx();
        let (mut gradients, mut out) = Default::default();
        with_kernel!(ctx.kernel, kernel => {
            let mut buffers = GatherBuffers::default();
            density_and_alpha(kernel, &ctx, &self.positions, &self.walls, &mut buffers, (&mut gradients, &mut out));
        });
        (gradients, out)
    }

    fn gradients(&self) -> Gradients {
        self.gradients_density_and_alpha().0
    }

    fn density_and_alpha(&self) -> Vec<DensityAndAlpha> {
        self.gradients_density_and_alpha().1
    }
}

fn each_case() -> impl Iterator<Item = (Strewn, String)> {
    let dimensions = [Dimensions::Two, Dimensions::Three];
    dimensions.into_iter().flat_map(|dimensions| {
        KernelKind::ALL.into_iter().flat_map(move |kernel| {
            [Faces::NONE, Faces::ALL]
                .map(|faces| (Strewn::new(dimensions, kernel, faces), format!("{dimensions:?} {kernel:?} {faces:?}")))
        })
    })
}

#[test]
fn symmetric_and_negative_definite_with_the_diagonal_minus_d() {
    for (strewn, case) in each_case() {
        let count = strewn.positions.len();
        let column = |j: usize| strewn.apply(&(0..count).map(|i| f32::from(u8::from(i == j))).collect::<Vec<_>>());
        let columns: Vec<Vec<f32>> = (0..count).map(column).collect();
        let density_and_alpha = strewn.density_and_alpha();
        let scale = density_and_alpha.iter().map(|site| site.alpha.recip()).filter(|d| d.is_finite()).fold(0.0, f32::max);
        for i in 0..count {
            assert!(density_and_alpha[i].alpha > 0.0, "{case}: particle {i} has no neighbours");
            let diagonal = -density_and_alpha[i].alpha.recip();
            assert!((columns[i][i] / diagonal - 1.0).abs() < 2e-5, "{case}: {} on the diagonal, not {diagonal}", columns[i][i]);
            for (j, column) in columns.iter().enumerate() {
                assert!((columns[i][j] - column[i]).abs() < 1e-5 * scale, "{case}: the entries {i}, {j} and {j}, {i} differ");
            }
        }
        // k·Ak < 0 for some k that is no unit vector.
        let k: Vec<f32> = (0..count).map(|i| (i as f32 * 0.7).sin()).collect();
        let energy: f32 = strewn.apply(&k).iter().zip(&k).map(|(a, k)| a * k).sum();
        assert!(energy < 0.0, "{case}: {energy}");
    }
}

#[test]
fn fluid_alone_keeps_its_momentum() {
    for (strewn, case) in each_case().filter(|(strewn, _)| strewn.walls.is_empty()) {
        let k: Vec<f32> = (0..strewn.positions.len()).map(|i| (i as f32 * 0.7).sin().max(0.0)).collect();
        let accelerations = strewn.accelerations(&k);
        let total: Vec3 = accelerations.iter().sum();
        let size: f32 = accelerations.iter().map(|a| a.length()).sum();
        assert!(total.length() < 1e-6 * size, "{case}: {total} of {size}");
    }
}

/// Both halves of the operator against sums over all pairs in f64, to the rounding of gradients, half a unit, and of f32.
#[test]
fn both_sums_are_exact_to_the_rounding_of_gradients() {
    for (mut strewn, case) in each_case() {
        let k: Vec<f32> = (0..strewn.positions.len()).map(|i| 1.0 + (i as f32 * 0.7).sin()).collect();
        let walls: Vec<f32> = (0..strewn.walls.len()).map(|b| 1.0 + (b as f32 * 0.3).cos()).collect();
        strewn.walls.pressures.clone_from(&walls);
        let ctx = strewn.ctx();
        let (volume, radius) = (ctx.rest_volume(), strewn.discretization.support_radius);
        let steepest = (1..=1000u16).map(|n| radius * f32::from(n) * 1e-3).map(|r| r * ctx.kernel.dw_over_r(r).abs());
        let half_unit = 0.5 * f64::from(volume * steepest.fold(0.0, f32::max)) / 31_000.0;
        let gradient =
            |i: usize, other: Vec3, volume: f32| (volume * ctx.kernel.grad_w(strewn.positions[i] - other)).as_dvec3();
        let found = strewn.accelerations(&k);
        let field: Vec<Vec4> = found.iter().map(|a| a.extend(0.0)).collect();
        let mut rates = Vec::new();
        compression_rates(&strewn.gradients(), &ctx, (&field, None), &mut rates, |_, rate| rate);
        for i in 0..k.len() {
            let (mut push, mut pushed, mut rate, mut moved) = (DVec3::ZERO, 0.0, 0.0, 0.0);
            // Sums of absolute values, for the rounding of f32.
            let (mut size, mut extent) = (0.0, 0.0);
            for (j, &other) in strewn.positions.iter().enumerate() {
                let gradient = gradient(i, other, volume);
                if j != i && strewn.positions[i].distance(other) < radius {
                    let (both, apart) = (f64::from(k[i] + k[j]), (found[i] - found[j]).as_dvec3());
                    (push, pushed, size) = (push - both * gradient, pushed + both, size + both * gradient.length());
                    (rate, moved) = (rate + apart.dot(gradient), moved + apart.abs().element_sum());
                    extent += apart.length() * gradient.length();
                }
            }
            for (b, &other) in strewn.walls.positions.iter().enumerate() {
                let gradient = gradient(i, other, strewn.walls.volumes[b]);
                let (both, apart) = (f64::from(k[i] + walls[b]), found[i].as_dvec3());
                (push, size) = (push - both * gradient, size + both * gradient.length());
                (rate, extent) = (rate + apart.dot(gradient), extent + apart.length() * gradient.length());
            }
            let off = (found[i].as_dvec3() - push).abs().max_element();
            assert!(off < half_unit * pushed + 1e-5 * size, "{case}: {off:e} at {i}, {:e}", half_unit * pushed);
            let off = (f64::from(rates[i]) - rate).abs();
            assert!(off < half_unit * moved + 1e-5 * extent, "{case}: rate {off:e} at {i}, {:e}", half_unit * moved);
        }
    }
}

#[test]
fn densities_are_sums_over_all_pairs() {
    for (strewn, case) in each_case() {
        let ctx = strewn.ctx();
        let volume = ctx.rest_volume();
        let (positions, mut alone) = (strewn.positions.iter().map(|at| at.extend(0.0)).collect::<Vec<_>>(), Vec::new());
        with_kernel!(ctx.kernel, kernel => relative_densities(kernel, &ctx, &positions, &strewn.walls, &mut alone));
        for (i, site) in strewn.density_and_alpha().iter().enumerate() {
            let term = |(other, volume): (&Vec3, f32)| volume * ctx.kernel.w(strewn.positions[i].distance(*other));
            let fluid: f32 = strewn.positions.iter().map(|other| term((other, volume))).sum();
            let solid: f32 = strewn.walls.positions.iter().zip(strewn.walls.volumes.iter().copied()).map(term).sum();
            assert!((site.relative_density - fluid - solid).abs() < 1e-5, "{case}: {} at {i}", site.relative_density);
            assert!((site.relative_density - alone[i]).abs() < 1e-5, "{case}: {} at {i}", alone[i]);
        }
    }
}

/// Densities of a lattice far from the origin, with a density difference of 1e-5 across it, against sums in f64 over the exact
/// positions.
#[test]
fn density_differences_of_1e_5_survive_far_from_the_origin() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        // Distance from the origin in support radii, and largest errors of the density without and with compensation.
        for (radii, rounded_limit, compensated_limit) in [(0.0, 1e-6, 1e-6), (100.0, 4e-5, 1e-6), (1000.0, 1e-3, 1e-6)] {
            let mut strewn = Strewn::new(dimensions, KernelKind::WendlandC2, Faces::NONE);
            let offset = radii * f64::from(strewn.discretization.support_radius) + 0.0123;
            let flat = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
            let exact: Vec<DVec3> = lattice(if dimensions == Dimensions::Two { [14, 14, 1] } else { [10, 8, 8] })
                .map(|cell| DVec3::new(0.1 * cell.x * (1.0 - 3.5e-7 * cell.x), 0.1 * cell.y, 0.1 * cell.z))
                .map(|position| (position + offset) * DVec3::new(1.0, 1.0, flat))
                .collect();
            let expected = exact_densities(&strewn, &exact);
            strewn.place(&exact);
            let error = |strewn: &Strewn| {
                let density_and_alpha = strewn.density_and_alpha();
                let off =
                    density_and_alpha.iter().zip(&expected).map(|(site, &e)| (f64::from(site.relative_density) - e).abs());
                off.fold(0.0, f64::max)
            };
            let compensated = error(&strewn);
            strewn.rounding_errors.fill(Vec3::ZERO);
            let rounded = error(&strewn);
            println!("{dimensions:?}, {radii} radii: {rounded:.1e} without, {compensated:.1e} with compensation");
            let within = compensated < compensated_limit && rounded < rounded_limit;
            assert!(within, "{dimensions:?}, {radii} radii: {rounded:e}, {compensated:e}");
        }
    }
}

fn lattice(counts: [u32; 3]) -> impl Iterator<Item = DVec3> {
    let [x, y, z] = counts;
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| glam::UVec3::new(x, y, z).as_dvec3())))
}

/// R at every position, by summation in f64 over all pairs.
fn exact_densities(strewn: &Strewn, positions: &[DVec3]) -> Vec<f64> {
    let ctx = strewn.ctx();
    let (kernel, volume, radius) = (ctx.kernel, f64::from(ctx.rest_volume()), f64::from(strewn.discretization.support_radius));
    // The kernel in f32, at exact distances.
    let weight = |r: f64| if r < radius { f64::from(kernel.w(r as f32)) } else { 0.0 };
    positions.iter().map(|a| volume * positions.iter().map(|b| weight(a.distance(*b))).sum::<f64>()).collect()
}
