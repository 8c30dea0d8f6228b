//! Numbers that are shown: readings of the probes in the plots, badges over the 3D view, panels Scene, Solver and Time step.

use super::front;
use super::panels::{Panels, SCENE, harness, slider, snapshot, snapshot_of};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sph_core::{Dimensions, DroppedBody, DroppedShape, Engine as _};
use std::path::PathBuf;
use std::sync::Arc;
use viewer::command::Command;
use viewer::session::{Readings, Snapshot, SpeedLimit};
use viewer::ui::{Action, Plotted};

const WINDOW: [f32; 2] = [1280.0, 900.0];

/// The small scene with these probes; reading `r` at time t is `(r + 1) t`, s, from 0 to 2 s, but for a gap.
fn probed(probes: &str) -> Snapshot {
    let mut snapshot = snapshot_of(&SCENE.replacen("[particles]", &format!("probes = [{probes}]\n[particles]"), 1));
    let scene = snapshot.scene.as_ref().expect("there is a scene");
    let mut readings = Readings::of(&scene.probes, Dimensions::Three);
    for step in 0..=200_u32 {
        let time = 0.01 * f64::from(step);
        let value = |reading: u32| (!(80..100).contains(&step)).then(|| f64::from(reading + 1) * time);
        readings.add(time, &(0..100).map(value).collect::<Vec<_>>());
    }
    snapshot.readings = readings;
    (snapshot.time, snapshot.timeline.end.time) = (2.0, 2.0);
    snapshot
}

fn open(snapshot: Snapshot) -> Harness<'static, Panels> {
    let mut harness = harness(WINDOW, snapshot);
    harness.get_by_label("Probes").click();
    harness.run_ok();
    assert_eq!(harness.state().state.plots.plotted, Plotted::Probes);
    harness
}

#[test]
fn curves_are_grouped_by_unit_with_their_latest_values() {
    let probes = "{ name = 'edge', kind = 'front', toward = 'x_max' }, { name = 'wall', kind = 'pressure', at = [0, 0.1, 0.2] }, \
                  { name = 'level', kind = 'water_height', at = [0.2, 0, 0.2] }";
    let mut harness = open(probed(probes));
    for text in ["edge", "wall", "level", "2.00 m", "4.00 Pa", "6.00 m"] {
        assert_eq!(harness.query_all_by_label(text).count(), 1, "{text}");
    }
    assert!(harness.query_by_label_contains("more").is_none());
    if let Some(path) = std::env::var_os("PROBES_PICTURE") {
        harness.render().expect("an adapter").save(path).expect("a writable file");
    }
    // Back at an earlier moment, they are those of that moment.
    harness.state_mut().snapshot.time = 0.5;
    harness.run_ok();
    for text in ["at", "0.5000 s", "0.500 m", "1.00 Pa", "1.50 m"] {
        assert_eq!(harness.query_all_by_label(text).count(), 1, "{text}");
    }
    harness.get_by_label("Cost").click();
    harness.run_ok();
    assert!(harness.query_by_label("4.00 Pa").is_none());
    assert!(harness.query_by_label("Time per step, latest steps, ms").is_some());
    harness.state_mut().snapshot.time = 2.0;
    harness.run_ok();
    assert!(harness.query_by_label("Time per step, ms").is_some());
}

#[test]
fn readings_beyond_the_plot_are_counted() {
    let harness = open(probed("{ name = 'line', kind = 'pressure', from = [0, 0, 0], to = [1, 0, 0], points = 40 }"));
    assert_eq!(harness.query_all_by_label("and 28 more: Chosen, or sph run --probes").count(), 1);
    assert!(harness.query_by_label("line.11").is_some() && harness.query_by_label("line.12").is_none());
}

/// Between panels on both sides of a small window.
#[test]
fn a_narrow_panel_shows_its_plot_and_names() {
    let mut harness = harness([800.0, 600.0], probed("{ name = 'level', kind = 'water_height', at = [0.2, 0, 0.2] }"));
    harness.state_mut().state.tuning.open = true;
    harness.state_mut().state.plots.plotted = Plotted::Probes;
    harness.run_ok();
    let area = harness.state().area;
    let [name, title] = ["level", "Readings in m"].map(|label| harness.get_by_label(label).rect());
    assert!(
        area.left() <= name.left() && name.right() < title.left() && title.right() <= area.right(),
        "{name} {title} {area}"
    );
    // No choice of a side panel is wider than it.
    for label in ["Structure", "Hash function"] {
        let choice = harness.get_by_role_and_label(Role::ComboBox, label).rect();
        let name = harness.get_by_role_and_label(Role::Label, label).rect();
        assert!(name.right() <= choice.left() && choice.right() <= area.left(), "{label}: {name} {choice} {area}");
    }
}

