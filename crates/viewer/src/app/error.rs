//! Why there is no window.

use super::PlatformError;
use crate::render::GpuError;

/// What the machine lacks for a window.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No display, or a library that belongs to one is missing.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// No graphics driver.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}
