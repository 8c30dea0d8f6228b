//! Passes: a pipeline with its bindings, and the beginning of a render pass.

use super::inputs::Inputs;
use crate::render::gpu::pipeline::{self, Assembly, SAMPLER, STORAGE, TEXTURE, UNIFORM};
use crate::render::gpu::shaders::Shader;
use crate::render::gpu::target::DEPTH_FORMAT;

/// Binding of a texture whose values are not interpolated.
const VALUES: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: false },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};

/// Resources that a pass reads, in the order of its bindings.
#[derive(Clone, Copy, Debug)]
pub enum Reads<'a> {
    Uniforms(&'a wgpu::Buffer),
    Particles(&'a wgpu::Buffer),
    /// Texture that is interpolated.
    Light(&'a wgpu::TextureView),
    /// Texture whose values are read as they are.
    Values(&'a wgpu::TextureView),
    Sampler(&'a wgpu::Sampler),
}

impl Reads<'_> {
    fn ty(&self) -> wgpu::BindingType {
        match self {
            Self::Uniforms(_) => UNIFORM,
            Self::Particles(_) => STORAGE,
            Self::Light(_) => TEXTURE,
            Self::Values(_) => VALUES,
            Self::Sampler(_) => SAMPLER,
        }
    }
}

/// A pipeline and its bindings.
#[derive(Debug)]
pub struct Step {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    label: &'static str,
}

/// Form of a step.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    pub shader: Shader,
    /// Formats of the targets.
    pub formats: &'a [wgpu::TextureFormat],
    /// True to add to the target.
    pub adds: bool,
    /// Depth test and whether depth is written.
    pub depth: Option<(wgpu::CompareFunction, bool)>,
    /// Layout of vertices; `None` if the shader makes them.
    pub vertices: Option<wgpu::VertexBufferLayout<'a>>,
}

impl<'a> Form<'a> {
    /// A pass over all pixels.
    pub fn screen(shader: Shader, formats: &'a [wgpu::TextureFormat]) -> Self {
        Self { shader, formats, adds: false, depth: None, vertices: None }
    }
}

impl Step {
    pub fn new(inputs: &Inputs<'_>, form: &Form<'_>, reads: &[Reads<'_>]) -> Self {
        let device = &inputs.gpu.device;
        let types: Vec<_> = reads.iter().map(Reads::ty).collect();
        let layout = pipeline::layout(device, form.shader.name, &types);
        let sum = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let blend = form.adds.then_some(wgpu::BlendState { color: sum, alpha: sum });
        let target = |&format: &_| Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL });
        let targets: Vec<_> = form.formats.iter().map(target).collect();
        let depth = form.depth.map(|(compare, writes)| wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(writes),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        });
        let buffers = [form.vertices.clone()];
        let pipeline = pipeline::assemble(
            device,
            form.shader,
            &layout,
            Assembly {
                buffers: if form.vertices.is_some() { &buffers } else { &[] },
                topology: wgpu::PrimitiveTopology::TriangleList,
                depth,
                targets: &targets,
            },
        );
        let bindings = bind(inputs, form.shader.name, &layout, reads);
        Self { pipeline, layout, bindings, label: form.shader.name }
    }

    /// Replaces the bindings.
    pub fn bind(&mut self, inputs: &Inputs<'_>, reads: &[Reads<'_>]) {
        self.bindings = bind(inputs, self.label, &self.layout, reads);
    }

    pub fn set(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
    }

    /// Sets the step and draws all pixels, as step `number` of several.
    pub fn fill(&self, pass: &mut wgpu::RenderPass<'_>, number: u32) {
        self.set(pass);
        pass.draw(0..3, number..number + 1);
    }
}

fn bind(inputs: &Inputs<'_>, label: &str, layout: &wgpu::BindGroupLayout, reads: &[Reads<'_>]) -> wgpu::BindGroup {
    let resources: Vec<_> = reads
        .iter()
        .map(|read| match read {
            Reads::Uniforms(buffer) | Reads::Particles(buffer) => buffer.as_entire_binding(),
            Reads::Light(view) | Reads::Values(view) => wgpu::BindingResource::TextureView(view),
            Reads::Sampler(sampler) => wgpu::BindingResource::Sampler(sampler),
        })
        .collect();
    pipeline::bind(&inputs.gpu.device, label, layout, &resources)
}

/// Depth texture of a pass, cleared first or not.
#[derive(Clone, Copy, Debug)]
pub enum Depth<'a> {
    None,
    Cleared(&'a wgpu::TextureView),
    Kept(&'a wgpu::TextureView),
}

/// Begins a pass into `targets`, which are cleared to zero.
pub fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    targets: &[&wgpu::TextureView],
    depth: Depth<'_>,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) -> wgpu::RenderPass<'e> {
    let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store };
    let attachment = |&view| wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops };
    let colors: Vec<_> = targets.iter().map(attachment).map(Some).collect();
    let attach = |view, load| wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }),
        stencil_ops: None,
    };
    let depth_stencil_attachment = match depth {
        Depth::None => None,
        // Reversed depth: 0 at infinity.
        Depth::Cleared(view) => Some(attach(view, wgpu::LoadOp::Clear(0.0))),
        Depth::Kept(view) => Some(attach(view, wgpu::LoadOp::Load)),
    };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &colors,
        depth_stencil_attachment,
        timestamp_writes,
        ..Default::default()
    })
}
