//! Every shipped scene runs: no particle leaves its tank or is lost, every value stays finite.

use sph_core::{Dimensions, Simulation};
use std::path::{Path, PathBuf};

fn scenes() -> Vec<PathBuf> {
    let scenes = sph_io::list_scenes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes"));
    assert!(scenes.len() >= 5, "{scenes:?}");
    scenes
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
            check(&simulation, path);
        }
    }
    if scene.setup.openings.is_empty() {
        let mut ids = simulation.particles().ids.clone();
        ids.sort_unstable();
        assert!(ids.into_iter().eq(0..particles as u32), "{}: particles were lost", path.display());
    }
    simulation
}

fn check(simulation: &Simulation, path: &Path) {
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
        let steps = if path.ends_with("dam_break.toml") { 1 } else { 200 };
        run(&path, steps);
    }
}

#[test]
fn two_thousand_steps_of_the_dam_break() {
    let path = scenes().into_iter().find(|path| path.ends_with("dam_break.toml")).expect("the dam break");
    let simulation = run(&path, 2000);
    let front = simulation.particles().positions.iter().map(|position| position.x).fold(0.0, f32::max);
    assert!(front > 1.7, "after {} s the water has only come to {front} m", simulation.time());
}
