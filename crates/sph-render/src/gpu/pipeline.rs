//! Helpers shared by the draws: pipelines, bind groups, growable buffers.

use super::Gpu;
use super::target::{COLOR_FORMAT, DEPTH_FORMAT};
use crate::shaders::Shader;

/// Blending and depth test of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Opaque, without depth test.
    Behind,
    /// Opaque, with depth test and depth write.
    Opaque,
    /// Alpha blending with depth test and depth write.
    Solid,
    /// Alpha blending with depth test, without depth write.
    Overlay,
}

/// Creates a pipeline for the scene's render target with one bind group and an optional instance buffer.
pub fn create(
    device: &wgpu::Device,
    shader: Shader,
    layout: &wgpu::BindGroupLayout,
    instances: Option<wgpu::VertexBufferLayout<'_>>,
    topology: wgpu::PrimitiveTopology,
    layer: Layer,
) -> wgpu::RenderPipeline {
    // The target stays opaque: only the backdrop writes alpha.
    let over = over(wgpu::BlendFactor::SrcAlpha);
    let (blend, write_mask) = match layer {
        Layer::Behind | Layer::Opaque => (None, wgpu::ColorWrites::ALL),
        Layer::Solid | Layer::Overlay => (Some(wgpu::BlendState { color: over, alpha: over }), wgpu::ColorWrites::COLOR),
    };
    let compare = if layer == Layer::Behind { wgpu::CompareFunction::Always } else { wgpu::CompareFunction::Greater };
    let depth = wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(matches!(layer, Layer::Opaque | Layer::Solid)),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    };
    let buffers: &[_] = if instances.is_some() { &[instances] } else { &[] };
    let color = wgpu::ColorTargetState { format: COLOR_FORMAT, blend, write_mask };
    assemble(device, shader, layout, Assembly { buffers, topology, depth: Some(depth), targets: &[Some(color)] })
}

/// Creates a pipeline with one bind group for a target of `format` without depth; replaces what is there, or blends colours premultiplied
/// by alpha.
pub fn create_flat(
    device: &wgpu::Device,
    shader: Shader,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    blends: bool,
) -> wgpu::RenderPipeline {
    let over = over(wgpu::BlendFactor::One);
    let blend = blends.then_some(wgpu::BlendState { color: over, alpha: over });
    let color = wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL };
    let topology = wgpu::PrimitiveTopology::TriangleList;
    assemble(device, shader, layout, Assembly { buffers: &[], topology, depth: None, targets: &[Some(color)] })
}

/// The "over" operator, with `source` as the factor of the source colour.
fn over(source: wgpu::BlendFactor) -> wgpu::BlendComponent {
    wgpu::BlendComponent {
        src_factor: source,
        dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
        operation: wgpu::BlendOperation::Add,
    }
}

/// Vertices and targets of a pipeline.
#[derive(Clone, Debug)]
pub struct Assembly<'a> {
    /// Layouts of the vertex buffers.
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Primitives that the vertices make.
    pub topology: wgpu::PrimitiveTopology,
    /// Depth test.
    pub depth: Option<wgpu::DepthStencilState>,
    /// Colour targets.
    pub targets: &'a [Option<wgpu::ColorTargetState>],
}

/// Creates a pipeline with one bind group.
pub fn assemble(
    device: &wgpu::Device,
    shader: Shader,
    layout: &wgpu::BindGroupLayout,
    Assembly { buffers, topology, depth, targets }: Assembly<'_>,
) -> wgpu::RenderPipeline {
    let module = shader.compile(device);
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(shader.name),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(shader.name),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers,
        },
        primitive: wgpu::PrimitiveState { topology, ..Default::default() },
        depth_stencil: depth,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Creates a bind group layout of these bindings, numbered from 0, visible to the vertex and fragment stages.
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

/// Creates a bind group of these resources, numbered from 0.
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

/// Binding of [`Globals`](super::Globals).
pub const UNIFORM: wgpu::BindingType =
    wgpu::BindingType::Buffer { ty: wgpu::BufferBindingType::Uniform, has_dynamic_offset: false, min_binding_size: None };

/// Binding of a two-dimensional floating-point texture.
pub const TEXTURE: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// Binding of a filtering sampler.
pub const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

/// Binding of a read-only storage buffer.
pub const STORAGE: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

/// Growable list in a device buffer.
#[derive(Debug)]
pub struct List {
    buffer: wgpu::Buffer,
    label: &'static str,
    usage: wgpu::BufferUsages,
    count: u32,
}

impl List {
    /// Creates an empty list for `usage` as vertex or storage buffer.
    pub fn new(device: &wgpu::Device, label: &'static str, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self { buffer: create_buffer(device, label, usage, 4096), label, usage, count: 0 }
    }

    /// Replaces the items, at most as many as the device's largest buffer holds. Returns true if the buffer was reallocated.
    pub fn write<T: bytemuck::NoUninit>(&mut self, gpu: &Gpu, items: &[T]) -> bool {
        let limits = gpu.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        let most_items = usize::try_from(most / size_of::<T>() as u64).unwrap_or(usize::MAX);
        let items = &items[..items.len().min(most_items)];
        let bytes: &[u8] = bytemuck::cast_slice(items);
        let needed = bytes.len() as u64;
        let grows = needed > self.buffer.size();
        if grows {
            let roomy = (needed + needed / 2).next_multiple_of(256).min(most);
            self.buffer = create_buffer(&gpu.device, self.label, self.usage, roomy);
        }
        gpu.queue.write_buffer(&self.buffer, 0, bytes);
        self.count = items.len() as u32;
        grows
    }

    /// Number of items.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Buffer that holds the items.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
}

fn create_buffer(device: &wgpu::Device, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
