//! Rigid bodies: their particles, drawn grey because they have no value, and their surfaces.

use super::Outline;
use crate::color::{CATEGORIES, category};
use crate::render::Mesh;
use glam::Vec3;
use sph_core::{Body, Discretization, DroppedBody, Pose, Setup, Triangulation};
use std::cell::OnceCell;

/// Colour of bodies as meshes.
const COLOR: [u8; 3] = [176, 150, 112];

/// Surfaces of the rigid bodies of a scene.
#[derive(Debug, Default)]
pub struct BodyMeshes {
    surfaces: Vec<Triangulation>,
    /// Made when they are first drawn.
    outlines: OnceCell<Vec<Outline>>,
}

impl BodyMeshes {
    /// The bodies of a valid `setup`, and those that have been dropped; none in two dimensions.
    pub fn new(setup: &Setup, dropped: &[DroppedBody]) -> Self {
        let dropped = dropped.iter().map(|dropped| dropped.body().triangulation());
        Self { surfaces: setup.bodies.iter().map(Body::triangulation).chain(dropped).collect(), outlines: OnceCell::new() }
    }

    /// Meshes in these `poses`, in the colours of their numbers if they are `numbered`.
    pub fn placed(&self, poses: impl IntoIterator<Item = Pose>, numbered: bool) -> Vec<Mesh<'_>> {
        let color = |number: u32| if numbered { category(number % CATEGORIES) } else { COLOR };
        let placed = (0..).zip(self.surfaces.iter().zip(poses)).map(|(number, (mesh, pose))| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose,
            color: color(number),
            from_inside: false,
        });
        placed.collect()
    }

    /// Appends the outlines in these `poses` as seen from `eye`, m.
    pub fn push_outlines(&self, poses: impl IntoIterator<Item = Pose>, eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        for (outline, pose) in self.outlines.get_or_init(|| self.surfaces.iter().map(Outline::of).collect()).iter().zip(poses) {
            outline.push(&pose, eye, lines);
        }
    }
}

/// The rigid bodies of a scene, sampled by particles.
#[derive(Debug, Default)]
pub struct Bodies {
    /// Positions of the particles of each body before any motion, m.
    bodies: Vec<Vec<Vec3>>,
    /// Number of bodies of the setup.
    described: usize,
    /// Those that have been dropped, which come after them.
    dropped: Vec<DroppedBody>,
    /// Positions of fluid and bodies, m: the result of [`Bodies::beside`].
    all: Vec<Vec3>,
}

