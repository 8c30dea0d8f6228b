//! Remedies for a refused step: changes of the scene that would help, by what bound the step and by what went wrong.

use super::{
    AccelerationTerm, Iterations, Parameters, Rounded, StepBound, StepError, StepStats, TimeStepLimit, TimeStepParameters,
    ViscosityModel,
};
use crate::parameters::{Kind, Value};
use glam::Vec3;

/// Compression above which the fluid is too soft, as long as its steps are within their limits.
const MAX_COMPRESSION: f32 = 0.1;

/// Change of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Effect, as a noun.
    pub effect: &'static str,
    /// Key in a scene file.
    pub key: String,
    /// Value to try, as in a scene file.
    pub value: String,
    /// Present value, with its unit.
    pub now: String,
}

impl Remedy {
    fn new(effect: &'static str, key: impl Into<String>, value: f32, (now, unit): (f32, &str)) -> Self {
        Self { effect, key: key.into(), value: value.to_string(), now: format!("{now}{unit}") }
    }

    /// The change as the panels name it: `Maximum step: 0.001 s`.
    pub fn words(&self) -> String {
        let Some(entry) = Parameters::table().iter().find(|entry| entry.key == self.key) else { return String::new() };
        match &entry.kind {
            Kind::Choice(options) => {
                let chosen = options.iter().find(|option| option.name == self.value);
                format!("{}: {}", entry.label, chosen.map_or(&*self.value, |option| option.label))
            }
            _ => format!("{}: {} {}", entry.label, self.value, entry.unit).trim_end().to_owned(),
        }
    }

    /// `parameters` with the change; `None` if the value is not of the kind of the parameter.
    pub fn apply(&self, parameters: &Parameters) -> Option<Parameters> {
        let entry = Parameters::table().iter().find(|entry| entry.key == self.key)?;
        let value = match &entry.kind {
            Kind::Choice(options) => Value::Choice(options.iter().find(|option| option.name == self.value)?.name),
            Kind::Count => Value::Count(self.value.parse().ok()?),
            _ => Value::Number(self.value.parse().ok()?),
        };
        let mut changed = *parameters;
        entry.set(&mut changed, value).then_some(changed)
    }
}

/// Account of a refused step.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// One sentence: when, and what would have happened.
    pub sentence: String,
    /// Stable id of the particle that would have had an invalid state, and its place, m.
    pub particle: Option<(u32, Vec3)>,
    /// Cause of most of its acceleration, and the magnitude, m/s².
    pub dominant: Option<(AccelerationTerm, f32)>,
    /// Changes that would help, the most promising first.
    pub remedies: Vec<Remedy>,
}

impl Refusal {
    /// Account of the step of `stats`, refused with `error` and `parameters`.
    pub fn new(error: &StepError, stats: &StepStats, parameters: &Parameters) -> Self {
        Self {
            sentence: format!("At {:.4} s, in step {}: {error}.", stats.time, stats.step + 1),
            particle: error.particle(),
            dominant: stats.accelerations.map(|accelerations| accelerations.dominant()),
            remedies: match error {
                StepError::Search(_) | StepError::Cancelled => Vec::new(),
                _ => remedies(stats, parameters),
            },
        }
    }

    /// The cause of most of the acceleration as a sentence; empty if it is unknown.
    pub fn cause(&self) -> String {
        match self.dominant {
            Some((term, magnitude)) if magnitude.is_finite() => {
                format!("Most of its acceleration comes from {}: {} m/s².", term.name(), Rounded(magnitude))
            }
            Some((term, _)) => format!("Its acceleration by {} is not finite.", term.name()),
            None => String::new(),
        }
    }
}

/// Remedies for the step of `stats`, which was refused with `parameters`; the most promising first.
pub fn remedies(stats: &StepStats, parameters: &Parameters) -> Vec<Remedy> {
    let Parameters { fluid, solver, time_step, .. } = parameters;
    let mut remedies = Vec::new();
    let binding = stats.dt_exceeds.map_or(stats.dt_limit, |bound| bound.limit);
    if binding == TimeStepLimit::Viscous && fluid.viscosity_model != ViscosityModel::Implicit {
        remedies.push(Remedy {
            effect: "viscosity that allows longer steps",
            key: "fluid.viscosity_model".to_owned(),
            value: ViscosityModel::Implicit.name().to_owned(),
            now: fluid.viscosity_model.name().to_owned(),
        });
    }
    let (key, now, unit) = bound_by(stats.dt_limit, time_step);
    let key = format!("time_step.{key}");
    if let Some(StepBound { dt, .. }) = stats.dt_exceeds {
        // Any other change leaves the step too long, or makes its limit shorter still.
        remedies.push(Remedy::new("steps within their limit", key, two_digits(dt.min(0.5 * now)), (now, unit)));
        return remedies;
    }
    // The maximum may be far above the limit of waves.
    let half = if stats.dt_limit == TimeStepLimit::Waves { two_digits(0.5 * stats.dt) } else { 0.5 * now };
    let shorter = Remedy::new("shorter steps", key, half, (now, unit));
    match solver.iterations() {
        // These solvers do not compute pressure from a speed of sound.
        Some(Iterations { tolerance, .. }) => {
            let key = format!("solver.{}.tolerance", solver.method.name());
            let value = (0.5 * tolerance).max(1e-6);
            remedies.extend([shorter, Remedy::new("a smaller tolerance", key, value, (tolerance, ""))]);
        }
        None => {
            let sound = fluid.sound_speed;
            let stiffer = Remedy::new("a stiffer fluid", "fluid.sound_speed", 2.0 * sound, (sound, " m/s"));
            let soft = stats.max_density_error > MAX_COMPRESSION;
            remedies.extend(if soft { [stiffer, shorter] } else { [shorter, stiffer] });
        }
    }
    if binding != TimeStepLimit::Viscous {
        let damping = fluid.artificial_viscosity;
        remedies.push(Remedy::new("more damping", "fluid.artificial_viscosity", (2.0 * damping).max(0.1), (damping, "")));
    }
    remedies
}

