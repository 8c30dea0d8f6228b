//! Quantities that the colours of particles show.

use sph_core::parameters::{Choice, ChoiceOption};

/// Quantities that the colours of particles show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorField {
    /// Speed.
    #[default]
    Speed,
    /// Density.
    Density,
    /// Deviation of the density from the rest density.
    DensityError,
    /// Pressure.
    Pressure,
    /// Vorticity.
    Vorticity,
    /// Angular speed of micropolar particles.
    Spin,
    /// Number of neighbours.
    Neighbors,
    /// Bucket of the neighbour search.
    Bucket,
    /// Time since the particle came into the fluid.
    Age,
    /// Id of the particle.
    Id,
    /// Fluid that the particle is of.
    Fluid,
    /// Body that the particle is of.
    Body,
}

impl ColorField {
    /// Every quantity.
    pub const ALL: [Self; 12] = [
        Self::Speed,
        Self::Density,
        Self::DensityError,
        Self::Pressure,
        Self::Vorticity,
        Self::Spin,
        Self::Neighbors,
        Self::Bucket,
        Self::Age,
        Self::Id,
        Self::Fluid,
        Self::Body,
    ];

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        self.option().name
    }
}

impl Choice for ColorField {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Speed => ("speed", "Speed", "Speed (m/s)."),
            Self::Density => ("density", "Density", "Density (kg/m³)."),
            Self::DensityError => {
                ("density_error", "Density error", "Deviation of the density from the fluid's rest density (%).")
            }
            Self::Pressure => ("pressure", "Pressure", "Pressure (Pa)."),
            Self::Vorticity => ("vorticity", "Vorticity", "Magnitude of the curl of the velocity (1/s)."),
            Self::Spin => ("spin", "Spin", "Angular speed of micropolar particles (1/s), with `forces.vorticity_transfer`."),
            Self::Neighbors => ("neighbors", "Neighbours", "Number of other particles of the fluid within the support radius."),
            Self::Bucket => ("bucket", "Bucket", "Bucket of the neighbour search: particles of different colours share none."),
            Self::Age => ("age", "Age", "Time since the particle was emitted or poured, or since the start (s)."),
            Self::Id => ("id", "Id", "Id of the particle, by its place at the start: it shows how the fluid mixes."),
            Self::Fluid => ("fluid", "Fluid", "Fluid that the particle is of: each has its colour."),
            Self::Body => ("body", "Body", "Body that the particle is of: each has its colour, and the fluid is grey."),
        };
        ChoiceOption { name, label, documentation }
    }
}
