//! The command palette: every command, parameter and scene is reached by its name.

use super::panels::{Panels, harness, slider, snapshot};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::parameters::Parameter;
use sph_core::{Method, Parameters};
use viewer::command::Command;
use viewer::ui::Action;

/// Opens the palette, types `text`, and presses the return key.
fn choose(harness: &mut Harness<'_, Panels>, text: &str) {
    harness.state_mut().state.palette.toggle();
    harness.run_ok();
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert!(!harness.state().state.palette.open, "{text}");
}

#[test]
fn every_command_is_sent() {
    let mut harness = harness([800.0, 600.0], snapshot());
    for command in Command::ALL.into_iter().filter(|&command| command != Command::TogglePalette) {
        choose(&mut harness, command.label());
        assert_eq!(harness.state().actions.last(), Some(&Action::Command(command)));
    }
}

#[test]
fn keys_and_typing_do_not_reach_what_lies_below() {
    let mut harness = harness([800.0, 600.0], snapshot());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::TogglePalette)]);
    harness.state_mut().state.palette.toggle();
    harness.run_ok();
    for key in [Key::R, Key::Space, Key::ArrowDown, Key::ArrowUp] {
        harness.key_press(key);
    }
    harness.run_ok();
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(!harness.state().state.palette.open && harness.state().actions.len() == 1);
}

#[test]
fn a_parameter_is_scrolled_into_view() {
    let mut harness = harness([800.0, 500.0], snapshot());
    for label in ["Time-step factor", "Hash table size", "Background pressure"] {
        choose(&mut harness, label);
        let row = slider(&harness, label);
        assert!((40.0..490.0).contains(&row.center().y), "{label} at {row}");
    }
}

#[test]
fn a_parameter_without_effect_is_said_to_have_none() {
    let mut harness = harness([800.0, 600.0], snapshot());
    choose(&mut harness, "Divergence tolerance");
    harness.run_ok();
    assert!(harness.query_by_label("Divergence tolerance is not in use").is_some());
}

#[test]
fn a_scene_opens() {
    let mut harness = harness([800.0, 600.0], snapshot());
    choose(&mut harness, "dam br");
    assert_eq!(harness.state().actions, [Action::Load("scenes/dam_break.toml".into())]);
}

#[test]
fn a_basic_panel_stays_basic_but_for_the_parameter_shown() {
    let mut harness = harness([1280.0, 1600.0], snapshot());
    let shown = |harness: &Harness<'_, Panels>, label| harness.query_all_by_label(label).next().is_some();
    choose(&mut harness, "Artificial viscosity α");
    assert!(shown(&harness, "Artificial viscosity α") && !shown(&harness, "Background pressure"));
    assert!(!harness.state().state.fluid.all);
    choose(&mut harness, "Hash table size");
    assert!(!shown(&harness, "Artificial viscosity α"), "the guest has left");
}

#[test]
fn rows_are_found_by_their_keys_for_labels_repeat() {
    let mut table: Vec<_> = Parameters::table().iter().map(|parameter| parameter.label).collect();
    table.sort_unstable();
    assert!(table.windows(2).any(|pair| pair[0] == pair[1]), "the test needs two parameters with one label");
    let mut harness = harness([1280.0, 800.0], snapshot());
    // Its label is that of a parameter of the present solver.
    let namesake = |parameter: &&'static Parameter<Parameters>| {
        let others = Parameters::table().iter().filter(|other| other.label == parameter.label);
        parameter.key.starts_with("solver.dfsph.") && others.count() > 1
    };
    let parameter = Parameters::table().iter().find(namesake).expect("DFSPH shares labels with other solvers");
    let mut parameters = harness.state().state.parameters.expect("there is a scene");
    parameters.solver.method = Method::Pcisph;
    let panels = harness.state_mut();
    panels.state.edit(parameters, &mut panels.actions);
    panels.state.show_parameter(parameter);
    harness.run_ok();
    harness.run_ok();
    assert!(harness.query_by_label(&format!("{} is not in use", parameter.label)).is_some(), "{}", parameter.key);
}
