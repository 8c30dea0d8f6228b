//! Charts of `sph tune` as SVG: a heat map of what one structure costs over table size and cell spacing, and curves of what each
//! structure costs over one of the two.

use crate::charts::line_chart::{self, COLORS, Chart, Curve, Style};
use crate::charts::{Axis, BELOW, Grid, INK, LEFT, LINE, PALE_INK, TEXT, at, axes, page, stroke, text};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::tuning::{Cost, Results, Trial, Verdict};

/// Sizes in pixels.
const CELL: [f64; 2] = [68.0, 36.0];
const NAMES: f64 = 166.0;
const TOP: f64 = 62.0;

/// Cells without a cost: those that were not tried, and those that were refused or would have taken too long.
const UNTRIED: [u8; 3] = [245, 246, 248];
const WITHOUT: [u8; 3] = [225, 228, 233];

/// The outline of the best.
const OUTLINE: RGBColor = RGBColor(0x0b, 0x63, 0xce);

/// Build and query of each table size (across) and cell spacing (upwards) of `structure`, ms; the least is outlined.
pub fn heat_map(title: &str, results: &Results, structure: Structure) -> String {
    let (tables, sizes) = (results.plan.table_sizes_of(structure), results.plan.cell_sizes_of(structure));
    let [across, up] = [CELL[0] * tables.len() as f64, CELL[1] * sizes.len() as f64];
    let best = results.best_of(structure).map(|(grid, _)| grid);
    let outlined = match (best, results.has_finals()) {
        (None, _) => "; nothing was measured",
        (Some(_), true) => "; outlined: the fastest, re-timed",
        (Some(_), false) => "; outlined: the fastest",
    };
    let places = || {
        (0..).zip(sizes).flat_map(|(row, &size)| (0..).zip(tables).map(move |(column, &table)| ([column, row], (table, size))))
    };
    let trial = |(table, size)| results.trial(structure, table, size);
    let costs = places().filter_map(|(_, grid)| trial(grid)?.cost());
    let least = costs.map(Cost::total_ms).reduce(f64::min).unwrap_or(1.0);
    let page_size = [(LEFT + NAMES + across + LINE).max(520.0), TOP + up + BELOW];
    page(page_size, &format!("{structure}, {title}"), |area| {
        let remark = format!("build and query, ms per step (medians){outlined}");
        area.draw_text(&remark, &text(TEXT, PALE_INK, HPos::Left), at([LEFT, 42.0]))?;
        let map = area.clone().shrink(at([LEFT, TOP]), at([NAMES + across, up + BELOW]));
        let (x, y) = named(results, structure);
        let plot = axes(&map, NAMES, x, y, Grid::None)?;
        for (place, grid) in places() {
            let [left, low] = place.map(f64::from);
            let (fill, label) = cell(trial(grid), least);
            let middle = (left + 0.5, low + 0.5);
            plot.draw(&Rectangle::new(corners(place, 0.5), fill.filled()))?;
            plot.draw(&Text::new(label, middle, text(TEXT, ink_on(fill), HPos::Center)))?;
        }
        let outlined = |grid| best.is_some_and(|best| (best.table_size, best.cell_size) == grid);
        if let Some((place, _)) = places().find(|&(_, grid)| outlined(grid)) {
            let [(left, low), (right, high)] = corners(place, 2.0);
            let outline = vec![(left, low), (right, low), (right, high), (left, high), (left, low), (right, low)];
            plot.draw(&PathElement::new(outline, stroke(OUTLINE, 3.0)))?;
        }
        Ok(())
    })
}

/// The axes of the map: table sizes, which only some structures have, and cell spacings.
fn named(results: &Results, structure: Structure) -> (Axis, Axis) {
    let tables = results.plan.table_sizes_of(structure).iter();
    let sizes = results.plan.cell_sizes_of(structure).iter();
    let x = match structure.has_table() {
        true => Axis::named("table size, buckets", tables.map(u32::to_string).collect()),
        false => Axis::named("", Vec::new()),
    };
    let spacing = |size: &f32| format!("{size} m · {:.2} r", size / results.support_radius);
    (x, Axis::named(&format!("cell spacing, m and {} r", unit(results)), sizes.map(spacing).collect()))
}

