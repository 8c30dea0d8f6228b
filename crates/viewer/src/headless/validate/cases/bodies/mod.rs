//! Bodies in the fluid, prescribed and free.

pub mod falling_cylinder;
pub mod floating_box;
pub mod floating_sphere;
pub mod moving_square;
