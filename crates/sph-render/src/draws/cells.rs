//! Cells of the grid, drawn as boxes, or as squares in two dimensions.

use crate::gpu::pipeline::{self, Layer, List, STORAGE, UNIFORM};
use crate::visibility::{Occlusion, Order};
use crate::{Globals, Gpu, shaders};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Vertices of the at most three front faces of a box.
const VERTICES: u32 = 18;
/// Depth bias of the faces towards the camera, particle radii; the same value as in `shaders/cells.wgsl`.
const DEPTH_BIAS: f32 = 1.02;
/// Largest absolute coordinate of a box that is drawn, m.
const MAX_COORDINATE: f32 = 1e15;

/// A grid cell to draw as a box, or, if flat (`min.z == max.z`), as a rectangle over the particles in its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellBox {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// sRGB-encoded colour and opacity of the faces, 0 to 1.
    pub fill: [f32; 4],
    /// sRGB-encoded colour and opacity of the edges, 0 to 1.
    pub edge: [f32; 4],
}

impl CellBox {
    /// True if the corners are ordered and within ±[`MAX_COORDINATE`]; false for NaN.
    fn is_drawable(&self) -> bool {
        self.min.cmpge(Vec3::splat(-MAX_COORDINATE)).all()
            && self.max.cmple(Vec3::splat(MAX_COORDINATE)).all()
            && self.min.cmple(self.max).all()
    }
}

/// Storage-buffer layout of a box; mirrors `Cell` in `shaders/cells.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Cell {
    /// Lowest corner, m.
    low: [f32; 3],
    fill: [u8; 4],
    /// Highest corner, m.
    high: [f32; 3],
    edge: [u8; 4],
}

impl From<&CellBox> for Cell {
    fn from(cell: &CellBox) -> Self {
        Self { low: cell.min.into(), fill: cell.fill.map(unorm), high: cell.max.into(), edge: cell.edge.map(unorm) }
    }
}

/// Pipeline and buffer of the cell boxes.
#[derive(Debug)]
pub struct Cells {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    list: List,
    staging: Vec<Cell>,
    order: Order,
}

impl Cells {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "cells", &[UNIFORM, STORAGE]);
        let list = List::new(device, "cells", wgpu::BufferUsages::STORAGE);
        Self {
            pipeline: pipeline::create(
                device,
                shaders::CELLS,
                &layout,
                None,
                wgpu::PrimitiveTopology::TriangleList,
                Layer::Overlay,
            ),
            bindings: bind(device, &layout, globals, &list),
            layout,
            list,
            staging: Vec::new(),
            order: Order::default(),
        }
    }

    /// Uploads a frame's boxes to the device, sorted from far to near.
    pub fn update(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        globals: &Globals,
        cells: &[CellBox],
        occlusion: Option<&Occlusion>,
    ) {
        let eye = Vec3::from(globals.eye);
        // Boxes of a regular grid have equal size, so a box that hides another has its centre nearer to the camera. The sort
        // leaves out boxes with a distance of NaN.
        let hidden =
            |cell: &CellBox| occlusion.is_some_and(|o| o.hides(cell.min, cell.max, DEPTH_BIAS * globals.radius, globals));
        let distance = |cell: &CellBox| match cell.is_drawable() && !hidden(cell) {
            true => (0.5 * cell.min + 0.5 * cell.max).distance(eye),
            false => f32::NAN,
        };
        let order = self.order.far_to_near(cells.iter().map(distance));
        self.staging.clear();
        self.staging.extend(order.iter().map(|&index| Cell::from(&cells[index as usize])));
        if self.list.write(gpu, &self.staging) {
            self.bindings = bind(&gpu.device, &self.layout, buffer, &self.list);
        }
    }

    /// True if there is no box to draw.
    pub fn is_empty(&self) -> bool {
        self.list.count() == 0
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        // One draw without instances: some drivers spend microseconds on every instance.
        pass.draw(0..VERTICES * self.list.count(), 0..1);
    }
}

fn bind(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, globals: &wgpu::Buffer, list: &List) -> wgpu::BindGroup {
    pipeline::bind(device, "cells", layout, &[globals.as_entire_binding(), list.buffer().as_entire_binding()])
}

/// Converts 0–1 to an 8-bit normalised integer, 0–255; Rust's conversion saturates.
fn unorm(value: f32) -> u8 {
    (255.0 * value + 0.5) as u8
}
