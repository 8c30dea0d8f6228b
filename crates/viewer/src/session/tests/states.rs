//! States that are saved and opened again.

use super::*;
use std::path::PathBuf;

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
    other.send(Request::Pause);
    session.send(Request::Play);
    let later = wait_for(&mut other, "a pause", |snapshot| snapshot.paused);
    // Both sessions make the same steps; the second has made some already.
    let checkpoint = sph_io::Checkpoint::load(&folder.path().join("a.checkpoint")).expect("a checkpoint");
    let mut alone = crate::engine::resume(&checkpoint.scene.setup, checkpoint.state).expect("a state");
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