impl Bodies {
    /// The bodies of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        let bodies: Vec<_> = setup.bodies.iter().map(|body| body.shown_particles(&setup.discretization)).collect();
        Self { described: bodies.len(), bodies, dropped: Vec::new(), all: Vec::new() }
    }

    /// Adds the bodies that have been `dropped`, in place of those before.
    pub fn set_dropped(&mut self, dropped: &[DroppedBody], discretization: &Discretization) {
        if self.dropped != dropped {
            self.bodies.truncate(self.described);
            self.bodies.extend(dropped.iter().map(|dropped| dropped.body().shown_particles(discretization)));
            self.dropped = dropped.to_vec();
        }
    }

    /// Number of the body of each particle of the bodies, in the order of [`Bodies::beside`].
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.bodies).flat_map(|(number, particles)| std::iter::repeat_n(number, particles.len()))
    }

    /// Positions of the fluid, followed by the positions of the particles of the bodies in `poses`, m.
    pub fn beside<'a>(&'a mut self, fluid: &'a [Vec3], poses: impl IntoIterator<Item = Pose>) -> &'a [Vec3] {
        if self.bodies.is_empty() {
            return fluid;
        }
        self.all.clear();
        self.all.extend_from_slice(fluid);
        for (particles, pose) in self.bodies.iter().zip(poses) {
            self.all.extend(particles.iter().map(|particle| pose.point(particle.as_dvec3()).as_vec3()));
        }
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::DroppedShape;

    #[test]
    fn bodies_come_after_the_fluid_and_move() {
        let text = |motion: &str| {
            format!(
                "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [2.2, 0.2]\n{motion}\n"
            )
        };
        let placed = |motion: &str, time: f64| {
            let setup = sph_io::parse(&text(motion), "body", &[]).expect("the scene is valid").setup;
            let poses = setup.bodies.iter().map(|body| body.motion.pose(time));
            Bodies::new(&setup).beside(&[Vec3::ZERO], poses).to_vec()
        };
        let turned = placed("rotation = { angular_velocity = 90, pivot = [2, 0] }", 1.0);
        assert!(turned[1].abs_diff_eq(Vec3::new(1.95, 0.05, 0.0), 1e-6));
        let all = placed("velocity = [1, 0]", 0.5);
        assert_eq!((all.len(), all[0]), (1 + 4, Vec3::ZERO));
        assert!(all[1].abs_diff_eq(Vec3::new(2.55, 0.05, 0.0), 1e-6), "{}", all[1]);
        assert_eq!(Bodies::default().beside(&[Vec3::ZERO], []), [Vec3::ZERO]);
    }

    /// Every place inside is closer to a particle than the diagonal of a cell.
    #[test]
    fn bodies_in_the_plane_are_filled() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0]\nmax = [1, 1]\n\
                    [[bodies]]\nmin = [2, 0]\nmax = [3, 1]\n[[bodies]]\nshape = 'cylinder'\naxis = 'z'\nmin = [4, 0]\nmax = [6, 2]\n";
        let setup = sph_io::parse(text, "bodies", &[]).expect("the scene is valid").setup;
        let center = Vec3::new(8.0, 1.0, 0.0);
        let ball = DroppedBody { center, size: 1.0, shape: DroppedShape::Ball, density: 1.0, velocity: Vec3::ZERO };
        let mut bodies = Bodies::new(&setup);
        bodies.set_dropped(&[ball], &setup.discretization);
        let shown = bodies.beside(&[], [Pose::default(); 3]);
        let inside = |at: Vec3| {
            (at - Vec3::new(2.5, 0.5, 0.0)).abs().max_element() < 0.5
                || at.distance(Vec3::new(5.0, 1.0, 0.0)) < 1.0
                || at.distance(center) < 0.5
        };
        let places = (0..200 * 40).map(|cell| 0.05 * Vec3::new((cell % 200) as f32, (cell / 200) as f32, 0.0));
        let gaps: Vec<Vec3> =
            places.filter(|&at| inside(at) && shown.iter().all(|particle| particle.distance(at) > 0.142)).collect();
        assert!(gaps.is_empty() && shown.iter().all(|&at| inside(at)), "{gaps:?}");
    }

    #[test]
    fn numbered_bodies_have_the_colors_of_the_legend() {
        let text = "format = 1\nparticles.spacing = 0.1\n[[fluid.blocks]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n\
                    [[bodies]]\nmin = [2, 0, 0]\nmax = [2.2, 0.2, 0.2]\n[[bodies]]\nmin = [3, 0, 0]\nmax = [3.2, 0.2, 0.2]\n\
                    [view]\ncolor = 'body'\n";
        let scene = sph_io::parse(text, "bodies", &[]).expect("the scene is valid");
        let meshes = BodyMeshes::new(&scene.setup, &[]);
        let colors = |numbered| meshes.placed([Pose::default(); 2], numbered).iter().map(|mesh| mesh.color).collect::<Vec<_>>();
        let legend = crate::color::named_colors(scene.view.color, &scene).expect("bodies have names");
        let named: Vec<[u8; 3]> = legend.iter().map(|(_, color)| *color).collect();
        assert!(colors(true).iter().all(|color| named.contains(color)) && colors(true)[0] != colors(true)[1], "{named:?}");
        assert_eq!(colors(false), [COLOR; 2]);
    }
}
