//! Cloth: sheets of triangles that stretch, bend, tear, fold and collide with themselves.
//!
//! A [`ClothSetup`] describes a sheet, [`Sheet`] is what follows from it and stays constant, and [`Cloths`] moves all sheets of a scene together.
//! Constraints are solved by XPBD (Macklin2016), one pass a substep (Macklin2019). Vertices that may touch are found by a search of `sph-core`.

mod block_pairs;
mod blocks;
mod cloths;
mod constraints;
mod faces;
mod mesh;
mod movers;
mod obstacles;
mod pairs;
mod reach;
mod self_collision;
mod setup;
mod sheet;
mod solids;
mod strays;
mod vertices;
mod wind;

pub use cloths::{ClothSettings, Cloths, Work, usual_grid};
pub use mesh::Edge;
#[cfg(test)]
pub(crate) use movers::Push;
pub(crate) use movers::{Mover, Movers};
pub(crate) use obstacles::{Obstacles, each_near_until_end, surface_of};
pub use setup::{ClothError, ClothRemark, ClothSetup, Grid, MAX_VERTICES, Pin};
pub use sheet::{Sheet, TORN};
