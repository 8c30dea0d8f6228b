//! `--replay`: a recorded session, step by step.

use crate::Failure;
use sph_core::{Engine, Hand, Input, InputError, Parameters};
use sph_io::{Fingerprints, Override, Recording, RecordingError, Row, Scene, fingerprint};
use std::path::{Path, PathBuf};

/// Recording that is being replayed.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    path: PathBuf,
    /// Name of the scene that it is replayed in.
    scene: String,
    /// Number of rows that have been applied.
    applied: usize,
    /// Hand of the next steps.
    hand: Option<Hand>,
    /// Fingerprints at the step where the recording ends, once that has been passed.
    passed: Option<Fingerprints>,
}

impl Replay {
    /// Reads the recording at `path`, and gives `scene` the parameters that the recorded fluid was started with. `dropped` is the number of
    /// bodies that have been dropped into the state that the run is resumed from.
    ///
    /// # Errors
    /// The file cannot be replayed in this scene.
    pub fn load(path: &Path, scene: &mut Scene, dropped: usize) -> Result<Self, Failure> {
        let recording = Recording::load(path, scene, dropped).map_err(|error| Failure::input("replay", path, &error))?;
        scene.setup.parameters = recording.parameters;
        Ok(Self { recording, path: path.to_owned(), scene: scene.name.clone(), applied: 0, hand: None, passed: None })
    }

    /// Remarks on `overrides` of the replayed `scene`, a sentence each: those of parameters have no effect, and what the others change can make
    /// the end differ.
    pub fn remarks(scene: &Scene, overrides: &[Override]) -> Vec<String> {
        let is_constant = |key: &str| !scene.setup.curves.iter().any(|curve| curve.key() == key);
        let sets = |change: &Override, key: &str| {
            change.path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let is_parameter =
            |change: &&Override| Parameters::table().iter().any(|known| is_constant(known.key) && sets(change, known.key));
        let (without_effect, others): (Vec<_>, Vec<_>) = overrides.iter().partition(is_parameter);
        let list = |changes: Vec<&Override>| {
            let paths: Vec<_> = changes.iter().map(|change| format!("--set {}", change.path)).collect();
            (!paths.is_empty()).then(|| paths.join(", "))
        };
        let without_effect = list(without_effect)
            .map(|paths| format!("remark: a replay uses the parameters of the recording, so these have no effect: {paths}"));
        let others = list(others).map(|paths| {
            format!("remark: the end is compared with the recording; it differs if the motion depends on {paths}")
        });
        without_effect.into_iter().chain(others).collect()
    }

    /// Completed steps at the end of the recording.
    pub fn end(&self) -> Option<u64> {
        self.recording.end.map(|(step, _)| step)
    }

    /// Checks that `engine` is at the start of the recording.
    ///
    /// # Errors
    /// It is at another step, or its particles are not those at which the recording begins.
    pub fn check_start(&self, engine: &dyn Engine) -> Result<(), Failure> {
        let Recording { scene, start, fluid, .. } = &self.recording;
        let steps = engine.steps();
        if steps != *start {
            let advice = match start {
                // The names of both scenes are said.
                0 if *scene != self.scene => "leave out --resume, and name that scene".to_owned(),
                0 => "leave out --resume".to_owned(),
                _ => format!("give the state that was opened before it, saved at step {start}, with --resume"),
            };
            return Err(self.refused(format!("it begins at step {start}, but this run at step {steps}; {advice}")));
        }
        if fingerprint(engine.view().particles) != *fluid {
            let advice = match start {
                0 if *scene != self.scene => format!("name the scene {scene}"),
                0 => "has the scene file changed since then, or was another --set given?".to_owned(),
                _ => format!("it was recorded from another state at step {start}"),
            };
            return Err(self.refused(format!("its initial particles are not those of this run; {advice}")));
        }
        Ok(())
    }

    /// Failure because of this `difference`, after the name of the recorded scene if that is another one.
    fn refused(&self, difference: String) -> Failure {
        let (recorded, scene) = (self.recording.scene.clone(), self.scene.clone());
        let reason = match recorded == scene {
            true => difference,
            false => RecordingError::OtherScene { recorded, scene, difference }.to_string(),
        };
        Failure::Input(format!("cannot replay {}: {reason}", self.path.display()))
    }

    /// Applies the inputs that come before the next step of `engine`, and lets the hand act.
    ///
    /// # Errors
    /// An input is refused.
    pub fn apply(&mut self, engine: &mut dyn Engine) -> Result<(), Failure> {
        let step = engine.steps();
        let path = self.path.display();
        let refused =
            |error: InputError| Failure::Run(format!("cannot continue the replay of {path} after step {step}: {error}"));
        if self.end() == Some(step) {
            self.passed = Some(Fingerprints::of(&engine.snapshot()));
        }
        while let Some(Row { input, .. }) = self.recording.rows.get(self.applied).filter(|row| row.step <= step) {
            match input {
                Input::Hand(hand) => self.hand = *hand,
                input => input.apply(engine).map_err(refused)?,
            }
            self.applied += 1;
        }
        Input::Hand(self.hand).apply(engine).map_err(refused)
    }

    /// Result of the replay in words, with `engine` where the run has ended.
    ///
    /// # Errors
    /// The fluid, the bodies, cloths or balls differ from those recorded.
    pub fn verdict(&self, engine: &dyn Engine) -> Result<Option<String>, Failure> {
        let Some((step, recorded)) = self.recording.end else { return Ok(None) };
        let reached = || (engine.steps() == step).then(|| Fingerprints::of(&engine.snapshot()));
        let (found, recorded) = match (self.passed.or_else(reached), recorded) {
            (None, _) => {
                let now = engine.steps();
                return Ok(Some(format!(
                    "the state at step {now} is not compared with the recording, which continues to step {step}"
                )));
            }
            (Some(_), None) => {
                return Ok(Some(format!("replayed to step {step}, where the recorded session's next step was refused")));
            }
            (Some(found), Some(recorded)) => (found, recorded),
        };
        let parts = [
            ("the fluid", Some(found.fluid), Some(recorded.fluid)),
            ("the bodies", found.bodies, recorded.bodies),
            ("the points of cloth and balls", found.points, recorded.points),
        ];
        let names_of = |is_so: fn(Option<u64>, Option<u64>) -> bool| -> Vec<&str> {
            parts.iter().filter(|(_, found, recorded)| is_so(*found, *recorded)).map(|(name, ..)| *name).collect()
        };
        // "The fluid" alone is singular.
        let is_one = |names: &[&str]| names == ["the fluid"];
        let others = names_of(|found, recorded| recorded.is_some() && found != recorded);
        if !others.is_empty() {
            let differ = if is_one(&others) { "differs from that" } else { "differ from those" };
            return Err(Failure::Run(format!("after step {step} {} {differ} of the recorded session", listed(&others))));
        }
        let same = names_of(|_, recorded| recorded.is_some());
        let are = if is_one(&same) { "is that" } else { "are those" };
        let unknown = match names_of(|found, recorded| found.is_some() && recorded.is_none()) {
            names if names.is_empty() => String::new(),
            names => format!("; {} are not compared because the recording has no hash of them", listed(&names)),
        };
        Ok(Some(format!("replayed to step {step}: {} {are} of the recorded session, to the bit{unknown}", listed(&same))))
    }
}

/// Names in a sentence: `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
