//! Validity of every assembled shader, and memory layout of the uniform block. Needs no graphics driver.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use std::mem::offset_of;
use viewer::render::{Globals, shaders};

fn parse(shader: &shaders::Shader) -> naga::Module {
    let source = shader.source();
    naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{}: {}", shader.name, error.emit_to_string(&source)))
}

#[test]
fn every_shader_is_valid_without_extensions() {
    for shader in shaders::ALL {
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
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders");
    let files = std::fs::read_dir(folder).expect("the shaders are in the workspace").map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "wgsl"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    let mut used = shaders::ALL.map(|shader| shader.name);
    used.sort_unstable();
    assert_eq!(names, used);
}

#[test]
fn globals_have_the_layout_of_the_shaders() {
    macro_rules! offsets {
        ($($field:ident),* $(,)?) => { vec![$((stringify!($field), offset_of!(Globals, $field))),*] };
    }
    let expected = offsets![
        clip_from_world,
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
        unused,
    ];
    for shader in [shaders::BACKDROP, shaders::PARTICLES, shaders::MESHES, shaders::FOAM, shaders::LINES, shaders::CELLS] {
        let module = parse(&shader);
        let (_, block) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some("Globals")).expect("the block is in it");
        let naga::TypeInner::Struct { members, span } = &block.inner else { panic!("Globals is a struct") };
        let found: Vec<_> = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize)).collect();
        assert_eq!(found, expected, "{}", shader.name);
        assert_eq!(*span as usize, size_of::<Globals>(), "{}", shader.name);
    }
}
