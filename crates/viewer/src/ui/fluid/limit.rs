//! Words for what limits the time step.

use sph_core::TimeStepLimit;

/// Name of the criterion that limits the time step.
pub fn limit_text(limit: TimeStepLimit) -> &'static str {
    match limit {
        TimeStepLimit::Sound => "speed of sound",
        TimeStepLimit::Force => "acceleration",
        TimeStepLimit::Courant => "maximum speed",
        TimeStepLimit::Viscous => "viscosity",
        TimeStepLimit::Capillary => "surface tension",
        TimeStepLimit::Maximum => "maximum step",
        TimeStepLimit::Minimum => "minimum step",
        TimeStepLimit::Fixed => "fixed step",
        TimeStepLimit::Retry => "a step made again",
    }
}
