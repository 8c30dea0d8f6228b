//! Auto-tuning window: its contents and its actions.

use super::panels::trials::{STRUCTURES, tuning};
use super::panels::{Panels, harness, snapshot};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure, Update};
use sph_core::tuning::{Trial, Verdict};
use viewer::command::Command;
use viewer::session::{Rates, Snapshot, SpeedLimit, Stage, Tuning};
use viewer::ui::{Action, Side};

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// Harness with the window open, over a snapshot with trials in this stage, and this share of them done.
fn opened(size: [f32; 2], progress: Option<(Stage, f64)>) -> Harness<'static, Panels> {
    // A paused window would have the numbers of an applied grid counted.
    let mut snapshot = Snapshot { paused: false, ..snapshot() };
    let parameters = snapshot.parameters.expect("a scene has parameters");
    snapshot.tuning = progress.map(|(stage, share)| tuning(&parameters, &STRUCTURES, stage, share));
    let mut harness = harness(size, snapshot);
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    harness
}

fn actions<'a>(harness: &'a Harness<'_, Panels>) -> &'a [Action] {
    &harness.state().actions
}

fn present(harness: &Harness<'_, Panels>) -> Parameters {
    harness.state().snapshot.parameters.expect("a scene has parameters")
}

#[test]
fn the_key_and_the_button_open_it() {
    let mut harness = harness([1280.0, 1400.0], snapshot());
    harness.key_press(Key::A);
    harness.run_ok();
    harness.get_by_label("Auto-tune…").click();
    harness.run_ok();
    assert_eq!(actions(&harness), [Action::Command(Command::ToggleTuning), Action::Command(Command::ToggleTuning)]);
}

#[test]
fn the_end_of_trials_is_told_if_the_panel_is_closed() {
    for (open, stage, words) in [
        (false, Stage::Overrun, Some("ended early")),
        (false, Stage::Done, Some("has finished")),
        (false, Stage::Cancelled, None),
        (true, Stage::Overrun, None),
    ] {
        let mut harness = opened(WINDOW, Some((Stage::Running, 0.5)));
        let panels = harness.state_mut();
        panels.state.tuning.open = open;
        panels.state.follow(&panels.snapshot);
        panels.snapshot.tuning.as_mut().expect("trials").stage = stage;
        // Once, however often it is shown.
        panels.state.follow(&panels.snapshot);
        panels.state.follow(&panels.snapshot);
        harness.run_ok();
        let told = harness.query_all_by_label_contains("Auto-tune has").count();
        assert_eq!(told > 0, words.is_some(), "{stage:?}");
        assert!(words.is_none_or(|words| harness.query_by_label_contains(words).is_some()), "{stage:?}");
    }
}

#[test]
fn starting_asks_for_all_structures_or_one() {
    let mut harness = opened(WINDOW, None);
    harness.get_by_label("Start").click();
    harness.run_ok();
    let [Action::Tune(None, structures)] = actions(&harness) else { panic!("{:?}", actions(&harness)) };
    assert!(structures.len() > 8 && !structures.contains(&Structure::BruteForce));
    harness.get_by_label("Spatial hash only").click();
    harness.run_ok();
    harness.get_by_label("Start").click();
    harness.run_ok();
    assert_eq!(actions(&harness)[1..], [Action::Tune(None, vec![Structure::SpatialHash])]);
}

#[test]
fn progress_is_shown_and_can_be_cancelled() {
    let mut harness = opened(WINDOW, Some((Stage::Running, 0.5)));
    let results = harness.state().snapshot.tuning.as_ref().expect("trials").results.clone();
    let (done, total) = (results.done(), results.total);
    assert!(total / 3 < done && done < total, "{done} of {total}");
    assert!(harness.query_by_label_contains(&format!("{done} of {total} trials")).is_some(), "{done} of {total}");
    assert!(harness.query_by_label("Start").is_none() && harness.query_by_label_contains("Best so far").is_some());
    // 40 s so far.
    let (done_share, left_share) = (done as f64 / total as f64, (total - done) as f64 / total as f64);
    // The forecast of 30 s counts for a twentieth of the trials.
    let left = 5.0 * ((1.5 + 40.0) * left_share / (0.05 + done_share) / 5.0).round();
    assert!(harness.query_all_by_label_contains(&format!(", about {left} s left")).next().is_some(), "{left}");
    harness.get_by_label("Stop").click();
    harness.run_ok();
    assert_eq!(actions(&harness), [Action::CancelTune]);
    let trials =
        harness.state().snapshot.tuning.clone().map(|tuning| viewer::session::Tuning { stage: Stage::Cancelled, ..tuning });
    harness.state_mut().snapshot.tuning = trials;
    harness.run_ok();
    assert!(harness.query_by_label_contains("stopped after").is_some() && harness.query_by_label("Start again").is_some());
}

