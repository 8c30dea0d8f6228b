//! Tests of the program and its parts, in one program; those that open the real window have another.

mod command_line;
mod documented_commands;
mod rendering;
mod shaders;
#[path = "../../../sph-core/tests/common/tracers.rs"]
mod tracers;
mod ui;
