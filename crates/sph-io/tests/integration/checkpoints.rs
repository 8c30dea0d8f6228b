//! Checkpoints: a resumed simulation goes on to the bit, and a damaged file is refused.

use sph_core::{DroppedBody, DroppedShape, Engine, Method, Simulation, State};
use sph_io::{Checkpoint, CheckpointError, LinesSoFar, PackedState, Scene};
use std::path::Path;

/// Two fluids, an emitter, a turning paddle, motion from a file, and two bodies that move by forces, one on a hinge, which a checkpoint has to hold.
const SCENE: &str = r#"
format = 1
dimensions = 2
[particles]
spacing = 0.05
[[fluids]]
name = "water"
rest_density = 1000.0
[[fluids]]
name = "oil"
rest_density = 900.0
[[fluid.blocks]]
min = [0.0, 0.0]
max = [0.5, 0.3]
fluid = "water"
[[fluid.blocks]]
min = [0.0, 0.3]
max = [0.5, 0.5]
fluid = "oil"
[[containers]]
min = [0.0, 0.0]
max = [1.2, 1.0]
[[bodies]]
min = [0.7, 0.2]
max = [0.8, 0.5]
rotation = { angular_velocity = 90.0 }
[[bodies]]
min = [1.0, 0.2]
max = [1.1, 0.3]
motion_file = "path.csv"
[[bodies]]
name = "float"
min = [0.2, 0.5]
max = [0.35, 0.65]
density = 300.0
dynamics = { velocity = [0.5, 0.0], angular_velocity = [30.0], restitution = 0.5 }
[[bodies]]
name = "flap"
min = [0.55, 0.05]
max = [0.65, 0.4]
density = 1500.0
dynamics = {}
[[joints]]
kind = "hinge"
body = "flap"
anchor = [0.6, 0.4]
[[emitters]]
center = [0.1, 0.8]
direction = [1.0, 0.0]
size = [0.2]
speed = 2.0
fluid = "oil"
[fluid]
kinematic_viscosity = 1e-3
"#;

/// Runs `work` on `threads` threads.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

fn load(folder: &Path, method: Method) -> Scene {
    std::fs::write(folder.join("scene.toml"), SCENE).unwrap();
    std::fs::write(folder.join("path.csv"), "0, 0, 0\n1, 0.1, 0\n").unwrap();
    let changes = [format!("solver.method={}", method.name()), "fluid.vorticity_transfer=0.1".to_owned()];
    let changes: Vec<_> = changes.iter().map(|change| change.parse().unwrap()).collect();
    sph_io::load(&folder.join("scene.toml"), &changes).unwrap_or_else(|error| panic!("{error}"))
}

fn steps(mut simulation: Simulation, count: usize) -> State {
    for _ in 0..count {
        assert_eq!(simulation.step().error, None);
    }
    simulation.snapshot()
}

fn checkpoint(scene: Scene, state: State) -> Checkpoint {
    let (stats, probes) = (LinesSoFar { count: 7, hash: u64::MAX }, LinesSoFar { count: 3, hash: 1 });
    Checkpoint { scene, state, averages: vec![0.5, 0.0], stats, probes }
}

#[test]
fn a_resumed_simulation_has_the_bits_of_not_having_stopped() {
    for method in Method::ALL {
        let folder = tempfile::tempdir().unwrap();
        let scene = load(folder.path(), method);
        let saved = checkpoint(scene.clone(), on_threads(1, || steps(Simulation::new(&scene.setup).unwrap(), 15)));
        let path = folder.path().join("a.checkpoint");
        saved.save(&path).unwrap();
        // No other file is needed.
        std::fs::remove_file(folder.path().join("scene.toml")).unwrap();
        std::fs::remove_file(folder.path().join("path.csv")).unwrap();
        let loaded = Checkpoint::load(&path).unwrap_or_else(|error| panic!("{method:?}: {error}"));
        assert!(loaded == saved, "{method:?}");
        let resumed = Simulation::from_state(&loaded.scene.setup, loaded.state).unwrap();
        let resumed = on_threads(3, || steps(resumed, 15));
        let whole = on_threads(2, || steps(Simulation::new(&scene.setup).unwrap(), 30));
        let order = |state: &State| state.particles.order_by_id();
        assert_eq!((resumed.time, resumed.steps, resumed.solver), (whole.time, whole.steps, whole.solver), "{method:?}");
        assert_eq!(order(&resumed), order(&whole));
        assert!(resumed == whole, "{method:?}: the bits differ");
    }
}

/// A sheet, balls that lie, and balls that are poured.
const POINTS: &str = r#"format = 1
particles.spacing = 0.1
time_step.max_dt = 0.01
[[containers]]
min = [0, 0, 0]
max = [1, 1, 1]
[[cloths]]
corner = [0.1, 0.5, 0.1]
along = [0.4, 0, 0]
across = [0, 0, 0.4]
spacing = 0.05
[[balls]]
count = 60
radius_range = [0.02, 0.1]
min = [0.1, 0, 0.1]
max = [0.9, 0.45, 0.9]
[[balls]]
count = 100
radius = 0.03
rate = 200
min = [0.6, 0.8, 0.6]
max = [0.9, 0.9, 0.9]
"#;

