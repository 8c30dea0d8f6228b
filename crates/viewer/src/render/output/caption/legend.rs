//! The legend of the colours as a part of a picture.

use super::paint::{INK, fill, plate};
use super::text::Font;
use crate::color::{self, ColorField, ColorMap, Scale};
use crate::render::Picture;
use sph_io::Scene;

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

    /// The legend of `field` on its scale in a scene.
    pub fn of(field: ColorField, scale: Scale, scene: &Scene) -> Self {
        let colors = match color::named_colors(field, scene) {
            Some(named) => Colors::Names(named),
            None => Colors::Map(scale.map(field, &scene.setup.fluids)),
        };
        Self::new(color::label(field), color::unit(field), scale.range(field, scene), colors)
    }

    /// Draws the legend into the upper right corner, in letters `size` pixels high.
    pub(super) fn draw(&self, picture: &mut Picture, size: f32) {
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
