//! Charts as SVG, drawn with `plotters`: pages, axes, and the line charts that several commands share.

pub mod axes;
pub mod chart;
mod cut;
#[cfg(test)]
pub mod drawn;
pub mod svg;
