//! Compositor: blends finished textures over one another into a window's frame.

use super::Gpu;
use super::gpu::pipeline::{self, TEXTURE};
use super::gpu::shaders::COPY;

/// Copies textures into a frame, one texel a pixel.
#[derive(Debug)]
pub struct Compositor {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

/// A texture and its position in the frame. Colours are premultiplied by alpha.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The texture.
    pub texture: &'a wgpu::Texture,
    /// Position of the upper left corner, pixels from the left and from the top of the frame.
    pub corner: [u32; 2],
}

impl Compositor {
    /// Compiles the shader for frames of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let layout = pipeline::layout(&gpu.device, COPY.name, &[TEXTURE]);
        let pipeline = pipeline::create_overlay(&gpu.device, COPY, &layout, format);
        Self { layout, pipeline }
    }

    /// Draws `sheets` into `frame`, of `size` pixels, the first at the bottom. Parts outside the frame are clipped.
    pub fn compose(&self, gpu: &Gpu, frame: &wgpu::TextureView, size: [u32; 2], sheets: &[Sheet<'_>]) {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
        let attachment = wgpu::RenderPassColorAttachment {
            view: frame,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(&self.pipeline);
        for Sheet { texture, corner } in sheets {
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            let resources = [wgpu::BindingResource::TextureView(&view)];
            let bindings = pipeline::bind(&gpu.device, COPY.name, &self.layout, &resources);
            let [x, y] = [0, 1].map(|axis| corner[axis].min(size[axis]));
            let [width, height] = [texture.width().min(size[0] - x), texture.height().min(size[1] - y)];
            if width == 0 || height == 0 {
                continue;
            }
            // The viewport may extend beyond the frame; the scissor rectangle clips it.
            pass.set_viewport(x as f32, y as f32, texture.width() as f32, texture.height() as f32, 0.0, 1.0);
            pass.set_scissor_rect(x, y, width, height);
            pass.set_bind_group(0, &bindings, &[]);
            pass.draw(0..3, 0..1);
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
}
