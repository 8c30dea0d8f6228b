//! Visibility, computed on the CPU before the draws: occlusion culling, and depth sorting.

use super::Globals;
use glam::Vec3;

// Occlusion culling. Most particles of a fluid are hidden inside it; a software driver would shade them all, because a sphere
// that writes its own depth cannot be rejected before it is shaded.
//
// The view is divided into blocks of a few pixels. From near to far, each sphere writes its distance to the blocks that it
// covers completely; a sphere whose blocks all hold distances below that of its nearest point is culled. The picture stays the
// same, bit for bit.

/// Length of a block in sphere radii on the screen: smaller blocks are covered by more spheres, larger ones are fewer.
const BLOCK: f32 = 0.42;
/// Share of a sphere's radius on the screen that is certainly covered, at any position in the view.
const COVERED: f32 = 0.96;
/// Distance, in radii, below which spheres are not tested: their outlines are no longer nearly circles.
const TOO_NEAR: f32 = 6.0;

/// Depth of blocks of the screen; memory is reused from frame to frame.
#[derive(Debug, Default)]
pub struct Occlusion {
    columns: usize,
    rows: usize,
    /// Length of a block, pixels.
    block: f32,
    /// Distance from the camera to the nearest sphere that covers the block, m.
    nearest: Vec<f32>,
}

impl Occlusion {
    /// Removes the spheres of the previous frame.
    pub fn forget(&mut self) {
        self.nearest.clear();
    }

    /// Removes hidden spheres from `order`, indices into `positions` from far to near. `size_of` gives the sphere's radius
    /// relative to the frame's, 0 to 1; spheres smaller than 1 hide nothing.
    pub fn cull(&mut self, order: &mut Vec<u32>, positions: &[Vec3], size_of: impl Fn(u32) -> f32, globals: &Globals) {
        let [width, height] = globals.viewport;
        let eye = Vec3::from(globals.eye);
        let (right, up, forward) = (Vec3::from(globals.right), Vec3::from(globals.up), Vec3::from(globals.forward));
        let Some(&middle) = order.get(order.len() / 2) else { return };
        let typical = (positions[middle as usize] - eye).dot(forward);
        self.clear(width, height, BLOCK * globals.radius * globals.pixels / typical);

        let mut kept = order.len();
        for place in (0..order.len()).rev() {
            let index = order[place];
            let size = size_of(index);
            let radius = globals.radius * size;
            let center = positions[index as usize] - eye;
            let depth = center.dot(forward);
            let seen = if depth < TOO_NEAR * radius {
                // Spheres behind the camera are culled.
                depth > -radius
            } else {
                let scale = globals.pixels / depth;
                let x = 0.5 * width + scale * center.dot(right);
                let y = 0.5 * height - scale * center.dot(up);
                let square = center.length_squared();
                // Perspective stretches the outline by at most the squared secant of its angle from the axis.
                let reach = scale * radius * (square / (depth * depth)) * (depth / (depth - radius)) + 1.0;
                let distance = square.sqrt();
                let seen = self.is_seen(x, y, reach, distance - radius);
                if seen && size >= 1.0 {
                    self.cover(x, y, COVERED * scale * radius - 0.5, distance);
                }
                seen
            };
            if seen {
                kept -= 1;
                order[kept] = index;
            }
        }
        order.drain(..kept);
    }