#[test]
fn a_scene_without_probes_shows_how_to_add_some() {
    let mut harness = open(snapshot());
    assert!(harness.query_by_label_contains("This scene has no probes").is_some());
    harness.get_by_label("Copy").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let example = copied.expect("a text is copied");
    assert!(sph_io::parse(&format!("{SCENE}{example}"), "drop", &[]).is_ok_and(|scene| scene.probes.len() == 1));
}

fn shown(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_by_label_contains(text).is_some()
}

#[test]
fn soft_fluid_has_a_badge_that_leads_to_its_speed_of_sound() {
    let mut harness = harness([800.0, 600.0], snapshot());
    assert!(!shown(&harness, "Fluid too soft"));
    let stats = harness.state_mut().snapshot.stats.as_mut().expect("there was a step");
    let sound = 28.0;
    (stats.max_speed, stats.density_error) = (sound / 3.0, 0.05);
    harness.run_ok();
    let badge = harness.get_by_label_contains("Fluid too soft: sound is 3.0 ×").rect();
    assert!(harness.state().area.contains_rect(badge), "{badge}");
    harness.get_by_label_contains("Fluid too soft").click();
    harness.run_ok();
    let row = super::slider(&harness, "Speed of sound");
    assert!(harness.ctx.content_rect().contains_rect(row), "{row}");
}

#[test]
fn a_machine_that_cannot_keep_up_is_said_to_be_slow() {
    let mut harness = harness([800.0, 600.0], snapshot());
    let snapshot = &mut harness.state_mut().snapshot;
    snapshot.paused = false;
    snapshot.speed_limit = SpeedLimit::Times(1.0);
    (snapshot.rates.steps_per_second, snapshot.rates.speed) = (20.0, 0.02);
    harness.run_ok();
    assert!(shown(&harness, "Slower than real time: 0.020×"));
    harness.state_mut().snapshot.speed_limit = SpeedLimit::Unlimited;
    harness.run_ok();
    assert!(!shown(&harness, "Slower than"));
}

/// The status line is whole in every window, with the bodies of the scene and those that were dropped.
#[test]
fn the_status_line_counts_bodies_and_is_never_cut() {
    let body = "[[bodies]]\nmin = [0.6, 0.1, 0.1]\nmax = [0.8, 0.3, 0.3]\n";
    let mut snapshot = snapshot_of(&format!("{SCENE}{body}"));
    let dropped = DroppedBody { center: Vec3::ZERO, size: 0.2, shape: DroppedShape::Box, density: 1.0, velocity: Vec3::ZERO };
    snapshot.dropped = vec![dropped; 2];
    for (size, whole) in [([1280.0, 800.0], true), ([1024.0, 640.0], false), ([640.0, 604.0], false)] {
        let harness = harness(size, snapshot.clone());
        let line = harness.get_by_label_contains("Paused   512 particles");
        let (rect, area) = (line.rect(), harness.state().area);
        let text = line.accesskit_node().value().expect("it has a text");
        assert!(size[0] < 1000.0 || text.contains("   3 bodies   t "), "{size:?}: {text}");
        assert!(!whole || text.contains("(speed of sound)"), "{text}");
        // Monospaced letters of 12 points, between margins.
        let width = 7.0 * text.chars().count() as f32;
        assert!(rect.width() > width && area.contains_rect(rect), "{size:?}: {text} in {rect}");
        let looks = harness.query_by_label("Water").or(harness.query_by_label("Look…")).expect("the looks").rect();
        assert!(rect.right() <= looks.left(), "{size:?}: {rect} {looks}");
    }
}

fn shows(harness: &Harness<'_, Panels>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn the_scene_panel_tells_what_is_in_the_scene() {
    let mut snapshot = snapshot_of(&SCENE.replace("title =", "description = 'Falls into a tank.'\ntitle ="));
    let scene = Arc::get_mut(snapshot.scene.as_mut().expect("there is a scene")).expect("nobody else has it");
    scene.path = Some(PathBuf::from("drops/drop.toml"));
    let mut harness = harness([1280.0, 1600.0], snapshot);
    front(&mut harness, "scene");
    for text in ["A drop", "Falls into a tank.", "1.00 × 0.600 × 0.400 m", "drop.toml"] {
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
    let mut parameters = state.edited.parameters.expect("there are parameters");
    parameters.gravity.y = -1.0;
    state.edited.edit(parameters, actions);
    harness.run_ok();
    harness.get_by_label("Save").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.last(), Some(&Action::Command(Command::Save)));
}