/// With the panel closed, while grids are compared, during a lesson, and in the smallest window.
#[test]
fn trials_can_be_seen_and_stopped_from_everywhere() {
    for (size, prepare) in [
        (WINDOW, (|_| {}) as fn(&mut Panels)),
        (WINDOW, |panels| panels.state.toggle_comparison(&mut panels.actions)),
        (WINDOW, |panels| panels.state.shown.lesson = true),
        ([480.0, 320.0], |_| {}),
    ] {
        let mut harness = opened(size, Some((Stage::Running, 0.5)));
        harness.state_mut().state.tuning.open = false;
        prepare(harness.state_mut());
        harness.state_mut().actions.clear();
        harness.run_ok();
        let (done, total) = harness.state().snapshot.tuning.as_ref().expect("trials").progress();
        let window = harness.ctx.content_rect();
        let share = format!("Auto-tune {} %", 100 * done / total);
        let chip = harness.get_by_label(&share).rect();
        let menus = harness.get_by_label("Learn").rect();
        assert!(window.contains_rect(chip) && !chip.intersects(menus), "{size:?}: {chip} beside {menus}");
        harness.get_by_label("Stop auto-tune").click();
        harness.run_ok();
        assert_eq!(actions(&harness), [Action::CancelTune]);
        harness.get_by_label(&share).click();
        harness.run_ok();
        assert!(harness.state().state.tuning.open);
    }
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    harness.state_mut().state.tuning.open = false;
    harness.run_ok();
    assert!(harness.query_by_label("Stop auto-tune").is_none());
}

/// A machine that is busy with trials cannot keep up, which the trials are not to be blamed for.
#[test]
fn the_badge_that_advises_trials_hides_meanwhile() {
    for (stage, is_shown) in [(Stage::Running, false), (Stage::Done, true)] {
        let mut harness = opened(WINDOW, Some((stage, 0.5)));
        let snapshot = &mut harness.state_mut().snapshot;
        (snapshot.paused, snapshot.speed_limit) = (false, SpeedLimit::Times(1.0));
        snapshot.rates = Rates { steps_per_second: 10.0, speed: 0.01 };
        harness.run_ok();
        assert_eq!(harness.query_by_label_contains("Slower than").is_some(), is_shown, "{stage:?}");
    }
}

#[test]
fn the_best_can_be_applied_and_saved() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let before = present(&harness);
    let (best, _) = harness.state().snapshot.tuning.as_ref().and_then(|tuning| tuning.results.best()).expect("trials");
    assert_eq!((best.structure, best.cell_size), (Structure::UniformGrid, before.grid.cell_size));
    assert!(harness.query_by_label_contains("Best: Uniform grid").is_some());
    assert!(harness.query_by_label_contains("3.0 times faster").is_some());
    harness.get_by_label("Apply best").click();
    harness.run_ok();
    let applied = Parameters { grid: best, ..before };
    assert_eq!(actions(&harness), [Action::SetParameters(applied, 1)]);
    harness.get_by_label("Save best to scene").click();
    harness.run_ok();
    assert_eq!(actions(&harness)[1..], [Action::Command(Command::Save)]);
}

/// Saves the best grid, not the current one.
#[test]
fn saving_saves_the_best_grid() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let before = present(&harness);
    let (best, _) = harness.state().snapshot.tuning.as_ref().and_then(|tuning| tuning.results.best()).expect("trials");
    // Parameters that a uniform grid does not use keep the values of the scene.
    assert_eq!((best.table_size, best.hash, best.bucket_capacity), {
        let GridParameters { table_size, hash, bucket_capacity, .. } = before.grid;
        (table_size, hash, bucket_capacity)
    });
    harness.get_by_label("Save best to scene").click();
    harness.run_ok();
    let applied = Parameters { grid: best, ..before };
    assert_eq!(actions(&harness), [Action::SetParameters(applied, 1), Action::Command(Command::Save)]);
    assert_eq!(harness.state().state.tuning.shown, Some(Structure::UniformGrid));
}

