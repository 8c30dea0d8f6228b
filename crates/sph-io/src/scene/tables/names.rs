//! The words between which scene files choose, as they spell them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shapes of a block.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShapeName {
    /// The whole box.
    #[default]
    Box,
    /// The ellipsoid, or in 2 dimensions the ellipse, that touches the box's faces.
    Ellipsoid,
}

/// Pressures that a block can start with.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InitialPressureName {
    /// The weight of the fluid above: for a block that rests or is about to fall over.
    #[default]
    Hydrostatic,
    /// None: for a block in free fall.
    Zero,
    /// What keeps the block from being compressed at the moment when it is let go, with the velocity that it has: 0 on faces that touch
    /// neither a wall nor another block. For a column whose gate has just gone, or fluid that spins or stretches.
    Released,
}

/// Faces of a container.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FaceName {
    XMin,
    XMax,
    YMin,
    YMax,
    ZMin,
    ZMax,
}

/// Ways of fluid along a wall.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SlipName {
    /// The wall pushes but does not drag.
    #[default]
    Free,
    /// At the wall the fluid has the wall's velocity.
    NoSlip,
}

/// Ways of cutting walls into particles.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WallSamplingName {
    /// As many layers as the fluid can see.
    #[default]
    Layers,
    /// One layer, which stands for all: fewer particles, less accurate.
    SingleLayer,
    /// Not at all: what lies behind the faces of containers is integrated. Bodies are in layers.
    Analytic,
}

/// Quantities that colours can show.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColorName {
    /// Speed, m/s.
    #[default]
    Speed,
    /// Density against the rest density.
    Density,
    /// Pressure, Pa.
    Pressure,
}
