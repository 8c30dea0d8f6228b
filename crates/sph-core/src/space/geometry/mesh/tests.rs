//! Meshes against the shapes that they are of, and their diagnosis.

use super::*;
use crate::parameters::Dimensions;
use crate::space::geometry::{Axis, Shape, ShapeKind, Solid};
use glam::Vec3;

/// A box from `min` to `max` (m) of twelve triangles, outwards.
fn cuboid(min: DVec3, max: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corner = |k: u32| DVec3::select(glam::BVec3::new(k & 1 == 1, k & 2 == 2, k & 4 == 4), max, min);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Both meshes in one; the second is turned inside out if `inwards`.
fn both(first: (Vec<DVec3>, Vec<[u32; 3]>), second: (Vec<DVec3>, Vec<[u32; 3]>), inwards: bool) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut vertices, mut triangles) = first;
    let offset = vertices.len() as u32;
    vertices.extend(second.0);
    let turned = |[a, b, c]: [u32; 3]| if inwards { [a, c, b] } else { [a, b, c] };
    triangles.extend(second.1.into_iter().map(|triangle| turned(triangle.map(|index| index + offset))));
    (vertices, triangles)
}

fn points() -> impl Iterator<Item = DVec3> {
    (0..2000u16).map(|n| {
        let random = |factor: f64| 3.0 * (f64::from(n) * factor).fract() - 1.0;
        DVec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9))
    })
}

#[test]
fn a_mesh_of_a_box_has_the_distances_of_the_box() {
    let (min, max) = (DVec3::new(0.1, 0.0, 0.2), DVec3::new(1.0, 0.7, 0.5));
    let (vertices, triangles) = cuboid(min, max);
    let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let cuboid = Shape::in_box(ShapeKind::Box, Dimensions::Three, min.as_vec3(), max.as_vec3(), Axis::Y).expect("a box");
    for (triangles, is_inward) in [(triangles, false), (turned, true)] {
        let (mesh, diagnosis) = TriangleMesh::new(&vertices, &triangles).expect("a closed mesh");
        let expected = MeshDiagnosis { triangles: 12, parts: 1, cavities: 0, is_inward, self_intersections: 0 };
        assert_eq!(diagnosis, expected);
        for at in points() {
            let (found, expected) = (mesh.nearest(at), cuboid.nearest(at));
            assert!((found.distance - expected.distance).abs() < 1e-6, "{at}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn parts_may_overlap_and_have_cavities() {
    let (outer, inner) = (cuboid(DVec3::ZERO, DVec3::ONE), cuboid(DVec3::splat(0.25), DVec3::splat(0.75)));
    let beside = cuboid(DVec3::splat(0.5), DVec3::splat(1.5));
    let mesh = |(vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>)| TriangleMesh::new(&vertices, &triangles).expect("closed");
    let is_in = |at: DVec3, low: f64, high: f64| at.cmpge(DVec3::splat(low)).all() && at.cmple(DVec3::splat(high)).all();
    let (hollow, diagnosis) = mesh(both(outer.clone(), inner, true));
    assert_eq!((diagnosis.parts, diagnosis.cavities), (1, 1));
    let (overlapping, diagnosis) = mesh(both(outer, beside, false));
    assert_eq!((diagnosis.parts, diagnosis.cavities), (2, 0));
    for at in points() {
        assert_eq!(hollow.nearest(at).distance < 0.0, is_in(at, 0.0, 1.0) && !is_in(at, 0.25, 0.75), "{at}");
        assert_eq!(overlapping.nearest(at).distance < 0.0, is_in(at, 0.0, 1.0) || is_in(at, 0.5, 1.5), "{at}");
    }
}

#[test]
fn open_and_broken_meshes_are_refused() {
    let (vertices, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
    let error = |vertices: &[DVec3], triangles: &[[u32; 3]]| TriangleMesh::new(vertices, triangles).expect_err("broken");
    assert_eq!(error(&vertices, &triangles[1..]), MeshError::Open { edges: 3 });
    let [a, b, c] = triangles[0];
    let mut mixed = triangles.clone();
    mixed[0] = [a, c, b];
    assert!(matches!(error(&vertices, &mixed), MeshError::NotManifold { .. }));
    assert_eq!(error(&vertices, &[[a, b, 99]]), MeshError::Index);
    assert_eq!(error(&vertices, &[[a, a, c]]), MeshError::Empty);
    assert_eq!(error(&[DVec3::NAN], &[[0, 0, 0]]), MeshError::NotFinite);
}

/// A box, one corner of which has been pulled through the face opposite.
#[test]
fn triangles_that_cross_are_counted() {
    let (mut vertices, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
    vertices[0] = DVec3::new(2.0, 0.3, 0.4);
    let (_, crossed) = TriangleMesh::new(&vertices, &triangles).expect("closed");
    assert!(crossed.self_intersections > 1);
}

#[test]
fn the_cut_of_a_mesh_is_a_solid_of_two_dimensions() {
    let (vertices, triangles) = cuboid(DVec3::new(0.1, 0.0, -0.2), DVec3::new(1.1, 0.7, 0.5));
    let (mesh, _) = TriangleMesh::new(&vertices, &triangles).expect("closed");
    let solid = Solid::from(Shape::mesh(mesh.cut()));
    assert!((solid.volume(Dimensions::Two) - 0.7).abs() < 1e-3);
    // In the middle of the plane the nearest side is 0.35 m away, not the front at 0.2 m.
    assert!((solid.signed_distance(Vec3::new(0.6, 0.35, 0.0)) + 0.35).abs() < 1e-6);
}
