//! Validity of every assembled shader, and memory layout of the uniform block. Needs no graphics driver.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use sph_render::{Globals, WaterParticle, WaterUniforms, shaders};
use std::mem::offset_of;

fn all() -> impl Iterator<Item = shaders::Shader> {
    shaders::ALL.into_iter().chain(shaders::WATER)
}

fn parse(shader: &shaders::Shader) -> naga::Module {
    let source = shader.source();
    naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{}: {}", shader.name, error.emit_to_string(&source)))
}

#[test]
fn every_shader_is_valid_without_extensions() {
    for shader in all() {
        let module = parse(&shader);
        if let Err(error) = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module) {
            panic!("{}: {}", shader.name, error.emit_to_string(&shader.source()));
        }
        let mut stages: Vec<_> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        stages.sort_unstable();
        assert_eq!(stages, ["fragment", "vertex"], "{}", shader.name);
    }
}

#[test]
fn every_shader_file_is_used() {
    let names = |folder: &str| {
        let path = format!("{}/../../shaders/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(path).expect("the shaders are in the workspace").map(|entry| entry.unwrap().path());
        let shaders = files.filter(|path| path.extension().is_some_and(|extension| extension == "wgsl"));
        let name = |path: std::path::PathBuf| format!("{folder}{}", path.file_stem().unwrap().to_str().unwrap());
        shaders.map(name).collect::<Vec<_>>()
    };
    let mut names = [names(""), names("water/")].concat();
    names.sort_unstable();
    let mut used: Vec<_> = all().map(|shader| shader.name).collect();
    used.sort_unstable();
    assert_eq!(names, used);
}

/// Offsets of the members of a shader's uniform block, and its size.
fn block(shader: &shaders::Shader, name: &str) -> Option<(Vec<(String, usize)>, usize)> {
    let module = parse(shader);
    let (_, block) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name))?;
    let naga::TypeInner::Struct { members, span } = &block.inner else { panic!("{name} is a struct") };
    let offsets = members.iter().map(|member| (member.name.clone().unwrap(), member.offset as usize));
    Some((offsets.collect(), *span as usize))
}

macro_rules! offsets {
    ($block:ty: $($field:ident),* $(,)?) => { vec![$((stringify!($field).to_owned(), offset_of!($block, $field))),*] };
}

#[test]
fn uniforms_of_water_have_the_layout_of_the_shaders() {
    let expected = offsets![
        WaterUniforms: sun, radius, low, splat_radius, high, splat_share, map_corner, map_rate, extinction_rate,
        filter_radius, filter_near, filter_range, wall_reach, round_radius,
    ];
    for shader in shaders::WATER.into_iter().filter(|shader| shader.name != "water/antialias") {
        let found = block(&shader, "Water").unwrap_or_else(|| panic!("{} has the block", shader.name));
        assert_eq!(found, (expected.clone(), size_of::<WaterUniforms>()), "{}", shader.name);
    }
}

#[test]
fn particles_of_water_have_the_layout_of_the_shaders() {
    let expected = offsets![WaterParticle: center, color, axes, unused];
    for shader in [shaders::SUN_SPLATS, shaders::THICKNESS, shaders::SURFACE] {
        let found = block(&shader, "Particle").unwrap_or_else(|| panic!("{} has the particles", shader.name));
        assert_eq!(found, (expected.clone(), size_of::<WaterParticle>()), "{}", shader.name);
    }
}

#[test]
fn globals_have_the_layout_of_the_shaders() {
    let expected = offsets![
        Globals: clip_from_world,
        right,
        near,
        up,
        radius,
        forward,
        pixels,
        eye,
        floor_height,
        slopes,
        haze_start,
        haze_rate,
        viewport,
        floor_center,
        floor_fade,
        grid_rate,
        shadow_corner,
        shadow_rate,
        room,
        unused,
    ];
    for shader in [shaders::BACKDROP, shaders::PARTICLES, shaders::MESHES, shaders::FOAM, shaders::LINES, shaders::CELLS] {
        let found = block(&shader, "Globals").expect("the block is in it");
        assert_eq!(found, (expected.clone(), size_of::<Globals>()), "{}", shader.name);
    }
}
