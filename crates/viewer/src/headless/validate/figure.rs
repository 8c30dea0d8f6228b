//! Curves over data as SVG.

use crate::headless::charts::svg::{escape, frame};
use std::fmt::Write;

/// Sizes in pixels.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 740.0;
const BOTTOM: f64 = 346.0;
/// Above the plot: the title, and a line of the legend.
const TOP: f64 = 64.0;
/// Width of a letter of the legend, about.
const LETTER: f64 = 6.9;

/// Blues for our runs, the coarsest first and palest, so that convergence can be seen.
pub const OURS: [&str; 3] = ["#9cc7ea", "#4a90d0", "#0b5394"];
/// Data, and what bounds it.
pub const DATA: &str = "#1b2433";
pub const OTHERS: &str = "#d55e00";

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

/// A line or a set of points.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its entry in the legend; empty for one that looks like another.
    pub name: String,
    pub color: &'static str,
    pub style: Style,
    pub points: Vec<[f64; 2]>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Style {
    Line,
    Dashed,
    Points,
}

impl Curve {
    /// Run number `index` of `count`, the coarsest first: the finest is the darkest.
    pub fn ours(index: usize, count: usize, label: &str, points: Vec<[f64; 2]>) -> Self {
        let color = OURS[(index + OURS.len()).saturating_sub(count).min(OURS.len() - 1)];
        Self { name: format!("ours, {label}"), color, style: Style::Line, points }
    }

    /// Measured data.
    pub fn data(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.to_owned(), color: DATA, style: Style::Points, points }
    }
}

impl Figure {
    /// The picture.
    pub fn svg(&self) -> String {
        let inside = |point: &&[f64; 2]| (self.range[0]..=self.range[1]).contains(&point[0]) && point[1].is_finite();
        let values = || self.curves.iter().flat_map(|curve| curve.points.iter().filter(inside)).map(|point| point[1]);
        let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        let (low, high) = (if low > 0.0 && low < 0.4 * high { 0.0 } else { low }, high);
        let across = Axis::new(self.range[0], self.range[1], LEFT, RIGHT);
        let up = Axis::rounded(low, high, BOTTOM, TOP);
        let mut text = frame(WIDTH, HEIGHT, &self.title);
        self.legend(&mut text);
        grid(&mut text, &across, &up);
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#47536b\">{}</text>\n\
             <text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"#47536b\">{}</text>\n\
             <clipPath id=\"plot\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/></clipPath>\n\
             <g clip-path=\"url(#plot)\">",
            0.5 * (LEFT + RIGHT),
            BOTTOM + 40.0,
            escape(self.x),
            0.5 * (TOP + BOTTOM),
            escape(self.y),
            RIGHT - LEFT,
            BOTTOM - TOP
        );
        for curve in &self.curves {
            // One point beyond each end, so that lines run to the edge.
            let points: Vec<[f64; 2]> = curve.points.iter().filter(|point| point[1].is_finite()).copied().collect();
            let first = points.partition_point(|point| point[0] < self.range[0]).saturating_sub(1);
            let last = (points.partition_point(|point| point[0] <= self.range[1]) + 1).min(points.len());
            let places = points.get(first..last).unwrap_or_default().iter().map(|&[x, y]| [across.place(x), up.place(y)]);
            curve.draw(&mut text, places);
        }
        text + "</g>\n</svg>\n"
    }

    fn legend(&self, text: &mut String) {
        let mut x = 16.0;
        for Curve { name, color, style, .. } in self.curves.iter().filter(|curve| !curve.name.is_empty()) {
            let mark = Curve { name: String::new(), color, style: *style, points: Vec::new() };
            let ends = [[x, 42.0], [x + 22.0, 42.0]];
            match style {
                Style::Points => mark.draw(text, std::iter::once([x + 11.0, 42.0])),
                Style::Line | Style::Dashed => mark.draw(text, ends.into_iter()),
            }
            let _ = writeln!(text, "<text x=\"{:.1}\" y=\"46\" fill=\"#1b2433\">{}</text>", x + 28.0, escape(name));
            x += 46.0 + LETTER * name.chars().count() as f64;
        }
    }
}

impl Curve {
    fn draw(&self, text: &mut String, places: impl Iterator<Item = [f64; 2]>) {
        let color = self.color;
        if self.style == Style::Points {
            for [x, y] in places {
                let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{color}\"/>");
            }
            return;
        }
        let dash = if self.style == Style::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let places: Vec<String> = places.map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\"{dash}/>",
            places.join(" ")
        );
    }
}

/// Values along an edge of the plot.
struct Axis {
    /// Values at the ends.
    ends: [f64; 2],
    /// Pixels at the ends.
    pixels: [f64; 2],
    step: f64,
}

impl Axis {
    fn new(low: f64, high: f64, first: f64, last: f64) -> Self {
        let rough = (high - low).max(1e-12) / 8.0;
        let magnitude = 10f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * magnitude >= rough).unwrap_or(10.0);
        Self { ends: [low, high], pixels: [first, last], step: factor * magnitude }
    }

    /// Ends moved out to ticks.
    fn rounded(low: f64, high: f64, first: f64, last: f64) -> Self {
        let step = Self::new(low, high, first, last).step;
        Self { ends: [(low / step).floor() * step, (high / step).ceil() * step], pixels: [first, last], step }
    }

    fn place(&self, value: f64) -> f64 {
        self.pixels[0] + (self.pixels[1] - self.pixels[0]) * (value - self.ends[0]) / (self.ends[1] - self.ends[0])
    }

    /// Values of the ticks, and how they are written.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let decimals = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let first = (self.ends[0] / self.step - 1e-9).ceil() as i64;
        let last = (self.ends[1] / self.step + 1e-9).floor() as i64;
        (first..=last).map(move |number| (number as f64 * self.step, format!("{:.decimals$}", number as f64 * self.step)))
    }
}

/// Lines at the ticks, and their values.
fn grid(text: &mut String, across: &Axis, up: &Axis) {
    for (value, label) in up.ticks() {
        let y = up.place(value);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#dfe3ea\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"12\" fill=\"#1b2433\">{label}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    for (value, label) in across.ticks() {
        let x = across.place(value);
        let _ = writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{BOTTOM}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"#8b95a7\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"12\" fill=\"#1b2433\">{label}</text>",
            BOTTOM + 5.0,
            BOTTOM + 20.0
        );
    }
    let _ = writeln!(text, "<line x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{RIGHT}\" y2=\"{BOTTOM}\" stroke=\"#8b95a7\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |axis: Axis| axis.ticks().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(Axis::new(0.0, 3.0, 0.0, 1.0)), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
        assert_eq!(
            labels(Axis::rounded(-0.03, 0.11, 0.0, 1.0)),
            ["-0.04", "-0.02", "0.00", "0.02", "0.04", "0.06", "0.08", "0.10", "0.12"]
        );
        assert_eq!(Axis::new(1.0, 3.0, 10.0, 30.0).place(2.0), 20.0);
    }

    #[test]
    fn whatever_the_numbers_there_is_a_picture() {
        for points in [vec![], vec![[0.0, f64::NAN]], vec![[0.5, 1.0]], vec![[-1.0, 1.0], [2.0, 1.0]]] {
            let curves = vec![Curve::ours(0, 1, "a & b", points.clone()), Curve::data("data", points)];
            let (name, title, caption) = (String::new(), "<title>".to_owned(), String::new());
            let svg = Figure { name, title, caption, x: "x", y: "y", range: [0.0, 1.0], curves }.svg();
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("&lt;title&gt;") && svg.contains("a &amp; b"));
        }
    }
}
