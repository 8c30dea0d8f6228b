//! Cost of a series of trials, said before it starts.

use crate::session::Snapshot;
use crate::ui::widgets::format;
use sph_core::Phase;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Plan, expected_trial_time};

/// Number of trials of `structures` and about how long they take, in words, by the search of the latest step.
pub(super) fn words(present: &GridParameters, structures: &[Structure], snapshot: &Snapshot) -> String {
    let radius = snapshot.scene.as_ref().map_or(1.0, |scene| scene.setup.discretization.support_radius);
    let trials = Plan::around(present, structures.to_vec(), snapshot.particles.len(), radius).trials();
    let number = format::count(trials as u64);
    match &snapshot.stats {
        Some(stats) => {
            let search = stats.phases[Phase::Build] + stats.phases[Phase::Query];
            let each = expected_trial_time(search).as_secs_f64();
            format!("{number} trials, about {:.0} ms each: about {} in all.", 1e3 * each, duration(each * trials as f64))
        }
        None => format!("{number} trials; their time is known after the first step."),
    }
}

/// A rough duration: `20 s`, `3 min`.
fn duration(seconds: f64) -> String {
    if seconds < 90.0 { format!("{:.0} s", seconds.max(1.0)) } else { format!("{:.0} min", seconds / 60.0) }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_rough() {
        assert_eq!([0.2, 20.4, 89.0, 170.0].map(duration), ["1 s", "20 s", "89 s", "3 min"]);
    }
}
