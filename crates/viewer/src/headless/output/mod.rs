//! Files that commands write while they simulate or at their end, and the errors of writing them. Formats are `sph_io`'s.

mod exports;
mod plot_file;
mod probes_file;
mod stats_file;

pub use exports::{ExportTarget, Exports};
pub use plot_file::PlotFile;
pub use probes_file::ProbesFile;
pub use stats_file::StatsFile;
