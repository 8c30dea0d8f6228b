//! Curves over data.

use plotters::style::RGBColor;
use sph_commands::charts::line_chart::{self, Chart};
pub use sph_commands::charts::line_chart::{Curve, Style};
use sph_commands::charts::{self, Axis};

/// Size of the chart, pixels.
const SIZE: [f64; 2] = [760.0, 348.0];

/// Blues for our runs, the coarsest first and palest, so that convergence can be seen.
pub const OURS: [RGBColor; 3] = [RGBColor(0x9c, 0xc7, 0xea), RGBColor(0x4a, 0x90, 0xd0), RGBColor(0x0b, 0x53, 0x94)];
/// Data, and what bounds it.
pub const DATA: RGBColor = charts::INK;
pub const OTHERS: RGBColor = RGBColor(0xd5, 0x5e, 0x00);

/// A plot.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of its file, without extension.
    pub name: String,
    /// Heading inside the picture.
    pub title: String,
    /// What it shows, for those who cannot see it.
    pub caption: String,
    /// Name and unit of the horizontal axis.
    pub x: &'static str,
    /// Name and unit of the vertical axis.
    pub y: &'static str,
    /// Ends of the horizontal axis; the vertical one takes in whatever lies between them.
    pub range: [f64; 2],
    /// What is drawn, the lowest first.
    pub curves: Vec<Curve>,
}

/// The curve of run number `index` of `count`, the coarsest first: the finest is the darkest.
pub fn our_curve(index: usize, count: usize, label: &str, points: Vec<[f64; 2]>) -> Curve {
    let color = OURS[(index + OURS.len()).saturating_sub(count).min(OURS.len() - 1)];
    Curve { name: format!("ours, {label}"), color, style: Style::Line, points }
}

/// The curve of measured data.
pub fn data_curve(name: &str, points: Vec<[f64; 2]>) -> Curve {
    Curve { name: name.to_owned(), color: DATA, style: Style::Points, points }
}

impl Figure {
    /// The picture.
    pub fn svg(&self) -> String {
        let [first, last] = self.range;
        let inside = |point: &&[f64; 2]| (first..=last).contains(&point[0]) && point[1].is_finite();
        let values = self.curves.iter().flat_map(|curve| curve.points.iter().filter(inside)).map(|point| point[1]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        let low = if low > 0.0 && low < 0.4 * high { 0.0 } else { low };
        let chart = Chart {
            x: Axis::between(self.x, first..last, 9),
            y: Axis::around(self.y, low..high, 9),
            curves: self.curves.clone(),
            marked: false,
        };
        line_chart::svg(&self.title, "", SIZE, &[chart])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_commands::charts::drawn::Page;

    fn figure(curves: Vec<Curve>) -> Figure {
        let (name, title, caption) = (String::new(), "<title>".to_owned(), String::new());
        Figure { name, title, caption, x: "x", y: "y", range: [0.0, 1.0], curves }
    }

    #[test]
    fn the_upright_axis_takes_in_what_lies_in_the_range() {
        let points = vec![[-1.0, 100.0], [0.0, 1.0], [0.4, 8.0], [1.0, 2.0], [2.0, 50.0]];
        let page = Page::read(&figure(vec![data_curve("data", points)]).svg());
        // The first disc is the sample before the name.
        let discs = page.discs(DATA);
        let expected = [("0.0", "1"), ("0.4", "8"), ("1.0", "2")].map(|(x, y)| [page.place(x)[0], page.place(y)[1]]);
        assert_eq!(discs.len(), 4);
        for (disc, place) in discs[1..].iter().zip(expected) {
            assert!((disc[0] - place[0]).hypot(disc[1] - place[1]) < 0.3, "{disc:?} is not at {place:?}");
        }
    }

    #[test]
    fn whatever_the_numbers_there_is_a_picture() {
        for points in
            [vec![], vec![[0.0, f64::NAN]], vec![[0.5, 1.0]], vec![[-1.0, 1.0], [2.0, 1.0]], vec![[0.0, 0.0], [0.5, 1e300]]]
        {
            let curves = vec![our_curve(0, 1, "a & b", points.clone()), data_curve("data", points)];
            let svg = figure(curves).svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            let page = Page::read(&svg);
            for text in ["<title>", "ours, a & b", "data", "x", "y"] {
                page.place(text);
            }
        }
    }
}