#[test]
fn cloths_and_balls_go_on_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let scene = sph_io::parse(POINTS, "points", &[]).unwrap_or_else(|error| panic!("{error}"));
    let saved = checkpoint(scene.clone(), on_threads(1, || steps(Simulation::new(&scene.setup).unwrap(), 15)));
    let path = folder.path().join("a.checkpoint");
    saved.save(&path).unwrap();
    let loaded = Checkpoint::load(&path).unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded == saved);
    let resumed = Simulation::from_state(&loaded.scene.setup, loaded.state).unwrap();
    let resumed = on_threads(3, || steps(resumed, 15));
    let whole = on_threads(2, || steps(Simulation::new(&scene.setup).unwrap(), 30));
    assert_eq!(whole.sets.len(), 3);
    assert!(whole.sets[2].len() > 30, "balls were poured after the checkpoint: {}", whole.sets[2].len());
    assert!(resumed == whole, "the bits differ");
}

/// Back, twice, by the same simulation, which has moved on with another solver in between.
#[test]
fn a_simulation_goes_back_to_a_packed_state_to_the_bit() {
    for (method, other) in Method::ALL.into_iter().zip(Method::ALL.into_iter().cycle().skip(1)) {
        let folder = tempfile::tempdir().unwrap();
        let scene = load(folder.path(), method);
        let mut simulation = Simulation::new(&scene.setup).unwrap();
        let advance = |simulation: &mut Simulation, count: usize| {
            (0..count).for_each(|_| assert_eq!(simulation.step().error, None, "{method:?}"));
            simulation.snapshot()
        };
        let then = advance(&mut simulation, 15);
        let packed = PackedState::new(&then);
        let first = advance(&mut simulation, 15);
        for _ in 0..2 {
            let mut parameters = *simulation.parameters();
            parameters.solver.method = other;
            simulation.set_parameters(parameters).unwrap();
            advance(&mut simulation, 4);
            let unpacked = packed.unpack().unwrap();
            assert!(unpacked == then, "{method:?}");
            simulation.restore(unpacked).unwrap();
            let again = advance(&mut simulation, 15);
            assert!(again == first, "{method:?}: the bits differ");
        }
        assert!(packed.bytes() < packed.unpacked_bytes(), "{packed:?}");
    }
}

/// A checkpoint and a packed state hold the bodies that have been dropped, in any order of shapes.
#[test]
fn dropped_bodies_go_on_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let scene = load(folder.path(), Method::Dfsph);
    let mut simulation = Simulation::new(&scene.setup).unwrap();
    let (center, velocity) = (glam::Vec3::new(0.9, 0.85, 0.0), glam::Vec3::new(0.1, 0.0, 0.0));
    let ball = DroppedBody { center, size: 0.15, shape: DroppedShape::Ball, density: 400.0, velocity };
    simulation.drop_body(&ball).unwrap();
    let start = simulation.snapshot();
    let then = steps(simulation.clone(), 10);
    assert_eq!((then.dropped.as_slice(), then.bodies.len()), ([ball].as_slice(), 3));
    let saved = checkpoint(scene.clone(), start.clone());
    let path = folder.path().join("a.checkpoint");
    saved.save(&path).unwrap();
    let loaded = Checkpoint::load(&path).unwrap();
    assert!(loaded == saved);
    assert!(PackedState::new(&start).unpack().unwrap() == start);
    let resumed = Simulation::from_state(&loaded.scene.setup, loaded.state).unwrap();
    assert!(steps(resumed, 10) == then, "the bits differ");
}

#[test]
fn damage_at_any_place_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let scene = load(folder.path(), Method::Dfsph);
    let path = folder.path().join("a.checkpoint");
    checkpoint(scene.clone(), steps(Simulation::new(&scene.setup).unwrap(), 3)).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Checkpoint::load(&path).err()
    };
    for place in (0..40).chain((40..bytes.len()).step_by(97)).chain(bytes.len() - 12..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        let error = refused(&damaged).unwrap_or_else(|| panic!("byte {place} was not missed"));
        let expected = matches!(error, CheckpointError::Damaged) || (place < 8 && matches!(error, CheckpointError::Foreign));
        assert!(expected, "byte {place}: {error}");
    }
    for length in [0, 5, 11, 12, 19, 20, 21, 100, bytes.len() / 2, bytes.len() - 1] {
        assert!(refused(&bytes[..length]).is_some(), "{length} bytes");
    }
    assert!(matches!(refused(b"format = 1, and much more text"), Some(CheckpointError::Foreign)));
    assert!(refused(&[&bytes[..], b"x"].concat()).is_some());
    assert!(refused(&bytes).is_none());
}

#[test]
fn files_that_are_no_checkpoints_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let reason = |path: &Path| Checkpoint::load(path).unwrap_err().to_string();
    assert!(
        reason(&folder.path().join("missing")).starts_with("it cannot be read"),
        "{}",
        reason(&folder.path().join("missing"))
    );
    assert_eq!(reason(folder.path()), "it is not a checkpoint");
}
