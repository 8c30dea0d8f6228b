//! Keys of scene files: probes, curves of parameters, shapes. What they make, faults with their places, saving.

use glam::{Vec2, Vec3};
use sph_core::probes::{FluxGate, PointGrid, Probe, Quantity};
use sph_core::{Aperture, Engine, Parameters, Simulation, parameters::Value};
use sph_io::{Checkpoint, LinesSoFar, Scene, SceneError, load, parse};
use std::fs;

const PROBED: &str = r#"format = 1
[particles]
spacing = 0.1
[[fluid.blocks]]
min = [0, 0, 0]
max = [1, 1, 1]
[[probes]]
name = "p"
"#;

fn probe(keys: &str) -> Result<Probe, String> {
    let scene = sph_io::parse(&format!("{PROBED}{keys}"), "a", &[]).map_err(|error| error.summary())?;
    Ok(scene.probes[0].probe.clone())
}

#[test]
fn fields_are_read_at_points_along_lines_and_over_planes() {
    let at = Vec3::new(0.5, 0.25, 0.5);
    let point = probe("kind = 'velocity'\nat = [0.5, 0.25, 0.5]").unwrap();
    assert_eq!(point, Probe::Field { quantity: Quantity::Velocity, points: PointGrid::point(at) });
    let line = "from = [0, 0, 0]\nto = [1, 0, 0]\npoints = 3";
    let points = PointGrid::line(Vec3::ZERO, Vec3::X, 3);
    assert_eq!(probe(&format!("kind = 'pressure'\n{line}")).unwrap(), Probe::Field { quantity: Quantity::Pressure, points });
    let plane = probe(&format!("kind = 'density'\n{line}\nacross = [0, 1, 0]\nrows = 5")).unwrap();
    let points = PointGrid { across: Vec3::Y, rows: 5, ..points };
    assert_eq!(plane, Probe::Field { quantity: Quantity::Density, points });
    assert_eq!((points.at(1), points.at(14)), (0.5 * Vec3::X, Vec3::new(1.0, 1.0, 0.0)));
}

#[test]
fn regions_have_any_shape_and_openings_are_round_or_rectangular() {
    let Ok(Probe::Region(solid)) = probe("kind = 'region'\nshape = 'sphere'\nmin = [0, 0, 0]\nmax = [1, 1, 1]") else {
        panic!("a region")
    };
    assert!(solid.contains(Vec3::splat(0.5)) && !solid.contains(Vec3::splat(0.1)));
    let gate = "kind = 'flux'\nat = [0.5, 0.5, 0.5]\ndirection = [1, 0, 0]\n";
    let gate_with = |aperture| Probe::Flux(FluxGate { center: Vec3::splat(0.5), direction: Vec3::X, aperture });
    assert_eq!(probe(&format!("{gate}radius = 0.5")).unwrap(), gate_with(Aperture::Round { radius: 0.5 }));
    let rectangle = Aperture::Rectangle { size: Vec2::new(1.0, 0.5) };
    assert_eq!(probe(&format!("{gate}size = [1, 0.5]")).unwrap(), gate_with(rectangle));
}

#[test]
fn faults_of_places_are_shown() {
    let faults = [
        ("kind = 'pressure'", "`probes.0` has neither of `at` and `from`"),
        ("kind = 'pressure'\nat = [0, 0, 0]\nfrom = [0, 0, 0]", "`probes.0` has both of `at` and `from`"),
        ("kind = 'density'\nfrom = [0, 0, 0]\nto = [0, 0, 1]", "a line of `probes.0` is not complete"),
        ("kind = 'density'\nat = [0, 0, 0]\nrows = 4", "a plane of `probes.0` is not complete"),
        (
            "kind = 'density'\nfrom = [0, 0, 0]\nto = [0, 0, 1]\npoints = 200\nacross = [1, 0, 0]\nrows = 51",
            "`probes.0` has 10200 points",
        ),
        ("kind = 'velocity'\nat = [0, 0, 0]\nface = 'x_min'", "a probe of the kind `velocity` has no `face`"),
        ("kind = 'energy'\nmin = [0, 0, 0]", "a probe of the kind `energy` has no `min`"),
        ("kind = 'region'\nmin = [0, 0, 0]", "missing key `max` in `probes.0`"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 0, 0]\nradius = 1", "the direction of an opening has no length"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 1, 0]", "an opening must be round or rectangular"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 1, 0]\nsize = [1]", "an opening in 3 dimensions needs two sizes"),
    ];
    for (keys, expected) in faults {
        let summary = probe(keys).unwrap_err();
        assert!(summary.contains(expected), "{keys}: {summary}");
    }
}

