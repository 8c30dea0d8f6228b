//! Scenes of SPlisHSPlasH are imported whole, and what has no equivalent is said; files that cannot be imported give an error with its
//! place, whatever they hold.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use sph_core::{Aperture, Dimensions, Method, Rate, Schedule, Setup, StateEquation, ViscosityModel, WallSampling};
use sph_io::{Imported, Scene};
use std::path::{Path, PathBuf};

const SCENES: [&str; 4] = ["AnimationFields_2D", "CompressibleSPH_WCSPH", "DoubleDamBreakMultiPhase", "MotorScene"];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/splishsplash").join(name).with_extension("json")
}

/// The scene as it is opened directly, and its import.
fn imported(name: &str) -> (Scene, Imported) {
    let scene = sph_io::load(&path(name), &[]).unwrap_or_else(|error| panic!("{error}"));
    (scene, sph_io::import(&path(name), None).unwrap_or_else(|error| panic!("{error}")))
}

fn has(remarks: &[String], text: &str) {
    assert!(remarks.iter().any(|remark| remark.contains(text)), "no remark has {text:?}: {remarks:#?}");
}

#[test]
fn every_scene_is_valid_and_says_what_it_lacks() {
    for name in SCENES {
        let (scene, imported) = imported(name);
        let again = sph_io::parse(&imported.text, name, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.setup, scene.setup);
        assert_eq!((scene.name.as_str(), scene.title.as_str()), (name, name));
        assert!(!imported.remarks.is_empty());
        for remark in &imported.remarks {
            assert!(imported.text.contains(&format!("# - {remark}\n")) && scene.remarks.contains(remark));
        }
    }
}

/// The setup of a scene with these tables beside a tank of 1 m and a block of 0.5 m.
fn setup_of(tables: &str) -> Setup {
    imported_text(tables).0
}

/// The same, and what its import remarks.
fn imported_text(tables: &str) -> (Setup, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.json");
    std::fs::write(&file, text_with(tables)).unwrap();
    let scene = sph_io::load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
    (scene.setup, scene.remarks)
}

fn text_with(tables: &str) -> String {
    let tank = r#""RigidBodies": [{ "geometryFile": "UnitBox.obj", "translation": [0, 0.5, 0], "mapInvert": true }]"#;
    let block = r#""FluidBlocks": [{ "start": [0, 0, 0], "end": [1, 1, 1], "scale": [0.5, 0.5, 0.5], "translation": [-0.5, 0, -0.5] }]"#;
    let defaults = [("RigidBodies", tank), ("FluidBlocks", block)];
    let defaults = defaults.iter().filter(|(key, _)| !tables.contains(key)).map(|(_, text)| *text);
    format!("{{ {} }}", defaults.chain((!tables.is_empty()).then_some(tables)).collect::<Vec<_>>().join(", "))
}

#[test]
fn numbers_are_those_of_the_file() {
    let (scene, _) = imported("CompressibleSPH_WCSPH");
    let Setup { discretization, parameters, blocks, containers, .. } = &scene.setup;
    assert_eq!((discretization.particle_spacing, discretization.support_radius), (0.05, 0.1));
    // B = 25 kPa and γ = 1: c = √(γ B/ρ₀).
    assert_eq!(parameters.fluid.sound_speed, 5.0);
    assert_eq!(parameters.solver.method, Method::Wcsph);
    assert_eq!(parameters.solver.wcsph.equation_of_state, StateEquation::Linear);
    assert_eq!((blocks[0].min, blocks[0].max), (Vec3::new(-1.0, 0.2, -0.4), Vec3::new(-0.2, 1.0, 0.4)));
    assert_eq!(blocks[1].velocity, Vec3::new(-5.0, 0.0, 0.0));
    assert_eq!((containers[0].min, containers[0].max), (Vec3::new(-1.55, -0.05, -1.55), Vec3::new(1.55, 3.05, 1.55)));
    assert_eq!(scene.view.eye, Some(Vec3::new(0.0, 2.0, 5.0)));
}

