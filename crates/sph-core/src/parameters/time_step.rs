//! Bounds on the time step.

use super::table::define::parameters;
use super::table::error::{ParameterError, require};
use super::table::spec::Spec;

parameters! {
    /// Bounds on the time step.
    pub struct TimeStepParameters {
        /// Courant factor: fraction of the stability limits that is used. Smaller is safer and slower.
        cfl_factor: f32 = 0.4 => Spec::new("Time-step factor").range(0.0..=1.0).above_low().slider(0.05..=1.0, 0.01)
            .usual(0.2..=0.5)
            .ends("many short steps: slow and safe", "few long steps: fast, and above the stability limits unstable");
        /// Maximum time step.
        max_dt: f32 = 5e-3 => Spec::new("Maximum time step").unit("s").range(1e-9..=1.0).log_slider(1e-6..=0.1, 1e-6)
            .usual(1e-4..=1e-2)
            .ends("many short steps", "stability alone limits the steps");
        /// Minimum time step, taken even if a stability limit is shorter: the run may then become unstable. 0 for no minimum.
        min_dt: f32 = 0.0 => Spec::new("Minimum time step").unit("s").range(0.0..=1.0).range_words("0 to time_step.max_dt")
            .log_slider(0.0..=5e-3, 1e-6)
            .usual(0.0..=1e-4)
            .ends("stability alone limits the steps", "steps exceed what is stable, and the fluid may explode");
        /// Fixed time step: length of every step, regardless of stability limits and bounds. If it exceeds them, the run may
        /// become unstable.
        fixed_dt: Option<f32> = None => Spec::new("Fixed step length").unit("s").range(1e-9..=1.0).log_slider(0.0..=5e-3, 1e-6)
            .default_words("not fixed")
            .usual(1e-5..=2e-3)
            .ends("many short steps", "steps exceed what is stable, and the fluid may explode");
    }
}

impl TimeStepParameters {
    /// Checks the bounds against each other.
    pub(super) fn validate(&self) -> Result<(), ParameterError> {
        let &Self { max_dt, min_dt, .. } = self;
        require((0.0..=max_dt).contains(&min_dt), "time_step.min_dt", min_dt, "0 to time_step.max_dt (s)")
    }
}
