//! Bodies that move by forces.

pub mod falling_cylinder;
pub mod floating_box;
pub mod floating_sphere;
