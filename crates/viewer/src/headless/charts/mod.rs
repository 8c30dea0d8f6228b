//! Charts as SVG: what those of several commands share.

pub mod chart;
pub mod svg;
