//! Probes of scene files: places, regions and openings, and faults with their places.

use glam::{Vec2, Vec3};
use sph_core::Aperture;
use sph_core::probes::{FluxGate, PointGrid, Probe, Quantity};

const SCENE: &str = r#"format = 1
[particles]
spacing = 0.1
[[fluid.blocks]]
min = [0, 0, 0]
max = [1, 1, 1]
[[probes]]
name = "p"
"#;

fn probe(keys: &str) -> Result<Probe, String> {
    let scene = sph_io::parse(&format!("{SCENE}{keys}"), "a", &[]).map_err(|error| error.summary())?;
    Ok(scene.probes[0].probe.clone())
}

#[test]
fn fields_are_read_at_points_along_lines_and_over_planes() {
    let at = Vec3::new(0.5, 0.25, 0.5);
    let point = probe("kind = 'velocity'\nat = [0.5, 0.25, 0.5]").unwrap();
    assert_eq!(point, Probe::Field { quantity: Quantity::Velocity, points: PointGrid::point(at) });
    let line = "from = [0, 0, 0]\nto = [1, 0, 0]\npoints = 3";
    let points = PointGrid::line(Vec3::ZERO, Vec3::X, 3);
    assert_eq!(probe(&format!("kind = 'pressure'\n{line}")).unwrap(), Probe::Field { quantity: Quantity::Pressure, points });
    let plane = probe(&format!("kind = 'density'\n{line}\nacross = [0, 1, 0]\nrows = 5")).unwrap();
    let points = PointGrid { across: Vec3::Y, rows: 5, ..points };
    assert_eq!(plane, Probe::Field { quantity: Quantity::Density, points });
    assert_eq!((points.at(1), points.at(14)), (0.5 * Vec3::X, Vec3::new(1.0, 1.0, 0.0)));
}

#[test]
fn regions_have_any_shape_and_openings_are_round_or_rectangular() {
    let Ok(Probe::Region(solid)) = probe("kind = 'region'\nshape = 'sphere'\nmin = [0, 0, 0]\nmax = [1, 1, 1]") else {
        panic!("a region")
    };
    assert!(solid.contains(Vec3::splat(0.5)) && !solid.contains(Vec3::splat(0.1)));
    let gate = "kind = 'flux'\nat = [0.5, 0.5, 0.5]\ndirection = [1, 0, 0]\n";
    let gate_with = |aperture| Probe::Flux(FluxGate { center: Vec3::splat(0.5), direction: Vec3::X, aperture });
    assert_eq!(probe(&format!("{gate}radius = 0.5")).unwrap(), gate_with(Aperture::Round { radius: 0.5 }));
    let rectangle = Aperture::Rectangle { size: Vec2::new(1.0, 0.5) };
    assert_eq!(probe(&format!("{gate}size = [1, 0.5]")).unwrap(), gate_with(rectangle));
}

#[test]
fn faults_of_places_are_shown() {
    let faults = [
        ("kind = 'pressure'", "`probes.0` has neither of `at` and `from`"),
        ("kind = 'pressure'\nat = [0, 0, 0]\nfrom = [0, 0, 0]", "`probes.0` has both of `at` and `from`"),
        ("kind = 'density'\nfrom = [0, 0, 0]\nto = [0, 0, 1]", "a line of `probes.0` is not complete"),
        ("kind = 'density'\nat = [0, 0, 0]\nrows = 4", "a plane of `probes.0` is not complete"),
        (
            "kind = 'density'\nfrom = [0, 0, 0]\nto = [0, 0, 1]\npoints = 200\nacross = [1, 0, 0]\nrows = 51",
            "`probes.0` has 10200 points",
        ),
        ("kind = 'velocity'\nat = [0, 0, 0]\nface = 'x_min'", "a probe of the kind `velocity` has no `face`"),
        ("kind = 'energy'\nmin = [0, 0, 0]", "a probe of the kind `energy` has no `min`"),
        ("kind = 'region'\nmin = [0, 0, 0]", "missing key `max` in `probes.0`"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 0, 0]\nradius = 1", "the direction of an opening has no length"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 1, 0]", "an opening is round or rectangular"),
        ("kind = 'flux'\nat = [0, 0, 0]\ndirection = [0, 1, 0]\nsize = [1]", "an opening in 3 dimensions has two sizes"),
    ];
    for (keys, expected) in faults {
        let summary = probe(keys).unwrap_err();
        assert!(summary.contains(expected), "{keys}: {summary}");
    }
}
