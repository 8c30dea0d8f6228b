//! Balls that start in a sheet of cloth.

use glam::Vec3;
use sph_core::point_sets::PointSet;
use sph_pbd::cloth::ClothSetup;

/// Pairs of a ball and a triangle that are looked at: some tenths of a second.
const MOST_PAIRS: usize = 20_000_000;

/// Part of the distance that a ball keeps from a sheet within which it counts as in it: one that lies on the sheet is not.
const IN: f32 = 0.98;

/// Number of balls that are nearer to a triangle of the sheet than their radius and half of its thickness, and true if all pairs were looked at
/// that matter.
pub(super) fn balls_in_sheet(balls: &PointSet, sheet: &ClothSetup) -> (usize, bool) {
    let reach = |ball: usize| IN * (balls.radii[ball] + 0.5 * sheet.thickness);
    let [low, high] = bounds(&sheet.vertices);
    // Of the many balls of a scene few are near a sheet, so that those in its box, along its longest side, are hardly more than those in it.
    let is_near = |&ball: &usize| {
        let (at, reach) = (balls.positions[ball], reach(ball));
        (at + reach).cmpge(low).all() && (at - reach).cmple(high).all()
    };
    let mut near: Vec<usize> = (0..balls.len()).filter(is_near).collect();
    let axis = (high - low).max_position();
    near.sort_unstable_by(|&a, &b| balls.positions[a][axis].total_cmp(&balls.positions[b][axis]));
    let widest = near.iter().map(|&ball| reach(ball)).fold(0.0, f32::max);
    let mut is_in = vec![false; near.len()];
    let (mut left, mut is_complete) = (MOST_PAIRS, true);
    for triangle in &sheet.triangles {
        let corners = triangle.map(|vertex| sheet.vertices[vertex as usize]);
        let [low, high] = bounds(&corners);
        let along = |ball: usize| balls.positions[ball][axis];
        let from = near.partition_point(|&ball| along(ball) < low[axis] - widest);
        let to = near.partition_point(|&ball| along(ball) <= high[axis] + widest);
        let Some(rest) = left.checked_sub(to - from) else {
            is_complete = false;
            break;
        };
        left = rest;
        for (&ball, is_in) in near[from..to].iter().zip(&mut is_in[from..to]) {
            let (at, reach) = (balls.positions[ball], reach(ball));
            let is_beside = (at + reach).cmpge(low).all() && (at - reach).cmple(high).all();
            *is_in = *is_in || is_beside && distance(at, corners) < reach;
        }
    }
    (is_in.into_iter().filter(|&is_in| is_in).count(), is_complete)
}

/// Lowest and highest corner of the box around `points`.
fn bounds(points: &[Vec3]) -> [Vec3; 2] {
    let around = |[low, high]: [Vec3; 2], &at: &Vec3| [low.min(at), high.max(at)];
    points.iter().fold([Vec3::INFINITY, Vec3::NEG_INFINITY], around)
}

/// Distance of a point from a triangle that has an area.
fn distance(at: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let normal = (b - a).cross(c - a);
    // Left of each side as seen from the tip of the normal.
    let is_within = |[from, to]: [Vec3; 2]| normal.dot((to - from).cross(at - from)) >= 0.0;
    let sides = [[a, b], [b, c], [c, a]];
    if sides.into_iter().all(is_within) {
        return normal.dot(at - a).abs() / normal.length();
    }
    let from_side = |[from, to]: [Vec3; 2]| {
        let (side, way) = (to - from, at - from);
        way.distance(side * (way.dot(side) / side.length_squared()).clamp(0.0, 1.0))
    };
    sides.into_iter().map(from_side).fold(f32::INFINITY, f32::min)
}
