//! Tests of all that touches files, in one program.

mod bad;
mod bad_bodies;
mod bad_imports;
mod bad_motions;
mod bad_scenes;
mod bad_tables;
mod checkpoints;
mod curves;
mod every_solver;
mod export_readers;
mod fuzzing;
mod imports;
mod includes;
mod no_panic;
mod overrides;
mod probes;
mod recordings;
mod reference;
mod saving;
mod scenes_run;
mod several_fluids;
mod shapes;
mod shipped_scenes;
