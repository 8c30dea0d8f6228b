//! Every panel: its controls have names that a screen reader says, and keys reach them; pictures of it in both themes, which
//! `UPDATE_PANELS=1` writes for the gallery of the documentation.

use super::drag;
use super::inside::inspect;
use super::panels::trials::{STRUCTURES, tuning};
use super::panels::{Panels, harness, snapshot};
use super::results;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use image::{GenericImage as _, GenericImageView as _, Rgba, RgbaImage};
use std::collections::{HashMap, HashSet};
use std::io::BufWriter;
use std::path::Path;
use viewer::command::Command;
use viewer::session::{Inspect, Queried, Stage};
use viewer::ui::lessons::{LESSONS, Progress};
use viewer::ui::theme::ThemeChoice;

/// Keys of all panels.
const PANELS: [&str; 15] = [
    "grid",
    "inspector",
    "rendering",
    "scene",
    "fluid",
    "solver",
    "time_step",
    "lesson",
    "query",
    "performance",
    "bucket_map",
    "tuning",
    "result",
    "pictures",
    "help",
];

/// The tooltip of a row of a menu hides no row.
#[test]
fn tooltips_of_menus_are_beside_them() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("Theme").click();
    harness.run_ok();
    for (row, tooltip) in [("Light", ThemeChoice::Light.tooltip()), ("Side panels", Command::ToggleSidePanel.tooltip())] {
        let row = harness.get_by_label(row);
        let place = row.rect();
        row.hover();
        // Tooltips wait.
        harness.run_steps(60);
        let tooltip = harness.get_by_label(tooltip).rect();
        assert!(tooltip.left() >= place.right(), "{tooltip} beside {place}");
    }
}

fn opened(key: &'static str) -> Harness<'static, Panels> {
    let particle = (key == "query").then_some(99);
    let inspected =
        inspect(snapshot(), Inspect { contents: true, queried: particle.map(Queried::Particle), ..Inspect::default() });
    let mut harness = harness([1600.0, 3200.0], inspected);
    let panels = harness.state_mut();
    let state = &mut panels.state;
    state.fluid.all = true;
    state.view.selected = particle.map(Queried::Particle);
    (state.view.map, state.tuning.open) = (key == "bucket_map", key == "tuning");
    (state.pictures.open, state.shown.help) = (key == "pictures", key == "help");
    state.result.open = key == "result";
    if key == "lesson" {
        state.lesson = Progress::begin(LESSONS[0], &panels.snapshot);
    }
    state.display.aids.clips = true;
    (state.view.cells, state.view.sliced) = (true, true);
    state.dock.show(key);
    harness.run_ok();
    harness
}

#[test]
fn every_control_has_a_name() {
    let controls =
        [Role::Button, Role::CheckBox, Role::RadioButton, Role::Slider, Role::SpinButton, Role::ComboBox, Role::TextInput];
    for key in PANELS {
        let harness = opened(key);
        let nodes = harness.root().children_recursive();
        let nodes = nodes.filter(|node| controls.contains(&node.accesskit_node().role()));
        let mut count = 0;
        for node in nodes {
            let node = node.accesskit_node();
            let name = node.label().unwrap_or_default();
            let name =
                if name.is_empty() { node.value().filter(|_| node.role() == Role::ComboBox).unwrap_or_default() } else { name };
            assert!(!name.trim().is_empty(), "{key}: {:?} at {:?}, {:?}", node.role(), node.raw_bounds(), node.value());
            count += 1;
        }
        assert!(count > 10, "{key}: {count} controls");
    }
}

#[test]
fn tab_reaches_the_controls_of_a_panel() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    let mut reached = HashSet::new();
    for _ in 0..60 {
        harness.key_press(egui::Key::Tab);
        harness.run_ok();
        let focused = harness.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        reached.extend(focused.and_then(|node| node.accesskit_node().label()));
    }
    for label in ["File", "Hash table size", "Cell spacing", "Kinematic viscosity"] {
        assert!(reached.contains(label), "{label} is not among {reached:?}");
    }
}

/// Labels of the sliders of the panel in front, with their ends and present value.
fn sliders(harness: &Harness<'_, Panels>) -> Vec<(String, [f64; 3])> {
    let nodes = harness.root().children_recursive();
    let nodes = nodes.filter(|node| node.accesskit_node().role() == Role::Slider && !node.accesskit_node().is_disabled());
    let numbers = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        let value = |number: Option<f64>| number.unwrap_or(f64::NAN);
        let ends = [node.min_numeric_value(), node.max_numeric_value(), node.numeric_value()].map(value);
        (node.label().unwrap_or_default(), ends)
    };
    // The timeline has no ends of its own.
    nodes.map(numbers).filter(|(_, numbers)| numbers.iter().all(|number| number.is_finite())).collect()
}

