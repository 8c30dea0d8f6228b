//! Statistics of a run: one JSON object per step, one line each.

mod file;
mod line;
mod probes_file;

pub use file::StatsFile;
pub use line::stats_line;
pub use probes_file::ProbesFile;
