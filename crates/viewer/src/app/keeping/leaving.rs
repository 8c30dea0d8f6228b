//! Closing the window and opening another scene, after a question where unsaved edits would be lost.

use crate::app::handler::App;
use crate::session::Request;
use crate::ui::{Answer, Leaving};
use sph_io::Scene;
use std::sync::Arc;
use winit::event_loop::ActiveEventLoop;

impl App {
    /// Leaves the scene, or asks first.
    pub(in crate::app) fn leave(&mut self, event_loop: &ActiveEventLoop, leaving: Leaving) {
        if self.has_unsaved() {
            self.state.leaving = Some(leaving);
        } else {
            self.go(event_loop, leaving);
        }
    }

    /// True if edits of parameters are not saved.
    pub(in crate::app) fn has_unsaved(&self) -> bool {
        let snapshot = self.session.snapshot();
        snapshot.scene.as_ref().is_some_and(|scene| !self.state.unsaved(scene).is_empty())
    }

    fn go(&mut self, event_loop: &ActiveEventLoop, leaving: Leaving) {
        match leaving {
            Leaving::Quit => event_loop.exit(),
            Leaving::Open(source) => self.session.send(Request::Load(source)),
        }
    }

    /// Does what the answer to the question says.
    pub(in crate::app) fn answer(&mut self, event_loop: &ActiveEventLoop, answer: Answer) {
        let is_under_way = answer == Answer::Save && self.save();
        let leaving = self.departure.answer(&mut self.state.leaving, answer, is_under_way);
        self.go_on(event_loop, leaving);
    }

    /// Goes on with what the question was about, once all edits of `scene`, which is `saved` now, have been saved.
    pub(in crate::app) fn go_on_when_saved(&mut self, event_loop: &ActiveEventLoop, scene: &Arc<Scene>, saved: Arc<Scene>) {
        let is_open = self.session.snapshot().scene.as_ref().is_some_and(|open| Arc::ptr_eq(open, scene));
        if self.saves.end() && is_open && self.save_over(saved) {
            return;
        }
        let leaving = self.departure.saved(&mut self.state.leaving);
        self.go_on(event_loop, leaving);
    }

    fn go_on(&mut self, event_loop: &ActiveEventLoop, leaving: Option<Leaving>) {
        if let Some(leaving) = leaving {
            self.go(event_loop, leaving);
        }
    }

    /// Stays, where the edits could not be saved: the message must be read.
    pub(in crate::app) fn stay_since_not_saved(&mut self) {
        self.departure.not_saved(&mut self.state.leaving);
        if self.saves.end() {
            self.save();
        }
    }
}
