//! Presets: named sets of values for the parameters that trade accuracy for speed.

use super::value::{Choice, Value, choice};
use super::{Method, Parameters};

choice! {
    /// Trade-offs between accuracy and speed: values of the solver, its tolerances and warm start, and the lengths of the steps.
    pub enum Preset {
        /// To watch and play with: IISPH with long steps, which compress the water by up to 0.3 % on average.
        ///
        /// Fronts and heights are those of *accurate*; single drops and the pressure of impacts are not.
        Live = "live", "Live";
        /// To measure: DFSPH to a mean compression of 0.01 %, in short steps.
        Accurate = "accurate", "Accurate";
    }
}

impl Preset {
    /// Keys of the parameters that a preset decides, and their values in it; the maximum time step is [`Self::max_dt`].
    pub fn values(self) -> [(&'static str, Value); 6] {
        let (method, tolerance, divergence_tolerance, warm_start, cfl_factor) = match self {
            Self::Live => (Method::Iisph, 3e-3, 5e-3, 0.6, 1.4),
            Self::Accurate => (Method::Dfsph, 1e-4, 1e-3, 0.5, 0.4),
        };
        [
            ("solver.method", Value::Choice(method.name())),
            ("solver.iisph.tolerance", Value::Number(tolerance)),
            ("solver.dfsph.tolerance", Value::Number(tolerance)),
            ("solver.dfsph.divergence_tolerance", Value::Number(divergence_tolerance)),
            ("solver.warm_start", Value::Number(warm_start)),
            ("time_step.cfl_factor", Value::Number(cfl_factor)),
        ]
    }

    /// Maximum time step, s.
    pub fn max_dt(self) -> f32 {
        match self {
            Self::Live => 1e-2,
            Self::Accurate => 5e-3,
        }
    }

    /// Sets the values of the preset. A maximum time step that is shorter than that of every preset stays: the scene needs it.
    pub fn apply(self, parameters: &mut Parameters) {
        for (key, value) in self.values() {
            Parameters::entry(key).set(parameters, value);
        }
        let time_step = &mut parameters.time_step;
        if Self::VALUES.iter().any(|preset| time_step.max_dt >= preset.max_dt()) {
            time_step.max_dt = self.max_dt();
        }
        time_step.min_dt = time_step.min_dt.min(time_step.max_dt);
    }

    /// The preset whose values `parameters` have, with its maximum time step or a shorter one; `None` without one.
    pub fn of(parameters: &Parameters) -> Option<Self> {
        let has = |(key, value)| Parameters::entry(key).get(parameters) == value;
        let fits = |preset: &Self| parameters.time_step.max_dt <= preset.max_dt() && preset.values().into_iter().all(has);
        Self::VALUES.iter().copied().find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_recognised_until_one_of_its_values_changes() {
        let mut parameters = Parameters::default();
        assert_eq!(Preset::of(&parameters), None, "the defaults are for WCSPH");
        for &preset in Preset::VALUES {
            preset.apply(&mut parameters);
            assert_eq!((Preset::of(&parameters), parameters.time_step.max_dt), (Some(preset), preset.max_dt()));
            let mut changed = parameters;
            changed.time_step.cfl_factor = 0.1;
            assert_eq!(Preset::of(&changed), None);
        }
    }

    #[test]
    fn accurate_is_dfsph_at_its_defaults() {
        let mut parameters = Parameters::default();
        Preset::Accurate.apply(&mut parameters);
        parameters.solver.method = Parameters::default().solver.method;
        assert_eq!(parameters, Parameters::default());
    }

    #[test]
    fn a_scene_keeps_short_steps_and_bounds_stay_in_order() {
        let mut parameters = Parameters::default();
        parameters.time_step.max_dt = 2e-3;
        Preset::Live.apply(&mut parameters);
        assert_eq!((parameters.time_step.max_dt, Preset::of(&parameters)), (2e-3, Some(Preset::Live)));
        parameters.time_step.max_dt = Preset::Live.max_dt();
        parameters.time_step.min_dt = 8e-3;
        Preset::Accurate.apply(&mut parameters);
        assert!(parameters.time_step.validate().is_ok(), "{:?}", parameters.time_step);
    }
}
