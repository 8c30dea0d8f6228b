//! Docked panels: each is shown in every window, beside the 3D view, and stays where it was put. The command palette: every command,
//! parameter and scene is reached by its name.

use super::panels::{Panels, harness, slider, snapshot};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::parameters::Parameter;
use sph_core::{Method, Parameters};
use viewer::command::Command;
use viewer::ui::theme::{self, ThemeChoice};
use viewer::ui::{Action, State, layout_text, restore_layout};

type Switch = fn(&mut State) -> &mut bool;

/// Titles of the panels on the right, and the switch of each.
const OPENED: [(&str, Switch); 4] = [
    ("Bucket map", |state| &mut state.view.map),
    ("Auto-tune", |state| &mut state.tuning.open),
    ("Pictures and video", |state| &mut state.pictures.open),
    ("Keys and mouse", |state| &mut state.shown.help),
];

fn is_shown(harness: &Harness<'_, Panels>, title: &str) -> bool {
    harness.query_all_by_label(title).next().is_some()
}

#[test]
fn panels_are_beside_the_view() {
    for size in [[800.0, 600.0], [1024.0, 640.0], [1280.0, 800.0], [3840.0, 2160.0]] {
        let mut harness = harness(size, snapshot());
        for title in ["Grid", "Inspector", "Rendering", "Scene", "Fluid", "Solver", "Time step", "Performance"] {
            assert!(is_shown(&harness, title), "{title} in {size:?}");
        }
        let before = harness.state().area;
        for (title, switch) in OPENED {
            *switch(&mut harness.state_mut().state) = true;
            harness.run_ok();
            // The list of keys has a row of its own name.
            let tab = harness.query_all_by_label(title).next().expect("it has a tab").rect();
            let area = harness.state().area;
            assert!(!area.intersects(tab), "{title} at {tab} over the view at {area} in {size:?}");
            assert!(area.width() >= theme::LEAST_SCENE[0] && area.height() >= theme::LEAST_SCENE[1], "{area} in {size:?}");
            *switch(&mut harness.state_mut().state) = false;
            harness.run_ok();
            assert!(!is_shown(&harness, title));
            assert!((harness.state().area.width() - before.width()).abs() < 1.5, "{} and {before}", harness.state().area);
        }
    }
}

#[test]
fn the_numbers_of_the_grid_are_seen_without_scrolling() {
    let harness = harness([1280.0, 800.0], snapshot());
    let last = harness.query_all_by_label("Memory").next().expect("it is a row").rect();
    // The tab of the panel below.
    let below = harness.query_all_by_label("Fluid").next().expect("it has a tab").rect();
    assert!(last.bottom() <= below.top(), "{last} above {below}");
}

#[test]
fn another_scene_is_shown_from_the_top() {
    let mut harness = harness([800.0, 600.0], snapshot());
    let top = |harness: &Harness<'_, Panels>| slider(harness, "Hash table size").top();
    let start = top(&harness);
    harness.hover_at(slider(&harness, "Hash table size").center());
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -60.0),
        modifiers: Modifiers::NONE,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.run_steps(30);
    assert!(top(&harness) < start - 20.0, "{} and {start}", top(&harness));
    let panels = harness.state_mut();
    (panels.snapshot.generation, panels.snapshot.opened) = (2, 2);
    panels.state.follow(&panels.snapshot);
    harness.run_ok();
    assert_eq!(top(&harness), start);
}

/// What a panel shows does not move sideways when its scroll bar comes or goes.
#[test]
fn a_scroll_bar_moves_nothing() {
    let edges = [[1280.0, 500.0], [1280.0, 3200.0]].map(|size| {
        let harness = harness(size, snapshot());
        let slider = super::panels::slider(&harness, "Hash table size");
        [slider.left(), slider.right()]
    });
    assert_eq!(edges[0], edges[1]);
}

#[test]
fn an_opened_panel_closes_by_its_tab() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    harness.get_by_label("Close").click();
    harness.run_ok();
    assert!(!harness.state().state.tuning.open && !is_shown(&harness, "Auto-tune"));
}

