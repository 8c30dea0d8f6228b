//! Line charts, and lines cut off at the edges of a plot.

use std::ops::Range;

use super::{Area, Axis, Drawn, Grid, INK, LEFT, LINE, PALE_INK, TEXT, at, axes, page, stroke, text, text_width, units};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Colours of lines on white, told apart by people with any kind of colour vision (Wong2011).
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

/// Pixels at the left of a plot, for the numbers and the name of the upright axis.
const MARGIN: f64 = 66.0;

/// Widths of curves, and radii of points, alone and on curves, pixels.
const CURVE: f64 = 1.8;
const POINT: f64 = 3.2;
const MARK: f64 = 2.6;

/// Length of the sample of a curve before its name, pixels.
const SAMPLE: f64 = 22.0;

/// Dashes, and the gaps between them, pixels.
const DASH: f64 = 6.0;
const GAP: f64 = 4.0;

/// A line or a set of points.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its entry in the legend; empty for one that looks like another.
    pub name: String,
    pub color: RGBColor,
    pub style: Style,
    pub points: Vec<[f64; 2]>,
}

/// Looks of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    Line,
    Dashed,
    Points,
}

/// Curves between axes. What lies beyond the ends of the axes is cut off.
pub struct Chart {
    pub x: Axis,
    pub y: Axis,
    /// The lowest first.
    pub curves: Vec<Curve>,
    /// A mark at each point of a line.
    pub marked: bool,
}

/// A page of charts side by side, each of `size` pixels, below a title, a remark, which may be empty, and the names of the first one's curves.
pub fn svg(title: &str, remark: &str, [width, height]: [f64; 2], charts: &[Chart]) -> String {
    let count = charts.len().max(1);
    let width = width * count as f64;
    let first = if remark.is_empty() { 42.0 } else { 42.0 + LINE };
    let legend = legend(charts.first().map_or(&[], |chart| &chart.curves), first, width - LEFT);
    let top = legend.last().map_or(first, |(_, [_, y])| *y) + 0.5 * LINE;
    page([width, top + height], title, |area| {
        if !remark.is_empty() {
            area.draw_text(remark, &text(TEXT, PALE_INK, HPos::Left), at([LEFT, 42.0]))?;
        }
        for (curve, place) in &legend {
            curve.draw_name(area, *place)?;
        }
        let (_, below) = area.split_vertically(units(top));
        for (chart, area) in charts.iter().zip(below.split_evenly((1, count))) {
            chart.draw(&area.margin(units(10.0), 0, units(8.0), units(22.0)))?;
        }
        Ok(())
    })
}

/// Places of the names of curves: in lines from `top` on, each broken before `right`, pixels.
fn legend(curves: &[Curve], top: f64, right: f64) -> Vec<(&Curve, [f64; 2])> {
    let [mut x, mut y] = [LEFT, top];
    let mut place = |curve: &Curve| {
        let width = SAMPLE + 6.0 + text_width(&curve.name);
        if x > LEFT && x + width > right {
            [x, y] = [LEFT, y + LINE];
        }
        let place = [x, y];
        x += width + 14.0;
        place
    };
    curves.iter().filter(|curve| !curve.name.is_empty()).map(|curve| (curve, place(curve))).collect()
}

impl Chart {
    fn draw(&self, area: &Area<'_>) -> Drawn {
        let plot = axes(area, MARGIN, self.x.clone(), self.y.clone(), Grid::OfY)?;
        let ends = [self.x.reach(), self.y.reach()];
        for Curve { color, style, points, .. } in &self.curves {
            let points: Vec<_> = points.iter().filter(|point| point[0].is_finite() && point[1].is_finite()).copied().collect();
            if *style != Style::Points {
                for part in parts_within(&points, &ends) {
                    draw_line(&plot, part, *style, *color, CURVE)?;
                }
            }
            let radius = match style {
                Style::Points => POINT,
                Style::Line | Style::Dashed if self.marked => MARK,
                Style::Line | Style::Dashed => continue,
            };
            for &[x, y] in points.iter().filter(|&&[x, y]| reaches(&ends[0], x) && reaches(&ends[1], y)) {
                plot.draw(&Circle::new((x, y), units(radius), color.filled()))?;
            }
        }
        Ok(())
    }
}

