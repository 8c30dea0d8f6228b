//! `sph render`: simulates and leaves pictures, drawn by the renderer of the window. What is drawn, and from where.

mod command;
mod grid_picture;
mod studio;

pub use command::{Options, execute};
