//! Walls: the shapes of the containers.

use super::Outline;
use crate::render::Mesh;
use glam::Vec3;
use sph_core::{Container, Dimensions, Face, Pose, Setup, Triangulation};

/// Colour of walls as meshes.
const COLOR: [u8; 3] = [132, 142, 156];

/// Shapes of the containers of a scene.
#[derive(Debug, Default)]
pub struct Walls {
    walls: Vec<Wall>,
    /// True for each container that is no box.
    shaped: Vec<bool>,
}

#[derive(Debug)]
struct Wall {
    /// Surface around the fluid, without open faces; empty in two dimensions.
    surface: Triangulation,
    /// Outline of a container that is no box.
    outline: Option<Outline>,
}

impl Walls {
    /// The containers of a valid `setup`.
    pub fn new(setup: &Setup) -> Self {
        let dimensions = setup.discretization.dimensions;
        Self {
            walls: setup.containers.iter().map(|container| Wall::new(container, dimensions)).collect(),
            shaped: setup.containers.iter().map(|container| container.region.is_some()).collect(),
        }
    }

    /// True for each container that is no box.
    pub fn shaped(&self) -> &[bool] {
        &self.shaped
    }

    /// Surfaces in these poses, those beyond the end at rest.
    pub fn meshes(&self, poses: &[Pose]) -> Vec<Mesh<'_>> {
        let poses = poses.iter().copied().chain(std::iter::repeat(Pose::default()));
        let meshes = self.walls.iter().zip(poses).map(|(Wall { surface, .. }, pose)| Mesh {
            vertices: &surface.vertices,
            normals: &surface.normals,
            triangles: &surface.triangles,
            pose,
            color: COLOR,
            from_inside: true,
        });
        meshes.collect()
    }

    /// Appends the outlines of the containers that are no boxes as seen from `eye`, m.
    pub fn push_outlines(&self, poses: &[Pose], eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        for (index, wall) in self.walls.iter().enumerate() {
            if let Some(outline) = &wall.outline {
                outline.push(&poses.get(index).copied().unwrap_or_default(), eye, lines);
            }
        }
    }
}

impl Wall {
    fn new(container: &Container, dimensions: Dimensions) -> Self {
        let Container { min, max, ref region, faces, .. } = *container;
        if dimensions == Dimensions::Two {
            let outline = region.as_ref().map(|region| Outline::contour(region, min, max));
            return Self { surface: Triangulation::default(), outline };
        }
        let closed = region.as_ref().map(|region| Triangulation::of_solid(&region.closed()));
        let mut surface = closed.unwrap_or_else(|| Triangulation::of_box(min, max));
        let near = 1e-4 * (max - min).max_element();
        let vertices = &surface.vertices;
        let lies_in = |triangle: &[u32; 3], face: Face| {
            let (axis, bound) = (face as usize / 2, if (face as usize).is_multiple_of(2) { min } else { max });
            triangle.iter().all(|&index| (vertices[index as usize][axis] - bound[axis]).abs() <= near)
        };
        let open: Vec<Face> = Face::ALL.into_iter().filter(|&face| !faces.contains(face)).collect();
        surface.triangles.retain(|triangle| !open.iter().any(|&face| lies_in(triangle, face)));
        let outline = region.is_some().then(|| Outline::of(&surface));
        Self { surface, outline }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walls(keys: &str) -> Walls {
        let text = format!(
            "format = 1\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.1, -0.1, -0.1]\nmax = [0.1, 0.1, 0.1]\n\
             [[containers]]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\n{keys}\n"
        );
        Walls::new(&sph_io::parse(&text, "walls", &[]).unwrap_or_else(|error| panic!("{error}")).setup)
    }

    #[test]
    fn an_open_face_is_left_out() {
        let triangles = |keys: &str| walls(keys).walls[0].surface.triangles.len();
        assert_eq!((triangles(""), triangles("open = ['y_max']")), (12, 10));
        let cylinder = "shape = 'cylinder'\naxis = 'y'\n";
        // Area within 0.05 m of the ceiling or of the floor, which is a disc of π m²; the side reaches from one to the other.
        let area = |keys: &str, y: f32| {
            let Wall { surface, .. } = &walls(keys).walls[0];
            let corners = surface.triangles.iter().map(|triangle| triangle.map(|index| surface.vertices[index as usize]));
            let near = corners.filter(|corners| corners.iter().all(|corner| (corner.y - y).abs() < 0.05));
            near.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum::<f32>()
        };
        let open = format!("{cylinder}open = ['y_max']");
        assert!(area(cylinder, 1.0) > 3.0 && area(&open, 1.0) == 0.0 && area(&open, -1.0) > 3.0);
        assert_eq!(walls(&open).shaped(), [true]);
    }
}