impl Curve {
    /// Draws a sample of the curve from a place on, pixels, and its name.
    fn draw_name(&self, area: &Area<'_>, [x, y]: [f64; 2]) -> Drawn {
        match self.style {
            Style::Points => area.draw(&Circle::new(at([x + 0.5 * SAMPLE, y]), units(POINT), self.color.filled()))?,
            style => draw_line(area, vec![at([x, y]), at([x + SAMPLE, y])], style, self.color, 3.0)?,
        }
        area.draw_text(&self.name, &text(TEXT, INK, HPos::Left), at([x + SAMPLE + 6.0, y]))
    }
}

/// Draws a line through places on `area`, `width` pixels wide.
fn draw_line<'a, T: CoordTranslate>(
    area: &DrawingArea<SVGBackend<'a>, T>,
    places: Vec<T::From>,
    style: Style,
    color: RGBColor,
    width: f64,
) -> Drawn
where
    T::From: Clone,
{
    let stroke = stroke(color, width);
    match style {
        Style::Dashed => area.draw(&DashedPathElement::new(places, units(DASH), units(GAP), stroke)),
        Style::Line | Style::Points => area.draw(&PathElement::new(places, stroke)),
    }
}

// Lines cut off at the edges of a plot.

/// The parts of a line through points that lie between the ends of both axes; plotters would bend the line along the edge.
pub fn parts_within(points: &[[f64; 2]], ends: &[Range<f64>; 2]) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let Some([from, to]) = within(pair[0], pair[1], ends) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// The part of a straight line that lies between the ends of both axes, if there is one (Liang and Barsky).
fn within(from: [f64; 2], to: [f64; 2], ends: &[Range<f64>; 2]) -> Option<[(f64, f64); 2]> {
    let [mut enters, mut leaves] = [0.0f64, 1.0f64];
    for axis in 0..2 {
        let Range { start, end } = ends[axis];
        let along = to[axis] - from[axis];
        if along == 0.0 {
            reaches(&ends[axis], from[axis]).then_some(())?;
            continue;
        }
        let [a, b] = [(start - from[axis]) / along, (end - from[axis]) / along];
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    let place = |share: f64| match share {
        0.0 => from.into(),
        1.0 => to.into(),
        _ => (from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])),
    };
    (enters <= leaves).then(|| [place(enters), place(leaves)])
}

