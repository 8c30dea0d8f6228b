//! Statistics of a search: what a structure holds, what its queries cost, whether its lists are right.

pub(super) mod audit;
pub(super) mod census;
pub(super) mod contents;
pub(super) mod scatter;
pub(super) mod stats;
pub(super) mod trace;
