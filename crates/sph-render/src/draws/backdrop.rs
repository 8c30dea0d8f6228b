//! Background: a gradient, and the floor with the fluid's shadow.

use crate::gpu::pipeline::{self, Layer, SAMPLER, TEXTURE, UNIFORM};
use crate::light::FloorLight;
use crate::{Gpu, shaders};

/// Pipeline of the background and its shadow texture.
#[derive(Debug)]
pub struct Backdrop {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    bindings: wgpu::BindGroup,
    sampler: wgpu::Sampler,
    shadow: wgpu::Texture,
}

impl Backdrop {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "backdrop", &[UNIFORM, TEXTURE, SAMPLER]);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let shadow = shadow_texture(device, [1, 1]);
        Self {
            pipeline: pipeline::create(
                device,
                shaders::BACKDROP,
                &layout,
                None,
                wgpu::PrimitiveTopology::TriangleList,
                Layer::Behind,
            ),
            bindings: bind(device, &layout, globals, &shadow, &sampler),
            layout,
            sampler,
            shadow,
        }
    }

    /// Uploads the shadow on the floor; `None` for a fully lit floor.
    pub fn update(&mut self, gpu: &Gpu, globals: &wgpu::Buffer, light: Option<&FloorLight<'_>>) {
        let (texels, size) = light.map_or((&[u8::MAX][..], [1, 1]), |light| (light.texels, light.size));
        if size != [self.shadow.width(), self.shadow.height()] {
            self.shadow = shadow_texture(&gpu.device, size);
            self.bindings = bind(&gpu.device, &self.layout, globals, &self.shadow, &self.sampler);
        }
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(size[0]), rows_per_image: None };
        gpu.queue.write_texture(self.shadow.as_image_copy(), texels, layout, self.shadow.size());
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    globals: &wgpu::Buffer,
    shadow: &wgpu::Texture,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    let view = shadow.create_view(&wgpu::TextureViewDescriptor::default());
    let resources =
        [globals.as_entire_binding(), wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(sampler)];
    pipeline::bind(device, "backdrop", layout, &resources)
}

fn shadow_texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("shadow"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}
