//! Grid inspection: requests to the simulation for cells, slices, buckets and queries, and their display.

use super::compare::compared;
use super::panels::{self, Panels, harness, snapshot, snapshot_of};
use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use sph_core::neighbors::{Search, Storage, Structure, Verdict, Walk};
use std::sync::Arc;
use std::time::Duration;
use viewer::session::{Inspect, Inspection, Queried, Snapshot};
use viewer::ui::lessons::{LESSONS, Progress};
use viewer::ui::{Action, Framing};

const WINDOW: [f32; 2] = [1280.0, 1400.0];

/// The snapshot with the inspection that the simulation thread would add.
fn inspected(asked: Inspect) -> Snapshot {
    inspect(snapshot(), asked)
}

pub fn inspect(mut snapshot: Snapshot, asked: Inspect) -> Snapshot {
    let scene = snapshot.scene.clone().expect("there is a scene");
    let grid = snapshot.parameters.expect("there are parameters").grid;
    let mut search = Search::new(&grid, scene.setup.discretization.support_radius);
    search.update(&snapshot.particles.positions, &snapshot.particles.ids).expect("unbounded");
    let queried = |id: u32| asked.queried == Some(Queried::Particle(id));
    let index = snapshot.particles.ids.iter().position(|&id| queried(id));
    let query = index.map(|index| search.trace(snapshot.particles.positions[index], Some(index as u32)));
    let (contents, occupancy) = asked.contents.then(|| (search.contents(), search.occupancy())).unzip();
    let cost = Duration::from_millis(1);
    snapshot.inspection = Some(Arc::new(Inspection {
        asked,
        grid,
        serial: 1,
        contents,
        occupancy,
        query,
        values: Vec::new(),
        ellipsoids: Vec::new(),
        refusal: None,
        cost,
    }));
    snapshot
}

/// While the simulation pauses no step counts anew: the grid of the panel is inspected, and its numbers are shown.
#[test]
fn the_numbers_of_a_changed_grid_are_shown_while_paused() {
    let mut paused = snapshot();
    paused.paused = true;
    let grid = &mut paused.parameters.as_mut().expect("there are parameters").grid;
    (grid.structure, grid.table_size) = (Structure::SpatialHash, 7);
    let mut harness = harness(WINDOW, paused.clone());
    let shows = |harness: &Harness<'_, Panels>, text: &str| harness.query_all_by_label_contains(text).next().is_some();
    assert!(asked(&harness).last().is_some_and(|inspect| inspect.contents && inspect.set.is_none()));
    assert!(shows(&harness, "Before the change") && !shows(&harness, "Present grid"));
    harness.state_mut().snapshot = inspect(paused, *asked(&harness).last().expect("it was asked for"));
    let occupancy = harness.state().snapshot.inspection.as_ref().and_then(|inspection| inspection.occupancy.clone());
    let occupancy = occupancy.expect("it was counted");
    harness.run_ok();
    assert!(shows(&harness, "Present grid") && !shows(&harness, "Before the change"));
    assert!(occupancy.occupied_buckets <= 7 && shows(&harness, &format!("{:.2}", occupancy.load_factor())), "{occupancy:?}");
    // A running simulation counts in its next step.
    harness.state_mut().snapshot.paused = false;
    harness.run_ok();
    assert!(asked(&harness).last().is_some_and(|inspect| !inspect.contents));
}

