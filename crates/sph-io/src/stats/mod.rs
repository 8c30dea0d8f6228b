//! Statistics of a run: one JSON object per step, one line each.

mod file;
mod line;

pub use file::StatsFile;
pub use line::stats_line;
