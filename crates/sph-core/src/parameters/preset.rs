//! Presets: named sets of values for the parameters that trade accuracy for speed.

use super::value::{Choice, Value, choice};
use super::{Method, Parameters};

choice! {
    /// Trade-offs between accuracy and speed: values of the solver, its tolerances and the lengths of the steps.
    pub enum Preset {
        /// To watch and play with: IISPH with long steps, whose mean compression stays below 0.5 %. Three to five times as fast.
        ///
        /// Splashes have the same height and arrive at the same time; pressure is noisy.
        Live = "live", "Live";
        /// To measure: DFSPH to a mean compression of 0.01 %, in short steps.
        Accurate = "accurate", "Accurate";
    }
}

impl Preset {
    /// Keys of the parameters that a preset decides, and their values in it.
    pub fn values(self) -> [(&'static str, Value); 7] {
        let (method, tolerance, divergence_tolerance, warm_start, cfl_factor, max_dt) = match self {
            Self::Live => (Method::Iisph, 3e-3, 5e-3, 0.7, 1.4, 1e-2),
            Self::Accurate => (Method::Dfsph, 1e-4, 1e-3, 0.5, 0.4, 5e-3),
        };
        [
            ("solver.method", Value::Choice(method.name())),
            ("solver.iisph.tolerance", Value::Number(tolerance)),
            ("solver.dfsph.tolerance", Value::Number(tolerance)),
            ("solver.dfsph.divergence_tolerance", Value::Number(divergence_tolerance)),
            ("solver.warm_start", Value::Number(warm_start)),
            ("time_step.cfl_factor", Value::Number(cfl_factor)),
            ("time_step.max_dt", Value::Number(max_dt)),
        ]
    }

    /// Sets the values of the preset.
    pub fn apply(self, parameters: &mut Parameters) {
        for (key, value) in self.values() {
            Parameters::entry(key).set(parameters, value);
        }
    }

    /// The preset whose values `parameters` have; `None` if they have been chosen one by one.
    pub fn of(parameters: &Parameters) -> Option<Self> {
        let has = |(key, value)| Parameters::entry(key).get(parameters) == value;
        Self::VALUES.iter().copied().find(|preset| preset.values().into_iter().all(has))
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
            assert_eq!(Preset::of(&parameters), Some(preset));
            for (key, value) in preset.values() {
                assert_eq!(Parameters::entry(key).get(&parameters), value, "{key}");
            }
            let changed = Parameters {
                time_step: super::super::TimeStepParameters { max_dt: 2e-3, ..parameters.time_step },
                ..parameters
            };
            assert_eq!(Preset::of(&changed), None);
        }
    }
}
