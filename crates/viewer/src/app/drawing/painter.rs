//! Paints egui's panels into a texture of their own, which is reused for several frames, and composes it with the 3D view.
//!
//! The 3D view does not go through egui's shader: on a software renderer that shader costs more per pixel than the scene
//! itself, and moving water would pay for it in every frame.

use super::damage;
use egui::TextureId;
use egui::epaint::ImageDelta;
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use sph_render::{Area, Compositor, Gpu, Panels, Sheet};
use std::collections::HashMap;

/// egui's renderer, the panels' texture, and the compositor that joins it with the 3D view.
pub struct Painter {
    renderer: Renderer,
    /// Format of the panels' texture, which is the frame's: encoded colours, premultiplied by alpha.
    format: wgpu::TextureFormat,
    panels: Option<wgpu::Texture>,
    /// Transparent pixels, by which those of the panels are replaced before they are painted anew.
    blank: Option<wgpu::Texture>,
    /// Primitives of the panels last painted.
    painted: Vec<egui::ClippedPrimitive>,
    /// Parts of the panels that lie over the 3D views.
    over_views: Vec<Area>,
    compositor: Compositor,
    /// Contents of egui's textures: a whole picture and patches of it. egui sends them once, and another device needs them again.
    contents: HashMap<TextureId, Vec<ImageDelta>>,
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
            blank: None,
            painted: Vec::new(),
            over_views: Vec::new(),
            compositor: Compositor::new(gpu, format),
            contents: HashMap::new(),
        }
    }

    /// A painter with the same textures on another device, in place of one that is lost.
    pub fn renewed(&mut self, gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let mut painter = Self { contents: std::mem::take(&mut self.contents), ..Self::new(gpu, format) };
        for (id, deltas) in &painter.contents {
            deltas.iter().for_each(|delta| painter.renderer.update_texture(&gpu.device, &gpu.queue, *id, delta));
        }
        painter
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

    /// Paints a layout of `size` pixels around and over `views`. Uncovered pixels are transparent. Only what looks unlike the layout painted
    /// last is painted again.
    pub fn paint(&mut self, gpu: &Gpu, layout: Layout, size: [u32; 2], views: &[Area]) {
        let resized = self.size() != Some(size);
        // A new glyph may have moved the others in their texture.
        let comparable = !resized && layout.textures.set.is_empty();
        self.make_textures(gpu, &layout.textures);
        self.over_views.clear();
        let covered = |&view: &Area| damage::covered(view, &layout.primitives, layout.pixels_per_point);
        self.over_views.extend(views.iter().flat_map(covered));
        if resized {
            let usages = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
            let copies = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
            self.panels = Some(create_texture(gpu, "panels", self.format, size, usages | copies));
            self.blank = Some(create_texture(gpu, "no panels", self.format, size, wgpu::TextureUsages::COPY_SRC));
        }
        let scale = layout.pixels_per_point;
        let damage = comparable.then(|| damage::changed(size, scale, &layout.primitives, &self.painted)).flatten();
        match damage {
            Some(areas) if areas.is_empty() => {}
            Some(areas) => self.paint_parts(gpu, &damage::inside(&areas, scale, &layout.primitives), scale, Some(&areas)),
            None => self.paint_parts(gpu, &layout.primitives, scale, None),
        }
        self.painted = layout.primitives;
        self.drop_textures(layout.textures);
    }

    /// Paints `primitives` over the panels painted last, within `areas`, which they cover; or anew.
    fn paint_parts(&mut self, gpu: &Gpu, primitives: &[egui::ClippedPrimitive], pixels_per_point: f32, areas: Option<&[Area]>) {
        let (Some(panels), Some(blank)) = (&self.panels, &self.blank) else { return };
        let screen = ScreenDescriptor { size_in_pixels: [panels.width(), panels.height()], pixels_per_point };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("panels") });
        let mut commands = self.renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, primitives, &screen);
        for &Area { corner: [x, y], size: [width, height] } in areas.unwrap_or_default() {
            let place = |texture| wgpu::TexelCopyTextureInfo {
                texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x, y, z: 0 },
                aspect: wgpu::TextureAspect::All,
            };
            let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
            encoder.copy_texture_to_texture(place(blank), place(panels), size);
        }
        let load = if areas.is_some() { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) };
        let view = panels.create_view(&wgpu::TextureViewDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(attachment)],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        self.renderer.render(&mut pass.forget_lifetime(), primitives, &screen);
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
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
                let contents = self.contents.entry(*id).or_default();
                if delta.is_whole() {
                    contents.clear();
                }
                contents.push(delta.clone());
            }
        }
    }

    fn drop_textures(&mut self, mut textures: egui::TexturesDelta) {
        for id in textures.free.drain() {
            self.renderer.free_texture(&id);
            self.contents.remove(&id);
        }
        // All are freed; egui asserts that no texture is left when the delta is dropped.
        textures.clear();
    }
}

