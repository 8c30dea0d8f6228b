//! What each structure costs against table size, and against cell spacing, as SVG.

use crate::headless::charts::chart::{COLORS, Chart, Line, legend};
use crate::headless::charts::svg::frame;
use crate::headless::structure_names::full_name;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Cost, Results};

/// Sizes in pixels.
const WIDTH: f64 = 920.0;
const CHART: [f64; 2] = [452.0, 320.0];

/// Costs beyond this many times the least are cut off.
const SPAN: f64 = 4.0;

/// Build and query of the best kind of each structure: at the left over table sizes, at its best spacing; at the right over spacings, with
/// its best table.
pub fn svg(title: &str, results: &Results) -> String {
    let best = best_kinds(results);
    let least = best.iter().map(|(_, cost)| cost.total_ms()).reduce(f64::min).unwrap_or(1.0);
    let lines = |points: &dyn Fn(&GridParameters) -> Vec<[f64; 2]>| -> Vec<Line> {
        let colored = best.iter().zip(COLORS.into_iter().cycle());
        let line = |((grid, _), color): (&(GridParameters, Cost), _)| Line {
            name: full_name(grid.structure),
            color,
            dashed: false,
            points: points(grid),
        };
        colored.map(line).collect()
    };
    let measured = |structure: Structure, table: u32, size: f32, x: f64| {
        let cost = results.trial(structure, table, size).and_then(|trial| trial.cost());
        cost.map(|cost| [x, cost.total_ms()])
    };
    let over_tables = lines(&|grid| {
        let table_of = |table| if grid.structure.has_table() { table } else { grid.table_size };
        let tables = results.plan.table_sizes.iter();
        tables.filter_map(|&table| measured(grid.structure, table_of(table), grid.cell_size, table.into())).collect()
    });
    let ratio = |size: f32| f64::from(size / results.support_radius);
    let over_sizes = lines(&|grid| {
        let sizes = results.plan.cell_sizes_of(grid.structure).iter();
        sizes.filter_map(|&size| measured(grid.structure, grid.table_size, size, ratio(size))).collect()
    });
    let table_ticks: Vec<_> = results.plan.table_sizes.iter().map(|&table| (table.into(), short(table))).collect();
    let size_ticks: Vec<_> = results.plan.cell_sizes.iter().map(|&size| (ratio(size), format!("{:.2}", ratio(size)))).collect();
    let top = SPAN * least;
    let (names, baseline) = legend(&over_tables, 16.0, 48.0, WIDTH - 32.0);
    let y = baseline + 18.0;
    let [width, height] = CHART;
    let left = Chart {
        heading: "ms a step, each at its best spacing",
        x_label: "table size, buckets",
        ticks: &table_ticks,
        top,
        lines: &over_tables,
    };
    let right = Chart {
        heading: "ms a step, each with its best table",
        x_label: "cell spacing, support radii",
        ticks: &size_ticks,
        top,
        lines: &over_sizes,
    };
    let mut text = frame(WIDTH, y + height, title);
    text += &names;
    text += &left.svg([8.0, y, width, height], "tables");
    text += &right.svg([WIDTH - width - 8.0, y, width, height], "spacings");
    text + "</svg>\n"
}

/// The cheapest configuration of each structure, whatever its options.
fn best_kinds(results: &Results) -> Vec<(GridParameters, Cost)> {
    let mut best: Vec<(GridParameters, Cost)> = Vec::new();
    for found in results.plan.structures.iter().filter_map(|&structure| results.best_of(structure)) {
        match best.iter_mut().find(|(grid, _)| grid.structure.name() == found.0.structure.name()) {
            Some(kind) if kind.1.total_ms() > found.1.total_ms() => *kind = found,
            Some(_) => {}
            None => best.push(found),
        }
    }
    best
}

/// A power of two with a binary prefix, as `64 Ki`.
fn short(table: u32) -> String {
    match table {
        table if table >= 1 << 20 => format!("{} Mi", table >> 20),
        table if table >= 1 << 10 => format!("{} Ki", table >> 10),
        table => table.to_string(),
    }
}
