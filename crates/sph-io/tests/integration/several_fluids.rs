//! Several fluids in a scene: their values, and the errors of bad ones.

use glam::Vec3;
use sph_core::probes::Probe;
use sph_core::{Engine, Face, Fluid, Interface, Simulation};
use sph_io::{ColorField, Scene, SceneError};

const LAYERS: &str = r##"format = 1
dimensions = 2
[particles]
spacing = 0.05
[fluid]
kinematic_viscosity = 1e-5
[[fluids]]
name = "oil"
rest_density = 800.0
kinematic_viscosity = 1e-4
color = "#F0a010"
[[fluids]]
name = "water"
rest_density = 1000.0
surface_tension = 0.07
[[fluid.blocks]]
fluid = "water"
min = [0.0, 0.0]
max = [1.0, 0.5]
[[fluid.blocks]]
min = [0.0, 0.5]
max = [1.0, 1.0]
[[containers]]
min = [0.0, 0.0]
max = [1.0, 1.5]
"##;

fn load(text: &str, sets: &[&str]) -> Result<Scene, SceneError> {
    let overrides: Vec<_> = sets.iter().map(|set| set.parse().unwrap()).collect();
    sph_io::parse(text, "a.toml", &overrides)
}

#[track_caller]
fn check(old: &str, new: &str, summary: &str) {
    assert!(LAYERS.contains(old), "{old}");
    assert_eq!(load(&LAYERS.replacen(old, new, 1), &[]).unwrap_err().summary(), summary);
}

