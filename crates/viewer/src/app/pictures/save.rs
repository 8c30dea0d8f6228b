//! Saving a picture.

use super::place::Reservation;
use crate::app::background;
use crate::app::event::UserEvent;
use crate::app::handler::App;
use crate::app::window::Shot;
use crate::render::Picture;
use crate::session::Notice;
use std::path::{Path, PathBuf};

impl App {
    /// Saves a picture to `path`, or to the folder of pictures under a free name.
    pub(in crate::app) fn save_picture(&mut self, path: Option<PathBuf>) {
        let view = &self.state.pictures;
        let shot = Shot { size: view.own_size.then_some(view.size), transparent: view.transparent, captions: view.captions };
        let Some(picture) = self.take_picture(shot) else { return };
        let (folder, stem) = (self.state.pictures.folder.clone(), self.picture_stem());
        background::run(&self.proxy, move || {
            UserEvent::Notice(match path {
                Some(path) => save(&picture, &path),
                None => match Reservation::new(&folder, &stem, "png") {
                    Ok(reservation) => save(&picture, reservation.path()),
                    Err(error) => failed(&folder, &error),
                },
            })
        });
    }

    /// Takes a picture of the 3D view; reports a failure. `None` without a scene.
    pub(super) fn take_picture(&mut self, shot: Shot) -> Option<Picture> {
        let window = self.window.as_mut()?;
        match window.take_picture(&self.state, self.session.snapshot(), shot)? {
            Ok(picture) => Some(picture),
            Err(error) => {
                self.state.notices.push(Notice::error("Cannot take a picture", error.to_string()));
                None
            }
        }
    }

    /// Name of pictures of the present state, without extension.
    pub(in crate::app) fn picture_stem(&self) -> String {
        let snapshot = self.session.snapshot();
        let name = snapshot.scene.as_ref().map_or("scene", |scene| &scene.name);
        format!("{name}_{:.3}s", snapshot.time)
    }
}

fn save(picture: &Picture, path: &Path) -> Notice {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match picture.save_png(&path) {
        Ok(()) => Notice::written("picture saved", &path),
        Err(error) => failed(&path, &error),
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Notice {
    Notice::error(format!("Cannot save {}", path.display()), error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Severity;

    #[test]
    fn a_picture_that_cannot_be_saved_is_reported() {
        let picture = Picture { width: 1, height: 1, rgba: vec![0; 4] };
        let notice = save(&picture, Path::new("no such folder/picture.png"));
        assert_eq!(notice.severity, Severity::Error);
    }
}
