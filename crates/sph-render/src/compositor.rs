//! Compositor: joins pictures and panels in a window's frame.
//!
//! On a software driver every pixel that is blended costs as much as one that is shaded. The panels are therefore copied first, the
//! pictures replace what is below them, and only the parts of the panels that lie over a picture are blended.

use super::Gpu;
use crate::gpu::pipeline::{self, SAMPLER, TEXTURE};
use crate::shaders::{COPY, STRETCH};

/// Joins textures in a frame.
#[derive(Debug)]
pub struct Compositor {
    copy_layout: wgpu::BindGroupLayout,
    replace: wgpu::RenderPipeline,
    blend: wgpu::RenderPipeline,
    stretch_layout: wgpu::BindGroupLayout,
    stretch: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
}

/// A picture and its place in the frame. Opaque.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The texture.
    pub texture: &'a wgpu::Texture,
    /// Its place; a texture of another size is stretched.
    pub place: Area,
}

/// The panels: a texture as large as the frame, with colours premultiplied by alpha.
#[derive(Clone, Copy, Debug)]
pub struct Panels<'a> {
    /// The texture.
    pub texture: &'a wgpu::Texture,
    /// Parts that lie over pictures.
    pub over_pictures: &'a [Area],
}

/// Rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Upper left corner, pixels from the left and from the top of the frame.
    pub corner: [u32; 2],
    /// Width and height, pixels.
    pub size: [u32; 2],
}

impl Compositor {
    /// Compiles the shaders for frames of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = &gpu.device;
        let copy_layout = pipeline::layout(device, COPY.name, &[TEXTURE]);
        let stretch_layout = pipeline::layout(device, STRETCH.name, &[TEXTURE, SAMPLER]);
        Self {
            replace: pipeline::create_flat(device, COPY, &copy_layout, format, false),
            blend: pipeline::create_flat(device, COPY, &copy_layout, format, true),
            copy_layout,
            stretch: pipeline::create_flat(device, STRETCH, &stretch_layout, format, false),
            stretch_layout,
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("stretch"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
        }
    }

    /// Fills `frame`, which `view` shows, with `panels` and with `pictures` below them. Parts outside the frame are clipped.
    pub fn compose(
        &self,
        gpu: &Gpu,
        (frame, view): (&wgpu::Texture, &wgpu::TextureView),
        pictures: &[Sheet<'_>],
        panels: Option<Panels<'_>>,
    ) {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
        let panels = panels.filter(|panels| panels.texture.size() == frame.size());
        let panels_bindings = panels.map(|panels| self.bind_copy(gpu, panels.texture));
        let copied = panels.filter(|panels| is_copyable(panels.texture, frame));
        if let Some(panels) = copied {
            encoder.copy_texture_to_texture(panels.texture.as_image_copy(), frame.as_image_copy(), frame.size());
        }
        let load = if copied.is_some() { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::BLACK) };
        let attachment = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("window"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        let all = Area { corner: [0, 0], size: [frame.width(), frame.height()] };
        if let Some(bindings) = panels_bindings.as_ref().filter(|_| copied.is_none()) {
            pass.set_pipeline(&self.replace);
            pass.set_bind_group(0, bindings, &[]);
            draw(&mut pass, all, all, all);
        }
        for &Sheet { texture, place } in pictures {
            let bindings = if [texture.width(), texture.height()] == place.size {
                pass.set_pipeline(&self.replace);
                self.bind_copy(gpu, texture)
            } else {
                pass.set_pipeline(&self.stretch);
                self.bind_stretch(gpu, texture)
            };
            pass.set_bind_group(0, &bindings, &[]);
            draw(&mut pass, place, place, all);
        }
        if let (Some(bindings), Some(panels)) = (&panels_bindings, panels) {
            pass.set_pipeline(&self.blend);
            pass.set_bind_group(0, bindings, &[]);
            for &part in panels.over_pictures {
                draw(&mut pass, all, part, all);
            }
        }
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }

    fn bind_copy(&self, gpu: &Gpu, texture: &wgpu::Texture) -> wgpu::BindGroup {
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        pipeline::bind(&gpu.device, COPY.name, &self.copy_layout, &[wgpu::BindingResource::TextureView(&view)])
    }

    fn bind_stretch(&self, gpu: &Gpu, texture: &wgpu::Texture) -> wgpu::BindGroup {
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&self.sampler)];
        pipeline::bind(&gpu.device, STRETCH.name, &self.stretch_layout, &resources)
    }
}

/// True if a copy from one to the other needs no draw.
fn is_copyable(from: &wgpu::Texture, to: &wgpu::Texture) -> bool {
    from.format().remove_srgb_suffix() == to.format().remove_srgb_suffix() && to.usage().contains(wgpu::TextureUsages::COPY_DST)
}

/// Draws the bound texture into `place`, no farther than `part` and the frame `all`.
fn draw(pass: &mut wgpu::RenderPass<'_>, place: Area, part: Area, all: Area) {
    let [x, y] = [0, 1].map(|axis| part.corner[axis].min(all.size[axis]));
    let [width, height] = [part.size[0].min(all.size[0] - x), part.size[1].min(all.size[1] - y)];
    if width == 0 || height == 0 || place.size.contains(&0) {
        return;
    }
    // The viewport may extend beyond the frame; the scissor rectangle clips it.
    let [left, top, right, bottom] =
        [place.corner[0], place.corner[1], place.size[0], place.size[1]].map(|length| length as f32);
    pass.set_viewport(left, top, right, bottom, 0.0, 1.0);
    pass.set_scissor_rect(x, y, width, height);
    pass.draw(0..3, 0..1);
}
