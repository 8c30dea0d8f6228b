//! Searches of cloths and balls: what the tools that look inside a search show of them, and of which they say why they show nothing.

use super::inside::{asked, begin_drag, click};
use super::panels::{Panels, SCENE, harness, slider, snapshot, snapshot_of};
use super::{drag, front, on_screen};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::point_sets::PointId;
use sph_core::probes::PresentSearch;
use sph_core::tuning::Sweep;
use sph_core::{Engine as _, Simulation};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use viewer::command::Command;
use viewer::session::{
    Audits, Comparison, ComparisonSnapshot, Inspect, Inspection, Queried, SearchGrid, Snapshot, Stage, StepCosts, Tuning,
};
use viewer::ui::Action;

const WINDOW: [f32; 2] = [1280.0, 1400.0];

/// Balls of two sets in a box.
const BALLS: &str = r#"
[[balls]]
name = "gravel"
count = 40
radius_range = [0.01, 0.03]
min = [0.1, 0.1, 0.1]
max = [0.3, 0.3, 0.3]
[[balls]]
name = "marble"
radius = 0.02
centers = [[0.6, 0.3, 0.2]]
"#;

/// Balls without fluid.
fn balls() -> String {
    let solids = "[particles]\nspacing = 0.05\n[[containers]]\nmin = [0, 0, 0]\nmax = [1, 0.6, 0.4]\n";
    format!("format = 1\n{solids}{BALLS}")
}

/// The inspection of the balls that the simulation thread would add.
fn inspected(text: &str) -> Snapshot {
    inspect(snapshot_of(text), Inspect { contents: true, set: Some(0), ..Inspect::default() }, 0..2, None)
}

/// An inspection of the search of `sets`, with the query of the point of this index among all that are searched.
fn inspect(mut snapshot: Snapshot, asked: Inspect, sets: Range<usize>, queried: Option<usize>) -> Snapshot {
    let scene = snapshot.scene.clone().expect("there is a scene");
    let simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
    let mut search = PresentSearch::default();
    let view = simulation.view();
    let registered = search.update_sets(&view, sets.clone()).expect("unbounded").expect("there are points");
    let query = queried.map(|index| registered.trace(index));
    snapshot.inspection = Some(Arc::new(Inspection {
        asked,
        grid: snapshot.set_grids[sets.start],
        serial: 1,
        contents: asked.contents.then(|| registered.contents()),
        occupancy: asked.contents.then(|| registered.occupancy()),
        query,
        values: Vec::new(),
        ellipsoids: Vec::new(),
        refusal: None,
        cost: Duration::from_millis(1),
    }));
    snapshot
}

