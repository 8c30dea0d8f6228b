//! Captions burnt into pictures: the legend of the colours and the simulated time. Plain pixels; no graphics API, no user interface.

use super::{Picture, ReferenceArrow};
use ab_glyph::{Font as _, FontRef, ScaleFont as _, point};
use sph_color::{self, Backdrop, ColorField, ColorMap, Scale};
use sph_io::Scene;

// Places of captions in a picture.

/// Height of the letters as a part of the picture's height, its limits, pixels, and its limit as a part of the width.
const LETTERS: f32 = 1.0 / 36.0;
const LETTERS_RANGE: [f32; 2] = [11.0, 96.0];
const WIDEST_LETTERS: f32 = 1.0 / 28.0;

/// Burns `legend`, where the look has one, into the upper right corner of `picture`, and the simulated time (s) into the lower left.
///
/// Into the lower right corner goes the reference arrow of velocities, where `arrow` knows the longest that fits into the pixels given.
pub fn burn_in(picture: &mut Picture, legend: Option<&Legend>, arrow: impl FnOnce(f32) -> Option<ReferenceArrow>, time: f64) {
    let size = (LETTERS * picture.height as f32).clamp(LETTERS_RANGE[0], LETTERS_RANGE[1]);
    let size = size.min(WIDEST_LETTERS * picture.width as f32).max(1.0);
    if let Some(legend) = legend {
        legend.draw(picture, size);
    }
    if let Some(arrow) = arrow(10.0 * size) {
        draw_arrow(picture, arrow, size);
    }
    let font = Font::monospace();
    let text = format!("t = {time:.3} s");
    let [width, height] = [font.width(&text, size) + size, 1.8 * size];
    let corner = [0.5 * size, picture.height as f32 - 0.5 * size - height];
    plate(picture, corner, [width, height]);
    font.draw(picture, &text, size, [corner[0] + 0.5 * size, corner[1] + 0.4 * size], INK);
}

/// Draws the reference arrow with its speed, in letters `size` pixels high.
fn draw_arrow(picture: &mut Picture, arrow: ReferenceArrow, size: f32) {
    let font = Font::monospace();
    let text = arrow.label();
    let inner = font.width(&text, size).max(arrow.length);
    let [width, height] = [inner + size, 2.7 * size];
    let corner = [picture.width as f32 - width - 0.5 * size, picture.height as f32 - 0.5 * size - height];
    plate(picture, corner, [width, height]);
    let [left, middle] = [corner[0] + 0.5 * size, corner[1] + 0.7 * size];
    let stroke = (0.1 * size).max(1.0);
    fill(picture, [left, middle - 0.5 * stroke], [arrow.length, stroke], |_| INK, 1.0);
    // The head, column by column.
    let head = (0.3 * arrow.length).clamp(2.0, 0.6 * size.max(4.0));
    for column in 0..head as u32 {
        let half = 0.5 * (column as f32 + 1.0);
        let x = left + arrow.length - 1.0 - column as f32;
        fill(picture, [x, middle - half], [1.0, 2.0 * half], |_| INK, 1.0);
    }
    font.draw(picture, &text, size, [left, corner[1] + 1.3 * size], INK);
}

// The legend of the colours as a part of a picture.

/// Names of fluids that a legend shows at most; the others are counted.
const MOST_NAMES: usize = 8;

/// Colours that a legend explains.
#[derive(Clone, Debug, PartialEq)]
pub enum Colors {
    /// A gradient between the ends of a range.
    Map(ColorMap),
    /// Names with their colours.
    Names(Vec<(String, [u8; 3])>),
}

/// Legend of the colours of particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    title: String,
    unit: String,
    range: [f32; 2],
    colors: Colors,
}

impl Legend {
    /// A legend for a quantity called `title`, in `unit`, with `range` at the ends of the gradient.
    pub fn new(title: &str, unit: &str, range: [f32; 2], colors: Colors) -> Self {
        Self { title: title.to_owned(), unit: unit.to_owned(), range, colors }
    }