pub fn click(harness: &mut Harness<'_, Panels>, place: Pos2) {
    harness.hover_at(place);
    harness.step();
    for pressed in [true, false] {
        harness.event(Event::PointerButton { pos: place, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
        harness.step();
    }
    harness.run_ok();
}

pub fn asked(harness: &Harness<'_, Panels>) -> Vec<Inspect> {
    let asked = harness.state().actions.iter();
    asked.filter_map(|action| if let Action::Inspect(inspect) = action { Some(*inspect) } else { None }).collect()
}

/// Position of a particle in the window.
fn place_of(harness: &Harness<'_, Panels>, index: usize) -> Pos2 {
    let Panels { state, snapshot, area, .. } = harness.state();
    let place = state.display.camera.project(snapshot.particles.positions[index], area.aspect_ratio()).expect("in view");
    let center = area.center();
    pos2(center.x + 0.5 * place.x * area.width(), center.y - 0.5 * place.y * area.height())
}

/// Index of the particle nearest to the camera, which nothing hides.
fn nearest(harness: &Harness<'_, Panels>) -> usize {
    let Panels { state, snapshot, .. } = harness.state();
    let eye = state.display.camera.eye();
    let distance = |index: &usize| snapshot.particles.positions[*index].distance(eye);
    (0..snapshot.particles.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("there are particles")
}

#[test]
fn a_click_selects_the_particle_under_the_pointer_or_none() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.display.camera.distance = 2.0;
    harness.run_ok();
    let index = nearest(&harness);
    let place = place_of(&harness, index);
    click(&mut harness, place);
    let id = harness.state().snapshot.particles.ids[index];
    assert_eq!(asked(&harness), [Inspect { contents: false, queried: Some(Queried::Particle(id)), ..Inspect::default() }]);
    let free = harness.state().area.right_center() - egui::vec2(20.0, 0.0);
    click(&mut harness, free);
    assert_eq!(asked(&harness).last(), Some(&Inspect::default()));
}

/// The fluid that a query is about stays visible.
#[test]
fn a_query_stands_beside_the_view() {
    let id = 99;
    let asked = Inspect { contents: false, queried: Some(Queried::Particle(id)), ..Inspect::default() };
    for (size, snapshot) in
        [[1280.0, 800.0], [800.0, 600.0]].into_iter().flat_map(|size| [(size, snapshot()), (size, compared())])
    {
        let mut harness = harness(size, inspect(snapshot, asked));
        harness.state_mut().state.view.selected = Some(Queried::Particle(id));
        harness.run_ok();
        // The fluid is grey: the colours of the speed say nothing.
        let is_compared = harness.state().state.is_comparing();
        assert!(is_compared || harness.query_by_label("Lock range").is_none(), "{size:?}");
        let (view, window) = (harness.state().area, harness.ctx.content_rect());
        let labels = ["Particle 99", "Zoom in", "Close", "Position"].map(|label| (label, harness.get_by_label(label).rect()));
        for (label, place) in labels.into_iter().chain([("the table", panels::slider(&harness, "Hash table size"))]) {
            assert!(window.contains_rect(place) && !view.intersects(place), "{size:?}: {label} at {place}, the view at {view}");
        }
        // With its unit.
        let density = harness.query_all_by_label_contains(" kg/m³").map(|node| node.rect());
        assert!(density.into_iter().all(|place| place.right() < view.left()), "{size:?}");
    }
}

#[test]
fn a_query_without_room_is_a_line_away_from_its_particle() {
    let id = 99;
    let mut harness = harness(
        [460.0, 480.0],
        inspected(Inspect { contents: false, queried: Some(Queried::Particle(id)), ..Inspect::default() }),
    );
    for shift in [-0.2, 0.2] {
        harness.state_mut().state.view.selected = Some(Queried::Particle(id));
        harness.state_mut().state.display.framing = Framing::Free;
        let snapshot = &harness.state().snapshot;
        let index = snapshot.particles.ids.iter().position(|&other| other == id).expect("it is there");
        let target = snapshot.particles.positions[index] + glam::Vec3::new(0.0, shift, 0.0);
        harness.state_mut().state.display.camera.target = target;
        harness.run_ok();
        let (place, line) = (place_of(&harness, index), harness.get_by_label_contains("distances tested").rect());
        assert!(harness.state().area.contains_rect(line), "{line}");
        assert!((line.center().y - place.y).abs() > 60.0, "the line at {line}, the particle at {place}");
        harness.get_by_label("Close").click();
        harness.run_ok();
        assert!(harness.query_by_label_contains("distances tested").is_none());
    }
}

/// What lay below it is seen again.
#[test]
fn a_query_makes_way_for_the_lesson_when_it_closes() {
    let mut harness = harness(WINDOW, snapshot());
    harness.state_mut().state.lesson = Progress::begin(LESSONS[0], &harness.state().snapshot.clone());
    harness.run_ok();
    let lesson = |harness: &Harness<'_, Panels>| harness.query_all_by_label_contains(LESSONS[0].title).count();
    let before = lesson(&harness);
    harness.state_mut().state.view.selected = Some(Queried::Particle(99));
    harness.run_ok();
    assert!(harness.query_by_label("Particle 99").is_some());
    harness.state_mut().state.view.selected = None;
    harness.run_ok();
    assert_eq!((harness.query_by_label("Particle 99").is_some(), lesson(&harness)), (false, before));
}

#[test]
fn a_query_is_explained_with_counts() {
    let id = 99;
    let snapshot = inspected(Inspect { contents: false, queried: Some(Queried::Particle(id)), ..Inspect::default() });
    let query = snapshot.inspection.as_ref().and_then(|inspection| inspection.query.clone()).expect("traced");
    let mut harness = harness(WINDOW, snapshot);
    harness.state_mut().state.view.selected = Some(Queried::Particle(id));
    harness.run_ok();
    harness.get_by_label("Particle 99");
    harness.get_by_label("Neighbours");
    for attribute in ["Position", "Velocity"] {
        harness.get_by_label(attribute);
    }
    let sentence = format!("{} distances tested for {} neighbours", query.candidates(), query.count(Verdict::Neighbor));
    assert!(harness.query_by_label_contains(&sentence).is_some(), "{sentence}");
    let before = harness.state().state.display.camera;
    harness.get_by_label("Zoom in").click();
    harness.run_ok();
    let camera = harness.state().state.display.camera;
    assert!(camera.target == query.center && camera.distance < before.distance);
    harness.get_by_label("Close").click();
    harness.run_ok();
    assert!(harness.query_by_label("Particle 99").is_none());
}

/// The switches stay where they are from particle to particle, and so do the steps.
#[test]
fn a_query_keeps_its_rows() {
    let rows = [0, 99, 300].map(|id| {
        let mut harness =
            harness([1280.0, 800.0], inspected(Inspect { queried: Some(Queried::Particle(id)), ..Inspect::default() }));
        harness.state_mut().state.view.selected = Some(Queried::Particle(id));
        harness.run_ok();
        let names = ["The particle itself", "Neighbours", "Too far away", "Hash collisions", "Skipped"];
        let switches = names.map(|name| harness.get_by_role_and_label(Role::CheckBox, name).rect().top());
        assert!(switches.iter().all(|top| *top < 780.0), "{switches:?}");
        let steps = ["The particle lies in", "Its support radius", "The hash function", " distances tested for "];
        let top = |text: &str| harness.query_all_by_label_contains(text).next().map(|node| node.rect().top());
        (switches, steps.map(top))
    });
    assert!(rows.iter().all(|other| *other == rows[0]), "{rows:?}");
}

const FLAT: &str = r#"
format = 1
dimensions = 2
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.4, 0.4]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 0.6]
[grid]
structure = "spatial_hash"
"#;

