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
    /// Pressure.
    Pressure,
}

impl ColorField {
    /// Every quantity.
    pub const ALL: [Self; 3] = [Self::Speed, Self::Density, Self::Pressure];

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
            Self::Density => ("density", "Density deviation", "Deviation of the density from the rest density (%)."),
            Self::Pressure => ("pressure", "Pressure", "Pressure (Pa)."),
        };
        ChoiceOption { name, label, documentation }
    }
}
