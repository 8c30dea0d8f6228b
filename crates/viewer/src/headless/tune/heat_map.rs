//! A heat map of what one structure costs over table size and cell spacing, as SVG.

use crate::color;
use crate::headless::charts::svg::{escape, frame, ink_on, rgb};
use crate::headless::structure_names::full_name;
use sph_core::neighbors::Structure;
use sph_core::tuning::{Cost, Results, Verdict};
use std::fmt::Write;

/// Sizes in pixels.
const CELL: [f64; 2] = [68.0, 36.0];
const LEFT: f64 = 156.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 62.0;
const RIGHT: f64 = 20.0;

/// Build and query of each table size (across) and cell spacing (upwards) of `structure`, ms; the least is outlined.
pub fn svg(title: &str, results: &Results, structure: Structure) -> String {
    let (tables, sizes) = (results.plan.table_sizes_of(structure), results.plan.cell_sizes_of(structure));
    let (width, height) =
        ((LEFT + CELL[0] * tables.len() as f64 + RIGHT).max(520.0), TOP + CELL[1] * sizes.len() as f64 + BOTTOM);
    let heading = format!("{}, {}", full_name(structure), title);
    let mut text = frame(width, height, &heading);
    let best = results.best_of(structure).map(|(grid, _)| grid);
    let outlined = match (best, results.has_finals()) {
        (None, _) => "; nothing was measured",
        (Some(_), true) => "; outlined: the fastest, measured again",
        (Some(_), false) => "; outlined: the fastest",
    };
    let _ = writeln!(text, "<text x=\"16\" y=\"46\" fill=\"#47536b\">build and query, ms a step (medians){outlined}</text>");
    let places = tables.iter().flat_map(|&table| sizes.iter().map(move |&size| (table, size)));
    let costs = places.filter_map(|(table, size)| results.trial(structure, table, size)?.cost());
    let least = costs.map(Cost::total_ms).reduce(f64::min).unwrap_or(1.0);
    for (row, &size) in sizes.iter().rev().enumerate() {
        let y = TOP + CELL[1] * row as f64;
        let baseline = y + 0.5 * CELL[1] + 4.0;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{baseline:.1}\" text-anchor=\"end\" fill=\"#1b2433\">{size} m · {:.2} r</text>",
            LEFT - 10.0,
            size / results.support_radius
        );
        for (column, &table) in tables.iter().enumerate() {
            let x = LEFT + CELL[0] * column as f64;
            let trial = results.trial(structure, table, size);
            let (fill, label) = match trial.map(|trial| &trial.verdict) {
                Some(Verdict::Measured(cost)) => (color::cost(cost.total_ms() / least), format!("{:.2}", cost.total_ms())),
                Some(Verdict::TooSlow { predicted_ms }) => ([225, 228, 233], format!("≈ {predicted_ms:.0}")),
                Some(Verdict::Refused(_)) => ([225, 228, 233], "–".to_owned()),
                None => ([245, 246, 248], String::new()),
            };
            let (fill, ink) = (rgb(fill), ink_on(fill));
            let outlined = best.is_some_and(|grid| grid.cell_size == size && grid.table_size == table);
            let outline = if outlined { " stroke=\"#0b63ce\" stroke-width=\"3\"" } else { "" };
            let inset = if outlined { 2.0 } else { 0.5 };
            let _ = writeln!(
                text,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"{outline}/>\
                 <text x=\"{:.1}\" y=\"{baseline:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{label}</text>",
                x + inset,
                y + inset,
                CELL[0] - 2.0 * inset,
                CELL[1] - 2.0 * inset,
                x + 0.5 * CELL[0],
            );
        }
    }
    let floor = TOP + CELL[1] * sizes.len() as f64;
    if structure.has_table() {
        for (column, &table) in tables.iter().enumerate() {
            let x = LEFT + CELL[0] * (column as f64 + 0.5);
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#1b2433\">{table}</text>",
                floor + 18.0
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#47536b\">table size, buckets</text>",
            LEFT + 0.5 * CELL[0] * tables.len() as f64,
            floor + 40.0
        );
    }
    let _ = writeln!(text, "<text x=\"16\" y=\"{:.1}\" fill=\"#47536b\">{}</text>", floor + 40.0, escape("cell spacing"));
    text + "</svg>\n"
}
