//! Test harness: panels over a fixed snapshot, laid out without a window. Shared by the tests of the panels and of the window.

#[allow(dead_code, reason = "each of the two uses a part")]
pub mod trials;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use sph_core::{Engine as _, Phase, Simulation};
use std::sync::Arc;
use std::time::Duration;
use viewer::session::Snapshot;
use viewer::ui::{self, Action, Model, SceneEntry, State};

/// A small scene.
pub const SCENE: &str = r#"
format = 1
title = "A drop"
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0.0, 0.0, 0.0]
max = [0.4, 0.4, 0.4]
[[containers]]
min = [0.0, 0.0, 0.0]
max = [1.0, 0.6, 0.4]
[grid]
structure = "spatial_hash"
table_size = 1000
"#;

/// State of a harness.
pub struct Panels {
    pub state: State,
    pub snapshot: Snapshot,
    /// All actions since the start.
    pub actions: Vec<Action>,
    /// Area of the 3D view in the latest frame, points.
    pub area: egui::Rect,
}

/// A snapshot after a few steps, with fixed phase times for reproducible pictures.
pub fn snapshot() -> Snapshot {
    snapshot_of(SCENE)
}

/// Such a snapshot of the scene `text`.
pub fn snapshot_of(text: &str) -> Snapshot {
    let scene = sph_io::parse(text, "drop", &[]).expect("the scene is sound");
    let mut simulation = Simulation::new(&scene.setup).expect("the scene can be simulated");
    let mut snapshot = Snapshot { generation: 1, opened: 1, threads: 2, paused: true, ..Snapshot::default() };
    for _ in 0..3 {
        let mut stats = simulation.step();
        let of_fluid = Phase::ALL.into_iter().filter(|&phase| phase != Phase::Points);
        for (index, phase) in of_fluid.enumerate() {
            stats.phases[phase] = Duration::from_micros(150 * (index as u64 + 1));
        }
        for _ in 0..80 {
            snapshot.step_costs.add(&stats, Duration::from_millis(50));
            for sets in scene.setup.points.iter().flat_map(|points| points.searches()) {
                let costs = snapshot.point_costs.entry(sets.start).or_default();
                costs.add_search(&simulation.view().set_searches[sets.start].stats, &stats, Duration::from_millis(50));
            }
        }
        snapshot.stats = Some(stats);
    }
    snapshot.particles = simulation.particles().clone();
    snapshot.time = simulation.time();
    snapshot.steps = simulation.steps();
    snapshot.poses = simulation.bodies().iter().map(|placed| placed.pose).collect();
    snapshot.parameters = Some(*simulation.parameters());
    snapshot.scene = Some(Arc::new(scene));
    take_sets(&mut snapshot, &simulation);
    snapshot
}

/// Copies the point sets of `simulation`, and their searches.
pub fn take_sets(snapshot: &mut Snapshot, simulation: &Simulation) {
    let view = simulation.view();
    snapshot.sets.copy(&view);
    snapshot.set_grids = view.set_grids.to_vec();
    snapshot.set_searches = view.set_searches.to_vec();
}

/// Harness of the panels in a window of `size` points.
pub fn harness(size: [f32; 2], snapshot: Snapshot) -> Harness<'static, Panels> {
    let mut state = State::default();
    state.follow(&snapshot);
    let panels = Panels { state, snapshot, actions: Vec::new(), area: egui::Rect::NOTHING };
    let lay_out = |ui: &mut egui::Ui, panels: &mut Panels| {
        let titles = [("scenes/dam_break.toml", Some("Dam break")), ("scenes/still_water_2d.toml", None)];
        let scenes = titles.map(|(path, title)| SceneEntry::new(path.into()).titled(title.unwrap_or_default()));
        let model = Model {
            snapshot: &panels.snapshot,
            scenes: &scenes,
            range: [0.0, 3.0],
            beyond_range: [false, true],
            overlay: None,
            frames_per_second: 60.0,
            adapter: "a test",
        };
        panels.area = ui::root_ui(ui, &mut panels.state, &model, &mut panels.actions);
    };
    let mut harness = Harness::builder()
        .with_size(size)
        .with_pixels_per_point(1.0)
        .with_context_setup(ui::theme::apply)
        .with_step_dt(0.02)
        .with_max_steps(8)
        .build_ui_state(lay_out, panels);
    harness.run_ok();
    harness
}

/// Rectangle of a slider.
pub fn slider(harness: &Harness<'_, Panels>, label: &str) -> egui::Rect {
    harness.get_by_role_and_label(Role::Slider, label).rect()
}