#[test]
fn fluids_have_the_values_of_the_scene() {
    let scene = load(LAYERS, &[]).unwrap();
    let [oil, water] = scene.setup.fluids.as_slice() else { panic!("{:?}", scene.setup.fluids) };
    let expected = Fluid { kinematic_viscosity: Some(1e-4), color: Some([0xf0, 0xa0, 0x10]), ..Fluid::new("oil", 800.0) };
    assert_eq!(*oil, expected);
    assert_eq!(*water, Fluid { surface_tension: Some(0.07), ..Fluid::new("water", 1000.0) });
    // A block without a name has the first, the densest is the reference, and colours show the fluids.
    assert_eq!(scene.setup.blocks.iter().map(|block| block.fluid).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(scene.setup.discretization.rest_density, 1000.0);
    assert_eq!(scene.view.color, ColorField::Fluid);
    let particles = Simulation::new(&scene.setup).unwrap().particles().fluids.clone();
    assert_eq!([0, 1].map(|fluid| particles.iter().filter(|&&of| of == fluid).count()), [200, 200]);
}

#[test]
fn overrides_reach_a_fluid_by_its_index() {
    let scene = load(LAYERS, &["fluids.1.rest_density=900", "fluids.0.name=paraffin"]).unwrap();
    assert_eq!(scene.setup.fluids[1].rest_density, 900.0);
    assert_eq!(scene.setup.fluids[0].name, "paraffin");
    let error = load(LAYERS, &["fluids.0.rest_density=90"]).unwrap_err();
    assert_eq!(
        error.summary(),
        "--set fluids.0.rest_density=90: the densest fluid is 11.1 times as dense as the lightest; at most 10 has been \
            tested, and air next to water would be thrown about: expected at least 100 kg/m³ beside 1000 kg/m³"
    );
}

#[test]
fn only_rounding_may_exceed_the_density_ratio() {
    let densities = |light: &str, dense: &str| {
        load(LAYERS, &[&format!("fluids.0.rest_density={light}"), &format!("fluids.1.rest_density={dense}")])
    };
    for tenths in 1..1000 {
        let (light, dense) = (format!("{}.{}", tenths / 10, tenths % 10), tenths.to_string());
        assert!(densities(&light, &dense).is_ok(), "{dense} kg/m³ on {light} kg/m³");
    }
    assert!(densities("99.999", "1000").is_err());
}

#[test]
fn a_wave_divides_a_block() {
    let wave = "interface = { below = 'water', height = 0.75, amplitude = 0.1, wavelength = 2.0 }";
    let text = LAYERS.replace("min = [0.0, 0.5]", &format!("{wave}\nmin = [0.0, 0.5]"));
    let setup = load(&text, &[]).unwrap().setup;
    let expected = Interface { below: 1, height: 0.75, amplitude: 0.1, wavelength: 2.0 };
    assert_eq!(setup.blocks[1].interface, Some(expected));
    let misspelt = load(&text.replace("'water'", "'watre'"), &[]).unwrap_err();
    assert_eq!(misspelt.summary(), "a.toml:21:23: no fluid is called `watre`: did you mean `water`?");
    let flat = load(&text.replace("wavelength = 2.0", "wavelength = 0"), &[]).unwrap_err();
    assert_eq!(flat.summary(), "a.toml:21:77: `fluid.blocks.1.interface.wavelength` must be a number above 0, but is 0");
}

#[test]
fn bad_fluids() {
    check("fluid = \"water\"", "fluid = \"Watr\"", "a.toml:17:9: no fluid is called `Watr`: did you mean `water`?");
    check("fluid = \"water\"", "fluid = \"brine\"", "a.toml:17:9: no fluid is called `brine`: expected `oil` or `water`");
    check("name = \"oil\"", "name = \"water\"", "a.toml:13:8: there are two fluids called `water`: expected another name");
    check("name = \"oil\"", "name = \" \"", "a.toml:8:8: `fluids.0.name` is empty: expected a name");
    check(
        "#F0a010",
        "#F0a01",
        "a.toml:11:9: `fluids.0.color` is not a colour: expected `#` and six hexadecimal digits, as in \"#3b82f6\"",
    );
    check(
        "#F0a010",
        "#F0a01ö",
        "a.toml:11:9: `fluids.0.color` is not a colour: expected `#` and six hexadecimal digits, as in \"#3b82f6\"",
    );
    check(
        "kinematic_viscosity = 1e-5",
        "rest_density = 1000.0",
        "a.toml:6:16: `fluid.rest_density` has no meaning with `[[fluids]]`, each of which has its own: expected no such key",
    );
    check("rest_density = 800.0\n", "", "a.toml:7:1: missing key `rest_density` in `fluids.0`");
    check(
        "rest_density = 800.0",
        "rest_density = 0",
        "a.toml:9:16: `fluids.0.rest_density` must be a number from 0.000001 to 1000000, but is 0",
    );
    check("= 1e-4", "= -1e-4", "a.toml:10:23: `fluids.0.kinematic_viscosity` must be a number from 0 to 1000000, but is -1e-4");
    check(
        "density = 800.0",
        "densty = 800.0",
        "a.toml:9:1: unknown key `rest_densty` in `fluids.0`: did you mean `rest_density`?",
    );
}

#[test]
fn a_block_has_no_fluid_where_there_is_one_only() {
    let start = LAYERS.find("[[fluids]]").unwrap();
    let end = LAYERS.find("[[fluid.blocks]]").unwrap();
    let one = format!("{}{}", &LAYERS[..start], &LAYERS[end..]);
    assert_eq!(
        load(&one, &[]).unwrap_err().summary(),
        "a.toml:8:9: no fluid is called `water`: expected no such key: the scene has no `[[fluids]]`"
    );
    let scene = load(&one.replace("fluid = \"water\"\n", ""), &[]).unwrap();
    assert!(scene.setup.fluids.is_empty());
    assert_eq!(scene.view.color, ColorField::Speed);
}

#[test]
fn probes_may_be_of_one_fluid() {
    let with = |probe: &str| format!("{LAYERS}[[probes]]\nname = \"level\"\n{probe}\n");
    let scene = load(&with("kind = 'water_height'\nat = [0.5, 0]\nfluid = 'water'"), &[]).unwrap();
    assert_eq!(scene.probes[0].probe, Probe::WaterHeight { at: Vec3::X * 0.5, fluid: Some(1), container: None });
    let simulation = Simulation::new(&scene.setup).unwrap();
    let [Some(height)] = scene.probes[0].probe.read(&simulation.view())[..] else { panic!("no height") };
    assert!((height - 0.5).abs() < 0.02, "the interface is at {height} m");
    let front = load(&with("kind = 'front'\ntoward = 'y_min'\nfluid = 'oil'"), &[]).unwrap();
    assert_eq!(front.probes[0].probe, Probe::Front { toward: Face::YMin, fluid: Some(0) });
    let summary = |probe: &str| load(&with(probe), &[]).unwrap_err().summary();
    assert_eq!(
        summary("kind = 'front'\ntoward = 'y_min'\nfluid = 'brine'"),
        "a.toml:30:9: no fluid is called `brine`: expected `oil` or `water`"
    );
    assert_eq!(
        summary("kind = 'energy'\nfluid = 'oil'"),
        "a.toml:29:9: a probe of the kind `energy` has no `fluid`: expected no such key"
    );
}
