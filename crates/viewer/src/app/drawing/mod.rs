//! Drawing into a window: its surface, the picture of the 3D view with its overlay, egui's panels over both.

mod damage;
mod interpolation;
mod painter;
mod scene_picture;

pub use interpolation::StepClock;
pub use painter::{Layout, Painter};
pub use scene_picture::{PictureView, Resolution, ScenePicture};

use std::sync::Arc;

use sph_render::{Gpu, GpuError};
use winit::window::Window;

// The window's surface: configured, resized, and created again after a loss.

/// A surface and its configuration.
#[derive(Debug)]
pub struct Surface {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// True if the configuration must be applied before the next frame.
    stale: bool,
}

impl Surface {
    /// Configures `surface` for a window of `size` pixels.
    ///
    /// # Errors
    /// If the adapter cannot draw to the surface.
    pub fn new(gpu: &Gpu, surface: wgpu::Surface<'static>, size: [u32; 2]) -> Result<Self, GpuError> {
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
        let format = plain.into_iter().find(|format| capabilities.formats.contains(format));
        let [width, height] = gpu.usable_size(size);
        let config = surface.get_default_config(&gpu.adapter, width, height);
        let mut config =
            config.ok_or_else(|| GpuError::NoSurface { reason: format!("{} cannot draw to it", gpu.description()) })?;
        config.format = format.unwrap_or(config.format);
        // Panels are copied to the frame where that is possible.
        config.usage |= capabilities.usages & wgpu::TextureUsages::COPY_DST;
        // The shaders output encoded colours: an sRGB format would encode them twice.
        config.view_formats = vec![config.format.remove_srgb_suffix()];
        config.present_mode = wgpu::PresentMode::AutoVsync;
        config.desired_maximum_frame_latency = 1;
        Ok(Self { surface, config, stale: true })
    }

    /// The format of frames.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format.remove_srgb_suffix()
    }

    /// A view of a frame to draw to.
    pub fn view(&self, frame: &wgpu::SurfaceTexture) -> wgpu::TextureView {
        let format = Some(self.format());
        frame.texture.create_view(&wgpu::TextureViewDescriptor { format, ..Default::default() })
    }

    /// Size of the next frame, pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Adopts the window's size, unless it has no area.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2]) {
        if let Some([width, height]) = adopted(self.size(), size, gpu.usable_size(size)) {
            (self.config.width, self.config.height) = (width, height);
            self.stale = true;
        }
    }

    /// The next frame, or `None` if this one must be skipped; the next call may succeed.
    pub fn next_frame(&mut self, gpu: &Gpu, window: &Arc<Window>) -> Option<wgpu::SurfaceTexture> {
        if self.stale {
            self.surface.configure(&gpu.device, &self.config);
            self.stale = false;
        }
        match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(frame) => return Some(frame),
            wgpu::CurrentSurfaceTexture::Suboptimal(frame) => {
                self.stale = true;
                return Some(frame);
            }
            wgpu::CurrentSurfaceTexture::Outdated => self.stale = true,
            wgpu::CurrentSurfaceTexture::Lost => match gpu.instance.create_surface(window.clone()) {
                Ok(surface) => {
                    self.surface = surface;
                    self.stale = true;
                }
                Err(error) => log::error!("the window's surface is lost: {error}"),
            },
            wgpu::CurrentSurfaceTexture::Timeout
            | wgpu::CurrentSurfaceTexture::Occluded
            | wgpu::CurrentSurfaceTexture::Validation => {}
        }
        None
    }
}

/// Size of the next frame, where a window of `size` pixels, of which `usable` can be drawn, needs another than `present`. A window without
/// area, as a minimised one is on some systems, keeps the frames that it had.
fn adopted(present: [u32; 2], size: [u32; 2], usable: [u32; 2]) -> Option<[u32; 2]> {
    (!size.contains(&0) && usable != present).then_some(usable)
}

#[cfg(test)]
mod tests {
    use super::adopted;

    #[test]
    fn a_window_without_area_keeps_its_frames() {
        for size in [[0, 0], [0, 800], [1280, 0]] {
            assert_eq!(adopted([1280, 800], size, size.map(|length| length.max(1))), None);
        }
        assert_eq!(adopted([1280, 800], [1280, 800], [1280, 800]), None);
        assert_eq!(adopted([1280, 800], [1, 1], [1, 1]), Some([1, 1]));
        assert_eq!(adopted([1280, 800], [20_000, 10], [16_384, 10]), Some([16_384, 10]));
    }
}
