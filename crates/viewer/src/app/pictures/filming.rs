//! Films of the 3D view.

use super::film::{Clock, Current};
use super::place::Reservation;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::app::window::Shot;
use crate::render::recording::Recorder;
use crate::session::Notice;
use crate::ui::FilmInProgress;

impl App {
    /// Starts a film with the options of the window for pictures, or ends the present one.
    pub(in crate::app) fn toggle_film(&mut self) {
        if let Some(current) = self.film.current.take() {
            self.end_film(current);
            return;
        }
        let view = &self.state.pictures;
        let Some(size) = self.window.as_ref().and_then(|window| window.picture_size(view.own_size.then_some(view.size))) else {
            return;
        };
        let (format, fps) = (view.format, f64::from(view.fps));
        let shot =
            Shot { size: Some(size), transparent: view.transparent && format.keeps_transparency(), captions: view.captions };
        let reserved = Reservation::new(&view.folder, &format!("{}_film", self.picture_stem()), format.extension());
        let reservation = match reserved {
            Ok(reservation) => reservation,
            Err(error) => {
                self.state.notices.push(Notice::error("Cannot make a film", error.to_string()));
                return;
            }
        };
        let path = reservation.path().to_owned();
        let proxy = self.proxy.clone();
        let done = move |outcome: &std::io::Result<std::path::PathBuf>| {
            // The output has its name, or never will.
            drop(reservation);
            let notice = match outcome {
                Ok(path) => Notice::written("film complete", path),
                Err(error) => Notice::error("The film has failed", error.to_string()),
            };
            // A closed window needs no notice.
            let _ = proxy.send_event(UserEvent::Notice(notice));
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match Recorder::start(format, path, size, fps, done) {
            Ok(recorder) => {
                let clock = Clock::new(self.session.snapshot().time, fps);
                self.film.current = Some(Current { recorder, name, shot, clock });
                self.record();
            }
            Err(error) => self.state.notices.push(Notice::error("Cannot make a film", error.to_string())),
        }
    }

    /// Takes the pictures that are due.
    pub(in crate::app) fn record(&mut self) {
        self.film.ending.retain(|recorder| !recorder.is_over());
        let Some(mut current) = self.film.current.take() else {
            self.state.pictures.film = None;
            return;
        };
        if current.recorder.is_over() {
            // The thread has reported why.
            self.state.pictures.film = None;
            return;
        }
        let due = current.clock.due(self.session.snapshot().time);
        current.recorder.leave_out(due.left_out);
        if due.pictures > 0
            && let Some(picture) = self.take_picture(current.shot)
        {
            current.recorder.offer(picture, due.pictures);
        }
        self.state.pictures.film = Some(FilmInProgress { name: current.name.clone(), progress: current.recorder.progress() });
        self.film.current = Some(current);
    }

    fn end_film(&mut self, mut current: Current) {
        let left_out = current.recorder.close().left_out;
        if left_out > 0 {
            let title = format!("{left_out} pictures of {} were left out", current.name);
            let advice = "The disk or the encoder was too slow, or the time of the fluid has jumped. Film smaller pictures, fewer a \
                          second, or PNG files.";
            self.state.notices.push(Notice::warning(title, advice));
        }
        self.film.ending.push(current.recorder);
        self.state.pictures.film = None;
    }
}