#[test]
fn fluids_and_emitters_are_by_id() {
    let (scene, imported) = imported("DoubleDamBreakMultiPhase");
    let densities: Vec<f32> = scene.setup.fluids.iter().map(|fluid| fluid.rest_density).collect();
    assert_eq!(densities, [1000.0, 500.0, 250.0]);
    let emitter = &scene.setup.openings.emitters[0];
    assert_eq!((emitter.fluid, emitter.center, emitter.direction), (2, Vec3::new(-0.2, 0.75, 0.0), Vec3::X));
    assert!(imported.text.contains("size = [0.4, 0.15]\nspeeds = [[2.0, 2.0], [2.001, 0.0]]"));
    // 14·15·14 and 14·35·14 particles, and 1000 of the emitter.
    assert_eq!(scene.setup.openings.particle_limit, Some(2940 + 6860 + 1000));
}

#[test]
fn a_plane_scene_has_two_dimensions() {
    let (scene, imported) = imported("AnimationFields_2D");
    assert_eq!(scene.setup.discretization.dimensions, Dimensions::Two);
    assert_eq!(scene.setup.particle_counts().fluid, 40 * 40);
    assert_eq!(scene.setup.parameters.forces.vorticity_transfer, 0.1);
    assert_eq!(scene.setup.parameters.forces.micro_inertia, 2.0);
    has(&imported.remarks, "AnimationFields[0]: forces cannot be limited to a region: velocity += (cos(2*t)*0.1, , )");
}

#[test]
fn dynamic_bodies_move_by_forces_and_motors_are_listed() {
    let (scene, imported) = imported("MotorScene");
    assert_eq!((scene.setup.containers.len(), scene.setup.bodies.len()), (1, 1));
    assert_eq!(scene.setup.bodies[0].density, 10_000.0);
    assert!(scene.setup.blocks[0].around_bodies);
    assert!(scene.setup.bodies[0].dynamics.is_some());
    assert!(!imported.remarks.iter().any(|remark| remark.contains("isDynamic")));
    has(&imported.remarks, "TargetVelocityMotorHingeJoints");
}

