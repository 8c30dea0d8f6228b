//! Pictures and videos of the 3D view: their options, the film in progress, and the path of the camera.

use std::path::PathBuf;

use super::widgets::{format, greyed_ui, hint_ui, list_value_ui};
use super::{Action, Model, Obstacles, State, theme};
use crate::command::Command;
use crate::session::Snapshot;
use egui::{Button, ComboBox, DragValue, Frame, Label, Margin, RichText, Ui};
use sph_render::MOST_PIXELS;
use sph_render::camera::{Camera, CameraPath, Keyframe};
use sph_render::film::{Progress, VideoFormat};

// Panel for pictures and videos of the 3D view.

/// Pictures a second that can be chosen.
const RATES: [u32; 5] = [10, 24, 30, 60, 100];

/// Lays out the contents of the panel.
pub fn pictures_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    let reason = snapshot.scene.is_none().then_some("Open a scene first.");
    greyed_ui(ui, reason, |ui| contents_ui(ui, state, snapshot, actions));
}

fn contents_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    let obstacles = Obstacles::of(state, snapshot);
    let view = &mut state.pictures;
    greyed_ui(ui, view.film.is_some().then_some("Stop the film to change these."), |ui| options_ui(ui, view));
    ui.separator();
    picture_ui(ui, view, obstacles, actions);
    ui.separator();
    film_ui(ui, view, obstacles, actions);
    ui.separator();
    path_ui(ui, state, snapshot);
}

fn options_ui(ui: &mut Ui, view: &mut PicturesView) {
    ui.radio_value(&mut view.own_size, false, "Size of the 3D view");
    ui.horizontal(|ui| {
        let own = ui.radio_value(&mut view.own_size, true, "Other size");
        for (index, name) in [(0, "Width of pictures"), (1, "Height of pictures")] {
            let number = DragValue::new(&mut view.size[index]).range(1..=MOST_PIXELS).suffix(" px");
            let number = ui.add_enabled(view.own_size, number).labelled_by(own.id);
            let number = number.on_hover_text(format!("{name}: 1 to {MOST_PIXELS} pixels"));
            number.on_disabled_hover_text("Choose “Other size” first.");
        }
    });
    ui.checkbox(&mut view.transparent, "Transparent background")
        .on_hover_text("The background is left out. Videos made with ffmpeg cannot be transparent.");
    ui.checkbox(&mut view.captions, "Legend and time")
        .on_hover_text("Draw the colour legend and the simulated time into the pictures.");
}

fn picture_ui(ui: &mut Ui, view: &PicturesView, obstacles: Obstacles, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        for command in [Command::Screenshot, Command::SavePictureAs] {
            command_ui(ui, command, command.label(), obstacles, actions);
        }
    });
    if !view.folder.as_os_str().is_empty() {
        hint_ui(ui, format!("Pictures and films are saved to {}", view.folder.display()));
    }
    command_ui(ui, Command::ChoosePicturesFolder, Command::ChoosePicturesFolder.label(), obstacles, actions);
}

fn film_ui(ui: &mut Ui, view: &mut PicturesView, obstacles: Obstacles, actions: &mut Vec<Action>) {
    if let Some(FilmInProgress { name, size, rate, progress }) = &view.film {
        command_ui(ui, Command::ToggleFilm, "Stop film", obstacles, actions);
        let contents = film_contents(*size, *rate, progress.written, None);
        ui.label(format!("{name}: {contents}, {} waiting", progress.waiting));
        if progress.left_out > 0 {
            let text = format!("{} pictures left out: the disk or the encoder is too slow", progress.left_out);
            ui.label(RichText::new(text).color(theme::of(ui).warning));
        }
        return;
    }
    ui.horizontal(|ui| {
        let formats = ComboBox::from_id_salt("film format").selected_text(view.format.label()).width(120.0);
        let formats = formats.show_ui(ui, |ui| {
            for format in VideoFormat::ALL {
                list_value_ui(ui, &mut view.format, format, format.label());
            }
        });
        formats.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Video format"));
        let rates = ComboBox::from_id_salt("film rate").selected_text(format!("{} fps", view.fps)).width(100.0);
        let rates = rates.show_ui(ui, |ui| {
            for rate in RATES {
                list_value_ui(ui, &mut view.fps, rate, &format!("{rate} fps"));
            }
        });
        rates.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Frame rate"));
        rates.response.on_hover_text(
            "Pictures per second of simulated time: the video plays in real time, however slow the simulation is.",
        );
    });
    command_ui(ui, Command::ToggleFilm, "Start film", obstacles, actions);
    if view.transparent && !view.format.keeps_transparency() {
        hint_ui(ui, "This format has no transparency: the background is recorded.");
    }
}

