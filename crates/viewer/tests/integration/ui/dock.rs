//! Docked panels: each is shown in every window, beside the 3D view, and stays where it was put.

use super::panels::{Panels, harness, snapshot};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use viewer::ui::theme::{self, ThemeChoice};
use viewer::ui::{State, layout_text, restore_layout};

type Switch = fn(&mut State) -> &mut bool;

/// Titles of the panels on the right, and the switch of each.
const OPENED: [(&str, Switch); 4] = [
    ("Bucket map", |state| &mut state.view.map),
    ("Auto-tune", |state| &mut state.tuning.open),
    ("Pictures and video", |state| &mut state.pictures.open),
    ("Keys and mouse", |state| &mut state.show_help),
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
    first.state_mut().state.show_plots = false;
    first.state_mut().state.theme = ThemeChoice::Light;
    first.run_ok();
    let area = first.state().area;
    assert!((area.left() - edge.x - 80.0).abs() < 3.0, "{area} {edge}");
    let text = layout_text(&first.state().state).expect("there is a layout");

    let mut second = harness([1280.0, 800.0], snapshot());
    assert!(restore_layout(&mut second.state_mut().state, &text));
    second.run_ok();
    assert!((second.state().area.left() - area.left()).abs() < 1.5 && !second.state().state.show_plots);
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
