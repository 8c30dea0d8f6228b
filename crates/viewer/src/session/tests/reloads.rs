//! Hot reload: what a change of a scene's files does to the running scene; saved states.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use sph_core::neighbors::GridParameters;
use sph_io::SceneEdits;

/// Writes `text` as an editor does: beside the file, which is then replaced.
fn replace(path: &Path, text: &str) {
    let other = path.with_extension("tmp");
    fs::write(&other, text).expect("a writable folder");
    fs::rename(&other, path).expect("the same folder");
}

fn opened(folder: &Path, text: &str) -> Session {
    let path = folder.join("scene.toml");
    fs::write(&path, text).expect("a writable folder");
    let session = start(&Options::default());
    session.send(Request::SetSpeedLimit(SpeedLimit::Unlimited));
    session.send(Request::Load(SceneSource::File(path, Vec::new())));
    session
}

#[test]
fn changed_parameters_act_on_the_running_fluid() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = opened(folder.path(), SCENE);
    let before = wait_for(&mut session, "a step", |snapshot| snapshot.steps > 0);
    replace(&folder.path().join("scene.toml"), &SCENE.replace("[grid]", "[fluid]\nkinematic_viscosity = 0.25\n[grid]"));
    let viscosity = |snapshot: &Snapshot| snapshot.parameters.map(|parameters| parameters.fluid.kinematic_viscosity);
    let after = wait_for(&mut session, "the viscosity", |snapshot| viscosity(snapshot) == Some(0.25));
    assert!(after.generation == before.generation && after.steps > before.steps, "the fluid goes on");
    assert!(wait_for_notice(&session).title.contains("changed parameters"));
}

#[test]
fn a_changed_scene_starts_anew_and_a_broken_one_leaves_the_old() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.toml");
    let included = folder.path().join("tank.toml");
    fs::write(&included, "[[containers]]\nmin = [0.0, 0.0]\nmax = [1.0, 1.0]\n").expect("a writable folder");
    let tank = "[[containers]]\nmin = [0.0, 0.0]\nmax = [1.0, 1.0]\n";
    let text = SCENE.replace(tank, "").replace("dimensions", "include = ['tank.toml']\ndimensions");
    let mut session = opened(folder.path(), &text);
    wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    session.send(Request::Pause);
    let before = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let width = |snapshot: &Snapshot| snapshot.scene.as_ref().expect("a scene").setup.containers[0].max.x;

    replace(&included, &tank.replace("1.0, 1.0", "2.0, 1.0"));
    let wider = wait_for(&mut session, "the wider tank", |snapshot| snapshot.generation == 2);
    assert_eq!((width(&before), width(&wider), wider.opened, wider.paused), (1.0, 2.0, 1, true));
    assert!(wait_for_notice(&session).title.contains("the fluid restarts"));

    replace(&path, &text.replace("spacing", "spaceing"));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Error && notice.details.contains("scene.toml:7:"), "{notice:?}");
    session.send(Request::StepOnce);
    let running = wait_for(&mut session, "a step", |snapshot| snapshot.steps == 1);
    assert_eq!((running.generation, running.failure), (2, None), "the old one runs on");

    replace(&path, &text);
    assert!(wait_for_notice(&session).title.contains("nothing changed"));
}

#[test]
fn a_fault_in_a_new_file_is_noticed_when_it_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, included) = (folder.path().join("scene.toml"), folder.path().join("more.toml"));
    let mut session = opened(folder.path(), SCENE);
    wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    replace(&path, &SCENE.replace("dimensions", "include = ['more.toml']\ndimensions"));
    let refused = wait_for_notice(&session);
    assert!(refused.severity == Severity::Error && refused.details.contains("more.toml"), "{refused:?}");
    replace(&included, "fluid.kinematic_viscositi = 0.25\n");
    assert!(wait_for_notice(&session).details.contains("kinematic_viscositi"));
    replace(&included, "fluid.kinematic_viscosity = 0.25\n");
    assert!(wait_for_notice(&session).title.contains("changed parameters"));
}

