//! Solid geometry: shapes by their signed distances, and unions and differences of them.
//!
//! A [`Solid`] says for every point how far the surface is and on which side. Fluid blocks are filled, walls are sampled and
//! particles are kept out of walls with that alone, whatever the shape.

mod measure;
mod mesh;
mod sampling;
mod shape;
mod solid;
mod triangulation;

pub use mesh::{Heightfield, MeshDiagnosis, MeshError, Shell, TriangleMesh};
pub use shape::{Axis, Nearest, Shape, ShapeError, ShapeKind};
pub use solid::Solid;
pub use triangulation::Triangulation;

pub(crate) use mesh::distance_to_triangle;
pub(crate) use sampling::{Lattice, LatticePoint, Layers, PointGrid, centred_cells, sample_layers};
pub(crate) use shape::Form;
pub(crate) use solid::{Side, clear_step};
pub(crate) use triangulation::isosurface;

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::parameters::Dimensions;
    use glam::{DMat3, DVec3, Vec3};

    // Shapes: distances, volumes and booleans against closed forms and brute force; layers at surfaces are even.

    const MIN: Vec3 = Vec3::new(-0.6, -0.5, 0.2);

    /// Shapes in boxes with their volumes in three dimensions and areas in two.
    fn shapes() -> Vec<(ShapeKind, Axis, Vec3, [f64; 2])> {
        let (sphere, round) = (Vec3::splat(1.0), Vec3::new(1.0, 1.6, 1.0));
        vec![
            (ShapeKind::Box, Axis::Y, Vec3::new(1.0, 0.8, 0.5), [0.8, 0.4]),
            (ShapeKind::Ellipsoid, Axis::Y, Vec3::new(1.0, 0.8, 0.5), [PI * 0.2, PI / 6.0 * 0.4]),
            (ShapeKind::Sphere, Axis::Y, sphere, [PI * 0.25, PI / 6.0]),
            (ShapeKind::Cylinder, Axis::Y, round, [1.6, 0.25 * PI * 1.6]),
            (ShapeKind::Cylinder, Axis::Z, Vec3::new(1.0, 1.0, 0.7), [0.25 * PI, 0.25 * PI * 0.7]),
            (ShapeKind::Capsule, Axis::Y, round, [0.6 + 0.25 * PI, 0.25 * PI * 0.6 + PI / 6.0]),
            (ShapeKind::Cone, Axis::Y, round, [0.8, 0.25 * PI * 1.6 / 3.0]),
            (ShapeKind::Cone, Axis::X, Vec3::new(1.6, 1.0, 1.0), [0.8, 0.25 * PI * 1.6 / 3.0]),
        ]
    }

    fn shape(kind: ShapeKind, axis: Axis, size: Vec3, dimensions: Dimensions) -> Shape {
        Shape::in_box(kind, dimensions, MIN, MIN + size, axis).expect("the shape fits into the box")
    }

    /// Pseudorandom points in a box a little larger than those of the shapes.
    fn points(count: u16, dimensions: Dimensions) -> impl Iterator<Item = DVec3> {
        (0..count).map(move |n| {
            let random = |factor: f64| (f64::from(n) * factor).fract();
            let at = DVec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9));
            let at = MIN.as_dvec3() - 0.4 + 2.6 * at;
            if dimensions == Dimensions::Two { at.with_z(0.0) } else { at }
        })
    }

    #[test]
    fn volumes_are_those_of_closed_forms() {
        for (kind, axis, size, volumes) in shapes() {
            for (dimensions, expected) in [Dimensions::Two, Dimensions::Three].into_iter().zip(volumes) {
                let turned = DMat3::from_axis_angle(DVec3::Z, 0.3);
                for rotation in [DMat3::IDENTITY, turned] {
                    let solid = Solid::from(shape(kind, axis, size, dimensions).turned(rotation).moved(DVec3::X));
                    let volume = solid.volume(dimensions);
                    assert!((volume / expected - 1.0).abs() < 2e-3, "{kind} along {axis}: {volume} of {expected}");
                }
            }
        }
    }

    /// The foot of a point lies on the surface; and no point of the surface is nearer, since everything closer has the same side.
    #[test]
    fn distances_are_those_of_the_nearest_point_of_the_surface() {
        for (kind, axis, size, _) in shapes() {
            for dimensions in [Dimensions::Two, Dimensions::Three] {
                let shape = shape(kind, axis, size, dimensions).turned(DMat3::from_axis_angle(DVec3::Z, 0.3));
                for at in points(400, dimensions) {
                    let Nearest { distance, normal } = shape.nearest(at);
                    assert!((normal.length() - 1.0).abs() < 1e-9, "{kind} at {at}: {normal}");
                    let foot = at - distance * normal;
                    assert!(shape.nearest(foot).distance.abs() < 1e-6, "{kind} at {at}: the foot {foot} is off the surface");
                    for direction in points(40, dimensions).map(|other| (other - at).normalize_or_zero()) {
                        let closer = shape.nearest(at + 0.999 * distance.abs() * direction).distance;
                        assert!(closer * distance >= 0.0, "{kind} at {at}: the other side is nearer than {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn known_distances() {
        let near = |kind, axis, size, at| shape(kind, axis, size, Dimensions::Three).nearest(at).distance;
        let middle = MIN.as_dvec3() + 0.5;
        let sphere = |at| near(ShapeKind::Sphere, Axis::Y, Vec3::ONE, at);
        assert!((sphere(middle) + 0.5).abs() < 1e-6 && (sphere(middle + 2.0 * DVec3::X) - 1.5).abs() < 1e-6);
        let round = Vec3::new(1.0, 1.6, 1.0);
        let base = MIN.as_dvec3() + DVec3::new(0.5, 0.0, 0.5);
        // Below the base, beside the tip along the normal of the side, and above the tip.
        let cone = |at| near(ShapeKind::Cone, Axis::Y, round, base + at);
        let side = DVec3::new(1.6, 0.5, 0.0).normalize();
        assert!((cone(-0.2 * DVec3::Y) - 0.2).abs() < 1e-6 && (cone(1.9 * DVec3::Y) - 0.3).abs() < 1e-6);
        assert!((cone(DVec3::new(0.25, 0.8, 0.0) + 0.1 * side) - 0.1).abs() < 1e-6);
    }

    #[test]
    fn booleans_are_pointwise() {
        let dimensions = Dimensions::Three;
        let parts = [
            shape(ShapeKind::Cylinder, Axis::Y, Vec3::new(1.0, 1.6, 1.0), dimensions),
            shape(ShapeKind::Box, Axis::Y, Vec3::new(1.6, 0.4, 0.8), dimensions).turned(DMat3::from_rotation_x(0.5)),
            shape(ShapeKind::Sphere, Axis::Y, Vec3::splat(0.7), dimensions).moved(DVec3::new(0.3, 0.1, 0.0)),
        ];
        let is_in = |part: &Shape, at| part.nearest(at).distance <= 0.0;
        let solid = Solid::new(parts[..2].to_vec(), parts[2..].to_vec());
        let [low, high] = solid.bounds();
        let mut inside = 0;
        for at in points(4000, dimensions) {
            let expected = (is_in(&parts[0], at) || is_in(&parts[1], at)) && !is_in(&parts[2], at);
            let Nearest { distance, .. } = solid.nearest(at);
            assert_eq!(distance <= 0.0, expected, "{at}");
            assert!(!expected || at.cmpge(low).all() && at.cmple(high).all());
            inside += u32::from(expected);
            // No farther than the distance is the other side.
            for other in points(20, dimensions) {
                let near = at + 0.999 * distance.abs() * (other - at).normalize_or_zero();
                assert!(solid.nearest(near).distance * distance >= 0.0, "{at}");
            }
        }
        assert!(inside > 100);
    }

    #[test]
    fn boxes_of_the_wrong_form_are_refused() {
        let refused = |kind, size: Vec3| Shape::in_box(kind, Dimensions::Three, MIN, MIN + size, Axis::Y).is_err();
        assert!(refused(ShapeKind::Sphere, Vec3::new(1.0, 1.0, 0.9)) && refused(ShapeKind::Cone, Vec3::new(1.0, 2.0, 0.9)));
        assert!(refused(ShapeKind::Capsule, Vec3::new(1.0, 0.9, 1.0)) && refused(ShapeKind::Box, Vec3::new(1.0, -1.0, 1.0)));
        assert!(refused(ShapeKind::Ellipsoid, Vec3::new(1.0, f32::NAN, 1.0)));
    }

    #[test]
    fn layers_are_even() {
        let spacing = 0.07f32;
        for (kind, axis, size, _) in shapes() {
            for dimensions in [Dimensions::Two, Dimensions::Three] {
                for side in [Side::Inside, Side::Outside] {
                    let solid = Solid::from(shape(kind, axis, size, dimensions));
                    let layers = Layers { dimensions, spacing, count: 3, shift: 0.0, side };
                    let (points, _) = sample_layers(&solid, layers);
                    assert!((points.len() as u64) <= layers.estimate(&solid), "{kind}: {}", points.len());
                    let depths = points.iter().map(|&at| side.depth(solid.nearest(at.as_dvec3()).distance) as f32 / spacing);
                    assert!(depths.clone().all(|depth| (depth.rem_euclid(1.0) - 0.5).abs() < 0.03));
                    let gap = |a: &Vec3| {
                        let others = points.iter().map(|b| a.distance(*b)).filter(|&gap| gap > 0.0);
                        others.fold(f32::INFINITY, f32::min) / spacing
                    };
                    // Beside the surface.
                    let first = points.iter().zip(depths).filter(|(_, depth)| *depth < 1.0).map(|(a, _)| gap(a));
                    let mut gaps: Vec<f32> = first.collect();
                    gaps.sort_by(f32::total_cmp);
                    let (least, median, most) = (gaps[0], gaps[gaps.len() / 2], gaps[gaps.len() - 1]);
                    let what = format!("{kind} along {axis}, {dimensions:?}, {side:?}: {least} {median} {most}");
                    assert!(least > 0.5 && most < 1.5 && (0.85..1.15).contains(&median), "{what}");
                }
            }
        }
    }

    #[test]
    fn layers_share_the_volume_behind_the_surface() {
        for (dimensions, ball) in [(Dimensions::Two, PI), (Dimensions::Three, 4.0 / 3.0 * PI)] {
            for (side, depth) in [(Side::Inside, -0.3), (Side::Outside, 0.3)] {
                let solid = Solid::from(shape(ShapeKind::Sphere, Axis::Y, Vec3::ONE, dimensions));
                let (points, volumes) = sample_layers(&solid, Layers { dimensions, spacing: 0.1, count: 3, shift: 0.0, side });
                let power = |radius: f64| ball * radius.powi(dimensions.count() as i32);
                let expected = (power(0.5 + depth) - power(0.5)).abs();
                let total: f64 = volumes.iter().map(|&volume| f64::from(volume)).sum();
                assert!((total / expected - 1.0).abs() < 2e-3, "{total} of {expected}");
                let mean = total / points.len() as f64;
                assert!(
                    volumes.iter().all(|&volume| (0.6..1.6).contains(&(f64::from(volume) / mean))),
                    "{dimensions:?} {side:?}"
                );
            }
        }
    }
}
