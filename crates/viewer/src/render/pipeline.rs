//! What the three draws have in common: how pipelines and growing buffers are made.

use super::shaders::Shader;
use super::target::{COLOR_FORMAT, DEPTH_FORMAT};

/// How a draw treats what is already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Replaces it, whatever its depth.
    Behind,
    /// Blends where it is nearer, and becomes the nearest.
    Solid,
    /// Blends where it is nearer, and leaves the depth as it was.
    Overlay,
}

/// A pipeline of quads (strips of four vertices, or of three) that sees `groups`.
pub fn create(
    device: &wgpu::Device,
    shader: Shader,
    layout: &wgpu::BindGroupLayout,
    instances: Option<wgpu::VertexBufferLayout<'_>>,
    layer: Layer,
) -> wgpu::RenderPipeline {
    let module = shader.compile(device);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.name),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let over = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::SrcAlpha,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    };
    // The target stays opaque: only the backdrop writes alpha.
    let (blend, write_mask) = match layer {
        Layer::Behind => (None, wgpu::ColorWrites::ALL),
        Layer::Solid | Layer::Overlay => (Some(wgpu::BlendState { color: over, alpha: over }), wgpu::ColorWrites::COLOR),
    };
    let compare = if layer == Layer::Behind { wgpu::CompareFunction::Always } else { wgpu::CompareFunction::Greater };
    let buffers: &[_] = if instances.is_some() { &[instances] } else { &[] };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(shader.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers,
        },
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(layer == Layer::Solid),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState { format: COLOR_FORMAT, blend, write_mask })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// A bind group layout of these bindings, numbered from 0, all seen by both stages.
pub fn layout(device: &wgpu::Device, label: &str, types: &[wgpu::BindingType]) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(types)
        .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// A bind group of these resources, numbered from 0.
pub fn bind(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> =
        (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() }).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

/// The binding of [`Globals`](super::Globals).
pub const UNIFORM: wgpu::BindingType =
    wgpu::BindingType::Buffer { ty: wgpu::BufferBindingType::Uniform, has_dynamic_offset: false, min_binding_size: None };

/// The binding of a two-dimensional texture of floats.
pub const TEXTURE: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// The binding of a sampler that interpolates.
pub const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

/// Instances on the device, in a buffer that grows with them.
#[derive(Debug)]
pub struct Instances {
    buffer: wgpu::Buffer,
    label: &'static str,
    count: u32,
}

impl Instances {
    pub fn new(device: &wgpu::Device, label: &'static str) -> Self {
        Self { buffer: vertex_buffer(device, label, 4096), label, count: 0 }
    }

    /// Replaces them, as many as the device's largest buffer holds.
    pub fn write<T: bytemuck::NoUninit>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, instances: &[T]) {
        let most = device.limits().max_buffer_size / size_of::<T>() as u64;
        let instances = &instances[..instances.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let bytes: &[u8] = bytemuck::cast_slice(instances);
        let needed = bytes.len() as u64;
        if needed > self.buffer.size() {
            let roomy = (needed + needed / 2).next_multiple_of(256).min(device.limits().max_buffer_size);
            self.buffer = vertex_buffer(device, self.label, roomy);
        }
        queue.write_buffer(&self.buffer, 0, bytes);
        self.count = instances.len() as u32;
    }

    /// Draws a quad for each.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.count > 0 {
            pass.set_vertex_buffer(0, self.buffer.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}

fn vertex_buffer(device: &wgpu::Device, label: &str, size: u64) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST;
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
