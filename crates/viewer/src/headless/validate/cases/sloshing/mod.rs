//! Water that sloshes in tanks that move.

pub mod pitching_tank;
pub mod tipped_tank;