    /// The legend of `field` on its scale in a scene before a backdrop.
    pub fn of(field: ColorField, scale: Scale, scene: &Scene, backdrop: Backdrop) -> Self {
        let colors = match sph_color::named_colors(field, scene) {
            Some(named) => Colors::Names(named),
            None => Colors::Map(scale.map(field, &scene.setup.fluids, backdrop)),
        };
        Self::new(sph_color::label(field), sph_color::unit(field), scale.range(field, scene), colors)
    }

    /// Draws the legend into the upper right corner, in letters `size` pixels high.
    fn draw(&self, picture: &mut Picture, size: f32) {
        let (words, numbers) = (Font::proportional(), Font::monospace());
        let rows = match &self.colors {
            Colors::Map(_) => 3.4,
            Colors::Names(names) => 1.5 + 1.3 * names.len().min(MOST_NAMES + 1) as f32,
        };
        let [width, height] = [12.0 * size, (rows + 1.0) * size];
        let corner = [picture.width as f32 - width - 0.5 * size, 0.5 * size];
        plate(picture, corner, [width, height]);
        let [left, mut top] = corner.map(|at| at + 0.5 * size);
        words.draw(picture, &self.title, size, [left, top], INK);
        top += 1.4 * size;
        match &self.colors {
            Colors::Map(map) => {
                let inner = width - size;
                fill(picture, [left, top], [inner, 0.7 * size], |place| map.sample(place), 1.0);
                top += 0.9 * size;
                let [low, high] = self.range.map(|end| format!("{end}"));
                let high = format!("{high} {}", self.unit);
                let letters = 0.85 * size;
                numbers.draw(picture, &low, letters, [left, top], INK);
                let right = left + inner - numbers.width(&high, letters);
                numbers.draw(picture, &high, letters, [right, top], INK);
            }
            Colors::Names(names) => {
                for (name, color) in names.iter().take(MOST_NAMES) {
                    fill(picture, [left, top + 0.15 * size], [0.8 * size, 0.8 * size], |_| *color, 1.0);
                    words.draw(picture, name, size, [left + 1.3 * size, top], INK);
                    top += 1.3 * size;
                }
                if names.len() > MOST_NAMES {
                    words.draw(picture, &format!("and {} more", names.len() - MOST_NAMES), size, [left, top], INK);
                }
            }
        }
    }
}

// Text, rasterised from the fonts of the panels.

/// A font of the panels.
struct Font(FontRef<'static>);

impl Font {
    /// The font of labels.
    pub fn proportional() -> Self {
        Self(FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).expect("the built-in font is valid"))
    }

    /// The font of numbers, whose digits are equally wide.
    pub fn monospace() -> Self {
        Self(FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).expect("the built-in font is valid"))
    }

    /// Width of a line of text in letters `size` pixels high.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        let font = self.0.as_scaled(size);
        text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum()
    }

    /// Draws a line of text whose upper left corner is at `corner`, pixels; returns its width.
    pub fn draw(&self, picture: &mut Picture, text: &str, size: f32, [x, y]: [f32; 2], color: [u8; 3]) -> f32 {
        let font = self.0.as_scaled(size);
        let baseline = y + font.ascent();
        let mut pen = x;
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            let glyph = id.with_scale_and_position(size, point(pen, baseline));
            if let Some(outline) = self.0.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|column, row, cover| {
                    let place = [bounds.min.x + column as f32, bounds.min.y + row as f32];
                    if place[0] >= 0.0 && place[1] >= 0.0 {
                        blend(picture, place.map(|at| at as u32), color, cover.clamp(0.0, 1.0));
                    }
                });
            }
            pen += font.h_advance(id);
        }
        pen - x
    }
}

// Pixels of captions: rectangles, and colours over what is there.

