//! The validation cases: one file per case or family of cases, and the list of all.

mod bodies;
mod cavity;
mod channel;
mod dam_breaks;
mod elliptical_drop;
mod rotating_square;
mod shear_layer;
mod sloshing;
mod solvers;
mod standing_wave;
mod still_water;
mod swinging_drop;
mod taylor_green;
mod two_fluids;
mod viscous_column;

use super::case::Case;

/// Every case, in the order of the report.
pub static ALL: [Case; 28] = [
    still_water::CASE,
    dam_breaks::martin_moyce::TALL,
    dam_breaks::martin_moyce::SQUARE,
    dam_breaks::lobovsky::CASE,
    elliptical_drop::CASE,
    standing_wave::CASE,
    viscous_column::CASE,
    shear_layer::CASE,
    rotating_square::CASE,
    taylor_green::TWO_D,
    taylor_green::THREE_D,
    channel::POISEUILLE,
    channel::COUETTE,
    cavity::SLOW,
    cavity::FAST,
    bodies::moving_square::CASE,
    swinging_drop::CASE,
    two_fluids::layers::CASE,
    two_fluids::rayleigh_taylor::CASE,
    sloshing::tipped_tank::CASE,
    sloshing::pitching_tank::CASE,
    bodies::floating_box::CASE,
    bodies::floating_sphere::CASE,
    bodies::falling_cylinder::CASE,
    dam_breaks::perturbed::CASE,
    solvers::STILL_WATER,
    solvers::STANDING_WAVE,
    solvers::DAM_BREAK,
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
    use crate::headless::simulate::{Goal, Interrupt};
    use crate::headless::validate::report;
    use crate::headless::validate::runs::Job;
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
