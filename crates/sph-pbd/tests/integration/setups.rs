//! Errors and remarks.

use glam::Vec3;
use proptest::prelude::*;
use sph_pbd::cloth::{ClothError, ClothRemark, ClothSetup, Grid, Pin};

use crate::tank::{FRAME, Tank};

fn square() -> ClothSetup {
    let grid = Grid { corner: Vec3::ZERO, along: 0.1 * Vec3::X, across: 0.1 * Vec3::Z, columns: 4, rows: 4 };
    ClothSetup { thickness: 0.1, ..ClothSetup::grid("square", &grid) }
}

fn error(change: impl Fn(&mut ClothSetup)) -> ClothError {
    let mut setup = square();
    change(&mut setup);
    assert!(setup.remarks(Vec3::NEG_Y).is_empty());
    setup.sheet().expect_err("an error")
}

#[test]
fn senseless_descriptions_are_errors() {
    use ClothError::*;
    assert!(matches!(error(|setup| setup.vertices.clear()), VertexCount { found: 0 }));
    assert!(matches!(error(|setup| setup.triangles.clear()), NoTriangles));
    assert!(matches!(error(|setup| setup.rest_shape = vec![Vec3::ZERO; 3]), RestShapeCount { found: 3, expected: 16 }));
    assert!(matches!(error(|setup| setup.vertices[5].y = f32::NAN), BadPosition { vertex: 5, .. }));
    assert!(matches!(error(|setup| setup.vertices[5].y = 1e30), BadPosition { vertex: 5, .. }));
    assert!(matches!(error(|setup| setup.triangles[2][1] = 99), NoSuchVertex { triangle: 2, vertex: 99, count: 16 }));
    assert!(matches!(error(|setup| setup.triangles[2][1] = setup.triangles[2][0]), FlatTriangle { triangle: 2 }));
    assert!(matches!(error(|setup| setup.vertices.push(Vec3::ONE)), LooseVertex { vertex: 16 }));
    assert!(matches!(error(|setup| setup.thickness = 0.2), TooThick { .. }));
    assert!(matches!(error(|setup| setup.thickness = 0.0), OutOfRange { .. }));
    assert!(matches!(error(|setup| setup.areal_density = f32::INFINITY), OutOfRange { .. }));
    assert!(matches!(error(|setup| setup.bending_compliance = f32::NAN), OutOfRange { .. }));
    assert!(matches!(error(|setup| setup.pins = vec![Pin { vertex: 16, motion: None }]), NoSuchPin { vertex: 16, count: 16 }));
    let twice = |setup: &mut ClothSetup| *setup = setup.clone().pinned([3, 3]);
    assert!(matches!(error(twice), PinnedTwice { vertex: 3 }));
    let huge = Grid { corner: Vec3::ZERO, along: Vec3::X, across: Vec3::Z, columns: u32::MAX, rows: u32::MAX };
    assert!(matches!(ClothSetup::grid("huge", &huge).sheet(), Err(VertexCount { found: 0 })));
    let text = error(|setup| setup.thickness = 0.2).to_string();
    assert!(text.contains("0.2 m is above the longest edge"), "{text}");
}

#[test]
fn likely_mistakes_are_remarked() {
    assert_eq!(square().remarks(Vec3::NEG_Y), []);
    assert_eq!(square().remarks(Vec3::ZERO), [ClothRemark::Adrift]);
    assert_eq!(square().pinned([0]).remarks(Vec3::ZERO), []);
    let mut fin = square();
    fin.vertices.push(Vec3::new(0.15, 0.1, 0.05));
    fin.triangles.push([1, 5, 16]);
    fin.triangles.push([1, 16, 2]);
    assert!(fin.remarks(Vec3::NEG_Y).iter().any(|remark| matches!(remark, ClothRemark::NonManifold { edges: 1.. })));
    let mut close = square();
    close.rest_shape = close.vertices.clone();
    close.vertices.iter_mut().for_each(|vertex| *vertex *= 0.5);
    assert!(close.remarks(Vec3::NEG_Y).iter().any(|remark| matches!(remark, ClothRemark::StartsTooClose { pairs: 1.. })));
}

#[test]
fn a_mesh_with_a_hole_is_fine() {
    let mut setup = square();
    setup.triangles.truncate(12);
    setup.vertices.truncate(12);
    setup.triangles.remove(7);
    assert!(setup.sheet().is_ok());
}

#[test]
fn sheets_gone_wrong_do_not_panic() {
    let mut tank = Tank::new(&[square()]);
    tank.sets[0].velocities[3] = Vec3::NAN;
    tank.sets[0].positions[7] = Vec3::INFINITY;
    tank.step(FRAME);
    for dt in [0.0, f64::NAN, -1.0, f64::INFINITY, 1e-12, 100.0] {
        tank.step(dt);
    }
    tank.sets[0].positions.truncate(5);
    assert!(tank.step(FRAME).searches.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any triangles of any points are a sheet or an error, and a sheet can be moved.
    #[test]
    fn any_mesh_is_a_sheet_or_an_error(
        points in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 3..12),
        triangles in prop::collection::vec(prop::array::uniform3(0_u32..12), 1..20),
        thickness in 0.01_f32..1.0,
    ) {
        let vertices = points.into_iter().map(Vec3::from).collect();
        let setup = ClothSetup { thickness, ..ClothSetup::new("any", vertices, triangles) };
        setup.remarks(Vec3::ZERO);
        if setup.sheet().is_ok() {
            let mut tank = Tank::new(&[setup]);
            tank.step(FRAME);
            prop_assert!(tank.sets[0].positions.iter().all(|position| position.is_finite()));
        }
    }
}
