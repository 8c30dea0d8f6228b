//! The passes of the look of water, and what all are made of: a pipeline with its bindings, and the beginning of a render pass.

use super::resources::{COLOR, DISTANCE, Fluid, Inputs, LIGHT, SHARE, Sheets};
use crate::costs::Stamps;
use crate::draws::Meshes;
use crate::gpu::pipeline::{self, Assembly, SAMPLER, STORAGE, TEXTURE, UNIFORM};
use crate::gpu::target::{COLOR_FORMAT, DEPTH_FORMAT};
use crate::shaders::{self, Shader};

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

// Maps of the sun's light on the floor: fluid and bodies between the two.

/// The shadows of fluid and bodies.
#[derive(Debug)]
pub struct SunMap {
    fluid: Step,
    solids: Step,
}

impl SunMap {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let fluid = Form { adds: true, ..Form::screen(shaders::SUN_SPLATS, &[LIGHT]) };
        let solids = Form { vertices: Some(Meshes::vertex_layout()), ..Form::screen(shaders::SUN_SOLIDS, &[SHARE]) };
        Self {
            fluid: Step::new(inputs, &fluid, &particles(inputs)),
            solids: Step::new(inputs, &solids, &particles(inputs)[..2]),
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.fluid.bind(inputs, &particles(inputs));
        self.solids.bind(inputs, &particles(inputs)[..2]);
    }

    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        fluid: &Fluid,
        solids: &Meshes,
        [first, last]: [Stamps<'_>; 2],
    ) {
        let mut pass = begin(encoder, "sun map", &[&sheets.sun_map], Depth::None, first);
        self.fluid.set(&mut pass);
        fluid.draw(&mut pass);
        drop(pass);
        let mut pass = begin(encoder, "solid map", &[&sheets.solid_map], Depth::None, last);
        self.solids.set(&mut pass);
        solids.draw_triangles(&mut pass);
    }
}

/// Constants and particles: what every pass over the particles reads.
pub fn particles<'a>(inputs: &Inputs<'a>) -> [Reads<'a>; 3] {
    [Reads::Uniforms(inputs.globals), Reads::Uniforms(inputs.uniforms), Reads::Particles(inputs.fluid.buffer())]
}

// Light from behind the fluid: sky, floor and bodies.

/// Sky and floor, and the bodies before them.
#[derive(Debug)]
pub struct Surroundings {
    backdrop: Step,
    solids: Step,
    sampler: wgpu::Sampler,
}

impl Surroundings {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let sampler = sampler(inputs);
        let backdrop =
            Form { depth: Some((wgpu::CompareFunction::Always, false)), ..Form::screen(shaders::WATER_BACKDROP, &[LIGHT]) };
        let solids = Form {
            depth: Some((wgpu::CompareFunction::Greater, true)),
            vertices: Some(Meshes::vertex_layout()),
            ..Form::screen(shaders::SOLIDS, &[LIGHT])
        };
        Self {
            backdrop: Step::new(inputs, &backdrop, &light(inputs, &sampler)),
            solids: Step::new(inputs, &solids, &light(inputs, &sampler)),
            sampler,
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.backdrop.bind(inputs, &light(inputs, &self.sampler));
        self.solids.bind(inputs, &light(inputs, &self.sampler));
    }

    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        depth: &wgpu::TextureView,
        solids: &Meshes,
        stamps: Stamps<'_>,
    ) {
        let mut pass = begin(encoder, "surroundings", &[&sheets.behind], Depth::Cleared(depth), stamps);
        self.backdrop.fill(&mut pass, 0);
        self.solids.set(&mut pass);
        solids.draw_triangles(&mut pass);
    }
}

/// Constants and the sun's maps: what the formulas of the surroundings read.
pub fn light<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 5] {
    [
        Reads::Uniforms(inputs.globals),
        Reads::Uniforms(inputs.uniforms),
        Reads::Light(&inputs.sheets.sun_map),
        Reads::Sampler(sampler),
        Reads::Light(&inputs.sheets.solid_map),
    ]
}

/// Sampler that interpolates.
pub fn sampler(inputs: &Inputs<'_>) -> wgpu::Sampler {
    inputs.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("water"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}

// Thickness of the fluid along the view, and its blur.

/// The sum over the particles, and two steps of blur.
#[derive(Debug)]
pub struct Thickness {
    splats: Step,
    blurs: [Step; 2],
}

impl Thickness {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form = Form { adds: true, ..Form::screen(shaders::THICKNESS, &[LIGHT]) };
        let blur = Form::screen(shaders::BLUR, &[LIGHT]);
        Self {
            splats: Step::new(inputs, &form, &splats(inputs)),
            blurs: [0, 1].map(|number| Step::new(inputs, &blur, &blurred(inputs, number))),
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.splats.bind(inputs, &splats(inputs));
        for (number, blur) in self.blurs.iter_mut().enumerate() {
            blur.bind(inputs, &blurred(inputs, number));
        }
    }

    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, fluid: &Fluid, stamps: Stamps<'_>) {
        let mut pass = begin(encoder, "thickness", &[&sheets.thickness[0]], Depth::None, stamps);
        self.splats.set(&mut pass);
        fluid.draw(&mut pass);
    }

    /// Blurs the thickness in front of the surface.
    pub fn blur(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, stamps: [Stamps<'_>; 2]) {
        for (number, stamps) in stamps.into_iter().enumerate() {
            let target = &sheets.thickness[1 - number];
            self.blurs[number].fill(&mut begin(encoder, "blur", &[target], Depth::None, stamps), number as u32);
        }
    }
}

fn splats<'a>(inputs: &Inputs<'a>) -> [Reads<'a>; 4] {
    let [globals, uniforms, fluid] = particles(inputs);
    [globals, uniforms, fluid, Reads::Values(&inputs.sheets.behind)]
}

