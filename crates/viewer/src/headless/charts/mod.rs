//! Charts as SVG: the parts that several commands draw with.

pub mod chart;
pub mod svg;