/// Without a significant improvement, both buttons are disabled.
#[test]
fn insignificant_improvements_are_not_offered() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let tuning = harness.state().snapshot.tuning.clone().expect("trials");
    let mut results = (*tuning.results).clone();
    let (_, mut cost) = results.best().expect("trials");
    cost.query_ms *= 1.04;
    cost.build_ms *= 1.04;
    results.present_verdict = Some(Verdict::Measured(cost));
    harness.state_mut().snapshot.tuning = Some(Tuning { results: std::sync::Arc::new(results), ..tuning });
    harness.run_ok();
    assert!(harness.query_by_label_contains("Nothing is noticeably faster").is_some());
    assert!(harness.query_by_label_contains("times faster").is_none());
    harness.get_by_label("Apply best").click();
    harness.get_by_label("Save grid to scene").click();
    harness.run_ok();
    assert_eq!(actions(&harness), []);
}

/// Times of repeated measurements appear on the map and in the sentence.
#[test]
fn the_map_shows_repeated_measurements() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let tuning = harness.state().snapshot.tuning.clone().expect("trials");
    let mut results = (*tuning.results).clone();
    let (grid, mut cost) = results.best().expect("trials");
    cost.query_ms += 0.3;
    results.finals = vec![Trial { grid, verdict: Verdict::Measured(cost) }];
    results.final_trials = 1;
    assert_eq!(results.trial(grid.structure, grid.table_size, grid.cell_size), results.finals.first());
    harness.state_mut().snapshot.tuning = Some(Tuning { results: std::sync::Arc::new(results), ..tuning });
    harness.run_ok();
    assert!(harness.query_by_label_contains(&format!("{:.2} ms instead of", cost.total_ms())).is_some());
    assert!(harness.query_by_label_contains(&format!("Uniform grid  {:.2} ms", cost.total_ms())).is_some());
}

/// What was faster by chance in some rounds is not promised.
#[test]
fn a_best_that_lost_a_round_is_not_clearly_faster() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let tuning = harness.state().snapshot.tuning.clone().expect("trials");
    let mut results = (*tuning.results).clone();
    let (grid, cost) = results.best().expect("trials");
    let present = results.present_cost().copied().expect("measured");
    let trial = |grid, cost| Trial { grid, verdict: Verdict::Measured(cost) };
    results.finals = vec![trial(results.present, present), trial(grid, cost)];
    results.final_trials = 6;
    for (times, sentence) in
        [([3.0, 3.6, 3.9], "times faster (2.5 to 3.2 over the rounds)"), ([3.0, 1.1, 3.9], "Not clearly faster: Uniform grid")]
    {
        results.final_times = vec![times.to_vec(), vec![1.2; 3]];
        assert_eq!(results.improvement().is_some(), !sentence.contains("Not"));
        let shown = Tuning { results: std::sync::Arc::new(results.clone()), ..tuning.clone() };
        harness.state_mut().snapshot.tuning = Some(shown);
        harness.run_ok();
        assert!(harness.query_by_label_contains(sentence).is_some(), "{sentence}");
    }
}

/// The buttons keep their positions while numbers and the best structure change.
#[test]
fn buttons_keep_their_positions_during_trials() {
    let positions = [0.35, 0.6, 0.85].map(|share| {
        let harness = opened(WINDOW, Some((Stage::Running, share)));
        ["Apply best", "Stop"].map(|label| harness.get_by_label(label).rect().min)
    });
    assert!(positions.iter().all(|position| position == &positions[0]), "{positions:?}");
}

/// The bar of the window stays as high as it was, with the chip of the trials and the mark of what is unsaved.
#[test]
fn nothing_moves_when_trials_start() {
    let tops = [None, Some((Stage::Running, 0.5))].map(|progress| {
        let mut harness = opened(WINDOW, progress);
        harness.state_mut().state.tuning.open = false;
        harness.run_ok();
        harness.state().area.top()
    });
    assert_eq!(tops[0], tops[1]);
    let mut edited = opened(WINDOW, None);
    let parameters = present(&edited);
    let lighter = Parameters { gravity: 0.5 * parameters.gravity, ..parameters };
    let panels = edited.state_mut();
    panels.state.tuning.open = false;
    panels.state.edited.edit(lighter, &mut panels.actions);
    edited.run_ok();
    assert!(edited.query_by_label_contains("Unsaved").is_some());
    assert_eq!(edited.state().area.top(), tops[0]);
}

#[test]
fn the_structures_stand_in_columns() {
    for size in [WINDOW, [800.0, 600.0]] {
        let harness = opened(size, Some((Stage::Done, 1.0)));
        let places = ["Uniform grid  ", "Spatial hash  ", "Cell hash  ", "Bucket hash  "]
            .map(|name| harness.get_by_label_contains(name).rect());
        let width = places[0].width();
        let lefts: Vec<f32> = places.iter().map(|place| place.left()).collect();
        for place in places {
            assert!((place.width() - width).abs() < 0.5, "{size:?}: {places:?}");
            let columns = lefts.iter().filter(|left| (**left - place.left()).abs() < 0.5).count();
            assert!(
                columns >= places.len() / 2 || places.iter().all(|other| other.top() == place.top()),
                "{size:?}: {places:?}"
            );
        }
    }
}

