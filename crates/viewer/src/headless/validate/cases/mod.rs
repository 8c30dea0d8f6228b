//! The validation cases: one file per case or family of cases, and the list of all.

mod cavity;
mod channel;
mod dam_break;
mod elliptical_drop;
mod lobovsky;
mod moving_square;

mod rotating_square;
mod shear_layer;
mod sloshing;
mod standing_wave;
mod still_water;
mod swinging_drop;
mod taylor_green;
mod two_fluids;
mod viscous_column;

use super::case::Case;

/// Every case, in the order of the report.
pub static ALL: [Case; 20] = [
    still_water::CASE,
    dam_break::TALL,
    dam_break::SQUARE,
    lobovsky::CASE,
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
    moving_square::CASE,
    swinging_drop::CASE,
    two_fluids::layers::CASE,
    two_fluids::rayleigh_taylor::CASE,
    sloshing::CASE,
];

/// Cases that cannot be run, with the reason.
pub const NOT_YET: [(&str, &str); 1] = [(
    "Laplace pressure of a drop at rest",
    "The attraction between particles presses a drop together by 1.7σ over the support radius, several times σ/R, and at rest its particles keep a \
         lattice that bears stresses of the order of σ/R: pressure and attraction together, averaged over the middle half of drops of 20 and 32 \
         spacings of radius (4 in support) by a computation outside the program, came to 1.1 and 0.0 σ/R. An oscillating drop has the tension \
         that is set, as above.",
)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless::validate::runs;

    #[test]
    fn every_scene_can_be_used_at_every_resolution() {
        for case in &ALL {
            assert!(!case.resolutions.is_empty() && case.interval > 0.0, "{case:?}");
            for resolution in case.resolutions {
                let scene = runs::scene(case, resolution).unwrap_or_else(|failure| panic!("{}", failure.report(false)));
                assert_eq!(scene.name, case.name);
                assert!(!scene.probes.is_empty() && !scene.description.is_empty(), "{case:?}");
            }
        }
    }

    /// The report in the documentation must have been written from these cases.
    #[test]
    fn the_report_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/validation.md");
        let report = std::fs::read_to_string(path).expect("the report");
        for case in &ALL {
            let stale = "docs/validation.md is out of date: write it with `sph validate --out docs`";
            assert!(report.contains(&format!("<a id=\"{}\"></a>", case.name)), "{}: {stale}", case.name);
            assert!(report.contains(case.about) && report.contains(case.remarks), "{}: {stale}", case.name);
            let labels: Vec<&str> = case.resolutions.iter().map(|resolution| resolution.label).collect();
            assert!(report.contains(&format!("| {} | Accepted |", labels.join(" | "))), "{}: {stale}", case.name);
        }
        for (case, reason) in NOT_YET {
            assert!(report.contains(&format!("| {case} | {reason} |")), "{case}");
        }
    }

    #[test]
    fn every_scene_of_the_folder_is_a_case() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/validation");
        let scenes = sph_io::list_scenes(&folder);
        assert_eq!(scenes.len(), ALL.len(), "{scenes:?}");
        for path in scenes {
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            assert!(ALL.iter().any(|case| case.name == name), "{name}");
        }
    }
}
