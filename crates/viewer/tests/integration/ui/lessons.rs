//! Every lesson, from its first card to its last, over a running simulation.

use super::panels::{Panels, SCENE, harness, slider, take_sets};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{Engine as _, Simulation};
use std::sync::Arc;
use std::time::Duration;
use viewer::session::Snapshot;
use viewer::ui::lessons::{LESSONS, Lesson, Progress, Searched, begin, target_rect};
use viewer::ui::{Action, Model, SceneEntry, Side};

const PLANE: &str = r#"
format = 1
dimensions = 2
[particles]
spacing = 0.05
kernel = "wendland_c2"
[[fluid.blocks]]
min = [0.0, 0.0]
max = [1.0, 1.0]
[[containers]]
min = [0.0, 0.0]
max = [2.0, 1.5]
[grid]
structure = "spatial_hash"
"#;

/// A sheet and balls of several sizes above it; no fluid.
const POINTS: &str = r#"
format = 1
[particles]
spacing = 0.05
[time_step]
max_dt = 0.005
[[containers]]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
[[cloths]]
name = "sheet"
corner = [0.2, 0.3, 0.2]
along = [0.5, 0.0, 0.0]
across = [0.0, 0.0, 0.5]
spacing = 0.04
[[balls]]
name = "gravel"
count = 150
radius_range = [0.01, 0.06]
min = [0.2, 0.4, 0.2]
max = [0.8, 0.9, 0.8]
"#;

/// A harness with a running simulation.
struct Running {
    harness: Harness<'static, Panels>,
    simulation: Simulation,
    /// Number of actions already handled.
    taken: usize,
}

impl Running {
    fn open(size: [f32; 2], scene: &str) -> Self {
        let (snapshot, simulation) = load(scene, 1);
        let mut running = Self { harness: harness(size, snapshot), simulation, taken: 0 };
        running.go(1);
        running
    }

    /// Acts as the simulation thread: applies edits, makes a step, updates the snapshot; `times` times.
    fn go(&mut self, times: usize) {
        for _ in 0..times {
            let Self { harness, simulation, taken } = self;
            let panels = harness.state_mut();
            for action in &panels.actions[*taken..] {
                match action {
                    Action::SetParameters(parameters, revision) => {
                        simulation.set_parameters(*parameters).expect("lessons request valid parameters");
                        panels.snapshot.revision = *revision;
                    }
                    Action::SetPointGrid(set, grid, revision) => {
                        simulation.set_point_grid(*set, *grid).expect("lessons request valid grids");
                        panels.snapshot.point_revision = *revision;
                    }
                    _ => {}
                }
            }
            *taken = panels.actions.len();
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            let snapshot = &mut panels.snapshot;
            snapshot.step_costs.add(&stats, Duration::from_millis(50));
            snapshot.audits.add(&stats, simulation.view().set_searches);
            snapshot.stats = Some(stats);
            snapshot.parameters = Some(*simulation.parameters());
            snapshot.steps = simulation.steps();
            snapshot.time = simulation.time();
            take_sets(snapshot, simulation);
            panels.state.follow(&panels.snapshot);
            harness.run_ok();
        }
    }

    fn begin(&mut self, lesson: &'static Lesson) {
        let panels = self.harness.state_mut();
        panels.state.lesson = Progress::begin(lesson, &panels.snapshot);
        assert!(panels.state.lesson.is_some());
        self.go(2);
    }

    fn press(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.harness.run_ok();
        self.go(4);
    }

    fn shows(&self, label: &str) -> bool {
        self.harness.query_by_label(label).is_some()
    }

    fn progress(&self) -> Option<&Progress> {
        self.harness.state().state.lesson.as_ref()
    }

    fn grid(&self) -> GridParameters {
        self.simulation.parameters().grid
    }

    /// Performs all tasks until the lesson ends. Returns the steps with a task.
    fn complete(&mut self) -> Vec<String> {
        let mut done = Vec::new();
        while let Some(progress) = self.progress() {
            let (title, step, last) = (progress.lesson().title, progress.step_index(), progress.is_last());
            let at = format!("{title}, step {}", step + 1);
            self.check_highlight(&at);
            if self.shows("Do it for me") {
                self.press("Do it for me");
                assert!(self.progress().is_some_and(Progress::is_done), "{at} is not done");
                done.push(at.clone());
            }
            self.check_card(&at);
            match (last, self.shows("Restore the grid")) {
                (true, true) => self.press("Restore the grid"),
                (true, false) => self.press("Finish"),
                (false, _) => self.press("Next"),
            }
            assert_ne!(self.progress().map(Progress::step_index), Some(step), "{at}");
        }
        done
    }

