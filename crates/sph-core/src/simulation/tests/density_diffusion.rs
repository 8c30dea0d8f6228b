//! The forms of density diffusion: what they smooth, and what they leave alone.

use super::*;
use crate::parameters::DensityDiffusion;

impl Probe {
    /// Largest |dρ/dt|, surfaces included, but not the corners of the square, which count as spray.
    fn worst_density_rate(&self) -> f32 {
        let is_corner = |x: Vec3| (x - Vec3::new(0.5, 0.5, 0.0)).abs().truncate().min_element() > 0.5 - 2.0 * SMOOTHING_LENGTH;
        let positions = &self.simulation.state.particles.positions;
        let sides = (0..positions.len()).filter(|&i| !is_corner(positions[i]));
        sides.map(|i| self.density_rate(i).abs()).fold(0.0, f32::max)
    }
}

#[test]
fn density_diffuses() {
    let mut setup = square();
    setup.parameters.fluid.density_diffusion = 0.1;
    let k = std::f32::consts::TAU;
    let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * (k * x.x).sin()));
    let rate = 0.1 * SMOOTHING_LENGTH * SOUND_SPEED * k * k;
    let expected = |x: Vec3| -rate * REST_DENSITY * 0.01 * (k * x.x).sin();
    // 3 % is the error of the smoothed Laplacian at a wavelength of 11 support radii.
    probe.compare("δ h c₀ ∇²ρ", 0.05, |i| probe.density_rate(i), expected);
}

#[test]
fn molteni_and_antuono_diffuse_noise_alike() {
    let k = std::f32::consts::TAU / (4.0 * SPACING);
    for diffusion in DensityDiffusion::ALL {
        let mut setup = square();
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.parameters.solver.wcsph.diffusion = diffusion;
        // A wave of four spacings: the mean gradient over the neighbourhood is zero.
        let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * (k * x.x).sin()));
        let crest = probe.density_before.iter().zip(0..).filter(|(density, _)| **density > 1006.0).map(|(_, i)| i);
        assert!(crest.clone().count() > 100);
        let inside =
            |&i: &usize| (probe.simulation.state.particles.positions[i] - Vec3::new(0.5, 0.5, 0.0)).abs().max_element() < 0.3;
        for i in crest.filter(inside) {
            assert!(probe.density_rate(i) < 0.0, "{diffusion:?}: {}", probe.density_rate(i));
        }
    }
}

/// A uniform density gradient is not diffused by Antuono's form, but at a surface it is by Molteni's.
#[test]
fn antuono_leaves_uniform_gradients_alone() {
    let worst = |diffusion| {
        let mut setup = square();
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.parameters.solver.wcsph.diffusion = diffusion;
        let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * (1.0 + 0.01 * x.x - 0.02 * x.y));
        probe.worst_density_rate()
    };
    let (molteni, antuono) = (worst(DensityDiffusion::Molteni), worst(DensityDiffusion::Antuono));
    // The rounding of a density in f32, 6e-5 kg/m³, over a millisecond.
    assert!(antuono < 0.02 * molteni + 0.13, "{antuono} against {molteni}");
}

#[test]
fn hydrostatic_density_does_not_diffuse() {
    let mut setup = square();
    setup.parameters.fluid.density_diffusion = 0.1;
    setup.parameters.gravity.y = -9.81;
    let slope = -REST_DENSITY * 9.81 / (SOUND_SPEED * SOUND_SPEED);
    let probe = Probe::new(&setup, DT, |_| Vec3::ZERO, |x| REST_DENSITY * 1.03 + slope * x.y);
    // The surface included, where Molteni's form, which ignores gravity, has its largest error.
    let scale = 0.1 * SMOOTHING_LENGTH * SOUND_SPEED * slope.abs() / SMOOTHING_LENGTH;
    let worst = probe.worst_density_rate();
    assert!(worst < 0.02 * scale, "{worst} of {scale}");
}
