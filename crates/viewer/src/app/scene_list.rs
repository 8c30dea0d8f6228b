//! Scenes of the gallery, read in the background: titles, needs and pictures.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ui::{SceneEntry, SceneNeeds};
use egui::ColorImage;
use sph_commands::scenes;
use sph_io::Scene;

/// Folder beside the scenes with their pictures, PNG files with the scenes' names.
const THUMBNAILS: &str = "thumbnails";

/// Largest side of a picture that is read, pixels.
const MAX_SIDE: u32 = 1024;

/// The scenes beside the default one. Unreadable ones are listed too: opening them reports the error.
pub(super) fn listed_scenes() -> Vec<SceneEntry> {
    let paths = scenes::default_path().as_deref().and_then(Path::parent).map(sph_io::list_scenes).unwrap_or_default();
    paths.into_iter().map(entry).collect()
}

fn entry(path: PathBuf) -> SceneEntry {
    let thumbnail = thumbnail(&path).map(Arc::new);
    let Ok(scene) = sph_io::load(&path, &[]) else { return SceneEntry { thumbnail, ..SceneEntry::new(path) } };
    let needs = Some(SceneNeeds::of(&scene.setup, scene.duration));
    let Scene { title, description, group, .. } = scene;
    SceneEntry { description, group, needs, thumbnail, ..SceneEntry::new(path) }.titled(&title)
}

/// Picture of the scene at `path`; `None` if there is none, or it is no small PNG file of eight bits a channel.
fn thumbnail(path: &Path) -> Option<ColorImage> {
    let name = format!("{}.png", path.file_stem()?.to_str()?);
    let file = path.parent()?.join(THUMBNAILS).join(name);
    let mut decoder = png::Decoder::new(BufReader::new(File::open(file).ok()?));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width.max(height) > MAX_SIDE {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut bytes).ok()?;
    let rgba: Vec<u8> = match frame.color_type {
        png::ColorType::Rgba => bytes[..frame.buffer_size()].to_vec(),
        png::ColorType::GrayscaleAlpha => {
            bytes[..frame.buffer_size()].as_chunks().0.iter().flat_map(|&[gray, alpha]| [gray, gray, gray, alpha]).collect()
        }
        _ => return None,
    };
    Some(ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &rgba))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So that the gallery is whole: each has a group, and a picture of at most a screen's size that can be read.
    #[test]
    fn every_shipped_scene_has_a_group_and_a_picture() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let entries: Vec<SceneEntry> = sph_io::list_scenes(&folder).into_iter().map(entry).collect();
        assert!(entries.len() >= 28);
        for entry in entries {
            let picture = entry.thumbnail.as_ref().map(|image| image.size);
            assert_eq!(picture, Some([288, 180]), "{}", entry.path.display());
            assert!(
                !entry.group.is_empty() && entry.needs.is_some_and(|needs| needs.counts.iter().any(|(count, _)| *count > 0))
            );
        }
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join(THUMBNAILS)).expect("a folder");
        std::fs::write(folder.path().join("thumbnails/a.png"), b"\x89PNG\r\n\x1a\n and no more").expect("a file");
        assert_eq!(thumbnail(&folder.path().join("a.toml")), None);
        assert_eq!(thumbnail(&folder.path().join("b.toml")), None);
    }
}
