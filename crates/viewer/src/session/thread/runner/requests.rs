//! Requests of the window.

use super::Runner;
use crate::session::Request;
use crate::session::thread::loader::Job;
use crate::session::thread::running::Crashed;

/// True for a request that would act on a moment on the way to another, which no user has seen or meant.
fn waits_for_arrival(request: &Request) -> bool {
    matches!(
        request,
        Request::SetParameters { .. }
            | Request::SetOffCurve { .. }
            | Request::DropBody { .. }
            | Request::TakeBackBody { .. }
            | Request::Compare { .. }
            | Request::SaveState(_)
            | Request::Tune(_)
            | Request::Play
            | Request::StepOnce
    )
}

impl Runner {
    /// Carries out a request, or defers it to the end of the way to another moment.
    pub(super) fn handle(&mut self, request: Request) {
        self.changed = true;
        if self.returns() && waits_for_arrival(&request) {
            self.deferred.push(request);
            return;
        }
        match request {
            Request::Load(source) => self.start(Job::Load(source)),
            Request::SetParameters { parameters, generation, revision } if generation == self.generation => {
                self.pending = Some((parameters, revision));
            }
            // Meant for the scene before: handled by ignoring it.
            Request::SetParameters { revision, .. } => self.revision = revision,
            Request::SaveState(path) => self.save_state(path),
            Request::SaveRecording(path) => self.save_recording(path),
            Request::UseHand { hand, generation } => {
                if let Some(running) = self.running.as_mut().filter(|_| generation == self.generation) {
                    running.use_hand(hand);
                }
            }
            Request::DropBody { body, generation } if generation == self.generation => self.drop_body(&body),
            Request::TakeBackBody { generation } if generation == self.generation => self.take_back_body(),
            // Meant for the scene before.
            Request::DropBody { .. } | Request::TakeBackBody { .. } => {}
            Request::SetOffCurve { keys, generation } => {
                if generation == self.generation {
                    self.apply_parameters();
                    self.set_off_curve(keys);
                }
            }
            Request::Compare { grid, generation, revision } if generation == self.generation => {
                self.pending_rival = Some((grid, revision));
            }
            Request::Compare { revision, .. } => self.rival_revision = revision,
            Request::Play => self.set_playing(true),
            Request::Pause => self.set_playing(false),
            Request::StepOnce => {
                if self.playing {
                    self.set_playing(false);
                }
                // The loop makes the steps, so that requests that arrive meanwhile need not wait for all of them.
                self.pending_steps += u32::from(self.running.is_some());
            }
            Request::Seek(goal) => self.seek(goal),
            Request::StepBack(steps) => self.step_back(steps),
            Request::SetPlaybackMemory(limit) => self.playback.set_limit(limit),
            Request::Reset => {
                self.apply_parameters();
                if let Some(running) = &self.running {
                    self.start(Job::Restart(running.scene.clone(), *running.engine.parameters()));
                } else if let Some(Crashed { scene, parameters, .. }) = &self.crashed {
                    self.start(Job::Restart(scene.clone(), *parameters));
                }
            }
            Request::Inspect(inspect) => self.inspectors.set_parts(inspect),
            Request::SetSpeedLimit(limit) => self.pacer.restart(limit),
            Request::Saved { scene, saved } => self.rebase(&scene, saved),
            Request::Tune(structures) => {
                self.apply_parameters();
                let Self { pool, tuner, running, .. } = self;
                if let Some(running) = running {
                    let fluid = running.engine.view();
                    pool.install(|| tuner.start(&fluid, structures));
                    self.publish();
                }
            }
            Request::CancelTune => {
                self.tuner.cancel();
                self.publish();
            }
        }
    }
}
