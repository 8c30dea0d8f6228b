//! `--replay`: a recorded session, step by step.

use crate::headless::Failure;
use sph_core::{Engine, Hand};
use sph_io::{Change, Recording, Row, Scene, fingerprint};
use std::path::{Path, PathBuf};

/// Recording that is being replayed.
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    path: PathBuf,
    /// Number of rows that have been applied.
    applied: usize,
    hand: Option<Hand>,
}

impl Replay {
    /// Reads the recording at `path`, and gives `scene` the parameters that the recorded fluid was started with. `dropped` is the number of
    /// bodies that have been dropped into the state that the run is resumed from.
    ///
    /// # Errors
    /// The file cannot be replayed in this scene.
    pub fn load(path: &Path, scene: &mut Scene, dropped: usize) -> Result<Self, Failure> {
        let setup = &mut scene.setup;
        let recording = Recording::load(path, setup, dropped)
            .map_err(|error| Failure::Input(format!("cannot replay {}: {error}", path.display())))?;
        setup.parameters = recording.parameters;
        Ok(Self { recording, path: path.to_owned(), applied: 0, hand: None })
    }

    /// Completed steps at the end of the recording.
    pub fn end(&self) -> Option<u64> {
        self.recording.end.map(|(step, _)| step)
    }

    /// Checks that `engine` is at the start of the recording.
    ///
    /// # Errors
    /// The recording is of another fluid.
    pub fn check_start(&self, engine: &dyn Engine) -> Result<(), Failure> {
        let Recording { scene, start, fluid, .. } = &self.recording;
        if engine.steps() != *start {
            let steps = engine.steps();
            return Err(Failure::Input(format!("the recording starts after step {start}, and this fluid is at step {steps}")));
        }
        if fingerprint(engine.view().particles) != *fluid {
            return Err(Failure::Input(format!("the recording is of other fluid than this: it was made of the scene {scene}")));
        }
        Ok(())
    }

    /// Makes the changes that come before the next step of `engine`, and lets the hand act.
    ///
    /// # Errors
    /// A change is refused.
    pub fn apply(&mut self, engine: &mut dyn Engine) -> Result<(), Failure> {
        let step = engine.steps();
        let path = self.path.display();
        let refused = |error: &dyn std::error::Error| {
            Failure::Run(format!("cannot go on with the replay of {path} after step {step}: {error}"))
        };
        while let Some(Row { change, .. }) = self.recording.rows.get(self.applied).filter(|row| row.step <= step) {
            match change {
                Change::Hand(hand) => self.hand = *hand,
                Change::Parameters(parameters) => engine.set_parameters(**parameters).map_err(|error| refused(&error))?,
                Change::Drop(dropped) => engine.drop_body(dropped).map_err(|error| refused(&error))?,
                Change::OffCurve(keys) => engine.set_off_curve(keys),
            }
            self.applied += 1;
        }
        if let Some(hand) = &self.hand {
            engine.apply_hand(hand).map_err(|error| refused(&error))?;
        }
        Ok(())
    }

    /// Result of the replay in words, once `engine` has reached its end.
    ///
    /// # Errors
    /// The fluid differs from that recorded.
    pub fn verdict(&self, engine: &dyn Engine) -> Result<Option<String>, Failure> {
        match self.recording.end.filter(|(step, _)| *step == engine.steps()) {
            Some((step, None)) => {
                Ok(Some(format!("replayed to step {step}, where the recorded session's next step was refused")))
            }
            Some((step, Some(fluid))) if fluid == fingerprint(engine.view().particles) => {
                Ok(Some(format!("replayed to step {step}: the fluid is that of the recorded session, to the bit")))
            }
            Some((step, Some(_))) => {
                Err(Failure::Run(format!("after step {step} the fluid differs from that of the recorded session")))
            }
            None => Ok(None),
        }
    }
}