fn create_texture(
    gpu: &Gpu,
    label: &str,
    format: wgpu::TextureFormat,
    [width, height]: [u32; 2],
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Rect, pos2, vec2};
    use sph_render::read_texture;

    const SIZE: [u32; 2] = [300, 200];

    /// Layouts of a panel, the first of which makes the letters known: a number and a disc change, a translucent frame lies over both.
    fn layouts() -> [Layout; 3] {
        let egui = egui::Context::default();
        [(25.1, 40.0), (12.5, 40.0), (25.1, 170.0)].map(|(number, x)| {
            let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(150.0, 100.0));
            let mut input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
            input.viewports.entry(input.viewport_id).or_default().native_pixels_per_point = Some(2.0);
            let output = egui.run_ui(input, |ui| {
                ui.painter().rect_filled(screen.shrink(10.0), 6.0, Color32::DARK_BLUE);
                ui.put(Rect::from_min_size(pos2(12.0, 20.0), vec2(60.0, 20.0)), egui::Label::new(format!("{number:.1}")));
                ui.painter().circle_filled(pos2(0.5 * x, 70.0), 9.3, Color32::RED);
                let glass = Color32::from_rgba_unmultiplied(255, 255, 255, 60);
                ui.painter().rect_filled(Rect::from_min_size(pos2(30.0, 15.0), vec2(80.0, 60.0)), 4.0, glass);
            });
            let pixels_per_point = output.pixels_per_point;
            let primitives = egui.tessellate(output.shapes, pixels_per_point);
            Layout { primitives, textures: output.textures_delta, pixels_per_point }
        })
    }

    #[test]
    fn what_has_changed_is_painted_as_all_is() {
        let gpu = Gpu::headless().expect("a driver; `cargo xtask test` installs one");
        let painted = |size: [u32; 2]| {
            let mut painter = Painter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm);
            let [start, before, after] = layouts();
            assert!(
                before.pixels_per_point == 2.0 && after.textures.set.is_empty(),
                "no new glyphs, which would have all painted"
            );
            let damage = damage::changed(SIZE, 2.0, &after.primitives, &before.primitives).expect("comparable layouts");
            let pixels: u32 = damage.iter().map(|area| area.size[0] * area.size[1]).sum();
            assert!((1..SIZE[0] * SIZE[1] / 2).contains(&pixels), "{damage:?}");
            painter.paint(&gpu, start, size, &[]);
            painter.paint(&gpu, before, size, &[]);
            painter.paint(&gpu, after, SIZE, &[]);
            read_texture(&gpu, painter.panels.as_ref().expect("painted")).expect("read").rgba
        };
        // After a layout of another size, all is painted.
        let [parts, all] = [SIZE, [10, 10]].map(painted);
        assert!(all.iter().any(|&byte| byte > 0));
        assert!(parts == all, "pixels differ");
    }

    #[test]
    fn a_lost_device_is_noticed_and_another_paints_the_same() {
        let gpu = Gpu::headless().expect("a driver; `cargo xtask test` installs one");
        let pixels = |painter: &Painter, gpu: &Gpu| {
            read_texture(gpu, painter.panels.as_ref().expect("painted")).expect("a device that is there").rgba
        };
        let mut painter = Painter::new(&gpu, wgpu::TextureFormat::Rgba8Unorm);
        let [start, before, after] = layouts();
        painter.paint(&gpu, start, SIZE, &[]);
        painter.paint(&gpu, before, SIZE, &[]);
        let (primitives, pixels_per_point) = (after.primitives.clone(), after.pixels_per_point);
        let again = Layout { primitives, textures: egui::TexturesDelta::default(), pixels_per_point };
        let mut reference = painter.renewed(&gpu, wgpu::TextureFormat::Rgba8Unorm);
        reference.paint(&gpu, after, SIZE, &[]);
        let expected = pixels(&reference, &gpu);
        assert!(!gpu.is_lost());
        gpu.device.destroy();
        let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        assert!(gpu.is_lost());
        let other = Gpu::headless().expect("another device");
        let mut painter = reference.renewed(&other, wgpu::TextureFormat::Rgba8Unorm);
        painter.paint(&other, again, SIZE, &[]);
        assert!(pixels(&painter, &other) == expected, "pixels differ");
    }
}