/// Colours of text and of the plates behind it.
const INK: [u8; 3] = [232, 237, 244];
const PLATE: [u8; 4] = [14, 18, 24, 190];

/// Darkens a rectangle of `size` pixels behind text.
fn plate(picture: &mut Picture, corner: [f32; 2], size: [f32; 2]) {
    let [red, green, blue, alpha] = PLATE;
    fill(picture, corner, size, |_| [red, green, blue], f32::from(alpha) / 255.0);
}

/// Fills a rectangle with a colour for each distance from its left edge, 0 to 1.
fn fill(picture: &mut Picture, corner: [f32; 2], size: [f32; 2], color: impl Fn(f32) -> [u8; 3], alpha: f32) {
    let [x, y] = corner.map(|at| at.round().max(0.0) as u32);
    let [width, height] = size.map(|length| length.round().max(1.0) as u32);
    for column in x..(x + width).min(picture.width) {
        let color = color((column - x) as f32 / (width - 1).max(1) as f32);
        for row in y..(y + height).min(picture.height) {
            blend(picture, [column, row], color, alpha);
        }
    }
}

/// Blends `color` over a pixel, with straight alpha (Porter and Duff's "over", 1984). Pixels outside the picture are left out.
fn blend(picture: &mut Picture, [x, y]: [u32; 2], color: [u8; 3], alpha: f32) {
    if x >= picture.width || y >= picture.height || alpha <= 0.0 {
        return;
    }
    let start = 4 * (y as usize * picture.width as usize + x as usize);
    let Some(pixel) = picture.rgba.get_mut(start..start + 4) else { return };
    let below = f32::from(pixel[3]) / 255.0 * (1.0 - alpha);
    let sum = alpha + below;
    for (channel, new) in pixel[..3].iter_mut().zip(color) {
        *channel = ((f32::from(new) * alpha + f32::from(*channel) * below) / sum).round() as u8;
    }
    pixel[3] = (255.0 * sum).round() as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_color::ColorMap;

    fn captioned(size: [u32; 2], pixel: [u8; 4]) -> Picture {
        let [width, height] = size;
        let mut picture = Picture { width, height, rgba: pixel.repeat((width * height) as usize) };
        let legend = Legend::new("Speed", "m/s", [0.0, 3.0], Colors::Map(ColorMap::Water));
        burn_in(&mut picture, Some(&legend), |most| Some(ReferenceArrow { speed: 3.0, length: 0.5 * most }), 0.35);
        picture
    }

    #[test]
    fn the_corners_change_and_the_middle_stays() {
        let picture = captioned([320, 240], [90, 120, 60, 255]);
        assert_eq!(picture.pixel(160, 120), [90, 120, 60, 255]);
        assert_eq!(picture.pixel(5, 5), [90, 120, 60, 255]);
        assert_ne!(picture.pixel(300, 12), [90, 120, 60, 255]);
        assert_ne!(picture.pixel(20, 225), [90, 120, 60, 255]);
        assert!(picture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255));
        assert_ne!(picture.pixel(300, 220), [90, 120, 60, 255]);
        // Thin letters cover few pixels completely.
        let places = (0..120).flat_map(|x| (200..240).map(move |y| (x, y)));
        let bright = places.filter(|&(x, y)| picture.pixel(x, y)[0] > 150).count();
        assert!(bright > 20, "{bright} pixels of letters");
    }

    #[test]
    fn captions_of_a_transparent_picture_are_opaque_where_they_are() {
        let picture = captioned([320, 240], [0; 4]);
        assert_eq!(picture.pixel(160, 120), [0; 4]);
        assert!(picture.pixel(20, 225)[3] > 150);
    }

    #[test]
    fn any_size_is_accepted() {
        for size in [[1, 1], [3, 400], [400, 3], [20, 20]] {
            captioned(size, [1, 2, 3, 255]);
        }
    }
}