    /// True if the spheres kept by the last [`Occlusion::cull`] hide the whole box `min`–`max`, or if it is outside the view.
    /// The box is drawn nearer by `depth_bias` (m, along the view).
    pub fn hides(&self, min: Vec3, max: Vec3, depth_bias: f32, globals: &Globals) -> bool {
        let eye = Vec3::from(globals.eye);
        let (middle, half) = (0.5 * (min + max) - eye, 0.5 * (max - min));
        // Centre and half extent of the box along an axis of the camera.
        let along = |axis: [f32; 3]| (middle.dot(axis.into()), half.dot(Vec3::from(axis).abs()));
        let (depth, deep) = along(globals.forward);
        let (nearest, farthest) = (depth - deep, depth + deep);
        if farthest < globals.near {
            return true;
        }
        // False if the box contains the camera, is too near for the bounds below, or has NaN.
        let in_front = nearest > 2.0 * globals.near && nearest > 2.0 * depth_bias;
        if !in_front || self.nearest.is_empty() {
            return false;
        }
        // Bounds of the projected coordinate, coordinate / depth, over the box.
        let bounds = |(center, half): (f32, f32)| {
            let (low, high) = (center - half, center + half);
            let low = low / if low < 0.0 { nearest } else { farthest };
            let high = high / if high < 0.0 { farthest } else { nearest };
            [low * globals.pixels, high * globals.pixels]
        };
        let ([left, right], [bottom, top]) = (bounds(along(globals.right)), bounds(along(globals.up)));
        let [width, height] = globals.viewport;
        let x = [0.5 * width + left - 1.0, 0.5 * width + right + 1.0];
        let y = [0.5 * height - top - 1.0, 0.5 * height - bottom + 1.0];
        let secant = (1.0 + globals.slopes[0].powi(2) + globals.slopes[1].powi(2)).sqrt();
        !self.any_behind(x, y, eye.clamp(min, max).distance(eye) - depth_bias * secant)
    }

    fn clear(&mut self, width: f32, height: f32, block: f32) {
        // At least one pixel, also for NaN.
        self.block = if block >= 1.0 { block.floor().min(64.0) } else { 1.0 };
        self.columns = (width / self.block).ceil() as usize;
        self.rows = (height / self.block).ceil() as usize;
        self.nearest.clear();
        self.nearest.resize(self.columns * self.rows, f32::INFINITY);
    }

    /// True if a disc of `reach` pixels at `distance` may be visible.
    fn is_seen(&self, x: f32, y: f32, reach: f32, distance: f32) -> bool {
        self.any_behind([x - reach, x + reach], [y - reach, y + reach], distance)
    }

    /// True if a block that the rectangle of pixels touches has no sphere nearer than `distance`.
    fn any_behind(&self, x: [f32; 2], y: [f32; 2], distance: f32) -> bool {
        let rate = 1.0 / self.block;
        // Rust's conversions saturate: rectangles left of or above the view give empty ranges.
        let end = |at: f32, count: usize| (at * rate + 1.0).max(0.0).min(count as f32) as usize;
        let start = |at: f32| (at * rate).max(0.0) as usize;
        let (first, last) = (start(x[0]), end(x[1], self.columns));
        first < last
            && (start(y[0])..end(y[1], self.rows)).any(|row| {
                let row = &self.nearest[row * self.columns..][first..last];
                row.iter().any(|&nearest| nearest > distance)
            })
    }

    /// Writes `distance` to the blocks that lie completely within `radius` pixels of a point.
    fn cover(&mut self, x: f32, y: f32, radius: f32, distance: f32) {
        if radius <= 0.5 * self.block {
            return;
        }
        let rate = 1.0 / self.block;
        let start = |at: f32| ((at - radius) * rate).ceil().max(0.0) as usize;
        let end = |at: f32, count: usize| ((at + radius) * rate).floor().max(0.0).min(count as f32) as usize;
        for row in start(y)..end(y, self.rows) {
            let top = row as f32 * self.block - y;
            let height = top.abs().max((top + self.block).abs());
            let half = (radius * radius - height * height).max(0.0).sqrt();
            let first = ((x - half) * rate).ceil().max(0.0) as usize;
            let last = ((x + half) * rate).floor().max(0.0).min(self.columns as f32) as usize;
            if first < last {
                for nearest in &mut self.nearest[row * self.columns..][first..last] {
                    *nearest = nearest.min(distance);
                }
            }
        }
    }
}