fn shows(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

fn commands(harness: &Harness<'_, Panels>) -> Vec<Command> {
    let commands = harness.state().actions.iter();
    commands.filter_map(|action| if let Action::Command(command) = action { Some(*command) } else { None }).collect()
}

/// The grids that were asked for, with their sets.
fn grids(harness: &Harness<'_, Panels>) -> Vec<(usize, GridParameters)> {
    let actions = harness.state().actions.iter();
    actions
        .filter_map(|action| if let Action::SetPointGrid(set, grid, _) = action { Some((*set, *grid)) } else { None })
        .collect()
}

/// The searches of grid B that were asked for.
fn compared(harness: &Harness<'_, Panels>) -> Vec<SearchGrid> {
    let actions = harness.state().actions.iter();
    actions.filter_map(|action| if let Action::Compare(Some(grid), _) = action { Some(*grid) } else { None }).collect()
}

#[test]
fn several_searches_in_a_step_are_counted() {
    let mut harness = harness(WINDOW, snapshot_of(&balls()));
    for searches in [1, 5] {
        harness.state_mut().snapshot.set_searches.iter_mut().for_each(|search| search.searches = searches);
        harness.run_ok();
        assert!(shows(&harness, "Pairs per ball"));
        assert_eq!(shows(&harness, "Searches in the step"), searches > 1);
    }
}

#[test]
fn the_search_of_balls_is_compared_without_fluid() {
    let mut harness = harness(WINDOW, snapshot_of(&balls()));
    let own = harness.state().snapshot.set_grids[0];
    harness.key_press(Key::C);
    harness.run_ok();
    assert_eq!(commands(&harness), [Command::CompareGrids]);
    let panels = harness.state_mut();
    panels.state.toggle_comparison(&mut panels.actions);
    let [SearchGrid { set: Some(0), grid }] = compared(&harness)[..] else { panic!("{:?}", compared(&harness)) };
    assert_ne!(grid.structure, own.structure);
    // The session has begun: grid B needs twice the candidates.
    let snapshot = &mut harness.state_mut().snapshot;
    let mut set_search = snapshot.set_searches[0].clone();
    set_search.stats.parameters = grid;
    set_search.stats.tally.candidates *= 2;
    let candidates = set_search.stats.candidates_per_neighbor();
    snapshot.comparison_revision = 1;
    snapshot.grid_b = Some(ComparisonSnapshot {
        set: Some(0),
        grid,
        particles: snapshot.particles.clone(),
        sets: snapshot.sets.clone(),
        stats: snapshot.stats.clone(),
        set_search: Some(set_search),
        step_costs: StepCosts::default(),
        audits: Audits::default(),
        comparison: Comparison { steps: 9, bits: 0, first: None },
        inspection: None,
        failure: None,
    });
    harness.run_ok();
    assert!(shows(&harness, "Motion identical: 9 steps") && shows(&harness, "Swap") && shows(&harness, "End comparison"));
    assert!(shows(&harness, &format!("{candidates:.2} candidates per pair")), "{candidates}");
    // The panel edits B, with its numbers, and then A.
    for (side, edits) in [("Grid B", [0, 1]), ("Grid A", [1, 0])] {
        harness.get_by_label(side).click();
        harness.run_ok();
        let before = [grids(&harness).len(), compared(&harness).len()];
        let slider = slider(&harness, "Hash table size");
        click(&mut harness, slider.left_center() + egui::vec2(0.3 * slider.width(), 0.0));
        let after = [grids(&harness).len(), compared(&harness).len()];
        assert_eq!([after[0] - before[0], after[1] - before[1]], edits, "{side}");
    }
    let count = grids(&harness).len();
    harness.get_by_label("Swap").click();
    harness.run_ok();
    assert!(grids(&harness).len() == count + 1 && grids(&harness)[count].1.structure == grid.structure);
    assert_eq!(compared(&harness).last().map(|grid| grid.grid.structure), Some(own.structure));
}

/// A comparison goes on while another search is shown, and can be found and ended from there.
#[test]
fn a_comparison_of_another_search_is_shown_and_ended() {
    let mut harness = harness(WINDOW, snapshot_of(&format!("{SCENE}{BALLS}")));
    let panels = harness.state_mut();
    panels.state.toggle_comparison(&mut panels.actions);
    panels.state.show_search_of(Some(0));
    harness.run_ok();
    assert!(shows(&harness, "The two pictures compare grids of the search of particles."));
    assert!(!shows(&harness, "Swap"));
    harness.get_by_label("End comparison").click();
    harness.run_ok();
    assert_eq!(commands(&harness), [Command::CompareGrids]);
    harness.get_by_label("Show search of particles").click();
    harness.run_ok();
    assert!(harness.state().state.is_comparing_shown() && shows(&harness, "Swap"));
}

/// Auto-tune measures the search that the Grid panel shows, and changes it alone.
#[test]
fn the_search_of_balls_is_tuned_without_fluid() {
    let mut harness = harness(WINDOW, snapshot_of(&balls()));
    harness.key_press(Key::A);
    harness.run_ok();
    assert_eq!(commands(&harness), [Command::ToggleTuning]);
    harness.state_mut().state.tuning.open = true;
    harness.run_ok();
    assert!(
        shows(&harness, "Search that the Grid panel shows: Balls: gravel + 1 other") && shows(&harness, "on the current balls")
    );
    harness.get_by_label("Start").click();
    harness.run_ok();
    let asked = harness.state().actions.last().cloned();
    assert!(matches!(&asked, Some(Action::Tune(Some(0), structures)) if structures.len() > 8), "{asked:?}");
    // Trials of the balls: real ones, as the simulation thread makes them.
    let scene = harness.state().snapshot.scene.clone().expect("there is a scene");
    let simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
    let view = simulation.view();
    let present = view.set_grids[0];
    let structures = vec![Structure::SortedCells, present.structure];
    let mut sweep = Sweep::of(&view, &scene.setup, Some(0), structures).expect("there are balls");
    while sweep.next_trial() {}
    let tuning = |set| Tuning {
        set,
        results: sweep.results().clone(),
        stage: Stage::Done,
        time: 0.0,
        elapsed: Duration::from_secs(1),
        forecast: None,
    };
    harness.state_mut().snapshot.tuning = Some(tuning(Some(0)));
    harness.run_ok();
    assert!(shows(&harness, "41 balls at t = 0.000 s") && harness.query_by_label("Save best to scene").is_some());
    drag(&mut harness, "Hash table size", 0.2);
    let before = grids(&harness).len();
    harness.get_by_label("Apply best").click();
    harness.run_ok();
    let applied = grids(&harness);
    let best = sweep.results().improvement().map_or(present, |(grid, _)| grid);
    assert_eq!((applied.len(), applied.last()), (before + 1, Some(&(0, best))));
    // The trials of another search are not taken for those of this one.
    harness.state_mut().snapshot.tuning = Some(tuning(None));
    harness.run_ok();
    assert!(
        shows(&harness, "The latest trials measured the search of particles") && harness.query_by_label("Apply best").is_none()
    );
}

#[test]
fn cells_and_buckets_are_those_of_the_search_that_is_shown() {
    let mut harness = harness(WINDOW, inspected(&balls()));
    let of_balls = Inspect { contents: true, set: Some(0), ..Inspect::default() };
    harness.get_by_label("Inspector").click();
    harness.run_ok();
    harness.get_by_label("Show cells").click();
    harness.run_ok();
    assert_eq!(asked(&harness), [of_balls]);
    assert!(shows(&harness, "Balls per cell") && shows(&harness, "Cells and buckets are those of the balls"));
    harness.get_by_label("Show cells").click();
    harness.state_mut().state.view.map = true;
    harness.run_ok();
    let snapshot = &harness.state().snapshot;
    let inspection = snapshot.inspection.as_ref().expect("inspected");
    let longest = inspection.contents.as_ref().and_then(|contents| contents.bucket_lengths.iter().max()).expect("buckets");
    for label in [format!("{} buckets", snapshot.set_grids[0].table_size), format!("{longest} balls")] {
        assert!(shows(&harness, &label), "{label}");
    }
    assert_eq!(asked(&harness).last(), Some(&of_balls));
}

#[test]
fn dragging_a_size_of_the_search_of_balls_shows_its_cells() {
    for label in ["Hash table size", "Cell spacing"] {
        let mut harness = harness(WINDOW, Snapshot { paused: false, ..inspected(&balls()) });
        let place = begin_drag(&mut harness, label);
        assert_eq!(asked(&harness), [Inspect { contents: true, set: Some(0), ..Inspect::default() }], "{label}");
        assert!(harness.state().state.view.draws_cells(), "{label}");
        harness.drop_at(place);
        for _ in 0..100 {
            harness.step();
        }
        assert!(!harness.state().state.view.draws_cells(), "{label}");
        assert_eq!(asked(&harness).last(), Some(&Inspect::default()), "{label}");
    }
}

#[test]
fn the_key_of_cells_says_that_brute_force_has_none() {
    for text in [balls(), SCENE.to_owned()] {
        let mut snapshot = snapshot_of(&text);
        snapshot.set_grids.iter_mut().for_each(|grid| grid.structure = Structure::BruteForce);
        snapshot.parameters.as_mut().expect("a scene has parameters").grid.structure = Structure::BruteForce;
        let mut harness = harness(WINDOW, snapshot);
        harness.key_press(Key::V);
        harness.run_ok();
        assert!(commands(&harness).is_empty() && shows(&harness, "Brute force has no cells: choose another structure"));
        // Cells that are shown already can be turned off.
        harness.state_mut().state.view.cells = true;
        harness.key_press(Key::V);
        harness.run_ok();
        assert_eq!(commands(&harness), [Command::ToggleCells]);
    }
}

#[test]
fn the_cost_plot_shows_the_search_that_the_grid_panel_shows() {
    let mut harness = harness(WINDOW, snapshot_of(&balls()));
    assert!(shows(&harness, "Balls: candidates per pair"));
    let recent = harness.state().snapshot.costs_of(Some(0)).and_then(|costs| costs.recent()).expect("there were steps");
    assert!(recent.candidates_per_neighbor > 1.0 && shows(&harness, &format!("{:.2}", recent.candidates_per_neighbor)));
    // A search that has not been made.
    harness.state_mut().snapshot.point_costs.clear();
    harness.run_ok();
    assert!(shows(&harness, "The latest steps have not searched the balls."));
    // With fluid, it is the fluid's until another is chosen.
    let mut harness = super::harness(WINDOW, snapshot_of(&format!("{SCENE}{BALLS}")));
    assert!(!shows(&harness, "Balls: candidates"));
    harness.state_mut().state.show_search_of(Some(0));
    harness.run_ok();
    assert!(shows(&harness, "Balls: candidates per pair"));
}

#[test]
fn a_change_of_the_search_of_balls_is_undone() {
    let mut harness = harness(WINDOW, snapshot_of(&balls()));
    let before = harness.state().snapshot.set_grids[0];
    drag(&mut harness, "Hash table size", 0.2);
    let changed = grids(&harness).last().expect("an edit was asked for").1;
    assert_ne!(changed.table_size, before.table_size);
    // A save would write it, and the numbers are those of before.
    let Panels { state, snapshot, .. } = harness.state();
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    assert_eq!(state.edited.unsaved(scene), ["Hash table size (balls)"]);
    assert!(!state.edited.would_be_missed(scene), "the motion is the same");
    harness.state_mut().snapshot.paused = true;
    harness.run_ok();
    assert!(shows(&harness, "• Unsaved") && shows(&harness, "Before the change"));
    let mut actions = Vec::new();
    harness.state_mut().state.undo(&mut actions);
    let shown = |harness: &Harness<'_, Panels>| harness.state().state.edited.point_grids.get(1);
    assert_eq!(shown(&harness), Some(before), "all balls share a search");
    harness.run_ok();
    assert!(!shows(&harness, "• Unsaved") && shows(&harness, "Latest step"));
    harness.state_mut().state.redo(&mut actions);
    assert_eq!(shown(&harness), Some(changed));
    let asked: Vec<GridParameters> = actions
        .iter()
        .filter_map(|action| if let Action::SetPointGrid(_, grid, _) = action { Some(*grid) } else { None })
        .collect();
    assert_eq!((asked.first(), asked.last()), (Some(&before), Some(&changed)));
    // The key does the same.
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(commands(&harness), [Command::Undo]);
}

/// Cloth above balls, without fluid.
const CLOTH: &str = "[[cloths]]\nname = \"sail\"\ncorner = [0.4, 0.5, 0.1]\nalong = [0.3, 0, 0]\nacross = [0, 0, 0.2]\nspacing = 0.05\n\
                     [[cloths.pins]]\nmin = [0.35, 0.4, 0.05]\nmax = [0.42, 0.6, 0.35]\n";

/// With the search of balls or of cloth, a click shows the query of the ball or vertex under the pointer; another search ends it.
#[test]
fn a_click_shows_the_query_of_a_ball_or_a_vertex() {
    let text = format!("{}{CLOTH}", balls());
    let snapshot = snapshot_of(&text);
    // The cloth comes first; the marble is the last of the balls.
    let (marble, vertex, pin) = (PointId { set: 2, id: 0 }, PointId { set: 0, id: 10 }, PointId { set: 0, id: 7 });
    for (point, index, sets, name) in
        [(marble, 40, 1..3, "ball 0"), (vertex, 10, 0..1, "vertex 10"), (pin, 7, 0..1, "vertex 7")]
    {
        let (set, place) = snapshot.sets.point(point).expect("there is such a point");
        let center = set.positions[place];
        let mut harness = harness(WINDOW, snapshot.clone());
        harness.state_mut().state.show_search_of(Some(sets.start));
        harness.run_ok();
        let (camera, view) = (harness.state().state.display.camera, harness.state().area);
        let shown = on_screen(&camera, view, center);
        let inwards = if point.set == 0 { 2.0 * (view.center() - shown).normalized() } else { egui::Vec2::ZERO };
        click(&mut harness, shown + inwards);
        let queried = Some(Queried::Point(point));
        assert_eq!(harness.state().state.view.selected, queried, "{name}");
        let of_point = Inspect { set: Some(sets.start), queried, ..Inspect::default() };
        assert_eq!(asked(&harness).last(), Some(&of_point), "{name}");
        harness.state_mut().snapshot = inspect(snapshot.clone(), of_point, sets, Some(index));
        harness.run_ok();
        let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        let noun = name.split(' ').next().expect("a noun");
        for label in [title, format!("The {noun} itself"), "Pairs".to_owned(), "Mass".to_owned(), "Zoom in".to_owned()] {
            assert!(harness.query_by_label(&label).is_some(), "{name}: {label}");
        }
        assert!(shows(&harness, if point == marble { "Balls: marble" } else { "Cloth: sail" }), "{name}");
        assert!(shows(&harness, &format!("The {noun} lies in cell")) || shows(&harness, "called blocks here"), "{name}");
        assert_eq!(shows(&harness, "pinned"), point == pin);
        assert!(!shows(&harness, "he particle"), "{name}: all words are of its search");
        // Zoom in: the camera looks at it.
        harness.get_by_label("Zoom in").click();
        harness.run_ok();
        let zoomed = harness.state().state.display.camera;
        assert!(
            zoomed.target
                == harness.state().snapshot.inspection.as_ref().and_then(|shown| shown.query.as_ref()).expect("a query").center
        );
        assert!(zoomed.distance < camera.distance, "{name}: {}", zoomed.distance);
        let other = if point == marble { 0 } else { 1 };
        harness.state_mut().state.show_search_of(Some(other));
        harness.run_ok();
        assert_eq!(harness.state().state.view.selected, None, "{name}: the search is another");
        assert_eq!(asked(&harness).last(), Some(&Inspect::default()), "{name}");
    }
}

/// Where the fluid's search is shown, a click on what comes first shows its search.
#[test]
fn a_click_on_a_ball_before_the_fluid_shows_the_search_of_balls() {
    let mut harness = harness(WINDOW, snapshot_of(&format!("{SCENE}{BALLS}")));
    assert_eq!(harness.state().state.point_search.chosen, None);
    let point = PointId { set: 1, id: 0 };
    let (set, index) = harness.state().snapshot.sets.point(point).expect("there is a marble");
    let center = set.positions[index];
    let (camera, view) = (harness.state().state.display.camera, harness.state().area);
    click(&mut harness, on_screen(&camera, view, center));
    let state = &harness.state().state;
    assert_eq!((state.view.selected, state.point_search.chosen), (Some(Queried::Point(point)), Some(0)));
}

#[test]
fn the_query_of_a_particle_and_the_search_of_balls_take_turns() {
    let mut harness = harness(WINDOW, snapshot_of(&format!("{SCENE}{BALLS}")));
    harness.state_mut().state.view.selected = Some(Queried::Particle(99));
    harness.state_mut().state.show_search_of(Some(0));
    assert_eq!(harness.state().state.view.selected, None);
    front(&mut harness, "grid");
    assert!(shows(&harness, "Candidates per pair"));
    // A scene without balls shows its fluid's, and no query of a ball.
    harness.state_mut().state.view.selected = Some(Queried::Point(PointId { set: 0, id: 0 }));
    harness.state_mut().snapshot = Snapshot { generation: 2, opened: 2, ..snapshot() };
    let Panels { state, snapshot, .. } = harness.state_mut();
    state.follow(snapshot);
    assert_eq!((state.point_search.chosen, state.view.selected), (None, None));
}