/// What spacings are counted in, besides metres: points of a set have no support radius.
pub fn unit(results: &Results) -> &'static str {
    if results.plan.discretization.is_some() { "support radii" } else { "search radii" }
}

/// The colour of a cell of the map, and what is written in it.
fn cell(trial: Option<&Trial>, least: f64) -> (RGBColor, String) {
    let ([red, green, blue], label) = match trial.map(|trial| &trial.verdict) {
        Some(Verdict::Measured(cost)) => (sph_color::cost(cost.total_ms() / least), format!("{:.2}", cost.total_ms())),
        Some(Verdict::TooSlow { predicted_ms }) => (WITHOUT, format!("≈ {predicted_ms:.0}")),
        Some(Verdict::Refused(_)) => (WITHOUT, "–".to_owned()),
        None => (UNTRIED, String::new()),
    };
    (RGBColor(red, green, blue), label)
}

/// Two corners of a cell of the map, `inset` pixels inside it.
fn corners(place: [u8; 2], inset: f64) -> [(f64, f64); 2] {
    let [x, y] = CELL.map(|length| inset / length);
    let [left, low] = place.map(f64::from);
    [(left + x, low + y), (left + 1.0 - x, low + 1.0 - y)]
}

/// Black or white, whichever is legible on `background`.
fn ink_on(RGBColor(red, green, blue): RGBColor) -> RGBColor {
    let luma = 0.299 * f32::from(red) + 0.587 * f32::from(green) + 0.114 * f32::from(blue);
    if luma > 140.0 { INK } else { WHITE }
}

// What each structure costs against table size, and against cell spacing, as SVG.

/// Size of each of the two charts, pixels.
const SIZE: [f64; 2] = [480.0, 320.0];

/// Costs beyond this many times the least are cut off.
const SPAN: f64 = 4.0;

