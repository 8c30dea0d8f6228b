//! Quantities of each particle that follow from the fluid around it, computed when somebody looks at them: vorticity and number of
//! neighbours.

use crate::kernel::{SmoothingKernel, with_kernel};
use crate::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells, TooManyCells};
use crate::passes::sweep;
use crate::simulation::View;
use crate::space::Images;
use glam::{Mat3, Vec3};

/// Least determinant of the correction matrix M (1 inside the fluid, 1/8 in the corner of a cube) with which gradients are corrected.
/// For particles in a row, or alone, it is 0.
const LEAST_DETERMINANT: f32 = 0.02;

/// Neighbours of all particles of a fluid within a radius, at their present positions. Walls are not counted.
#[derive(Debug)]
pub struct Vicinity {
    /// Radius within which neighbours are found, m: the support radius, if not said otherwise.
    radius: f32,
    search: SortedCells,
    images: Images,
    lists: NeighborLists,
}

impl Default for Vicinity {
    fn default() -> Self {
        Self::within(1.0)
    }
}

impl Vicinity {
    fn within(radius: f32) -> Self {
        Self { radius, search: SortedCells::new(radius, radius), images: Images::default(), lists: NeighborLists::default() }
    }

    /// Finds the neighbours in `fluid`, on the rayon pool that this is called from; memory is reused.
    ///
    /// # Errors
    /// The search cannot cover the particles.
    pub fn update(&mut self, fluid: &View<'_>) -> Result<(), TooManyCells> {
        self.update_within(fluid.discretization.support_radius, fluid)
    }

    /// [`Self::update`] with neighbours within `radius`, m.
    pub(super) fn update_within(&mut self, radius: f32, fluid: &View<'_>) -> Result<(), TooManyCells> {
        if self.radius != radius {
            *self = Self::within(radius);
        }
        let positions = &fluid.particles.positions;
        let (points, ids) = self.images.behind(fluid.domain, radius, positions, &fluid.particles.ids);
        self.search.update(points, ids)?;
        self.lists.fill(&self.search, positions, Pairing::Across);
        self.lists.resolve_images(positions.len(), self.images.sources());
        Ok(())
    }

    /// Radius within which neighbours were found, m.
    pub(super) fn radius(&self) -> f32 {
        self.radius
    }

    /// Neighbours of particle `i`, and itself.
    pub(super) fn of(&self, i: usize) -> &[u32] {
        self.lists.of(i)
    }

    /// Number of neighbours of each particle of the fluid last given to [`Self::update`], itself not counted.
    pub fn counts(&self, fluid: &View<'_>, out: &mut Vec<f32>) {
        sweep::map(fluid.particles.len(), out, |i| self.lists.of(i).len().saturating_sub(1) as f32);
    }

    /// Vorticity |∇×v| of each particle of the fluid last given to [`Self::update`], 1/s.
    ///
    /// The gradient `Σ_j (m_j/ρ_j) (v_j − v_i) ⊗ ∇W_ij` is corrected by the inverse of `M = Σ_j (m_j/ρ_j) (x_j − x_i) ⊗ ∇W_ij`
    /// (BonetLok1999), so that it is exact for linear fields, also at a free surface: a rigid rotation at ω has 2ω everywhere. A particle
    /// with too few neighbours for the correction has the sum as it is.
    pub fn vorticity(&self, fluid: &View<'_>, out: &mut Vec<f32>) {
        with_kernel!(fluid.kernel(), kernel => self.vorticity_with(kernel, fluid, out));
    }

    fn vorticity_with<K: SmoothingKernel>(&self, kernel: K, fluid: &View<'_>, out: &mut Vec<f32>) {
        let particles = fluid.particles;
        let (positions, velocities, wrap) = (&particles.positions, &particles.velocities, fluid.wrap());
        let is_flat = fluid.discretization.dimensions.count() == 2;
        sweep::map(positions.len(), out, |i| {
            let (mut gradient, mut correction) = (Mat3::ZERO, Mat3::ZERO);
            for j in self.lists.of(i).iter().map(|&j| j as usize).filter(|&j| j != i) {
                let x_ij = wrap.minimum_image(positions[i], positions[j]);
                let volume = fluid.mass_of(j) as f32 / particles.densities[j];
                let weight = volume * kernel.dw_over_r(x_ij.length()) * x_ij;
                gradient += outer(velocities[j] - velocities[i], weight);
                correction -= outer(x_ij, weight);
            }
            if is_flat {
                correction.z_axis = Vec3::Z;
            }
            if correction.determinant() > LEAST_DETERMINANT {
                gradient *= correction.inverse();
            }
            curl(gradient).length()
        });
    }
}

/// Matrix a ⊗ b, with the entry `a_r b_c` in row r and column c.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Curl of a field with the gradient `∂v_r/∂x_c` in row r and column c.
fn curl(gradient: Mat3) -> Vec3 {
    let Mat3 { x_axis: x, y_axis: y, z_axis: z } = gradient;
    Vec3::new(y.z - z.y, z.x - x.z, x.y - y.x)
}
