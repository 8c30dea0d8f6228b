//! State of the window for pictures.

use crate::camera::Camera;
use crate::camera::CameraPath;
use crate::render::recording::{Progress, VideoFormat};
use std::path::PathBuf;

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

    /// The path as an argument of `sph render`, with `center` (m), the centre of the scene, as the point that the camera looks at. The
    /// targets of the keyframes are lost.
    pub fn path_argument(&self) -> String {
        let keyframe = |key: &crate::camera::Keyframe| {
            let Camera { yaw, pitch, distance, .. } = key.camera;
            format!("{:.3}:{:.2},{:.2},{distance:.4}", key.time, yaw.to_degrees(), pitch.to_degrees())
        };
        let keyframes: Vec<_> = self.path.keyframes().iter().map(keyframe).collect();
        format!("--camera-path \"{}\"", keyframes.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Keyframe;

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
