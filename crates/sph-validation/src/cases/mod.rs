//! The validation cases: one file per case or family of cases, and the list of all.

mod falling_block;
mod internal_flows;
mod patches;
mod periodic_flows;
mod solvers;
mod still_water;
mod viscous_column;
mod wet_bed;

pub mod balls;
pub mod bodies;
pub mod cloth;
pub mod dam_breaks;
pub mod piles;
pub mod two_fluids;
pub mod waves;

use crate::case::Case;

/// Every case, in the order of the report.
pub static ALL: [Case; 43] = [
    still_water::CASE,
    dam_breaks::TALL,
    dam_breaks::SQUARE,
    dam_breaks::LOBOVSKY,
    dam_breaks::LOBOVSKY_IN_SPACE,
    wet_bed::CASE,
    falling_block::CASE,
    patches::ELLIPTICAL_DROP,
    waves::STANDING_WAVE,
    viscous_column::CASE,
    periodic_flows::SHEAR_LAYER,
    patches::ROTATING_SQUARE,
    periodic_flows::TAYLOR_GREEN_2D,
    periodic_flows::TAYLOR_GREEN_3D,
    internal_flows::POISEUILLE,
    internal_flows::COUETTE,
    internal_flows::CAVITY_SLOW,
    internal_flows::CAVITY_FAST,
    bodies::MOVING_SQUARE,
    patches::SWINGING_DROP,
    two_fluids::LAYERS,
    two_fluids::RAYLEIGH_TAYLOR,
    waves::TIPPED_TANK,
    waves::PITCHING_TANK,
    waves::PITCHING_TANK_IN_SPACE,
    bodies::FLOATING_BOX,
    bodies::FLOATING_SPHERE,
    bodies::FALLING_CYLINDER,
    cloth::PENDULUM,
    cloth::HANGING_SHEET,
    cloth::HELD_SHEET,
    balls::OBLIQUE_IMPACT,
    balls::RACK,
    balls::FREE_IMPACT,
    piles::FLOATING_BALL,
    piles::PYRAMID,
    piles::POURED,
    dam_breaks::PERTURBED,
    dam_breaks::THIN,
    solvers::STILL_WATER,
    solvers::STANDING_WAVE,
    solvers::DAM_BREAK,
    solvers::PRESETS,
];

/// Cases that cannot be run, with the reason.
pub const NOT_YET: [(&str, &str); 1] = [(
    "Laplace pressure of a drop at rest",
    "The attraction between particles presses a drop together by several times σ/R, and at rest its particles keep a lattice that bears \
         stresses of that order. An oscillating drop has the tension that is set, as above.",
)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report;
    use crate::runs::Job;
    use sph_commands::simulate::{Goal, Interrupt};
    use std::collections::HashSet;

    #[test]
    fn every_run_has_a_scene_that_can_be_used_and_a_label_of_its_own() {
        for case in &ALL {
            let runs = case.plan.runs();
            assert!(!runs.is_empty() && case.interval > 0.0, "{case:?}");
            let labels: HashSet<&str> = runs.iter().map(|run| run.label.as_str()).collect();
            assert_eq!(labels.len(), runs.len(), "{case:?}");
            for run in runs {
                let job = Job::new(case, run).unwrap_or_else(|failure| panic!("{}", failure.report(false)));
                assert!(!job.scene().probes.is_empty() && !job.scene().description.is_empty(), "{case:?}");
            }
        }
    }

    /// The report in the documentation must have the text and the resolutions of these cases.
    #[test]
    fn the_report_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/validation.md");
        let report = std::fs::read_to_string(&path).expect("the report");
        let present = report::rewrite(&report);
        if std::env::var_os("UPDATE_REPORT").is_some() {
            std::fs::write(&path, &present).expect("the report can be written");
            return;
        }
        let advice = "run cases with `sph validate CASE --out docs`, or write its text with UPDATE_REPORT=1 and this test";
        assert!(report == present, "docs/validation.md is out of date: {advice}");
    }

    /// Figures of results belong into measures, which each run computes anew.
    #[test]
    fn remarks_state_no_figures() {
        for case in &ALL {
            // Text in backticks is of scene files.
            let prose = case.remarks.split('`').step_by(2);
            let words = prose.flat_map(|text| text.split(|letter: char| letter.is_whitespace() || "(),.;:/".contains(letter)));
            for word in words {
                let is_name = word.starts_with(char::is_alphabetic) || ["2D", "3D"].contains(&word);
                assert!(is_name || !word.contains(|letter: char| letter.is_ascii_digit()), "{case:?}: {word}");
            }
        }
    }

    /// Measures exist before the first step, so that every source can be looked up.
    #[test]
    fn every_source_is_in_the_bibliography() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bibliography.md");
        let bibliography = std::fs::read_to_string(path).expect("the bibliography");
        let interrupt = Interrupt::install().expect("no other test handles signals");
        for case in &ALL {
            let run = case.plan.runs().remove(0);
            let job = Job::new(case, run).unwrap_or_else(|failure| panic!("{}", failure.report(false)));
            let record = job.run(Goal::Steps(0), interrupt, |_| ());
            let record = record.unwrap_or_else(|failure| panic!("{}", failure.report(false)));
            let measures = (case.measure)(&record);
            assert!(!measures.is_empty(), "{case:?}");
            for key in measures.iter().flat_map(|measure| &measure.comparisons).filter_map(|comparison| comparison.source.key())
            {
                assert!(bibliography.contains(&format!("\n| {key} |")), "{case:?}: {key}");
            }
        }
    }

    #[test]
    fn every_scene_of_the_folder_is_a_case() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/validation");
        let scenes = sph_io::list_scenes(&folder);
        for path in scenes {
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            assert!(ALL.iter().any(|case| case.scene.name == name), "{name}");
        }
    }
}
