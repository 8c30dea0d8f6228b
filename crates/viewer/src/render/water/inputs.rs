//! What the passes of the look of water read.

use super::fluid::Fluid;
use super::sheets::Sheets;
use crate::render::Gpu;

/// Buffers and textures that the passes read.
pub struct Inputs<'a> {
    pub gpu: &'a Gpu,
    pub globals: &'a wgpu::Buffer,
    pub uniforms: &'a wgpu::Buffer,
    pub fluid: &'a Fluid,
    pub sheets: &'a Sheets,
}
