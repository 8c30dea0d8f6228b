//! Names of the colour maps of the particles.

use sph_core::parameters::{Choice, ChoiceOption};

/// Colour maps of the particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorMapName {
    /// Deep blue, cyan, white.
    Water,
    /// Violet, red, orange, pale yellow.
    Ember,
    /// Blue, light grey, red.
    Diverging,
    /// Viridis.
    Viridis,
    /// Cividis.
    Cividis,
    /// Turbo.
    Turbo,
}

impl ColorMapName {
    /// Every map.
    pub const ALL: [Self; 6] = [Self::Water, Self::Ember, Self::Diverging, Self::Viridis, Self::Cividis, Self::Turbo];

    /// Name in scene files.
    pub fn name(self) -> &'static str {
        self.option().name
    }
}

impl Choice for ColorMapName {
    const VALUES: &'static [Self] = &Self::ALL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::Water => ("water", "Water", "Deep blue, cyan, white: evenly lighter."),
            Self::Ember => ("ember", "Ember", "Violet, red, orange, pale yellow: evenly lighter."),
            Self::Diverging => ("diverging", "Diverging", "Blue, light grey, red: for values around a middle."),
            Self::Viridis => ("viridis", "Viridis", "Violet, green, yellow: evenly lighter, also for colour-blind people."),
            Self::Cividis => {
                ("cividis", "Cividis", "Blue, grey, yellow: the same with and without red–green colour blindness.")
            }
            Self::Turbo => ("turbo", "Turbo", "A rainbow without false edges, for detail."),
        };
        ChoiceOption { name, label, documentation }
    }
}