#[test]
fn a_scene_that_fails_at_the_start_is_loaded_once_it_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut session = opened(folder.path(), &SCENE.replace("spacing", "spaceing"));
    let refused = wait_for_notice(&session);
    assert_eq!((refused.severity, refused.subject), (Severity::Error, crate::session::Subject::Scene), "{refused:?}");
    replace(&folder.path().join("scene.toml"), &SCENE.replace("spacing", "spacingg"));
    assert!(wait_for_notice(&session).details.contains("spacingg"), "it is still broken");
    replace(&folder.path().join("scene.toml"), SCENE);
    // Its generation ends the message, whose subject is the scene.
    let runs = wait_for(&mut session, "the mended scene", |snapshot| snapshot.generation == 1);
    assert_eq!((runs.opened, runs.paused), (1, false));
    // From now on it is a running scene like any other.
    replace(&folder.path().join("scene.toml"), &SCENE.replace("[grid]", "[fluid]\nkinematic_viscosity = 0.25\n[grid]"));
    assert!(wait_for_notice(&session).title.contains("changed parameters"));
}

#[test]
fn a_scene_that_fails_beside_a_running_one_is_opened_once_it_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other.toml");
    let title = |snapshot: &Snapshot| snapshot.scene.as_ref().map(|scene| scene.name.clone());
    let mut session = opened(folder.path(), SCENE);
    let first = wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    fs::write(&other, "titel = 1").expect("a writable folder");
    session.send(Request::Load(SceneSource::at(other.clone())));
    assert!(wait_for_notice(&session).details.contains("titel"));
    // The running one goes on, and its own files are still watched.
    replace(&folder.path().join("scene.toml"), &SCENE.replace("[grid]", "[fluid]\nkinematic_viscosity = 0.25\n[grid]"));
    assert!(wait_for_notice(&session).title.contains("changed parameters"));
    replace(&other, SCENE);
    let second = wait_for(&mut session, "the mended scene", |snapshot| snapshot.opened == 2);
    assert_ne!(title(&first), title(&second));
}

#[test]
fn a_mended_file_does_not_take_the_place_of_a_scene_that_was_changed_since() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other.toml");
    let mut session = opened(folder.path(), SCENE);
    let before = wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    fs::write(&other, "titel = 1").expect("a writable folder");
    session.send(Request::Load(SceneSource::at(other.clone())));
    wait_for_notice(&session);
    let mut parameters = before.parameters.expect("it has some");
    parameters.gravity.y = -5.0;
    session.send(Request::SetParameters { parameters, generation: before.generation, revision: 1 });
    wait_for(&mut session, "the change", |snapshot| snapshot.revision == 1);
    replace(&other, SCENE);
    // Several looks of the watcher.
    std::thread::sleep(Duration::from_secs(1));
    session.update();
    assert_eq!((session.snapshot().opened, session.next_notice()), (1, None));
}

#[test]
fn ones_own_save_is_no_change_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = SCENE.replace("[grid]", "[fluid]\nkinematic_viscosity = [[0, 0.25], [100, 0.5]]\n[grid]");
    let text = text.replace("dimensions", "gravity = [[0, 0, -9.81], [1, 0, -5]]\ndimensions");
    let mut session = opened(folder.path(), &text);
    let before = wait_for(&mut session, "a step", |snapshot| snapshot.steps > 0);
    let scene = before.scene.expect("a scene runs");
    let path = scene.path.clone().expect("it is in a file");
    let saved = sph_io::save_parameters(&path, &before.parameters.expect("it has some"), &["gravity"], &scene);
    let saved = Arc::new(saved.expect("a writable file"));
    assert_eq!((scene.setup.curves.len(), saved.setup.curves.len()), (2, 1));
    session.send(Request::Saved { scene, saved: saved.clone() });
    wait_for(&mut session, "the saved scene", |snapshot| {
        snapshot.scene.as_ref().is_some_and(|scene| Arc::ptr_eq(scene, &saved))
    });
    // Several looks of the watcher.
    std::thread::sleep(Duration::from_secs(1));
    session.update();
    assert_eq!(session.snapshot().generation, before.generation, "the fluid goes on");
    assert!(session.next_notice().is_none());
}

