//! What each structure costs against table size, and against cell spacing, as SVG.

use crate::headless::charts::axes::Axis;
use crate::headless::charts::chart::{self, COLORS, Chart, Curve, Style};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Cost, Results};

/// Size of each of the two charts, pixels.
const SIZE: [f64; 2] = [480.0, 320.0];

/// Costs beyond this many times the least are cut off.
const SPAN: f64 = 4.0;

/// Build and query of the best kind of each structure: at the left over table sizes, at its best spacing; at the right over spacings, with
/// its best table.
pub fn svg(title: &str, results: &Results) -> String {
    let best = best_kinds(results);
    let least = best.iter().map(|(_, cost)| cost.total_ms()).reduce(f64::min).unwrap_or(1.0);
    let curves = |points: &dyn Fn(&GridParameters) -> Vec<[f64; 2]>| -> Vec<Curve> {
        let colored = best.iter().zip(COLORS.into_iter().cycle());
        let curve = |((grid, _), color): (&(GridParameters, Cost), _)| Curve {
            name: grid.structure.to_string(),
            color,
            style: Style::Line,
            points: points(grid),
        };
        colored.map(curve).collect()
    };
    let measured = |structure: Structure, table: u32, size: f32, x: f64| {
        let cost = results.trial(structure, table, size).and_then(|trial| trial.cost());
        cost.map(|cost| [x.ln(), cost.total_ms()])
    };
    let over_tables = curves(&|grid| {
        let table_of = |table| if grid.structure.has_table() { table } else { grid.table_size };
        let tables = results.plan.table_sizes.iter();
        tables.filter_map(|&table| measured(grid.structure, table_of(table), grid.cell_size, table.into())).collect()
    });
    let ratio = |size: f32| f64::from(size / results.support_radius);
    let over_sizes = curves(&|grid| {
        let sizes = results.plan.cell_sizes_of(grid.structure).iter();
        sizes.filter_map(|&size| measured(grid.structure, grid.table_size, size, ratio(size))).collect()
    });
    let tables = results.plan.table_sizes.iter().map(|&table| (f64::from(table).ln(), short(table)));
    let sizes = results.plan.cell_sizes.iter().map(|&size| (ratio(size).ln(), format!("{:.2}", ratio(size))));
    let chart = |x: Axis, cost: &str, curves| Chart { x, y: Axis::between(cost, 0.0..SPAN * least, 6), curves, marked: true };
    let charts = [
        chart(Axis::of("table size, buckets", tables.collect()), "ms a step, each at its best spacing", over_tables),
        chart(Axis::of("cell spacing, support radii", sizes.collect()), "ms a step, each with its best table", over_sizes),
    ];
    chart::svg(title, "", SIZE, &charts)
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

#[cfg(test)]
mod tests {
    use super::super::heat_map::tests::results;
    use super::*;
    use crate::headless::charts::drawn::Page;

    #[test]
    fn costs_stand_over_tables_and_over_spacings() {
        let page = Page::read(&svg("Title", &results()));
        let places = |label: &str| page.texts.iter().filter(|(text, _)| text == label).map(|text| text.1).collect::<Vec<_>>();
        let near = |disc: &[f64; 2], x: f64, y: f64| (disc[0] - x).hypot(disc[1] - y) < 0.3;
        // The least is 0.5 ms, so that 2 ms are shown; 1.5 ms is the hash's best.
        let [left, right] = places("1.5")[..] else { panic!("two axes") };
        let (tables, spacings) = (
            ["64", "128", "2 Ki"].map(|table| page.place(table)[0]),
            ["0.50", "1.00", "2.00"].map(|ratio| page.place(ratio)[0]),
        );
        let hash = page.discs(COLORS[1]);
        assert!(
            matches!(&hash[..], [a, b, c] if near(a, tables[0], left[1]) && near(b, spacings[0], right[1]) && (c[0] - spacings[1]).abs() < 0.3),
            "{hash:?}"
        );
        // Without a table, the cost is the same over all of them; but at 1 support radius, the grid is off the chart.
        let low = places("0.5")[0][1];
        let grid = page.discs(COLORS[0]);
        assert!(
            matches!(&grid[..], [a, b, c, d] if [a, b, c].iter().zip(tables).all(|(disc, x)| near(disc, x, low)) && near(d, spacings[1], low)),
            "{grid:?}"
        );
        assert!(page.place("uniform_grid")[0] < page.place("spatial_hash")[0]);
    }

    #[test]
    fn table_sizes_are_written_shortly() {
        assert_eq!([512, 1024, 65536, 1 << 24].map(short), ["512", "1 Ki", "64 Ki", "16 Mi"]);
    }
}
