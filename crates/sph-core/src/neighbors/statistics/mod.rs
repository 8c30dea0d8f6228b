//! Statistics of a search: contents of the structure, cost of the queries, correctness of the lists.

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
pub use trace::{Lookup, Trace, Verdict, VisitedPoint};

pub(super) use census::{Census, FilledCells};
pub(super) use trace::{Entry, TracedQuery, compared};
