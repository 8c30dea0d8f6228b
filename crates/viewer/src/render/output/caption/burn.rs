//! Places of captions in a picture.

use super::legend::Legend;
use super::paint::{INK, fill, plate};
use super::text::Font;
use crate::render::{Picture, ReferenceArrow};

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

#[cfg(test)]
mod tests {
    use super::super::Colors;
    use super::*;
    use crate::color::ColorMap;

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
