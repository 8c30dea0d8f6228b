//! Comparison of two grids: contents of the panels, and actions of their controls.

use super::inside::{begin_drag, click, inspect};
use super::panels::{Panels, harness, snapshot};
use super::{WINDOW, drag, last_parameters};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sph_core::neighbors::{GridParameters, Registration, Storage, Structure, Update};
use sph_core::{Parameters, Particles, Phase};
use sph_render::grid_boxes::CellColoring;
use std::time::Duration;
use viewer::command::Command;
use viewer::session::{
    Audits, Comparison, ComparisonSnapshot, Difference, Differing, Differs, Inspect, Queried, Snapshot, SpeedLimit, StepCosts,
};
use viewer::ui::{Action, Side, Views};

/// A snapshot with a comparison whose grid B takes a third of the time.
pub fn compared() -> Snapshot {
    let snapshot = snapshot();
    let grid = snapshot.parameters.expect("a scene has parameters").grid;
    let structure = Structure::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once);
    let grid = GridParameters { structure, ..grid };
    let mut stats = snapshot.stats.clone().expect("there was a step");
    stats.search.parameters = grid;
    for phase in Phase::ALL {
        stats.phases[phase] /= 3;
    }
    let mut step_costs = StepCosts::default();
    for _ in 0..80 {
        step_costs.add(&stats, Duration::from_millis(50));
    }
    let grid_b = ComparisonSnapshot {
        set: None,
        grid,
        particles: snapshot.particles.clone(),
        sets: snapshot.sets.clone(),
        stats: Some(stats),
        set_search: None,
        step_costs,
        audits: Audits::default(),
        comparison: Comparison { steps: 1204, bits: 0, first: None },
        inspection: None,
        failure: None,
    };
    Snapshot { grid_b: Some(grid_b), ..snapshot }
}

fn last_grid_b(harness: &Harness<'_, Panels>) -> Option<GridParameters> {
    let requests = harness.state().actions.iter().rev();
    let mut second = requests
        .filter_map(|action| if let Action::Compare(grid, _) = action { Some(grid.map(|grid| grid.grid)) } else { None });
    second.next().expect("a comparison was asked for")
}

#[test]
fn a_comparison_begins_with_another_structure_and_ends() {
    let mut harness = harness(WINDOW, snapshot());
    let own = harness.state().snapshot.parameters.expect("a scene has parameters").grid;
    harness.key_press(Key::C);
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::Command(Command::CompareGrids)]);
    let panels = harness.state_mut();
    panels.state.toggle_comparison(&mut panels.actions);
    let grid_b = last_grid_b(&harness).expect("there is one");
    assert_eq!(GridParameters { structure: own.structure, ..grid_b }, own);
    assert_ne!(grid_b.structure, own.structure);
    let panels = harness.state_mut();
    // The request is pending: it stays.
    panels.state.follow(&panels.snapshot);
    assert!(panels.state.is_comparing() && panels.state.comparing.side == Side::B);
    panels.state.toggle_comparison(&mut panels.actions);
    assert!(last_grid_b(&harness).is_none() && !harness.state().state.is_comparing());
    // The next one begins with the grid that was compared.
    let panels = harness.state_mut();
    panels.state.comparing.before = Some((None, GridParameters { table_size: 77, ..grid_b }));
    panels.state.toggle_comparison(&mut panels.actions);
    assert_eq!(last_grid_b(&harness).expect("there is one").table_size, 77);
}

#[test]
fn a_comparison_can_end_with_grid_b() {
    let mut harness = harness(WINDOW, compared());
    let grid_b = harness.state().snapshot.grid_b.as_ref().expect("two are compared").grid;
    harness.get_by_label("End, keep B").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness).grid, grid_b);
    assert!(harness.state().actions.contains(&Action::Command(Command::CompareGrids)));
}

#[test]
fn the_switch_selects_the_edited_grid() {
    let mut harness = harness(WINDOW, compared());
    let own = harness.state().snapshot.parameters;
    harness.get_by_label("Grid B").click();
    harness.run_ok();
    drag(&mut harness, "Hash table size", 0.5);
    let grid_b = last_grid_b(&harness).expect("there is one");
    assert!((40..=52).contains(&grid_b.table_size), "{}", grid_b.table_size);
    assert_eq!(harness.state().state.edited.parameters, own);
    assert!(!harness.state().actions.iter().any(|action| matches!(action, Action::SetParameters(..))));
    harness.get_by_label("Grid A").click();
    harness.run_ok();
    drag(&mut harness, "Cell spacing", 0.0);
    assert!((last_parameters(&harness).grid.cell_size / 0.025 - 1.0).abs() < 1e-3);
    assert_eq!(last_grid_b(&harness), Some(grid_b));
}

