//! Particles of a frame: from a simulation, or read back from an earlier export.

mod frame;
mod npz;
mod ply;
mod read;
mod vtu;

pub use frame::ParticleFrame;
pub use read::exported_frames;
