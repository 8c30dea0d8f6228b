//! Lines of the arrows of velocity.

use super::lines::Line;
use crate::render::Frame;
use crate::render::arrows::{self, Arrows};
use crate::render::tint::Tint;

/// Length of the strokes of a head, as a part of the arrow.
const HEAD: f32 = 0.3;
/// Distance by which arrows are drawn nearer than they are, in radii of the particles: the spheres would hide them.
const LIFT: f32 = 3.0;
/// Width, pixels, and colour.
const WIDTH: f32 = 1.4;
const COLOR: [f32; 4] = [1.0, 0.93, 0.72, 0.95];

/// Appends the arrows of an even selection of the particles that are shown.
pub fn push_arrows(frame: &Frame<'_>, lines: &mut Vec<Line>) {
    let Some(Arrows { velocities, ids, speed }) = frame.arrows else { return };
    let (stride, longest) = (arrows::stride(ids.len()), arrows::longest(ids.len(), frame.radius));
    let (eye, forward) = (frame.camera.eye(), frame.camera.axes().2);
    for (index, ((&position, &velocity), &id)) in frame.positions.iter().zip(velocities).zip(ids).enumerate() {
        let is_shown = (id as usize).is_multiple_of(stride) && frame.tint(index) != Tint::Hidden;
        let arrow = longest / speed * velocity;
        if !is_shown || !(position + arrow).is_finite() || arrow.length() < 0.1 * frame.radius {
            continue;
        }
        let towards_eye = (eye - position).normalize_or_zero();
        let start = position + LIFT * frame.radius * towards_eye;
        let end = start + arrow;
        // Both strokes lie in the plane of the picture.
        let side = 0.5 * arrow.cross(forward).normalize_or_zero() * arrow.length();
        let mut push = |start, end| lines.push(Line::new(start, end, WIDTH, COLOR));
        push(start, end);
        push(end, end + HEAD * (side - arrow));
        push(end, end + HEAD * (-side - arrow));
    }
}