#[test]
fn a_query_in_two_dimensions_has_no_z() {
    let snapshot = inspect(snapshot_of(FLAT), Inspect { queried: Some(Queried::Particle(27)), ..Inspect::default() });
    let mut harness = harness(WINDOW, snapshot);
    harness.state_mut().state.view.selected = Some(Queried::Particle(27));
    harness.run_ok();
    for part in ["reaches into 3 × 3 = 9 cells", "lies in cell (1, 1)."] {
        assert!(harness.query_by_label_contains(part).is_some(), "{part}");
    }
}

/// The panel shows about half of the query's number of candidates; the query explains the difference.
#[test]
fn a_query_explains_pairs_that_are_tested_once() {
    for (walk, said) in [(Walk::Blocks, true), (Walk::Points, false)] {
        let mut snapshot = snapshot();
        let parameters = snapshot.parameters.as_mut().expect("there are parameters");
        parameters.grid.structure = Structure::BlockMap(Storage::Fixed, walk);
        let mut harness = harness(
            WINDOW,
            inspect(snapshot, Inspect { contents: false, queried: Some(Queried::Particle(99)), ..Inspect::default() }),
        );
        harness.state_mut().state.view.selected = Some(Queried::Particle(99));
        harness.run_ok();
        assert_eq!(harness.query_by_label_contains("a pair is tested once for both").is_some(), said, "{walk:?}");
    }
}