/// The scene at another spacing is no other scene: what has been changed stays, and stays unsaved.
#[test]
fn another_spacing_keeps_changed_parameters_and_their_proportions() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = SCENE.replace("[grid]", "[fluid]\nkinematic_viscosity = [[0, 0.25], [100, 0.5]]\n[grid]");
    let mut session = opened(folder.path(), &text);
    let before = wait_for(&mut session, "a step", |snapshot| snapshot.steps > 0);
    let (scene, generation) = (before.scene.expect("a scene runs"), before.generation);
    let mut parameters = before.parameters.expect("it has some");
    parameters.gravity.y = -5.0;
    parameters.grid.cell_size *= 1.5;
    session.send(Request::SetParameters { parameters, generation, revision: 1 });
    let spacing = sph_io::Override { path: "particles.spacing".to_owned(), value: "0.1".to_owned() };
    session.send(Request::LoadAtSpacing(SceneSource::File(folder.path().join("scene.toml"), vec![spacing])));
    let after = wait_for(&mut session, "the other spacing", |snapshot| snapshot.generation == generation + 1);
    let (coarse, parameters) = (after.scene.expect("a scene runs"), after.parameters.expect("it has some"));
    assert_eq!((after.opened, coarse.setup.discretization.particle_spacing), (before.opened, 0.1));
    assert_eq!((parameters.gravity.y, coarse.setup.parameters.gravity), (-5.0, scene.setup.parameters.gravity));
    let ratio = parameters.grid.cell_size / coarse.setup.discretization.support_radius;
    assert!((ratio - 1.5).abs() < 1e-5, "{ratio}");
    // Its curve has begun anew.
    assert!((0.25..0.26).contains(&parameters.fluid.kinematic_viscosity), "{}", parameters.fluid.kinematic_viscosity);
    // Another scene has its own parameters.
    session.send(Request::Load(SceneSource::Text("small", SCENE, Vec::new())));
    let other = wait_for(&mut session, "another scene", |snapshot| snapshot.opened == before.opened + 1);
    assert_eq!(other.parameters, other.scene.map(|scene| scene.setup.parameters));
}

/// Neither a save of a changed search of balls nor a change of it in the file restarts the scene.
#[test]
fn searches_of_balls_change_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "format = 1\n[particles]\nspacing = 0.05\n[ball.grid]\ntable_size = 20\n[[balls]]\nradius = 0.02\n\
                centers = [[0.1, 2, 0.1], [0.2, 2, 0.2]]\n";
    let mut session = opened(folder.path(), text);
    let before = wait_for(&mut session, "a step", |snapshot| snapshot.steps > 0);
    let (scene, generation) = (before.scene.expect("a scene runs"), before.generation);
    let grid = GridParameters { table_size: 7, ..before.set_grids[0] };
    session.send(Request::SetPointGrid { set: 0, grid, generation, revision: 1 });
    let path = scene.path.clone().expect("it is in a file");
    let edits = SceneEdits { set_grids: &[grid], ..SceneEdits::none(&scene) };
    let saved = Arc::new(sph_io::save_scene(&path, &edits, &scene).expect("a writable file"));
    session.send(Request::Saved { scene, saved: saved.clone() });
    wait_for(&mut session, "the saved scene", |snapshot| {
        snapshot.scene.as_ref().is_some_and(|scene| Arc::ptr_eq(scene, &saved))
    });
    replace(&path, &text.replace("table_size = 20", "table_size = 31"));
    assert!(wait_for_notice(&session).title.contains("changed searches are in effect"));
    let after = wait_for(&mut session, "the search of the file", |snapshot| snapshot.set_grids[0].table_size == 31);
    assert_eq!(after.generation, generation, "the balls go on");
}

