//! Charts as SVG, drawn with `plotters`: pages, axes, and the line charts that several commands share.

pub mod line_chart;

#[cfg(any(test, feature = "test-support"))]
pub mod drawn;

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

// Pages of charts as SVG, drawn with `plotters`.

/// Colour of text and of measured data.
pub const INK: RGBColor = RGBColor(0x1b, 0x24, 0x33);

/// Colour of names of axes and of remarks.
pub const PALE_INK: RGBColor = RGBColor(0x47, 0x53, 0x6b);

/// Size of ordinary text, pixels.
pub const TEXT: f64 = 13.0;

/// Left edge of the title and of what stands below it, pixels.
pub const LEFT: f64 = 16.0;

/// Height of a line of text, pixels.
pub const LINE: f64 = 20.0;

/// Units of the drawing in a pixel. Plotters rounds to whole units: a curve on whole pixels would have steps.
const UNITS: f64 = 10.0;

/// A page or a part of it; places on it are in units.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The result of drawing on a page.
pub type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<std::io::Error>>;

/// A white page of `width` by `height` pixels with a title and what `draw` adds.
pub fn page([width, height]: [f64; 2], title: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut svg = String::new();
    let size = [width, height].map(|pixels| units(pixels).unsigned_abs());
    let heading =
        ("sans-serif", font_size(15.0), FontStyle::Bold).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
    let area = SVGBackend::with_string(&mut svg, size.into()).into_drawing_area();
    area.fill(&WHITE)
        .and_then(|()| area.draw_text(title, &heading, at([LEFT, 19.0])))
        .and_then(|()| draw(&area))
        .and_then(|()| area.present())
        .expect("a string takes all that is written to it");
    drop(area);
    // The size at which it is shown, instead of that in units.
    let opening = |[width, height]: [f64; 2]| format!("<svg width=\"{width}\" height=\"{height}\" ");
    svg.replacen(&opening(size.map(f64::from)), &opening([width, height]), 1)
}

/// A distance in pixels as units of the drawing.
pub fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// A place in pixels as units of the drawing.
pub fn at([x, y]: [f64; 2]) -> (i32, i32) {
    (units(x), units(y))
}

/// A line so many pixels wide.
pub fn stroke(color: RGBColor, pixels: f64) -> ShapeStyle {
    color.stroke_width(units(pixels).unsigned_abs())
}

/// Text of so many pixels, which has its place at the middle of its height and at its left end, centre or right end.
pub fn text(pixels: f64, color: RGBColor, place: HPos) -> TextStyle<'static> {
    ("sans-serif", font_size(pixels)).into_font().color(&color).pos(Pos::new(place, VPos::Center))
}

/// The width of a line of ordinary text, pixels, as far as it can be known without a font.
pub fn text_width(line: &str) -> f64 {
    text(TEXT, INK, HPos::Left).font.box_size(line).map_or(0.0, |(width, _)| f64::from(width) / UNITS)
}

/// The size to be given to plotters, which divides it by 1.24.
fn font_size(pixels: f64) -> f64 {
    1.24 * (UNITS * pixels)
}

// Axes of charts, and the plot between them.

/// Colours of axes, and of lines across the plot at their ticks.
const AXIS: RGBColor = RGBColor(0x8b, 0x95, 0xa7);
const GRID: RGBColor = RGBColor(0xdf, 0xe3, 0xea);

/// Pixels below a plot for numbers and the name of the axis.
pub const BELOW: f64 = 46.0;

/// Part of the distance of two ticks by which values may lie beyond the ends of an axis and count as there: less than can be seen.
const NEGLIGIBLE: f64 = 1e-3;

/// The part of a page between axes; places on it are values along them.
pub type Plot<'a> = DrawingArea<SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