#[test]
fn the_solver_panel_plots_iterations_and_residual() {
    let mut weakly = harness([1280.0, 1600.0], snapshot());
    front(&mut weakly, "solver");
    assert!(shows(&weakly, "no iterations") && !shows(&weakly, "Iterations per step"));
    let mut dfsph = harness([1280.0, 1600.0], snapshot_of(&format!("{SCENE}[solver]\nmethod = 'dfsph'\n")));
    front(&mut dfsph, "solver");
    for text in ["Iterations, mean", "Residual", "Iterations per step", "divergence solve", "Density tolerance"] {
        assert!(shows(&dfsph, text), "{text}");
    }
}

#[test]
fn the_time_step_panel_has_the_shares_of_the_limits() {
    let mut snapshot = snapshot();
    let stats = snapshot.stats.as_ref().expect("there was a step");
    let sum = snapshot.step_costs.last_second();
    assert!(sum.steps >= 15 && (sum.mean(sum.simulated) / f64::from(stats.dt) - 1.0).abs() < 0.5, "{sum:?}");
    assert!((sum.shares().iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-6);
    snapshot.rates.speed = 0.5;
    let mut harness = harness([1280.0, 1600.0], snapshot);
    front(&mut harness, "time_step");
    for text in ["Time step, mean", "CFL number", "0.500×", "steps/s", "100 %"] {
        assert!(shows(&harness, text), "{text}");
    }
}

/// Of balls and cloth too, and those that were dropped.
#[test]
fn the_scene_panel_counts_what_is_there_now() {
    let mut snapshot = snapshot_of(SCENE);
    let row = |harness: &Harness<'_, Panels>, label: &str, value: &str| {
        let row = harness.get_by_label(label).rect();
        harness.query_all_by_label(value).any(|number| (number.rect().center().y - row.center().y).abs() < 2.0)
    };
    let shown = |snapshot: &Snapshot| {
        let mut harness = harness([1280.0, 1600.0], snapshot.clone());
        front(&mut harness, "scene");
        harness
    };
    let before = shown(&snapshot);
    assert!(row(&before, "Bodies", "0") && row(&before, "Particles", "512"));
    let shape = DroppedShape::Box;
    snapshot.dropped = vec![DroppedBody { center: Vec3::splat(0.3), size: 0.1, shape, density: 1.0, velocity: Vec3::ZERO }];
    assert!(row(&shown(&snapshot), "Bodies", "1, 1 moved by forces"));
    let balls = "format = 1\nparticles.spacing = 0.1\n[[balls]]\ncount = 15\nradius_range = [0.02, 0.05]\nmin = [0, 0, 0]\n\
                 max = [1, 1, 1]\n";
    let scene = sph_io::parse(balls, "balls", &[]).expect("the scene is sound");
    let simulation = sph_core::Simulation::new(&scene.setup).expect("the scene can be simulated");
    let mut snapshot = Snapshot { generation: 1, opened: 1, scene: Some(Arc::new(scene)), ..Snapshot::default() };
    snapshot.sets.copy(&simulation.view());
    let harness = shown(&snapshot);
    assert!(row(&harness, "Balls", "15") && harness.query_by_label("Particles").is_none());
}

/// A spacing that is not the file's is marked, and one click leads back.
#[test]
fn a_spacing_that_is_not_the_file_s_leads_back_to_it() {
    let mut snapshot = snapshot_of(SCENE);
    let finer = [sph_io::Override { path: "particles.spacing".to_owned(), value: "0.04".to_owned() }];
    snapshot.scene = Some(Arc::new(sph_io::parse(SCENE, "drop", &finer).expect("the scene is sound")));
    let mut harness = harness([1280.0, 1600.0], snapshot);
    front(&mut harness, "scene");
    assert!(harness.query_by_label_contains("The file has 0.0500").is_some());
    assert!(harness.get_by_label("Restart with this spacing").accesskit_node().is_disabled());
    harness.get_by_label("Restart with the file's spacing").click();
    harness.run_ok();
    assert_eq!(harness.state().actions, [Action::LoadAtSpacing(0.05)]);
    // The mark of the row, as that of any other.
    harness.get_by_label("Reset to the scene's value").click();
    harness.run_ok();
    harness.get_by_label("Restart with this spacing").click();
    harness.run_ok();
    assert_eq!(harness.state().actions.last(), Some(&Action::LoadAtSpacing(0.05)));
}

