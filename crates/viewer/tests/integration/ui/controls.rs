//! Controls of every panel: each has a name that a screen reader says, and keys reach it.

use super::drag;
use super::inside::inspect;
use super::panels::{Panels, harness, snapshot};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::collections::HashSet;
use viewer::command::Command;
use viewer::session::Inspect;
use viewer::ui::lessons::{LESSONS, Progress};
use viewer::ui::theme::ThemeChoice;

/// Keys of all panels.
const PANELS: [&str; 13] = [
    "grid",
    "inspector",
    "rendering",
    "scene",
    "fluid",
    "solver",
    "time_step",
    "lesson",
    "performance",
    "bucket_map",
    "tuning",
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
    let inspected = inspect(snapshot(), Inspect { contents: true, ..Inspect::default() });
    let mut harness = harness([1600.0, 3200.0], inspected);
    let panels = harness.state_mut();
    let state = &mut panels.state;
    state.fluid.all = true;
    (state.view.map, state.tuning.open) = (key == "bucket_map", key == "tuning");
    (state.pictures.open, state.show_help) = (key == "pictures", key == "help");
    if key == "lesson" {
        state.lesson = Progress::begin(LESSONS[0], &panels.snapshot);
    }
    state.aids.clips = true;
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
    let mut parameters = panels.state.parameters.expect("there is a scene");
    parameters.gravity = glam::Vec3::new(3.0e37, -1e12, 3.0e37);
    panels.state.edit(parameters, &mut panels.actions);
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
