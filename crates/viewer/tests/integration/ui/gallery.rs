//! The gallery of scenes.

use super::panels::{Panels, harness, snapshot};
use egui::accesskit::Role;
use egui::{Key, Order};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_io::Look;
use viewer::command::Command;
use viewer::session::Snapshot;
use viewer::ui::Action;

/// Size of the window, points.
const WINDOW: [f32; 2] = [1280.0, 800.0];

#[test]
fn the_gallery_is_opened_from_the_bar_and_from_an_empty_window() {
    let mut bar = harness(WINDOW, snapshot());
    bar.get_by_label("Scenes").click();
    bar.run_ok();
    assert_eq!(bar.state().actions, [Action::Command(Command::ToggleGallery)]);
    let mut empty = harness(WINDOW, Snapshot { paused: true, threads: 2, ..Snapshot::default() });
    empty.run_ok();
    empty.get_by_label("Browse scenes…").click();
    empty.run_ok();
    assert_eq!(empty.state().actions, [Action::Command(Command::ToggleGallery)]);
}

#[test]
fn a_card_opens_its_scene_and_closes_the_gallery() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.gallery.toggle();
    harness.run_ok();
    assert!(harness.query_by_role_and_label(Role::Button, "Dam break").is_some(), "a title");
    harness.get_by_label("still water 2d").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Load("scenes/still_water_2d.toml".into())]);
    assert!(!harness.state().state.gallery.open);
}

#[test]
fn the_search_leaves_what_matches_and_enter_opens_the_first() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.gallery.toggle();
    harness.run_ok();
    harness.get_by_label("Search scenes").type_text("still");
    harness.run_ok();
    assert!(harness.query_by_role_and_label(Role::Button, "Dam break").is_none());
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Load("scenes/still_water_2d.toml".into())]);
    harness.state_mut().state.gallery.toggle();
    harness.run_ok();
    harness.get_by_label("Search scenes").type_text("no such scene");
    harness.run_ok();
    assert!(harness.query_by_label("No matches").is_some());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(!harness.state().state.gallery.open);
}

/// Pictures show water, and a driver that is slow at it opens scenes in another look.
#[test]
fn the_gallery_says_in_which_look_scenes_open() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.gallery.toggle();
    for (look, says) in [(Look::Spheres, true), (Look::Water, false)] {
        harness.state_mut().state.display.look = look;
        harness.run_ok();
        assert_eq!(harness.query_by_label_contains("Scenes open in the look “Spheres”").is_some(), says, "{look:?}");
    }
}

/// The pointer rests on something whose tooltip is shown while a key opens the gallery.
#[test]
fn no_tooltip_of_what_lies_below_is_over_the_gallery() {
    for label in ["Hash table size", "Step once", "Push"] {
        let mut harness = harness(WINDOW, snapshot());
        let tooltips = |harness: &Harness<'_, Panels>| {
            let shown = harness.ctx.memory(|memory| memory.areas().visible_layer_ids());
            shown.into_iter().filter(|layer| layer.order == Order::Tooltip).count()
        };
        let place = harness.query_all_by_label_contains(label).next().expect("it is shown").rect().left_center();
        harness.hover_at(place + egui::vec2(2.0, 0.0));
        harness.run_steps(60);
        assert_eq!(tooltips(&harness), 1, "{label}");
        harness.state_mut().state.gallery.toggle();
        harness.run_steps(60);
        assert_eq!(tooltips(&harness), 0, "{label}");
        harness.state_mut().state.gallery.toggle();
        harness.hover_at(place + egui::vec2(3.0, 0.0));
        harness.run_steps(60);
        assert_eq!(tooltips(&harness), 1, "{label}: it is shown again");
    }
}

/// Keys of the window belong to the field while it is there.
#[test]
fn no_key_reaches_the_simulation_while_the_gallery_is_open() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.gallery.toggle();
    harness.run_ok();
    harness.key_press(Key::R);
    harness.run_ok();
    assert_eq!(harness.state().actions, []);
}

#[test]
fn the_cards_fit_into_small_windows() {
    for size in [[240.0, 160.0], [800.0, 600.0], [1920.0, 1200.0]] {
        let mut harness = harness(size, snapshot());
        harness.state_mut().state.gallery.toggle();
        harness.run_ok();
        let card = harness.get_by_role_and_label(Role::Button, "Dam break").rect();
        assert!(card.left() >= 0.0 && card.right() <= size[0], "{size:?}: {card}");
    }
}
