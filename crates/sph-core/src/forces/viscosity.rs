//! Viscosity between particles, and between the fluid and walls that drag it.

use super::Flow;
use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::parameters::ViscosityModel;
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// `dv_i/dt = Σ_j m/ρ̄_ij [α c₀ h min(v·x, 0) x + L] W′/r/(r² + η²)`: artificial viscosity after Monaghan1992, laminar either after
/// Morris1997, `L = 2ν r² v`, or after Monaghan2005, `L = 2(d + 2)ν (v·x) x`.
///
/// Walls that drag take part in the laminar one with their mirrored velocities, as fluid of rest density ρ₀ and of the mass ρ₀V_b.
pub(super) fn accelerate<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    flow: Flow<'_>,
    walls: &BoundaryParticles,
    accelerations: &mut Vec<Vec3>,
) {
    let fluid = around.parameters.fluid;
    let eta_squared = around.eta_squared();
    let artificial = fluid.artificial_viscosity * fluid.sound_speed * around.smoothing_length();
    // The implicit one acts on the velocities that all other forces have made.
    let is_implicit = fluid.viscosity_model == ViscosityModel::Implicit;
    let (across, along) = if is_implicit { (0.0, 0.0) } else { laminar(around) };
    let Flow { positions, velocities, densities } = flow;
    let wall_drags = !walls.mirrored.is_empty();
    if artificial == 0.0 && across == 0.0 && along == 0.0 {
        sweep::map(positions.len(), accelerations, |_| Vec3::ZERO);
        return;
    }
    sweep::map(positions.len(), accelerations, |i| {
        let mut sum = Vec3::ZERO;
        for &j in around.fluid.of(i) {
            let j = j as usize;
            let x_ij = around.between(positions[i], positions[j]);
            let v_ij = velocities[i] - velocities[j];
            let v_x = v_ij.dot(x_ij);
            let r_squared = x_ij.length_squared();
            let dw = kernel.dw_over_r(r_squared.sqrt());
            // 2m/(ρ_i + ρ_j): the mass over the mean density, times W′/r over r² + η².
            let weight = 2.0 * around.mass / (densities[i] + densities[j]) * dw / (r_squared + eta_squared);
            sum += weight * ((artificial * v_x.min(0.0) + along * v_x) * x_ij + across * r_squared * v_ij);
        }
        if !wall_drags {
            return sum;
        }
        for &b in around.walls.of(i) {
            let b = b as usize;
            if walls.no_slip[b] {
                let x_ib = around.between(positions[i], walls.positions[b]);
                sum += wall_drag(kernel, around, walls, b, (x_ib, velocities[i], densities[i]));
            }
        }
        sum
    });
}

/// What boundary particle b, whose wall drags, does to fluid of `velocity` (m/s) and `density` (kg/m³) at `x_ib` (m) from it, m/s².
#[inline]
pub(crate) fn wall_drag<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    walls: &BoundaryParticles,
    b: usize,
    (x_ib, velocity, density): (Vec3, Vec3, f32),
) -> Vec3 {
    let (across, along) = laminar(around);
    let rest_density = around.discretization.rest_density;
    let v_ib = velocity - walls.mirrored[b];
    let r_squared = x_ib.length_squared();
    let dw = kernel.dw_over_r(r_squared.sqrt());
    let weight = 2.0 * rest_density * walls.volumes[b] / (density + rest_density) * dw / (r_squared + around.eta_squared());
    weight * (along * v_ib.dot(x_ib) * x_ib + across * r_squared * v_ib)
}

/// Coefficients of the laminar viscosity across and along the line between two particles, m²/s.
fn laminar(around: &Surroundings<'_>) -> (f32, f32) {
    let viscosity = around.parameters.fluid.kinematic_viscosity;
    match around.parameters.fluid.viscosity_model {
        ViscosityModel::Morris => (2.0 * viscosity, 0.0),
        ViscosityModel::Central | ViscosityModel::Implicit => {
            (0.0, 2.0 * (around.discretization.dimensions.count() + 2) as f32 * viscosity)
        }
    }
}
