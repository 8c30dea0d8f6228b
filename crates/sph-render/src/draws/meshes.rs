//! Triangle meshes: surfaces of fluid, bodies and walls, opaque or of glass.

use crate::Gpu;
use crate::gpu::pipeline::{self, Layer, List, UNIFORM};
use crate::light::Light;
use crate::shaders::Shader;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use sph_core::Pose;

/// A surface.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'a> {
    /// Vertices before the pose, m.
    pub vertices: &'a [Vec3],
    /// Outward unit normal at each vertex.
    pub normals: &'a [Vec3],
    /// Vertices of each triangle, counter-clockwise as seen from outside.
    pub triangles: &'a [[u32; 3]],
    /// Present pose.
    pub pose: Pose,
    /// sRGB-encoded colour.
    pub color: [u8; 3],
    /// Colour of each vertex in place of that; empty for one colour.
    pub colors: &'a [[u8; 3]],
    /// True for a surface that is darker where particles and balls keep the light of the sky away.
    pub shaded: bool,
    /// Sides that are drawn.
    pub sides: Sides,
}

/// Sides of a surface that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Both.
    Both,
    /// Faces seen from inside: a room without its sides towards the viewer.
    Inside,
}

/// Vertex-buffer layout of a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Vertex {
    /// Position, m.
    position: [f32; 3],
    /// sRGB-encoded colour, and share of the sky that is visible.
    color: [u8; 4],
    normal: [f32; 3],
}

/// Pipeline and buffers of the meshes.
#[derive(Debug)]
pub struct Meshes {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroup,
    vertices: List,
    indices: List,
    staged_vertices: Vec<Vertex>,
    staged_indices: Vec<u32>,
}

impl Meshes {
    /// Meshes that `shader` draws in this layer.
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer, shader: Shader, layer: Layer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, shader.name, &[UNIFORM]);
        let vertices = Self::vertex_layout();
        let topology = wgpu::PrimitiveTopology::TriangleList;
        Self {
            pipeline: pipeline::create(device, shader, &layout, Some(vertices), topology, layer),
            bindings: pipeline::bind(device, shader.name, &layout, &[globals.as_entire_binding()]),
            vertices: List::new(device, "vertices of meshes", wgpu::BufferUsages::VERTEX),
            indices: List::new(device, "indices of meshes", wgpu::BufferUsages::INDEX),
            staged_vertices: Vec::new(),
            staged_indices: Vec::new(),
        }
    }

    /// Layout of the vertices: position, sRGB-encoded colour, normal.
    pub fn vertex_layout() -> wgpu::VertexBufferLayout<'static> {
        const ATTRIBUTES: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4, 2 => Float32x3];
        wgpu::VertexBufferLayout {
            array_stride: size_of::<Vertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &ATTRIBUTES,
        }
    }

    /// Uploads the meshes in this light as seen from `eye` (m) to the device: all, or none if they are more than it holds.
    pub fn update(&mut self, gpu: &Gpu, meshes: &[Mesh<'_>], light: &Light, eye: Vec3) {
        let Self { vertices, indices, staged_vertices, staged_indices, .. } = self;
        staged_vertices.clear();
        staged_indices.clear();
        for &Mesh { vertices, normals, triangles, pose, color, colors, shaded, sides } in meshes {
            let first = staged_vertices.len() as u32;
            // Balls are many vertices in no pose.
            let is_placed = pose != Pose::default();
            staged_vertices.extend(vertices.iter().zip(normals).enumerate().map(|(index, (&vertex, &normal))| {
                let [red, green, blue] = colors.get(index).copied().unwrap_or(color);
                let (position, normal) = if is_placed {
                    (pose.point(vertex.as_dvec3()).as_vec3(), (pose.rotation * normal.as_dvec3()).as_vec3())
                } else {
                    (vertex, normal)
                };
                let open = if shaded { (255.0 * light.at(position) + 0.5) as u8 } else { 255 };
                Vertex { position: position.into(), color: [red, green, blue, open], normal: normal.into() }
            }));
            if sides == Sides::Both {
                staged_indices.extend(triangles.iter().flatten().map(|index| first + index));
                continue;
            }
            let eye = pose.start(eye.as_dvec3()).as_vec3();
            let is_shown = |triangle: &&[u32; 3]| {
                let [a, b, c] = triangle.map(|index| vertices[index as usize]);
                (b - a).cross(c - a).dot(eye - a) < 0.0
            };
            staged_indices.extend(triangles.iter().filter(is_shown).flatten().map(|index| first + index));
        }
        vertices.write(gpu, staged_vertices);
        indices.write(gpu, staged_indices);
        if (vertices.count() as usize, indices.count() as usize) != (staged_vertices.len(), staged_indices.len()) {
            indices.write::<u32>(gpu, &[]);
        }
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        self.draw_triangles(pass);
    }

    /// Draws the triangles with the pipeline that is set, which reads vertices of [`Meshes::vertex_layout`].
    pub fn draw_triangles(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.indices.count() == 0 {
            return;
        }
        pass.set_vertex_buffer(0, self.vertices.buffer().slice(..));
        pass.set_index_buffer(self.indices.buffer().slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..self.indices.count(), 0, 0..1);
    }
}
