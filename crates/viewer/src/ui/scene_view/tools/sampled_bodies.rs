//! Particles of the scene's bodies, kept while the pointer looks for a place among them.

use glam::Vec3;
use std::sync::Arc;

/// Particles of bodies by index. To sample a solid takes up to a tenth of a second, too long for every movement of the pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SampledBodies {
    /// [`Snapshot::generation`](crate::session::Snapshot::generation) of the bodies.
    generation: u64,
    particles: Vec<Option<Arc<[Vec3]>>>,
}

impl SampledBodies {
    /// Positions of the particles of the body with this index in the scene of this generation, m; `sample` makes those that are not kept.
    pub fn of(&mut self, generation: u64, index: usize, sample: impl FnOnce() -> Vec<Vec3>) -> Arc<[Vec3]> {
        if generation != self.generation {
            *self = Self { generation, particles: Vec::new() };
        }
        if self.particles.len() <= index {
            self.particles.resize(index + 1, None);
        }
        self.particles[index].get_or_insert_with(|| sample().into()).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_sampled_once_for_each_scene() {
        let (mut bodies, mut sampled) = (SampledBodies::default(), Vec::new());
        for (generation, index) in [(1, 2), (1, 0), (1, 2), (2, 2), (2, 2)] {
            let place = Vec3::new(generation as f32, index as f32, 0.0);
            let particles = bodies.of(generation, index, || {
                sampled.push((generation, index));
                vec![place]
            });
            assert_eq!(*particles, [place]);
        }
        assert_eq!(sampled, [(1, 2), (1, 0), (2, 2)]);
    }
}
