//! Softness of weakly compressible fluid: its speed of sound against its own speed.

use sph_core::parameters::Parameters;
use sph_core::{Method, StepStats};

/// Mean density error above which the speed of sound is too low.
const MAX_DENSITY_ERROR: f32 = 0.01;

/// Ratio of the speed of sound to the maximum speed that keeps the density within 1 % (Monaghan1994).
const SUFFICIENT: f32 = 10.0;

/// Stiffness of the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stiffness {
    /// Ten times the maximum speed, or more.
    Sufficient,
    /// Less, but the fluid is compressed by less than 1 %, which is what the ratio is for.
    WithoutCompression,
    /// Five to ten times.
    SomewhatLow,
    /// Less, and the fluid is compressed.
    TooLow,
    /// The fluid is faster than its sound.
    Unstable,
}

/// Stiffness of the fluid in the latest step, and the ratio of the speed of sound to the maximum speed; `None` with a solver that
/// has no speed of sound, and for fluid at rest.
pub fn stiffness(parameters: &Parameters, stats: Option<&StepStats>) -> Option<(Stiffness, f32)> {
    let stats = stats.filter(|stats| stats.max_speed > 0.0 && parameters.solver.method == Method::Wcsph)?;
    let ratio = parameters.fluid.sound_speed / stats.max_speed;
    let stiffness = match ratio {
        ..1.0 => Stiffness::Unstable,
        SUFFICIENT.. => Stiffness::Sufficient,
        _ if stats.density_error < MAX_DENSITY_ERROR => Stiffness::WithoutCompression,
        5.0.. => Stiffness::SomewhatLow,
        _ => Stiffness::TooLow,
    };
    Some((stiffness, ratio))
}