fn blurred<'a>(inputs: &Inputs<'a>, number: usize) -> [Reads<'a>; 4] {
    let [globals, uniforms, _] = particles(inputs);
    [globals, uniforms, Reads::Values(&inputs.sheets.thickness[number]), Reads::Values(&inputs.sheets.surface[0])]
}

// Nearest surface of the fluid's ellipsoids.

/// Distances and colours of the nearest ellipsoids.
#[derive(Debug)]
pub struct Surface(Step);

impl Surface {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form =
            Form { depth: Some((wgpu::CompareFunction::Greater, true)), ..Form::screen(shaders::SURFACE, &[DISTANCE, COLOR]) };
        Self(Step::new(inputs, &form, &particles(inputs)))
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.0.bind(inputs, &particles(inputs));
    }

    /// Draws what is nearer than `depth`, which it is added to.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        sheets: &Sheets,
        depth: &wgpu::TextureView,
        fluid: &Fluid,
        stamps: Stamps<'_>,
    ) {
        let targets = [&sheets.surface[0], &sheets.colors];
        let mut pass = begin(encoder, "surface", &targets, Depth::Kept(depth), stamps);
        self.0.set(&mut pass);
        fluid.draw(&mut pass);
    }
}

// Narrow-range filter of the surface (Truong and Yuksel 2018): what touches a wall is cut there, then rows and columns twice and a clean-up.

/// Steps of the shader: 0 rows, 1 columns, 2 clean-up, 3 walls.
const STEPS: [u32; 6] = [3, 0, 1, 0, 1, 2];

/// Sheet of the surface after the last step.
pub const RESULT: usize = STEPS.len() % 2;

/// The filter from each of the two sheets of the surface to the other.
#[derive(Debug)]
pub struct Smoothing([Step; 2]);

impl Smoothing {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let form = Form::screen(shaders::SMOOTHING, &[DISTANCE]);
        Self([0, 1].map(|source| Step::new(inputs, &form, &filter_reads(inputs, source))))
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        for (source, step) in self.0.iter_mut().enumerate() {
            step.bind(inputs, &filter_reads(inputs, source));
        }
    }

    /// Filters the first sheet of the surface; the result is in the sheet [`RESULT`].
    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, [first, last]: [Stamps<'_>; 2]) {
        let (mut first, mut last) = (first, last);
        for (number, step) in STEPS.into_iter().enumerate() {
            let stamps = match number {
                0 => first.take(),
                _ if number + 1 == STEPS.len() => last.take(),
                _ => None,
            };
            let target = &sheets.surface[(number + 1) % 2];
            let mut pass = begin(encoder, "smoothing", &[target], Depth::None, stamps);
            self.0[number % 2].fill(&mut pass, step);
        }
    }
}

fn filter_reads<'a>(inputs: &Inputs<'a>, source: usize) -> [Reads<'a>; 3] {
    [Reads::Uniforms(inputs.globals), Reads::Uniforms(inputs.uniforms), Reads::Values(&inputs.sheets.surface[source])]
}

// Finished picture: light from the fluid over light from behind it, then antialiasing.

/// Composition and antialiasing.
#[derive(Debug)]
pub struct Composite {
    composite: Step,
    antialias: Step,
    sampler: wgpu::Sampler,
}

impl Composite {
    pub fn new(inputs: &Inputs<'_>) -> Self {
        let sampler = sampler(inputs);
        let composite = Form::screen(shaders::COMPOSITE, &[COLOR]);
        let antialias = Form::screen(shaders::ANTIALIAS, &[COLOR_FORMAT]);
        Self {
            composite: Step::new(inputs, &composite, &composite_reads(inputs, &sampler)),
            antialias: Step::new(inputs, &antialias, &finished(inputs, &sampler)),
            sampler,
        }
    }

    pub fn bind(&mut self, inputs: &Inputs<'_>) {
        self.composite.bind(inputs, &composite_reads(inputs, &self.sampler));
        self.antialias.bind(inputs, &finished(inputs, &self.sampler));
    }

    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, sheets: &Sheets, stamps: Stamps<'_>) {
        self.composite.fill(&mut begin(encoder, "composite", &[&sheets.finished], Depth::None, stamps), 0);
    }

    /// Copies the finished picture into `target`, with its edges smoothed.
    pub fn antialias(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, stamps: Stamps<'_>) {
        self.antialias.fill(&mut begin(encoder, "antialias", &[target], Depth::None, stamps), 0);
    }
}

fn composite_reads<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 9] {
    let [globals, uniforms, map, sampler, solid_map] = light(inputs, sampler);
    let sheets = inputs.sheets;
    [
        globals,
        uniforms,
        map,
        sampler,
        solid_map,
        Reads::Values(&sheets.surface[RESULT]),
        Reads::Values(&sheets.colors),
        Reads::Light(&sheets.thickness[0]),
        Reads::Light(&sheets.behind),
    ]
}

fn finished<'a>(inputs: &Inputs<'a>, sampler: &'a wgpu::Sampler) -> [Reads<'a>; 2] {
    [Reads::Light(&inputs.sheets.finished), Reads::Sampler(sampler)]
}
