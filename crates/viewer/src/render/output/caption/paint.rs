//! Pixels of captions: rectangles, and colours over what is there.

use crate::render::Picture;

/// Colours of text and of the plates behind it.
pub const INK: [u8; 3] = [232, 237, 244];
const PLATE: [u8; 4] = [14, 18, 24, 190];

/// Darkens a rectangle of `size` pixels behind text.
pub fn plate(picture: &mut Picture, corner: [f32; 2], size: [f32; 2]) {
    let [red, green, blue, alpha] = PLATE;
    fill(picture, corner, size, |_| [red, green, blue], f32::from(alpha) / 255.0);
}

/// Fills a rectangle with a colour for each distance from its left edge, 0 to 1.
pub fn fill(picture: &mut Picture, corner: [f32; 2], size: [f32; 2], color: impl Fn(f32) -> [u8; 3], alpha: f32) {
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
pub fn blend(picture: &mut Picture, [x, y]: [u32; 2], color: [u8; 3], alpha: f32) {
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