#[test]
fn the_legend_names_the_current_grid_where_it_is_marked() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    for (structure, marked) in [("Uniform grid  ", false), ("Spatial hash  ", true)] {
        harness.get_by_label_contains(structure).click();
        harness.run_ok();
        assert_eq!(harness.query_by_label("current").is_some(), marked, "{structure}");
    }
}

#[test]
fn variants_of_a_structure_share_a_row() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    let parameters = present(&harness);
    let structures = [Structure::SpatialHash, Structure::CellHash(Update::Rebuilt), Structure::CellHash(Update::Incremental)];
    harness.state_mut().snapshot.tuning = Some(tuning(&parameters, &structures, Stage::Done, 1.0));
    harness.run_ok();
    harness.get_by_label_contains("Spatial hash  ").click();
    harness.run_ok();
    let map = |harness: &Harness<'_, Panels>| harness.query_all_by_label_contains("Try ").next().expect("a map").rect().top();
    let before = map(&harness);
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Variant").is_some_and(|node| node.accesskit_node().is_disabled()));
    harness.get_by_label_contains("Cell hash  ").click();
    harness.run_ok();
    assert_eq!(map(&harness), before);
    harness.get_by_role_and_label(Role::ComboBox, "Variant").click();
    harness.run_ok();
    harness.get_by_label_contains("incremental  ").click();
    harness.run_ok();
    assert_eq!(harness.state().state.tuning.shown, Some(Structure::CellHash(Update::Incremental)));
}

#[test]
fn a_click_on_the_map_applies_that_grid() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    harness.get_by_label_contains("Spatial hash  ").click();
    harness.run_ok();
    let position = harness.get_by_label_contains("Try Spatial hash, 1,024 buckets, 0.200 m").rect().center();
    harness.hover_at(position);
    harness.step();
    harness.drag_at(position);
    harness.step();
    harness.drop_at(position);
    harness.run_ok();
    let [Action::SetParameters(parameters, _)] = actions(&harness) else { panic!("{:?}", actions(&harness)) };
    let grid = parameters.grid;
    assert_eq!((grid.structure, grid.table_size), (Structure::SpatialHash, 1024));
    assert!((grid.cell_size - 0.2).abs() < 1e-6, "{}", grid.cell_size);
}

/// In a comparison, grid A is tuned, for either edited side.
#[test]
fn in_a_comparison_the_tuned_grid_is_named() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    assert!(harness.query_by_label_contains("this tunes grid A").is_none());
    let state = &mut harness.state_mut().state;
    state.comparing.side = Side::B;
    state.comparing.grid_b = state.edited.parameters.map(|parameters| parameters.grid);
    state.comparing.revision += 1;
    harness.run_ok();
    assert!(harness.query_by_label_contains("this tunes grid A").is_some());
    harness.get_by_label("Apply best").click();
    harness.run_ok();
    assert!(matches!(actions(&harness), [Action::SetParameters(..)]), "{:?}", actions(&harness));
}

#[test]
fn outdated_results_are_marked() {
    let mut harness = opened(WINDOW, Some((Stage::Done, 1.0)));
    assert!(harness.query_by_label_contains("Out of date").is_none());
    harness.state_mut().snapshot.particles.positions.truncate(400);
    harness.run_ok();
    assert!(harness.query_by_label_contains("Out of date").is_some());
}

#[test]
fn the_window_fits_small_windows_and_works_without_a_scene() {
    for size in [[800.0, 600.0], [480.0, 320.0], [330.0, 200.0]] {
        // The rightmost parts at each stage.
        let stages = [
            (None, ["Spatial hash only", "Start"]),
            (Some((Stage::Running, 0.3)), ["Auto-tune", "Stop"]),
            (Some((Stage::Done, 1.0)), ["Spatial hash only", "Start again"]),
        ];
        for (progress, parts) in stages {
            let harness = opened(size, progress);
            let window = harness.ctx.content_rect();
            for part in parts {
                let place = harness.get_by_label(part).rect();
                assert!(window.contains_rect(place), "{size:?} {progress:?}: {part} at {place}");
            }
        }
    }
    // Smaller than itself: no panic.
    opened([100.0, 40.0], Some((Stage::Done, 1.0)));
    let mut harness = harness(WINDOW, Snapshot { threads: 2, paused: true, ..Snapshot::default() });
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    assert!(harness.query_by_label("Start").is_none());
}