    /// Asserts that the control that the card points at is visible.
    fn check_highlight(&self, at: &str) {
        let Some(_) = self.progress().and_then(Progress::control) else { return };
        let rect = target_rect(&self.harness.ctx).unwrap_or_else(|| panic!("{at} points at nothing"));
        let window = self.harness.ctx.content_rect();
        assert!(window.contains_rect(rect) && rect.width() > 20.0 && rect.height() > 8.0, "{at}: {rect} in {window}");
        assert!(!self.harness.state().area.contains_rect(rect), "{at} points into the 3D view");
    }

    /// Asserts that the card is inside its panel, beside the 3D view, and that no text is cut off at its sides.
    fn check_card(&self, at: &str) {
        let (window, view) = (self.harness.ctx.content_rect(), self.harness.state().area);
        let panel = self.panel();
        assert!(window.contains_rect(panel), "{at}: the panel at {panel} in {window}");
        assert!(!view.is_positive() || !view.intersects(panel), "{at}: the panel at {panel} over the view at {view}");
        let buttons = ["Next", "Back", "Skip", "Finish", "Restore the grid"].map(|label| self.harness.query_by_label(label));
        let buttons: Vec<egui::Rect> = buttons.into_iter().flatten().map(|button| button.rect()).collect();
        let row = buttons.first().map_or(egui::Rect::NOTHING, |&first| first);
        assert!(
            !buttons.is_empty() && buttons.iter().all(|&button| panel.contains_rect(button)),
            "{at}: {buttons:?} in {panel}"
        );
        let texts = self.harness.root().children_recursive().filter(|node| node.accesskit_node().role() == Role::Label);
        let texts = texts.map(|node| (node.rect(), node.accesskit_node().label().unwrap_or_default()));
        let texts: Vec<_> = texts.filter(|(text, _)| panel.contains(text.center()) && text.bottom() <= row.top()).collect();
        for (text, _) in &texts {
            assert!(panel.left() <= text.left() && text.right() <= panel.right(), "{at}: text at {text} in {panel}");
        }
        // Two numbers without a gap would be read as one.
        let is_number = |text: &str| text.chars().count() < 12 && text.starts_with(|first: char| first.is_ascii_digit());
        let numbers: Vec<_> = texts.iter().filter(|(_, text)| is_number(text)).collect();
        for (index, (number, text)) in numbers.iter().enumerate() {
            for (other, left) in &numbers[..index] {
                assert!(
                    !other.expand2(egui::vec2(4.0, -2.0)).intersects(*number),
                    "{at}: {left} at {other}, {text} at {number}"
                );
            }
        }
        let heading = self.harness.query_by_label(self.progress().map_or("", Progress::heading));
        assert!(heading.is_some(), "{at} has no heading");
    }

    /// Area of the lesson's panel, points.
    fn panel(&self) -> egui::Rect {
        let tree = self.harness.state().state.dock.tree().expect("there was a frame");
        let pane = tree.tiles.find_pane(&"lesson".to_owned()).expect("there is a panel");
        tree.tiles.rect(pane).expect("it is laid out")
    }
}

/// A loaded scene before its first step.
fn load(text: &str, generation: u64) -> (Snapshot, Simulation) {
    let scene = sph_io::parse(text, "drop", &[]).expect("the scene is sound");
    let mut simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
    simulation.set_audit(16);
    let mut snapshot = Snapshot { generation, opened: generation, threads: 2, ..Snapshot::default() };
    snapshot.particles = simulation.particles().clone();
    snapshot.parameters = Some(*simulation.parameters());
    snapshot.scene = Some(Arc::new(scene));
    take_sets(&mut snapshot, &simulation);
    (snapshot, simulation)
}

#[test]
fn every_lesson_can_be_completed() {
    for (scene, size) in [(SCENE, [1280.0, 800.0]), (PLANE, [800.0, 600.0]), (SCENE, [560.0, 600.0])] {
        let mut running = Running::open(size, scene);
        let before = running.grid();
        for lesson in LESSONS.into_iter().filter(|lesson| lesson.searched == Searched::Fluid) {
            running.begin(lesson);
            let done = running.complete();
            assert!(done.len() >= 2, "{done:?}");
            assert_eq!(running.grid(), before, "{}", lesson.title);
        }
        assert!(running.harness.state().snapshot.audits.of(None).queries > 1000);
        assert!(running.harness.state().snapshot.audits.of(None).is_clean());
    }
}

