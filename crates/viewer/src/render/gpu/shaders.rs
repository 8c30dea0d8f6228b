//! Shader modules, each the concatenation of shared parts and its own file.

use std::borrow::Cow;

/// A shader module with a `vertex` and a `fragment` entry point.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// File name in `shaders/` without the extension; also the label in graphics debuggers.
    pub name: &'static str,
    pub(in crate::render) parts: &'static [&'static str],
}

/// Uniforms of a frame.
pub(in crate::render) const GLOBALS: &str = include_str!("../../../../../shaders/common/globals.wgsl");
/// Vertices of a triangle over all pixels.
pub(in crate::render) const SCREEN: &str = include_str!("../../../../../shaders/common/screen.wgsl");
const COLOR: &str = include_str!("../../../../../shaders/common/color.wgsl");

/// Gradient and floor of the background.
pub const BACKDROP: Shader =
    Shader { name: "backdrop", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/backdrop.wgsl")] };
/// Particles.
pub const PARTICLES: Shader =
    Shader { name: "particles", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/particles.wgsl")] };
/// Particles as points.
pub const POINTS: Shader =
    Shader { name: "points", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/points.wgsl")] };
/// Triangle meshes.
pub const MESHES: Shader =
    Shader { name: "meshes", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/meshes.wgsl")] };
/// Foam, spray and bubbles.
pub const FOAM: Shader = Shader { name: "foam", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/foam.wgsl")] };
/// Edges of the tank.
pub const LINES: Shader = Shader { name: "lines", parts: &[GLOBALS, include_str!("../../../../../shaders/lines.wgsl")] };

/// Cells of the grid.
pub const CELLS: Shader = Shader { name: "cells", parts: &[GLOBALS, include_str!("../../../../../shaders/cells.wgsl")] };

/// Copy of a finished texture into a window.
pub const COPY: Shader = Shader { name: "copy", parts: &[include_str!("../../../../../shaders/copy.wgsl")] };

/// Copy of a finished texture into a window, with another size.
pub const STRETCH: Shader = Shader { name: "stretch", parts: &[include_str!("../../../../../shaders/stretch.wgsl")] };

/// Quads of one colour, which the cost of particles is compared with.
pub const QUADS: Shader = Shader { name: "quads", parts: &[GLOBALS, include_str!("../../../../../shaders/quads.wgsl")] };

/// All modules but those of the look of water.
pub const ALL: [Shader; 10] = [BACKDROP, PARTICLES, POINTS, MESHES, FOAM, LINES, CELLS, COPY, STRETCH, QUADS];

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
