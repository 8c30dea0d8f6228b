//! Parameters of scene files as curves: reading, faults with their places, saving, checkpoints.

use glam::Vec3;
use sph_core::{Engine, Parameters, Simulation, parameters::Value};
use sph_io::{Checkpoint, LinesSoFar};

const SCENE: &str = "format = 1
dimensions = 2
gravity = [[0, 0, 0], [0.5, 0, -9.81]]  # swells
[particles]
spacing = 0.05
[[fluid.blocks]]
min = [0, 0]
max = [0.5, 0.5]
[fluid]
kinematic_viscosity = [
    [0.0, 1e-6],  # water
    [1.0, 1e-3],
]
[solver]
method = \"dfsph\"
[solver.dfsph]
min_iterations = [[0, 2], [1, 4]]
";

#[test]
fn a_parameter_may_be_rows_of_times_and_values() {
    let setup = sph_io::parse(SCENE, "a", &[]).unwrap_or_else(|error| panic!("{}", error.report(false))).setup;
    let keys: Vec<_> = setup.curves.iter().map(|curve| curve.key()).collect();
    assert_eq!(keys, ["gravity", "fluid.kinematic_viscosity", "solver.dfsph.min_iterations"]);
    assert_eq!(setup.curves[0].at(0.25), Value::Vector(Vec3::new(0.0, -4.905, 0.0)));
    assert_eq!(setup.curves[1].points(), [(0.0, Value::Number(1e-6)), (1.0, Value::Number(1e-3))]);
    assert_eq!(setup.curves[2].at(0.9), Value::Count(4));
    assert_eq!((setup.parameters.gravity, setup.parameters.fluid.kinematic_viscosity), (Vec3::ZERO, 1e-6), "at time 0");
    let change = "fluid.kinematic_viscosity=2e-6".parse().unwrap();
    let setup = sph_io::parse(SCENE, "a", &[change]).unwrap().setup;
    assert_eq!((setup.curves.len(), setup.parameters.fluid.kinematic_viscosity), (2, 2e-6));
}

#[test]
fn faults_of_curves_have_their_places() {
    let changes = [
        ("[1.0, 1e-3]", "[1.0, -1e-3]", "a:12:11: fluid.kinematic_viscosity must be 0 to 1000000 (m²/s), but is -0.001"),
        (
            "[1.0, 1e-3]",
            "[0.0, 1e-3]",
            "a:12:6: the time of row 1 of `fluid.kinematic_viscosity` is not later than the one before",
        ),
        ("[1.0, 1e-3]", "[1.0]", "a:12:5: `fluid.kinematic_viscosity.1` has 1 item"),
        ("[1.0, 1e-3]", "1.0", "a:12:5: `fluid.kinematic_viscosity.1` must be an array, but is a floating-point number"),
        ("[[0, 2], [1, 4]]", "[]", "a:17:18: `solver.dfsph.min_iterations` has 0 items"),
        ("[1, 4]", "[1, 3.5]", "a:17:31: `solver.dfsph.min_iterations.1.1` must be a whole number, but is 3.5"),
        (
            "[1, 4]",
            "[1, 400]",
            "a:16:1: on its curve at 0.5 s, solver.dfsph.max_iterations must be the minimum number to 1000, but is 100",
        ),
        ("\"dfsph\"", "[[0, 1]]", "a:15:10: `solver.method` must be a string, but is an array"),
        ("spacing = 0.05", "spacing = [[0, 0.05]]", "a:5:11: `particles.spacing` must be a number, but is an array"),
        ("[0.5, 0, -9.81]", "[0.5, -9.81]", "a:3:23: `gravity.1` has 2 items"),
    ];
    for (old, new, expected) in changes {
        let error = sph_io::parse(&SCENE.replace(old, new), "a", &[]).unwrap_err();
        assert!(error.summary().starts_with(expected), "{new}: {}", error.summary());
    }
}

#[test]
fn saving_keeps_curves_but_those_that_were_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    let scene = sph_io::load(&path, &[]).unwrap();
    let mut parameters = scene.setup.parameters_at(0.3);
    sph_io::save_parameters(&path, &parameters, &[], &scene).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SCENE);
    parameters.gravity = Vec3::new(0.0, -3.0, 0.0);
    parameters.fluid.artificial_viscosity = 0.25;
    let saved = sph_io::save_parameters(&path, &parameters, &["gravity"], &scene).unwrap();
    assert_eq!(saved, sph_io::load(&path, &[]).unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("gravity = [0.0, -3.0]  # swells\n") && text.contains("    [1.0, 1e-3],\n"), "{text}");
    let again = sph_io::load(&path, &[]).unwrap().setup;
    let expected = Parameters { gravity: Vec3::new(0.0, -3.0, 0.0), ..again.parameters };
    assert_eq!((again.parameters, again.curves.len()), (expected, 2));
    assert_eq!(again.parameters.fluid.artificial_viscosity, 0.25);
}

#[test]
fn a_checkpoint_holds_the_curves_and_what_was_taken_off_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint");
    let scene = sph_io::parse(SCENE, "a", &[]).unwrap();
    let steps = |simulation: &mut Simulation| (0..10).for_each(|_| assert_eq!(simulation.step().error, None));
    let mut whole = Simulation::new(&scene.setup).unwrap();
    steps(&mut whole);
    whole.set_off_curve(&["fluid.kinematic_viscosity"]);
    steps(&mut whole);
    let state = whole.snapshot();
    let checkpoint =
        Checkpoint { scene, state, averages: Vec::new(), stats: LinesSoFar::default(), probes: LinesSoFar::default() };
    checkpoint.save(&path).unwrap();
    let loaded = Checkpoint::load(&path).unwrap();
    assert!(loaded == checkpoint);
    let mut resumed = Simulation::from_state(&loaded.scene.setup, loaded.state).unwrap();
    steps(&mut whole);
    steps(&mut resumed);
    assert!(resumed.state() == whole.state());
}
