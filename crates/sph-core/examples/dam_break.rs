//! Dam break in two dimensions: a column of water collapses in a tank, and the position of its front is printed.
//!
//! `cargo run --release -p sph-core --example dam_break -- dfsph`: the argument, a pressure solver, may be left out.

use glam::Vec3;
use sph_core::{Container, Dimensions, Discretization, FluidBlock, Method, Setup, Simulation};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let column = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 1.0, 0.0)); // m
    let tank = Container::new(Vec3::ZERO, Vec3::new(2.0, 2.0, 0.0));
    let mut setup = Setup::new(Discretization::new(Dimensions::Two, 0.02), vec![column], vec![tank]);
    if let Some(name) = std::env::args().nth(1) {
        setup.parameters.solver.method = name.parse::<Method>()?;
    }
    let mut simulation = Simulation::new(&setup)?;
    println!("{} particles, {}", simulation.particles().len(), setup.parameters.solver.method);
    for tenth in 1..=10 {
        while simulation.time() < 0.1 * f64::from(tenth) {
            if let Some(error) = simulation.step().error {
                return Err(error.into());
            }
        }
        let front = simulation.particles().positions.iter().map(|position| position.x).fold(0.0, f32::max);
        println!("front at {front:.3} m after {:.3} s", simulation.time());
    }
    Ok(())
}
