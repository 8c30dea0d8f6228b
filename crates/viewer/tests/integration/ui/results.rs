//! Panel "Result": a result beside the present scene.

use super::last_parameters;
use super::panels::{Panels, harness, snapshot};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_io::{BenchResult, Machine, Measured, Scene, Source};
use std::sync::Arc;
use std::time::Duration;
use viewer::command::Command;
use viewer::session::Snapshot;
use viewer::ui::{Action, OpenedResult};

/// A machine of the tests, so that pictures are the same everywhere.
fn machine(threads: u64) -> Machine {
    Machine {
        processor: "Example 9000".to_owned(),
        cores: 8,
        threads,
        vector_instructions: "AVX2".to_owned(),
        architecture: "x86_64".to_owned(),
        system: "Linux 6.1".to_owned(),
    }
}

/// The result of the latest step of a snapshot, which took `factor` times as long, on so many threads.
fn result(snapshot: &Snapshot, factor: u32, threads: u64) -> BenchResult {
    let scene: &Scene = snapshot.scene.as_ref().expect("there is a scene");
    let parameters = snapshot.parameters.expect("there is a scene");
    let mut stats = snapshot.stats.clone().expect("there was a step");
    for phase in sph_core::Phase::ALL {
        stats.phases[phase] *= factor;
    }
    (stats.search.build, stats.search.query) = (Duration::from_micros(300) * factor, Duration::from_micros(450) * factor);
    let memory = sph_core::Memory { particles: 100_000, ..Default::default() };
    let measured = Measured::of(Source::Bench, [stats].iter(), 0, &memory).expect("a step");
    let mut result = BenchResult::new(scene, &parameters, &[], machine(threads), measured);
    result.program.date = "2026-11-24T12:00:00Z".to_owned();
    result
}

/// A snapshot with its result, and another to compare it with: with another grid, twice as fast.
pub fn compared() -> (Snapshot, OpenedResult) {
    let mut snapshot = snapshot();
    snapshot.result = Some(Arc::new(result(&snapshot, 2, 2)));
    let mut other = result(&snapshot, 1, 8);
    other.settings.insert("grid.table_size".to_owned(), 300.into());
    (snapshot, OpenedResult { path: "shared/drop.result.json".into(), result: Arc::new(other) })
}

fn opened() -> Harness<'static, Panels> {
    let (snapshot, opened) = compared();
    let mut harness = harness([1280.0, 1800.0], snapshot);
    harness.state_mut().state.result.show(opened);
    harness.run_ok();
    harness
}

fn has(harness: &Harness<'_, Panels>, label: &str) -> bool {
    harness.query_all_by_label(label).next().is_some()
}

#[test]
fn a_result_is_compared_with_the_present_scene() {
    let mut harness = opened();
    assert!(harness.state().actions.contains(&Action::Measure(true)), "{:?}", harness.state().actions);
    // Twice the time, and two settings that differ.
    assert!(has(&harness, "2.00×") && has(&harness, "2 settings differ"));
    for text in ["Hash table size", "300 buckets", "Threads"] {
        assert!(has(&harness, text), "{text}");
    }
    assert!(!has(&harness, "Processor"));
    harness.get_by_label_contains("that are equal").click();
    harness.run_ok();
    assert!(has(&harness, "Processor") && has(&harness, "Example 9000"));
    harness.state_mut().state.result.open = false;
    harness.run_ok();
    assert_eq!(harness.state().actions.last(), Some(&Action::Measure(false)));
}

#[test]
fn its_scene_and_its_grid_can_be_used() {
    let mut harness = opened();
    let before = harness.state().snapshot.parameters.expect("there is a scene");
    harness.get_by_label("Use its grid").click();
    harness.run_ok();
    let after = last_parameters(&harness);
    assert_eq!((before.grid.table_size, after.grid.table_size), (1000, 300));
    assert_eq!((after.grid.cell_size, after.fluid), (before.grid.cell_size, before.fluid));
    // It is in use now.
    let edits = harness.state().actions.len();
    harness.get_by_label("Use its grid").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.len(), edits);
    harness.get_by_label("Load its scene").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.last(), Some(&Action::Load("shared/drop.result.json".into())));
}

#[test]
fn without_a_result_there_are_the_ways_to_one() {
    let mut harness = harness([1280.0, 1200.0], snapshot());
    harness.state_mut().state.result.open = true;
    harness.run_ok();
    for command in [Command::OpenResult, Command::SaveResult] {
        harness.get_by_label(command.label()).click();
        harness.run_ok();
        assert_eq!(harness.state().actions.last(), Some(&Action::Command(command)));
    }
}