fn path_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot) {
    ui.label("Camera path");
    let camera = state.display.camera;
    let view = &mut state.pictures;
    ui.horizontal(|ui| {
        let add = ui.button("Add keyframe").on_hover_text("The current camera at the current simulated time.");
        if add.clicked() {
            view.path.insert(Keyframe { time: snapshot.time, camera });
        }
        let copy = ui.add_enabled(!view.path.keyframes().is_empty(), Button::new("Copy"));
        let copy = copy.on_hover_text("Copy the path as an argument of `sph render`, which looks at the centre of the scene.");
        if copy.on_disabled_hover_text("Add a keyframe first.").clicked() {
            ui.ctx().copy_text(view.path_argument());
        }
        let any = !view.path.keyframes().is_empty();
        ui.add_enabled(any, egui::Checkbox::new(&mut view.follow_path, "Follow"))
            .on_hover_text("Move the camera along the path as simulated time advances.")
            .on_disabled_hover_text("Add a keyframe first.");
    });
    if view.path.keyframes().is_empty() {
        hint_ui(ui, "No keyframes. Rotate the view, add one, let the simulation run, and add the next.");
        return;
    }
    let mut removed = None;
    for (index, Keyframe { time, camera }) in view.path.keyframes().iter().enumerate() {
        ui.horizontal(|ui| {
            let (yaw, pitch, distance) = (camera.yaw.to_degrees(), camera.pitch.to_degrees(), camera.distance);
            ui.monospace(format!("{time:7.3} s  {yaw:6.0}° {pitch:4.0}° {distance:6.2} m"));
            if ui.small_button("Remove").clicked() {
                removed = Some(index);
            }
        });
    }
    if let Some(index) = removed {
        view.path.remove(index);
    }
    view.follow_path &= !view.path.keyframes().is_empty();
}

fn command_ui(ui: &mut Ui, command: Command, label: &str, obstacles: Obstacles, actions: &mut Vec<Action>) {
    let button = Button::new(label).shortcut_text(command.shortcut_text(ui.ctx()));
    let reason = obstacles.against(command);
    let button = ui.add_enabled(reason.is_none(), button).on_hover_text(command.tooltip());
    if button.on_disabled_hover_text(reason.unwrap_or_default()).clicked() {
        actions.push(Action::Command(command));
    }
}

/// State of the window for pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct PicturesView {
    /// True while the window is open.
    pub open: bool,
    /// True for pictures of `size`, false for those of the 3D view's size.
    pub own_size: bool,
    /// Width and height of a picture, pixels.
    pub size: [u32; 2],
    /// True to leave out the background.
    pub transparent: bool,
    /// True to burn in the legend and the time.
    pub captions: bool,
    /// Format of films.
    pub format: VideoFormat,
    /// Pictures of a film per second of simulated time.
    pub fps: u32,
    /// Keyframes of the camera.
    pub path: CameraPath,
    /// True to move the camera along the path.
    pub follow_path: bool,
    /// Folder that pictures are saved to without a question; set by the application.
    pub folder: PathBuf,
    /// The film in progress; set by the application.
    pub film: Option<FilmInProgress>,
}

/// The film in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmInProgress {
    /// Name of the output.
    pub name: String,
    /// Width and height of a picture, pixels.
    pub size: [u32; 2],
    /// Pictures per second of simulated time.
    pub rate: u32,
    /// State of the output.
    pub progress: Progress,
}