/// Key in `time_step` that bounds the time step for `limit`, with its value and unit.
fn bound_by(limit: TimeStepLimit, bounds: &TimeStepParameters) -> (&'static str, f32, &'static str) {
    match limit {
        TimeStepLimit::Fixed => ("fixed_dt", bounds.fixed_dt.unwrap_or(bounds.max_dt), " s"),
        TimeStepLimit::Minimum => ("min_dt", bounds.min_dt, " s"),
        // The limit of waves has no factor to lower.
        TimeStepLimit::Maximum | TimeStepLimit::Waves => ("max_dt", bounds.max_dt, " s"),
        TimeStepLimit::Sound
        | TimeStepLimit::Force
        | TimeStepLimit::Courant
        | TimeStepLimit::Viscous
        | TimeStepLimit::Capillary
        | TimeStepLimit::Retry => ("cfl_factor", bounds.cfl_factor, ""),
    }
}

/// `value`, above 0, rounded down to two significant digits.
fn two_digits(value: f32) -> f32 {
    let unit = 10f64.powf(f64::from(value).log10().floor() - 1.0);
    let rounded = (f64::from(value) / unit).floor() * unit;
    format!("{rounded:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::{Dimensions, Discretization, FluidBlock, Setup, Simulation};

    /// A square of fluid, with parameters changed as by `--set`.
    fn square(set: &[&str]) -> Setup {
        let block = FluidBlock::new(Vec3::ZERO, Vec3::new(0.4, 0.4, 0.0));
        let mut setup = Setup::new(Discretization::new(Dimensions::Two, 0.1), vec![block], vec![]);
        for change in set {
            let (key, value) = change.split_once('=').expect("a key and a value");
            let change = Remedy { effect: "", key: key.to_owned(), value: value.to_owned(), now: String::new() };
            setup.parameters = change.apply(&setup.parameters).expect("a value of its kind");
        }
        setup
    }

    fn first_step(setup: &Setup) -> StepStats {
        Simulation::new(setup).expect("a valid setup").step()
    }

    /// Keys and values for a first step with `set`, as if it had been refused with `compression`.
    fn keys(set: &[&str], compression: f32) -> Vec<String> {
        let setup = square(set);
        let mut stats = first_step(&setup);
        stats.max_density_error = compression;
        remedies(&stats, &setup.parameters).into_iter().map(|remedy| format!("{}={}", remedy.key, remedy.value)).collect()
    }

    #[test]
    fn a_step_beyond_its_limit_is_shortened_and_nothing_else() {
        // A step within 0.4 × 0.15 m / 10 m/s, the limit of sound in fluid at rest: a little less, as the fluid moves.
        let set = ["fluid.sound_speed=10", "time_step.cfl_factor=0.4", "time_step.max_dt=0.02"];
        for key in ["time_step.fixed_dt", "time_step.min_dt"] {
            let found = keys(&[&set[..], &[&format!("{key}=0.02")]].concat(), 9.0);
            let [only] = &found[..] else { panic!("{found:?}") };
            let value = only.strip_prefix(&format!("{key}=")).and_then(|value| value.parse::<f32>().ok());
            assert!(value.is_some_and(|dt| (0.003..=0.006).contains(&dt)), "{only}");
        }
    }

    #[test]
    fn soft_fluid_is_made_stiffer_first() {
        let set = ["fluid.sound_speed=10", "time_step.cfl_factor=0.5", "time_step.max_dt=1", "fluid.artificial_viscosity=0"];
        let shorter = "time_step.cfl_factor=0.25";
        let (stiffer, damped) = ("fluid.sound_speed=20", "fluid.artificial_viscosity=0.1");
        assert_eq!(keys(&set, 0.5), [stiffer, shorter, damped]);
        assert_eq!(keys(&set, 0.01), [shorter, stiffer, damped]);
    }

    #[test]
    fn thick_fluid_is_solved_implicitly() {
        let thick = keys(&["fluid.kinematic_viscosity=1e6"], 0.0);
        assert_eq!(thick[0], "fluid.viscosity_model=implicit");
        assert!(!thick.iter().any(|remedy| remedy.contains("artificial_viscosity")), "{thick:?}");
        let fixed = keys(&["fluid.kinematic_viscosity=1e6", "time_step.fixed_dt=1e-3"], 0.0);
        assert_eq!(fixed[0], "fluid.viscosity_model=implicit");
    }

    /// Each remedy can be pressed as a button.
    #[test]
    fn remedies_are_applied() {
        for set in ["fluid.kinematic_viscosity=1e6", "solver.method=dfsph", "time_step.fixed_dt=0.02"] {
            let setup = square(&[set]);
            let stats = first_step(&setup);
            for remedy in remedies(&stats, &setup.parameters) {
                let changed = remedy.apply(&setup.parameters).unwrap_or_else(|| panic!("{remedy:?}"));
                assert!(changed != setup.parameters && changed.validate(&setup.discretization).is_ok(), "{remedy:?}");
            }
        }
    }

    #[test]
    fn values_are_short() {
        assert_eq!([0.006, 2.389e-4, 1.0, 9.99e-10].map(two_digits), [0.006, 2.3e-4, 1.0, 9.9e-10]);
    }
}
