//! Point sets: points besides the fluid's that share its tank, such as the vertices of a cloth or balls. A set is plain data, part of the
//! [`State`](crate::State); what moves it is a [`PointDynamics`], which another crate implements. The fluid meets the points as a moving
//! boundary, they meet walls and bodies through [`Surfaces`], and they may drift with the fluid by its [`FluidField`].

mod coating;
mod dynamics;
mod set;
mod source;

pub use coating::{Coating, LEAST_WIDTH, PENDING_IMPULSE, PointImpulse, SPIN, is_met};
pub use dynamics::{
    FluidField, PointDynamics, PointHold, PointReport, PointStep, PourDisc, SearchAmongOthers, SetSearch, SolidId,
    SolidImpulse, Surface, Surfaces,
};
pub use set::{Column, ColumnValues, PointId, PointSet};
pub use source::{PointOutline, PointSetup, PointSource};
