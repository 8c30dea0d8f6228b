//! A validation case as data.

use super::measure::Measure;
use super::plan::Plan;
use crate::headless::validate::figure::Figure;
use crate::headless::validate::record::RunRecord;
use std::fmt;

/// A file in `scenes/validation/`.
macro_rules! scene {
    ($name:literal) => {
        $crate::headless::validate::case::SceneFile {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/validation/", $name, ".toml")),
        }
    };
}
pub(in crate::headless::validate) use scene;

/// A validation case: scene, runs, measures and plots.
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in the report.
    pub title: &'static str,
    /// Description of the comparison, in a few sentences of Markdown. Its figures are those of the set-up.
    pub about: &'static str,
    /// Explanation of results that fail or surprise; may be empty. States no figures: those are measures.
    pub remarks: &'static str,
    /// Scene that is run, with probes.
    pub scene: SceneFile,
    /// Simulated time between two readings of the probes, s.
    pub interval: f64,
    /// Runs of the scene.
    pub plan: Plan,
    /// Computes the measures of a run.
    pub measure: fn(&RunRecord) -> Vec<Measure>,
    /// Plots the runs at the resolutions, the coarsest first.
    pub draw: fn(&[&RunRecord]) -> Vec<Figure>,
}

/// A scene file.
#[derive(Clone, Copy, Debug)]
pub struct SceneFile {
    /// Name of the file without its extension.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}