/// Build and query of the best kind of each structure: at the left over table sizes, at its best spacing; at the right over spacings, with
/// its best table.
pub fn curve_charts(title: &str, results: &Results) -> String {
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
        chart(Axis::of("table size, buckets", tables.collect()), "ms per step, each at its best spacing", over_tables),
        chart(
            Axis::of(&format!("cell spacing, {}", unit(results)), sizes.collect()),
            "ms per step, each with its best table",
            over_sizes,
        ),
    ];
    line_chart::svg(title, "", SIZE, &charts)
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
    use super::*;
    use crate::charts::drawn::Page;
    use sph_core::neighbors::{GridParameters, HashFunction, Tally};
    use sph_core::tuning::Plan;
    use sph_core::{Dimensions, Discretization};

    /// Made-up costs of the uniform grid and the spatial hash, on three tables and three spacings: build and query of the hash take
    /// `table / 64 + 10 * size` ms, the grid's 0.5 ms at 0.1 m, which is the support radius, and 3 ms elsewhere. One trial was refused, one
    /// was too slow, one has not been made.
    pub fn results() -> Results {
        let (structure, hash) = (Structure::SpatialHash, HashFunction::Mix);
        let base = GridParameters { structure, table_size: 64, cell_size: 0.1, hash, bucket_capacity: 4 };
        let structures = vec![Structure::UniformGrid, Structure::SpatialHash];
        let discretization = Discretization::new(Dimensions::Three, 0.05);
        let plan = Plan {
            structures,
            table_sizes: vec![64, 128, 2048],
            cell_sizes: vec![0.05, 0.1, 0.2],
            base,
            discretization: Some(discretization),
        };
        let verdict = |grid: &GridParameters| {
            let total = match (grid.structure, grid.table_size, grid.cell_size) {
                (Structure::UniformGrid, _, 0.1) => 0.5,
                (Structure::UniformGrid, ..) => 3.0,
                (_, 64, 0.2) => return Verdict::Refused("too many cells".to_owned()),
                (_, 2048, 0.2) => return Verdict::TooSlow { predicted_ms: 77.0 },
                (_, table, size) => f64::from(table) / 64.0 + f64::from(10.0 * size),
            };
            let (tally, build_ms) = (Tally::default(), 0.25 * total);
            Verdict::Measured(Cost {
                build_ms,
                query_ms: total - build_ms,
                repeats: 1,
                tally,
                load_factor: 0.0,
                spills: 0,
                bytes: 0,
            })
        };
        let mut trials: Vec<Trial> = plan.grids().into_iter().map(|grid| Trial { grid, verdict: verdict(&grid) }).collect();
        trials.retain(|trial| {
            (trial.grid.structure, trial.grid.table_size, trial.grid.cell_size) != (Structure::SpatialHash, 128, 0.05)
        });
        let (support_radius, total) = (0.1, trials.len());
        Results {
            particles: 9,
            support_radius,
            plan,
            present: base,
            present_verdict: None,
            trials,
            finals: Vec::new(),
            final_times: Vec::new(),
            final_trials: 0,
            total,
        }
    }

    #[test]
    fn each_cost_is_in_the_cell_of_its_table_and_spacing() {
        let page = Page::read(&heat_map("Title", &results(), Structure::SpatialHash));
        assert_eq!(page.place("spatial_hash, Title")[0], LEFT);
        page.place("build and query, ms per step (medians); outlined: the fastest");
        let (x, y) = (|table: &str| page.place(table)[0], |spacing: &str| page.place(spacing)[1]);
        let rows = [
            ("0.2 m · 2.00 r", ["–", "4.00", "≈ 77"]),
            ("0.1 m · 1.00 r", ["2.00", "3.00", "33.00"]),
            ("0.05 m · 0.50 r", ["1.50", "", "32.50"]),
        ];
        let mut above = TOP;
        for (spacing, costs) in rows {
            assert!(y(spacing) > above, "{spacing} is not below the wider one");
            above = y(spacing);
            for (table, cost) in ["64", "128", "2048"].into_iter().zip(costs).filter(|(_, cost)| !cost.is_empty()) {
                let place = page.place(cost);
                assert!((place[0] - x(table)).abs() < 0.2 && (place[1] - y(spacing)).abs() < 0.2, "{cost} is at {place:?}");
            }
        }
        let [outline] = page.lines(OUTLINE)[..] else { panic!("one outline") };
        let [across, down] = [0, 1].map(|axis| {
            outline.iter().map(|place| place[axis]).fold((f64::MAX, 0.0f64), |(low, high), v| (low.min(v), high.max(v)))
        });
        assert!(across.0 < x("64") && x("64") < across.1 && across.1 < x("128"), "{outline:?}");
        assert!(down.0 < y("0.05 m · 0.50 r") && y("0.05 m · 0.50 r") < down.1 && down.0 > y("0.1 m · 1.00 r"), "{outline:?}");
    }

    #[test]
    fn costs_are_coloured_by_their_ratio_to_the_least() {
        let page = Page::read(&heat_map("Title", &results(), Structure::SpatialHash));
        for (cost, [red, green, blue]) in [("1.50", sph_color::cost(1.0)), ("3.00", sph_color::cost(2.0)), ("≈ 77", WITHOUT)]
        {
            let ([x, y], cells) = (page.place(cost), page.rectangles(RGBColor(red, green, blue)));
            let around = |cell: &&&[[f64; 2]]| cell[0][0] < x && x < cell[1][0] && cell[0][1] < y && y < cell[1][1];
            assert_eq!(cells.iter().filter(around).count(), 1, "{cost} on {cells:?}");
        }
    }

    #[test]
    fn a_structure_without_a_table_has_one_column() {
        let page = Page::read(&heat_map("Title", &results(), Structure::UniformGrid));
        assert!(page.texts.iter().all(|(text, _)| !text.contains("table") && !text.contains("64")), "{:?}", page.texts);
        assert_eq!(page.texts.iter().filter(|(text, _)| text == "3.00").count(), 2);
        page.place("0.50");
    }

    #[test]
    fn costs_stand_over_tables_and_over_spacings() {
        let page = Page::read(&curve_charts("Title", &results()));
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