impl Default for PicturesView {
    fn default() -> Self {
        Self {
            open: false,
            own_size: false,
            size: [1920, 1080],
            transparent: false,
            captions: false,
            format: VideoFormat::default(),
            fps: 30,
            path: CameraPath::default(),
            follow_path: false,
            folder: PathBuf::new(),
            film: None,
        }
    }
}

impl PicturesView {
    /// Camera on the path at `time` (s), if it is followed.
    pub fn camera_at(&self, time: f64) -> Option<Camera> {
        self.path.at(time).filter(|_| self.follow_path)
    }

    /// What a film would be, in words: format, size, frame rate, length and folder.
    pub fn film_plan(&self) -> String {
        let [width, height] = self.size;
        let size = if self.own_size { format!("{width} × {height} pixels") } else { "as large as the 3D view".to_owned() };
        let folder = if self.folder.as_os_str().is_empty() {
            "\nFirst it asks for a folder.".to_owned()
        } else {
            format!("\nIt is saved to {}.", self.folder.display())
        };
        format!(
            "{}, {size}, {} pictures per second of simulated time, until you stop it.{folder}",
            self.format.label(),
            self.fps
        )
    }

    /// The path as an argument of `sph render`, with `center` (m), the centre of the scene, as the point that the camera looks at. The
    /// targets of the keyframes are lost.
    pub fn path_argument(&self) -> String {
        let keyframe = |key: &sph_render::camera::Keyframe| {
            let Camera { yaw, pitch, distance, .. } = key.camera;
            format!("{:.3}:{:.2},{:.2},{distance:.4}", key.time, yaw.to_degrees(), pitch.to_degrees())
        };
        let keyframes: Vec<_> = self.path.keyframes().iter().map(keyframe).collect();
        format!("--camera-path \"{}\"", keyframes.join("; "))
    }
}

/// What a film has, in words: its length when it is played, its pictures, and the size of its file, if that is known.
pub fn film_contents([width, height]: [u32; 2], rate: u32, pictures: u64, bytes: Option<u64>) -> String {
    let length = film_length(pictures, rate);
    let bytes = bytes.map_or_else(String::new, |bytes| format!(", {}", format::bytes(bytes as usize)));
    format!("{length:.2} s at {rate} fps, {} of {width} × {height}{bytes}", format::counted(pictures, "picture"))
}

/// Time that so many `pictures` play, s.
fn film_length(pictures: u64, rate: u32) -> f64 {
    pictures as f64 / f64::from(rate.max(1))
}

// Sign of a film over the 3D view.

/// Lays out the sign while one is made.
pub fn badge_ui(ui: &mut Ui, film: Option<&FilmInProgress>) {
    let Some(FilmInProgress { name, size: [width, height], rate, progress }) = film else { return };
    let keys = Command::ToggleFilm.shortcut_text(ui.ctx());
    let length = film_length(progress.written, *rate);
    let text = format!("\u{25cf} Film: {length:6.2} s, {:4} pictures   {keys}: stop", progress.written);
    let color = if progress.left_out > 0 { theme::of(ui).warning } else { theme::of(ui).error };
    let frame = Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6);
    frame.inner_margin(Margin::symmetric(8, 4)).outer_margin(Margin::symmetric(0, 2)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.add(Label::new(RichText::new(text).monospace().size(12.0).color(color)).wrap());
        let output = format!("{name}: {width} × {height}, {rate} fps");
        ui.add(Label::new(RichText::new(output).small().color(theme::of(ui).text_quiet)).truncate());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_render::camera::Keyframe;

    #[test]
    fn the_path_is_followed_only_if_it_is_wanted_and_there() {
        let mut view = PicturesView { follow_path: true, ..PicturesView::default() };
        assert_eq!(view.camera_at(0.0), None);
        view.path.insert(Keyframe { time: 1.5, camera: Camera::default() });
        assert_eq!(view.camera_at(0.0), Some(Camera::default()));
        view.follow_path = false;
        assert_eq!(view.camera_at(0.0), None);
        assert_eq!(view.path_argument(), "--camera-path \"1.500:29.79,20.63,3.0000\"");
    }
}
