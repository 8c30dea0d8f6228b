//! Panics of an engine, which are defects of the program: the scene stops, the session goes on.

use super::Runner;
use crate::session::thread::running::{Crashed, Running};
use crate::session::{Notice, Subject};
use sph_core::Engine;
use std::any::Any;

impl Runner {
    /// Drops the running scene, in which something has panicked, and says so.
    pub(super) fn crash(&mut self, panic: &(dyn Any + Send)) {
        let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let reason = format!("This is a defect of the program: {message}");
        self.set_playing(false);
        self.tuner.clear();
        self.inspectors.invalidate();
        if let Some(running) = self.running.take() {
            let (parameters, off_curve) = (*running.engine.parameters(), running.engine.off_curve().to_vec());
            self.crashed = Some(Crashed { scene: running.scene, parameters, off_curve, reason: reason.clone() });
        }
        self.publish();
        let details = format!("{reason}\nReset starts the scene anew, with the parameters in force; or open another.");
        self.publisher.notify(Notice::error("The simulation has crashed", details).about(Subject::Step));
    }

    /// Runs the scene that has crashed anew, with `engine`.
    pub(super) fn restart_crashed(&mut self, mut engine: Box<dyn Engine>) {
        if let Some(Crashed { scene, off_curve, .. }) = self.crashed.take() {
            engine.set_off_curve(&off_curve);
            self.replace(Running::new(scene, engine));
            self.playing = true;
            self.publish();
        }
    }
}
