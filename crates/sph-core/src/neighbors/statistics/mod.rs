//! Statistics of a search: what a structure holds, what its queries cost, whether its lists are right.

mod audit;
mod census;
mod contents;
mod occupancy;
mod scatter;
mod search_stats;
mod trace;

pub use audit::Audit;
pub use contents::{Contents, OccupiedCell};
pub use occupancy::{HISTOGRAM_BINS, Occupancy};
pub use search_stats::SearchStats;
pub use trace::{Lookup, Met, Trace, Verdict};

pub(super) use census::{Census, FilledCells};
pub(super) use trace::{Entry, Question, compared};
