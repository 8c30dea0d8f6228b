//! Tests of the program `sph` as a process: its exit status, its messages and its files.

mod bad_input;
mod bench;
mod commands;
mod endings;
mod films;
#[cfg(target_os = "linux")]
mod full_disk;
mod importing;
mod outputs;
mod pictures;
mod replaying;
mod resuming;
mod support;
mod surfaces;
mod tuning;