#[test]
fn swapping_exchanges_the_grids() {
    let mut harness = harness(WINDOW, compared());
    let own = harness.state().snapshot.parameters.expect("a scene has parameters");
    let grid_b = harness.state().snapshot.grid_b.as_ref().expect("two are compared").grid;
    harness.get_by_label("Swap").click();
    harness.run_ok();
    assert_eq!(last_parameters(&harness), Parameters { grid: grid_b, ..own });
    assert_eq!(last_grid_b(&harness), Some(own.grid));
    harness.get_by_label("End comparison").click();
    harness.run_ok();
    assert!(harness.state().actions.contains(&Action::Command(Command::CompareGrids)));
    // Another comparison does not begin with two equal grids.
    let panels = harness.state_mut();
    panels.state.toggle_comparison(&mut panels.actions);
    panels.state.toggle_comparison(&mut panels.actions);
    assert_ne!(last_grid_b(&harness).expect("there is one"), grid_b);
}

#[test]
fn grid_b_can_become_a_copy_of_grid_a() {
    let mut harness = harness(WINDOW, compared());
    let own = harness.state().snapshot.parameters.expect("a scene has parameters");
    assert_ne!(harness.state().snapshot.grid_b.as_ref().map(|grid_b| grid_b.grid), Some(own.grid));
    harness.get_by_label("Copy A to B").click();
    harness.run_ok();
    assert_eq!(last_grid_b(&harness), Some(own.grid));
    let state = &harness.state().state;
    assert_eq!((state.edited.parameters, state.comparing.side), (Some(own), Side::B));
    assert!(harness.get_by_label("Copy A to B").accesskit_node().is_disabled(), "it is a copy");
    // What is changed next is the only difference.
    drag(&mut harness, "Cell spacing", 0.0);
    let grid_b = last_grid_b(&harness).expect("there is one");
    assert_ne!(grid_b, own.grid);
    assert_eq!(GridParameters { cell_size: own.grid.cell_size, ..grid_b }, own.grid);
    assert!(!harness.get_by_label("Copy A to B").accesskit_node().is_disabled());
}

/// Snapshot after a swap during a pause: the grids are swapped, and no step has used them yet.
#[test]
fn numbers_are_shown_only_with_the_grid_of_their_measurement() {
    let mut snapshot = compared();
    let parameters = snapshot.parameters.as_mut().expect("a scene has parameters");
    let grid_b = snapshot.grid_b.as_mut().expect("two are compared");
    std::mem::swap(&mut parameters.grid, &mut grid_b.grid);
    let mut harness = harness(WINDOW, snapshot);
    let count = |harness: &Harness<'_, Panels>, text: &str| harness.query_all_by_label_contains(text).count();
    assert_eq!(count(&harness, "– ms build + query"), 2);
    assert_eq!(count(&harness, "– candidates per neighbour"), 2);
    assert_eq!((count(&harness, "times slower"), count(&harness, "times faster")), (0, 0));
    let before = harness.get_by_label_contains("Bucket hash").rect();
    // A step with the new grids, too short for a sample of the history.
    let snapshot = &mut harness.state_mut().snapshot;
    let grid_b = snapshot.grid_b.as_mut().expect("two are compared");
    std::mem::swap(&mut snapshot.stats, &mut grid_b.stats);
    harness.run_ok();
    assert_eq!((count(&harness, "0.25 ms build + query"), count(&harness, "0.75 ms build + query")), (1, 1));
    assert_eq!(count(&harness, "3.0 times faster"), 1);
    assert_eq!(harness.get_by_label_contains("Bucket hash").rect(), before);
}

