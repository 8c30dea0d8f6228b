//! The line that every command says before it simulates.

use super::simulator::Simulator;
use crate::headless::console;
use sph_io::Scene;

/// Says what is about to be simulated.
pub fn announce(scene: &Scene, simulator: &Simulator) {
    let (fluid, walls) = (simulator.simulation().particles().len(), simulator.simulation().boundary().len());
    let threads = match simulator.threads() {
        1 => "1 thread".to_owned(),
        count => format!("{count} threads"),
    };
    console::say(&format!("{}: {fluid} fluid and {walls} boundary particles, {threads}", scene.title));
}
