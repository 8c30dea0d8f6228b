//! Incremental updates against rebuilding over the share of moving particles, as SVG.

use super::movers::Movers;
use crate::headless::charts::chart::{COLORS, Chart, Line, legend};
use crate::headless::charts::svg::frame;

/// Sizes in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 340.0;

/// Whole lines: incremental; dashed: rebuilt.
pub fn svg(title: &str, movers: &Movers) -> String {
    // Registered everywhere, updates cost so much more that the others would lie on the floor.
    let shown = movers.comparisons.iter().filter(|comparison| !comparison.name.ends_with("everywhere"));
    let mut lines = Vec::new();
    for (comparison, color) in shown.zip(COLORS) {
        for dashed in [false, true] {
            let cost = |row: &super::movers::Row| if dashed { row.rebuilt } else { row.incremental };
            // No movers at all have no place on a logarithmic axis.
            let points = comparison.rows.iter().filter(|row| row.share > 0.0).map(|row| [100.0 * row.share, cost(row)]);
            let kind = if dashed { "rebuilt" } else { "incremental" };
            lines.push(Line { name: format!("{} {kind}", comparison.name), color, dashed, points: points.collect() });
        }
    }
    let top = 1.05 * lines.iter().flat_map(|line| &line.points).map(|point| point[1]).fold(1e-6, f64::max);
    let ticks = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0].map(|percent| (percent, format!("{percent} %")));
    let left_out = movers.comparisons.iter().any(|comparison| comparison.name.ends_with("everywhere"));
    let heading = match left_out {
        true => "update, ms (medians); left out, as they cost far more: buckets registered everywhere",
        false => "update, ms (medians)",
    };
    let (names, baseline) = legend(&lines, 16.0, 48.0, WIDTH - 32.0);
    let y = baseline + 18.0;
    let chart = Chart {
        heading,
        x_label: "particles that move into another cell before each update",
        ticks: &ticks,
        top,
        lines: &lines,
    };
    frame(WIDTH, y + HEIGHT, title) + &names + &chart.svg([8.0, y, WIDTH - 16.0, HEIGHT], "movers") + "</svg>\n"
}
