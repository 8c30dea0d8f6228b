//! Quantities that the colours of particles show.

use sph_core::parameters::{Choice, ChoiceOption};

/// Quantities that the colours of particles show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorField {
    /// Speed.
    #[default]
    Speed,
    /// Deviation of the density from the rest density.
    Density,
    /// Pressure.
    Pressure,
    /// Fluid that the particle is of.
    Fluid,
    /// Id of the particle.
    Id,
}

impl ColorField {
    /// Every quantity.
    pub const ALL: [Self; 5] = [Self::Speed, Self::Density, Self::Pressure, Self::Fluid, Self::Id];

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
            Self::Density => ("density", "Density deviation", "Deviation of the density from the fluid's rest density (%)."),
            Self::Pressure => ("pressure", "Pressure", "Pressure (Pa)."),
            Self::Fluid => ("fluid", "Fluid", "Fluid that the particle is of: each has its colour."),
            Self::Id => ("id", "Id", "Id of the particle, by its place at the start: it shows how the fluid mixes."),
        };
        ChoiceOption { name, label, documentation }
    }
}
