//! The shaders: each module is the concatenation of the shared parts that it names and its own file.

use std::borrow::Cow;

/// A shader module with a `vertex` and a `fragment` entry point.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// Name of its file in `shaders/`, without the extension; also the label in graphics debuggers.
    pub name: &'static str,
    parts: &'static [&'static str],
}

const GLOBALS: &str = include_str!("../../../../../shaders/common/globals.wgsl");
const COLOR: &str = include_str!("../../../../../shaders/common/color.wgsl");

/// The gradient and the floor.
pub const BACKDROP: Shader =
    Shader { name: "backdrop", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/backdrop.wgsl")] };
/// The particles.
pub const PARTICLES: Shader =
    Shader { name: "particles", parts: &[GLOBALS, COLOR, include_str!("../../../../../shaders/particles.wgsl")] };
/// The tank's edges.
pub const LINES: Shader = Shader { name: "lines", parts: &[GLOBALS, include_str!("../../../../../shaders/lines.wgsl")] };

/// The cells of the grid.
pub const CELLS: Shader = Shader { name: "cells", parts: &[GLOBALS, include_str!("../../../../../shaders/cells.wgsl")] };

/// A finished texture in a window.
pub const COPY: Shader = Shader { name: "copy", parts: &[include_str!("../../../../../shaders/copy.wgsl")] };

/// Every module.
pub const ALL: [Shader; 5] = [BACKDROP, PARTICLES, LINES, CELLS, COPY];

impl Shader {
    /// The module's text.
    pub fn source(&self) -> String {
        self.parts.concat()
    }

    /// Hands the module to the driver.
    pub fn compile(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        let source = wgpu::ShaderSource::Wgsl(Cow::Owned(self.source()));
        device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(self.name), source })
    }
}