const CURVED: &str = "format = 1
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
    let setup = sph_io::parse(CURVED, "a", &[]).unwrap_or_else(|error| panic!("{}", error.report(false))).setup;
    let keys: Vec<_> = setup.curves.iter().map(|curve| curve.key()).collect();
    assert_eq!(keys, ["gravity", "fluid.kinematic_viscosity", "solver.dfsph.min_iterations"]);
    assert_eq!(setup.curves[0].at(0.25), Value::Vector(Vec3::new(0.0, -4.905, 0.0)));
    assert_eq!(setup.curves[1].points(), [(0.0, Value::Number(1e-6)), (1.0, Value::Number(1e-3))]);
    assert_eq!(setup.curves[2].at(0.9), Value::Count(4));
    assert_eq!((setup.parameters.gravity, setup.parameters.fluid.kinematic_viscosity), (Vec3::ZERO, 1e-6), "at time 0");
    let change = "fluid.kinematic_viscosity=2e-6".parse().unwrap();
    let setup = sph_io::parse(CURVED, "a", &[change]).unwrap().setup;
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
        let error = sph_io::parse(&CURVED.replace(old, new), "a", &[]).unwrap_err();
        assert!(error.summary().starts_with(expected), "{new}: {}", error.summary());
    }
}

#[test]
fn saving_keeps_curves_but_those_that_were_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, CURVED).unwrap();
    let scene = sph_io::load(&path, &[]).unwrap();
    let mut parameters = scene.setup.parameters_at(0.3);
    sph_io::save_parameters(&path, &parameters, &[], &scene).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), CURVED);
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
    let scene = sph_io::parse(CURVED, "a", &[]).unwrap();
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

fn scene(block: &str) -> String {
    format!("format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\n{block}\n")
}

fn summary(block: &str) -> String {
    parse(&scene(block), "a", &[]).expect_err("the scene is wrong").summary()
}

#[test]
fn a_filled_shape_has_its_volume_within_a_hundredth() {
    let ball = "min = [0, 0, 0]\nmax = [1, 1, 1]\nshape = \"sphere\"";
    let volume = |block: &str| {
        let setup = parse(&scene(block), "a", &[]).expect("the scene is valid").setup;
        let simulation = sph_core::Simulation::new(&setup).expect("a valid setup");
        assert_eq!(setup.particle_counts().fluid.abs_diff(simulation.particles().len() as u64), 0);
        simulation.particles().len() as f64 * 0.05f64.powi(3)
    };
    let exact = std::f64::consts::PI / 6.0;
    assert!((volume(ball) / exact - 1.0).abs() < 0.01, "{}", volume(ball));
    let smaller = volume(&format!("{ball}\nscale = [0.5, 0.5, 0.5]\ntranslation = [3, 0, 0]"));
    assert!((smaller / exact * 8.0 - 1.0).abs() < 0.01, "{smaller}");
    // Without the lower half, and with a cube beside it.
    let half = volume(&format!("{ball}\nsubtract = [{{ min = [0, 0, 0], max = [1, 0.5, 1] }}]"));
    assert!((half / exact * 2.0 - 1.0).abs() < 0.01, "{half}");
    let both = volume(&format!("{ball}\nunite = [{{ min = [2, 0, 0], max = [2.5, 0.5, 0.5] }}]"));
    assert!((both / (exact + 0.125) - 1.0).abs() < 0.01, "{both}");
}

#[test]
fn faults_of_shapes_have_their_place() {
    let ball = "min = [0, 0, 0]\nmax = [1, 1, 0.8]\nshape = \"sphere\"";
    assert_eq!(
        summary(ball),
        "a:5:7: a sphere is round, but its box is 1 m by 0.8 m: \
         expected a box, with `min` below `max`, that the shape fits into"
    );
    assert_eq!(summary("min = [0, 0, 0]"), "a:3:1: missing key `max` in `fluid.blocks.0`");
    assert_eq!(summary("shape = \"mesh\""), "a:3:1: missing key `file` in `fluid.blocks.0`");
    let tube = "min = [0, 0, 0]\nmax = [1, 1, 1]\nshape = \"box\"\naxis = \"x\"";
    assert_eq!(
        summary(tube),
        "a:7:8: a shape of the kind `box` has no `axis`: it has `min`, `max`, `scale`, `orientation` or `translation`"
    );
    let turned = "min = [0, 0, 0]\nmax = [1, 1, 1]\norientation = { angle = 30 }";
    assert_eq!(summary(turned), "a:6:15: missing key `axis` in `fluid.blocks.0.orientation`");
    let grain = "min = [0, 0, 0]\nmax = [0.04, 0.04, 0.04]\nshape = \"sphere\"";
    assert!(summary(grain).contains("the shape of fluid block 0 is smaller than a single particle"), "{}", summary(grain));
}