/// An axis: values at its ends, and its ticks.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name and unit.
    pub name: String,
    ends: Range<f64>,
    /// Values with their labels.
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Between two values, with at most `most` ticks at round values.
    pub fn between(name: &str, ends: Range<f64>, most: usize) -> Self {
        // Plotters leaves out a tick that rounding errors put beyond an end.
        let slack = 1e-9 * (ends.end - ends.start);
        let values = RangedCoordf64::from(ends.start - slack..ends.end + slack).key_points(BoldPoints(most));
        let mut axis =
            Self { name: name.to_owned(), ends, ticks: values.into_iter().map(|value| (value, String::new())).collect() };
        let step = axis.spacing();
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
        for (value, label) in &mut axis.ticks {
            // Sums of steps miss zero by a rounding error; the sum with 0 takes the sign off -0.
            *label = format!("{:.decimals$}", (*value / step).round() * step + 0.0);
        }
        axis
    }

    /// The same, with the ends moved out to ticks.
    pub fn around(name: &str, ends: Range<f64>, most: usize) -> Self {
        let mut axis = Self::between(name, ends, most);
        // Twice, as the longer axis may have longer steps.
        for _ in 0..2 {
            let (step, Range { start, end }) = (axis.spacing(), axis.ends);
            axis =
                Self::between(name, (start / step + NEGLIGIBLE).floor() * step..(end / step - NEGLIGIBLE).ceil() * step, most);
        }
        axis
    }

    /// Between two positive values on a logarithmic scale, with ticks at 1, 2 and 5 times powers of ten or, over many decades, at powers
    /// alone. Places on it are natural logarithms.
    pub fn logarithmic(name: &str, ends: Range<f64>) -> Self {
        let decades = (ends.end / ends.start).log10();
        let factors: &[f64] = if decades > 3.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let [first, last] = [ends.start, ends.end].map(|end| end.log10().floor() as i32);
        let values = (first..=last).flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        let inside = values.filter(|value| ends.contains(value));
        let ticks = inside.map(|value| (value.ln(), format!("{}", (value * 1e9).round() / 1e9))).collect();
        Self { name: name.to_owned(), ends: ends.start.ln()..ends.end.ln(), ticks }
    }

    /// From the first of these ticks to the last.
    pub fn of(name: &str, ticks: Vec<(f64, String)>) -> Self {
        let [first, last] = [ticks.first(), ticks.last()].map(|tick| tick.map_or(0.0, |tick| tick.0));
        let ends = if first < last { first..last } else { first - 0.5..first + 0.5 };
        Self { name: name.to_owned(), ends, ticks }
    }

    /// A length of 1 for each of these names: the first from 0 to 1.
    pub fn named(name: &str, names: Vec<String>) -> Self {
        let (ends, ticks) = (0.0..names.len().max(1) as f64, (0..).map(|index| f64::from(index) + 0.5).zip(names).collect());
        Self { name: name.to_owned(), ends, ticks }
    }

    /// The values that count as on the axis.
    pub fn reach(&self) -> Range<f64> {
        let slack = NEGLIGIBLE * self.spacing();
        self.ends.start - slack..self.ends.end + slack
    }

    /// The distance of its ticks.
    fn spacing(&self) -> f64 {
        self.ticks.windows(2).next().map_or(1.0, |pair| pair[1].0 - pair[0].0)
    }

    /// The label of the tick at `value`.
    fn label(&self, value: f64) -> String {
        self.ticks.iter().find(|tick| tick.0 == value).map_or_else(String::new, |tick| tick.1.clone())
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.ends.clone()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let shown = if hint.weight().allow_light_points() { &[] } else { &self.ticks[..] };
        shown.iter().map(|tick| tick.0).collect()
    }

    fn range(&self) -> Range<f64> {
        self.ends.clone()
    }
}

/// Lines across the plot at the ticks of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grid {
    None,
    OfX,
    OfY,
}

/// Draws two axes on `area`, with `left` pixels for the numbers and the name of the upright one; the plot between them.
pub fn axes<'a>(area: &Area<'a>, left: f64, x: Axis, y: Axis, grid: Grid) -> Drawn<Plot<'a>> {
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(units(BELOW))
        .y_label_area_size(units(left))
        .build_cartesian_2d(x.clone(), y.clone())?;
    let [x_label, y_label] = [&x, &y].map(|axis| move |value: &f64| axis.label(*value));
    let mut mesh = chart.configure_mesh();
    match grid {
        Grid::None => mesh.disable_mesh(),
        Grid::OfX => mesh.disable_y_mesh(),
        Grid::OfY => mesh.disable_x_mesh(),
    };
    mesh.bold_line_style(stroke(GRID, 1.0))
        .axis_style(stroke(AXIS, 1.0))
        .set_all_tick_mark_size(units(4.0))
        .label_style(text(12.0, INK, HPos::Left))
        .axis_desc_style(text(TEXT, PALE_INK, HPos::Left))
        .x_desc(x.name.as_str())
        .y_desc(y.name.as_str())
        .x_label_formatter(&x_label)
        .y_label_formatter(&y_label)
        .draw()?;
    Ok(chart.plotting_area().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.1.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(&Axis::between("", 0.0..3.0, 9)), ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
        assert_eq!(labels(&Axis::between("", 2.2..5.6, 5)), ["3", "4", "5"]);
        assert_eq!(labels(&Axis::between("", -0.2..0.2, 5)), ["-0.2", "-0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(&Axis::between("", 0.0..33e3, 5)), ["0", "10000", "20000", "30000"]);
    }

    #[test]
    fn ends_are_moved_out_to_ticks() {
        for (ends, first, last, count) in [
            (-0.03..0.11, "-0.04", "0.12", 9),
            (0.0..1.0, "0.0", "1.0", 6),
            (-1.44..0.0, "-1.6", "0.0", 9),
            (0.985..1.034, "0.98", "1.04", 7),
            (-1e-5..1.0, "0.0", "1.0", 6),
        ] {
            let axis = Axis::around("", ends.clone(), 9);
            let labels = labels(&axis);
            assert_eq!((labels[0], labels[labels.len() - 1], labels.len()), (first, last, count), "{ends:?}: {labels:?}");
            let reach = axis.reach();
            assert!(reach.start <= ends.start && ends.end <= reach.end, "{ends:?}: {axis:?}");
            assert_eq!((axis.map(&axis.ticks[0].0, (0, 5000)), axis.map(&axis.ends.end, (0, 5000))), (0, 5000));
        }
    }

    #[test]
    fn logarithmic_ticks_are_round_and_equal_factors_are_equally_far() {
        let axis = Axis::logarithmic("", 0.05..30.0);
        assert_eq!(labels(&axis), ["0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10", "20"]);
        let place = |value: f64| axis.map(&value.ln(), (0, 10_000));
        assert!((place(10.0) - place(1.0) - (place(1.0) - place(0.1))).abs() <= 2);
        assert_eq!(labels(&Axis::logarithmic("", 0.001..2000.0)), ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]);
    }

    #[test]
    fn names_stand_at_the_middle_of_their_length() {
        let axis = Axis::named("", ["a", "b", "c", "d"].map(str::to_owned).to_vec());
        let places: Vec<i32> = axis.ticks.iter().map(|tick| axis.map(&tick.0, (0, 400))).collect();
        assert_eq!(places, [50, 150, 250, 350]);
    }
}
