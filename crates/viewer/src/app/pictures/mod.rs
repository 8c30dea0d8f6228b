//! Pictures and recordings of the 3D view: how they are taken, and where they go.

mod place;
mod record;
mod save;

pub use place::folder;
pub use record::Film;
