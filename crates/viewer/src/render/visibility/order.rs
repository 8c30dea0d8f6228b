//! Depth sorting from far to near: a counting sort over quantised depth, in linear time.

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
