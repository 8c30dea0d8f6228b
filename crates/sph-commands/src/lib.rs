//! The commands that draw no pictures, a file or a folder each: `run` simulates, `bench` and `tune` measure, `check` only reads,
//! `surface` makes meshes of exports, `new` and `import` write scenes. They share `simulate` (the run), `output` (its files) and `charts`
//! (plots). `cli` joins them to a command line, `engine` knows which engines there are, `scenes` which scene is opened.
//!
//! Nothing here knows a window or a GPU, so a cluster or a container can have them alone.
//!
//! All messages go to standard error; standard output carries only the requested data.

mod progress;
mod searched;

pub mod arguments;
pub mod bench;
pub mod charts;
pub mod check;
pub mod cli;
pub mod console;
pub mod engine;
pub mod import;
pub mod new;
pub mod output;
pub mod run;
pub mod scenes;
pub mod simulate;
pub mod surface;
pub mod tune;

pub use console::Failure;
