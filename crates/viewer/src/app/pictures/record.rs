//! Recording of the 3D view.

use super::place::free_name;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::app::window::Shot;
use crate::recording::Recorder;
use crate::session::Notice;
use crate::ui::Recording;

/// Pictures that one state may stand for, where several were due since the one before.
const MOST_REPEATED: u64 = 50;

/// Recordings: the present one, and those that are being completed.
#[derive(Debug, Default)]
pub struct Film {
    current: Option<Current>,
    ending: Vec<Recorder>,
}

#[derive(Debug)]
struct Current {
    recorder: Recorder,
    name: String,
    shot: Shot,
    clock: Clock,
}

/// Instants of simulated time at which pictures are due.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Clock {
    /// Time of the first picture, s.
    start: f64,
    fps: f64,
    /// Pictures so far.
    count: u64,
}

impl Clock {
    /// Number of pictures due at `time` (s). A fluid that has gone back in time starts again.
    fn due(&mut self, time: f64) -> u64 {
        let elapsed = (time - self.start) * self.fps;
        if elapsed + 1.0 < self.count as f64 {
            *self = Self { start: time, count: 0, ..*self };
            return self.due(time);
        }
        // Steps end a little beside the instant.
        let wanted = (elapsed + 1e-6).floor().max(-1.0) as i64 + 1;
        let due = (wanted.max(0) as u64).saturating_sub(self.count);
        self.count += due;
        due.min(MOST_REPEATED)
    }
}

impl App {
    /// Starts a recording with the options of the window for pictures, or ends the present one.
    pub(in crate::app) fn toggle_recording(&mut self) {
        if let Some(current) = self.film.current.take() {
            self.end_recording(current);
            return;
        }
        let view = &self.state.pictures;
        let Some(size) = self.window.as_ref().and_then(|window| window.picture_size(view.own_size.then_some(view.size))) else {
            return;
        };
        let (format, fps) = (view.format, f64::from(view.fps));
        let shot =
            Shot { size: Some(size), transparent: view.transparent && format.keeps_transparency(), captions: view.captions };
        let path = free_name(&view.folder, &self.picture_stem(), format.extension());
        let proxy = self.proxy.clone();
        let done = move |outcome: &std::io::Result<std::path::PathBuf>| {
            let notice = match outcome {
                Ok(path) => Notice::info(format!("Recorded {}", path.display())),
                Err(error) => Notice::error("The recording has failed", error.to_string()),
            };
            // A closed window needs no notice.
            let _ = proxy.send_event(UserEvent::Notice(notice));
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match Recorder::start(format, path, size, fps, done) {
            Ok(recorder) => {
                let clock = Clock { start: self.session.snapshot().time, fps, count: 0 };
                self.film.current = Some(Current { recorder, name, shot, clock });
                self.record();
            }
            Err(error) => self.state.notices.push(Notice::error("Cannot record", error.to_string())),
        }
    }

    /// Takes the pictures that are due.
    pub(in crate::app) fn record(&mut self) {
        self.film.ending.retain(|recorder| !recorder.is_over());
        let Some(mut current) = self.film.current.take() else {
            self.state.pictures.recording = None;
            return;
        };
        if current.recorder.is_over() {
            // The thread has reported why.
            self.state.pictures.recording = None;
            return;
        }
        let due = current.clock.due(self.session.snapshot().time);
        if due > 0
            && let Some(picture) = self.take_picture(current.shot)
        {
            for _ in 1..due {
                current.recorder.offer(picture.clone());
            }
            current.recorder.offer(picture);
        }
        self.state.pictures.recording = Some(Recording { name: current.name.clone(), progress: current.recorder.progress() });
        self.film.current = Some(current);
    }

    fn end_recording(&mut self, mut current: Current) {
        let left_out = current.recorder.close().left_out;
        if left_out > 0 {
            let title = format!("{left_out} pictures of {} were left out", current.name);
            let advice = "The disk or the encoder was too slow. Record smaller pictures, fewer a second, or PNG files.";
            self.state.notices.push(Notice::warning(title, advice));
        }
        self.film.ending.push(current.recorder);
        self.state.pictures.recording = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_due_at_equal_instants_of_simulated_time() {
        let mut clock = Clock { start: 1.0, fps: 10.0, count: 0 };
        let due = [1.0, 1.05, 1.1, 1.1, 1.35, 1.39, 1.4].map(|time| clock.due(time));
        assert_eq!(due, [1, 0, 1, 0, 2, 0, 1]);
        assert_eq!(clock.due(1e9), MOST_REPEATED, "bounded, however far the time jumps");
    }

    #[test]
    fn a_reset_fluid_is_recorded_from_its_start() {
        let mut clock = Clock { start: 0.0, fps: 10.0, count: 0 };
        assert_eq!([0.0, 0.5, 0.0, 0.1].map(|time| clock.due(time)), [1, 5, 1, 1]);
    }
}
