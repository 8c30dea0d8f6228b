//! Undo and redo, the mark of unsaved parameters, and the question before they are lost.

use super::panels::{Panels, harness, slider, snapshot};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::sync::Arc;
use viewer::ui::{Action, Answer, Leaving};

/// Drags a slider over several places.
fn drag(harness: &mut Harness<'_, Panels>, label: &str, fractions: &[f32]) {
    let rect = slider(harness, label);
    let place = |fraction: f32| egui::pos2(rect.left() + fraction * rect.width(), rect.center().y);
    harness.hover_at(place(fractions[0]));
    harness.step();
    harness.drag_at(place(fractions[0]));
    harness.step();
    for &fraction in fractions {
        harness.hover_at(place(fraction));
        harness.step();
    }
    harness.drop_at(place(fractions[fractions.len() - 1]));
    harness.run_ok();
}

fn shown(harness: &Harness<'_, Panels>, label: &str) -> bool {
    harness.query_by_label(label).is_some()
}

#[test]
fn a_drag_is_undone_and_redone_at_once() {
    let mut harness = harness([1280.0, 2000.0], snapshot());
    let start = harness.state().state.parameters;
    drag(&mut harness, "Hash table size", &[0.3, 0.5, 0.7]);
    let first = harness.state().state.parameters;
    drag(&mut harness, "Cell spacing", &[0.2, 0.6]);
    let second = harness.state().state.parameters;
    assert!(first != start && second != first && shown(&harness, "• Unsaved"));
    let Panels { state, actions, .. } = harness.state_mut();
    state.undo(actions);
    assert_eq!(state.parameters, first);
    state.undo(actions);
    assert_eq!(state.parameters, start);
    assert!(!state.edits.can_undo());
    state.redo(actions);
    assert_eq!(state.parameters, first);
    state.redo(actions);
    assert_eq!(state.parameters, second);
    assert!(!state.edits.can_redo());
    let last = actions.last().cloned();
    assert_eq!(last, Some(Action::SetParameters(second.expect("a scene has parameters"), state.revision)));
    state.undo(actions);
    state.undo(actions);
    harness.run_ok();
    assert!(!shown(&harness, "• Unsaved"));
}

#[test]
fn the_question_names_the_parameters_and_takes_each_answer() {
    let mut snapshot = snapshot();
    let mut scene = (**snapshot.scene.as_ref().expect("there is a scene")).clone();
    scene.path = Some("drop.toml".into());
    snapshot.scene = Some(Arc::new(scene));
    let mut harness = harness([800.0, 600.0], snapshot);
    drag(&mut harness, "Hash table size", &[0.3]);
    let answered = |harness: &mut Harness<'_, Panels>, act: &dyn Fn(&mut Harness<'_, Panels>)| {
        harness.state_mut().state.leaving = Some(Leaving::Quit);
        harness.run_ok();
        assert!(shown(harness, "Changed parameters:"));
        assert!(harness.query_all_by_label("Hash table size").count() > 1);
        act(harness);
        harness.run_ok();
        harness.state_mut().state.leaving = None;
        harness.run_ok();
        harness.state_mut().actions.pop()
    };
    let press = |label: &'static str| move |harness: &mut Harness<'_, Panels>| harness.get_by_label(label).click();
    assert_eq!(answered(&mut harness, &press("Save")), Some(Action::Answer(Answer::Save)));
    assert_eq!(answered(&mut harness, &press("Discard")), Some(Action::Answer(Answer::Discard)));
    assert_eq!(answered(&mut harness, &press("Cancel")), Some(Action::Answer(Answer::Cancel)));
    let key = |key: Key| move |harness: &mut Harness<'_, Panels>| harness.key_press(key);
    assert_eq!(answered(&mut harness, &key(Key::Enter)), Some(Action::Answer(Answer::Save)));
    assert_eq!(answered(&mut harness, &key(Key::Escape)), Some(Action::Answer(Answer::Cancel)));
}

#[test]
fn a_scene_without_a_file_is_not_saved() {
    let mut harness = harness([800.0, 600.0], snapshot());
    drag(&mut harness, "Hash table size", &[0.3]);
    harness.state_mut().state.leaving = Some(Leaving::Quit);
    harness.run_ok();
    assert!(harness.query_by_label_contains("there is no file to save to").is_some());
    harness.key_press(Key::Enter);
    harness.key_press(Key::Space);
    harness.run_ok();
    assert!(!harness.state().actions.iter().any(|action| matches!(action, Action::Answer(_) | Action::Command(_))));
}
