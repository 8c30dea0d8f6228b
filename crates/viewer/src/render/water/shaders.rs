//! Shader modules of the look of water.

use crate::render::gpu::shaders::{GLOBALS, SCREEN, Shader};

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../../../shaders/water/", $file, ".wgsl"))
    };
}

const UNIFORMS: &str = text!("parts/uniforms");
const RADIANCE: &str = text!("parts/radiance");
const ELLIPSOIDS: &str = text!("parts/ellipsoids");
const SPLATS: &str = text!("parts/splats");
const EXTINCTION: &str = text!("parts/extinction");
const SUN: &str = text!("parts/sun_map");
const AROUND: &str = text!("parts/surroundings");
const CAUSTICS: &str = text!("parts/caustics");
const PLAIN_LIGHT: &str = text!("parts/plain_light");

/// Shadow of the fluid on the sun's map.
pub const SUN_SPLATS: Shader = Shader {
    name: "water/sun_splats",
    parts: &[GLOBALS, UNIFORMS, RADIANCE, EXTINCTION, SUN, ELLIPSOIDS, text!("sun_splats")],
};
/// Shadow of bodies on the sun's map.
pub const SUN_SOLIDS: Shader = Shader { name: "water/sun_solids", parts: &[GLOBALS, UNIFORMS, SUN, text!("sun_solids")] };
/// Sky and floor.
pub const BACKDROP: Shader =
    Shader { name: "water/backdrop", parts: &[GLOBALS, SCREEN, UNIFORMS, RADIANCE, AROUND, CAUSTICS, text!("backdrop")] };
/// Bodies.
pub const SOLIDS: Shader =
    Shader { name: "water/solids", parts: &[GLOBALS, UNIFORMS, RADIANCE, AROUND, PLAIN_LIGHT, text!("solids")] };
/// Thickness of the fluid.
pub const THICKNESS: Shader = Shader {
    name: "water/thickness",
    parts: &[GLOBALS, UNIFORMS, RADIANCE, EXTINCTION, ELLIPSOIDS, SPLATS, text!("thickness")],
};
/// Blur of the thickness.
pub const BLUR: Shader = Shader { name: "water/blur", parts: &[GLOBALS, SCREEN, UNIFORMS, text!("blur")] };
/// Nearest surface of the fluid.
pub const SURFACE: Shader = Shader { name: "water/surface", parts: &[GLOBALS, UNIFORMS, ELLIPSOIDS, SPLATS, text!("surface")] };
/// Filter of the surface.
pub const SMOOTHING: Shader = Shader { name: "water/smoothing", parts: &[GLOBALS, SCREEN, UNIFORMS, text!("smoothing")] };
/// Light that reaches the eye.
pub const COMPOSITE: Shader = Shader {
    name: "water/composite",
    parts: &[GLOBALS, SCREEN, UNIFORMS, RADIANCE, EXTINCTION, AROUND, PLAIN_LIGHT, text!("composite")],
};
/// Antialiasing.
pub const ANTIALIAS: Shader = Shader { name: "water/antialias", parts: &[SCREEN, text!("antialias")] };

/// All modules of this look.
pub const ALL: [Shader; 10] =
    [SUN_SPLATS, SUN_SOLIDS, BACKDROP, SOLIDS, THICKNESS, BLUR, SURFACE, SMOOTHING, COMPOSITE, ANTIALIAS];
