//! The operator on particles without any order: symmetric, with the diagonal that the solvers divide by, and without net force.

use super::*;
use crate::boundary::{Container, Faces, WallSampling};
use crate::domain::{Domain, Wrap};
use crate::forces::{ForceParameters, Outside};
use crate::kernel::{Kernel, KernelKind, with_kernel};
use crate::neighbors::{GridParameters, HashFunction, NeighborLists, Pairing, Search, Structure};
use crate::parameters::{Dimensions, Discretization, FluidParameters, Parameters, TimeStepParameters, ViscosityModel};
use crate::solver::SolverParameters;

/// Particles strewn over a box, and its walls where it has any.
pub(crate) struct Strewn {
    pub discretization: Discretization,
    pub parameters: Parameters,
    domain: Domain,
    pub positions: Vec<Vec3>,
    pub walls: BoundaryParticles,
    lists: [NeighborLists; 3],
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
            solver: SolverParameters::default(),
        };
        // A sequence that fills the box evenly but without any lattice.
        let fraction = |x: f32| x.fract();
        let flat = if dimensions == Dimensions::Two { 0.0 } else { 1.0 };
        let place = |n: u16| {
            let n = f32::from(n);
            0.6 * Vec3::new(fraction(0.819_172_5 * n), fraction(0.671_043_6 * n), flat * fraction(0.549_700_5 * n))
        };
        let count = if dimensions == Dimensions::Two { 40 } else { 200 };
        let positions: Vec<Vec3> = (1..=count).map(place).collect();
        let mut walls = BoundaryParticles::default();
        let container = Container { min: Vec3::ZERO, max: Vec3::splat(0.6), faces, ..Container::default() };
        container.sample(
            &discretization,
            (&Domain::default(), WallSampling::Layers),
            discretization.particle_volume(),
            &mut walls,
        );
        let names = |points: &[Vec3]| (0..points.len() as u32).collect::<Vec<_>>();
        let mut lists = [(); 3].map(|()| NeighborLists::default());
        let mut search = Search::new(&grid, discretization.support_radius);
        search.update(&positions, &names(&positions)).expect("an unbounded structure");
        search.fill(&mut lists[0], &positions, Pairing::Within);
        search.fill(&mut lists[2], &walls.positions, Pairing::Across);
        search.update(&walls.positions, &names(&walls.positions)).expect("an unbounded structure");
        search.fill(&mut lists[1], &positions, Pairing::Across);
        Self { discretization, parameters, domain: Domain::default(), positions, walls, lists }
    }

    pub fn around(&self) -> Surroundings<'_> {
        let Discretization { dimensions, kernel, support_radius, .. } = self.discretization;
        Surroundings {
            discretization: &self.discretization,
            parameters: &self.parameters,
            kernel: Kernel::new(kernel, dimensions, support_radius),
            wrap: Wrap::new(&self.domain),
            mass: 1000.0 * self.discretization.particle_volume(),
            outside: Outside::NONE,
            fluid: &self.lists[0],
            walls: &self.lists[1],
            fluid_of_walls: &self.lists[2],
            last_dt: 0.0,
            lag: 0.0,
        }
    }

    fn accelerations(&self, k: &[f32]) -> Vec<Vec3> {
        let around = self.around();
        let mut out = Vec::new();
        with_kernel!(around.kernel, kernel => acceleration(kernel, &around, &self.positions, &self.walls, k, &mut out));
        out
    }

    /// A k, with walls that do not push back.
    fn applied(&self, k: &[f32]) -> Vec<f32> {
        let (around, accelerations) = (self.around(), self.accelerations(k));
        let rate = |i| {
            with_kernel!(around.kernel, kernel => {
                compression_rate(kernel, &around, &self.positions, &self.walls, (&accelerations, |_| Vec3::ZERO), i)
            })
        };
        (0..self.positions.len()).map(rate).collect()
    }

    fn sites(&self) -> Vec<Site> {
        let around = self.around();
        let mut out = Vec::new();
        with_kernel!(around.kernel, kernel => sites(kernel, &around, &self.positions, &self.walls, &mut out));
        out
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
fn symmetric_negative_with_the_diagonal_that_is_divided_by() {
    for (strewn, case) in each_case() {
        let count = strewn.positions.len();
        let column = |j: usize| strewn.applied(&(0..count).map(|i| f32::from(u8::from(i == j))).collect::<Vec<_>>());
        let columns: Vec<Vec<f32>> = (0..count).map(column).collect();
        let sites = strewn.sites();
        let scale = sites.iter().map(|site| site.alpha.recip()).filter(|d| d.is_finite()).fold(0.0, f32::max);
        for i in 0..count {
            assert!(sites[i].alpha > 0.0, "{case}: particle {i} is alone");
            let diagonal = -sites[i].alpha.recip();
            assert!((columns[i][i] / diagonal - 1.0).abs() < 2e-5, "{case}: {} on the diagonal, not {diagonal}", columns[i][i]);
            for (j, column) in columns.iter().enumerate() {
                assert!((columns[i][j] - column[i]).abs() < 1e-5 * scale, "{case}: {i}, {j} is not as {j}, {i}");
            }
        }
        // k·Ak < 0 for some k that is no unit vector.
        let k: Vec<f32> = (0..count).map(|i| (i as f32 * 0.7).sin()).collect();
        let energy: f32 = strewn.applied(&k).iter().zip(&k).map(|(a, k)| a * k).sum();
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

#[test]
fn densities_are_the_sums_they_should_be() {
    for (strewn, case) in each_case() {
        let around = strewn.around();
        let volume = around.rest_volume();
        for (i, site) in strewn.sites().iter().enumerate() {
            let near = |(place, volume): (&Vec3, f32)| volume * around.kernel.w(strewn.positions[i].distance(*place));
            let fluid: f32 = strewn.positions.iter().map(|place| near((place, volume))).sum();
            let solid: f32 = strewn.walls.positions.iter().zip(strewn.walls.volumes.iter().copied()).map(near).sum();
            assert!((site.relative_density - fluid - solid).abs() < 1e-5, "{case}: {} at {i}", site.relative_density);
            let alone = with_kernel!(around.kernel, kernel => {
                relative_density(kernel, &around, &strewn.positions, &strewn.walls, i)
            });
            assert!((site.relative_density - alone).abs() < 1e-5, "{case}: {alone} at {i}");
        }
    }
}
