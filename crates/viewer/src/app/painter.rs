//! Paints what egui laid out.

use crate::render::Gpu;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

/// egui's renderer, and the texture that the 3D view is shown with.
pub struct Painter {
    renderer: Renderer,
    picture: Option<egui::TextureId>,
}

/// A frame of egui, laid out.
pub struct Layout {
    /// Triangles.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Textures to make before, and to drop after.
    pub textures: egui::TexturesDelta,
    /// Pixels a point.
    pub pixels_per_point: f32,
}

impl Painter {
    /// Compiles egui's shaders for frames of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = RendererOptions { dithering: !gpu.is_software(), ..RendererOptions::default() };
        Self { renderer: Renderer::new(&gpu.device, format, options), picture: None }
    }

    /// The 3D view, once there is one.
    pub fn picture(&self) -> Option<egui::TextureId> {
        self.picture
    }

    /// Shows `view` as the 3D view from now on.
    pub fn set_picture(&mut self, gpu: &Gpu, view: &wgpu::TextureView) {
        // The picture has the size of its place on the screen, but for fractions of a pixel at odd scales; there it is
        // interpolated, unless the processor would have to do it.
        let filter = if gpu.is_software() { wgpu::FilterMode::Nearest } else { wgpu::FilterMode::Linear };
        match self.picture {
            Some(id) => self.renderer.update_egui_texture_from_wgpu_texture(&gpu.device, view, filter, id),
            None => self.picture = Some(self.renderer.register_native_texture(&gpu.device, view, filter)),
        }
    }

    /// Makes the textures of a layout that is not painted. Leaving them out would lose them for good.
    pub fn skip(&mut self, gpu: &Gpu, layout: Layout) {
        self.make_textures(gpu, &layout.textures);
        self.drop_textures(layout.textures);
    }

    /// Paints a layout to `frame`, of `size` pixels.
    pub fn paint(&mut self, gpu: &Gpu, layout: Layout, frame: &wgpu::Texture, size: [u32; 2]) {
        self.make_textures(gpu, &layout.textures);
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: layout.pixels_per_point };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("panels") });
        let mut commands = self.renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &layout.primitives, &screen);
        let view = frame.create_view(&wgpu::TextureViewDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        self.renderer.render(&mut pass.forget_lifetime(), &layout.primitives, &screen);
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
        self.drop_textures(layout.textures);
    }

    fn make_textures(&mut self, gpu: &Gpu, textures: &egui::TexturesDelta) {
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.renderer.update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
    }

    fn drop_textures(&mut self, mut textures: egui::TexturesDelta) {
        for id in textures.free.drain() {
            self.renderer.free_texture(&id);
        }
        // All done; egui checks that nobody drops what is not.
        textures.clear();
    }
}
