//! Output files of the commands: opened before the run, completed after it, errors with their paths. The formats are defined in
//! `sph_io`.

mod checkpoints;
mod claims;
mod exports;
pub mod full_disk;
mod plot_file;
mod probes_file;
mod stats_file;

pub use checkpoints::{Checkpoints, OutputPosition};
pub use claims::{Claims, check_writable};
pub use exports::{ExportArgs, ExportTarget, Exports, replace_later};
pub use plot_file::PlotFile;
pub use probes_file::ProbesFile;
pub use stats_file::StatsFile;
