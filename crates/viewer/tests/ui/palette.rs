//! The command palette: every command, parameter and scene is reached by its name.

use crate::panels::{Panels, harness, slider, snapshot};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
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
