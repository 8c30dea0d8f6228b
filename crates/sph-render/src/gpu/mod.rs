//! Graphics device and resources shared by all draws: pipelines, the uniform block, the render target.

mod globals;

pub mod pipeline;
pub mod target;

pub use globals::Globals;
pub use target::{ReadError, read_texture};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sph_io::Look;

// Graphics device: a GPU if there is one, else a software driver.

/// A graphics device with its queue.
#[derive(Debug)]
pub struct Gpu {
    /// Entry point of the graphics API.
    pub instance: wgpu::Instance,
    /// Chosen driver.
    pub adapter: wgpu::Adapter,
    /// Logical device.
    pub device: wgpu::Device,
    /// Command queue of the device.
    pub queue: wgpu::Queue,
    /// True once the device is lost.
    lost: Arc<AtomicBool>,
}

/// Failure to open a graphics device; the text includes advice.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver answered.
    #[error("no graphics driver was found (tried {tried})\n{}", ADVICE)]
    NoDriver {
        /// Graphics APIs tried, for example `Vulkan, GL`.
        tried: String,
    },
    /// A driver was found but gave no device.
    #[error("the graphics driver of {adapter} provides no device: {reason}\n{}", ADVICE)]
    NoDevice {
        /// Driver, as in [`Gpu::description`].
        adapter: String,
        /// Error text of the driver.
        reason: String,
    },
    /// The window cannot be drawn to.
    #[error("the window cannot be drawn to: {reason}\n{}", ADVICE)]
    NoSurface {
        /// Error text of the graphics library.
        reason: String,
    },
}

#[cfg(target_os = "linux")]
const ADVICE: &str = "Install a Vulkan driver: the Debian and Ubuntu package `mesa-vulkan-drivers` has one for common GPUs and \
                      one that needs no GPU. WGPU_BACKEND=vulkan or WGPU_BACKEND=gl chooses the interface.";

#[cfg(not(target_os = "linux"))]
const ADVICE: &str = "Install the current driver of the graphics card.";

impl Gpu {
    /// Opens a device for off-screen rendering.
    ///
    /// # Errors
    /// When no driver, not even a software one, gives a device.
    pub fn headless() -> Result<Self, GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        let tried = backends(descriptor.backends);
        Self::open(wgpu::Instance::new(descriptor), &tried, None)
    }

    /// Opens a device that can draw to a window, and the window's surface. `display` is the event loop's display handle, which
    /// GL needs.
    ///
    /// # Errors
    /// When no driver gives a device that can draw to the window.
    pub fn with_surface(
        display: impl wgpu::rwh::HasDisplayHandle + std::fmt::Debug + Send + Sync + 'static,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(display));
        let tried = backends(descriptor.backends);
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window).map_err(|error| no_driver(&instance, &tried, &error.to_string()))?;
        let gpu = Self::open(instance, &tried, Some(&surface))?;
        Ok((gpu, surface))
    }

    fn open(
        instance: wgpu::Instance,
        tried: &str,
        compatible_surface: Option<&wgpu::Surface<'static>>,
    ) -> Result<Self, GpuError> {
        // Without the forced fallback, a software driver is still chosen if there is no other; with it, a software driver
        // replaces a GPU whose driver fails.
        let request = |force_fallback_adapter| {
            let options = wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                force_fallback_adapter,
                compatible_surface,
                ..Default::default()
            };
            let adapter = pollster::block_on(instance.request_adapter(&options))
                .map_err(|_| no_driver(&instance, tried, "the driver supports off-screen rendering only"))?;
            let descriptor = wgpu::DeviceDescriptor {
                label: Some("sph"),
                // Optional: for the render times of `costs`.
                required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
                required_limits: adapter.limits(),
                ..Default::default()
            };
            match pollster::block_on(adapter.request_device(&descriptor)) {
                Ok((device, queue)) => Ok((adapter, device, queue)),
                Err(error) => Err(GpuError::NoDevice { adapter: describe(&adapter), reason: error.to_string() }),
            }
        };
        let (adapter, device, queue) = request(false).or_else(|error| {
            log::warn!("graphics: {error}");
            request(true).map_err(|_| error)
        })?;
        // The default handler panics; a wrong frame must not end a running simulation.
        device.on_uncaptured_error(Arc::new(|error| log::error!("graphics: {error}")));
        let lost = Arc::new(AtomicBool::new(false));
        let noticed = lost.clone();
        device.set_device_lost_callback(move |reason, message| {
            noticed.store(true, Ordering::Relaxed);
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("graphics: the device was lost: {message}");
            }
        });
        log::info!("graphics: {}", describe(&adapter));
        Ok(Self { instance, adapter, device, queue, lost })
    }

    /// True if the device is lost, as after a driver's update or fault: what it held is gone, and nothing more can be drawn with it.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// True if the driver renders on the CPU.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Look of scenes that name none: water, or spheres on a software driver.
    pub fn usual_look(&self) -> Look {
        if self.is_software() { Look::Spheres } else { Look::Water }
    }

    /// Description of the driver: its name, the graphics API, and `software` if it renders on the CPU.
    pub fn description(&self) -> String {
        describe(&self.adapter)
    }

    /// Clamps a texture's size, pixels, to the limits of the device.
    pub fn usable_size(&self, size: [u32; 2]) -> [u32; 2] {
        let most = self.device.limits().max_texture_dimension_2d.max(1);
        size.map(|length| length.clamp(1, most))
    }
}

/// Error for a missing or unusable surface. Without any driver, the graphics library's text lists all APIs, also those that
/// were not tried, and is left out.
fn no_driver(instance: &wgpu::Instance, tried: &str, reason: &str) -> GpuError {
    let drivers = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    if drivers.is_empty() {
        return GpuError::NoDriver { tried: tried.to_owned() };
    }
    let names: Vec<_> = drivers.iter().map(describe).collect();
    GpuError::NoSurface { reason: format!("{reason} ({})", names.join("; ")) }
}

fn describe(adapter: &wgpu::Adapter) -> String {
    let info = adapter.get_info();
    let kind = if info.device_type == wgpu::DeviceType::Cpu { ", software" } else { "" };
    format!("{} ({}{kind})", info.name, info.backend)
}

/// Names of the graphics APIs that are both wanted and built in, for example `Vulkan, GL`.
fn backends(wanted: wgpu::Backends) -> String {
    let usable = wanted & wgpu::Instance::enabled_backend_features();
    let names: Vec<_> = usable.iter_names().map(|(name, _)| if name == "VULKAN" { "Vulkan" } else { name }).collect();
    if names.is_empty() { "none: WGPU_BACKEND names no interface that this system has".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_apis_tried_and_give_advice() {
        let tried = backends(wgpu::Backends::VULKAN | wgpu::Backends::METAL);
        let text = GpuError::NoDriver { tried }.to_string();
        assert!(text.contains(if cfg!(target_os = "macos") { "METAL" } else { "Vulkan" }), "{text}");
        assert!(!cfg!(target_os = "linux") || text.contains("mesa-vulkan-drivers"), "{text}");
        assert!(backends(wgpu::Backends::empty()).contains("WGPU_BACKEND"));
    }
}
