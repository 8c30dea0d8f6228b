//! Tests of all that touches files, in one program.

mod bad_scenes;
mod bad_tables;
mod balls;
mod checkpoints;
mod cloths;
mod export_readers;
mod fuzzing;
mod imports;
mod keys;
mod loading;
mod particle_files;
mod recordings;
mod reference;
mod results;
mod saving;
mod several_fluids;
mod shipped_scenes;
#[path = "../../../sph-core/tests/common/tracers.rs"]
mod tracers;
