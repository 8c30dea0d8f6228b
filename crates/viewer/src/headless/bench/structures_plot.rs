//! A bar chart of what the structures cost, as SVG.

use super::structures::Row;
use crate::headless::charts::svg::escape;
use std::fmt::Write;

/// Sizes in pixels.
const WIDTH: f64 = 860.0;
const NAMES: f64 = 300.0;
const ROW: f64 = 24.0;
const TOP: f64 = 56.0;
const NUMBERS: f64 = 80.0;

/// Build and query of each structure stacked, the cheapest first, on one scale from zero.
pub fn svg(title: &str, rows: &[Row]) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| a.sum().total_cmp(&b.sum()));
    let most = sorted.last().map_or(1.0, |row| row.sum()).max(1e-6);
    let scale = (WIDTH - NAMES - NUMBERS) / most;
    let height = TOP + ROW * sorted.len() as f64 + 16.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"bold\" fill=\"#1b2433\">{}</text>\n\
         <rect x=\"16\" y=\"36\" width=\"10\" height=\"10\" fill=\"#2a6fdb\"/><text x=\"32\" y=\"46\" fill=\"#1b2433\">build</text>\n\
         <rect x=\"86\" y=\"36\" width=\"10\" height=\"10\" fill=\"#6fc3f2\"/><text x=\"102\" y=\"46\" fill=\"#1b2433\">query, ms a step (medians)</text>\n",
        escape(title)
    );
    for (number, row) in sorted.iter().enumerate() {
        let y = TOP + ROW * number as f64;
        let (build, query) = (scale * row.build, scale * row.query);
        let end = NAMES + build + query;
        let baseline = y + 0.5 * ROW + 4.0;
        let (bar, bar_height) = (y + 4.0, ROW - 8.0);
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\" fill=\"#1b2433\">{}</text>",
            NAMES - 10.0,
            escape(&row.name())
        );
        let _ =
            writeln!(text, "<rect x=\"{NAMES}\" y=\"{bar}\" width=\"{build:.2}\" height=\"{bar_height}\" fill=\"#2a6fdb\"/>");
        let query_start = NAMES + build;
        let _ = writeln!(
            text,
            "<rect x=\"{query_start:.2}\" y=\"{bar}\" width=\"{query:.2}\" height=\"{bar_height}\" fill=\"#6fc3f2\"/>"
        );
        let _ = writeln!(text, "<text x=\"{:.2}\" y=\"{baseline}\" fill=\"#1b2433\">{:.2}</text>", end + 8.0, row.sum());
    }
    text + "</svg>\n"
}
