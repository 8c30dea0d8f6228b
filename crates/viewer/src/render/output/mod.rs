//! What becomes of pictures: transparency, captions, files and films. On the CPU.

pub mod caption;
pub mod recording;

mod matte;

pub use matte::matte;
