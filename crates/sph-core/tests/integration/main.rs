//! Tests of the fluid as those who use the library see it, in one program.

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod determinism;
mod dropped_bodies;
mod engine;
mod fluids;
mod hands;
mod initial_pressure;
mod moved_bodies;
mod neighbors;
mod periodic;
mod point_sets;
mod population;
mod probes;
mod reactions;
mod rotation;
mod setup;
mod solvers;
mod tracers;
mod tuning;
mod walls;
