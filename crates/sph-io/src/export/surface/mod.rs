//! Surface meshes of fluid, reconstructed from its particles.

mod format;
mod frames;
mod mesh;
mod order;
mod reconstruct;
mod series;
mod settings;
mod size;
mod smoothing;

pub use format::SurfaceFormat;
pub use frames::{ParticleFrame, exported_frames};
pub use mesh::SurfaceMesh;
pub use reconstruct::{SurfaceError, surface};
pub use series::SurfaceSeries;
pub use settings::{BadSetting, SETTINGS, SurfaceSetting, SurfaceSettings};