#[test]
fn a_heightfield_is_solid_below_its_heights() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    let with = |keys: &str, table: &str| {
        fs::write(&path, scene(&format!("shape = \"heightfield\"\nfile = \"b.csv\"\n{keys}"))).expect("written");
        fs::write(folder.path().join("b.csv"), table).expect("written");
        load(&path, &[])
    };
    let solid = |scene: Scene| match &scene.setup.blocks[0].shape {
        sph_core::BlockShape::Solid(solid) => solid.clone(),
        shape => panic!("{shape:?}"),
    };
    // A ramp from 0.25 m to 0.75 m above y = 1 m, from x = 2 m to x = 3 m; the wedge and its volume are known.
    let keys = "min = [2, 1, 0]\nmax = [3, 2, 1]";
    let ramp = solid(with(keys, "0.25, 0.5, 0.75\n0.25, 0.5, 0.75").expect("a ramp"));
    let normal = glam::Vec3::new(-0.5, 1.0, 0.0).normalize();
    for offset in [-0.1, 0.0, 0.1] {
        let at = glam::Vec3::new(2.5, 1.5, 0.5) + offset * normal;
        assert!((ramp.signed_distance(at) - offset).abs() < 1e-6, "{offset}");
    }
    assert!((ramp.volume(sph_core::Dimensions::Three) - 0.5).abs() < 2e-3);
    // Twice as large about the centre of its box, as every shape; of two rows, the first is that of the lowest z.
    let grown = solid(with(&format!("{keys}\nscale = [2, 2, 2]"), "0.25, 0.25\n0.75, 0.75").expect("a ramp"));
    assert!((grown.volume(sph_core::Dimensions::Three) - 4.0).abs() < 1e-2);
    let [low, high] = grown.bounds();
    assert!((low - glam::DVec3::new(1.5, 0.5, -0.5)).length() < 1e-6 && (high.y - 2.0).abs() < 1e-6, "{low} {high}");
    assert!(grown.contains(glam::Vec3::new(2.5, 1.9, 1.49)) && !grown.contains(glam::Vec3::new(2.5, 1.9, 0.0)));

    let fault = |keys: &str, table: &str| with(keys, table).expect_err("a fault").summary();
    let high = fault(keys, "0, 0\n0, 1.5");
    assert!(high.contains(":5:8: ") && high.contains("b.csv has a height of 1.5 m in column 2 of line 2"), "{high}");
    assert!(fault(keys, "0, 1").contains("b.csv has one row in a scene of 3 dimensions"));
    assert!(fault(keys, "0\n1").contains("b.csv has one column"));
    assert!(fault("min = [2, 1, 0]", "0, 0\n0, 0").ends_with("missing key `max` in `fluid.blocks.0`"));
    assert!(fault("min = [2, 1, 0]\nmax = [3, 1, 1]", "0, 0\n0, 0").contains("its extent along y is 0 m"));

    // In two dimensions the first row is the ground.
    fs::write(folder.path().join("b.csv"), "0.25, 0.75\n9e-1, 9e-1").expect("written");
    let flat = "format = 1\ndimensions = 2\nparticles.spacing = 0.02\n[[fluid.blocks]]\nshape = \"heightfield\"\n\
                file = \"b.csv\"\nmin = [0, 0]\nmax = [1, 1]\n";
    fs::write(&path, flat).expect("written");
    let flat = solid(load(&path, &[]).expect("a ramp"));
    assert!((flat.volume(sph_core::Dimensions::Two) - 0.5).abs() < 2e-3);
    assert!((flat.signed_distance(glam::Vec3::new(0.5, 0.5, 0.0) + 0.1 * normal) - 0.1).abs() < 1e-6);
}

#[test]
fn meshes_are_beside_the_scene_and_diagnosed() {
    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    fs::write(&path, scene("shape = \"mesh\"\nfile = \"b.obj\"")).expect("written");
    let with = |mesh: &str| -> Result<Scene, SceneError> {
        fs::write(folder.path().join("b.obj"), mesh).expect("written");
        load(&path, &[])
    };
    let missing = load(&path, &[]).expect_err("no mesh").summary();
    assert!(missing.contains(":5:8: ") && missing.contains("b.obj cannot be read"), "{missing}");
    let sound = with(TETRAHEDRON).expect("a closed mesh");
    assert_eq!((sound.setup.particle_counts().fluid, sound.remarks.len()), (1333, 0));
    let inward = with(
        &TETRAHEDRON
            .replace("f 1 3 2", "f 1 2 3")
            .replace("f 1 2 4", "f 1 4 2")
            .replace("f 1 4 3", "f 1 3 4")
            .replace("f 2 3 4", "f 2 4 3"),
    );
    let inward = inward.expect("a closed mesh");
    assert_eq!(inward.setup.particle_counts(), sound.setup.particle_counts());
    assert!(inward.remarks[0].ends_with("b.obj faces inwards and has been inverted"), "{:?}", inward.remarks);
    let open = with(&TETRAHEDRON.replace("f 2 3 4\n", "")).expect_err("an open mesh").summary();
    assert!(open.contains("b.obj: the mesh is open: 3 edges have a triangle on one side only"), "{open}");
}

