//! Steps that stay clear of a surface.

use super::Nearest;
use glam::DVec3;

/// Most corrections of one step: three planes meet in a corner.
const CORRECTIONS: u32 = 8;
/// Error of the clearance that is left, as a part of it.
const TOLERANCE: f64 = 1e-4;
/// Most places along a step that are looked at.
const PLACES: f64 = 8.0;

/// The step (m) closest to `step` from `start` (m) that stays at least `clearance` (m) in front of a surface; a point that is closer
/// already comes no closer. `front` is the surface next to a point, with positive distances in front of it. In a `planar` step z
/// stays as it is.
///
/// Each place where the step comes too close pushes it out along the normal there. A step that stays too close, in a corner, is
/// given up.
pub(crate) fn clear_step(front: impl Fn(DVec3) -> Nearest, clearance: f64, planar: bool, start: DVec3, step: DVec3) -> DVec3 {
    let before = front(start).distance;
    if before - clearance > step.length() {
        return step;
    }
    let tolerance = TOLERANCE * clearance;
    // A little more than now, so that the errors of many steps do not add up.
    let least = (before + 2.0 * tolerance).min(clearance);
    let mut clear = step;
    for _ in 0..CORRECTIONS {
        // Dense enough that no step passes through a wall that is thicker than the clearance on both sides.
        let places = (clear.length() / (2.0 * clearance)).ceil().clamp(1.0, PLACES);
        let too_close = (1..=places as u32).map(|place| f64::from(place) / places).find_map(|part| {
            let near = front(start + part * clear);
            (near.distance < least - tolerance).then(|| (least - near.distance) / part * near.normal)
        });
        match too_close {
            None => return clear,
            Some(push) => clear += if planar { push.with_z(0.0) } else { push },
        }
    }
    DVec3::ZERO
}