#[test]
fn solvers_are_known_by_number_and_name_and_have_their_own_parameters() {
    for (number, name, method) in [
        (0, "WCSPH", Method::Wcsph),
        (1, "PCISPH", Method::Pcisph),
        (2, "PBF", Method::Pbf),
        (3, "IISPH", Method::Iisph),
        (4, "DFSPH", Method::Dfsph),
    ] {
        for value in [number.to_string(), format!("\"{name}\"")] {
            let setup = setup_of(&format!(r#""Configuration": {{ "simulationMethod": {value} }}"#));
            assert_eq!(setup.parameters.solver.method, method);
        }
    }
    let configuration = r#""Configuration": { "maxError": 5, "maxIterations": 7,
        "DFSPH": { "maxError": 0.5, "maxErrorV": 0.25, "unheard_of": 1 }, "PBF": { "maxIterations": 3 } }"#;
    let (setup, remarks) = imported_text(configuration);
    let dfsph = setup.parameters.solver.dfsph;
    assert_eq!((dfsph.tolerance, dfsph.max_iterations, dfsph.divergence_tolerance), (0.005, 7, 0.0025));
    has(&remarks, "Configuration.DFSPH: unknown: unheard_of");
    has(&remarks, "settings of methods that are not used: maxError");
    has(&remarks, "settings of methods that are not used: PBF");
    has(&imported_text(r#""Configuration": { "simulationMethod": 5 }"#).1, "projective fluids (5) has no equivalent");
}

#[test]
fn viscosity_is_that_of_its_method() {
    let parameters = |keys: &str| setup_of(&format!(r#""Materials": [{{ "id": "Fluid", {keys} }}]"#)).parameters;
    let material = |keys: &str| parameters(keys).fluid;
    let standard = material(r#""viscosityMethod": "Standard", "viscosity": 0.5"#);
    assert_eq!((standard.viscosity_model, standard.kinematic_viscosity), (ViscosityModel::Central, 0.5));
    let implicit = parameters(r#""viscosityMethod": 7, "viscosity": 2, "viscoMaxError": 0.05"#);
    assert_eq!((implicit.fluid.viscosity_model, implicit.fluid.kinematic_viscosity), (ViscosityModel::Implicit, 2.0));
    assert_eq!(implicit.forces.viscosity_tolerance, 0.05);
    let own = parameters(r#""viscosityMethod": 6, "Weiler et al. 2018": { "viscosity": 3, "viscoMaxIter": 9 }"#);
    assert_eq!((own.fluid.viscosity_model, own.fluid.kinematic_viscosity), (ViscosityModel::Implicit, 3.0));
    assert_eq!(own.forces.max_viscosity_iterations, 9);
    assert_eq!(material(r#""viscosityMethod": 0, "viscosity": 3"#).kinematic_viscosity, 0.0);
    let other = r#""Materials": [{ "viscosityMethod": 4, "viscosity": 0.9, "surfaceTensionMethod": 2, "surfaceTension": 1 }]"#;
    let (setup, remarks) = imported_text(other);
    assert_eq!(setup.parameters.fluid.kinematic_viscosity, 0.0);
    has(&remarks, "viscosityMethod 4: has no equivalent");
    has(&remarks, "surfaceTensionMethod 2: no equivalent");
    // Where older files have it.
    assert_eq!(setup_of(r#""Fluid": { "density0": 900 }"#).discretization.rest_density, 900.0);
    assert_eq!(setup_of(r#""Configuration": { "density0": 800 }"#).discretization.rest_density, 800.0);
}

#[test]
fn steps_are_fixed_or_within_the_same_limit() {
    let step = |keys: &str| setup_of(&format!(r#""Configuration": {{ {keys} }}"#)).parameters.time_step;
    assert_eq!(step(r#""cflMethod": 0, "timeStepSize": 0.002"#).fixed_dt, Some(0.002));
    let adaptive = step(r#""cflFactor": 1, "cflMinTimeStepSize": 1e-5, "cflMaxTimeStepSize": 0.01"#);
    // 0.4·d/v there is 0.8·½·d/v here.
    assert_eq!((adaptive.cfl_factor, adaptive.min_dt, adaptive.max_dt), (0.8, 1e-5, 0.01));
}

#[test]
fn walls_are_integrals_only_where_they_can_be() {
    let walls = |tables: &str| setup_of(tables).wall_sampling;
    assert_eq!(walls(""), WallSampling::Analytic);
    assert_eq!(walls(r#""Configuration": { "boundaryHandlingMethod": 0 }"#), WallSampling::SingleLayer);
    let turned = r#""RigidBodies": [{ "geometryFile": "unitbox.OBJ", "translation": [0, 0.5, 0], "scale": [2, 2, 2],
        "rotationAxis": [0, 2, 0], "rotationAngle": 0.7853981634, "mapInvert": true }]"#;
    assert_eq!(walls(turned), WallSampling::Layers);
}

#[test]
fn blocks_end_at_walls_and_whole_particles() {
    let (setup, remarks) = imported_text(r#""FluidBlocks": [{ "start": [-0.6, 0, -0.5], "end": [0.1, 0.33, 0.5] }]"#);
    assert_eq!((setup.blocks[0].min, setup.blocks[0].max), (Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.1, 0.3, 0.5)));
    has(&remarks, "FluidBlocks[0]: reaches into the walls");
    has(&remarks, "FluidBlocks[0]: is not a whole number of particles long");
}

#[test]
fn emitters_point_and_open_as_they_are_turned() {
    let emitter = |keys: &str| {
        let setup = setup_of(&format!(r#""Emitters": [{{ "translation": [0, 0.8, 0], {keys} }}]"#));
        setup.openings.emitters[0].clone()
    };
    let down = emitter(r#""type": 1, "width": 6, "rotationAxis": [0, 0, 2], "rotationAngle": -1.5707963"#);
    assert_eq!((down.direction, down.aperture), (Vec3::NEG_Y, Aperture::Round { radius: 0.15 }));
    // Turned about the flow by a quarter, the width is vertical.
    let rolled = emitter(r#""width": 8, "height": 3, "rotationAxis": [1, 0, 0], "rotationAngle": 1.5707963"#);
    assert_eq!((rolled.direction, rolled.aperture), (Vec3::X, Aperture::Rectangle { size: Vec2::new(0.15, 0.4) }));
    let older = emitter(r#""direction": [-2, 0, 0], "velocity": [-3, 0, 0], "emitsPerSecond": 40"#);
    assert_eq!((older.direction, older.rate), (Vec3::NEG_X, Rate::Speed(Schedule::constant(3.0).unwrap())));
}

#[test]
fn in_the_plane_all_turns_about_z() {
    let plane = r#""Configuration": { "sim2D": true }, "Emitters": [{ "translation": [-0.3, 0.7, 0], "rotationAxis": [0, 1, 0],
        "rotationAngle": 3.1415926536, "width": 8, "height": 5, "velocity": 2, "emitStartTime": 2, "emitEndTime": 6 }]"#;
    let emitter = &setup_of(plane).openings.emitters[0];
    assert_eq!((emitter.direction, &emitter.aperture), (Vec3::NEG_X, &Aperture::Rectangle { size: Vec2::splat(0.25) }));
    let Rate::Speed(speeds) = &emitter.rate else { panic!("a speed") };
    assert_eq!([1.9, 2.1, 5.9, 6.1].map(|time| speeds.at(time)), [0.0, 2.0, 2.0, 0.0]);

    let body = |axis: &str| {
        let walls = r#"{ "geometryFile": "UnitBox.obj", "translation": [0, 0.5, 0], "mapInvert": true }"#;
        let body = format!(
            r#"{{ "geometryFile": "UnitBox.obj", "translation": [0.25, 0.75, 0], "scale": [0.2, 0.1, 1],
            "rotationAxis": {axis}, "rotationAngle": 0.5 }}"#
        );
        imported_text(&format!(r#""Configuration": {{ "sim2D": true }}, "RigidBodies": [{walls}, {body}]"#))
    };
    let turned = |axis: &str| format!("{:?}", body(axis).0.bodies[0]);
    assert_ne!(turned("[0, 0, 1]"), turned("[0, 0, -1]"));
    has(&body("[1, 0, 0]").1, "RigidBodies[1]: rotationAxis: in 2D, rotations are about z; not rotated");
}

const TEXTS: [&str; 3] = [
    include_str!("../splishsplash/CompressibleSPH_WCSPH.json"),
    include_str!("../splishsplash/DoubleDamBreakMultiPhase.json"),
    include_str!("../splishsplash/AnimationFields_2D.json"),
];

/// The error of importing `text`, on one line, after the file's name.
fn summary(text: &str) -> String {
    let (folder, file) = file_of(text);
    let error = sph_io::import(&file, None).expect_err("a bad scene");
    error.summary().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_scene_of_this_program_is_no_import() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tank.toml");
    std::fs::write(&file, "format = 1\n").expect("a file");
    let error = sph_io::import(&file, None).expect_err("not JSON");
    assert!(error.report(false).contains("needs no import"), "{}", error.report(false));
}

#[test]
fn errors_have_their_place() {
    let cases = [
        ("{\n  \"Configuration\": {\n    \"sim2D\": yes\n  }\n}", "scene.json:3:14: not valid JSON: expected value"),
        (
            "{}",
            "scene.json:1:1: this scene has nothing to simulate: it has no fluid: expected `FluidBlocks`, `FluidModels` or `Emitters`",
        ),
        ("[]", "scene.json:1:1: `the file` must be an object: expected an object: `{ … }`"),
        (
            "{ \"FluidBlocks\": [\n{ \"start\": [0, 0], \"end\": [1, \"a\", 1] }] }",
            "scene.json:2:27: `FluidBlocks[0].end` must be a vector: expected three numbers from -1e30 to 1e30",
        ),
        (
            "{ \"Configuration\": { \"particleRadius\": -1 }, \"Emitters\": [{}] }",
            "scene.json:1:40: `particleRadius` must be above 0: expected a length above 0 (m)",
        ),
        (
            "{ \"Emitters\": [{}],\n \"RigidBodies\": [{ \"geometryFile\": \"models\\\\dragon.obj\" }] }",
            "scene.json:2:36: there is no mesh models/dragon.obj: expected a mesh file",
        ),
    ];
    for (text, expected) in cases {
        assert!(summary(text).starts_with(expected), "{text}\n{}", summary(text));
    }
}

#[test]
fn a_file_has_at_most_a_mebibyte() {
    assert!(summary(&" ".repeat((1 << 20) + 1)).contains("is larger than 1 MiB"));
}

#[test]
fn meshes_are_named_from_the_folder_of_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["in/scenes", "in/models", "out"] {
        std::fs::create_dir_all(at(name)).unwrap();
    }
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/meshes/torus.obj");
    std::fs::copy(mesh, at("in/models/torus.obj")).unwrap();
    let body = r#"{ "geometryFile": "../models/torus.obj", "scale": [0.2, 0.2, 0.2], "density": 700 }"#;
    let block = r#"{ "start": [1, 0, 0], "end": [1.5, 0.5, 0.5] }"#;
    let file = at("in/scenes/scene.json");
    std::fs::write(&file, format!("{{ \"RigidBodies\": [{body}], \"FluidBlocks\": [{block}] }}")).unwrap();
    let direct = sph_io::load(&file, &[]).unwrap_or_else(|error| panic!("{error}")).setup;
    assert_eq!(direct.bodies[0].density, 700.0);
    for (folder, named) in [("in/scenes", "../models/torus.obj"), ("out", "../in/models/torus.obj")] {
        let imported = sph_io::import(&file, Some(&at(folder))).unwrap();
        assert!(imported.text.contains(&format!("file = \"{named}\"")), "{}", imported.text);
        let scene = at(folder).join("scene.toml");
        std::fs::write(&scene, &imported.text).unwrap();
        assert_eq!(sph_io::load(&scene, &[]).unwrap().setup, direct);
    }
}

/// A pool from a particle file that Partio has compressed, beside an emitter of the same fluid.
#[test]
fn particle_files_are_fluid() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["in/scenes", "in/models", "out"] {
        std::fs::create_dir_all(at(name)).unwrap();
    }
    let particles = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzzing/particles/compressed.bgeo");
    std::fs::copy(particles, at("in/models/pool.bgeo")).unwrap();
    let model = r#"{ "particleFile": "../models/pool.bgeo", "translation": [0, 0.5, 0], "rotationAxis": [0, 1, 0],
        "rotationAngle": 3.14159265359, "scale": 1, "id": "honey" }"#;
    let text = |model: &str| {
        let tank = r#"{ "geometryFile": "UnitBox.obj", "scale": [2, 2, 2], "translation": [0, 1, 0], "isWall": true }"#;
        let honey = r#"{ "id": "honey", "density0": 1400, "maxEmitterParticles": 100 }"#;
        let emitter = r#"{ "id": "honey", "translation": [0, 1.5, 0], "width": 2, "height": 2 }"#;
        format!(
            r#"{{ "Configuration": {{ "particleRadius": 0.05 }}, "RigidBodies": [{tank}], "FluidModels": [{model}],
            "Materials": [{honey}], "Emitters": [{emitter}] }}"#
        )
    };
    let file = at("in/scenes/scene.json");
    std::fs::write(&file, text(model)).unwrap();
    let direct = sph_io::load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
    let setup = &direct.setup;
    assert_eq!((setup.particle_counts().fluid, setup.containers.len(), setup.bodies.len()), (12, 1, 0));
    assert_eq!((setup.discretization.rest_density, setup.openings.particle_limit), (1400.0, Some(112)));
    // The corner of the file at (0.3, 0.2, 0), turned by half a turn about y.
    let corner = setup.particle_sets[0].positions()[11];
    assert!(corner.abs_diff_eq(Vec3::new(-0.3, 0.7, 0.0), 1e-6), "{corner}");
    let imported = sph_io::import(&file, Some(&at("out"))).unwrap();
    assert!(imported.text.contains("file = \"../in/models/pool.bgeo\""), "{}", imported.text);
    std::fs::write(at("out/scene.toml"), &imported.text).unwrap();
    assert_eq!(sph_io::load(&at("out/scene.toml"), &[]).unwrap().setup, *setup);

    std::fs::write(&file, text(&model.replace("pool", "none"))).unwrap();
    assert!(sph_io::import(&file, None).unwrap_err().summary().contains("there is no particle file"));
    std::fs::write(at("in/models/pool.bgeo"), "no particles").unwrap();
    std::fs::write(&file, text(model)).unwrap();
    let error = sph_io::import(&file, None).unwrap_err().summary();
    assert!(error.contains("is not a BGEO file"), "{error}");
}

/// A mesh that is a wall there, and open, has no inside for the fluid.
#[test]
fn open_meshes_are_shells_also_as_walls() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.json");
    std::fs::write(folder.path().join("sheet.obj"), "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nf 1 2 3 4\n").unwrap();
    let sheet = r#"{ "geometryFile": "sheet.obj", "isWall": true, "mapInvert": true }"#;
    let block = r#"{ "start": [0.5, 0.5, 0.5], "end": [1, 1, 1] }"#;
    std::fs::write(&file, format!("{{ \"RigidBodies\": [{sheet}], \"FluidBlocks\": [{block}] }}")).unwrap();
    let scene = sph_io::load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scene.setup.containers.len(), scene.setup.bodies.len()), (0, 1));
    has(&scene.remarks, "RigidBodies[0]: the mesh is not closed and has no inside");
    has(&scene.remarks, "sheet.obj: the mesh is open: 4 edges have a triangle on one side only; it becomes a shell");
}

#[test]
fn steps_and_stiffness_beyond_their_limits_are_remarked_on() {
    let remarks = |configuration: &str| {
        let setup = setup_of(&format!(r#""Configuration": {{ {configuration} }}"#));
        setup.review().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let wcsph = r#""simulationMethod": 0, "stiffness": 50000, "exponent": 7"#;
    // √(7 · 50 kPa/ρ₀) is 18.7 m/s, for which steps of 2 ms are too long.
    has(
        &remarks(&format!(r#"{wcsph}, "cflMethod": 0, "timeStepSize": 0.002"#)),
        "the fixed time step of 0.002 s is longer than the ",
    );
    assert_eq!(remarks(&format!(r#"{wcsph}, "cflMethod": 1"#)), Vec::<String>::new());
    has(&remarks(r#""simulationMethod": 0, "stiffness": 1000, "exponent": 7"#), "the fluid is going to reach about ");
}

#[test]
fn what_is_imported_is_not_saved_to() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("scene.json"), folder.path().join("copy.toml"));
    std::fs::write(&file, TEXTS[0]).unwrap();
    let scene = sph_io::load(&file, &[]).unwrap();
    let mut parameters = scene.setup.parameters;
    parameters.fluid.kinematic_viscosity = 0.5;
    let error = sph_io::save_parameters(&file, &parameters, &[], &scene).unwrap_err();
    assert!(error.to_string().contains("scene of another program"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), TEXTS[0]);
    sph_io::save_parameters(&copy, &parameters, &[], &scene).unwrap();
    assert_eq!(sph_io::load(&copy, &[]).unwrap().setup.parameters, parameters);
}

/// Values that are of the wrong kind or out of range at most places.
const ODD: &[&str] = &[
    "null",
    "true",
    "-1",
    "0",
    "1e300",
    "-1e-300",
    "1e38",
    "3.5",
    "\"\"",
    "\"\\u0000\\n\\\"'\"",
    "[]",
    "[1]",
    "[0, 0, 0]",
    "[[[]]]",
    "{}",
    "{",
    "]",
    "\"",
    ",",
    "\u{feff}",
    "ρ",
    "NaN",
];

/// A scene with some of its values or characters replaced.
fn mutated() -> impl Strategy<Value = String> {
    let odd = prop_oneof![proptest::sample::select(ODD).prop_map(str::to_owned), any::<String>()];
    let change = (any::<prop::sample::Index>(), any::<bool>(), 0..8usize, odd);
    (proptest::sample::select(&TEXTS[..]), prop::collection::vec(change, 1..5)).prop_map(|(scene, changes)| {
        let mut letters: Vec<char> = scene.chars().collect();
        for (place, whole, length, text) in changes {
            // A whole value, or any characters.
            let values: Vec<usize> = (0..letters.len()).filter(|&at| letters[at] == ':').collect();
            let (start, end) = if whole && !values.is_empty() {
                let start = values[place.index(values.len())] + 1;
                let end = (start..letters.len()).find(|&at| ",}\n".contains(letters[at])).unwrap_or(letters.len());
                (start, end)
            } else {
                let start = place.index(letters.len() + 1);
                (start, (start + length).min(letters.len()))
            };
            letters.splice(start..end, text.chars());
        }
        letters.into_iter().collect()
    })
}

/// The file of a text, in a folder of its own.
fn file_of(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.json");
    std::fs::write(&file, text).unwrap();
    (folder, file)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// An import ends in TOML or in an error on one line.
    #[test]
    fn no_text_causes_a_panic(text in mutated()) {
        let (_folder, file) = file_of(&text);
        match sph_io::import(&file, None) {
            Ok(imported) => prop_assert!(imported.text.parse::<toml::Table>().is_ok(), "{}", imported.text),
            Err(error) => prop_assert!(!error.summary().contains('\n')),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// An import gives a scene, or an error that can be shown.
    #[test]
    fn no_import_causes_a_panic(text in mutated()) {
        let (_folder, file) = file_of(&text);
        match sph_io::load(&file, &[]) {
            Ok(scene) => prop_assert!(scene.setup.validate().is_ok()),
            Err(error) => prop_assert!(error.report(false).starts_with("error: ")),
        }
    }
}
