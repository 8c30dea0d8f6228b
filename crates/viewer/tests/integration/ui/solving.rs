//! Panels Scene, Solver and Time step: their numbers and buttons.

use super::front;
use super::panels::{Panels, SCENE, harness, snapshot, snapshot_of};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::path::PathBuf;
use std::sync::Arc;
use viewer::command::Command;
use viewer::ui::Action;

const WINDOW: [f32; 2] = [1280.0, 1600.0];

fn shows(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn the_scene_panel_tells_what_is_in_the_scene() {
    let mut snapshot = snapshot_of(&SCENE.replace("title =", "description = 'Falls into a tank.'\ntitle ="));
    let scene = Arc::get_mut(snapshot.scene.as_mut().expect("there is a scene")).expect("nobody else has it");
    scene.path = Some(PathBuf::from("drops/drop.toml"));
    let mut harness = harness(WINDOW, snapshot);
    front(&mut harness, "scene");
    for text in ["A drop", "Falls into a tank.", "0.0500 m", "1.00 × 0.600 × 0.400 m", "drop.toml"] {
        assert!(shows(&harness, text), "{text}");
    }
    harness.get_by_label("Open…").click();
    harness.get_by_label("Reload").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::Open), Action::Load("drops/drop.toml".into())]);
    // Nothing to save yet.
    harness.get_by_label("Save").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.len(), 2);
    let Panels { state, actions, .. } = harness.state_mut();
    let mut parameters = state.parameters.expect("there are parameters");
    parameters.gravity.y = -1.0;
    state.edit(parameters, actions);
    harness.run_ok();
    harness.get_by_label("Save").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.last(), Some(&Action::Command(Command::Save)));
}

#[test]
fn the_solver_panel_plots_iterations_and_residual() {
    let mut weakly = harness(WINDOW, snapshot());
    front(&mut weakly, "solver");
    assert!(shows(&weakly, "no iterations") && !shows(&weakly, "Iterations per step"));
    let mut dfsph = harness(WINDOW, snapshot_of(&format!("{SCENE}[solver]\nmethod = 'dfsph'\n")));
    front(&mut dfsph, "solver");
    for text in ["Iterations, mean", "Residual", "Iterations per step", "divergence solve", "Density tolerance"] {
        assert!(shows(&dfsph, text), "{text}");
    }
}

#[test]
fn the_time_step_panel_has_the_shares_of_the_limits() {
    let mut snapshot = snapshot();
    let stats = snapshot.stats.as_ref().expect("there was a step");
    let sum = snapshot.history.last_second();
    assert!(sum.steps >= 15 && (sum.mean(sum.simulated) / f64::from(stats.dt) - 1.0).abs() < 0.5, "{sum:?}");
    assert!((sum.shares().iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-6);
    snapshot.rates.speed = 0.5;
    let mut harness = harness(WINDOW, snapshot);
    front(&mut harness, "time_step");
    for text in ["Time step, mean", "CFL number", "× 0.500", "steps/s", "100 %"] {
        assert!(shows(&harness, text), "{text}");
    }
}
