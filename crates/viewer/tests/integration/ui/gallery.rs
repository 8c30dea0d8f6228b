//! A picture of every panel, in both themes. `UPDATE_PANELS=1` writes them for the gallery of the documentation.

use super::inside::inspect;
use super::panels::{Panels, harness, snapshot};
use super::trials::{STRUCTURES, tuning};
use egui_kittest::Harness;
use image::{GenericImage as _, GenericImageView as _, Rgba, RgbaImage};
use std::collections::HashMap;
use std::io::BufWriter;
use std::path::Path;
use viewer::session::{Inspect, Stage};
use viewer::ui::lessons::{LESSONS, Progress};
use viewer::ui::theme::ThemeChoice;

/// Keys of the panels, each with the height of a window in which it is shown, points.
const PANELS: [(&str, f32); 13] = [
    ("grid", 1500.0),
    ("inspector", 1100.0),
    ("rendering", 800.0),
    ("scene", 900.0),
    ("fluid", 1300.0),
    ("solver", 1300.0),
    ("time_step", 1300.0),
    ("lesson", 900.0),
    ("performance", 800.0),
    ("bucket_map", 640.0),
    ("tuning", 800.0),
    ("pictures", 640.0),
    ("help", 1400.0),
];

/// Height of the tabs above a panel, points.
const TABS: u32 = 25;

/// Largest number of colours of a picture.
const COLORS: usize = 255;

fn opened(key: &'static str, height: f32) -> Harness<'static, Panels> {
    let mut snapshot = inspect(snapshot(), Inspect { contents: true, ..Inspect::default() });
    if key == "tuning" {
        let parameters = snapshot.parameters.expect("there is a scene");
        snapshot.tuning = Some(tuning(&parameters, &STRUCTURES, Stage::Done, 1.0));
    }
    let mut harness = harness([1280.0, height], snapshot);
    let panels = harness.state_mut();
    let state = &mut panels.state;
    (state.view.map, state.tuning.open) = (key == "bucket_map", key == "tuning");
    (state.pictures.open, state.show_help) = (key == "pictures", key == "help");
    state.pictures.folder = "/home/ada/Pictures".into();
    (state.view.cells, state.aids.clips) = (key == "inspector", key == "rendering");
    if key == "lesson" {
        state.lesson = Progress::begin(LESSONS[0], &panels.snapshot);
    }
    state.dock.show(key);
    harness.run_ok();
    harness
}

/// The panel with its tabs, without the empty rows at its end.
fn picture(harness: &mut Harness<'static, Panels>, key: &str, theme: ThemeChoice) -> RgbaImage {
    harness.state_mut().state.theme = theme;
    harness.run_ok();
    let tree = harness.state().state.dock.tree().expect("there was a frame");
    let rect = tree.tiles.find_pane(&key.to_owned()).and_then(|pane| tree.tiles.rect(pane)).expect("it is laid out");
    let whole = harness.render().expect("it can be drawn");
    let (left, top) = (rect.left().max(0.0) as u32, rect.top() as u32 - TABS);
    let (width, height) = (rect.width() as u32, rect.height() as u32 + TABS);
    let panel = whole.view(left, top, width.min(whole.width() - left), height.min(whole.height() - top)).to_image();
    let ground = *panel.get_pixel(4, panel.height() - 2);
    let is_used = |&row: &u32| (4..panel.width() - 12).any(|column| *panel.get_pixel(column, row) != ground);
    let last = (TABS..panel.height() - 2).rev().find(is_used).unwrap_or(TABS);
    panel.view(0, 0, panel.width(), (last + 10).min(panel.height())).to_image()
}

/// Both pictures, one beside the other, or below it if they are wide.
fn together(dark: &RgbaImage, light: &RgbaImage) -> RgbaImage {
    let (width, height) = dark.dimensions();
    let second = if width > 2 * height { [0, height + 8] } else { [width + 8, 0] };
    let size = [second[0] + light.width(), (second[1] + light.height()).max(height)];
    let mut both = RgbaImage::from_pixel(size[0].max(width), size[1], Rgba([255; 4]));
    both.copy_from(dark, 0, 0).expect("there is room");
    both.copy_from(light, second[0], second[1]).expect("there is room");
    both
}

/// Writes a picture with its most frequent colours; others become the nearest of these.
fn write(picture: &RgbaImage, path: &Path) {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for Rgba([r, g, b, _]) in picture.pixels() {
        *counts.entry([*r, *g, *b]).or_default() += 1;
    }
    let mut colors: Vec<_> = counts.keys().copied().collect();
    colors.sort_by_key(|color| (std::cmp::Reverse(counts[color]), *color));
    let palette = &colors[..colors.len().min(COLORS)];
    let distance = |a: &[u8; 3], b: &[u8; 3]| (0..3).map(|i| (i32::from(a[i]) - i32::from(b[i])).pow(2)).sum::<i32>();
    let nearest = |color: &[u8; 3]| (0..palette.len()).min_by_key(|&index| distance(&palette[index], color)).unwrap_or(0) as u8;
    let index: HashMap<[u8; 3], u8> = colors.iter().map(|color| (*color, nearest(color))).collect();
    let file = std::fs::File::create(path).expect("the picture can be written");
    let mut encoder = png::Encoder::new(BufWriter::new(file), picture.width(), picture.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_compression(png::Compression::High);
    encoder.set_palette(palette.concat());
    let data: Vec<u8> = picture.pixels().map(|Rgba([r, g, b, _])| index[&[*r, *g, *b]]).collect();
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&data)).expect("the picture can be written");
}

#[test]
fn every_panel_is_drawn_in_both_themes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/panels");
    for (key, height) in PANELS {
        let mut harness = opened(key, height);
        let [dark, light] = [ThemeChoice::Dark, ThemeChoice::Light].map(|theme| picture(&mut harness, key, theme));
        assert!(dark.height() > TABS + 40, "{key} is empty");
        let brightness = |picture: &RgbaImage| {
            picture.pixels().map(|pixel| u64::from(pixel[1])).sum::<u64>() / u64::from(picture.width() * picture.height())
        };
        assert!(brightness(&dark) < 80 && brightness(&light) > 175, "{key}: {} {}", brightness(&dark), brightness(&light));
        if std::env::var_os("UPDATE_PANELS").is_some() {
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            write(&together(&dark, &light), &folder.join(format!("{key}.png")));
        }
    }
}
