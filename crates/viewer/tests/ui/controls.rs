//! Controls of every panel: each has a name that a screen reader says, and keys reach it.

use crate::inside::inspect;
use crate::panels::{Panels, harness, snapshot};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use std::collections::HashSet;
use viewer::session::Inspect;

/// Keys of all panels.
const PANELS: [&str; 12] = [
    "grid",
    "inspector",
    "rendering",
    "scene",
    "fluid",
    "solver",
    "time_step",
    "performance",
    "bucket_map",
    "tuning",
    "pictures",
    "help",
];

fn opened(key: &'static str) -> Harness<'static, Panels> {
    let inspected = inspect(snapshot(), Inspect { contents: true, ..Inspect::default() });
    let mut harness = harness([1600.0, 3200.0], inspected);
    let state = &mut harness.state_mut().state;
    state.fluid.all = true;
    (state.view.map, state.tuning.open) = (key == "bucket_map", key == "tuning");
    (state.pictures.open, state.show_help) = (key == "pictures", key == "help");
    state.aids.clips = true;
    state.view.cells = true;
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
