//! Quantities that colours show.

/// Quantities of a particle that its colour can show.
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

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Pressure => "pressure",
        }
    }
}
