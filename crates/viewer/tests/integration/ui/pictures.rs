//! The window for pictures and films, and the sign of a film.

use super::panels::{Panels, harness, snapshot};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::path::PathBuf;
use viewer::command::Command;
use viewer::render::recording::{Progress, VideoFormat};
use viewer::ui::{Action, FilmInProgress};

const WINDOW: [f32; 2] = [1280.0, 800.0];

fn opened() -> Harness<'static, Panels> {
    let mut harness = harness(WINDOW, snapshot());
    let pictures = &mut harness.state_mut().state.pictures;
    (pictures.open, pictures.folder) = (true, PathBuf::from("/home/ada/Pictures"));
    harness.run_ok();
    harness
}

#[test]
fn the_folder_is_named_before_anything_is_saved() {
    let mut harness = opened();
    assert!(harness.query_by_label_contains("/home/ada/Pictures").is_some());
    harness.get_by_label_contains("Save picture as").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::SavePictureAs)]);
}

/// However long the folder is, the name of the file comes first, and is seen.
#[test]
fn a_saved_picture_is_named_before_its_long_folder() {
    let mut harness = harness([640.0, 480.0], snapshot());
    let folder = PathBuf::from(format!("/home/{}Pictures", "a_long_name/".repeat(20)));
    let path = folder.join("drop_0.000s.png");
    harness.state_mut().state.notices.push(viewer::session::Notice::written("picture saved", &path));
    harness.run_ok();
    harness.get_by_label_contains("drop_0.000s.png: picture saved");
    // The end of the folder is there too: its middle gave way.
    let line = harness.get_by_label_contains("a_long_name/Pictures");
    line.hover();
    // Tooltips wait.
    harness.run_steps(60);
    assert!(harness.query_by_label(&path.display().to_string()).is_some(), "the whole path is a tooltip");
}

#[test]
fn options_are_chosen_and_stay_while_a_film_is_made() {
    let mut harness = opened();
    // The numbers have the label of their choice too.
    harness.get_by_role_and_label(Role::RadioButton, "Other size").click();
    harness.run_ok();
    for label in ["Transparent background", "Legend and time"] {
        harness.get_by_label(label).click();
        harness.run_ok();
    }
    let pictures = &harness.state().state.pictures;
    assert!(pictures.own_size && pictures.transparent && pictures.captions);
    harness.get_by_role_and_label(Role::ComboBox, "Film format").click();
    harness.run_ok();
    harness.get_by_label(VideoFormat::Ffmpeg.label()).click();
    harness.run_ok();
    assert_eq!(harness.state().state.pictures.format, VideoFormat::Ffmpeg);
    assert!(harness.query_by_label_contains("no transparency").is_some());
    harness.get_by_label_contains("Start film").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::ToggleFilm)]);

    let progress = Progress { written: 12, waiting: 3, left_out: 2 };
    harness.state_mut().state.pictures.film = Some(FilmInProgress { name: "drop_0.000s.mp4".to_owned(), progress });
    harness.run_ok();
    assert!(harness.query_by_label_contains("drop_0.000s.mp4: 12 pictures, 3 waiting").is_some());
    assert!(harness.query_by_label_contains("2 pictures left out").is_some());
    harness.get_by_label("Transparent background").click();
    harness.run_ok();
    assert!(harness.state().state.pictures.transparent, "the options of a film are fixed");
}

#[test]
fn keyframes_are_added_followed_and_removed() {
    let mut harness = opened();
    let camera = harness.state().state.camera;
    harness.get_by_label("Add keyframe").click();
    harness.run_ok();
    harness.get_by_label("Follow").click();
    harness.run_ok();
    let Panels { state, snapshot, .. } = harness.state();
    assert_eq!(state.pictures.camera_at(snapshot.time + 1.0), Some(camera));
    harness.get_by_label("Remove").click();
    harness.run_ok();
    assert_eq!(harness.state().state.pictures.camera_at(0.0), None);
    assert!(!harness.state().state.pictures.follow_path);
}

/// Nothing in the panels of a paused scene asks for another frame.
#[test]
fn a_paused_window_without_input_asks_for_no_frame() {
    let mut harness = harness(WINDOW, snapshot());
    harness.run_ok().expect("the panels come to rest");
    assert!(!harness.ctx.has_requested_repaint());
}