/// True for a value on an axis between these ends, or at one of them.
pub fn reaches(ends: &Range<f64>, value: f64) -> bool {
    (ends.start..=ends.end).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::drawn::Page;

    fn curve(name: &str, color: RGBColor, style: Style, points: &[[f64; 2]]) -> Curve {
        Curve { name: name.to_owned(), color, style, points: points.to_vec() }
    }

    fn page(curves: Vec<Curve>, marked: bool) -> Page {
        let (x, y) = (Axis::between("time, s", 0.0..4.0, 5), Axis::between("height, m", 0.0..10.0, 6));
        Page::read(&svg("Title", "", [600.0, 300.0], &[Chart { x, y, curves, marked }]))
    }

    /// Places of (1, 2) and of (4, 10) on such a page, by what is written at the axes.
    fn corners(page: &Page) -> [[f64; 2]; 2] {
        [("1", "2"), ("4", "10")].map(|(x, y)| {
            // 2 and 4 are written at both axes: the numbers of the upright one are further left.
            let left = |place: &&[f64; 2]| place[0] < 100.0;
            let places =
                |text: &str| page.texts.iter().filter(|(content, _)| content == text).map(|text| text.1).collect::<Vec<_>>();
            let below = |place: &&[f64; 2]| place[1] > page.size[1] - 60.0;
            [
                places(x).iter().find(below).expect("a number below")[0],
                places(y).iter().find(left).expect("a number at the left")[1],
            ]
        })
    }

    #[test]
    fn points_are_where_the_numbers_at_the_axes_say() {
        let page = page(
            vec![curve("a", COLORS[0], Style::Line, &[[1.0, 2.0], [4.0, 10.0]]), curve("b", INK, Style::Points, &[[1.0, 2.0]])],
            true,
        );
        let [from, to] = corners(&page);
        let near = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.3;
        // The first line and the first disc are the samples before the names.
        let lines = page.lines(COLORS[0]);
        assert!(
            lines.len() == 2 && near(lines[1][0], from) && near(lines[1][1], to),
            "{lines:?} are not from {from:?} to {to:?}"
        );
        let discs = page.discs(INK);
        assert!(discs.len() == 2 && near(discs[1], from), "{discs:?} are not at {from:?}");
        assert_eq!(page.discs(COLORS[0]).len(), 2);
    }

    #[test]
    fn lines_end_at_the_edge_without_a_bend() {
        // Through (2, 10) and (3, 10), far beyond the upper edge in between, and from there out at the right.
        let page = page(vec![curve("", COLORS[1], Style::Line, &[[1.0, 2.0], [2.5, 14.0], [4.0, 2.0], [12.0, 2.0]])], false);
        let ([from, to], lines) = (corners(&page), page.lines(COLORS[1]));
        let at =
            |x: f64, y: f64| [from[0] + (to[0] - from[0]) * (x - 1.0) / 3.0, from[1] + (to[1] - from[1]) * (y - 2.0) / 8.0];
        let expected = [vec![at(1.0, 2.0), at(2.0, 10.0)], vec![at(3.0, 10.0), at(4.0, 2.0)]];
        assert_eq!(lines.len(), 2, "{lines:?}");
        for (place, expected) in lines.concat().iter().zip(expected.concat()) {
            assert!((place[0] - expected[0]).hypot(place[1] - expected[1]) < 0.3, "{lines:?} are not {expected:?}");
        }
    }

    #[test]
    fn rounding_errors_cut_nothing_off() {
        let page = page(vec![curve("", COLORS[1], Style::Line, &[[-1e-9, -1e-4], [1.0, 2.0], [4.0 + 1e-12, 10.0]])], false);
        let lines = page.lines(COLORS[1]);
        assert!(matches!(lines[..], [[_, _, _]]), "{lines:?}");
    }

    #[test]
    fn names_are_broken_before_the_edge() {
        let names: Vec<String> = (0..12).map(|number| format!("curve number {number}")).collect();
        let page = page(names.iter().map(|name| curve(name, INK, Style::Dashed, &[[1.0, 2.0], [2.0, 3.0]])).collect(), false);
        let [_, to] = corners(&page);
        let mut before = [0.0, 0.0];
        for name in &names {
            let [x, y] = page.place(name);
            assert!(x + text_width(name) <= page.size[0] && y < to[1] - 5.0, "{name} at {x}, {y}");
            assert!(x > before[0] || y > before[1], "{name} at {x}, {y} is over the one before");
            before = [x + text_width(name), y];
        }
        assert!(page.place(&names[11])[1] > page.place(&names[0])[1] + LINE);
        assert!(page.lines(INK).iter().all(|dash| dash.len() >= 2) && page.lines(INK).len() > 24 + 24);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let ends = [0.0..1.0, 0.0..1.0];
        assert!(parts_within(&[[0.0, 2.0], [1.0, 3.0]], &ends).is_empty());
        assert!(parts_within(&[[-1.0, 0.5], [-0.5, 0.5]], &ends).is_empty());
        assert!(parts_within(&[[0.5, 0.5]], &ends).is_empty());
        assert_eq!(parts_within(&[[-1.0, 0.5], [3.0, 0.5]], &ends), [[(0.0, 0.5), (1.0, 0.5)]]);
        assert_eq!(parts_within(&[[0.5, 0.0], [0.5, 1e300]], &ends)[0][1].0, 0.5);
        assert_eq!(parts_within(&[[0.1, 0.1], [0.2, 0.1], [0.2, 0.3]], &ends), [[(0.1, 0.1), (0.2, 0.1), (0.2, 0.3)]]);
    }
}
