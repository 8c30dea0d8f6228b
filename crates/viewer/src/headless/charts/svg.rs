//! Pages of charts as SVG, drawn with `plotters`.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

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