/// The inspection arrives after a step, which may be long.
#[test]
fn the_query_of_a_previous_selection_is_not_shown() {
    let mut harness =
        harness(WINDOW, inspected(Inspect { contents: false, queried: Some(Queried::Particle(99)), ..Inspect::default() }));
    harness.state_mut().state.view.selected = Some(Queried::Particle(98));
    harness.run_ok();
    harness.get_by_label("Particle 98");
    harness.get_by_label("Available after the next step.");
    assert!(harness.query_by_label("Neighbours").is_none());
}

#[test]
fn a_pinned_bucket_beyond_the_table_is_cleared() {
    let mut harness = harness(WINDOW, inspected(Inspect { contents: true, queried: None, ..Inspect::default() }));
    for (pinned, kept) in [(999, Some(999)), (1000, None)] {
        harness.state_mut().state.view.pinned = Some(pinned);
        harness.run_ok();
        assert_eq!(harness.state().state.view.pinned, kept);
    }
}

#[test]
fn the_switches_request_the_inspection() {
    let mut harness = harness(WINDOW, snapshot());
    harness.get_by_label("Inspector").click();
    harness.run_ok();
    harness.get_by_label("Show cells").click();
    harness.run_ok();
    assert_eq!(asked(&harness), [Inspect { contents: true, queried: None, ..Inspect::default() }]);
    harness.get_by_label("Show cells").click();
    harness.run_ok();
    assert_eq!(asked(&harness).last(), Some(&Inspect::default()));
}

#[test]
fn the_bucket_map_names_the_hovered_bucket() {
    let mut harness = harness(WINDOW, inspected(Inspect { contents: true, queried: None, ..Inspect::default() }));
    harness.state_mut().state.view.map = true;
    harness.run_ok();
    // The map is between its title and the hint.
    let title = harness.get_by_label("1,000 buckets").rect();
    let hint = harness.get_by_label_contains("Point at a bucket").rect();
    harness.hover_at(pos2(title.left() + 100.0, 0.5 * (title.bottom() + hint.top())));
    harness.run_ok();
    let pointed = harness.state().state.view.pointed.expect("the pointer is on the map");
    assert!(pointed < 1000 && harness.query_by_label_contains(&format!("Bucket {pointed}")).is_some());
}

#[test]
fn hovering_over_a_cell_highlights_its_bucket() {
    let mut harness = harness(WINDOW, inspected(Inspect { contents: true, queried: None, ..Inspect::default() }));
    harness.state_mut().state.view.cells = true;
    harness.state_mut().state.display.camera.distance = 2.0;
    harness.run_ok();
    let index = nearest(&harness);
    harness.hover_at(place_of(&harness, index));
    harness.run_ok();
    let inspection = harness.state().snapshot.inspection.clone().expect("inspected");
    let contents = inspection.contents.as_ref().expect("inspected");
    let pointed = harness.state().state.view.pointed.expect("the pointer is on a cell");
    assert!(!contents.cells_of(pointed).is_empty());
}

#[test]
fn the_slider_sets_the_slice_position() {
    let mut harness = harness(WINDOW, inspected(Inspect { contents: true, queried: None, ..Inspect::default() }));
    harness.get_by_label("Inspector").click();
    harness.run_ok();
    for label in ["Show cells", "One layer only"] {
        harness.get_by_label(label).click();
        harness.run_ok();
    }
    let slider = panels::slider(&harness, "Slice position");
    let place = slider.left_center() + egui::vec2(0.25 * slider.width(), 0.0);
    click(&mut harness, place);
    let view = &harness.state().state.view;
    // A quarter of the tank's depth of 0.4 m; cells of 0.1 m.
    assert!((view.place.z - 0.1).abs() < 0.02, "{}", view.place);
    let slice = view.slice(0.1).expect("the switch is on");
    assert!(slice.axis == 2 && (0..=1).contains(&slice.layer), "{slice:?}");
}

