//! Errors of opening the window.

use super::PlatformError;
use crate::render::GpuError;

/// Requirement of a window that the machine lacks.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No display, or a library that belongs to one is missing.
    #[error(transparent)]
    Platform(#[from] PlatformError),
    /// No graphics driver.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}
