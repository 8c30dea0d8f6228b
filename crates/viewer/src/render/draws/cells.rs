//! Cells of the grid as boxes, or in two dimensions as squares.

use crate::render::gpu::pipeline::{self, Layer, List, STORAGE, UNIFORM};
use crate::render::gpu::shaders;
use crate::render::visibility::{Occlusion, Order};
use crate::render::{Globals, Gpu};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// Vertices of the three faces that can be turned to the eye.
const VERTICES: u32 = 18;
/// By how many radii of a particle faces are lifted towards the eye; `shaders/cells.wgsl` has the same.
const LIFT: f32 = 1.02;
/// Largest coordinate of a box that is drawn, m.
const FARTHEST: f32 = 1e15;

/// A cell of the grid to be drawn as a box; one without depth (`min.z == max.z`) as a rectangle over the particles in its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellBox {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Encoded colour and opacity of the faces, 0 to 1.
    pub fill: [f32; 4],
    /// Encoded colour and opacity of the edges, 0 to 1.
    pub edge: [f32; 4],
}

impl CellBox {
    /// Whether it can be drawn at all.
    fn is_usable(&self) -> bool {
        // Written so that NaN is not.
        self.min.cmpge(Vec3::splat(-FARTHEST)).all()
            && self.max.cmple(Vec3::splat(FARTHEST)).all()
            && self.min.cmple(self.max).all()
    }
}

/// One box as the shader sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Cell {
    /// m.
    low: [f32; 3],
    fill: [u8; 4],
    /// m.
    high: [f32; 3],
    edge: [u8; 4],
}

impl From<&CellBox> for Cell {
    fn from(cell: &CellBox) -> Self {
        Self { low: cell.min.into(), fill: cell.fill.map(unorm), high: cell.max.into(), edge: cell.edge.map(unorm) }
    }
}

/// The draw and its boxes.
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

    /// Hands a frame's boxes to the device, from far to near.
    pub fn update(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        globals: &Globals,
        cells: &[CellBox],
        occlusion: Option<&Occlusion>,
    ) {
        let eye = Vec3::from(globals.eye);
        // Of equal boxes in a regular grid, one that hides another has its middle nearer to the eye. What cannot be drawn has no
        // distance, which leaves it out.
        let hidden = |cell: &CellBox| occlusion.is_some_and(|o| o.hides(cell.min, cell.max, LIFT * globals.radius, globals));
        let distance = |cell: &CellBox| match cell.is_usable() && !hidden(cell) {
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

    /// Whether there is anything to draw.
    pub fn is_empty(&self) -> bool {
        self.list.count() == 0
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        // One long list: some drivers spend microseconds on every instance.
        pass.draw(0..VERTICES * self.list.count(), 0..1);
    }
}

fn bind(device: &wgpu::Device, layout: &wgpu::BindGroupLayout, globals: &wgpu::Buffer, list: &List) -> wgpu::BindGroup {
    pipeline::bind(device, "cells", layout, &[globals.as_entire_binding(), list.buffer().as_entire_binding()])
}

/// 0 to 1 as 0 to 255; Rust's conversion saturates.
fn unorm(value: f32) -> u8 {
    (255.0 * value + 0.5) as u8
}
