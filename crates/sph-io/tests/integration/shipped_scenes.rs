//! Every shipped scene loads, has the text that scenes need, and is in the gallery; it runs, and no particle leaves its tank or is lost;
//! it runs with every pressure solver, made coarser so that it takes seconds.

use sph_core::{Dimensions, Method, Simulation};
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn scenes() -> Vec<PathBuf> {
    let scenes = sph_io::list_scenes(&repository().join("scenes"));
    assert!(scenes.len() >= 5, "{scenes:?}");
    scenes
}

#[test]
fn every_scene_loads_and_has_something_to_move() {
    for path in scenes() {
        let scene = sph_io::load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        let counts = scene.setup.particle_counts();
        let moving = counts.fluid + counts.points;
        // Sixteen balls are enough for a game.
        let least = if counts.fluid > 0 { 1000 } else { 16 };
        assert!((least..50_000).contains(&moving), "{}: {counts:?}", scene.name);
        assert_eq!(scene.name, path.file_stem().unwrap().to_str().unwrap());
        assert_eq!(scene.path.as_deref(), Some(path.as_path()));
        assert!(!scene.description.is_empty() && scene.title != scene.name, "{} has no title or description", scene.name);
    }
}

/// Scenes that are too large to run in a test.
#[test]
fn the_scenes_of_benchmarks_load() {
    let scenes = sph_io::list_scenes(&repository().join("scenes/bench"));
    let load = |path: &PathBuf| sph_io::load(path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let largest = scenes.iter().map(|path| load(path).setup.particle_counts().fluid).max();
    assert_eq!(largest, Some(1_000_000), "{scenes:?}");
}

#[test]
fn the_gallery_shows_every_scene_and_its_command() {
    let docs = repository().join("docs");
    let gallery = std::fs::read_to_string(docs.join("gallery.md")).unwrap();
    for path in scenes() {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let scene = sph_io::load(&path, &[]).unwrap();
        let text = format!("### {}\n{}\n", scene.title, scene.description);
        let command = format!("sph render scenes/{name}.toml ");
        for part in [text, command, picture(name)] {
            assert!(gallery.contains(&part), "docs/gallery.md does not have {part:?}");
        }
        assert!(docs.join(picture(name)).is_file(), "there is no docs/{}", picture(name));
    }
}

fn picture(name: &str) -> String {
    format!("pictures/gallery/{name}.png")
}

#[test]
fn every_scene_can_be_made_coarser_by_one_value() {
    for path in scenes() {
        let spacing = sph_io::load(&path, &[]).unwrap().setup.discretization.particle_spacing;
        let coarser = format!("particles.spacing={}", 2.0 * spacing).parse().unwrap();
        sph_io::load(&path, &[coarser]).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_scene_names_its_schema_and_teaches() {
    for path in scenes() {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("#:schema ./scene.schema.json\n"), "{}", path.display());
        assert!(text.lines().filter(|line| line.starts_with('#')).count() >= 3, "{}", path.display());
    }
}

#[test]
fn the_scenes_are_what_their_comments_say() {
    let scene = |name: &str| {
        let path = scenes().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap();
        sph_io::load(&path, &[]).unwrap()
    };
    let in_the_plane = scene("dam_break_2d").setup;
    assert_eq!(in_the_plane.particle_counts().fluid, 3200);
    let sound_speed = in_the_plane.parameters.fluid.sound_speed;
    assert!((sound_speed - 10.0 * (2.0 * 9.81 * 0.5f32).sqrt()).abs() < 1e-3, "{sound_speed}");
    assert_eq!(scene("double_dam_break").setup.particle_counts().fluid, 20_000);
    assert_eq!(scene("falling_block_2d").setup.particle_counts().fluid, 2400);
    assert_eq!(scene("oil_on_water_2d").setup.particle_counts().fluid, 2320);
    let unstable = scene("rayleigh_taylor_2d").setup;
    assert_eq!(unstable.particle_counts().fluid, 5000);
    // Re = √(gL³)/ν.
    assert!((1.0 / unstable.parameters.fluid.kinematic_viscosity / 420.0 - 1.0).abs() < 1e-3);
}

/// Runs a scene for `steps` steps, checking all particles every 20.
fn run(path: &Path, steps: u64) -> Simulation {
    let scene = sph_io::load(path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = Simulation::new(&scene.setup).expect("a valid scene");
    let particles = simulation.particles().len();
    for step in 1..=steps {
        let stats = simulation.step();
        assert_eq!(stats.error, None, "{}", path.display());
        assert!(stats.density_error < 0.02, "{}: density error {} in step {step}", path.display(), stats.density_error);
        if step % 20 == 0 || step == steps {
            check_particles(&simulation, path);
        }
    }
    if scene.setup.openings.is_empty() {
        let mut ids = simulation.particles().ids.clone();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..particles as u32), "{}: particles were lost", path.display());
    }
    simulation
}

fn check_particles(simulation: &Simulation, path: &Path) {
    let planar = simulation.discretization().dimensions == Dimensions::Two;
    let particles = simulation.particles();
    for (position, velocity) in particles.positions.iter().zip(&particles.velocities) {
        assert!(position.is_finite() && velocity.is_finite(), "{}", path.display());
        let tanks = simulation.containers();
        // Where nothing is held, in a domain that repeats, there is nothing to leave.
        let inside = tanks.is_empty()
            || tanks.iter().any(|tank| {
                // In a tank that moves, relative to the tank.
                let position = tank.motion.pose(simulation.time()).start(position.as_dvec3()).as_vec3();
                let (low, high) = (position.cmpge(tank.min), position.cmple(tank.max));
                // No scene lets fluid leave through an open face.
                low.x && low.y && high.x && high.y && (planar || low.z && high.z)
            });
        assert!(inside, "{}: a particle at {position} at {} s", path.display(), simulation.time());
    }
}

#[test]
fn every_scene_runs() {
    for path in scenes() {
        run(&path, 25);
    }
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn two_hundred_steps_of_every_scene() {
    for path in scenes() {
        run(&path, 200);
    }
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn two_thousand_steps_of_the_dam_break() {
    let path = scenes().into_iter().find(|path| path.ends_with("dam_break.toml")).expect("the dam break");
    let simulation = run(&path, 2000);
    let front = simulation.particles().positions.iter().map(|position| position.x).fold(0.0, f32::max);
    assert!(front > 1.7, "after {} s the water has only come to {front} m", simulation.time());
}

/// Maximum number of steps in which the iterations end before they are within tolerance: the first ones, in which DFSPH starts from zero
/// pressure with the longest step.
const HARD_STEPS: u32 = 10;

/// Makes steps of a scene with a pressure solver, made coarser so that it takes seconds.
fn solve(path: &Path, method: Method, steps: u32) {
    let mut setup = sph_io::load(path, &[]).unwrap().setup;
    // Boxes of five particles would have two; sph-core/tests/integration/bodies.rs has bodies that move by forces with every solver.
    if setup.bodies.iter().any(|body| body.dynamics.is_some()) {
        return;
    }
    let discretization = setup.discretization;
    let coarser = if discretization.dimensions.count() == 2 { 2.0 } else { 3.0 } * discretization.particle_spacing;
    setup = sph_io::load(path, &[format!("particles.spacing={coarser}").parse().unwrap()]).unwrap().setup;
    setup.parameters.solver.method = method;
    let mut simulation = Simulation::new(&setup).unwrap();
    let mut beyond = 0;
    for _ in 0..steps {
        let stats = simulation.step();
        assert_eq!(stats.error, None, "{} with {method:?} at t = {} s", path.display(), stats.time);
        beyond += match setup.parameters.solver.iterations() {
            Some(iterations) => u32::from(stats.density_solve.error > iterations.tolerance),
            // WCSPH has no iterations; its compression stays within 1 %.
            None => u32::from(stats.density_error > 0.01),
        };
    }
    assert!(beyond <= HARD_STEPS, "{} with {method:?}: beyond tolerance in {beyond} steps of {steps}", path.display());
}

/// Each scene with one solver, each solver with several scenes.
#[test]
fn every_solver_solves_scenes() {
    for (path, method) in scenes().iter().zip(Method::ALL.into_iter().cycle()) {
        solve(path, method, 120);
    }
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn five_hundred_steps_of_every_scene_with_every_solver() {
    for path in scenes() {
        for method in Method::ALL {
            solve(&path, method, 500);
        }
    }
}
