//! Particles from far to near: a counting sort over quantised depth, which takes time linear in their number.

use glam::Vec3;

/// Depths told apart. Two spheres within one part differ by less than anyone can see.
const PARTS: usize = 1 << 14;

/// Order of drawing, with the memory that it reuses from frame to frame.
#[derive(Debug, Default)]
pub struct Order {
    indices: Vec<u32>,
    depths: Vec<f32>,
    starts: Vec<u32>,
}

impl Order {
    /// Indices of the finite `positions`, those farthest along `forward` first; equal ones as they come.
    pub fn far_to_near(&mut self, positions: &[Vec3], forward: Vec3) -> &mut Vec<u32> {
        let Self { indices, depths, starts } = self;
        depths.clear();
        depths.extend(positions.iter().map(|position| position.dot(forward)));
        let (mut nearest, mut farthest, mut count) = (f32::INFINITY, f32::NEG_INFINITY, 0);
        for &depth in &*depths {
            if depth.is_finite() {
                nearest = nearest.min(depth);
                farthest = farthest.max(depth);
                count += 1;
            }
        }
        let scale = (PARTS - 1) as f32 / (farthest - nearest);
        // Coincident depths give an infinite scale and 0 · ∞, which converts to part 0, as any would do.
        let part = |depth: f32| ((farthest - depth) * scale) as usize & (PARTS - 1);
        starts.clear();
        starts.resize(PARTS + 1, 0);
        for &depth in depths.iter().filter(|depth| depth.is_finite()) {
            starts[part(depth) + 1] += 1;
        }
        for place in 0..PARTS {
            starts[place + 1] += starts[place];
        }
        indices.clear();
        indices.resize(count, 0);
        for (index, &depth) in depths.iter().enumerate().filter(|(_, depth)| depth.is_finite()) {
            let start = &mut starts[part(depth)];
            indices[*start as usize] = index as u32;
            *start += 1;
        }
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_to_near_leaves_out_what_is_not_finite() {
        let at = |z: f32| Vec3::new(0.0, 0.0, z);
        let positions = [at(1.0), at(f32::NAN), at(3.0), at(-2.0), at(f32::INFINITY), at(3.0)];
        assert_eq!(*Order::default().far_to_near(&positions, Vec3::Z), [2, 5, 0, 3]);
    }

    #[test]
    fn none_one_and_coincident_particles() {
        let mut order = Order::default();
        assert!(order.far_to_near(&[], Vec3::Z).is_empty());
        assert_eq!(*order.far_to_near(&[Vec3::ONE], Vec3::Z), [0]);
        assert_eq!(*order.far_to_near(&[Vec3::ONE; 3], Vec3::Z), [0, 1, 2]);
        assert_eq!(order.far_to_near(&[Vec3::Z * -3e38, Vec3::Z * 3e38], Vec3::Z).len(), 2);
    }
}