// Depth sorting from far to near: a counting sort over quantised depth, in linear time.

/// Number of depth bins: fine enough that the order within a bin is not visible.
const BINS: usize = 1 << 14;

/// Drawing order; memory is reused from frame to frame.
#[derive(Debug, Default)]
pub struct Order {
    indices: Vec<u32>,
    depths: Vec<f32>,
    starts: Vec<u32>,
}

impl Order {
    /// Indices of the finite `distances`, the largest first; a stable sort up to the width of a bin.
    pub fn far_to_near(&mut self, distances: impl Iterator<Item = f32>) -> &mut Vec<u32> {
        let Self { indices, depths, starts } = self;
        depths.clear();
        depths.extend(distances);
        let (mut nearest, mut farthest, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0);
        for &depth in &*depths {
            if depth.is_finite() {
                nearest = nearest.min(depth);
                farthest = farthest.max(depth);
                count += 1;
            }
        }
        let scale = (BINS - 1) as f32 / (farthest - nearest);
        // Equal depths give an infinite scale and 0 · ∞ = NaN, which converts to bin 0; any bin would do.
        let bin = |depth: f32| ((farthest - depth) * scale) as usize & (BINS - 1);
        starts.clear();
        starts.resize(BINS + 1, 0);
        for &depth in depths.iter().filter(|depth| depth.is_finite()) {
            starts[bin(depth) + 1] += 1;
        }
        for index in 0..BINS {
            starts[index + 1] += starts[index];
        }
        indices.clear();
        indices.resize(count, 0);
        for (index, &depth) in depths.iter().enumerate().filter(|(_, depth)| depth.is_finite()) {
            let start = &mut starts[bin(depth)];
            indices[*start as usize] = index as u32;
            *start += 1;
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;

    fn cull(order: &[u32], positions: &[Vec3]) -> Vec<u32> {
        let camera = Camera::look(Vec3::new(0.0, 0.0, 20.0), Vec3::ZERO);
        let mut order = order.to_vec();
        Occlusion::default().cull(&mut order, positions, |_| 1.0, &Globals::new(&camera, [640, 480], 1.0));
        order
    }

    #[test]
    fn hidden_spheres_are_left_out_and_the_order_is_kept() {
        let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        // Farthest first: completely behind the last, half behind it, beside it, and the last itself.
        let mut positions = vec![at(0.0, -20.0), at(1.0, -10.0), at(3.0, -5.0), at(0.0, 3.0)];
        assert_eq!(cull(&[0, 1, 2, 3], &positions), [1, 2, 3]);
        positions[0].x = 5.0;
        assert_eq!(cull(&[0, 1, 2, 3], &positions), [0, 1, 2, 3]);
    }

    #[test]
    fn spheres_beside_and_behind_the_view_are_left_out() {
        let positions = [Vec3::X * 30.0, Vec3::NEG_Y * 30.0, Vec3::Z * 40.0, Vec3::ZERO, Vec3::Z * 17.0, Vec3::X * 1e30];
        assert_eq!(cull(&[5, 0, 1, 3, 4, 2], &positions), [3, 4]);
        assert!(cull(&[], &positions).is_empty());
    }

    fn far_to_near(distances: &[f32]) -> Vec<u32> {
        Order::default().far_to_near(distances.iter().copied()).clone()
    }

    #[test]
    fn far_to_near_skips_values_that_are_not_finite() {
        assert_eq!(far_to_near(&[1.0, f32::NAN, 3.0, -2.0, f32::INFINITY, 3.0]), [2, 5, 0, 3]);
    }

    #[test]
    fn none_one_and_coincident() {
        assert!(far_to_near(&[]).is_empty());
        assert_eq!(far_to_near(&[1.0]), [0]);
        assert_eq!(far_to_near(&[1.0; 3]), [0, 1, 2]);
        assert_eq!(far_to_near(&[-3e38, 3e38]).len(), 2);
    }
}