#[test]
fn both_summaries_and_the_verdict_are_shown() {
    for size in [[1280.0, 800.0], [800.0, 600.0]] {
        let mut harness = harness(size, compared());
        let area = harness.state().area;
        let inside = |harness: &Harness<'_, Panels>, text: &str| {
            let rects: Vec<_> = harness.query_all_by_label_contains(text).map(|node| node.rect()).collect();
            let (left, right): (Vec<_>, Vec<_>) =
                rects.into_iter().filter(|rect| area.contains_rect(*rect)).partition(|rect| rect.center().x < area.center().x);
            (left.len(), right.len())
        };
        // Build and query take 0.75 ms together; grid B takes a third.
        assert_eq!(inside(&harness, "Spatial hash"), (1, 0), "{size:?}");
        assert_eq!(inside(&harness, "Bucket hash"), (0, 1), "{size:?}");
        assert_eq!(inside(&harness, "0.75 ms"), (1, 0), "{size:?}");
        assert_eq!(inside(&harness, "0.25 ms"), (0, 1), "{size:?}");
        assert_eq!(inside(&harness, "3.0 times slower"), (1, 0), "{size:?}");
        assert_ne!(inside(&harness, "Motion identical: 1,204 steps, 0 bits different"), (0, 0), "{size:?}");
        let grid_b = harness.state_mut().snapshot.grid_b.as_mut().expect("two are compared");
        grid_b.comparison.bits = 7;
        let by = Differing::Value(&Particles::ATTRIBUTES[0], 1e-7);
        grid_b.comparison.first = Some(Difference { step: 12, of: Differs::Particle(3), by });
        harness.run_ok();
        assert!(harness.query_by_label_contains("Motion identical").is_none());
        assert!(
            harness
                .query_by_label_contains("Motion differs: particle 3 differs since step 12, in its positions by 1.0e-7 m")
                .is_some()
        );
        let grid_b = harness.state_mut().snapshot.grid_b.as_mut().expect("two are compared");
        grid_b.failure = Some("the uniform grid would need 99 cells".to_owned());
        harness.run_ok();
        assert!(harness.query_by_label_contains("Stopped: the uniform grid would need 99 cells").is_some());
    }
}

#[test]
fn the_statistics_are_those_of_the_chosen_grid() {
    let mut harness = harness(WINDOW, compared());
    assert!(harness.query_by_label("Spills").is_none());
    harness.get_by_label("Grid B").click();
    harness.run_ok();
    let grid_b = harness.state().snapshot.grid_b.as_ref().expect("two are compared");
    assert!(matches!(grid_b.grid.structure, Structure::BucketHash(..)));
    // Only buckets of fixed capacity overflow.
    assert!(harness.query_by_label("Spills").is_some());
}

/// Id of the particle nearest to the camera, and its position in the picture of `side`.
fn nearest(harness: &Harness<'_, Panels>, side: Side) -> (u32, egui::Pos2) {
    let Panels { state, snapshot, area, .. } = harness.state();
    let view = Views { area: *area, divided: true }.of(side);
    let distance = |position: &glam::Vec3| position.distance(state.display.camera.eye());
    let particles = snapshot.particles.positions.iter().zip(&snapshot.particles.ids);
    let (position, id) = particles.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0))).expect("there are particles");
    let position = state.display.camera.project(*position, view.aspect_ratio()).expect("in view");
    (*id, view.center() + 0.5 * egui::vec2(position.x, -position.y) * view.size())
}

#[test]
fn a_click_selects_the_side_and_shows_its_query() {
    let mut harness = harness([1280.0, 1000.0], compared());
    harness.state_mut().state.display.camera.distance = 3.0;
    harness.run_ok();
    for (side, name) in [(Side::B, "Bucket hash"), (Side::A, "Spatial hash")] {
        let (id, position) = nearest(&harness, side);
        click(&mut harness, position);
        let Panels { state, area, .. } = harness.state();
        assert_eq!((state.comparing.side, state.view.selected), (side, Some(Queried::Particle(id))));
        let title = harness.get_by_label(&format!("Particle {id}")).rect();
        assert!(!area.intersects(title), "{side:?} {title}");
        let below =
            |place: egui::Rect| !area.intersects(place) && place.top() > title.top() && place.top() < title.top() + 60.0;
        assert_eq!(harness.query_all_by_label(name).filter(|node| below(node.rect())).count(), 1, "{side:?}");
        harness.get_by_label("Close").click();
        harness.run_ok();
    }
}

