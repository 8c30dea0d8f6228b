//! Render target: colour and depth textures, and the read-back of the picture.

use super::Gpu;
use crate::Picture;

/// Colour format: sRGB-encoded values, as in a window and in a PNG file.
pub const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth format. Reversed depth: 1 at the near plane, 0 at infinity.
pub const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Failure to read a picture back from the graphics device.
#[derive(Debug, thiserror::Error)]
#[error("the picture could not be read from the graphics device: {0}")]
pub struct ReadError(String);

impl ReadError {
    /// The failure with this reason.
    pub fn new(reason: impl std::fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

/// Colour and depth textures of one size.
#[derive(Debug)]
pub struct Target {
    pub size: [u32; 2],
    pub color: wgpu::TextureView,
    pub depth: wgpu::TextureView,
    /// Colour that the first pass clears the picture with.
    pub clear: wgpu::Color,
}

/// Position of a pass among the passes of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassPosition {
    First,
    Middle,
    Last,
    /// The only pass.
    Only,
}

impl Target {
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let size = gpu.usable_size(size);
        let texture = |label, format, usage| {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: extent(size),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let shown = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        Self {
            size,
            color: texture("scene", COLOR_FORMAT, shown),
            depth: texture("scene depth", DEPTH_FORMAT, wgpu::TextureUsages::empty()),
            clear: wgpu::Color::BLACK,
        }
    }

    /// Begins a pass. The first pass of a frame clears colour and depth; the last discards depth.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &str,
        position: PassPosition,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) -> wgpu::RenderPass<'e> {
        let first = matches!(position, PassPosition::First | PassPosition::Only);
        let last = matches!(position, PassPosition::Last | PassPosition::Only);
        let color = wgpu::RenderPassColorAttachment {
            view: &self.color,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: if first { wgpu::LoadOp::Clear(self.clear) } else { wgpu::LoadOp::Load },
                store: wgpu::StoreOp::Store,
            },
        };
        let depth = wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations {
                load: if first { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load },
                store: if last { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store },
            }),
            stencil_ops: None,
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(depth),
            timestamp_writes,
            ..Default::default()
        })
    }

    /// Waits for the frame and copies it to memory.
    pub fn read(&self, gpu: &Gpu) -> Result<Picture, ReadError> {
        read_texture(gpu, self.color.texture())
    }
}

/// Waits for what is drawn into `texture`, which has four bytes a pixel, and copies them to memory.
///
/// # Errors
/// When the device is lost or out of memory.
pub fn read_texture(gpu: &Gpu, texture: &wgpu::Texture) -> Result<Picture, ReadError> {
    let [width, height] = [texture.width(), texture.height()];
    let row = 4 * width;
    let pitch = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: u64::from(pitch) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("read back") });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pitch), rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    gpu.queue.submit([encoder.finish()]);

    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        // The receiver is dropped only after an error that was returned.
        let _ = sender.send(result);
    });
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(ReadError::new)?;
    receiver.recv().map_err(ReadError::new)?.map_err(ReadError::new)?;
    let bytes = buffer.slice(..).get_mapped_range().map_err(ReadError::new)?;
    let mut rgba = Vec::with_capacity(row as usize * height as usize);
    for line in bytes.chunks_exact(pitch as usize) {
        rgba.extend_from_slice(&line[..row as usize]);
    }
    Ok(Picture { width, height, rgba })
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
