//! Tests of the fluid as those who use the library see it, in one program.

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod cancel;
mod conservation;
mod curves;
mod determinism;
mod dropped_bodies;
mod ellipsoids;
mod engine;
mod fluids;
mod hands;
mod impacts;
mod initial_pressure;
mod moved_bodies;
mod moving_walls;
mod neighbors;
mod openings;
mod periodic;
mod population;
mod probes;
mod reactions;
mod reactions_3d;
mod rigid_bodies;
mod rotation;
mod search_statistics;
mod setup;
mod signed_pressure;
mod solvers;
mod splash;
mod timeline;
mod traces;
mod tuning;
mod wall_models;
