//! Incremental updates against rebuilding over the share of moving particles, as SVG.

use super::movers::{Movers, Row};
use crate::headless::charts::axes::Axis;
use crate::headless::charts::chart::{self, COLORS, Chart, Curve, Style};

/// Size of the chart, pixels.
const SIZE: [f64; 2] = [720.0, 340.0];

/// Whole lines: incremental; dashed: rebuilt.
pub fn svg(title: &str, movers: &Movers) -> String {
    // Registered everywhere, updates cost so much more that the others would lie on the floor.
    let (left_out, shown): (Vec<_>, Vec<_>) =
        movers.comparisons.iter().partition(|comparison| comparison.name.ends_with("everywhere"));
    let mut curves = Vec::new();
    for (comparison, color) in shown.into_iter().zip(COLORS) {
        for (kind, style) in [("incremental", Style::Line), ("rebuilt", Style::Dashed)] {
            let cost = |row: &Row| if style == Style::Line { row.incremental } else { row.rebuilt };
            // No movers at all have no place on a logarithmic axis.
            let points = comparison.rows.iter().filter(|row| row.share > 0.0).map(|row| [(100.0 * row.share).ln(), cost(row)]);
            curves.push(Curve { name: format!("{} {kind}", comparison.name), color, style, points: points.collect() });
        }
    }
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]).fold(1e-6, f64::max);
    let ticks = [0.1f64, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0].map(|percent| (percent.ln(), format!("{percent} %")));
    let remark = if left_out.is_empty() { "" } else { "left out, as they cost far more: buckets registered everywhere" };
    let chart = Chart {
        x: Axis::of("particles that move into another cell before each update", ticks.to_vec()),
        y: Axis::between("update, ms (medians)", 0.0..1.05 * most, 8),
        curves,
        marked: true,
    };
    chart::svg(title, remark, SIZE, &[chart])
}

#[cfg(test)]
mod tests {
    use super::super::movers::Comparison;
    use super::*;
    use crate::headless::charts::drawn::Page;
    use sph_core::neighbors::{GridParameters, HashFunction, Structure};

    fn movers(names: &[&str]) -> Movers {
        let row = |share, incremental| Row { share, incremental, rebuilt: 1.0 };
        let comparison = |name: &&str| Comparison {
            name: (*name).to_owned(),
            rows: vec![row(0.0, 0.1), row(0.001, 0.25), row(0.1, 0.5), row(1.0, 2.0)],
        };
        let comparisons = names.iter().map(comparison).collect();
        let (structure, hash) = (Structure::SortedCells, HashFunction::Mix);
        let grid = GridParameters { structure, table_size: 64, cell_size: 0.1, hash, bucket_capacity: 4 };
        Movers { comparisons, in_the_scene: 0.0, particles: 0, grid }
    }

    #[test]
    fn each_structure_has_a_whole_and_a_dashed_line() {
        let page = Page::read(&svg("Title", &movers(&["cell_hash", "bucket_hash once"])));
        for (name, color) in [("cell_hash", COLORS[0]), ("bucket_hash once", COLORS[1])] {
            assert!(page.place(&format!("{name} incremental")) != page.place(&format!("{name} rebuilt")));
            // Three shares that are not nothing, incremental and rebuilt.
            let (discs, shares) = (page.discs(color), ["0.1 %", "10 %", "100 %"].map(|label| page.place(label)[0]));
            let at_shares = |places: &[[f64; 2]]| {
                places.len() == 3 && places.iter().zip(shares).all(|(place, x)| (place[0] - x).abs() < 0.3)
            };
            assert!(discs.len() == 6 && at_shares(&discs[..3]) && at_shares(&discs[3..]), "{discs:?}");
            assert_eq!(page.lines(color).into_iter().filter(|line| at_shares(line)).count(), 1, "the dashed line is in parts");
        }
        assert!(!page.texts.iter().any(|(text, _)| text.starts_with("left out")));
    }

    #[test]
    fn what_is_left_out_is_named() {
        let page = Page::read(&svg("Title", &movers(&["cell_hash", "bucket_hash everywhere"])));
        page.place("left out, as they cost far more: buckets registered everywhere");
        assert!(!page.texts.iter().any(|(text, _)| text.contains("everywhere incremental")));
    }
}