#[test]
fn a_column_keeps_its_width_and_the_view_takes_the_rest() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    let before = harness.state().area;
    harness.set_size(egui::vec2(1700.0, 900.0));
    harness.run_ok();
    let after = harness.state().area;
    assert!((after.left() - before.left()).abs() < 1.5, "{before} {after}");
    assert!((after.width() - before.width() - 420.0).abs() < 1.5 && (after.height() - before.height() - 100.0).abs() < 1.5);
}

#[test]
fn the_arrangement_comes_back() {
    let mut first = harness([1280.0, 800.0], snapshot());
    let edge = egui::pos2(first.state().area.left(), first.state().area.center().y);
    first.hover_at(edge);
    first.step();
    first.drag_at(edge);
    first.step();
    first.hover_at(edge + egui::vec2(80.0, 0.0));
    first.step();
    first.drop_at(edge + egui::vec2(80.0, 0.0));
    first.run_ok();
    first.state_mut().state.shown.plots = false;
    first.state_mut().state.theme = ThemeChoice::Light;
    first.run_ok();
    let area = first.state().area;
    assert!((area.left() - edge.x - 80.0).abs() < 3.0, "{area} {edge}");
    let text = layout_text(&first.state().state).expect("there is a layout");

    let mut second = harness([1280.0, 800.0], snapshot());
    assert!(restore_layout(&mut second.state_mut().state, &text));
    second.run_ok();
    assert!((second.state().area.left() - area.left()).abs() < 1.5 && !second.state().state.shown.plots);
    assert_eq!((second.state().state.theme, second.ctx.theme()), (ThemeChoice::Light, egui::Theme::Light));
    assert_eq!(layout_text(&second.state().state), Some(text.clone()));
    for damaged in ["", "{}", "null", &text[..text.len() - 9], &text.replace("\"version\":1", "\"version\":2")] {
        assert!(!restore_layout(&mut second.state_mut().state, damaged), "{damaged}");
    }
}

/// Layouts of earlier versions have no theme.
#[test]
fn a_layout_without_a_theme_follows_the_system() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    let text = layout_text(&harness.state().state).expect("there is a layout");
    let older = text.replace("\"theme\":\"system\",", "");
    assert_ne!(older, text);
    harness.state_mut().state.theme = ThemeChoice::Light;
    assert!(restore_layout(&mut harness.state_mut().state, &older));
    assert_eq!(harness.state().state.theme, ThemeChoice::System);
}

#[test]
fn the_theme_is_chosen_in_the_menu() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    assert_eq!(harness.ctx.theme(), egui::Theme::Dark);
    for label in ["View", "Theme", "Light"] {
        harness.get_by_label_contains(label).click();
        harness.run_ok();
    }
    assert_eq!((harness.state().state.theme, harness.ctx.theme()), (ThemeChoice::Light, egui::Theme::Light));
}

/// What is typed after a number was found is its value, in place of the old one.
#[test]
fn a_number_that_was_found_is_typed_over() {
    let mut harness = harness([1280.0, 800.0], snapshot());
    choose(&mut harness, "gravity");
    harness.run_ok();
    harness.event(egui::Event::Text("4.5".to_owned()));
    harness.key_press(Key::Enter);
    harness.run_ok();
    let sent = harness.state().actions.iter().rev().find_map(|action| match action {
        Action::SetParameters(parameters, ..) => Some(parameters.gravity.length()),
        _ => None,
    });
    assert_eq!(sent, Some(4.5));
}

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
    let mut parameters = harness.state().state.edited.parameters.expect("there is a scene");
    parameters.solver.method = Method::Pcisph;
    let panels = harness.state_mut();
    panels.state.edited.edit(parameters, &mut panels.actions);
    panels.state.show_parameter(parameter);
    harness.run_ok();
    harness.run_ok();
    assert!(harness.query_by_label(&format!("{} is not in use", parameter.label)).is_some(), "{}", parameter.key);
}
