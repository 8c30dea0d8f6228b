//! Text, rasterised from the fonts of the panels.

use super::paint::blend;
use crate::render::Picture;
use ab_glyph::{Font as _, FontRef, ScaleFont as _, point};

/// A font of the panels.
pub struct Font(FontRef<'static>);

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
