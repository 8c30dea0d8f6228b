//! The line that every command prints before it simulates.

use super::simulator::Simulator;
use crate::headless::console;
use sph_io::Scene;

/// Prints the scene's title, its numbers of particles and the number of threads.
pub fn announce(scene: &Scene, simulator: &Simulator) {
    scene.remarks.iter().for_each(|remark| console::say(&format!("  remark: {remark}")));
    let view = simulator.engine().view();
    let (fluid, walls) = (view.particles.len(), view.walls.len());
    let threads = match simulator.threads() {
        1 => "1 thread".to_owned(),
        count => format!("{count} threads"),
    };
    console::say(&format!("{}: {fluid} fluid and {walls} boundary particles, {threads}", scene.title));
}
