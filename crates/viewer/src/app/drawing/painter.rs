//! Paints egui's panels into a texture of their own, which is reused for several frames, and composes it with the 3D view.
//!
//! The 3D view does not go through egui's shader: on a software renderer that shader costs more per pixel than the scene
//! itself, and moving water would pay for it in every frame.

use super::coverage;
use crate::render::{Area, Compositor, Gpu, Panels, Sheet};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

/// egui's renderer, the panels' texture, and the compositor that joins it with the 3D view.
pub struct Painter {
    renderer: Renderer,
    /// Format of the panels' texture, which is the frame's: encoded colours, premultiplied by alpha.
    format: wgpu::TextureFormat,
    panels: Option<wgpu::Texture>,
    /// Primitives of the panels last painted.
    painted: Vec<egui::ClippedPrimitive>,
    /// Parts of the panels that lie over the 3D views.
    over_views: Vec<Area>,
    compositor: Compositor,
}

/// A frame of egui after layout.
pub struct Layout {
    /// Triangles.
    pub primitives: Vec<egui::ClippedPrimitive>,
    /// Textures to create before painting, and to free after it.
    pub textures: egui::TexturesDelta,
    /// Pixels per point.
    pub pixels_per_point: f32,
}

impl Painter {
    /// Compiles the shaders for frames of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = RendererOptions { dithering: !gpu.is_software(), ..RendererOptions::default() };
        Self {
            renderer: Renderer::new(&gpu.device, format, options),
            format,
            panels: None,
            painted: Vec::new(),
            over_views: Vec::new(),
            compositor: Compositor::new(gpu, format),
        }
    }

    /// Size of the panels last painted, pixels.
    pub fn size(&self) -> Option<[u32; 2]> {
        self.panels.as_ref().map(|panels| [panels.width(), panels.height()])
    }

    /// Creates and frees the textures of a layout that is not painted. Leaving them out would lose them for good.
    pub fn skip(&mut self, gpu: &Gpu, layout: Layout) {
        self.make_textures(gpu, &layout.textures);
        self.drop_textures(layout.textures);
    }

    /// Paints a layout of `size` pixels around and over `views`. Uncovered pixels are transparent. A layout that looks like the one
    /// painted last is not painted again.
    pub fn paint(&mut self, gpu: &Gpu, layout: Layout, size: [u32; 2], views: &[Area]) {
        let resized = self.size() != Some(size);
        let same = !resized && layout.textures.set.is_empty() && looks_like(&layout.primitives, &self.painted);
        self.make_textures(gpu, &layout.textures);
        self.over_views.clear();
        let covered = |&view: &Area| coverage::covered(view, &layout.primitives, layout.pixels_per_point);
        self.over_views.extend(views.iter().flat_map(covered));
        if same {
            self.drop_textures(layout.textures);
            return;
        }
        if resized {
            self.panels = Some(create_panels(gpu, self.format, size));
        }
        let Some(panels) = &self.panels else { return };
        let screen = ScreenDescriptor { size_in_pixels: size, pixels_per_point: layout.pixels_per_point };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("panels") });
        let mut commands = self.renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &layout.primitives, &screen);
        let view = panels.create_view(&wgpu::TextureViewDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
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
        self.painted = layout.primitives;
        self.drop_textures(layout.textures);
    }

    /// Fills a frame with `pictures` under the panels last painted.
    pub fn compose(&self, gpu: &Gpu, frame: (&wgpu::Texture, &wgpu::TextureView), pictures: &[Sheet<'_>]) {
        let panels = self.panels.as_ref().map(|texture| Panels { texture, over_pictures: &self.over_views });
        self.compositor.compose(gpu, frame, pictures, panels);
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
        // All are freed; egui asserts that no texture is left when the delta is dropped.
        textures.clear();
    }
}

/// True if both paint the same pixels.
fn looks_like(primitives: &[egui::ClippedPrimitive], others: &[egui::ClippedPrimitive]) -> bool {
    use egui::epaint::Primitive;
    primitives.len() == others.len()
        && primitives.iter().zip(others).all(|(one, other)| {
            one.clip_rect == other.clip_rect
                && match (&one.primitive, &other.primitive) {
                    (Primitive::Mesh(one), Primitive::Mesh(other)) => one == other,
                    _ => false,
                }
        })
}

fn create_panels(gpu: &Gpu, format: wgpu::TextureFormat, [width, height]: [u32; 2]) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("panels"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
