//! Particles of the rigid bodies, drawn grey because they have no value.

use glam::Vec3;
use sph_core::{Motion, Setup};

/// The rigid bodies of a scene, sampled by particles.
#[derive(Debug, Default)]
pub struct Bodies {
    /// Motion of each body, and positions of its particles before any motion, m.
    bodies: Vec<(Motion, Vec<Vec3>)>,
    /// Positions of fluid and bodies, m: the result of [`Bodies::beside`].
    all: Vec<Vec3>,
}

impl Bodies {
    /// The bodies of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        let particles = |body: &sph_core::Body| (body.motion.clone(), body.particles(&setup.discretization));
        Self { bodies: setup.bodies.iter().map(particles).collect(), all: Vec::new() }
    }

    /// Positions of the fluid, followed by the positions of the bodies' particles at `time` (s), m.
    pub fn beside<'a>(&'a mut self, fluid: &'a [Vec3], time: f64) -> &'a [Vec3] {
        if self.bodies.is_empty() {
            return fluid;
        }
        self.all.clear();
        self.all.extend_from_slice(fluid);
        for (motion, particles) in &self.bodies {
            let pose = motion.pose(time);
            self.all.extend(particles.iter().map(|particle| pose.point(particle.as_dvec3()).as_vec3()));
        }
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_after_the_fluid_and_move() {
        let text = |motion: &str| {
            format!(
                "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [2.2, 0.2]\n{motion}\n"
            )
        };
        let bodies = |motion: &str| Bodies::new(&sph_io::parse(&text(motion), "body", &[]).expect("the scene is valid").setup);
        let fluid = [Vec3::ZERO];
        let mut turned = bodies("rotation = { angular_velocity = 90, pivot = [2, 0] }");
        assert!(turned.beside(&fluid, 1.0)[1].abs_diff_eq(Vec3::new(1.95, 0.05, 0.0), 1e-6));
        let mut bodies = bodies("velocity = [1, 0]");
        let all = bodies.beside(&fluid, 0.5);
        assert_eq!((all.len(), all[0]), (1 + 4, Vec3::ZERO));
        assert!(all[1].abs_diff_eq(Vec3::new(2.55, 0.05, 0.0), 1e-6), "{}", all[1]);
        assert_eq!(Bodies::default().beside(&fluid, 1.0), fluid);
    }
}