#[test]
fn lessons_about_cloth_and_balls_change_their_searches_alone() {
    for size in [[1280.0, 800.0], [800.0, 600.0]] {
        let mut running = Running::open(size, POINTS);
        let grids = |running: &Running| (running.grid(), running.simulation.view().set_grids.to_vec());
        let before = grids(&running);
        for lesson in LESSONS.into_iter().filter(|lesson| lesson.searched != Searched::Fluid) {
            running.begin(lesson);
            let done = running.complete();
            assert!(!done.is_empty(), "{} has nothing to do", lesson.title);
            assert_eq!(grids(&running), before, "{}", lesson.title);
        }
    }
}

#[test]
fn a_lesson_about_balls_opens_a_scene_that_has_some() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    let lesson = LESSONS.into_iter().find(|lesson| lesson.searched == Searched::Balls).expect("there is one");
    let panels = running.harness.state_mut();
    let path = std::path::PathBuf::from("scenes/balls_of_many_sizes.toml");
    let scenes = [SceneEntry::new(path.clone())];
    let choose = |panels: &mut Panels, scenes: &[SceneEntry]| {
        let model = Model {
            snapshot: &panels.snapshot,
            scenes,
            range: [0.0, 1.0],
            beyond_range: [false; 2],
            overlay: None,
            frames_per_second: 60.0,
            adapter: "a test",
        };
        begin(lesson, &mut panels.state, &model, &mut panels.actions);
    };
    choose(panels, &[]);
    assert!(panels.state.next_lesson.is_none(), "there is nothing to open");
    choose(panels, &scenes);
    assert_eq!(panels.actions.last(), Some(&Action::Load(path)));
    assert!(panels.state.lesson.is_none());

    // It pours its balls, so that there are few at first.
    let (snapshot, simulation) = load(include_str!("../../../../../scenes/balls_of_many_sizes.toml"), 2);
    running.harness.state_mut().snapshot = snapshot;
    running.simulation = simulation;
    running.taken = running.harness.state().actions.len();
    running.go(2);
    assert!(running.harness.state().snapshot.sets.points() < 100);
    assert_eq!(running.progress().map(|progress| progress.lesson().title), Some(lesson.title));

    // In a scene without balls it ends.
    let (snapshot, simulation) = load(SCENE, 3);
    running.harness.state_mut().snapshot = snapshot;
    running.simulation = simulation;
    running.go(2);
    assert!(running.progress().is_none());
    assert!(running.harness.query_by_label_contains("this scene has no balls").is_some());
}

#[test]
fn a_task_can_be_done_by_hand() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    running.begin(LESSONS[0]);
    running.press("Next");
    running.press("Next");
    running.go(4);
    assert!(running.shows("Skip") && !running.shows("Next"));
    let rect = slider(&running.harness, "Hash table size");
    let (from, to) = (rect.center(), rect.left_center());
    for event in 0..4 {
        match event {
            0 => running.harness.hover_at(from),
            1 => running.harness.drag_at(from),
            2 => running.harness.hover_at(to),
            _ => running.harness.drop_at(to),
        }
        running.harness.step();
    }
    running.harness.run_ok();
    running.go(4);
    assert_eq!(running.grid().table_size, 1);
    assert!(running.shows("Next") && !running.shows("Skip"));
    // With one bucket, a query tests all particles.
    let search = &running.harness.state().snapshot.stats.as_ref().expect("there were steps").search;
    let count = running.simulation.particles().len() as u64;
    assert_eq!(search.tally.candidates, count * count);
    assert!(running.harness.query_by_label_contains("times as many distances").is_some());
}

#[test]
fn ending_early_offers_to_restore_the_grid() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    let before = running.grid();
    running.begin(LESSONS[2]);
    running.press("End lesson");
    assert!(running.progress().is_none(), "there is nothing to restore");
    running.begin(LESSONS[2]);
    running.press("Do it for me");
    assert!(matches!(running.grid().structure, Structure::BucketHash(..)));
    running.press("End lesson");
    assert!(running.progress().is_some());
    running.press("Restore the grid");
    assert_eq!((running.grid(), running.progress().is_none()), (before, true));

    running.begin(LESSONS[2]);
    running.press("Do it for me");
    running.press("End lesson");
    running.press("Keep the current grid");
    assert!(running.progress().is_none() && running.grid() != before);
}

#[test]
fn a_lesson_names_its_requirements() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    let panels = running.harness.state_mut();
    let mut parameters = panels.state.edited.parameters.expect("there is a scene");
    parameters.grid.structure = Structure::BruteForce;
    panels.state.edited.edit(parameters, &mut panels.actions);
    running.go(2);
    running.begin(LESSONS[0]);
    // The grid's panel has such a button too.
    let switches = running.harness.query_all_by_label("Switch to the spatial hash");
    switches.max_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).expect("the lesson's").click();
    running.harness.run_ok();
    running.go(4);
    assert_eq!(running.grid().structure, Structure::SpatialHash);
    assert!(running.shows("Next"));
    // The switch only prepares the step: it is not compared with what was before.
    assert!(running.harness.query_by_label_contains("The grid divides space into cells").is_some());
    assert!(!running.shows("before"));
}