/// An open tray, four walls and a floor, is a shell that holds water on either side of its faces; where an inside is needed it is refused.
#[test]
fn open_meshes_are_shells_of_bodies_and_nothing_else() {
    const TRAY: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0 0.5 0\nv 1 0.5 0\nv 1 0.5 1\nv 0 0.5 1\n\
        f 1 2 3 4\nf 1 5 6 2\nf 2 6 7 3\nf 4 3 7 8\nf 1 4 8 5\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.toml");
    fs::write(folder.path().join("tray.obj"), TRAY).expect("written");
    let with = |tables: &str| {
        let head = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0.1, 0.1, 0.1]\nmax = [0.9, 0.4, 0.9]\n";
        fs::write(&path, format!("{head}{tables}")).expect("written");
        load(&path, &[])
    };
    let mesh = "shape = \"mesh\"\nfile = \"tray.obj\"\n";
    let scene = with(&format!("[[bodies]]\n{mesh}")).unwrap_or_else(|error| panic!("{error}"));
    let [remark] = scene.remarks.as_slice() else { panic!("{:?}", scene.remarks) };
    assert!(
        remark.contains("tray.obj: the mesh is open: 4 edges have a triangle on one side only; it becomes a shell"),
        "{remark}"
    );
    let mut simulation = sph_core::Simulation::new(&scene.setup).expect("a valid setup");
    // On the five squares, whose areas are 1 m² and 4 times 0.5 m².
    let on_surface = |at: &glam::Vec3| {
        let flat = |x: f32| x.abs() < 0.01 || (x - 1.0).abs() < 0.01;
        flat(at.x) || at.y.abs() < 0.01 || flat(at.z)
    };
    let walls = &simulation.boundary().positions;
    assert!(walls.iter().all(on_surface) && (250..360).contains(&walls.len()), "{}", walls.len());
    while simulation.time() < 0.4 {
        let stats = simulation.step();
        assert!(stats.error.is_none(), "{:?}", stats.error);
    }
    let positions = &simulation.particles().positions;
    let inside = positions.iter().filter(|at| at.y > 0.0 && at.x > 0.0 && at.x < 1.0 && at.z > 0.0 && at.z < 1.0).count();
    assert_eq!(inside, positions.len(), "water ran out of the tray");

    let refused = |tables: &str| {
        let error = with(tables).expect_err("needs an inside").summary();
        assert!(error.contains("expected closed surfaces; only a body without `dynamics` may have others"), "{error}");
    };
    refused(&format!("[[bodies]]\ndynamics = {{}}\n{mesh}"));
    refused(&format!("[[containers]]\n{mesh}"));
    refused(&format!("[[fluid.blocks]]\n{mesh}"));
    refused("[[bodies]]\nmin = [5, 5, 5]\nmax = [6, 6, 6]\nsubtract = [{ shape = \"mesh\", file = \"tray.obj\" }]\n");
}

/// Water in a round tub stays in it, above a floor that is a wall only where the tub is.
#[test]
fn containers_of_other_shapes_hold_their_fluid() {
    let tub = "dimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.4, -0.4]\nmax = [0.4, 0.2]\nshape = \"ellipsoid\"\n\
        [[containers]]\nshape = \"sphere\"\nmin = [-0.7, -0.7]\nmax = [0.7, 0.7]\n";
    let setup = parse(&format!("format = 1\n{tub}"), "a", &[]).expect("the scene is valid").setup;
    let mut simulation = sph_core::Simulation::new(&setup).expect("a valid setup");
    assert!(simulation.boundary().len() as u64 <= setup.particle_counts().boundary);
    while simulation.time() < 0.6 {
        let stats = simulation.step();
        assert!(stats.error.is_none(), "{:?}", stats.error);
    }
    let lowest = simulation.particles().positions.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
    let farthest = simulation.particles().positions.iter().map(|at| at.length()).fold(0.0, f32::max);
    assert!(farthest < 0.7 && lowest < -0.6, "{farthest} m from the middle, {lowest} m high");
    // A block in the wall, and one outside.
    let error = |min: &str, max: &str| {
        let text = format!("format = 1\n{tub}").replace("min = [-0.4, -0.4]", min).replace("max = [0.4, 0.2]", max);
        parse(&text, "a", &[]).expect_err("the block is not inside").summary()
    };
    let outside = error("min = [0.3, 0.0]", "max = [0.9, 0.6]");
    assert!(outside.contains("fluid block 0 is not inside any container"), "{outside}");
}