#[test]
fn cells_have_a_legend_in_a_small_window_too() {
    for size in [[1280.0, 800.0], [800.0, 600.0]] {
        for coloring in [CellColoring::Occupancy, CellColoring::Bucket, CellColoring::Collision] {
            let mut harness =
                harness(size, inspect(compared(), Inspect { contents: true, queried: None, ..Inspect::default() }));
            harness.state_mut().state.view.cells = true;
            harness.state_mut().state.view.coloring = coloring;
            harness.run_ok();
            let area = harness.state().area;
            let title = ["Particles per cell", "Bucket of the cell", "Cells per bucket"][coloring as usize];
            let legends: Vec<_> =
                harness.query_all_by_label(title).map(|node| node.rect()).filter(|rect| area.contains_rect(*rect)).collect();
            assert_eq!(legends.len(), 1, "{size:?} {coloring:?}");
            let verdict = harness.get_by_label_contains("Motion identical").rect();
            assert!(!legends[0].intersects(verdict), "{size:?} {coloring:?}");
        }
    }
}

/// Cells that a drag shows for a while.
#[test]
fn a_drag_moves_no_legend_of_a_comparison() {
    let mut harness =
        harness([1280.0, 800.0], inspect(compared(), Inspect { contents: true, queried: None, ..Inspect::default() }));
    let colors = |harness: &Harness<'_, Panels>| harness.query_by_label("Lock range").map(|node| node.rect());
    let cells = |harness: &Harness<'_, Panels>| harness.query_by_label("Cells per bucket").map(|node| node.rect());
    let place = colors(&harness).expect("the colours have a legend");
    let pointer = begin_drag(&mut harness, "Cell spacing");
    let legend = cells(&harness).expect("the cells have a legend");
    assert!(colors(&harness).is_none() && legend.top() > place.top() - 60.0, "{legend} in place of {place}");
    harness.drop_at(pointer);
    harness.run_steps(100);
    assert_eq!((colors(&harness), cells(&harness)), (Some(place), None));
}

#[test]
fn both_pictures_control_the_shared_camera() {
    let mut harness = harness(WINDOW, compared());
    for share in [0.25, 0.75] {
        let before = harness.state().state.display.camera;
        let area = harness.state().area;
        let position = area.left_top() + egui::vec2(share, 0.5) * area.size();
        harness.hover_at(position);
        harness.step();
        harness.drag_at(position);
        harness.step();
        harness.hover_at(position + egui::vec2(40.0, 0.0));
        harness.step();
        harness.drop_at(position + egui::vec2(40.0, 0.0));
        harness.run_ok();
        assert!(harness.state().state.display.camera.yaw != before.yaw, "{share}");
    }
}

#[test]
fn both_views_stay_usable_beside_a_panel_in_a_small_window() {
    let mut harness = harness([800.0, 600.0], compared());
    for open in [false, true] {
        harness.state_mut().state.tuning.open = open;
        harness.run_ok();
        let views = Views { area: harness.state().area, divided: true };
        assert!(views.of(Side::A).width() >= 250.0 && views.of(Side::B).width() >= 250.0, "{open}: {:?}", views.area);
        assert!(views.area.height() >= 320.0, "{:?}", views.area);
    }
}

#[test]
fn colours_have_a_legend_in_a_small_comparison_too() {
    let mut harness = harness([800.0, 600.0], compared());
    harness.state_mut().state.view.cells = true;
    harness.state_mut().snapshot = inspect(compared(), Inspect { contents: true, queried: None, ..Inspect::default() });
    harness.run_ok();
    let view = harness.state().area;
    let places = ["Speed: from 0 to ≥ 3.00 m/s", "Particles per cell", "Motion identical: 1,204 steps, 0 bits different"]
        .map(|label| harness.query_all_by_label(label).map(|node| node.rect()).find(|place| view.contains_rect(*place)));
    let [colors, cells, verdict] = places.map(|place| place.expect("it is over the views"));
    assert!(cells.bottom() <= colors.top() && colors.bottom() <= verdict.top(), "{cells} {colors} {verdict}");
}

#[test]
fn a_badge_hides_no_legend_of_a_small_comparison() {
    let mut slow = compared();
    (slow.paused, slow.speed_limit, slow.rates.speed, slow.rates.steps_per_second) = (false, SpeedLimit::Times(1.0), 0.02, 8.0);
    let mut harness = harness([800.0, 600.0], slow);
    harness.run_ok();
    let badge = harness.get_by_label_contains("Slower than").rect();
    let legend = harness.get_by_label("Speed: from 0 to ≥ 3.00 m/s").rect();
    assert!(!badge.intersects(legend) && harness.state().area.contains_rect(legend), "{badge} {legend}");
}