#[test]
fn the_slice_of_a_scene_cuts_its_fluid_across_the_axis_that_was_chosen_in_space() {
    let flat = "format = 1\ndimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [0.4, 0.4]";
    // Two columns, with air between them, in the lower half of their tank.
    let columns = "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [0.2, 0.3, 0.2]\n\
        [[fluid.blocks]]\nmin = [1, 0, 0.8]\nmax = [1.2, 0.3, 1]\n[[containers]]\nmin = [0, 0, 0]\nmax = [1.2, 1, 1]";
    let mut harness = harness(WINDOW, snapshot());
    let mut opened = 1;
    let mut open = |harness: &mut Harness<'_, Panels>, text: &str| {
        opened += 1;
        let Panels { state, snapshot, .. } = harness.state_mut();
        *snapshot = Snapshot { generation: opened, opened, ..snapshot_of(text) };
        state.follow(snapshot);
        harness.run_ok();
    };
    harness.state_mut().state.view.toggle_slice();
    open(&mut harness, flat);
    assert_eq!(harness.state().state.view.axis, 1);
    open(&mut harness, columns);
    let Panels { state, snapshot, .. } = harness.state();
    assert_eq!(state.view.axis, 2);
    let place = state.view.place;
    for axis in 0..3 {
        let is_near = |position: &Vec3| (position[axis] - place[axis]).abs() < 0.01;
        assert!(snapshot.particles.positions.iter().any(is_near), "axis {axis}: {place}");
    }
    harness.get_by_label("Inspector").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::ComboBox, "Slice normal").click();
    harness.run_ok();
    harness.get_by_label("x").click();
    harness.run_ok();
    open(&mut harness, flat);
    open(&mut harness, columns);
    assert_eq!(harness.state().state.view.axis, 0);
}

/// Moves the handle of a slider and keeps the button pressed.
pub fn begin_drag(harness: &mut Harness<'_, Panels>, label: &str) -> Pos2 {
    let rect = panels::slider(harness, label);
    let to = rect.left_center() + egui::vec2(0.3 * rect.width(), 0.0);
    harness.hover_at(rect.center());
    harness.step();
    harness.drag_at(rect.center());
    harness.step();
    harness.hover_at(to);
    harness.step();
    to
}

#[test]
fn dragging_a_size_of_the_grid_shows_the_cells_for_a_while() {
    let contents = |shown| Inspect { contents: shown, queried: None, ..Inspect::default() };
    for label in ["Hash table size", "Cell spacing"] {
        let mut harness = harness(WINDOW, Snapshot { paused: false, ..inspected(contents(true)) });
        let display = harness.state().state.display.clone();
        let legend = |harness: &Harness<'_, Panels>| harness.query_by_label("Cells per bucket").is_some();
        assert!(asked(&harness).is_empty() && !legend(&harness));
        let place = begin_drag(&mut harness, label);
        assert_eq!(asked(&harness), [contents(true)], "{label}");
        for _ in 0..100 {
            harness.step();
        }
        assert!(legend(&harness) && harness.state().state.view.draws_cells(), "{label}: the drag goes on");
        harness.drop_at(place);
        for _ in 0..40 {
            harness.step();
        }
        assert!(legend(&harness), "{label}: after most of a second");
        for _ in 0..60 {
            harness.step();
        }
        assert!(!legend(&harness) && !harness.state().state.view.draws_cells(), "{label}");
        assert_eq!(asked(&harness), [contents(true), contents(false)], "{label}");
        let now = &harness.state().state.display;
        assert_eq!((now.camera, now.look), (display.camera, display.look), "{label}");
    }
}

#[test]
fn cells_that_are_shown_stay_after_a_drag_and_the_switch_turns_the_others_off() {
    let inspected = inspected(Inspect { contents: true, queried: None, ..Inspect::default() });
    let mut harness = harness(WINDOW, Snapshot { paused: false, ..inspected });
    harness.get_by_label("Show cells while dragging").click();
    harness.run_ok();
    let place = begin_drag(&mut harness, "Cell spacing");
    assert!(asked(&harness).is_empty() && !harness.state().state.view.draws_cells());
    harness.drop_at(place);
    harness.run_ok();
    harness.get_by_label("Show cells while dragging").click();
    harness.state_mut().state.view.cells = true;
    let place = begin_drag(&mut harness, "Hash table size");
    harness.drop_at(place);
    for _ in 0..100 {
        harness.step();
    }
    assert!(harness.state().state.view.draws_cells() && harness.query_by_label("Particles per cell").is_some());
}
