//! Pictures and films of the 3D view: how they are taken, and where they go.

mod film;
mod filming;
mod place;
mod save;

pub use film::Film;
pub use place::folder;