#[test]
fn a_lesson_is_about_grid_a() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    running.begin(LESSONS[1]);
    running.press("Next");
    let grid = running.harness.state().snapshot.parameters.map(|parameters| parameters.grid);
    let comparing = &mut running.harness.state_mut().state.comparing;
    (comparing.side, comparing.grid_b) = (Side::B, grid);
    comparing.revision += 1;
    running.harness.run_ok();
    running.harness.get_by_label("Show grid A").click();
    running.harness.run_ok();
    assert_eq!(running.harness.state().state.comparing.side, Side::A);
    assert!(running.shows("Do it for me"));
}

#[test]
fn a_paused_lesson_offers_play_and_another_scene_restarts_it() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    running.begin(LESSONS[1]);
    running.press("Next");
    running.harness.state_mut().snapshot.paused = true;
    running.harness.run_ok();
    assert!(running.harness.query_by_label_contains("Press play").is_some());

    let (snapshot, simulation) = load(PLANE, 2);
    running.harness.state_mut().snapshot = snapshot;
    running.simulation = simulation;
    running.go(2);
    assert_eq!(running.progress().map(Progress::step_index), Some(0));
    assert!(running.harness.query_by_label_contains("the lesson starts again").is_some());

    let drop = SCENE.replace("0.4, 0.4, 0.4]\n[[con", "0.1, 0.1, 0.1]\n[[con");
    let (snapshot, simulation) = load(&drop, 3);
    running.harness.state_mut().snapshot = snapshot;
    running.simulation = simulation;
    running.go(2);
    assert!(running.progress().is_none());
    assert!(running.harness.query_by_label_contains("needs at least 100 particles").is_some());
}

#[test]
fn a_paused_lesson_says_that_its_numbers_are_of_before_an_edit() {
    let mut running = Running::open([1280.0, 800.0], SCENE);
    running.begin(LESSONS[0]);
    running.harness.state_mut().snapshot.paused = true;
    running.harness.run_ok();
    let says = |running: &Running| running.harness.query_by_label_contains("the numbers below are from before").is_some();
    assert!(!says(&running));
    let panels = running.harness.state_mut();
    let mut parameters = panels.state.edited.parameters.expect("there is a scene");
    parameters.grid.table_size *= 2;
    panels.state.edited.edit(parameters, &mut panels.actions);
    running.harness.run_ok();
    assert!(says(&running));
    running.go(1);
    assert!(!says(&running), "the step used the changed grid");
}

#[test]
fn lessons_are_in_the_menu_and_in_the_help() {
    for way in ["Learn", "Help"] {
        // High enough for the help to need no scrolling down to the lessons.
        let mut running = Running::open([1280.0, 1600.0], SCENE);
        match way {
            "Learn" => running.press("Learn"),
            _ => running.harness.state_mut().state.shown.help = true,
        }
        running.go(1);
        running.harness.get_by_label_contains(LESSONS[1].summary).click();
        running.go(2);
        assert_eq!(running.progress().map(|progress| progress.lesson().title), Some(LESSONS[1].title), "{way}");
    }
}

#[test]
fn cards_fit_every_window() {
    let open = |size: [f32; 2]| {
        let mut running = Running::open(size, SCENE);
        running.begin(LESSONS[0]);
        running
    };
    // Down to the smallest that a hand can make it, where the panels take the place of the view.
    for size in [[1920.0, 1080.0], [1280.0, 800.0], [1024.0, 640.0], [800.0, 600.0], [480.0, 320.0], [330.0, 240.0]] {
        open(size).check_card(&format!("{size:?}"));
    }
    // Where there is no room for a card there is no panic.
    for size in [[100.0, 40.0], [1.0, 1.0]] {
        open(size);
    }
}

/// A lesson edits the grid as the panel does: a lattice with this support radius has 27 particles in a cell.
#[test]
fn a_lesson_adapts_the_usual_bucket_capacity() {
    let lesson = LESSONS.iter().find(|lesson| lesson.title == "Overflow fixed buckets").expect("there is one");
    let scene = SCENE.replace("spacing = 0.05", "spacing = 0.05\nsupport_radius = 3.0");
    let mut running = Running::open([1280.0, 800.0], &scene);
    running.begin(lesson);
    running.go(1);
    let capacity = |running: &Running| running.harness.state().state.edited.parameters.expect("a scene").grid.bucket_capacity;
    assert_eq!(capacity(&running), 16);
    running.harness.get_by_label("Do it for me").click();
    running.harness.run_ok();
    assert_eq!(capacity(&running), 48);
}
