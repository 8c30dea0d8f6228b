//! Captions burnt into pictures: the legend of the colours and the simulated time. Plain pixels; no graphics API, no user interface.

mod legend;
mod text;

pub use legend::{Colors, Legend};

use crate::render::Picture;
use text::Font;

/// Height of the letters, as a part of the picture's height, and its limits, pixels.
const LETTERS: f32 = 1.0 / 36.0;
const LETTERS_RANGE: [f32; 2] = [11.0, 96.0];

/// Colours of text and of the plates behind it.
const INK: [u8; 3] = [232, 237, 244];
const PLATE: [u8; 4] = [14, 18, 24, 190];

/// Burns `legend` into the upper right corner of `picture`, and the simulated time (s) into the lower left.
pub fn burn_in(picture: &mut Picture, legend: &Legend, time: f64) {
    let size = (LETTERS * picture.height as f32).clamp(LETTERS_RANGE[0], LETTERS_RANGE[1]);
    legend.draw(picture, size);
    let font = Font::monospace();
    let text = format!("t = {time:.3} s");
    let [width, height] = [font.width(&text, size) + size, 1.8 * size];
    let corner = [0.5 * size, picture.height as f32 - 0.5 * size - height];
    plate(picture, corner, [width, height]);
    font.draw(picture, &text, size, [corner[0] + 0.5 * size, corner[1] + 0.4 * size], INK);
}

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
    use crate::color::ColorMap;

    fn captioned(size: [u32; 2], pixel: [u8; 4]) -> Picture {
        let [width, height] = size;
        let mut picture = Picture { width, height, rgba: pixel.repeat((width * height) as usize) };
        let legend = Legend::new("Speed", "m/s", [0.0, 3.0], Colors::Map(ColorMap::Water));
        burn_in(&mut picture, &legend, 0.35);
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
        let bright = picture.rgba.chunks_exact(4).filter(|pixel| pixel[..3] == INK).count();
        assert!(bright > 40, "{bright} pixels of letters");
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