#[test]
fn every_slider_reaches_both_ends_and_moves_nothing() {
    for key in ["grid", "inspector", "rendering", "fluid", "solver", "time_step"] {
        let mut harness = opened(key);
        let view = harness.state().area;
        let labels: HashSet<String> = sliders(&harness).into_iter().map(|(label, _)| label).collect();
        assert!(!labels.is_empty(), "{key}");
        for label in labels {
            for (fraction, end) in [(1.1, 1), (-0.1, 0)] {
                // An end may hide others: the longest step has those of the shortest.
                if !sliders(&harness).iter().any(|(other, _)| *other == label) {
                    continue;
                }
                drag(&mut harness, &label, fraction);
                let all = sliders(&harness);
                let Some((_, numbers)) = all.iter().find(|(other, _)| *other == label) else { continue };
                let (wanted, value) = (numbers[end], numbers[2]);
                assert!((value - wanted).abs() <= 0.01 * wanted.abs() + 1e-6, "{key}: {label} is {value}, not {wanted}");
                let now = harness.state().area;
                assert!((now.left() - view.left()).abs() < 0.5, "{key}: {label} moves the view from {view} to {now}");
            }
        }
    }
}

#[test]
fn huge_numbers_do_not_widen_a_panel() {
    let mut harness = opened("fluid");
    let view = harness.state().area;
    let panels = harness.state_mut();
    let mut parameters = panels.state.edited.parameters.expect("there is a scene");
    parameters.gravity = glam::Vec3::new(3.0e37, -1e12, 3.0e37);
    panels.state.edited.edit(parameters, &mut panels.actions);
    let stats = panels.snapshot.stats.as_mut().expect("there was a step");
    (stats.max_speed, stats.density_error, stats.held_force) = (3e38, 1e30, 1e200);
    harness.run_ok();
    harness.run_ok();
    assert_eq!(harness.state().area, view);
    let window = harness.ctx.content_rect();
    for node in harness.root().children_recursive().filter(|node| node.accesskit_node().role() == Role::SpinButton) {
        assert!(window.contains_rect(node.rect()), "{:?} at {}", node.accesskit_node().label(), node.rect());
    }
}

/// Keys of the panels, each with the height of a window in which it is shown, points.
const HEIGHTS: [(&str, f32); 15] = [
    ("grid", 1500.0),
    ("inspector", 1100.0),
    ("rendering", 800.0),
    ("scene", 900.0),
    ("fluid", 1300.0),
    ("solver", 1300.0),
    ("time_step", 1300.0),
    ("lesson", 900.0),
    ("query", 1200.0),
    ("performance", 800.0),
    ("bucket_map", 640.0),
    ("tuning", 800.0),
    ("result", 800.0),
    ("pictures", 640.0),
    ("help", 1400.0),
];

/// Height of the tabs above a panel, points.
const TABS: u32 = 25;

/// Largest number of colours of a picture.
const COLORS: usize = 255;

fn in_the_gallery(key: &'static str, height: f32) -> Harness<'static, Panels> {
    let particle = (key == "query").then_some(99);
    let mut snapshot =
        inspect(snapshot(), Inspect { contents: true, queried: particle.map(Queried::Particle), ..Inspect::default() });
    if key == "tuning" {
        let parameters = snapshot.parameters.expect("there is a scene");
        snapshot.tuning = Some(tuning(&parameters, &STRUCTURES, Stage::Done, 1.0));
    }
    let opened = (key == "result").then(results::compared);
    let snapshot = opened.as_ref().map_or(snapshot, |(compared, _)| compared.clone());
    let mut harness = harness([1280.0, height], snapshot);
    let panels = harness.state_mut();
    let state = &mut panels.state;
    state.view.selected = particle.map(Queried::Particle);
    (state.view.map, state.tuning.open) = (key == "bucket_map", key == "tuning");
    (state.pictures.open, state.shown.help) = (key == "pictures", key == "help");
    if let Some((_, opened)) = opened {
        state.result.show(opened);
    }
    state.pictures.folder = "/home/ada/Pictures".into();
    (state.view.cells, state.display.aids.clips) = (key == "inspector", key == "rendering");
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
    for (key, height) in HEIGHTS {
        let mut harness = in_the_gallery(key, height);
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
