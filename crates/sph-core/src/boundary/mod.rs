//! Walls: layers of boundary particles, or planes without any; the pressure that the fluid gives them, and the drag that they give the fluid.

mod body;
mod container;
mod motion;
mod no_slip;
mod particles;
mod planes;
mod single_layer;
mod wall_neighbor_lists;
mod wall_pressure;

pub use body::Body;
pub use container::{Container, Face, Faces, Slip};
pub use motion::{Motion, MotionError};
pub use particles::BoundaryParticles;

use crate::parameters::Discretization;

/// How walls are cut into particles. Another sampling is another simulation: it cannot change live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WallSampling {
    /// As many layers as fluid at the face can see, each particle with the volume that a fluid particle has (Adami2012).
    #[default]
    Layers,
    /// One layer, each particle with the volume that makes up for those that are not there (Akinci2012); for support radii of about 2
    /// spacings: farther behind a wall, one layer cannot stand for all.
    SingleLayer,
    /// The faces of containers are not cut at all: what lies behind each is integrated (after Koschier2017). Bodies are in layers.
    Analytic,
}

impl WallSampling {
    /// Every sampling.
    pub const ALL: [Self; 3] = [Self::Layers, Self::SingleLayer, Self::Analytic];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::SingleLayer => "single_layer",
            Self::Analytic => "analytic",
        }
    }

    /// Layers of particles that a surface has, where it has any.
    pub(crate) fn layers(self, discretization: &Discretization) -> u32 {
        let Discretization { particle_spacing, support_radius, .. } = *discretization;
        match self {
            // Bounded, so that sums with counts fit even when the discretisation has not been validated yet.
            Self::Layers | Self::Analytic => ((support_radius / particle_spacing - 1e-3).ceil() as u32).min(1 << 10),
            Self::SingleLayer => 1,
        }
    }
}

pub(crate) use no_slip::mirror;
pub use planes::Planes;
pub(crate) use planes::WallIntegral;
pub(crate) use single_layer::calibrate;
pub use wall_pressure::WallPressure;

pub(crate) use wall_neighbor_lists::WallNeighborLists;
pub(crate) use wall_pressure::{WallPressureExtrapolation, extend_to_planes};
