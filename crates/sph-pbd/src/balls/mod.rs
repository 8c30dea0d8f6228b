//! Balls: spheres of many sizes that collide, roll and stack.
//!
//! [`BallsSetup`] describes a set, [`BallDynamics`] moves sets by themselves, and [`Balls`] are the phases of a step for dynamics that
//! move balls together with other points.

mod contact;
mod contacts;
mod dynamics;
mod material;
mod memory;
mod packing;
mod pour;
mod quads;
mod radii;
mod random;
mod row_order;
mod rows;
mod setup;
mod step;
mod tasks;
mod walls;

pub(crate) use contact::INVERSE_INERTIA;
pub use dynamics::{BallDynamics, BallSet};
pub use material::BallMaterial;
pub use memory::{CONTACT_FORCES, CONTACTS};
pub use pour::Pour;
pub(crate) use pour::by_hand;
pub use radii::{MAX_RADIUS_RATIO, Radii};
pub use setup::{BallRemark, BallsError, BallsSetup, MAX_BALLS, NewBalls, Placement, cell_sizes, usual_grid};
pub use step::{Balls, SPIN, USUAL_SUBSTEP};