#[test]
fn a_reload_keeps_the_camera_and_the_colours() {
    let scene = |max: &str| {
        let text = SCENE.replace("max = [1.0, 1.0]", max);
        Some(Arc::new(sph_io::parse(&text, "small", &[]).expect("the scene is well-formed")))
    };
    let mut state = crate::ui::State::default();
    let mut snapshot = Snapshot { generation: 1, opened: 1, scene: scene("max = [1.0, 1.0]"), ..Snapshot::default() };
    assert!(state.follow(&snapshot));
    state.display.framing = crate::ui::Framing::Free;
    state.display.color = sph_color::ColorField::Pressure;
    snapshot = Snapshot { generation: 2, scene: scene("max = [2.0, 1.0]"), ..snapshot };
    assert!(state.follow(&snapshot));
    assert_eq!((state.display.framing, state.display.color), (crate::ui::Framing::Free, sph_color::ColorField::Pressure));
    snapshot = Snapshot { generation: 3, opened: 2, ..snapshot };
    assert!(state.follow(&snapshot));
    assert_eq!((state.display.framing, state.display.color), (crate::ui::Framing::First, sph_color::ColorField::default()));
}

/// States that are saved and opened again.
fn save(session: &Session, path: PathBuf) -> Notice {
    session.send(Request::SaveState(path));
    wait_for_notice(session)
}

#[test]
fn a_saved_state_goes_on_as_the_fluid_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.checkpoint");
    let mut session = running(&Options::default());
    wait_for(&mut session, "steps", |snapshot| snapshot.steps >= 5);
    session.send(Request::Pause);
    let before = wait_for(&mut session, "a pause", |snapshot| snapshot.paused);
    let notice = save(&session, path.clone());
    assert!(notice.severity == Severity::Info && notice.title.contains("a.checkpoint"), "{notice:?}");
    session.send(Request::StepOnce);
    let next = wait_for(&mut session, "a step", |snapshot| snapshot.steps == before.steps + 1);

    let mut other = start(&Options::default());
    other.send(Request::Load(SceneSource::at(path)));
    let opened = wait_for(&mut other, "the state", |snapshot| snapshot.generation == 1);
    assert!(opened.steps >= before.steps && opened.scene.expect("a scene").title == "A small block");
    wait_for(&mut other, "a step", |snapshot| snapshot.steps > before.steps);
    other.send(Request::Pause);
    session.send(Request::Play);
    let later = wait_for(&mut other, "a pause", |snapshot| snapshot.paused);
    // Both sessions make the same steps.
    let checkpoint = sph_io::Checkpoint::load(&folder.path().join("a.checkpoint")).expect("a checkpoint");
    let mut alone = sph_commands::engine::resume(&checkpoint.scene.setup, checkpoint.state).expect("a state");
    assert_eq!(alone.step().error, None);
    assert_eq!((alone.time(), alone.view().particles.positions.clone()), (next.time, next.particles.positions));
    while alone.steps() < later.steps {
        assert_eq!(alone.step().error, None);
    }
    assert_eq!((alone.time(), &alone.view().particles.positions), (later.time, &later.particles.positions));
}

#[test]
fn a_state_replaces_no_file_of_its_scene_and_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, SCENE).expect("a writable folder");
    let mut session = start(&Options::default());
    session.send(Request::Load(SceneSource::at(path.clone())));
    wait_for(&mut session, "a scene", |snapshot| snapshot.generation == 1);
    let notice = save(&session, folder.path().join("../").join(folder.path().file_name().expect("a name")).join("scene.toml"));
    assert!(notice.severity == Severity::Warning && notice.title.contains("is a file of the scene"), "{notice:?}");
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), SCENE);
    let damaged = folder.path().join("a.checkpoint");
    std::fs::write(&damaged, "nothing").expect("a writable folder");
    session.send(Request::Load(SceneSource::at(damaged)));
    let notice = wait_for_notice(&session);
    assert!(notice.severity == Severity::Error && notice.title.contains("a.checkpoint"), "{notice:?}");
    assert_eq!(session.snapshot().generation, 1);
}
