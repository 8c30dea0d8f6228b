//! Shader modules, each the concatenation of shared parts and its own file; those of the look of water.

use std::borrow::Cow;

/// A shader module with a `vertex` and a `fragment` entry point.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// File name in `shaders/` without the extension; also the label in graphics debuggers.
    pub name: &'static str,
    pub(super) parts: &'static [&'static str],
}

/// Uniforms of a frame.
pub(super) const GLOBALS: &str = include_str!("../../../shaders/common/globals.wgsl");

/// Vertices of a triangle over all pixels.
pub(super) const SCREEN: &str = include_str!("../../../shaders/common/screen.wgsl");

const COLOR: &str = include_str!("../../../shaders/common/color.wgsl");

/// Gradient and floor of the background.
pub const BACKDROP: Shader =
    Shader { name: "backdrop", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/backdrop.wgsl")] };

/// Particles.
pub const PARTICLES: Shader =
    Shader { name: "particles", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/particles.wgsl")] };

/// Particles as points.
pub const POINTS: Shader = Shader { name: "points", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/points.wgsl")] };

/// Triangle meshes.
pub const MESHES: Shader = Shader { name: "meshes", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/meshes.wgsl")] };

/// Triangle meshes of glass.
pub const GLASS: Shader = Shader { name: "glass", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/glass.wgsl")] };

/// Foam, spray and bubbles.
pub const FOAM: Shader = Shader { name: "foam", parts: &[GLOBALS, COLOR, include_str!("../../../shaders/foam.wgsl")] };

/// Edges of the tank.
pub const LINES: Shader = Shader { name: "lines", parts: &[GLOBALS, include_str!("../../../shaders/lines.wgsl")] };

/// Cells of the grid.
pub const CELLS: Shader = Shader { name: "cells", parts: &[GLOBALS, include_str!("../../../shaders/cells.wgsl")] };

/// Copy of a finished texture into a window.
pub const COPY: Shader = Shader { name: "copy", parts: &[include_str!("../../../shaders/copy.wgsl")] };

/// Copy of a finished texture into a window, with another size.
pub const STRETCH: Shader = Shader { name: "stretch", parts: &[include_str!("../../../shaders/stretch.wgsl")] };

/// Quads of one colour, which the cost of particles is compared with.
pub const QUADS: Shader = Shader { name: "quads", parts: &[GLOBALS, include_str!("../../../shaders/quads.wgsl")] };

/// All modules but those of the look of water.
pub const ALL: [Shader; 11] = [BACKDROP, PARTICLES, POINTS, MESHES, GLASS, FOAM, LINES, CELLS, COPY, STRETCH, QUADS];

impl Shader {
    /// Source text of the module.
    pub fn source(&self) -> String {
        self.parts.concat()
    }

    /// Compiles the module.
    pub fn compile(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        let source = wgpu::ShaderSource::Wgsl(Cow::Owned(self.source()));
        device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(self.name), source })
    }
}

// Shader modules of the look of water.

macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../shaders/water/", $file, ".wgsl"))
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
pub const WATER_BACKDROP: Shader =
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
pub const WATER: [Shader; 10] =
    [SUN_SPLATS, SUN_SOLIDS, WATER_BACKDROP, SOLIDS, THICKNESS, BLUR, SURFACE, SMOOTHING, COMPOSITE, ANTIALIAS];