/// It is saved as all else that was edited, and asked for; one from the command line is not.
#[test]
fn an_edited_spacing_is_unsaved() {
    let mut snapshot = snapshot_of(SCENE);
    let finer = [sph_io::Override { path: "particles.spacing".to_owned(), value: "0.04".to_owned() }];
    let mut scene = sph_io::parse(SCENE, "drop", &finer).expect("the scene is sound");
    scene.path = Some("drop.toml".into());
    snapshot.parameters = Some(scene.setup.parameters);
    snapshot.scene = Some(Arc::new(scene));
    let mut harness = harness([1280.0, 1600.0], snapshot);
    front(&mut harness, "scene");
    let is_unsaved = |harness: &Harness<'_, Panels>| {
        let Panels { state, snapshot, .. } = harness.state();
        let scene = snapshot.scene.as_ref().expect("a scene");
        let is_marked = harness.query_by_label("• Unsaved").is_some();
        let can_save = !harness.get_by_label("Save").accesskit_node().is_disabled();
        assert!(is_marked == can_save && is_marked == state.edited.would_be_missed(scene));
        is_marked
    };
    assert!(!is_unsaved(&harness));
    harness.state_mut().state.edited.is_spacing_edited = true;
    harness.run_ok();
    assert!(is_unsaved(&harness));
    // Once it is in the file.
    Arc::make_mut(harness.state_mut().snapshot.scene.as_mut().expect("a scene")).file_spacing = 0.04;
    harness.run_ok();
    assert!(!is_unsaved(&harness));
}

/// It is the last edit, unless another has followed.
#[test]
fn a_chosen_spacing_is_taken_back_like_an_edit() {
    let mut harness = harness([1280.0, 1600.0], snapshot_of(SCENE));
    let edit = |harness: &mut Harness<'_, Panels>| {
        let Panels { state, actions, .. } = harness.state_mut();
        let mut parameters = state.edited.parameters.expect("there is a scene");
        parameters.gravity.y -= 1.0;
        state.edited.edit(parameters, actions);
        harness.run_ok();
    };
    let undo = |harness: &mut Harness<'_, Panels>| {
        let Panels { state, actions, .. } = harness.state_mut();
        state.undo(actions);
        harness.run_ok();
        state_of(harness)
    };
    front(&mut harness, "scene");
    edit(&mut harness);
    choose_spacing(&mut harness);
    let (chosen, edited) = state_of(&harness);
    assert!(chosen);
    assert_eq!(undo(&mut harness), (false, edited), "the spacing goes first");
    let Panels { state, actions, .. } = harness.state_mut();
    state.redo(actions);
    harness.run_ok();
    assert_eq!(state_of(&harness), (true, edited));
    assert_eq!(undo(&mut harness), (false, edited));
    choose_spacing(&mut harness);
    edit(&mut harness);
    assert_eq!(undo(&mut harness), (true, edited), "the edit after it goes first");
    assert_eq!(undo(&mut harness), (false, edited));
    let (_, before) = undo(&mut harness);
    assert_ne!(before, edited);
    choose_spacing(&mut harness);
    harness.state_mut().state.edited.edits.note_hand(None, true);
    assert_eq!(undo(&mut harness), (true, before), "what a hand does is undone by going back");
    assert_eq!(undo(&mut harness), (false, before));
}

/// Drags the particle spacing to a finer one.
fn choose_spacing(harness: &mut Harness<'_, Panels>) {
    let handle = slider(harness, "Particle spacing").center();
    harness.drag_at(handle);
    harness.run_ok();
    harness.hover_at(handle - egui::vec2(40.0, 0.0));
    harness.run_ok();
    harness.drop_at(handle - egui::vec2(40.0, 0.0));
    harness.run_ok();
}

/// True if another spacing is chosen, and the gravity as the panels show it.
fn state_of(harness: &Harness<'_, Panels>) -> (bool, f32) {
    let gravity = harness.state().state.edited.parameters.expect("there is a scene").gravity.y;
    (harness.query_by_label("Restart with this spacing").is_some(), gravity)
}

/// The forecast follows the spacing before anything is loaded.
#[test]
fn another_spacing_is_forecast_before_the_scene_restarts_with_it() {
    let mut harness = harness([1280.0, 1600.0], snapshot_of(SCENE));
    front(&mut harness, "scene");
    assert!(harness.query_by_label("Restart with this spacing").is_none());
    let present = harness.state().snapshot.scene.as_ref().expect("a scene").setup.clone();
    choose_spacing(&mut harness);
    harness.get_by_label("Restart with this spacing").click();
    harness.run_ok();
    let actions = &harness.state().actions;
    let [Action::LoadAtSpacing(spacing)] = actions[..] else { panic!("{actions:?}") };
    let before = f64::from(present.discretization.particle_spacing);
    assert!(spacing < before && spacing >= 0.25 * before, "{spacing}");
    let mut finer = present.clone();
    finer.discretization.particle_spacing = spacing as f32;
    let count = finer.particle_counts().fluid;
    assert!(count > present.particle_counts().fluid);
    assert!(harness.query_by_label_contains(&format!("{},{:03} particles, ", count / 1000, count % 1000)).is_some(), "{count}");
}
